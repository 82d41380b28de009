import type { Calendar } from '../../base/calendar.ts';
import { DAY_MS, dateOf } from '../../base/dates.ts';
import type { CorporateAction } from '../../market/observations.ts';
import { choice } from '../choices.ts';
import { type NoReading, open, type SampleRow } from '../findings.ts';
import type { DividendBasis, PriceBasis } from './csv-options.ts';

/** Rows further apart lie in two pieces of a file. */
const NEIGHBOUR_MS = 8 * DAY_MS;
/** Splits nearer to 1 are lost in the moves of a night. */
const PLAIN_SPLIT = Math.log(1.2);
/** Rows on each side of a split among which a fall like it belongs to it. */
const REACH = 3;

export type Split = Pick<CorporateAction, 'exDate' | 'value'>;

/**
 * What prices show of splits: the bases seen, one of them as an example, a split that shows nothing, and one whose own
 * night the price does not move in, while a night beside it is unknown.
 */
export interface SplitsSeen {
  readonly bases: ReadonlySet<PriceBasis>;
  readonly example: string;
  readonly unclear: string;
  readonly still: string;
}

/** A day with prices, and the move of the night before it as the log of old shares for a new one; NaN where unknown. */
interface Night {
  readonly day: number;
  readonly move: number;
  /** What of the move the rounding of its two prices may be, of prices of a few cents. */
  readonly rounding: number;
}

/** Rows by whose closes the places of a file's prices are told. */
const DECIMALS_ROWS = 1_000;
const decimalsOf = (price: number): number => /\.(\d+)$/.exec(String(price))?.[1]?.length ?? 0;

export type PricedDay = Pick<SampleRow, 'day' | 'open' | 'close'>;

/** A price on a holiday is none. */
function nightsOf(rows: readonly PricedDay[], { isSession }: Pick<Calendar, 'isSession'>): Night[] {
  const priced = rows.filter(({ close, day }) => close > 0 && isSession(dateOf(day)));
  const half =
    0.5 * 10 ** -Math.max(...priced.slice(0, DECIMALS_ROWS).map(({ close }) => decimalsOf(close)), 2);
  return priced.flatMap(({ day, open: first, close }, at) => {
    const before = priced[at - 1];
    if (before?.day === day) return [];
    const isNext = before !== undefined && day - before.day < NEIGHBOUR_MS;
    if (!isNext) return [{ day, move: Number.NaN, rounding: 0 }];
    const next = first > 0 ? first : close;
    return [{ day, move: Math.log(before.close / next), rounding: half / before.close + half / next }];
  });
}

/**
 * Compares the nights at the splits of each symbol with their ratios. A split whose price falls in another night, or the
 * other way, is a fault of the file: no basis makes its history right.
 *
 * @param splits of each symbol, on sessions
 */
export function besideSplits(
  series: readonly (readonly PricedDay[])[],
  splits: readonly (readonly Split[])[],
  calendar: Pick<Calendar, 'isSession'>,
): SplitsSeen | NoReading {
  const bases = new Set<PriceBasis>();
  let example = '';
  let unclear = '';
  let still = '';
  for (const [place, rows] of series.entries()) {
    if (splits[place]!.length === 0) continue;
    const nights = nightsOf(rows, calendar);
    const exDates = new Set(splits[place]!.map(({ exDate }) => nights.findIndex(({ day }) => day >= exDate)));
    for (const split of splits[place]!) {
      const seen = besideSplit(split, nights, exDates);
      if (seen === null) continue;
      if ('reason' in seen) return seen;
      if ('basis' in seen) {
        bases.add(seen.basis);
        example = seen.example;
      } else {
        unclear = seen.unclear;
        still = seen.still || still;
      }
    }
  }
  return { bases, example, unclear, still };
}

type SplitSeen =
  | { readonly basis: PriceBasis; readonly example: string }
  | { readonly unclear: string; readonly still: string };

/** What the nights at one split say of it; null for nothing. */
function besideSplit(
  split: Split,
  nights: readonly Night[],
  exDates: ReadonlySet<number>,
): SplitSeen | NoReading | null {
  const { exDate, value } = split;
  const ratio = Math.log(value);
  const near = Math.abs(ratio) / 3;
  const on = `the split of ${Number(value.toPrecision(6))} on ${dateOf(exDate)}`;
  const isPlain = Math.abs(ratio) >= PLAIN_SPLIT;
  const at = nights.findIndex(({ day }) => day >= exDate);
  const next = nights[at];
  const here = next !== undefined && next.day - exDate < NEIGHBOUR_MS ? next : null;
  const move = here?.move ?? Number.NaN;
  if (isPlain && Math.abs(move - ratio) < near)
    return { basis: 'traded', example: `${on}: the price moves by it` };
  // Of a split after all rows, prices show nothing, and may be adjusted for it all the same.
  if (!isPlain || nights.length === 0) return Number.isNaN(move) ? null : { unclear: on, still: '' };
  const fault = faultAround(on, split, nights, here, exDates);
  if (fault !== null) return fault;
  // Without the nights on both sides the price may move by it in one of them.
  const isAmongRows = [-1, 0, 1].every((step) => {
    const night = nights[at + step];
    return night !== undefined && !Number.isNaN(night.move) && night.rounding < near;
  });
  const still = Math.abs(move) < near ? `${on}: the price does not move by it` : '';
  if (isAmongRows && still !== '') return { basis: 'split-adjusted', example: still };
  return at === 0 ? null : { unclear: on, still };
}

/** A move by the ratio of a split the other way, or in a night without a split. */
function faultAround(
  on: string,
  { exDate, value }: Split,
  nights: readonly Night[],
  here: Night | null,
  exDates: ReadonlySet<number>,
): NoReading | null {
  const ratio = Math.log(value);
  const like = (night: Night, sign: 1 | -1): boolean =>
    Math.abs(night.move - sign * ratio) < Math.abs(ratio) / 3;
  if (here !== null && like(here, -1))
    return open(
      `${on} and the price move opposite ways, ${movesText(here)}: write the new shares for an old one in the file`,
    );
  const at = nights.findIndex(({ day }) => day >= exDate);
  const middle = at < 0 ? nights.length : at;
  const apart = nights
    .slice(Math.max(middle - REACH, 0), middle + REACH + 1)
    .filter(({ day }) => Math.abs(day - exDate) < 2 * NEIGHBOUR_MS)
    .find((night) => (like(night, 1) || like(night, -1)) && !exDates.has(nights.indexOf(night)));
  if (apart === undefined) return null;
  return open(
    `${on} is ${apart.day < exDate ? 'behind' : 'ahead of'} the price, ${movesText(apart)} on ${dateOf(apart.day)}: put it on the day of the move in the file`,
  );
}

const movesText = ({ move }: Night): string =>
  `which ${move > 0 ? 'falls' : 'rises'} to ${Number(Math.exp(-move).toPrecision(3))} of the close before`;

/** Dividends on each side of a split that are compared. */
const COMPARED = 4;

/**
 * Whether dividends before a split are dollars a share of their own day, by those on both sides of it: what was paid falls
 * with the price, what a vendor adjusted goes on.
 */
export function dividendBasis(
  series: readonly (readonly SampleRow[])[],
  splits: readonly (readonly Split[])[],
): DividendBasis | NoReading {
  const found = new Set<DividendBasis>();
  let unclear = '';
  for (const [place, rows] of series.entries()) {
    const paid = rows.filter(({ dividend }) => dividend > 0);
    const exDates = splits[place]!.map(({ exDate }) => exDate);
    for (const { exDate, value } of splits[place]!) {
      const isOwn = (day: number): boolean =>
        !exDates.some(
          (other) => other !== exDate && other > Math.min(day, exDate) && other <= Math.max(day, exDate),
        );
      const own = paid.filter(({ day }) => isOwn(day));
      const before = median(own.filter(({ day }) => day < exDate).slice(-COMPARED));
      const after = median(own.filter(({ day }) => day >= exDate).slice(0, COMPARED));
      if (Math.abs(Math.log(value)) < PLAIN_SPLIT || Number.isNaN(before)) continue;
      const move = Math.log(before / after);
      const [asAdjusted, asPaid] = [Math.abs(move), Math.abs(move - Math.log(value))];
      if (asAdjusted < asPaid / 2) found.add('adjusted');
      else if (asPaid < asAdjusted / 2) found.add('paid');
      else unclear = `the dividend of ${before} before the split of ${value} on ${dateOf(exDate)}`;
    }
  }
  if (found.size > 1)
    return open(
      `some dividends fall with a split beside adjusted prices and some do not: ${choice('dividends')} decides`,
    );
  const [basis] = found;
  if (basis !== undefined) return basis;
  return unclear === ''
    ? 'adjusted'
    : open(`${unclear} may be as paid, or adjusted for it as the prices are: ${choice('dividends')} decides`);
}

function median(rows: readonly SampleRow[]): number {
  const values = rows.map(({ dividend }) => dividend).toSorted((a, b) => a - b);
  return values[Math.floor(values.length / 2)] ?? Number.NaN;
}
