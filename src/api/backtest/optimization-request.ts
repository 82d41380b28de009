import { FORMULA_VERSION } from '../../derive/backtest-text.ts';
import { hash } from 'node:crypto';
import { type BacktestSpec, SIGNAL_TYPES, type SignalType } from '../../analysis/backtest/spec.ts';
import { midnightUtc } from '../../base/calendar.ts';
import { canonicalSymbol } from '../../base/symbols.ts';

export { MULTIPLIER_MAX, SIGNAL_TYPES, type SignalType } from '../../analysis/backtest/spec.ts';
export { VERDICTS } from '../../analysis/backtest/result.ts';

/** Bounds of the contract and, where it is silent, ours. */
export const SYMBOLS_MAX = 20;
export const MULTIPLIERS_MAX = 50;
export const TOP_N_MAX = 50;
export const COMMISSION_MAX = 10;
export const SLIPPAGE_MAX = 1_000;

export const REQUEST_DEFAULTS = {
  stop_atr_range: [0.5, 1, 1.5, 2],
  target_atr_range: [1, 1.5, 2, 3, 4],
  top_n: 10,
  commission_per_share: 0,
  slippage_bps: 0,
} as const;

/** Symbols x sessions x cells of one run: the largest year of 20 symbols and 400 cells, two and a half times. */
export const WALKED_CELLS_MAX = 5_000_000;

/** What is optimised, under the names of the wire. */
export interface OptimizationRequest {
  /** Capitals, in ascending order. */
  readonly symbols: readonly string[];
  /** Trade dates, YYYY-MM-DD, both included. */
  readonly start_date: string;
  readonly end_date: string;
  readonly signal_types: readonly SignalType[];
  /** Multiples of the daily ATR, ascending. */
  readonly stop_atr_range: readonly number[];
  readonly target_atr_range: readonly number[];
  readonly top_n: number;
  /** Dollars, at entry and at exit. */
  readonly commission_per_share: number;
  readonly slippage_bps: number;
}

/** A request as it was written: what has a default may be absent. */
export type WrittenRequest = Omit<OptimizationRequest, keyof typeof REQUEST_DEFAULTS> &
  Partial<Pick<OptimizationRequest, keyof typeof REQUEST_DEFAULTS>>;

/** One way to write each request: what differs only in order, capitals, repetition or defaults is the same run. */
export function canonicalRequest(written: WrittenRequest): OptimizationRequest {
  const whole = { ...REQUEST_DEFAULTS, ...written };
  const asked = new Set(whole.signal_types);
  return {
    symbols: [...new Set(whole.symbols.map(canonicalSymbol))].sort(),
    start_date: whole.start_date,
    end_date: whole.end_date,
    signal_types: SIGNAL_TYPES.filter((type) => asked.has(type)),
    stop_atr_range: ascending(whole.stop_atr_range),
    target_atr_range: ascending(whole.target_atr_range),
    top_n: whole.top_n,
    commission_per_share: whole.commission_per_share,
    slippage_bps: whole.slippage_bps,
  };
}

const ascending = (values: readonly number[]): number[] => [...new Set(values)].sort((a, b) => a - b);

/** @param sessions trade dates of the run, ascending */
export function specOf(request: OptimizationRequest, sessions: readonly string[]): BacktestSpec {
  return {
    signalTypes: request.signal_types,
    stops: request.stop_atr_range,
    targets: request.target_atr_range,
    topN: request.top_n,
    tradeDays: sessions.map(midnightUtc),
    commissionPerShare: request.commission_per_share,
    slippageBps: request.slippage_bps,
  };
}

/** @param lastSession the last that the run looks at */
export const digestOf = (request: OptimizationRequest, lastSession: string): string =>
  hash('sha256', JSON.stringify([FORMULA_VERSION, lastSession, request]));
