import { type Calendar, newYorkMidnight, type Session } from '../../base/calendar.ts';
import type { Clock, PacedClock } from '../../base/clock.ts';
import type { Timers } from '../../base/timers.ts';
import { chainsInJson } from '../../files/chains/collector.ts';
import type { ChainJson } from '../../files/chains/layout.ts';
import { factsOfItems } from '../../files/facts/answers.ts';
import type { FactLayout } from '../../files/facts/layout.ts';
import { isMembers, type Members, membersOf } from '../../files/json.ts';
import type { AnyFact } from '../../market/facts.ts';
import type { Delivery, SourceStanding } from '../../market/feed.ts';
import type { Bar } from '../../market/observations.ts';
import { refusalTally, refusedFile } from '../../market/refusals.ts';
import { factOf } from '../../market/validate-fact.ts';
import type { PrintChange, VendorQuote, VendorTick } from './vendor-flow.ts';

/** A bar as a vendor says it. */
export interface VendorBar extends Bar {
  readonly symbol: string;
}

/** What a socket has said, in the terms of the tape, and as it said it. */
export type VendorMessage =
  /** Of a minute that is told anew, as from a stream of trades alone, the last bar counts. */
  | { readonly kind: 'minute'; readonly bar: VendorBar; readonly said: unknown }
  /** The day so far; the last one of a session is its day. */
  | { readonly kind: 'day'; readonly bar: VendorBar; readonly said: unknown }
  /** Trades of the symbol were corrected or cancelled: its minutes have to be asked for again. */
  | { readonly kind: 'corrected'; readonly symbol: string; readonly change: PrintChange | null }
  | VendorTick
  | { readonly kind: 'delivery'; readonly delivery: Delivery };

/** A symbol that a vendor lists. */
export interface Listed {
  readonly symbol: string;
  /** What it was asked for as, where the company has another ticker by now. */
  readonly former?: string;
}
/** What a call is for: a running session goes before back-fill and chains, and of these none holds up the other. */
export type Purpose = 'session' | 'back-fill' | 'chains';

/** A stretch of bars of some symbols. Instants are epoch milliseconds. */
export interface BarsAsked {
  readonly symbols: readonly string[];
  readonly interval: '1m' | '1d';
  /** Start of the first bar, and of the last. */
  readonly from: number;
  readonly to: number;
  /** Of sessions that are over, which a vendor may know better; else of what it streams. */
  readonly isPast: boolean;
  readonly purpose?: Purpose;
}

/** How a socket fared; see `keepSocket`. */
export interface SocketListener {
  onMessage(message: VendorMessage): void;
  /** It streams, or streams no more. A sentence says why it does not. */
  onState(isUp: boolean, says?: string): void;
}

/** A vendor of market data: what `vendor-market.ts` asks of it. */
export interface Vendor {
  /** Provenance of its rows. */
  readonly name: string;
  /** As the log names it. */
  readonly title: string;
  /** How far its stream runs behind the market; null where the plan has none. */
  readonly lagMs: number | null;
  standing(): SourceStanding;
  /** @throws CodedError vendor_refused, in one sentence, for a key, plan or host that does not work */
  check(clock: PacedClock): Promise<void>;
  /** When regular hours end by the vendor's calendar, epoch milliseconds by trade date; absent where it has none. */
  closes?(from: string, to: string, signal: AbortSignal): Promise<ReadonlyMap<string, number>>;
  /** Which of the symbols can be asked for, in their order, under their symbols of now; with null all that can. */
  listed(symbols: readonly string[] | null, signal: AbortSignal): Promise<readonly Listed[]>;
  /** Bars in pages, by symbol in the order of UTF-16, then by time; prices as they traded, adjusted for no split. */
  bars(asked: BarsAsked, signal: AbortSignal): AsyncIterable<readonly VendorBar[]>;
  /** The symbols of a list whose prints and quotes of all exchanges it streams; the first ones of a long list. */
  traded(symbols: readonly string[]): readonly string[];
  /**
   * Loads what the conditions of trades mean, before they are streamed; absent where the tape's letters say it.
   *
   * @param kept what it returned when it was asked before, for a vendor that does not answer now; null for nothing
   * @returns the rules as a text, which is kept with the data; empty without any: then no trades are streamed
   */
  conditions?(kept: string | null, signal: AbortSignal): Promise<string>;
  /** Prints and quotes from one instant to before another, as they are known by now; in the order of time of each symbol. */
  ticks(
    symbols: readonly string[],
    from: number,
    to: number,
    signal: AbortSignal,
  ): AsyncIterable<readonly VendorTick[]>;
  /** Splits and dividends with ex-dates from one date to another. */
  actions(symbols: readonly string[], from: string, to: string, signal: AbortSignal): AsyncIterable<Delivery>;
  /** News items after an instant, and what was refused of them. */
  news(
    symbols: readonly string[],
    after: number,
    signal: AbortSignal,
    purpose?: Purpose,
  ): AsyncIterable<Delivery>;
  /**
   * The option chain of a stock as the vendor has it now, and what was refused of it; nothing where it has no options.
   *
   * @throws VendorAnswer where the plan has no options
   */
  chain(
    symbol: string,
    session: Session,
    calendar: Calendar,
    signal: AbortSignal,
  ): Promise<readonly Delivery[]>;
  /** Names of companies, as they are known at an instant. */
  profiles(symbols: readonly string[], knownAt: number, signal: AbortSignal): AsyncIterable<Delivery>;
  /**
   * Streams what is said of the symbols until the signal aborts; it reconnects by itself.
   *
   * @returns drops the connection, which then begins again
   */
  stream(symbols: readonly string[], listener: SocketListener, signal: AbortSignal): () => void;
}

/** What connects to a vendor with; a test steps the timers and draws the numbers. */
export interface Wiring {
  readonly timers: Timers;
  /** The market's; unless set that of the timers. */
  readonly clock?: Clock;
  /** From 0 to 1. */
  readonly random: () => number;
}

export const numberOf = (value: unknown): number => (typeof value === 'number' ? value : Number.NaN);

/** The objects of a list; none where it is no list. */
export const membersIn = (list: unknown): Members[] => (Array.isArray(list) ? list.filter(isMembers) : []);

/** The objects that pages list under a name. */
export const rowsIn = async (pages: AsyncIterable<Members>, name: string): Promise<Members[]> =>
  (await Array.fromAsync(pages)).flatMap((page) => membersIn(page[name]));

/** A quote; vendors write 0 for a side without one. */
export function quoteOf(symbol: string, time: number, bid: unknown, ask: unknown): VendorQuote {
  const side = (price: unknown): number => (numberOf(price) > 0 ? numberOf(price) : Number.NaN);
  return { kind: 'quote', symbol, time, bid: side(bid), ask: side(ask) };
}

/** What a vendor says, for a log or an answer: it may repeat a key. */
export const withoutSecrets = (text: string, secrets: readonly string[]): string =>
  secrets.reduce((shown, secret) => shown.replaceAll(secret, '…'), text);

/**
 * A bar of what should be its four prices and its shares. Where one is missing or no number all are NaN, which admission
 * refuses: a vendor that renames a field must not pass for one that states none.
 */
export function barOf(symbol: string, time: number, fields: readonly unknown[]): VendorBar {
  const values = fields.map(numberOf);
  if (values.some(Number.isNaN)) values.fill(Number.NaN);
  const [open, high, low, close, volume] = values as [number, number, number, number, number];
  return { symbol, time, open, high, low, close, volume };
}

/** The name of a company and where it is listed. */
export const profileFact = (companyName: string, exchange: string | null, knownAt: number): AnyFact =>
  factOf('profile', knownAt, {
    companyName,
    exchange,
    description: null,
    ceo: null,
    headquarters: null,
    employees: null,
    ipoDate: null,
    website: null,
    logoUrl: null,
    sector: null,
    industry: null,
  });

/** The ticker of a company from a date on. */
export const listingFact = (from: string, ticker: string): AnyFact =>
  factOf('listing', newYorkMidnight(from), { from, ticker, exchange: null });

/** Pages of news that are read at most. */
const NEWS_PAGES_MAX = 10;

/** The news of some symbols in answers that begin with the newest, and what was refused of them. */
export async function* newsIn(
  { itemsIn, facts: layout }: FactLayout,
  answers: AsyncIterable<unknown>,
  symbols: readonly string[],
): AsyncIterable<Delivery> {
  const wanted = new Set(symbols);
  const tally = refusalTally();
  let page = 0;
  for await (const answer of answers) {
    for (const { symbol, facts } of factsOfItems(itemsIn(answer) ?? [], layout, 'news', {}, tally)) {
      if (wanted.has(symbol)) yield { kind: 'facts', symbol, facts };
    }
    if (++page === NEWS_PAGES_MAX) break;
  }
  yield* tally.refusals();
}

/** The chain of an answer whose pages are joined, and what of it is refused. */
export function chainInAnswer(layout: ChainJson, answer: Members, calendar: Calendar): readonly Delivery[] {
  const tally = refusalTally();
  const chains = chainsInJson(layout, answer, 'chain', calendar, undefined, tally);
  if (chains === null) return [refusedFile('unknown_format', 'chain', membersOf(answer))];
  return [...chains, ...tally.refusals()];
}
