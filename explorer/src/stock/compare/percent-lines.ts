import type { Bars } from '../../shared/api/queries.ts';

/** Stocks on one scale: percent since the first open. */

interface PercentLine {
  readonly symbol: string;
  /** By the number of its time; a stock without a bar there has no point. */
  readonly points: readonly (readonly [at: number, percent: number])[];
}

interface PercentLines {
  /** Starts of the bars of all, ascending. */
  readonly times: readonly string[];
  readonly lines: readonly PercentLine[];
}

export function percentLines(
  bars: readonly (Pick<Bars, 'time' | 'open' | 'close'> & { readonly symbol: string })[],
): PercentLines {
  const times = [...new Set(bars.flatMap(({ time }) => time))].sort();
  const places = new Map(times.map((time, at) => [time, at]));
  return {
    times,
    lines: bars.map(({ symbol, time, open, close }) => ({
      symbol,
      points: time.map((one, row) => [places.get(one)!, 100 * (close[row]! / open[0]! - 1)] as const),
    })),
  };
}
