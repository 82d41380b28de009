import type { ReportedTies } from '../analysis/diffusion/ties.ts';
import type { ErrorCode } from '../base/errors.ts';
import type { MarketView } from '../market/market-view.ts';
import type { PeerDay } from '../market/peer-day.ts';
import type { SymbolTape } from '../tape/index.ts';
import type { MarketInstant, MarketTape } from '../tape/market-tapes.ts';
import type { BarRowsRequest } from './bar-rows.ts';
import type { BarsAnswer, BarsRequest } from './bars-answer.ts';
import type { DteQuestion } from './dte-scores.ts';
import type { DayMoments, MomentsRequest } from './moments.ts';
import type { SessionsRequest } from './newest-session.ts';
import type { PanelPart, PanelRequest } from './panel.ts';
import type { MeasuredPeers } from './peer-topology.ts';
import type { ColumnParts, ScreenDay, ScreenRow, StockDay, StockDayName } from './stock-day.ts';
import type { StateYear, SymbolStates } from './stock-state.ts';
import type { TradesAnswer, TradesRequest } from './trades-answer.ts';

/** Stock-days of one symbol, each as of an instant. */
export interface DeriveJob {
  readonly tape: SymbolTape;
  readonly days: readonly DayToDerive[];
}

/** A stock-day as of an instant, with the results of earlier passes over the market. */
export interface DayToDerive extends MarketInstant {
  /** Divergence from its peers on a completed session; null without one, absent before it is measured. */
  readonly peers?: PeerDay | null;
}

/** One derived stock-day in wire form. */
interface DerivedDay extends StockDayName {
  readonly kind: 'derived';
  /** Epoch milliseconds. */
  readonly asOf: number;
  /** Block name to wire JSON; `core` has every field that is always served. */
  readonly facts: Readonly<Record<string, string>>;
}

export interface DayToStore extends StockDay {
  readonly kind: 'derived';
}

/** One derived stock-day by its numbers alone. */
export interface DerivedScreen extends ScreenDay {
  readonly kind: 'derived';
  readonly screen: ScreenRow;
}

/** The symbol has no final bar of that date; `before` and `after` are the neighbouring dates with one. */
export interface MissingDay {
  readonly kind: 'missing';
  readonly symbol: string;
  readonly tradeDate: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** The derivation of one day failed: a defect or a damaged tape. */
export interface FailedDay {
  readonly kind: 'failed';
  readonly symbol: string;
  readonly tradeDate: string;
  readonly code: ErrorCode;
  readonly message: string;
}

export type DayOutcome = DerivedDay | MissingDay | FailedDay;

export type StoreOutcome = DayToStore | MissingDay | FailedDay;

export type ScreenOutcome = DerivedScreen | MissingDay | FailedDay;

/** The market at the instant of each trade date. */
export interface MarketRequest {
  /** Every symbol, in the order of their names. */
  readonly tapes: readonly MarketTape[];
  /** Ascending, each as of `marketInstant`. */
  readonly days: readonly MarketInstant[];
}

/** A market view in stored form. */
export interface MarketSnapshot {
  readonly tradeDate: string;
  /** JSON text of a `MarketView`. */
  readonly text: string;
  /** Equal digests, equal content. */
  readonly digest: string;
}

/** Sessions of a calendar month to measure against its peers. */
export interface PeersWork {
  /** Every symbol, in the order of their names. */
  readonly tapes: readonly MarketTape[];
  /** Completed sessions of one month, ascending. */
  readonly dates: readonly string[];
  /** By symbol the ties reported before the month. */
  readonly ties: ReadonlyMap<string, ReportedTies>;
  /** By trade date the symbols with their own event: results, a halt, a burst of news. */
  readonly events: ReadonlyMap<string, ReadonlySet<string>>;
  /** The stored topology of the month; null to build it. */
  readonly packed: Uint8Array | null;
}

/** States of some stocks on every completed session of their histories. */
export interface StatesRequest {
  readonly tapes: readonly SymbolTape[];
  /** Proxies of the market and of its volatility, the best first. */
  readonly indices: readonly SymbolTape[];
  readonly volatilityIndices: readonly SymbolTape[];
  /** The newest completed session, days since 1970-01-01. */
  readonly lastDay: number;
  /** Stored years, which the answer leaves out when unchanged. */
  readonly stored: readonly StateYear[];
}

/** Stock-days of one symbol to derive as columns behind stored ones. */
export interface ColumnsWork {
  readonly job: DeriveJob;
  readonly markets: Readonly<Record<string, MarketView>>;
  /** Columns of earlier days, of which the first `kept` stay. */
  readonly stored: ColumnParts;
  readonly kept: number;
}

export interface DerivedColumns {
  /** Days with a bar, up to the first that failed. */
  readonly tradeDates: readonly string[];
  /** Of the kept days and these; empty without these. */
  readonly parts: ColumnParts;
  readonly failure: FailedDay | null;
}

export type ChainQuestion =
  | ({ readonly kind: 'dte-scores' } & DteQuestion)
  | { readonly kind: 'exposure' }
  | { readonly kind: 'surface' }
  | { readonly kind: 'figures' };

/** A question about one option chain. */
export interface ChainRequest {
  /** With the facts and chains as of `asOf`. */
  readonly tape: SymbolTape;
  /** The session of the chain's quotes. */
  readonly tradeDate: string;
  /** An instant at which the chain is the newest. */
  readonly asOf: number;
  /** Contracts that have settled by then are left out. */
  readonly chainAt: number;
  readonly question: ChainQuestion;
}

export interface ChainAnswer {
  /** JSON value of the answer without the fields of the response. */
  readonly answer: Readonly<Record<string, unknown>>;
  /** Time of reading and computing, milliseconds. */
  readonly computationMs: number;
}

export interface WorkOptions {
  /** Cancels the work. */
  readonly signal?: AbortSignal;
  /** Whether its caller asked for so much that others go first; it has a share of the time all the same. */
  readonly isBulk?: boolean;
  /** Whether it bears a tape that cannot be read for a minute; by default where there is no signal. */
  readonly isPatient?: boolean;
}

export interface DeriveOptions extends WorkOptions {
  /** By trade date the market at the instant of its days; unknown for other dates. */
  readonly markets?: Readonly<Record<string, MarketView>>;
  /** Fields served on request that an answer is to have; absent: every one. */
  readonly includes?: readonly string[] | undefined;
}

/** Runs derivations away from the event loop. A signal ends the work itself, not only the wait. */
export interface Deriver {
  /**
   * Reads what a caller's derivation takes while his place is kept, so that nothing is read for whom it refuses.
   *
   * @throws CodedError overloaded; what `read` throws
   */
  reading<Value>(read: () => Promise<Value>): Promise<Value>;
  /** A caller is answered, of whatever: for a moment passes leave a processor to him and to whom he brings. */
  noteCaller(): void;
  derive(jobs: readonly DeriveJob[], options?: DeriveOptions): Promise<DayOutcome[]>;
  /** The same days by their numbers alone. */
  deriveScreens(jobs: readonly DeriveJob[], options?: DeriveOptions): Promise<ScreenOutcome[]>;
  /** The same days as they are stored. */
  deriveToStore(jobs: readonly DeriveJob[], options?: DeriveOptions): Promise<StoreOutcome[]>;
  /** The same days as columns. */
  columns(work: ColumnsWork): Promise<DerivedColumns>;
  /** One snapshot for each requested day, in order. */
  market(request: MarketRequest, options?: WorkOptions): Promise<MarketSnapshot[]>;
  /** The month's topology and the divergences of every stock. */
  peers(request: PeersWork, options?: WorkOptions): Promise<MeasuredPeers>;
  /** One answer for each tape, in order, with the years that differ from the stored ones. */
  states(request: StatesRequest, options?: WorkOptions): Promise<SymbolStates[]>;
  chain(request: ChainRequest, options?: WorkOptions): Promise<ChainAnswer>;
  /** One session for each tape, in order. */
  newestSessions(request: SessionsRequest, options?: WorkOptions): Promise<(string | null)[]>;
  bars(request: BarsRequest, options?: WorkOptions): Promise<BarsAnswer>;
  /** Some stocks of a panel. */
  panel(request: PanelRequest, options?: WorkOptions): Promise<PanelPart>;
  /** Fields at the ends of consecutive bars of a stock and date; null where it has no bar, or once it is cancelled. */
  moments(request: MomentsRequest, options?: WorkOptions): Promise<DayMoments | null>;
  /** Trades or equity of a backtest. */
  trades(request: TradesRequest, options?: WorkOptions): Promise<TradesAnswer>;
  /** One row for each day, in order. */
  barRows(request: BarRowsRequest, options?: WorkOptions): Promise<(ScreenRow | null)[]>;
  close(): Promise<void>;
}
