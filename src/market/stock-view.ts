import type { SessionBounds } from '../base/calendar.ts';
import type { OptionChain, VolatilityColumns } from './chains.ts';
import type { KnownFacts } from './facts.ts';
import type { Bar, BarColumns, CorporateAction, FlowMinuteColumns, Interval } from './observations.ts';
import type { PeerDay } from './peer-day.ts';

export type { MarketView } from './market-view.ts';

/**
 * All that may be known of one stock at one instant: the tape cut off at `asOf`, so nothing newer can reach an answer.
 *
 * Every price is on the basis of the trade date: history before a split is divided by it (and its volume multiplied)
 * from the split's own date on, never earlier, and dividends are not adjusted for. The trade date's own prices are
 * therefore as traded. Intraday columns hold 04:00-20:00 New York of the finest interval on the tape.
 */
export interface StockView {
  readonly symbol: string;
  /** New York calendar date, YYYY-MM-DD. */
  readonly tradeDate: string;
  /** Epoch milliseconds; no observation that became final after it is in this view. */
  readonly asOf: number;
  readonly session: SessionBounds;
  /** The exchange's session before the trade date. */
  readonly priorSession: SessionBounds;
  /** The exchange's hours on any trade date, named by its midnight UTC; null for a date that is no session. */
  readonly sessionOn: (midnightUtc: number) => SessionBounds | null;
  /**
   * Completed sessions, oldest first, without holes of more than five sessions, at most 520 rows. The last row is
   * the trade date itself once its regular session has closed by `asOf`.
   */
  readonly daily: BarColumns;
  /** `daily` with the trade date's bar so far appended while its regular session runs; else `daily` itself. */
  readonly dailyNow: BarColumns;
  /** Row of `dailyNow` that is the trade date, or -1 before its first regular trade. */
  readonly todayRow: number;
  /** Row of `daily` that is the last session before the trade date, or -1. */
  readonly priorRow: number;
  /** The regular session's bar so far while it runs; null before the open and after the close. */
  readonly running: Bar | null;
  readonly intraday: BarColumns;
  readonly intradayInterval: Interval | null;
  /**
   * Feed of one exchange alone that bars of the trade date are of, whose volume is not that of the stock; null where all
   * are of the whole market.
   */
  readonly partialFeed: string | null;
  /** Bars of the trade date on the tape that `intraday` leaves out: their prices cannot be the stock's. */
  readonly badPrints: number;
  /** False when the session is over and its intraday bars stop short of one of its ends: a fragment, not the day. */
  readonly intradayWhole: boolean;
  /**
   * End of the last regular bar of a session that is over and whose feed stopped before its end (epoch milliseconds);
   * null where it did not. A stock that trades seldom and ends early is not cut.
   */
  readonly intradayCutAt: number | null;
  /**
   * What is seen of the session, where it is over, no daily bar of it was reported and its bars begin late or end early;
   * else null. A halt, a first listing and missing data look alike.
   */
  readonly part: SeenPart | null;
  /** The same of the session before the trade date, which may have no daily bar then: `priorRow` is of an earlier one. */
  readonly priorPart: SeenPart | null;
  readonly priorIntraday: BarColumns;
  readonly priorIntradayInterval: Interval | null;
  readonly priorIntradayWhole: boolean;
  /** Classified prints of the trade date by minute, 04:00-20:00, finished minutes only; no rows without ticks. */
  readonly flow: FlowMinuteColumns;
  /** End of the newest quote bar, or null. */
  readonly quoteTime: number | null;
  /** Splits with an ex-date not after the trade date, oldest first. */
  readonly actions: readonly CorporateAction[];
  /** What had been reported by `asOf`. */
  readonly facts: KnownFacts;
  /**
   * How the return of the completed session compared with those of its peers; null where there is nothing to compare, and
   * undefined before the session is measured.
   */
  readonly peers: PeerDay | null | undefined;
  /**
   * The newest chain taken by `asOf` on the trade date or, before the first of the day, since the session before; null
   * when there is none. Its strikes and prices are in the shares of the trade date.
   */
  readonly chain: OptionChain | null;
  /** Epoch milliseconds for which the chain's contracts count: what has settled by then is out of every sum. */
  readonly chainAt: number;
  /**
   * Daily volatility, oldest first, at most the last 252 sessions that have one. A session's row counts from its close
   * on; without rows where no source states any.
   */
  readonly volatility: VolatilityColumns;
  /** True when the rows were made by the simulated feed. */
  readonly simulated: boolean;
}

/** Part of a regular session: from the start of its first bar to the end of its last, epoch milliseconds. */
export interface SeenPart {
  readonly from: number;
  readonly to: number;
}

/** What of a view follows from bars, prints and corporate actions alone. */
export type BarsView = Omit<
  StockView,
  'quoteTime' | 'facts' | 'peers' | 'chain' | 'chainAt' | 'volatility' | 'simulated'
>;
