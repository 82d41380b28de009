import { DAY_MS, dateOf } from '../../base/dates.ts';
import { newYorkMidnight } from '../../base/time-zone.ts';
import { factOf } from '../fact-keys.ts';
import type { AnyFact } from '../facts.ts';
import { dayWritten } from './lean-rows.ts';

/** A span of dates in which a ticker named one security. Both dates are midnights UTC and inclusive. */
export interface TickerSpan {
  readonly symbol: string;
  readonly from: number;
  readonly to: number;
}

/** For each ticker, in lower case, the securities that it named, in the order of their symbols. */
export type TickerHistory = ReadonlyMap<string, readonly TickerSpan[]>;

/** A row of a map file that cannot be read: its place, counted from 1, and its text. */
interface BadMapRow {
  readonly line: number;
  readonly text: string;
}

/**
 * Reads one map file: rows `date,ticker[,exchange]`, oldest first. The first row tells the day from which the security
 * traded, every other row the last day on which it had that row's ticker.
 *
 * @param symbol the permanent symbol, which is the file's stem in capitals
 */
export function readMapFile(symbol: string, text: string) {
  const spans = new Map<string, TickerSpan[]>();
  const listings: AnyFact[] = [];
  const bad: BadMapRow[] = [];
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
      append(spans, ticker, { symbol, from: begins, to: day });
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

/** All map files of a folder in one table. Files are given in the order of their names, so that the answer is stable. */
export function tickerHistory(files: readonly { symbol: string; text: string }[]): TickerHistory {
  const history = new Map<string, TickerSpan[]>();
  for (const { symbol, text } of files) {
    for (const [ticker, spans] of readMapFile(symbol, text).spans) {
      for (const span of spans) append(history, ticker, span);
    }
  }
  return history;
}

/**
 * The span that says which security a ticker's row of a date belongs to, or null when it belonged to a company of which
 * the folder knows nothing. A ticker that no map file mentions names itself for all time.
 */
export function spanOf(history: TickerHistory, ticker: string, day: number): TickerSpan | null {
  const spans = history.get(ticker.toLowerCase());
  if (spans === undefined) return { symbol: ticker.toUpperCase(), from: -Infinity, to: Infinity };
  const covering = spans.filter(({ from, to }) => day >= from && day <= to);
  // Where two map files claim the same day, the file that bears the ticker's own name has the better claim.
  return covering.find(({ symbol }) => symbol === ticker.toUpperCase()) ?? covering[0] ?? null;
}

function append(spans: Map<string, TickerSpan[]>, ticker: string, span: TickerSpan): void {
  const known = spans.get(ticker);
  if (known === undefined) spans.set(ticker, [span]);
  else known.push(span);
}
