import type { Scope } from '../base/scope.ts';
import type { Leases } from '../database/leases.ts';

/** What the processes of one installation hand to each other. */
export interface Bus {
  readonly leases: Leases;
  /**
   * Hands work to one of the processes that take it from the queue and waits for its answer, as long as the signal
   * allows. The work survives the end of any process and is done at least once, so doing it again must change nothing.
   * While the queue is full, it waits.
   *
   * @param work JSON text
   * @throws CodedError work_failed after the last try
   */
  ask(queue: string, work: string, signal: AbortSignal): Promise<string>;
  /**
   * Does the work of a queue, up to `atOnce` pieces at a time. While the database or the bucket is away, a piece waits; after another
   * error it is tried again, up to five times in all, here or in another process.
   *
   * @param scope ends it
   * @param handle returns the answer; its signal aborts when the work is no longer this process's
   */
  take(
    scope: Scope,
    queue: string,
    atOnce: number,
    handle: (work: string, signal: AbortSignal) => Promise<string>,
  ): void;
  /** Work that failed in every try, the newest first. */
  deadLetters(): Promise<DeadLetter[]>;
  /** Forgets them. */
  clearDeadLetters(): Promise<void>;
  /** Says that this process takes part, until the scope closes. */
  join(scope: Scope, group: string): void;
  /** Identifiers of the processes that take part at the moment, this one's among them. */
  members(group: string): Promise<string[]>;
  /** Identifies this process. */
  readonly self: string;
  /** Whether the bus answers. */
  isHere(): boolean;
  /** How much waits in the queues, for operators. */
  figures(): Promise<BusFigures>;
  close(): Promise<void>;
}

export interface DeadLetter {
  readonly queue: string;
  /** JSON text. */
  readonly work: string;
  /** Of the last try; null where the process ended in every try. */
  readonly error: string | null;
  readonly tries: number;
  /** Epoch milliseconds. */
  readonly failedAt: number;
}

interface BusFigures {
  /** Pieces of work that no process has taken. */
  readonly waiting: number;
  /** Pieces that a process has taken and not answered. */
  readonly underWay: number;
  readonly deadLetters: number;
}
