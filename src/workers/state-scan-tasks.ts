import type { NearestRows, StateBlock } from '../analysis/similarity/nearest.ts';

/** A state to compare, away from the event loop. */
export interface NearestTask {
  readonly blocks: readonly StateBlock[];
  readonly own: Int16Array;
  /** The last day that counts, since 1970-01-01. */
  readonly until: number;
  readonly count: number;
}

/** Compares states in a thread of its own. */
export interface StateScanner {
  /** @throws CodedError overloaded */
  nearest(task: NearestTask): Promise<NearestRows>;
  close(): Promise<void>;
}
