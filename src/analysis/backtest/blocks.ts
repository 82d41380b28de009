import type { RowRange } from '../sessions.ts';

/** Equal runs of sessions that a backtest is cut into: the months of a year, for a run of one year. */
export const BLOCK_COUNT = 12;
/** With fewer sessions in a block its figures are noise. */
const BLOCK_SESSIONS_MIN = 2;

/** A cell is chosen on some blocks and tested on those after them. */
export interface Split {
  readonly choose: RowRange;
  readonly test: RowRange;
}

/** The last quarter of the run is out of sample. */
export const OUT_OF_SAMPLE: Split = { choose: { from: 0, to: 9 }, test: { from: 9, to: 12 } };

/** Each fold chooses on all blocks before its test, at first on a third of the run. */
export const WALK_FORWARD: readonly Split[] = [4, 6, 8, 10].map((at) => ({
  choose: { from: 0, to: at },
  test: { from: at, to: at + 2 },
}));

/** Block of a trade day; block lengths differ by at most one session. */
export function blockOfDay(day: number, tradeDays: number): number {
  return Math.floor((day * BLOCK_COUNT) / tradeDays);
}

/** True when the processed sessions fill every block. */
export function fillBlocks(days: readonly number[], tradeDays: number): boolean {
  const sessions = new Uint32Array(BLOCK_COUNT);
  for (const day of days) sessions[blockOfDay(day, tradeDays)]!++;
  return sessions.every((count) => count >= BLOCK_SESSIONS_MIN);
}
