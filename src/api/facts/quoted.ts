/** Places after the point that a number of each unit is quoted with; prices follow their size. */
const PLACES: Readonly<Record<string, number>> = {
  percent: 2,
  'percent a year': 2,
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
/** Nobody speaks of the cents of a million. */
const LARGE_SUM = 1e6;

/** A number as it is quoted: rounded to the places of its unit, so that text and fact hold the very same number. */
export function quoted(value: number, unit: string | null): number {
  const rounded = Number(value.toFixed(placesOf(value, unit)));
  return rounded === 0 ? 0 : rounded;
}

/** What one more of the last place of a quoted number would be; 0 for what is counted in whole ones. */
export function stepOf(value: number, unit: string | null): number {
  const places = placesOf(value, unit);
  return places === 0 ? 0 : 10 ** -places;
}

const placesOf = (value: number, unit: string | null): number =>
  unit === 'USD' ? dollarPlaces(Math.abs(value)) : (PLACES[unit ?? ''] ?? 2);

function dollarPlaces(size: number): number {
  if (size < SMALL_PRICE) return 4;
  return size < LARGE_SUM ? 2 : 0;
}
