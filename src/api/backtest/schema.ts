import type { Static, TProperties, TSchema } from 'typebox';
import { VERDICTS } from '../../analysis/backtest/result.ts';
import { ENTRY_TYPES, MULTIPLIER_MAX, SIGNAL_TYPES } from '../../analysis/backtest/spec.ts';
import { OptimizationRequest } from '../../backtests/optimization-request.ts';
import { RUN_STATES } from '../../backtests/run-states.ts';
import { asOfParameter, stockSymbol, tradeDate, wholeNumber } from '../../base/parameters.ts';
import * as wire from '../../base/schema.ts';
import { Type } from '../../base/type.ts';
import { SIMULATED } from '../../derive/compose.ts';
import { EQUITY_FIELDS, TRADE_FIELDS, type TradeField } from '../../derive/trade-fields.ts';
import { optional, parameters } from '../answers/parameters.ts';

export { MULTIPLIER_MAX, SIGNAL_TYPES, type SignalType } from '../../analysis/backtest/spec.ts';
export type { OptimizationRequest } from '../../backtests/optimization-request.ts';

export const PAGE_DEFAULT = 20;
const PAGE_MAX = 100;
export const SYMBOLS_MAX = 20;
export const MULTIPLIERS_MAX = 50;
export const TOP_N_MAX = 50;
const SIGNALS_MAX = 10_000;
export const COMMISSION_MAX = 10;
export const SLIPPAGE_MAX = 1_000;

export const REQUEST_DEFAULTS = {
  stop_atr_range: [0.5, 1, 1.5, 2],
  target_atr_range: [1, 1.5, 2, 3, 4],
  top_n: 10,
  commission_per_share: 0,
  slippage_bps: 0,
  half_spread: false,
} as const;

/** More than the largest valid request. */
export const OPTIMIZATION_BODY_BYTES = 2_097_152;

const multipliers = (description: string, byDefault: readonly number[]) =>
  Type.Array(Type.Number({ exclusiveMinimum: 0, maximum: MULTIPLIER_MAX }), {
    minItems: 1,
    maxItems: MULTIPLIERS_MAX,
    default: byDefault,
    description,
  });

export const OptimizationBody = Type.Object(
  {
    symbols: Type.Array(stockSymbol, {
      minItems: 1,
      maxItems: SYMBOLS_MAX,
      description: 'Ticker symbols; one that is repeated counts once.',
    }),
    start_date: { ...tradeDate, description: 'First trade date.' },
    end_date: {
      ...tradeDate,
      description: 'Last trade date, not after today. A session that is not over yet is left out.',
    },
    ...optional({
      signal_types: Type.Array(Type.Enum([...SIGNAL_TYPES]), {
        minItems: 1,
        // Repeated types count once.
        maxItems: MULTIPLIERS_MAX,
        description: 'Intraday signals whose entries are tried; these or `signals`.',
      }),
      signals: Type.Array(
        Type.Object(
          {
            symbol: { ...stockSymbol, description: 'One of `symbols`.' },
            time: Type.String({
              existingInstant: true,
              description:
                'RFC 3339 instant with its zone at which the signal is known, from the open to a minute before the close of a regular session. The entry is the open of the first bar that begins then or later.',
            }),
            side: Type.Enum(['long', 'short']),
          },
          { title: 'OwnSignal', additionalProperties: false },
        ),
        {
          minItems: 1,
          maxItems: SIGNALS_MAX,
          description: 'Entries of your own, in place of `signal_types`; one that is repeated counts once.',
        },
      ),
      stop_atr_range: multipliers(
        'Stops to try, in multiples of the daily ATR.',
        REQUEST_DEFAULTS.stop_atr_range,
      ),
      target_atr_range: multipliers(
        'Targets to try, in multiples of the daily ATR.',
        REQUEST_DEFAULTS.target_atr_range,
      ),
      top_n: Type.Integer({
        minimum: 1,
        maximum: TOP_N_MAX,
        default: REQUEST_DEFAULTS.top_n,
        description: 'Number of best results.',
      }),
      commission_per_share: Type.Number({
        minimum: 0,
        maximum: COMMISSION_MAX,
        default: REQUEST_DEFAULTS.commission_per_share,
        description: 'Dollars a share, paid at entry and at exit.',
      }),
      slippage_bps: Type.Number({
        minimum: 0,
        maximum: SLIPPAGE_MAX,
        default: REQUEST_DEFAULTS.slippage_bps,
        description: 'Basis points of the entry price lost at every fill but that of a target.',
      }),
      half_spread: Type.Boolean({
        default: REQUEST_DEFAULTS.half_spread,
        description:
          'Whether every fill but that of a target loses half of the spread that is quoted in its minute. Sessions without quotes are left out and counted.',
      }),
    }),
  },
  { title: 'OptimizationRequest', additionalProperties: false },
);

export type OptimizationBody = Static<typeof OptimizationBody>;

export const RunPath = parameters({
  id: Type.String({
    pattern: '^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$',
    description: 'Identifier of the run.',
  }),
});

export const RunQuery = parameters(
  optional({
    include: Type.String({
      maxLength: 100,
      wordList: ['grid'],
      description: '`grid` adds every cell; else it is null.',
      examples: ['grid'],
    }),
  }),
);

export const TradesQuery = parameters(
  optional({
    cell: Type.String({
      pattern: '^(?:all|\\d+(?:\\.\\d+)?,\\d+(?:\\.\\d+)?)$',
      description:
        'Stop and target of a cell with a comma between them, `all` for every cell. Default: the best cell.',
      examples: ['1,2'],
    }),
    as_of: asOfParameter,
  }),
);

export const RunsQuery = parameters(
  optional({
    limit: wholeNumber('Runs of a page', { minimum: 1, maximum: PAGE_MAX, byDefault: PAGE_DEFAULT }),
    cursor: Type.String({ pattern: '^\\d{1,15}$', description: 'The `next_cursor` of the page before.' }),
    status: wire.oneOf(RUN_STATES, 'Only runs in this state.'),
  }),
);

const METRICS = {
  total_trades: wire.integer('Trades.', wire.NOT_NEGATIVE),
  win_rate: wire.nullableNumber('Share of trades with a gain after costs.', wire.FRACTION),
  avg_rr_ratio: wire.nullableNumber('Mean R: profit after costs over the initial risk.'),
  sharpe_ratio: wire.nullableNumber(
    'Sharpe ratio of the sums of R by session, annualised by the root of 252.',
  ),
  profit_factor: wire.nullableNumber('Gross gain over gross loss; null without a loss.', wire.NOT_NEGATIVE),
  max_drawdown: wire.nullableNumber(
    'Greatest fall of the running sum of R from its peak, in R.',
    wire.NOT_NEGATIVE,
  ),
  total_r: wire.number('Sum of R.'),
  ambiguous_share: wire.nullableNumber(
    'Share of trades whose last bar touched both stop and target; they count as stopped.',
    wire.FRACTION,
  ),
};

const Metrics = wire.record('BacktestMetrics', 'Figures of trades; null where one is not defined.', METRICS);

const ParameterSet = wire.record('ParameterSet', 'A cell of the grid.', {
  stop_atr: wire.number('Stop, in multiples of the daily ATR.'),
  target_atr: wire.number('Target, in multiples of the daily ATR.'),
});

const Cell = wire.record('BacktestCell', 'A cell and the figures of its trades.', {
  parameter_set: ParameterSet,
  ...METRICS,
});

/** The trades of one value of something, such as a direction. */
const part = <Name extends string>(title: string, name: Name, description: string) =>
  wire.record(title, 'A part of the trades.', {
    [name]: wire.string(description),
    ...METRICS,
  } as Record<Name, ReturnType<typeof wire.string>> & typeof METRICS);

const Result = wire.record('OptimizationResult', 'One of the best cells.', {
  parameter_set: ParameterSet,
  ...METRICS,
  deflated_sharpe_ratio: wire.nullableNumber(
    'Probability that the true Sharpe ratio is above what the best of so many cells shows by chance.',
    wire.FRACTION,
  ),
  in_sample: wire.nullable(Metrics),
  out_of_sample: wire.nullable(Metrics),
  by_signal_type: wire.listOf(part('BacktestSignalPart', 'signal_type', 'The signal.'), 'By signal type.'),
  by_direction: wire.listOf(
    part('BacktestDirectionPart', 'direction', '`long` or `short`.'),
    'By direction.',
  ),
  by_day_type: wire.listOf(
    part('BacktestDayPart', 'day_type', 'Character of the session, known only after it.'),
    'By day type.',
  ),
});

const Split = wire.record('BacktestSplit', 'A cell chosen on some sessions and what it did on later ones.', {
  parameter_set: ParameterSet,
  chosen_on: Metrics,
  test_from: wire.date('First of the later sessions.'),
  tested: Metrics,
});

const Analysis = wire.record('BacktestAnalysis', 'How far the best cell can be believed.', {
  formula_version: wire.string('Version of the formulas.'),
  sessions: wire.integer('Trade dates with at least one symbol that could be tested.', wire.NOT_NEGATIVE),
  symbol_sessions: wire.record(
    'SymbolSessions',
    'What became of the sessions of all symbols that have a bar.',
    {
      walked: wire.integer('Tested.', wire.NOT_NEGATIVE),
      no_minute_bars: wire.integer('Without one-minute bars.', wire.NOT_NEGATIVE),
      fragment: wire.integer('Bars that stop short of the open or the close.', wire.NOT_NEGATIVE),
      no_daily_atr: wire.integer('Without the daily bars that the ATR needs.', wire.NOT_NEGATIVE),
      no_quotes: wire.integer('Without the quotes whose half spread is a cost.', wire.NOT_NEGATIVE),
    },
  ),
  overfitting: wire.record('Overfitting', 'Whether chance may explain the best cell.', {
    verdict: wire.oneOf(VERDICTS, 'In one word.'),
    trials: wire.integer('Cells that were tried.', wire.NOT_NEGATIVE),
    deflated_sharpe_ratio: wire.nullableNumber('Of the best cell.', wire.FRACTION),
    expected_max_sharpe: wire.nullableNumber('Sharpe ratio that the best of so many worthless cells shows.'),
    probability_of_overfitting: wire.nullableNumber(
      'Share of halvings in which the best cell of one half came out in the lower half on the other.',
      wire.FRACTION,
    ),
    probability_of_loss: wire.nullableNumber(
      'Share of halvings in which it lost on the other half.',
      wire.FRACTION,
    ),
    halvings: wire.integer('Halvings that were tried.', wire.NOT_NEGATIVE),
    plateau: wire.nullableNumber('Median Sharpe ratio of the cells around the best one over its own.'),
  }),
  out_of_sample: wire.nullable(Split),
  walk_forward: wire.listOf(Split, 'Folds, each chosen on all sessions before those it is tested on.'),
  best_by_signal_type: wire.listOf(
    wire.record('BestOfSignal', 'The best cell of one signal type alone.', {
      signal_type: wire.oneOf(ENTRY_TYPES, 'The signal; `own` for entries of the caller.'),
      best: wire.nullable(Cell),
    }),
    'By signal type.',
  ),
});

const HEAD = {
  id: Type.Unsafe<string>({ type: 'string', format: 'uuid', description: 'Identifier of the run.' }),
  status: wire.oneOf(RUN_STATES, 'State of the run.'),
  progress_pct: wire.number('Progress of the run; it never falls.', wire.HUNDRED),
  error_message: wire.nullableString('Of a failed run: what is wrong and what to change.'),
  request: OptimizationRequest,
  last_session: wire.date('Last session of the run.'),
  created_at: wire.dateTime('When it was requested.'),
  started_at: wire.nullableDateTime('When it first started.'),
  finished_at: wire.nullableDateTime('When it ended.'),
  simulated: SIMULATED,
} satisfies TProperties;

export const RunAnswer = wire.record(
  'OptimizationRun',
  'An optimisation run: its progress and its outcome.',
  {
    ...HEAD,
    results: wire.listOf(
      Result,
      'The best cells, best Sharpe ratio first; empty until the run is completed.',
    ),
    reused: wire.flag('True when a run of the same question to the same data was there already.'),
    analysis: wire.nullable(Analysis),
    grid: wire.nullableListOf(Cell, 'Every cell, stop by stop; only on request.'),
  },
);

export const RunsAnswer = wire.record('OptimizationRuns', 'A page of runs, newest first.', {
  runs: wire.listOf(wire.record('OptimizationRunHead', 'A run without its outcome.', HEAD), 'Newest first.'),
  next_cursor: wire.nullableString('Leads to the next page; null on the last.'),
});

export const RunEventData = wire.record('OptimizationRunStanding', 'The progress of a run.', {
  id: HEAD.id,
  status: HEAD.status,
  progress_pct: HEAD.progress_pct,
  error_message: HEAD.error_message,
});

/** The JSON of a column. */
function schemaOf({ type, description, unit, words = [], isNullable = false }: TradeField): TSchema {
  const about = unit === undefined || description.includes(unit) ? description : `${description} ${unit}.`;
  if (type === 'instant') return wire.dateTime(about);
  if (type === 'date') return wire.date(about);
  if (type === 'words') return words.length === 0 ? wire.string(about) : wire.oneOf(words, about);
  if (type === 'boolean')
    return isNullable ? wire.nullableBoolean(about) : Type.Boolean({ description: about });
  return type === 'integer' ? wire.integer(about) : wire.number(about);
}

const valuesOf = (fields: Readonly<Record<string, TradeField>>): TProperties =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, schemaOf(field)]));

const TRADES_HEAD = {
  id: HEAD.id,
  as_of: wire.dateTime('Sessions that were not over by then do not count.'),
  simulated: SIMULATED,
  cells: wire.listOf(Cell, 'The cells asked for, with the figures of these trades in all digits.'),
} satisfies TProperties;

export const TradesAnswer = wire.record('BacktestTrades', 'Trades of cells of a run.', {
  ...TRADES_HEAD,
  trades: wire.listOf(
    wire.record('BacktestTrade', 'A trade.', {
      ...valuesOf(TRADE_FIELDS),
      inputs: wire.mapOf(
        wire.number('Dollars.'),
        'What the signal read at its bar: `bar_open`, `bar_high`, `bar_low` and `bar_close` of the bar itself and the lines of the signal.',
      ),
    }),
    'By cell, symbol, session, signal and entry.',
  ),
});

export const EquityAnswer = wire.record('BacktestEquity', 'R of cells of a run by session.', {
  ...TRADES_HEAD,
  equity: wire.listOf(
    wire.record('BacktestEquityDay', 'A session of a cell.', valuesOf(EQUITY_FIELDS)),
    'By cell and session.',
  ),
});
