import type { Bars } from '../../shared/api/queries.ts';

/** Stocks on one scale: percent since the first open. */

interface PercentLine {
  readonly symbol: string;
  /** By the number of its time; a stock without a bar there has no point. */
  readonly points: readonly (readonly [at: number, percent: number])[];
}

export interface PercentLines {
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

/** Places of labels that keep a distance, in the order of their wishes, within 0 to `height`. */
export function spread(wished: readonly number[], apart: number, height: number): readonly number[] {
  const order = wished.map((_, at) => at).sort((a, b) => wished[a]! - wished[b]!);
  const placed: number[] = [];
  let before = Number.NEGATIVE_INFINITY;
  for (const at of order) {
    before = Math.max(wished[at]!, before + apart, 0);
    placed[at] = before;
  }
  let after = height + apart;
  for (const at of order.toReversed()) {
    after = Math.min(placed[at]!, after - apart);
    placed[at] = after;
  }
  return placed;
}
