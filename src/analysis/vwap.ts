import type { BarColumns } from '../market/observations.ts';
import type { RowRange } from './sessions.ts';

/** Volume-weighted average price from its anchor on, dollars, with bands of one and two deviations. */
export interface Vwap {
  readonly vwap: number;
  readonly deviation: number;
  readonly upper1: number;
  readonly lower1: number;
  readonly upper2: number;
  readonly lower2: number;
}

/** VWAP and its deviation after each of some rows, dollars. */
export interface VwapColumns {
  readonly vwap: Float64Array;
  readonly deviation: Float64Array;
}

/**
 * Running VWAP of the rows, anchored at the first: sum(typical price x volume) / sum(volume), typical price =
 * (high + low + close) / 3. The deviation is the root of the volume-weighted variance of the typical price around the
 * VWAP, population form: sum(volume x (typical - vwap)^2) / sum(volume). NaN until a share has traded, and
 * from a bar on whose volume is not known.
 *
 * Source: the usual definition of VWAP from bars (StockCharts ChartSchool, "Volume-Weighted Average Price"), the
 * bands as charting platforms draw them; the recurrence is D. H. D. West, "Updating mean and variance estimates: an
 * improved method", CACM 22 (1979), which keeps its digits where the difference of two large sums would lose them.
 */
export function vwapColumns(columns: BarColumns, rows: RowRange): VwapColumns {
  const { high, low, close, volume } = columns;
  const length = rows.to - rows.from;
  const vwap = new Float64Array(length);
  const deviation = new Float64Array(length);
  let shares = 0;
  let mean = Number.NaN;
  let squares = 0;
  for (let at = 0; at < length; at++) {
    const row = rows.from + at;
    const weight = volume[row]!;
    if (weight !== 0) {
      const typical = (high[row]! + low[row]! + close[row]!) / 3;
      const before = shares === 0 ? typical : mean;
      shares += weight;
      mean = before + ((typical - before) * weight) / shares;
      squares += weight * (typical - before) * (typical - mean);
    }
    vwap[at] = mean;
    deviation[at] = shares === 0 ? Number.NaN : Math.sqrt(squares / shares);
  }
  return { vwap, deviation };
}

/**
 * The last row of `vwapColumns` with its bands; all NaN when the rows hold no volume.
 *
 * @param series `vwapColumns` of the rows, where they are there already
 */
export function vwap(columns: BarColumns, rows: RowRange | null, series?: VwapColumns): Vwap {
  if (rows === null || rows.from >= rows.to) return bands(Number.NaN, Number.NaN);
  const { vwap: middle, deviation } = series ?? vwapColumns(columns, rows);
  const last = rows.to - rows.from - 1;
  return bands(middle[last]!, deviation[last]!);
}

function bands(middle: number, deviation: number): Vwap {
  return {
    vwap: middle,
    deviation,
    upper1: middle + deviation,
    lower1: middle - deviation,
    upper2: middle + 2 * deviation,
    lower2: middle - 2 * deviation,
  };
}
