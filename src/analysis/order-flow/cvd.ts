import type { FlowMinuteColumns } from '../../market/observations.ts';
import { MINUTE_MS, type RowRange } from '../sessions.ts';

/** Shares bought less shares sold in each minute of the rows. */
export function volumeDelta(flow: FlowMinuteColumns, { from, to }: RowRange): Float64Array {
  const delta = new Float64Array(to - from);
  for (let row = from; row < to; row++) {
    const bought = flow.buyByQuote[row]! + flow.buyByTick[row]!;
    delta[row - from] = bought - flow.sellByQuote[row]! - flow.sellByTick[row]!;
  }
  return delta;
}

/**
 * Cumulative volume delta at the end of each bar, shares, from the first row on: bought minus sold. Bars are whole
 * minutes long; a bar without a print repeats the value.
 *
 * @param barTime starts of the bars, ascending, epoch milliseconds
 * @param rows rows of the flow that count, the session's
 */
export function cvdAtBars(
  flow: FlowMinuteColumns,
  rows: RowRange,
  barTime: Float64Array,
  barMs: number,
): Float64Array {
  const delta = volumeDelta(flow, rows);
  const cvd = new Float64Array(barTime.length);
  let sum = 0;
  let row = 0;
  for (let bar = 0; bar < barTime.length; bar++) {
    const end = barTime[bar]! + barMs;
    while (row < delta.length && flow.time[rows.from + row]! + MINUTE_MS <= end) sum += delta[row++]!;
    cvd[bar] = sum;
  }
  return cvd;
}

export type CvdTrend = 'accumulating' | 'distributing' | 'neutral';

/** Minutes with prints that a drift needs. */
export const TREND_MINUTES_MIN = 30;
/** Deviations from no drift: one session in twenty shows as much when buyers and sellers take turns by chance. */
export const TREND_DEVIATIONS = 2;

/**
 * The slope of CVD over the session against its deviation: its mean change a minute over the standard error of that mean
 * when nobody presses, sum(delta) / sqrt(sum(delta^2)). A self-normalised sum: about standard normal for minutes of
 * independent, symmetric sign, whatever their sizes (V. de la Peña, T. Lai, Q. Shao, "Self-Normalized Processes",
 * 2009), so that one big minute makes no trend.
 *
 * @param delta signed shares of each minute
 * @returns NaN for fewer than 30 minutes, or when no minute has a side
 */
export function cvdDrift(delta: Float64Array): number {
  if (delta.length < TREND_MINUTES_MIN) return Number.NaN;
  let sum = 0;
  let squares = 0;
  for (const shares of delta) {
    sum += shares;
    squares += shares * shares;
  }
  return sum / Math.sqrt(squares);
}

/** Accumulating from 2 deviations on, distributing from -2 on; null where `cvdDrift` is not defined. */
export function cvdTrend(delta: Float64Array): CvdTrend | null {
  const drift = cvdDrift(delta);
  if (Number.isNaN(drift)) return null;
  if (drift >= TREND_DEVIATIONS) return 'accumulating';
  return drift <= -TREND_DEVIATIONS ? 'distributing' : 'neutral';
}
