import { type NearestRows, nearestRows } from '../analysis/similarity/nearest.ts';
import { threadEntry } from './thread-answers.ts';
import type { NearestTask } from './state-scan-tasks.ts';

export const open =
  () =>
  ({ blocks, own, until, count }: NearestTask): NearestRows =>
    nearestRows(blocks, own, until, count);

export default threadEntry(open);
