import type { LevelsInput } from '../levels/index.ts';
import type { BacktestPartial, SessionOutcome } from './partial.ts';
import type { BacktestSpec } from './spec.ts';

/**
 * One session of one stock and what stood before it; a StockView as of the session's close or later is one. Prices are
 * on the basis of the trade date; `intraday` reaches over the whole regular session.
 */
export interface BacktestSession extends Omit<LevelsInput, 'asOf'> {
  /** False for a session whose bars stop short of one of its ends. */
  readonly intradayWhole: boolean;
  readonly priorIntradayWhole: boolean;
}

export interface Backtest {
  /**
   * Finds the entries of one session and walks them through every cell. Sessions come in ascending order, each at most
   * once.
   *
   * @throws RangeError for a session that is not of the spec or not after the last one
   */
  session(day: BacktestSession): SessionOutcome;
  /** What the sessions so far came to; a copy, so that more may follow. */
  partial(): BacktestPartial;
}

/** @throws RangeError for a spec that is not as it should be */
export declare function openBacktest(spec: BacktestSpec, symbol: string): Backtest;

/** Bytes that the partial of one symbol takes at most. */
export declare function partialBytesMax(spec: BacktestSpec): number;
