/** Places after the point that a number of each unit is quoted with; prices follow their size. */
const PLACES: Readonly<Record<string, number>> = {
  percent: 2,
  points: 1,
  fraction: 3,
  ATR: 2,
  shares: 0,
  contracts: 0,
  count: 0,
  days: 0,
  minutes: 0,
  quarters: 0,
  people: 0,
  deviations: 2,
  volatility: 4,
  'index points': 2,
  'of 5': 2,
};
const SMALL_PRICE = 1;

/** A number as it is quoted: rounded to the places of its unit, so that text and fact hold the very same number. */
export function quoted(value: number, unit: string | null): number {
  const places = unit === 'USD' && Math.abs(value) < SMALL_PRICE ? 4 : (PLACES[unit ?? ''] ?? 2);
  const rounded = Number(value.toFixed(places));
  return rounded === 0 ? 0 : rounded;
}
