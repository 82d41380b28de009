import type { SessionBounds } from '../../market/observations.ts';
import { type IntradayBars, MINUTE_MS, priceRange, windowRows } from '../sessions.ts';

export const INITIAL_BALANCE_MINUTES = 60;

/** The first hour's range in dollars with its extensions; all NaN until a bar of it exists. */
export interface InitialBalance {
  readonly high: number;
  readonly low: number;
  readonly range: number;
  /** Half a range above the high, and one whole range above it. */
  readonly high15x: number;
  readonly high2x: number;
  /** The same below the low. */
  readonly low15x: number;
  readonly low2x: number;
  /** True from the first bar until 10:30 New York: the range may still grow. */
  readonly developing: boolean;
}

export const NO_INITIAL_BALANCE: InitialBalance = {
  high: Number.NaN,
  low: Number.NaN,
  range: Number.NaN,
  high15x: Number.NaN,
  high2x: Number.NaN,
  low15x: Number.NaN,
  low2x: Number.NaN,
  developing: false,
};

/**
 * High and low of 09:30-10:30 New York with extensions of half and one whole range beyond each edge: 1.5x high =
 * high + 0.5 range, 2x high = high + range, mirrored below. Source: J. Peter Steidlmayer's Market Profile, as in J.
 * Dalton, "Mind over Markets".
 */
export function initialBalance(bars: IntradayBars, session: SessionBounds): InitialBalance {
  const end = session.open + INITIAL_BALANCE_MINUTES * MINUTE_MS;
  const { high, low } = priceRange(bars.columns, windowRows(bars, session.open, end));
  const range = high - low;
  return {
    high,
    low,
    range,
    high15x: high + 0.5 * range,
    high2x: high + range,
    low15x: low - 0.5 * range,
    low2x: low - range,
    developing: !Number.isNaN(high) && bars.asOf < end,
  };
}
