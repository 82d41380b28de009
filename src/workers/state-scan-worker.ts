import { type NearestRows, nearestRows, type StateBlock } from '../analysis/similarity/nearest.ts';
import { threadEntry } from './thread.ts';

/** A state to compare with all others. */
export interface NearestTask {
  readonly blocks: readonly StateBlock[];
  readonly own: Int16Array;
  /** The last day that counts, days since 1970-01-01. */
  readonly until: number;
  readonly count: number;
}

export const open =
  () =>
  ({ blocks, own, until, count }: NearestTask): NearestRows =>
    nearestRows(blocks, own, until, count);

export default threadEntry(open);
