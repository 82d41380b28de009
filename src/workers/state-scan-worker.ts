import { type NearestRows, nearestRows } from '../analysis/similarity/nearest.ts';
import { inThread } from './thread-answers.ts';
import type { NearestTask } from './state-scan-tasks.ts';

/** Composition root of the thread that compares states. */
export default inThread(
  ({ blocks, own, until, count }: NearestTask): NearestRows => nearestRows(blocks, own, until, count),
);
