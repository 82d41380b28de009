import { DAY_KINDS, DIRECTIONS } from '../analysis/backtest/partial.ts';
import { ENTRY_TYPES } from '../analysis/backtest/spec.ts';
import { EXIT_REASONS } from '../analysis/backtest/trades.ts';

/** A column of trades or equity as JSON, OpenAPI and Arrow have it. */
export interface TradeField {
  readonly type: 'number' | 'integer' | 'instant' | 'date' | 'boolean' | 'words';
  readonly description: string;
  readonly unit?: string;
  /** Of `words`: what its codes mean; symbols are those of the run. */
  readonly words?: readonly string[];
  readonly isNullable?: boolean;
}

/** A column of an answer: numbers, codes of words, epoch milliseconds, 1 and 0; NaN for null. */
export interface TradeColumn extends TradeField {
  readonly name: string;
  readonly values: Float64Array;
}

const number = (unit: string, description: string): TradeField => ({ type: 'number', unit, description });
const words = (list: readonly string[], description: string): TradeField => ({
  type: 'words',
  words: list,
  description,
});

const CELL = {
  stop_atr: number('ATR', 'Stop of the cell, in multiples of the daily ATR.'),
  target_atr: number('ATR', 'Target of the cell, likewise.'),
} as const;

const OUT_OF_SAMPLE: TradeField = {
  type: 'boolean',
  isNullable: true,
  description: 'Whether the session is in the last quarter of the run; null with too few sessions.',
};

/** Of a trade what its entry says. */
export const ENTRY_FIELDS = {
  ...CELL,
  symbol: words([], 'Ticker symbol.'),
  trade_date: { type: 'date', description: 'The session.' },
  signal_type: words(ENTRY_TYPES, 'The signal; `own` for an entry of the caller.'),
  direction: words(DIRECTIONS, '`long` or `short`.'),
  day_type: words(DAY_KINDS, 'Character of the session, known only after it.'),
  signal_time: { type: 'instant', description: 'When the signal was known.' },
  entry_time: { type: 'instant', description: 'Start of the bar whose open is the entry.' },
  entry_price: number('USD', 'Entry, before costs.'),
  daily_atr: number('USD', 'ATR(14) of the session before.'),
  out_of_sample: OUT_OF_SAMPLE,
} as const satisfies Record<string, TradeField>;

export const TRADE_FIELDS = {
  ...ENTRY_FIELDS,
  stop_price: number('USD', 'Where the stop lay.'),
  target_price: number('USD', 'Where the target lay.'),
  exit_time: { type: 'instant', description: 'Start of the bar in which the trade ended.' },
  exit_price: number('USD', 'Exit, before costs.'),
  exit_reason: words(EXIT_REASONS, '`stop`, `target`, or the `close` of the session.'),
  ambiguous: {
    type: 'boolean',
    description: 'Whether its last bar touched both stop and target; it counts as stopped.',
  },
  costs: number('USD', 'Costs a share: commission, slippage and half spreads of entry and exit.'),
  r: number('R', 'Profit after costs over the initial risk, the stop times the daily ATR.'),
} as const satisfies Record<string, TradeField>;

export const EQUITY_FIELDS = {
  ...CELL,
  trade_date: { type: 'date', description: 'A session with at least one symbol that could be tested.' },
  trades: { type: 'integer', description: 'Trades of the session.' },
  r: number('R', 'Sum of R of the session; 0 without a trade.'),
  equity: number('R', 'Sum of R up to the session, from 0.'),
  drawdown: number('R', 'Fall from the highest sum so far, at least 0; not negative.'),
  out_of_sample: OUT_OF_SAMPLE,
} as const satisfies Record<string, TradeField>;
