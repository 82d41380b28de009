import type { Calendar, Session } from '../../base/calendar.ts';
import { dateOf, MINUTE_MS, midnightUtc } from '../../base/dates.ts';
import { indexOfRoot } from '../../base/option-roots.ts';
import { CONTRACT_COLUMNS, type ContractRow } from '../../market/chains.ts';
import type { Delivery } from '../../market/feed.ts';
import { refusalTally, refusedFile } from '../../market/refusals.ts';
import { isTextFile, type TextFile, textFiles } from '../archive.ts';
import { chainDelivery } from '../chains/contracts.ts';
import { decimal, fieldScanner, fieldText } from '../fields.ts';
import { readRows } from '../source-file.ts';
import type { LeanContext } from './bars.ts';
import { dayAt, dayWritten, PRICE_SCALE, spanOf } from './reference.ts';

interface OptionFile {
  readonly path: string;
  readonly key: string;
  readonly kind: 'option-minutes' | 'option-universe';
  readonly ticker: string;
}

export interface OptionDay {
  readonly date: string;
  readonly ofIndex: boolean;
  readonly files: readonly OptionFile[];
  /** Daily bars of the underlying, where the folder has them. */
  readonly dailyBars: { readonly path: string; readonly key: string } | null;
}

/** A contract in the making, under its class. */
interface OpenContract {
  readonly root: string;
  readonly row: { -readonly [Name in keyof ContractRow]: number };
}

interface OpenChain {
  readonly session: Session;
  readonly context: LeanContext;
  readonly contracts: Map<string, OpenContract>;
  underlyingPrice: number;
}

/** The underlying of a class of options on a date; null for a company that the folder does not have. */
export function optionUnderlying(
  ticker: string,
  date: string,
  ofIndex: boolean,
  context: LeanContext,
): string | null {
  if (ofIndex) return indexOfRoot(ticker.toUpperCase());
  return spanOf(context.history, ticker, midnightUtc(date))?.symbol ?? null;
}

/**
 * The chain of one underlying at the close of a session. Of each contract: the last minute quote that ended by then, the
 * last trade and the volume up to it, the open interest of the morning, and the implied volatility, delta and gamma of
 * the universe file. Without a quote and a trade, the universe's price, the middle of its last quote, is the last price.
 */
export async function* optionDay(day: OptionDay, context: LeanContext): AsyncGenerator<Delivery> {
  const { files, date, ofIndex } = day;
  const [first] = files;
  const session = context.calendar.session(date);
  if (session === null) {
    yield refusedFile('outside_session', first!.key, `${date} is no session`);
    return;
  }
  const symbol = optionUnderlying(first!.ticker, date, ofIndex, context);
  if (symbol === null) {
    yield refusedFile('foreign_listing', first!.key, `${first!.ticker} on ${date}`);
    return;
  }
  const chain: OpenChain = { session, context, contracts: new Map(), underlyingPrice: Number.NaN };
  // The universe comes last: it fills in what the minutes do not have.
  const inOrder = files.toSorted(
    (a, b) => Number(a.kind === 'option-universe') - Number(b.kind === 'option-universe'),
  );
  let style: 'american' | 'european' = ofIndex ? 'european' : 'american';
  for (const file of inOrder) {
    for await (const text of textFiles(file.path, file.key)) {
      if (!isTextFile(text)) yield text;
      else if (file.kind === 'option-universe') yield* readUniverse(text, file.ticker, day, chain);
      else {
        const result = await readMinutes(text, chain);
        if (typeof result === 'string') style = result;
        else yield result;
      }
    }
  }
  if (chain.contracts.size === 0) return;
  const { calendar } = context;
  const contracts = chain.contracts.values().map(({ root, row }) => {
    return { root, row: { ...row, expiration: lastTradeDate(row.expiration, calendar) } };
  });
  const { underlyingPrice } = chain;
  yield chainDelivery({ symbol, takenAt: session.close, underlyingPrice, style }, contracts, calendar);
}

/** Until 2015 monthly contracts were written to the Saturday after their last session. */
function lastTradeDate(expiration: number, calendar: Calendar): number {
  const date = dateOf(expiration);
  if (calendar.isSession(date)) return expiration;
  return midnightUtc(calendar.previousSession(date) ?? date);
}

const CONTRACT_FILE =
  /^\d{8}_([^_]+)_minute_(quote|trade|openinterest)_(american|european)_(call|put)_(\d+)_(\d{8})\.csv$/;

const COLUMNS_OF = { quote: 11, trade: 6, openinterest: 2 } as const;

/** Reads the minutes of one contract; resolves with its style, or the refusal of its file. */
async function readMinutes(file: TextFile, chain: OpenChain) {
  const parts = CONTRACT_FILE.exec(file.name);
  if (parts === null) return refusedFile('unknown_format', file.where, file.name);
  const [, ticker, kind, style, right, strike, expiry] = parts;
  const expiration = dayWritten(expiry!);
  if (Number.isNaN(expiration)) return refusedFile('bad_time', file.where, file.name);
  const side = right === 'call' ? 1 : -1;
  const row = contractIn(chain, ticker!.toUpperCase(), expiration, Number(strike) / PRICE_SCALE, side);
  const { session, context } = chain;
  const fields = fieldScanner(',');
  const columns = COLUMNS_OF[kind as keyof typeof COLUMNS_OF];
  const until = session.close - session.midnight;
  const length = kind === 'openinterest' ? 0 : MINUTE_MS;
  await readRows(file, context.tally, (bytes, start, end) => {
    if (fields.scan(bytes, start, end) < columns) return 'wrong_columns';
    const value = (column: number): number => decimal(bytes, fields.starts[column]!, fields.ends[column]!);
    const time = value(0);
    if (!(time >= 0)) return 'bad_time';
    if (time + length > until) return null;
    if (kind === 'quote') {
      row.bid = value(4) / PRICE_SCALE;
      row.ask = value(9) / PRICE_SCALE;
    } else if (kind === 'trade') {
      const [price, contracts] = [value(4), value(5)];
      if (Number.isNaN(price + contracts)) return 'not_a_number';
      row.last = price / PRICE_SCALE;
      row.volume = (Number.isNaN(row.volume) ? 0 : row.volume) + contracts;
    } else {
      const contracts = value(1);
      if (Number.isNaN(contracts)) return 'not_a_number';
      row.openInterest = contracts;
    }
    return null;
  });
  return style as 'american' | 'european';
}

const UNKNOWN = Object.fromEntries(CONTRACT_COLUMNS.map((name) => [name, Number.NaN])) as ContractRow;

/** The row of a contract, NaN where nothing is known yet. */
const contractIn = (
  { contracts }: OpenChain,
  root: string,
  expiration: number,
  strike: number,
  right: 1 | -1,
): OpenContract['row'] =>
  contracts.getOrInsertComputed(`${root} ${expiration} ${strike} ${right}`, () => {
    return { root, row: { ...UNKNOWN, expiration, strike, right } };
  }).row;

/** Expiry, strike, right, open, high, low, close, volume, open interest, IV, delta, gamma, vega, theta, rho. */
const UNIVERSE_COLUMNS = 15;

async function* readUniverse(
  file: TextFile,
  ticker: string,
  { date, dailyBars }: OptionDay,
  chain: OpenChain,
): AsyncGenerator<Delivery> {
  const fields = fieldScanner(',');
  const root = ticker.toUpperCase();
  const rows: (() => void)[] = [];
  let isPriced = false;
  let underlying: { close: number; volume: number } | null = null;
  await readRows(file, chain.context.tally, (bytes, start, end) => {
    if (bytes[start] === HASH) return null;
    if (fields.scan(bytes, start, end) < UNIVERSE_COLUMNS) return 'wrong_columns';
    const { starts, ends } = fields;
    const value = (column: number): number => decimal(bytes, starts[column]!, ends[column]!);
    const [close, volume, openInterest] = [value(6), value(7), value(8)];
    if (ends[0] === starts[0]) {
      underlying = { close, volume };
      return null;
    }
    const expiration = ends[0]! - starts[0]! === 8 ? dayAt(bytes, starts[0]!) : Number.NaN;
    if (Number.isNaN(expiration)) return 'bad_time';
    const strike = value(1);
    const right = fieldText(bytes, starts[2]!, ends[2]!).toUpperCase();
    if (right !== 'C' && right !== 'P') return 'bad_word';
    const [iv, delta, gamma] = [value(9), value(10), value(11)];
    if (Number.isNaN(strike + close + volume + iv + delta + gamma)) return 'not_a_number';
    if (Number.isNaN(openInterest) && ends[8] !== starts[8]) return 'not_a_number';
    isPriced ||= close > 0;
    rows.push(() => {
      const row = contractIn(chain, root, expiration, strike, right === 'C' ? 1 : -1);
      const hasPrice = !Number.isNaN(row.bid) || !Number.isNaN(row.ask) || row.last > 0;
      if (Number.isNaN(row.openInterest)) row.openInterest = openInterest;
      // Price, volatility and greeks are all zero where the vendor had nothing of the contract.
      if (!hasPrice && close > 0) Object.assign(row, { last: close, volume });
      if (iv !== 0 || delta !== 0)
        Object.assign(row, { vendorIv: iv, vendorDelta: delta, vendorGamma: gamma });
    });
    return null;
  });
  const priced = underlying as { close: number; volume: number } | null;
  const later = priced === null || dailyBars === null ? null : await laterSession(dailyBars, date, priced);
  if (later !== null) {
    yield refusedFile('known_too_early', file.where, `the underlying's row is the session of ${later}`);
    return;
  }
  // A universe without one price is of another day, perhaps in other shares, and so is its underlying.
  if (isPriced && priced !== null && priced.close > 0) chain.underlyingPrice = priced.close;
  for (const row of rows) row();
}

const HASH = 35;

/**
 * The later session with exactly the close and volume of the underlying's row; null when there is none. Some universe
 * files bear the date before their session.
 */
async function laterSession(
  { path, key }: { readonly path: string; readonly key: string },
  date: string,
  { close, volume }: { readonly close: number; readonly volume: number },
): Promise<string | null> {
  const day = midnightUtc(date);
  const fields = fieldScanner(',');
  let later: string | null = null;
  for await (const file of textFiles(path, key)) {
    if (!isTextFile(file)) continue;
    await readRows(file, refusalTally(), (bytes, start, end) => {
      if (later !== null || dayAt(bytes, start) <= day || fields.scan(bytes, start, end) < 6) return null;
      const value = (column: number): number => decimal(bytes, fields.starts[column]!, fields.ends[column]!);
      if (value(5) === volume && Math.abs(value(4) / PRICE_SCALE - close) < 0.5 / PRICE_SCALE)
        later = dateOf(dayAt(bytes, start));
      return null;
    });
  }
  return later;
}
