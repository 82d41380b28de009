import type { ErrorCode } from '../base/errors.ts';
import type { MeasuredPeers } from '../base/peer-topology.ts';
import type { StockDay } from '../base/stock-day.ts';
import type { StateYear, SymbolStates } from '../base/stock-state.ts';
import type { MarketView } from '../market/market-view.ts';
import type { PeerDay } from '../market/peer-day.ts';
import type { MarketInstant, MarketTape } from '../market/tape/market-tapes.ts';
import type { SymbolTape } from '../market/tape/symbol-tape.ts';
import type { DteQuestion } from './dte-scores.ts';

/** Stock-days of one symbol to derive, each as of an instant. */
export interface DeriveJob {
  readonly tape: SymbolTape;
  readonly days: readonly DayToDerive[];
}

/** A stock-day as of an instant, with what an earlier pass derived of the whole market for this one stock. */
export interface DayToDerive extends MarketInstant {
  /** Divergence from its peers on the completed session, null where it has none; left out where nobody has measured it. */
  readonly peers?: PeerDay | null;
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

/** Sessions of a calendar month to measure against its peers. */
export interface PeersRequest {
  /** Every symbol, in the order of their names. */
  readonly tapes: readonly MarketTape[];
  /** Completed sessions of one month, ascending. */
  readonly dates: readonly string[];
  /** By symbol what had been reported before the month. */
  readonly ties: ReadonlyMap<string, PeerTies>;
  /** By trade date the symbols that moved for a reason of their own: results, a halt, a burst of news. */
  readonly events: ReadonlyMap<string, ReadonlySet<string>>;
  /** The topology of the month where it is kept, as one run of bytes; null to build it. */
  readonly packed: Uint8Array | null;
}

/** Reported ties of one stock; null where nothing was reported. */
export interface PeerTies {
  readonly sector: string | null;
  readonly industry: string | null;
  readonly themes: readonly string[];
}

/** How some stocks looked on every completed session of their histories. */
export interface StatesRequest {
  readonly tapes: readonly SymbolTape[];
  /** What stands for the market and for its volatility, the better name first. */
  readonly indices: readonly SymbolTape[];
  readonly volatilityIndices: readonly SymbolTape[];
  /** The newest completed session, days since 1970-01-01. */
  readonly lastDay: number;
  /** What is kept of the stocks, to be left out of the answer where it stands. */
  readonly stored: readonly StateYear[];
}

export type ChainQuestion =
  | ({ readonly kind: 'dte-scores' } & DteQuestion)
  | { readonly kind: 'exposure' }
  | { readonly kind: 'figures' };

/** A question about one option chain. */
export interface ChainRequest {
  /** With the facts and chains as of `asOf`. */
  readonly tape: SymbolTape;
  /** The session in which the chain's quotes stood. */
  readonly tradeDate: string;
  /** The instant at which the chain was taken, or one after it at which it is still the newest. */
  readonly asOf: number;
  readonly question: ChainQuestion;
}

/** What was made of a chain, and what it cost. */
export interface ChainAnswer {
  /** JSON value of the answer, without what is known only when it is sent. */
  readonly answer: Readonly<Record<string, unknown>>;
  /** Time of reading and computing, milliseconds. */
  readonly computationMs: number;
}

/** How a batch of stock-days is derived. */
interface DeriveOptions {
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
  /** The topology of a date and every stock's divergence on it. */
  peers(request: PeersRequest, options?: { readonly signal?: AbortSignal }): Promise<MeasuredPeers>;
  /** How stocks looked day by day, as far as it differs from what is kept; one answer for each tape, in their order. */
  states(request: StatesRequest, options?: { readonly signal?: AbortSignal }): Promise<SymbolStates[]>;
  /** Answers a question about the newest chain as of an instant. */
  chain(request: ChainRequest, options?: { readonly signal?: AbortSignal }): Promise<ChainAnswer>;
  close(): Promise<void>;
}
