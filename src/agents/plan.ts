import { Type } from '../base/type.ts';
import { asOf, date, list } from './arguments.ts';
import { type Cell, input, type Sourced, tool } from './tool.ts';

interface Level {
  readonly name: string;
  readonly price: number;
  readonly distance_atr: number | null;
}

interface Stock {
  readonly symbol: string;
  readonly weight: number;
  readonly price: number | null;
  readonly change_pct: number | null;
  readonly bias: string | null;
  readonly gap: { readonly pct: number } | null;
  readonly expected_move: { readonly move: number; readonly move_pct: number } | null;
  readonly gamma: { readonly flip: number | null } | null;
  readonly above: readonly Level[];
  readonly below: readonly Level[];
  readonly why: readonly { readonly says: string }[];
  readonly turns: readonly { readonly says: string }[];
}

interface Plan extends Sourced {
  readonly date: string;
  readonly list: string | null;
  readonly market: Readonly<Record<string, unknown>> | null;
  readonly stocks: readonly Stock[];
  readonly left_out: readonly { readonly symbol: string; readonly reason: string }[];
}

const COLUMNS = [
  ...['symbol', 'weight', 'price', 'change_pct', 'bias', 'gap_pct', 'expected_move', 'expected_move_pct'],
  ...['gamma_flip', 'above', 'below', 'why', 'would_change'],
];

export const plan = tool({
  name: 'plan',
  title: 'Plan of a session',
  description:
    'What matters in a session for stocks or a list of yours, most important first: why, gap, expected move, levels, what would change the view.',
  input: input({
    symbols: Type.Optional(list(50, 'Tickers')),
    list: Type.Optional(Type.String({ maxLength: 60, description: 'A watchlist' })),
    date,
    as_of: asOf,
  }),
  example: { symbols: ['NVDA', 'AMD'] },
  budget: 4_000,
  async run({ symbols, ...asked }, fetch) {
    const query = { ...asked, symbols: symbols?.join() };
    const answer = await fetch<Plan>({ path: '/plan', query });
    const { stocks, left_out, market, date: day } = answer;
    return {
      as_of: answer.as_of,
      source: answer.source,
      date: day,
      market,
      columns: COLUMNS,
      units: {
        change_pct: '%',
        gap_pct: '%',
        expected_move: 'USD',
        expected_move_pct: '%',
        above: 'ATR away',
      },
      rows: stocks.map(rowOf),
      notes: left_out.map(({ symbol, reason }) => `${symbol}: ${reason}`),
      link: `/plan?date=${day}&${symbols === undefined ? `list=${encodeURIComponent(answer.list ?? '')}` : `symbols=${symbols.join()}`}`,
    };
  },
  rest: (given, kept, { rows = [] }) => ({
    ...given,
    list: undefined,
    symbols: rows.slice(kept).map(([symbol]) => String(symbol)),
  }),
});

const rowOf = (stock: Stock): readonly Cell[] => [
  ...[stock.symbol, stock.weight, stock.price, stock.change_pct, stock.bias],
  stock.gap?.pct ?? null,
  stock.expected_move?.move ?? null,
  stock.expected_move?.move_pct ?? null,
  stock.gamma?.flip ?? null,
  levelsText(stock.above),
  levelsText(stock.below),
  stock.why.map(({ says }) => says).join(' '),
  stock.turns.map(({ says }) => says).join(' '),
];

const levelsText = (levels: readonly Level[]): string =>
  levels
    .map(({ name, price, distance_atr }) => `${name} ${price} (${distance_atr?.toFixed(2) ?? '?'})`)
    .join(', ');
