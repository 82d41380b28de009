import { type NearestRows, nearestRows } from './analysis/similarity/nearest.ts';
import type { NearestTask } from './operations/state-memory.ts';

/** Composition root of the thread that compares states. */
export default function scan({ blocks, own, until, count }: NearestTask): NearestRows {
  return nearestRows(blocks, own, until, count);
}
