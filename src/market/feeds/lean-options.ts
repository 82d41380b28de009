import type { Calendar, Session } from '../../base/calendar.ts';
import { dateOf, midnightUtc } from '../../base/dates.ts';
import { indexOfRoot } from '../../base/symbols.ts';
import { STANDARD_MULTIPLIER } from '../validate-chain.ts';
import type { ContractRow } from '../chains.ts';
import type { Delivery } from '../feed.ts';
import type { RefusalReason } from '../refusals.ts';
import { isTextFile, type TextFile, textFiles } from './archive.ts';
import { ClassedContracts } from './chains-classed-contracts.ts';
import { decimal, fieldScanner, fieldText } from './fields.ts';
import { lineReader } from './lines.ts';
import { refusedFile } from './refusal-tally.ts';
import type { LeanContext } from './lean-bars.ts';
import { spanOf } from './lean-map-files.ts';
import { dayAt, dayWritten, PRICE_SCALE } from './lean-rows.ts';

/** One file of a day's options. */
interface OptionFile {
  readonly path: string;
  readonly key: string;
  readonly kind: 'option-minutes' | 'option-universe';
  readonly ticker: string;
}

/** The options of one underlying and date: every file that tells of them. */
export interface OptionDay {
  readonly date: string;
  readonly ofIndex: boolean;
  readonly files: readonly OptionFile[];
  /** Daily bars of the underlying, where the folder has them. */
  readonly dailyBars: { readonly path: string; readonly key: string } | null;
}

type Right = 'call' | 'put';

/** A contract as the day's files name it, and what they have told of it so far. */
interface ContractQuote {
  readonly root: string;
  readonly expiration: number;
  readonly strike: number;
  readonly right: Right;
  bid: number;
  ask: number;
  last: number;
  volume: number;
  openInterest: number;
  iv: number;
  delta: number;
  gamma: number;
}

/** What is gathered of a day. */
interface Gathering {
  readonly session: Session;
  readonly context: LeanContext;
  readonly contracts: Map<string, ContractQuote>;
  underlyingPrice: number;
}

const MINUTE_MS = 60_000;

/** The underlying that a class of options names on a date; null for a company of which the folder knows nothing. */
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
 * The chain of one underlying at the close of a session: of each contract the last minute quote that was over by then,
 * the last trade and the volume up to it, the open interest of the morning, and the implied volatility, delta and gamma
 * of the universe file. A contract of which no quote and no trade is there has the universe's price, which is the middle
 * of its last quote, as its last price.
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
  const gathering: Gathering = {
    session,
    context,
    contracts: new Map(),
    underlyingPrice: Number.NaN,
  };
  // The universe comes last: it fills in what the minutes leave open.
  const inOrder = files.toSorted(
    (a, b) => Number(a.kind === 'option-universe') - Number(b.kind === 'option-universe'),
  );
  let style: 'american' | 'european' = ofIndex ? 'european' : 'american';
  for (const file of inOrder) {
    for await (const text of textFiles(file.path, file.key)) {
      if (!isTextFile(text)) yield text;
      else if (file.kind === 'option-universe') yield* readUniverse(text, file.ticker, day, gathering);
      else {
        const told = await readMinutes(text, gathering);
        if (typeof told === 'string') style = told;
        else yield told;
      }
    }
  }
  if (gathering.contracts.size === 0) return;
  yield {
    kind: 'chain',
    chain: {
      symbol,
      takenAt: session.close,
      underlyingPrice: gathering.underlyingPrice,
      style,
      multiplier: STANDARD_MULTIPLIER,
      contracts: contractsOf(symbol, gathering),
      simulated: false,
    },
  };
}

function contractsOf(symbol: string, { contracts, context }: Gathering) {
  const gathered = new ClassedContracts(symbol);
  for (const told of contracts.values()) {
    const row: ContractRow = {
      expiration: lastTradeDate(told.expiration, context.calendar),
      strike: told.strike,
      right: told.right === 'call' ? 1 : -1,
      bid: told.bid,
      ask: told.ask,
      last: told.last,
      volume: told.volume,
      openInterest: told.openInterest,
      vendorIv: told.iv,
      vendorDelta: told.delta,
      vendorGamma: told.gamma,
    };
    gathered.add(told.root, row);
  }
  return gathered.take();
}

/** Until 2015 monthly contracts were written to the Saturday after their last session. */
function lastTradeDate(expiration: number, calendar: Calendar): number {
  const date = dateOf(expiration);
  if (calendar.isSession(date)) return expiration;
  return midnightUtc(calendar.previousSession(date) ?? date);
}

const CONTRACT_FILE =
  /^\d{8}_([^_]+)_minute_(quote|trade|openinterest)_(american|european)_(call|put)_(\d+)_(\d{8})\.csv$/;

/** Reads the minutes of one contract; answers its style, or the refusal of its file. */
async function readMinutes(file: TextFile, gathering: Gathering) {
  const parts = CONTRACT_FILE.exec(file.name);
  if (parts === null) return refusedFile('unknown_format', file.where, file.name);
  const [, ticker, kind, style, right, strike, expiry] = parts;
  const expiration = dayWritten(expiry!);
  if (Number.isNaN(expiration)) return refusedFile('bad_time', file.where, file.name);
  const root = ticker!.toUpperCase();
  const told = contractIn(gathering, root, expiration, Number(strike) / PRICE_SCALE, right as Right);
  const { session, context } = gathering;
  const fields = fieldScanner(',');
  const columns = COLUMNS_OF[kind as keyof typeof COLUMNS_OF];
  const until = session.close - session.midnight;
  const length = kind === 'openinterest' ? 0 : MINUTE_MS;
  const take = (bytes: Uint8Array, start: number, end: number): RefusalReason | null => {
    if (fields.scan(bytes, start, end) < columns) return 'wrong_columns';
    const value = (column: number): number => decimal(bytes, fields.starts[column]!, fields.ends[column]!);
    const time = value(0);
    if (!(time >= 0)) return 'bad_time';
    if (time + length > until) return null;
    if (kind === 'quote') {
      told.bid = value(4) / PRICE_SCALE;
      told.ask = value(9) / PRICE_SCALE;
    } else if (kind === 'trade') {
      const [price, contracts] = [value(4), value(5)];
      if (Number.isNaN(price + contracts)) return 'not_a_number';
      told.last = price / PRICE_SCALE;
      told.volume = (Number.isNaN(told.volume) ? 0 : told.volume) + contracts;
    } else {
      const contracts = value(1);
      if (Number.isNaN(contracts)) return 'not_a_number';
      told.openInterest = contracts;
    }
    return null;
  };
  const lines = lineReader(
    (bytes, start, end, line) => {
      const reason = take(bytes, start, end);
      if (reason !== null) context.tally.row(reason, file.where, line, bytes, start, end);
    },
    (line, text) => context.tally.note('too_large', `${file.where}:${line}`, text),
  );
  for await (const chunk of file.chunks()) lines.push(chunk);
  lines.end();
  return style as 'american' | 'european';
}

const COLUMNS_OF = { quote: 11, trade: 6, openinterest: 2 } as const;

function contractIn(
  { contracts }: Gathering,
  root: string,
  expiration: number,
  strike: number,
  right: Right,
): ContractQuote {
  return contracts.getOrInsertComputed(`${root} ${expiration} ${strike} ${right}`, () => ({
    root,
    expiration,
    strike,
    right,
    bid: Number.NaN,
    ask: Number.NaN,
    last: Number.NaN,
    volume: Number.NaN,
    openInterest: Number.NaN,
    iv: Number.NaN,
    delta: Number.NaN,
    gamma: Number.NaN,
  }));
}

/** Expiry, strike, right, open, high, low, close, volume, open interest, IV, delta, gamma, vega, theta, rho. */
const UNIVERSE_COLUMNS = 15;

async function* readUniverse(
  file: TextFile,
  ticker: string,
  { date, dailyBars }: OptionDay,
  gathering: Gathering,
): AsyncGenerator<Delivery> {
  const { context } = gathering;
  const fields = fieldScanner(',');
  const root = ticker.toUpperCase();
  const rows: (() => void)[] = [];
  let isPriced = false;
  let underlying: { close: number; volume: number } | null = null;
  const take = (bytes: Uint8Array, start: number, end: number): RefusalReason | null => {
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
      const told = contractIn(gathering, root, expiration, strike, right === 'C' ? 'call' : 'put');
      const isKnown = !Number.isNaN(told.bid) || !Number.isNaN(told.ask) || told.last > 0;
      if (Number.isNaN(told.openInterest)) told.openInterest = openInterest;
      // Price, volatility and greeks are all zero where the vendor had nothing of the contract.
      if (!isKnown && close > 0) {
        told.last = close;
        told.volume = volume;
      }
      if (iv === 0 && delta === 0) return;
      told.iv = iv;
      told.delta = delta;
      told.gamma = gamma;
    });
    return null;
  };
  const lines = lineReader(
    (bytes, start, end, line) => {
      if (bytes[start] === HASH) return;
      const reason = take(bytes, start, end);
      if (reason !== null) context.tally.row(reason, file.where, line, bytes, start, end);
    },
    (line, text) => context.tally.note('too_large', `${file.where}:${line}`, text),
  );
  for await (const chunk of file.chunks()) lines.push(chunk);
  lines.end();
  const priced = underlying as { close: number; volume: number } | null;
  const tellsOf = priced === null || dailyBars === null ? null : await sessionOf(dailyBars, date, priced);
  if (tellsOf !== null) {
    yield refusedFile('known_too_early', file.where, `the underlying's row is the session of ${tellsOf}`);
    return;
  }
  // A universe without one price tells of another day, perhaps in other shares, and so does its underlying.
  if (isPriced && priced !== null && priced.close > 0) gathering.underlyingPrice = priced.close;
  for (const row of rows) row();
}

const HASH = 35;

/**
 * The later session whose very close and volume the underlying's row tells; null when it tells of none. Some universe
 * files bear the date before the session of which they tell.
 */
async function sessionOf(
  { path, key }: { readonly path: string; readonly key: string },
  date: string,
  { close, volume }: { readonly close: number; readonly volume: number },
): Promise<string | null> {
  const day = midnightUtc(date);
  const fields = fieldScanner(',');
  let later: string | null = null;
  for await (const file of textFiles(path, key)) {
    if (!isTextFile(file)) continue;
    const lines = lineReader(
      (bytes, start, end) => {
        if (later !== null || dayAt(bytes, start) <= day || fields.scan(bytes, start, end) < 6) return;
        const value = (column: number): number =>
          decimal(bytes, fields.starts[column]!, fields.ends[column]!);
        if (value(5) === volume && Math.abs(value(4) / PRICE_SCALE - close) < 0.5 / PRICE_SCALE)
          later = dateOf(dayAt(bytes, start));
      },
      () => {},
    );
    for await (const chunk of file.chunks()) lines.push(chunk);
    lines.end();
  }
  return later;
}
