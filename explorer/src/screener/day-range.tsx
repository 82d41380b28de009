import type { ReactNode } from 'react';
import { formatPrice } from '../shared/ui/number.tsx';
import { PRICE } from '../shared/screening/field-words.ts';

/** The fields that the picture of a day is made of, which a screen answers with its rows: it asks for nothing more. */
export const RANGE_FIELDS = ['price.regular.low', 'price.regular.high', 'price.regular.open', PRICE] as const;

const WIDTH = 64;
const HEIGHT = 12;

type Row = Readonly<Record<string, unknown>>;

/** Where the price is in the range of the day: from the open to the price, within low and high. */
export function DayRange({ row }: { readonly row: Row }): ReactNode {
  const [low, high, open, price] = RANGE_FIELDS.map((field) => row[field]);
  if (typeof low !== 'number' || typeof high !== 'number' || typeof price !== 'number' || high <= low)
    return <td className="day-range" />;
  const placeOf = (at: number): number => ((Math.min(Math.max(at, low), high) - low) / (high - low)) * WIDTH;
  const from = placeOf(typeof open === 'number' ? open : price);
  const to = placeOf(price);
  const opened = typeof open === 'number' ? `, opened ${formatPrice(open)}` : '';
  return (
    <td
      className={to >= from ? 'day-range up' : 'day-range down'}
      data-tip={`Day ${formatPrice(low)} to ${formatPrice(high)}${opened}, price ${formatPrice(price)}`}
    >
      <svg width={WIDTH} height={HEIGHT} aria-hidden="true">
        <rect className="track" y={5} width={WIDTH} height={2} />
        <rect x={Math.min(from, to)} y={4} width={Math.abs(to - from)} height={4} />
        <rect x={Math.min(Math.max(to - 1, 0), WIDTH - 2)} width={2} height={HEIGHT} />
      </svg>
    </td>
  );
}
