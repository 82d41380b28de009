import type { PacedClock } from '../../base/clock.ts';
import type { Timers } from '../../base/timers.ts';
import type { Delivery } from '../feed.ts';
import type { Bar } from '../observations.ts';

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
  /** How far its stream runs behind the market. */
  readonly lagMs: number;
  /** @throws CodedError vendor_refused, in one sentence, for a key, plan or host that does not work */
  check(clock: PacedClock): Promise<void>;
  /** Every symbol that can be asked for. */
  allSymbols(signal: AbortSignal): Promise<readonly string[]>;
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
