import type { ErrorCode } from '../base/errors.ts';
import type { StockDay } from '../base/stock-day.ts';
import type { MarketView } from '../market/market-view.ts';
import type { MarketInstant, MarketTape } from '../market/tape/market-tapes.ts';
import type { SymbolTape } from '../market/tape/symbol-tape.ts';

/** Stock-days of one symbol to derive, each as of an instant. */
export interface DeriveJob {
  readonly tape: SymbolTape;
  readonly days: readonly { readonly tradeDate: string; readonly asOf: number }[];
}

/** One derived stock-day. */
export interface DerivedDay extends StockDay {
  readonly kind: 'derived';
}

/** The symbol has no bar of that date that was final by then. Neighbouring dates with one, where there are any. */
export interface MissingDay {
  readonly kind: 'missing';
  readonly symbol: string;
  readonly tradeDate: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** The derivation of this day broke: a defect or a damaged tape, kept to the one day that it concerns. */
export interface FailedDay {
  readonly kind: 'failed';
  readonly symbol: string;
  readonly tradeDate: string;
  readonly code: ErrorCode;
  readonly message: string;
}

export type DayOutcome = DerivedDay | MissingDay | FailedDay;

/** The market as a whole, at the instant of each trade date. */
export interface MarketRequest {
  /** Every symbol, in the order of their names. */
  readonly tapes: readonly MarketTape[];
  /** Ascending, each as of `marketInstant` of what is asked. */
  readonly days: readonly MarketInstant[];
}

/** A market view as it is kept. */
export interface MarketSnapshot {
  readonly tradeDate: string;
  /** JSON text of a `MarketView`. */
  readonly text: string;
  /** Names the content: equal digests, equal content. */
  readonly digest: string;
}

/** How a batch of stock-days is derived. */
export interface DeriveOptions {
  /** Calls the work off. */
  readonly signal?: AbortSignal;
  /** By trade date the market at the instant of its days; of a date that is left out nothing is known. */
  readonly markets?: Readonly<Record<string, MarketView>>;
  /** Outcomes carry the facts that are always served and nothing else: for sweeps over many days, not for the store. */
  readonly coreOnly?: boolean;
  /** With `coreOnly`, blocks served on request that the outcomes carry as well. */
  readonly beside?: readonly string[];
}

/** Runs derivations away from the event loop. Aborting ends the work itself, not only the wait for it. */
export interface Deriver {
  derive(jobs: readonly DeriveJob[], options?: DeriveOptions): Promise<DayOutcome[]>;
  /** One snapshot for each day asked for, in their order. */
  market(request: MarketRequest, options?: { readonly signal?: AbortSignal }): Promise<MarketSnapshot[]>;
  close(): Promise<void>;
}
