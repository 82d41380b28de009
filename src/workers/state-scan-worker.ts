import { type NearestRows, nearestRows, type StateMemory } from '../analysis/similarity/nearest.ts';
import { threadEntry } from './thread.ts';

/** A state to compare with all others. */
export interface NearestTask {
  readonly states: StateMemory;
  readonly own: Int16Array;
  /** The last day that counts, days since 1970-01-01. */
  readonly until: number;
  readonly count: number;
}

export const open =
  () =>
  ({ states, own, until, count }: NearestTask): NearestRows =>
    nearestRows(states, own, until, count);

export default threadEntry(open);
