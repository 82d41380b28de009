import { Type } from '../base/type.ts';
import { date, list } from './arguments.ts';
import { input, rowsOf, tool } from './tool.ts';

interface Run {
  readonly id: string;
  readonly status: string;
  readonly progress_pct: number;
  readonly error_message: string | null;
  readonly finished_at: string | null;
  readonly reused: boolean;
  readonly analysis: { readonly overfitting: { readonly verdict: string | null } } | null;
  readonly results: readonly (Record<string, unknown> & { readonly parameter_set: object })[];
}

const COLUMNS =
  'stop_atr target_atr total_trades win_rate total_r profit_factor max_drawdown deflated_sharpe_ratio'.split(
    ' ',
  );

export const backtest = tool({
  name: 'backtest',
  title: 'Backtest',
  description:
    'Tries stops and targets on intraday signals. Start with symbols, dates and signal_types; then ask again with run_id.',
  input: input({
    run_id: Type.Optional(Type.String({ maxLength: 64 })),
    symbols: Type.Optional(list(20, 'Tickers')),
    start_date: date,
    end_date: date,
    signal_types: Type.Optional(
      list(6, 'vwap_touch, ib_breakout, ib_retest, or_hold, level_confluence, trend_continuation'),
    ),
  }),
  example: {
    symbols: ['SPY'],
    start_date: '2026-01-02',
    end_date: '2026-03-31',
    signal_types: ['vwap_touch'],
  },
  budget: 2_500,
  starts: 'work',
  async run({ run_id, ...body }, fetch) {
    const path = '/backtest/optimize';
    const run = await fetch<Run>(
      run_id === undefined
        ? { method: 'POST', path, body }
        : { path: `${path}/${encodeURIComponent(run_id)}` },
    );
    return {
      as_of: run.finished_at,
      source: null,
      run_id: run.id,
      state: run.status,
      progress_pct: run.progress_pct,
      verdict: run.analysis?.overfitting.verdict ?? null,
      columns: COLUMNS,
      rows: rowsOf(
        (run.results ?? []).map((cell) => ({ ...cell, ...cell.parameter_set })),
        COLUMNS,
      ),
      notes: run.error_message === null || run.error_message === undefined ? [] : [run.error_message],
      next: run.status === 'pending' || run.status === 'running' ? { run_id: run.id } : null,
      link: '/backtest',
    };
  },
});
