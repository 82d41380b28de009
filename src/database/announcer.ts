import type { HeardSequence } from './heard-sequence.ts';

/** Carries announcements between processes in place of PostgreSQL's own notifications. */
export interface Announcer {
  /** Says that a transaction with announcements has committed. */
  wake(): void;
  /** As `Database.listen`. */
  listen(channel: string, handler: (payload: string) => void, missed?: () => void): Promise<() => void>;
  /** As `Database.heard`. */
  readonly heard: HeardSequence;
}
