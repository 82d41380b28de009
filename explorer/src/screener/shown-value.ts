import type { ScreenField } from '../shared/api/queries.ts';
import { formatAmount, formatNumber, formatPrice } from '../shared/ui/number.tsx';

/** Names of fields and their values as a heading and a sentence of the screener show them. */

/** Measures whose last name would be taken for another: `rvol` is of the session. */
const TITLES: Readonly<Record<string, string>> = {
  rel_volume: 'rel volume prior day',
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

/** All numbers of a column with the same decimals. */
export function shownOf(value: number, field: Pick<ScreenField, 'type' | 'unit'> | undefined): string {
  if (field?.type === 'integer' || Math.abs(value) >= 100_000) return formatAmount(value);
  return field?.unit === 'USD' ? formatPrice(value) : formatNumber(value, 2);
}
