import type { BarColumns, Interval, SessionBounds } from '../../market/observations.ts';
import {
  type IntradayBars,
  intradayBars,
  NO_RANGE,
  overnightBar,
  type PriceRange,
  regularRows,
} from '../sessions.ts';
import { type Vwap, vwap } from '../vwap.ts';
import { type InitialBalance, initialBalance } from './initial-balance.ts';
import { type OpeningRange, openingRange } from './opening-range.ts';
import {
  type CentralPivotRange,
  centralPivotRange,
  type FloorPivots,
  floorPivots,
  type PriorDay,
  priorDay,
  priorMonthRange,
  priorWeekRange,
} from './prior-session.ts';

/** What the levels of a day are read from; a stock's view has all of it under these names. */
export interface LevelsInput {
  /** Daily bars on the price basis of the trade date, and the row of the session before it (-1 for none). */
  readonly daily: BarColumns;
  readonly priorRow: number;
  readonly intraday: BarColumns;
  readonly intradayInterval: Interval | null;
  readonly priorIntraday: BarColumns;
  readonly priorIntradayInterval: Interval | null;
  readonly session: SessionBounds;
  readonly priorSession: SessionBounds;
  /** Epoch milliseconds; bars that end after it are not read. */
  readonly asOf: number;
}

/** Every level of one day in dollars; NaN where it is not defined (yet). */
export interface Levels {
  readonly priorDay: PriorDay;
  readonly priorWeek: PriceRange;
  readonly priorMonth: PriceRange;
  readonly pivots: FloorPivots;
  readonly centralPivotRange: CentralPivotRange;
  readonly overnight: PriceRange;
  readonly initialBalance: InitialBalance;
  readonly openingRange5: OpeningRange;
  readonly openingRange15: OpeningRange;
  readonly openingRange30: OpeningRange;
  /** Anchored at 09:30 New York, regular session only. */
  readonly vwap: Vwap;
}

/** All levels of a trade date as of `asOf`. */
export function levels(input: LevelsInput): Levels {
  const { daily, session } = input;
  const bars = intradayBars(input.intraday, input.intradayInterval, input.asOf);
  const prior = priorDay(daily, input.priorRow);
  return {
    priorDay: prior,
    priorWeek: priorWeekRange(daily, session),
    priorMonth: priorMonthRange(daily, session),
    pivots: floorPivots(prior.high, prior.low, prior.close),
    centralPivotRange: centralPivotRange(prior.high, prior.low, prior.close),
    overnight: overnight(input, bars),
    initialBalance: initialBalance(bars, session),
    openingRange5: openingRange(bars, session, 5),
    openingRange15: openingRange(bars, session, 15),
    openingRange30: openingRange(bars, session, 30),
    vwap: vwap(bars.columns, regularRows(bars, session)),
  };
}

/** High and low from the prior close to the open. */
function overnight(input: LevelsInput, bars: IntradayBars): PriceRange {
  const prior = intradayBars(input.priorIntraday, input.priorIntradayInterval, input.asOf);
  const bar = overnightBar(prior, input.priorSession, bars, input.session);
  return bar === null ? NO_RANGE : { high: bar.high, low: bar.low };
}
