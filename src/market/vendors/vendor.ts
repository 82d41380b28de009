import type { PacedClock } from '../../base/clock.ts';
import { CodedError } from '../../base/errors.ts';
import type { Timers } from '../../base/timers.ts';
import type { AnyFact } from '../facts.ts';
import type { Delivery } from '../feed.ts';
import type { Bar } from '../observations.ts';
import { factOf } from '../validate-fact.ts';

/** A bar as a vendor says it. */
export interface VendorBar extends Bar {
  readonly symbol: string;
}

/** What a socket has said, in the terms of the tape. */
export type VendorMessage =
  | { readonly kind: 'minute'; readonly bar: VendorBar }
  /** The day so far; the last one of a session is its day. */
  | { readonly kind: 'day'; readonly bar: VendorBar }
  /** Trades of the symbol were corrected or cancelled: its minutes have to be asked for again. */
  | { readonly kind: 'corrected'; readonly symbol: string }
  | { readonly kind: 'delivery'; readonly delivery: Delivery };

/** A stretch of bars of some symbols. Instants are epoch milliseconds. */
export interface BarsAsked {
  readonly symbols: readonly string[];
  readonly interval: '1m' | '1d';
  /** Start of the first bar, and of the last. */
  readonly from: number;
  readonly to: number;
  /** Of sessions that are over, which a vendor may know better; else of what it streams. */
  readonly isPast: boolean;
  /** Back-fill leaves calls of the budget to what a running session needs. */
  readonly isUrgent?: boolean;
}

/** How a socket fared; see `openSocket`. */
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
  /** @throws CodedError vendor_refused, in one sentence, for a key, plan or host that does not work */
  check(clock: PacedClock): Promise<void>;
  /** Which of the symbols can be asked for, in their order; with null all that can. */
  listed(symbols: readonly string[] | null, signal: AbortSignal): Promise<readonly string[]>;
  /** Bars in pages, by symbol in the order of UTF-16, then by time. */
  bars(asked: BarsAsked, signal: AbortSignal): AsyncIterable<readonly VendorBar[]>;
  /** Splits and dividends with ex-dates from one date to another. */
  actions(symbols: readonly string[], from: string, to: string, signal: AbortSignal): AsyncIterable<Delivery>;
  /** News items after an instant, oldest first, and what was refused of them. */
  news(symbols: readonly string[], after: number, signal: AbortSignal): AsyncIterable<Delivery>;
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
  /** From 0 to 1. */
  readonly random: () => number;
}

/** A clock further off than this would put rows into wrong minutes. */
const SKEW_MAX_MS = 30_000;

/**
 * @param aheadMs of this machine's clock before the vendor's
 * @throws CodedError vendor_refused for a clock that is off
 */
export function refuseSkew(title: string, aheadMs: number): void {
  if (Math.abs(aheadMs) <= SKEW_MAX_MS) return;
  const off = `${Math.round(Math.abs(aheadMs) / 1_000)} s ${aheadMs > 0 ? 'ahead of' : 'behind'}`;
  throw new CodedError('vendor_refused', `The clock of this machine is ${off} that of ${title}: set it.`);
}

/**
 * A bar of what should be its four prices and its shares. Where one is missing or no number all are NaN, which admission
 * refuses: a vendor that renames a field must not pass for one that states none.
 */
export function barOf(symbol: string, time: number, fields: readonly unknown[]): VendorBar {
  const values = fields.map((value) => (typeof value === 'number' ? value : Number.NaN));
  const isWhole = !values.some(Number.isNaN);
  const at = (index: number): number => (isWhole ? values[index]! : Number.NaN);
  return { symbol, time, open: at(0), high: at(1), low: at(2), close: at(3), volume: at(4) };
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
