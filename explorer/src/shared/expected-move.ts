import type { Stock } from './api/queries.ts';
import { chainAge } from './chain-age.ts';
import { formatNumber, formatPrice } from './ui/number.tsx';

export type Expected = NonNullable<Stock['expected_move']>;
export type Band = NonNullable<Expected['day']>;

/** `76.90 to 79.50 (1.7 %)` */
export const bandWords = ({ low, high, move_pct }: Band): string =>
  `${formatPrice(low)} to ${formatPrice(high)} (${formatNumber(move_pct, 1)} %)`;

/** Where the price stands in the move of the day, as a trader says it: `used 40 %`, `left below`. */
export function standsIn(position: number): string {
  if (position > 1) return 'left above';
  if (position < -1) return 'left below';
  return `used ${formatNumber(Math.abs(position) * 100, 0)} % ${position < 0 ? 'down' : 'up'}`;
}

/** What the band is and of which chain. */
export const bandTip = ({ day, refresh_timestamp, sessions_old }: Expected): string =>
  [
    day === null ? '' : `Options put ${bandWords(day)} around the close before, ${formatPrice(day.from)}.`,
    'One deviation: about two closes of three lie within.',
    chainAge({ source_time: refresh_timestamp, sessions_old }),
  ]
    .filter(Boolean)
    .join('\n');
