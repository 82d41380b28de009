import type { ScreenField } from '../shared/api/queries.ts';
import { formatAmount, formatNumber, formatPrice } from '../shared/ui/number.tsx';

/** Names of fields and their values as a heading and a sentence of the screener show them. */

/** Short names of what every list shows, and measures whose last name would be taken for another: `rvol` is of the session. */
const TITLES: Readonly<Record<string, string>> = {
  'price.day_price': 'price',
  bullish_confluence: 'bull score',
  bearish_confluence: 'bear score',
  net_confluence: 'net score',
  directional_bias: 'bias',
  rel_volume: 'rel vol prior day',
  'computed.volume_over_average': 'rvol',
};

/** The last name of a path in words, without its unit: `rsi 14`. */
export const titleOf = (path: string): string =>
  TITLES[path] ??
  path
    .split('.')
    .at(-1)!
    .replaceAll('_', ' ')
    .replace(/ (?:pct|atr)$/, '');

/**
 * All numbers of a column with the same decimals.
 *
 * @param pointDecimals of a score; what misses by little needs two
 */
export function shownOf(
  value: number,
  field: Pick<ScreenField, 'type' | 'unit'> | undefined,
  pointDecimals = 1,
): string {
  if (field?.type === 'integer' || Math.abs(value) >= 100_000) return formatAmount(value);
  return field?.unit === 'USD'
    ? formatPrice(value)
    : formatNumber(value, field?.unit === 'points' ? pointDecimals : 2);
}
