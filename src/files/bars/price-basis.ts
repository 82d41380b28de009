import { dateOf } from '../../base/dates.ts';
import type { Known } from '../../market/known-bars.ts';
import type { Interval } from '../../market/observations.ts';
import type { TextFile } from '../archive.ts';
import { choice } from '../choices.ts';
import { type Finding, isRefused, type NoReading, open, type SampleRow } from '../findings.ts';
import type { TableHead } from '../table-head.ts';
import type { CsvOptions, DividendBasis, PriceBasis } from './csv-options.ts';
import { basisBeside, type OtherClose, sharesSince } from './known-bars.ts';
import { actionsOn } from './row-actions.ts';
import { besideSplits, dividendBasis, type PricedDay, type Split, type SplitsSeen } from './split-days.ts';

/** What `SPY_full_1min_adjsplit.txt` says of its prices; null of most names. */
function basisInName(name: string): Finding<PriceBasis> | null {
  const [, word] = /(?:^|[_ -])(adjsplitdiv|adjsplit|unadj|unadjusted)(?=[_ .-]|$)/i.exec(name) ?? [];
  if (word === undefined) return null;
  const value = /^un/i.test(word) ? 'traded' : /div$/i.test(word) ? 'adjusted' : 'split-adjusted';
  return { value, evidence: `the name ${name}`, sure: 'stated' };
}

/** What columns say of splits: Yahoo's page in the name of its closes, Massive beside its bars. */
function basisInHead(names: readonly string[]): Finding<PriceBasis> | null {
  const name = names.find((text) => /^close.*adjusted for splits|^adjusted: (?:true|false)$/i.test(text));
  if (name === undefined) return null;
  return {
    value: /false$/.test(name) ? 'traded' : 'split-adjusted',
    evidence: `column ${name}`,
    sure: 'stated',
  };
}

export function pricesFinding(
  { name }: TextFile,
  series: readonly (readonly SampleRow[])[],
  interval: Interval,
  { names, series: columns }: TableHead,
  knownDays: readonly Known[],
  { prices, calendar }: CsvOptions,
): Finding<PriceBasis> | NoReading {
  const ownSplits = splitsOf(series, columns, knownDays, calendar);
  const seenBeside = besideSplits(series, ownSplits, calendar);
  if (isRefused(seenBeside)) return seenBeside;
  if (prices !== undefined) return { value: prices, evidence: choice('prices'), sure: 'stated' };
  const beside = knownDays.flatMap((one, at) => basisBeside(closesOf(series[at]!), one) ?? []);
  const other = beside.find((found) => 'contradicts' in found);
  // The last row of a part of a session is no close of a day.
  if (other !== undefined && interval === '1d') return otherCloses(other.contradicts);
  const { bases: seen, example, unclear } = seenBeside;
  if (seen.size > 1) return open(`some splits move the price and some do not: ${choice('prices')} decides`);
  const [basis] = seen;
  const stated = basisInName(name) ?? basisInHead(names);
  if (stated !== null) {
    const against = seenAgainst(stated.value, seenBeside);
    if (against === '') return stated;
    return open(`${against}, which ${stated.evidence} contradicts: ${choice('prices')} decides`);
  }
  const dividends = basis === 'traded' ? null : besideDividends(series, ownSplits);
  if (dividends !== null) return dividends;
  if (basis !== undefined) return { value: basis, evidence: example, sure: 'seen' };
  const ofTape = basisOfTape(beside.flatMap((found) => ('basis' in found ? [found] : [])));
  if (ofTape !== null) return ofTape;
  if (unclear !== '') return byCents(unclear, series, ownSplits);
  return interval === '1d'
    ? ofOldCloses(series)
    : { value: 'traded', evidence: 'no split in the file', sure: 'assumed' };
}

/** Of a split that prices do not show: what is whole cents only in the shares before it is adjusted. */
function byCents(
  unclear: string,
  series: readonly (readonly SampleRow[])[],
  splits: readonly (readonly Split[])[],
): Finding<PriceBasis> | NoReading {
  if (!series.every((rows, at) => isOfLaterShares(rows, splits[at]!)))
    return open(`${unclear} does not show whether prices are adjusted for it: ${choice('prices')} decides`);
  const evidence = `only in the shares before ${unclear} are prices whole cents`;
  return { value: 'split-adjusted', evidence, sure: 'seen' };
}

/** What the days of the tape say together; null for nothing. */
function basisOfTape(
  beside: readonly { readonly basis: PriceBasis; readonly days: number }[],
): Finding<PriceBasis> | NoReading | null {
  const [value, other] = new Set(beside.map(({ basis }) => basis));
  if (other !== undefined)
    return open(`some symbols are as traded and some adjusted, beside the tape: ${choice('prices')} decides`);
  const days = beside.reduce((sum, found) => sum + found.days, 0);
  return value === undefined ? null : { value, evidence: `${days} days that the tape has too`, sure: 'seen' };
}

/** What splits show against a basis that is stated; empty for nothing. */
function seenAgainst(stated: PriceBasis, { bases, example, still }: SplitsSeen): string {
  const [basis] = bases;
  if (basis === undefined) return stated === 'traded' ? still : '';
  return (basis === 'traded') === (stated === 'traded') ? '' : example;
}

const otherCloses = ({ time, close, known }: OtherClose): NoReading =>
  open(
    `on ${dateOf(time)} the file has a close of ${close} and the tape ${known}: ${choice('prices')}, or ${choice('symbol')}, decides`,
  );

/** The splits of each symbol of a file: of its column, else those that the tape has. */
export function splitsOf(
  series: readonly (readonly SampleRow[])[],
  columns: TableHead['series'],
  knownDays: readonly Known[],
  calendar: CsvOptions['calendar'],
): (readonly Split[])[] {
  const hasSplits = columns.some(({ columnIndex }) => columnIndex.split >= 0);
  return series.map((rows, at) =>
    hasSplits
      ? rows.flatMap(({ day, split }) => actionsOn(day, { split, dividend: 0 }, calendar))
      : (knownDays[at]?.splits ?? []),
  );
}

/**
 * What the splits of a whole file say against its reading, of whose rows the sample has some; null for nothing.
 *
 * @param days of each symbol, oldest first
 */
export function splitsAgainst(
  days: readonly (readonly PricedDay[])[],
  splits: readonly (readonly Split[])[],
  prices: PriceBasis,
  { prices: stated, calendar }: CsvOptions,
): NoReading | null {
  const seen = besideSplits(days, splits, calendar);
  if (isRefused(seen)) return seen;
  const contradicts = [...seen.bases].some((basis) => (basis === 'traded') !== (prices === 'traded'));
  return stated === undefined && contradicts
    ? open(`${seen.example}, while its beginning and end are read as ${prices}: ${choice('prices')} decides`)
    : null;
}

/** What dividends are, beside prices of a basis. */
export function dividendsFinding(
  series: readonly (readonly SampleRow[])[],
  prices: PriceBasis,
  { series: columns }: TableHead,
  knownDays: readonly Known[],
  { dividends, calendar }: CsvOptions,
): DividendBasis | NoReading {
  if (dividends !== undefined) return dividends;
  if (prices === 'traded') return 'paid';
  return dividendBasis(series, splitsOf(series, columns, knownDays, calendar));
}

/** The last close of each day; a row that the sample cuts off is none. */
function closesOf(rows: readonly SampleRow[]): { readonly time: number; readonly close: number }[] {
  const closes = new Map(rows.map(({ day, close }) => [day, close]));
  return [...closes].map(([time, close]) => ({ time, close }));
}

/** Closes that show whether they are of whole cents, as nearly all trades of a dollar and more are. */
const CENTS_ROWS_MIN = 5;
const ARE_CENTS = 0.9;
const BETWEEN_CENTS = 0.5;

/** The share of closes that are whole cents in the shares of their own day; NaN of too few. */
function shareOfCents(rows: readonly SampleRow[], splits: readonly Split[]): number {
  const cents = rows.flatMap(({ day, close }) =>
    close >= 1 ? [close * sharesSince(splits, day) * 100] : [],
  );
  // Vendors write prices as floats of 32 bits, whose steps grow with them.
  const isWhole = (value: number): boolean =>
    Math.abs(value - Math.round(value)) < Math.min(0.02 + value * 2e-7, 0.1);
  return cents.length < CENTS_ROWS_MIN ? Number.NaN : cents.filter(isWhole).length / cents.length;
}

/** Whether closes are whole cents only where a later split is taken out of them. */
const isOfLaterShares = (rows: readonly SampleRow[], splits: readonly Split[]): boolean =>
  shareOfCents(rows, splits) >= ARE_CENTS && shareOfCents(rows, []) < BETWEEN_CENTS;

/** What closes before a dividend of the file show of it: less a dividend they lie between the cents. Null for nothing. */
function besideDividends(
  series: readonly (readonly SampleRow[])[],
  splits: readonly (readonly Split[])[],
): Finding<PriceBasis> | NoReading | null {
  for (const [place, rows] of series.entries()) {
    const last = rows.findLastIndex(({ dividend }, at) => dividend > 0 && at >= CENTS_ROWS_MIN);
    if (last < 0) continue;
    const share = shareOfCents(rows.slice(0, last), splits[place]!);
    if (Number.isNaN(share) || share >= ARE_CENTS) continue;
    const on = `the dividend of ${rows[last]!.dividend} on ${dateOf(rows[last]!.day)}`;
    if (share >= BETWEEN_CENTS)
      return open(`prices before ${on} do not show whether they are less it: ${choice('prices')} decides`);
    return { value: 'adjusted', evidence: `prices before ${on} lie between the cents`, sure: 'seen' };
  }
  return null;
}

/** The basis where no split and no dividend is known: the oldest closes are whole cents unless they were adjusted. */
function ofOldCloses(series: readonly (readonly SampleRow[])[]): Finding<PriceBasis> {
  const shares = series.map((rows) =>
    rows[0]?.symbol.startsWith('^')
      ? Number.NaN
      : shareOfCents(rows.slice(0, Math.ceil(rows.length / 3)), []),
  );
  return shares.some((share) => share < BETWEEN_CENTS)
    ? {
        value: 'adjusted',
        evidence: 'the oldest closes lie between the cents, as less dividends since; kept as they are',
        sure: 'seen',
      }
    : { value: 'traded', evidence: 'no split in the file', sure: 'assumed' };
}
