import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Calendar } from '../base/calendar.ts';
import { HOUR_MS, MINUTE_MS, midnightUtcOf } from '../base/dates.ts';
import { BarColumnBuilder } from '../market/column-builder.ts';
import type { Delivery, Feed, SourceUnit } from '../market/feed.ts';
import { FlowMinuteBuilder, PendingTrades } from '../market/flow-minute-builder.ts';
import type { RefusalReason } from '../market/refusals.ts';
import { type RefusalTally, refusedFile } from '../market/refusals.ts';
import { PRINT, taqPrint } from '../market/sale-conditions.ts';
import { isTextFile, type TextFile, textFiles } from './archive.ts';
import { decimal, digitsAt, type FieldScanner, fieldScanner, fieldText, tickerOf } from './fields.ts';
import { ofOneVersion } from './one-version.ts';
import { fileFingerprint, readRows, readUnit, refusedUnit, type TakeRow } from './source-file.ts';

/** Raise it when the reader reads the same bytes otherwise: files are then imported again. */
const READER_VERSION = 2;

/** How files of ticks are named. */
export const TICK_FILE = /^(.+)_(trades|quotes)\.csv(\.gz|\.zip)?$/;

export interface TaqOptions {
  /** Files named `SOMETHING_trades.csv` and, with the same beginning, `SOMETHING_quotes.csv`; packed or not. */
  readonly paths: readonly string[];
  readonly calendar: Calendar;
}

interface TaqPair {
  readonly trades: string;
  readonly quotes: string | null;
}

const TRADE_COLUMNS = ['DT', 'EX', 'SYMBOL', 'COND', 'SIZE', 'PRICE', 'CORR'] as const;
const QUOTE_COLUMNS = ['DT', 'EX', 'SYMBOL', 'BID', 'OFR'] as const;
const FINRA = 'D'.charCodeAt(0);

/**
 * Trades and quotes with the fields and letters of NYSE TAQ, one session and symbol a pair of files;
 * `docs/data-formats.md` names the columns. The quotes of the exchanges are merged to a best quote. A path that does
 * not exist rejects when the units are listed.
 */
export function taqFeed({ paths, calendar }: TaqOptions): Feed {
  return {
    name: 'taq',
    simulated: false,
    async units() {
      const { pairs, others } = pairsOf(paths);
      return [...(await Promise.all(pairs.map((pair) => unitOf(pair, calendar)))), ...others.map(passedOver)];
    },
  };
}

/** Trades with their quotes, and files that are neither or are quotes of no trades. */
function pairsOf(paths: readonly string[]): { pairs: TaqPair[]; others: string[] } {
  const known = paths.map((path) => ({ path, match: TICK_FILE.exec(basename(path)) }));
  const fileOf = (beginning: string, side: string): string | null =>
    known.find(({ match }) => match?.[1] === beginning && match[2] === side)?.path ?? null;
  const pairs: TaqPair[] = [];
  const others: string[] = [];
  for (const { path, match } of known) {
    if (match?.[2] === 'trades') pairs.push({ trades: path, quotes: fileOf(match[1]!, 'quotes') });
    else if (match === null || fileOf(match[1]!, 'trades') === null) others.push(path);
  }
  return { pairs, others };
}

async function unitOf({ trades, quotes }: TaqPair, calendar: Calendar): Promise<SourceUnit> {
  const files = [trades, ...(quotes === null ? [] : [quotes])].map((path) => ({ path, key: basename(path) }));
  const sizes = await Promise.all(files.map(async ({ path }) => (await stat(path)).size));
  return ofOneVersion(files, {
    key: basename(trades),
    weight: sizes.reduce((sum, size) => sum + size, 0),
    async fingerprint() {
      const quotesPrint = quotes === null ? null : await fileFingerprint(quotes, 'quotes');
      return fileFingerprint(trades, { reader: 'taq', version: READER_VERSION, quotes: quotesPrint });
    },
    read: () => readUnit(trades, basename(trades), (text, tally) => rowsOf(text, quotes, calendar, tally)),
  });
}

async function* rowsOf(
  file: TextFile,
  quotesPath: string | null,
  calendar: Calendar,
  tally: RefusalTally,
): AsyncGenerator<Delivery> {
  const trades = tradeReader(calendar);
  await readRows(file, tally, trades.take);
  const session = trades.session();
  if (session === null) return;
  if (quotesPath !== null) {
    for await (const text of textFiles(quotesPath, basename(quotesPath))) {
      if (isTextFile(text)) await readRows(text, tally, quoteRow(session));
      else yield text;
    }
  }
  yield* sessionDeliveries(session, file.where, tally);
}

function passedOver(path: string): SourceUnit {
  const key = basename(path);
  const refusal = TICK_FILE.test(key)
    ? refusedFile('not_read', key, 'quotes without their trades')
    : refusedFile('unknown_format', key, key);
  return refusedUnit(refusal, `${refusal.reason}:${READER_VERSION}`);
}

/** Takes a row by the indices of the named columns, or returns why not. */
type TakeFields<Name extends string> = (
  bytes: Uint8Array,
  fields: FieldScanner,
  columns: Readonly<Record<Name, number>>,
) => RefusalReason | null;

/** Reads the first row as column names, in any order and case, and passes every other to `take`. */
function rowsUnder<Name extends string>(names: readonly Name[], take: TakeFields<Name>): TakeRow {
  const fields = fieldScanner(',');
  let columns: Record<Name, number> | null = null;
  let width = Number.POSITIVE_INFINITY;
  return (bytes, start, end, line) => {
    const count = fields.scan(bytes, start, end);
    if (line > 1) return columns === null || count < width ? 'wrong_columns' : take(bytes, fields, columns);
    const header = Array.from({ length: Math.max(count, 0) }, (_, at) =>
      fieldText(bytes, fields.starts[at]!, fields.ends[at]!).toUpperCase(),
    );
    if (!names.every((name) => header.includes(name))) return 'wrong_columns';
    columns = Object.fromEntries(names.map((name) => [name, header.indexOf(name)])) as Record<Name, number>;
    width = count;
    return null;
  };
}

/** Characters of `2018-01-02 10:01:21`; a fraction of the second may follow. */
const WHOLE_SECONDS = 19;

/** Epoch milliseconds, with a fraction, of `YYYY-MM-DD HH:MM:SS[.ffffff]` in UTC; NaN when it is something else. */
function utcInstant(bytes: Uint8Array, start: number, end: number): number {
  if (end - start < WHOLE_SECONDS) return Number.NaN;
  const day = midnightUtcOf(
    digitsAt(bytes, start, start + 4),
    digitsAt(bytes, start + 5, start + 7),
    digitsAt(bytes, start + 8, start + 10),
  );
  const hours = digitsAt(bytes, start + 11, start + 13);
  const minutes = digitsAt(bytes, start + 14, start + 16);
  const seconds = decimal(bytes, start + 17, end);
  if (!(hours < 24 && minutes < 60 && seconds >= 0 && seconds < 60)) return Number.NaN;
  return day + hours * HOUR_MS + minutes * MINUTE_MS + seconds * 1000;
}

type TaqSession = Exclude<ReturnType<typeof taqSession>, RefusalReason>;

/**
 * The stock and day of a pair of files, which the first trade names.
 *
 * @param written the symbol as the file writes it
 */
function taqSession(calendar: Calendar, time: number, written: Uint8Array) {
  const session = calendar.sessionHolding(time);
  if (session === null) return 'outside_session';
  const symbol = tickerOf(fieldText(written, 0, written.length));
  if (symbol === null) return 'bad_symbol';
  const flow = new FlowMinuteBuilder(session);
  return { session, symbol, written: written.slice(), trades: new PendingTrades(), flow };
}

/** Refuses rows of another stock or day, and rows older than the one before them. */
function sessionCheck({ session, written }: TaqSession) {
  let previous = Number.NEGATIVE_INFINITY;
  return (time: number, bytes: Uint8Array, start: number, end: number): RefusalReason | null => {
    if (Buffer.compare(bytes.subarray(start, end), written) !== 0) return 'bad_symbol';
    if (time < session.preOpen || time >= session.postClose) return 'outside_session';
    if (time < previous) return 'out_of_order';
    previous = time;
    return null;
  };
}

/**
 * Rows of trades: instant in UTC, exchange letter, symbol, sale condition, shares, dollars, correction indicator. Any
 * indicator but 0 means that the print was cancelled, corrected or records such a change. The first valid trade
 * determines the session of the files, which is null without one.
 */
function tradeReader(calendar: Calendar) {
  let session: TaqSession | null = null;
  let check: ReturnType<typeof sessionCheck> | null = null;
  const take = rowsUnder(TRADE_COLUMNS, (bytes, { starts, ends }, columns) => {
    const number = (column: number): number => decimal(bytes, starts[column]!, ends[column]!);
    const time = utcInstant(bytes, starts[columns.DT]!, ends[columns.DT]!);
    if (Number.isNaN(time)) return 'bad_time';
    const [symbolFrom, symbolTo] = [starts[columns.SYMBOL]!, ends[columns.SYMBOL]!];
    if (session === null || check === null) {
      const first = taqSession(calendar, time, bytes.subarray(symbolFrom, symbolTo));
      if (typeof first === 'string') return first;
      session = first;
      check = sessionCheck(first);
    }
    const size = number(columns.SIZE);
    const price = number(columns.PRICE);
    const correction = number(columns.CORR);
    if (Number.isNaN(size + price + correction)) return 'not_a_number';
    const foreign = check(time, bytes, symbolFrom, symbolTo);
    if (foreign !== null) return foreign;
    if (correction !== 0) return 'cancelled';
    const print = taqPrint(bytes, starts[columns.COND]!, ends[columns.COND]!);
    const venue = bytes[starts[columns.EX]!]!;
    const offExchange = venue === FINRA ? PRINT.offExchange : 0;
    return session.trades.push(time - session.session.midnight, price, size, print | offExchange, venue);
  });
  return { take, session: (): TaqSession | null => session };
}

/**
 * Rows of quotes: instant in UTC, exchange letter, symbol, bid and offer of that exchange in dollars, 0 for a side
 * without a quote. Adds the session's trades to its flow, each after the best quote before it.
 */
function quoteRow(of: TaqSession): TakeRow {
  const venues = new VenueQuotes();
  const check = sessionCheck(of);
  return rowsUnder(QUOTE_COLUMNS, (bytes, { starts, ends }, columns) => {
    const time = utcInstant(bytes, starts[columns.DT]!, ends[columns.DT]!);
    if (Number.isNaN(time)) return 'bad_time';
    const bid = decimal(bytes, starts[columns.BID]!, ends[columns.BID]!);
    const ask = decimal(bytes, starts[columns.OFR]!, ends[columns.OFR]!);
    if (Number.isNaN(bid + ask)) return 'not_a_number';
    const foreign = check(time, bytes, starts[columns.SYMBOL]!, ends[columns.SYMBOL]!);
    if (foreign !== null) return foreign;
    if (bid < 0 || ask < 0) return 'price_not_positive';
    if (bid > 0 && ask > 0 && bid >= ask) return 'crossed_quote';
    of.trades.addTo(of.flow, time - of.session.midnight);
    venues.set(bytes[starts[columns.EX]!]!, bid > 0 ? bid : Number.NaN, ask > 0 ? ask : Number.NaN);
    of.flow.quote(venues.bid, venues.ask);
    return null;
  });
}

/** The flow of the session, and bars of the prints that set a price. */
function* sessionDeliveries(
  { symbol, trades, flow }: TaqSession,
  key: string,
  tally: RefusalTally,
): Generator<Delivery> {
  trades.addTo(flow, Number.POSITIVE_INFINITY);
  const { time, open, high, low, close, volume } = flow.bars(trades.auctions);
  const bars = new BarColumnBuilder();
  for (let row = 0; row < time.length; row++) {
    const [o, h, l, c, v] = [open[row]!, high[row]!, low[row]!, close[row]!, volume[row]!];
    const reason = bars.push(time[row]!, o, h, l, c, v);
    if (reason !== null) tally.note(reason, key, `${o},${h},${l},${c},${v}`);
  }
  if (bars.rows > 0) yield { kind: 'bars', symbol, interval: '1m', columns: bars.take() };
  const columns = flow.columns();
  if (columns.time.length > 0) yield { kind: 'flow-minutes', symbol, columns };
}

/** Letters of exchanges are single bytes. */
const VENUES = 256;

/**
 * The best bid and ask of the market from the quotes of each exchange. An exchange may not lock or cross a
 * protected quote of another (SEC Regulation NMS, Rule 610(d)); where a newer quote does, the withdrawal of the
 * older side was not recorded, and it does not count until its exchange quotes again.
 */
export class VenueQuotes {
  /** Best bid and ask, dollars; NaN while no exchange has one. Never locked and never crossed. */
  bid = Number.NaN;
  ask = Number.NaN;
  readonly #bids = new Float64Array(VENUES).fill(Number.NaN);
  readonly #asks = new Float64Array(VENUES).fill(Number.NaN);
  readonly #seen: number[] = [];

  /**
   * @param venue the letter of the exchange as a byte
   * @param bid dollars; NaN for a side without a quote
   */
  set(venue: number, bid: number, ask: number): void {
    if (!this.#seen.includes(venue)) this.#seen.push(venue);
    this.#bids[venue] = bid;
    this.#asks[venue] = ask;
    let bestBid = bid;
    let bestAsk = ask;
    for (const other of this.#seen) {
      if (other === venue) continue;
      if (this.#asks[other]! <= bid) this.#asks[other] = Number.NaN;
      if (this.#bids[other]! >= ask) this.#bids[other] = Number.NaN;
      // Written so that a NaN on either side yields to a price on the other.
      if (!(this.#bids[other]! <= bestBid || Number.isNaN(this.#bids[other]!))) bestBid = this.#bids[other]!;
      if (!(this.#asks[other]! >= bestAsk || Number.isNaN(this.#asks[other]!))) bestAsk = this.#asks[other]!;
    }
    this.bid = bestBid;
    this.ask = bestAsk;
  }
}
