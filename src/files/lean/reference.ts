import type { Calendar } from '../../base/calendar.ts';
import { DAY_MS, dateOf, midnightUtc, midnightUtcOf } from '../../base/dates.ts';
import { newYorkMidnight } from '../../base/time-zone.ts';
import type { AnyFact } from '../../market/facts.ts';
import type { CorporateAction } from '../../market/observations.ts';
import type { RefusalReason } from '../../market/refusals.ts';
import { factOf } from '../../market/validate-fact.ts';
import { announcedSplit, digitsAt } from '../fields.ts';

/** Equity prices are written as whole ten-thousandths of a dollar. */
export const PRICE_SCALE = 10_000;

/** Midnight UTC of a date written YYYYMMDD; NaN when it is written otherwise or does not exist. */
export function dayWritten(text: string): number {
  const bytes = Buffer.from(text);
  return bytes.length === 8 ? dayAt(bytes, 0) : Number.NaN;
}

/** As `dayWritten`, for the eight bytes from `at`. */
export function dayAt(bytes: Uint8Array, at: number): number {
  return midnightUtcOf(
    digitsAt(bytes, at, at + 4),
    digitsAt(bytes, at + 4, at + 6),
    digitsAt(bytes, at + 6, at + 8),
  );
}

/** A span of dates in which a ticker named one security. Both dates are midnights UTC and inclusive. */
export interface TickerSpan {
  readonly symbol: string;
  readonly from: number;
  readonly to: number;
}

/** For each ticker, in lower case, the securities that it named, in the order of their symbols. */
export type TickerHistory = ReadonlyMap<string, readonly TickerSpan[]>;

/**
 * Reads one map file: rows `date,ticker[,exchange]`, oldest first. The first row is the day from which the security
 * traded, every other row the last day of its ticker.
 *
 * @param symbol the permanent symbol, which is the file's stem in capitals
 * @returns `bad` are rows that cannot be read: their place, counted from 1, and their text
 */
export function readMapFile(symbol: string, text: string) {
  const spans = new Map<string, TickerSpan[]>();
  const listings: AnyFact[] = [];
  const bad: { readonly line: number; readonly text: string }[] = [];
  let previous = Number.NaN;
  for (const [index, row] of text.split(/\r?\n/).entries()) {
    if (row.trim() === '') continue;
    const [date, ticker, exchange] = row.split(',').map((field) => field.trim().toLowerCase());
    const day = dayWritten(date ?? '');
    if (Number.isNaN(day) || !ticker || day < previous) {
      bad.push({ line: index + 1, text: row });
      continue;
    }
    // The row after the first begins on the same day as the first; later ones on the day after the row before.
    const begins = spans.size === 0 ? previous : previous + DAY_MS;
    if (!Number.isNaN(previous)) {
      spans.getOrInsertComputed(ticker, () => []).push({ symbol, from: begins, to: day });
      listings.push(listingOf(dateOf(begins), ticker, exchange));
    }
    previous = day;
  }
  return { spans, listings, bad };
}

/** Letters of primary listings; the rest are venues that list nothing. */
const EXCHANGES: Readonly<Record<string, string>> = {
  n: 'NYSE',
  q: 'NASDAQ',
  p: 'NYSE Arca',
  a: 'NYSE American',
  z: 'Cboe BZX',
};

/** The ticker and exchange of a span, known from the morning of its first day. */
const listingOf = (from: string, ticker: string, exchange: string | undefined): AnyFact =>
  factOf('listing', newYorkMidnight(from), {
    from,
    ticker: ticker.toUpperCase(),
    exchange: EXCHANGES[exchange ?? ''] ?? null,
  });

/** All map files of a folder in one table; files come in the order of their names. */
export function tickerHistory(files: readonly { symbol: string; text: string }[]): TickerHistory {
  const history = new Map<string, TickerSpan[]>();
  for (const { symbol, text } of files) {
    for (const [ticker, spans] of readMapFile(symbol, text).spans) {
      history.getOrInsertComputed(ticker, () => []).push(...spans);
    }
  }
  return history;
}

/** The security of a ticker on a day; null for a company without a map file. A ticker in no map file names itself. */
export function spanOf(history: TickerHistory, ticker: string, day: number): TickerSpan | null {
  const spans = history.get(ticker.toLowerCase());
  if (spans === undefined) return { symbol: ticker.toUpperCase(), from: -Infinity, to: Infinity };
  const covering = spans.filter(({ from, to }) => day >= from && day <= to);
  // Where two map files claim the same day, the file that bears the ticker's own name has the better claim.
  return covering.find(({ symbol }) => symbol === ticker.toUpperCase()) ?? covering[0] ?? null;
}

interface FactorRow {
  readonly day: number;
  readonly priceFactor: number;
  readonly splitFactor: number;
  readonly referencePrice: number;
}

/** Price factors carry seven decimals, reference prices two. */
const FACTOR_ROUNDING = 0.5e-7;
const REFERENCE_ROUNDING = 0.005;
const DIVIDEND_DECIMALS_MAX = 4;

/**
 * Splits and dividends from a factor file: rows `date, price factor, split factor, reference price`, oldest first. Row
 * i holds for days up to its date D: a change to the next row takes effect on the first session after D. With the close
 * of D as reference price: split = s[i+1] / s[i] new shares for one old, dividend = reference * (1 - p[i] / p[i+1])
 * dollars. Source: QuantConnect Lean, `CorporateFactorRow.GetSplit` and `GetDividend`; checked against Apple's history.
 *
 * @param refuse called for each row that cannot be used
 */
export function readFactorFile(
  text: string,
  calendar: Calendar,
  refuse: (reason: RefusalReason, line: number, row: string) => void,
): CorporateAction[] {
  const actions: CorporateAction[] = [];
  let previous: FactorRow | null = null;
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === '') continue;
    const row = factorRow(line);
    if (typeof row === 'string') refuse(row, index + 1, line);
    else if (previous !== null) {
      const between = actionsBetween(previous, row, calendar);
      if (typeof between === 'string') refuse(between, index + 1, line);
      else actions.push(...between);
    }
    // Across an unreadable row two changes would merge into one.
    previous = typeof row === 'string' ? null : row;
  }
  return actions;
}

function factorRow(line: string): FactorRow | RefusalReason {
  const fields = line.split(',').map((field) => field.trim());
  if (fields.length < 4) return 'wrong_columns';
  const day = dayWritten(fields[0]!);
  if (Number.isNaN(day)) return 'bad_time';
  const [priceFactor, splitFactor, referencePrice] = fields
    .slice(1, 4)
    .map((field) => (field === '' ? NaN : Number(field)));
  if (Number.isNaN(priceFactor! + splitFactor! + referencePrice!)) return 'not_a_number';
  if (!Number.isFinite(priceFactor! + splitFactor! + referencePrice!)) return 'not_finite';
  return { day, priceFactor: priceFactor!, splitFactor: splitFactor!, referencePrice: referencePrice! };
}

function actionsBetween(
  before: FactorRow,
  after: FactorRow,
  calendar: Calendar,
): CorporateAction[] | RefusalReason {
  const splits = before.splitFactor !== after.splitFactor;
  const pays = before.priceFactor !== after.priceFactor;
  if (!splits && !pays) return [];
  const exDate = calendar.nextSession(dateOf(before.day));
  if (exDate === null || after.day < before.day) return 'bad_time';
  const actions: CorporateAction[] = [];
  if (splits) {
    const value = announcedSplit(after.splitFactor / before.splitFactor);
    if (!(value > 0 && Number.isFinite(value))) return 'bad_action';
    actions.push({ kind: 'split', exDate: midnightUtc(exDate), value });
  }
  if (pays) {
    const value = announcedDividend(before, after);
    if (!(value > 0 && value < before.referencePrice)) return 'bad_action';
    actions.push({ kind: 'dividend', exDate: midnightUtc(exDate), value });
  }
  return actions;
}

/** The shortest amount, from whole cents to four decimals, that agrees with the file within the file's own rounding. */
function announcedDividend(before: FactorRow, after: FactorRow): number {
  const share = 1 - before.priceFactor / after.priceFactor;
  const amount = before.referencePrice * share;
  const tolerance =
    (before.referencePrice * 2 * FACTOR_ROUNDING) / after.priceFactor + REFERENCE_ROUNDING * share;
  for (let decimals = 2; decimals < DIVIDEND_DECIMALS_MAX; decimals++) {
    const rounded = Number(amount.toFixed(decimals));
    if (Math.abs(rounded - amount) <= tolerance) return rounded;
  }
  return Number(amount.toFixed(DIVIDEND_DECIMALS_MAX));
}
