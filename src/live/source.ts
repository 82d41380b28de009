import type { Calendar } from '../base/calendar.ts';
import type { PacedClock } from '../base/clock.ts';
import type { Feed, LiveFeed, LiveStatus, SourceStanding, SourceUnit } from '../market/feed.ts';
import type { Tape } from '../tape/index.ts';

/** A feed of units that are known beforehand: each by its key, its fingerprint, and its rows. */
export const knownFeed = (
  name: string,
  simulated: boolean,
  units: readonly (readonly [key: string, fingerprint: string, read: SourceUnit['read']])[],
): Feed => ({
  name,
  simulated,
  units: async () =>
    units.map(([key, text, read]) => ({ key, weight: 1, fingerprint: async () => text, read })),
});

/** What a live source knows of the process that follows it. */
export interface LiveGround {
  readonly tape: Tape;
  readonly calendar: Calendar;
  /** The market's. */
  readonly clock: PacedClock;
  readonly live: LiveStatus;
  /** When somebody looked at a symbol last, by that clock: option chains follow what is in view. */
  readonly viewedAt: ReadonlyMap<string, number>;
  /** Writes a line to the log. */
  readonly note: (says: string, about: object) => void;
}

/** What is to be done next. What it `says` goes to the log before. */
export type LiveStep =
  /** Something is worth a line. */
  | { readonly kind: 'note'; readonly says: string; readonly about: object }
  /** Data that has to be on the tape before a session streams. */
  | { readonly kind: 'import'; readonly feed: Feed; readonly says?: string; readonly about?: object }
  /** A session, minute by minute. */
  | { readonly kind: 'stream'; readonly feed: LiveFeed }
  /** Nothing before an instant of the market's clock, epoch milliseconds. */
  | { readonly kind: 'wait'; readonly until: number }
  /** Nothing for some real time. */
  | { readonly kind: 'rest'; readonly ms: number };

/**
 * A source of running sessions: a market that is simulated, a session that was recorded, a vendor. It says step by step
 * what to do; `pipeline/keep-live.ts` does it, in one process of the installation, and begins again after an error.
 */
export interface LiveSource {
  /** As the log names it, e.g. `the simulated market`. */
  readonly title: string;
  /** Of a vendor. */
  standing?(): SourceStanding;
  /** @throws CodedError for what can never be streamed */
  check?(ground: Omit<LiveGround, 'note' | 'viewedAt'>): Promise<void>;
  /**
   * From what the tape holds on. Each step after a stream is asked for with whether the session has ended.
   *
   * @param signal ends it
   */
  steps(ground: LiveGround, signal: AbortSignal): AsyncGenerator<LiveStep, void, boolean>;
}
