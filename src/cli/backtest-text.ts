import type { WireAnalysis, WireResults } from '../api/backtest/optimize-once.ts';
import type { OptimizationRequest } from '../api/backtest/schema.ts';
import { count, number, percent, table } from './print.ts';

/** A run for a terminal: what was tried, the best cells, and how far they can be believed. */
export function printedRun(
  request: OptimizationRequest,
  results: WireResults,
  analysis: WireAnalysis,
): string {
  return [
    ...heading(request, analysis),
    '',
    ...(results.length === 0 ? ['No cell has a Sharpe ratio: too few trades.'] : resultTable(results)),
    '',
    ...belief(analysis),
  ].join('\n');
}

function heading(request: OptimizationRequest, { sessions, symbol_sessions: of, overfitting }: WireAnalysis) {
  const { symbols, start_date, end_date, signal_types, commission_per_share, slippage_bps } = request;
  const left = of.no_minute_bars + of.fragment + of.no_daily_atr + of.no_quotes;
  return [
    `${symbols.join(', ')} from ${start_date} to ${end_date}: ${signal_types.join(', ')}`,
    `${count(overfitting.trials)} cells, ${count(sessions)} sessions, ${count(of.walked)} symbol-sessions tested, ${count(left)} left out`,
    `Costs: ${commission_per_share} dollars a share each way, ${slippage_bps} bp slippage${request.half_spread ? ', half the quoted spread' : ''}`,
  ];
}

const HEAD = [
  'stop',
  'target',
  'trades',
  'win',
  'mean R',
  'Sharpe',
  'profit f.',
  'drawdown R',
  'ambiguous',
  'out of s.',
];

function resultTable(results: WireResults): string[] {
  const rows = results.map((cell) => [
    `${cell.parameter_set.stop_atr}`,
    `${cell.parameter_set.target_atr}`,
    count(cell.total_trades),
    percent(cell.win_rate, 1),
    number(cell.avg_rr_ratio, 3),
    number(cell.sharpe_ratio, 2),
    number(cell.profit_factor, 2),
    number(cell.max_drawdown, 1),
    percent(cell.ambiguous_share, 1),
    number(cell.out_of_sample?.sharpe_ratio ?? null, 2),
  ]);
  return table([HEAD, ...rows]);
}

function belief({ overfitting: of, out_of_sample: later, walk_forward: folds }: WireAnalysis): string[] {
  const tested = folds.map(({ tested }) => number(tested.sharpe_ratio, 2)).join(', ');
  return [
    `Verdict: ${of.verdict}. Deflated Sharpe ${number(of.deflated_sharpe_ratio, 3)}, best of chance ${number(of.expected_max_sharpe, 2)}, probability of overfitting ${percent(of.probability_of_overfitting, 0)}, plateau ${number(of.plateau, 2)}`,
    ...(later === null
      ? ['Too few sessions for a part that the choice does not see.']
      : [
          `Chosen on what came before ${later.test_from}: Sharpe ${number(later.chosen_on.sharpe_ratio, 2)} there, ${number(later.tested.sharpe_ratio, 2)} after; walk-forward ${tested}`,
        ]),
    'Trials make luck: the best of many cells looks good on any data. Costs beyond those given are not in it.',
  ];
}
