import type { FlowMinuteColumns } from '../../market/observations.ts';
import type { RowRange } from '../sessions.ts';

const MINUTE_MS = 60_000;

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
 * Cumulative volume delta at the end of each bar, shares, from the first of the flow's rows on: what had been bought
 * less what had been sold by then. Bars of any length of whole minutes; a bar without a print carries the value on.
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
