import type { BacktestResult, CellResult, Metrics, SplitResult } from '../analysis/backtest/result.ts';
import { dateOf } from '../base/calendar.ts';
import { rounded } from './rounding.ts';

/** Changes with the meaning of the figures; results of an earlier version are not reused. */
export const FORMULA_VERSION = 'backtest-v2';

/** The result of a run as wire JSON in pieces. */
export interface OptimizationText {
  readonly results: string;
  readonly analysis: string;
  readonly grid: string;
}

/** The result under its wire names, rounded. */
export function resultText(result: BacktestResult): OptimizationText {
  return {
    results: JSON.stringify(rounded(wireResults(result))),
    analysis: JSON.stringify(rounded(wireAnalysis(result))),
    grid: JSON.stringify(rounded(wireGrid(result))),
  };
}

export type WireResults = ReturnType<typeof wireResults>;
export type WireAnalysis = ReturnType<typeof wireAnalysis>;

const wireMetrics = (metrics: Metrics) => ({
  total_trades: metrics.totalTrades,
  win_rate: metrics.winRate,
  avg_rr_ratio: metrics.avgRrRatio,
  sharpe_ratio: metrics.sharpeRatio,
  profit_factor: metrics.profitFactor,
  max_drawdown: metrics.maxDrawdown,
  total_r: metrics.totalR,
  ambiguous_share: metrics.ambiguousShare,
});

const wireSet = ({ stopAtr, targetAtr }: CellResult['parameterSet']) => ({
  stop_atr: stopAtr,
  target_atr: targetAtr,
});

const orNull = (metrics: Metrics | null) => (metrics === null ? null : wireMetrics(metrics));

export const wireCell = (cell: CellResult) => ({
  parameter_set: wireSet(cell.parameterSet),
  ...wireMetrics(cell),
});

const wireResults = ({ top }: BacktestResult) =>
  top.map((cell) => ({
    ...wireCell(cell),
    deflated_sharpe_ratio: cell.deflatedSharpeRatio,
    in_sample: orNull(cell.inSample),
    out_of_sample: orNull(cell.outOfSample),
    by_signal_type: cell.bySignalType.map((part) => ({ signal_type: part.name, ...wireMetrics(part) })),
    by_direction: cell.byDirection.map((part) => ({ direction: part.name, ...wireMetrics(part) })),
    by_day_type: cell.byDayType.map((part) => ({ day_type: part.name, ...wireMetrics(part) })),
  }));

const wireSplit = ({ parameterSet, chosenOn, testFrom, tested }: SplitResult) => ({
  parameter_set: wireSet(parameterSet),
  chosen_on: wireMetrics(chosenOn),
  test_from: dateOf(testFrom),
  tested: wireMetrics(tested),
});

const wireAnalysis = ({ sessions, outcomes, overfitting: of, ...result }: BacktestResult) => ({
  formula_version: FORMULA_VERSION,
  sessions,
  symbol_sessions: {
    walked: outcomes.walked,
    no_minute_bars: outcomes.no_minute_bars,
    fragment: outcomes.fragment,
    no_daily_atr: outcomes.no_daily_atr,
    no_quotes: outcomes.no_quotes,
  },
  overfitting: {
    verdict: of.verdict,
    trials: of.trials,
    deflated_sharpe_ratio: of.deflatedSharpeRatio,
    expected_max_sharpe: of.expectedMaxSharpe,
    probability_of_overfitting: of.probabilityOfOverfitting,
    probability_of_loss: of.probabilityOfLoss,
    halvings: of.halvings,
    plateau: of.plateau,
  },
  out_of_sample: result.outOfSample === null ? null : wireSplit(result.outOfSample),
  walk_forward: result.walkForward.map(wireSplit),
  best_by_signal_type: result.bestBySignalType.map(({ signalType, best }) => ({
    signal_type: signalType,
    best: best === null ? null : wireCell(best),
  })),
});

const wireGrid = ({ grid }: BacktestResult) => grid.map(wireCell);
