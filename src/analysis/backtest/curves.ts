import type { RowRange } from '../sessions.ts';
import { type BacktestPartial, FIGURE_COUNT } from './partial.ts';
import { cellCount } from './spec.ts';

/** Sums of R over symbols: one row of `cells` values for each processed session. */
export interface Curves {
  readonly sessions: number;
  readonly cells: number;
  readonly r: Float64Array;
}

/** Row of each trade day among the processed sessions, -1 where no symbol was processed, and the trade days by row. */
export function sessionPlaces(partials: readonly Pick<BacktestPartial, 'spec' | 'walked'>[]): {
  places: Int32Array;
  days: number[];
} {
  const tradeDays = partials[0]!.spec.tradeDays.length;
  const places = new Int32Array(tradeDays).fill(-1);
  const days: number[] = [];
  for (let day = 0; day < tradeDays; day++) {
    if (partials.every(({ walked }) => walked[day] === 0)) continue;
    places[day] = days.length;
    days.push(day);
  }
  return { places, days };
}

/** Curves of every cell over the groups that `keeps` selects. */
export function curvesOf(
  partials: readonly BacktestPartial[],
  places: Int32Array,
  sessions: number,
  keeps: (group: number) => boolean,
): Curves {
  const cells = cellCount(partials[0]!.spec);
  const r = new Float64Array(sessions * cells);
  for (const { rowDay, rowGroup, dayR } of partials) {
    for (let row = 0; row < rowDay.length; row++) {
      if (!keeps(rowGroup[row]!)) continue;
      const into = places[rowDay[row]!]! * cells;
      const from = row * cells;
      for (let cell = 0; cell < cells; cell++) r[into + cell]! += dayR[from + cell]!;
    }
  }
  return { sessions, cells, r };
}

/** One cell's sums by session. */
export function seriesOf({ sessions, cells, r }: Curves, cell: number, range?: RowRange): Float64Array {
  const { from, to } = range ?? { from: 0, to: sessions };
  const series = new Float64Array(to - from);
  for (let session = from; session < to; session++) series[session - from] = r[session * cells + cell]!;
  return series;
}

/** One cell's sums by session for each part; every group belongs to one part. */
export function partSeries(
  partials: readonly BacktestPartial[],
  places: Int32Array,
  sessions: number,
  cell: number,
  parts: number,
  partOf: (group: number) => number,
): Float64Array[] {
  const cells = cellCount(partials[0]!.spec);
  const series = Array.from({ length: parts }, () => new Float64Array(sessions));
  for (const { rowDay, rowGroup, dayR } of partials) {
    for (let row = 0; row < rowDay.length; row++) {
      series[partOf(rowGroup[row]!)]![places[rowDay[row]!]!]! += dayR[row * cells + cell]!;
    }
  }
  return series;
}

/** Sum of the rows of figures that `keeps` selects. */
export function figuresOf(
  figures: Float64Array,
  cells: number,
  keeps: (row: number) => boolean,
): Float64Array {
  const size = cells * FIGURE_COUNT;
  const sum = new Float64Array(size);
  for (let row = 0; row * size < figures.length; row++) {
    if (!keeps(row)) continue;
    for (let at = 0; at < size; at++) sum[at]! += figures[row * size + at]!;
  }
  return sum;
}

export function summed(arrays: readonly Float64Array[]): Float64Array {
  const sum = new Float64Array(arrays[0]!.length);
  for (const array of arrays) for (let at = 0; at < sum.length; at++) sum[at]! += array[at]!;
  return sum;
}
