import { date, limit, symbol, words } from './arguments.ts';
import type { Request } from './ask.ts';
import { untrusted } from './fields.ts';
import { input, rowsOf, stockLink, tool } from './tool.ts';

interface Related {
  readonly symbol: string;
  readonly as_of?: string;
  readonly source?: string;
  readonly trade_date?: string;
  readonly [list: string]: unknown;
}

interface Kind {
  /** Where the answer has the items. */
  readonly list: string;
  readonly columns: readonly string[];
  readonly units?: Readonly<Record<string, string>>;
  ask(symbol: string): Request;
  /** What the answer says beside the items. */
  beside?(found: Related): Readonly<Record<string, unknown>>;
}

const KINDS: Readonly<Record<'peers' | 'analogs' | 'events' | 'themes', Kind>> = {
  peers: {
    list: 'peers',
    columns: ['symbol', 'weight', 'correlation', 'return_pct', 'reasons'],
    units: { return_pct: 'percent' },
    beside: () => ({ facts: 'peer.SYMBOL.COLUMN' }),
    ask: (symbol) => ({ path: `${stockLink(symbol)}/peers` }),
  },
  analogs: {
    list: 'historical_analogs',
    columns: ['symbol', 'trade_date', 'similarity', 'return_1', 'return_5', 'return_20'],
    units: { return_1: 'percent', return_5: 'percent', return_20: 'percent' },
    // The whole context: where its budget is less, the days that looked alike are among what it leaves out.
    ask: (symbol) => ({
      path: '/chat/context',
      query: { page_type: 'stock_detail', symbol, max_tokens: 32_000 },
    }),
    beside(found) {
      const { unavailable } = found.stock_data as Unavailable;
      const reasons = unavailable.filter(({ part }) => part === 'historical_analogs');
      return {
        followed: found.analog_outcomes,
        facts: 'analogs.SESSIONS.FIGURE of followed, analog.ROW.COLUMN',
        notes: reasons.map(({ reason }) => reason),
      };
    },
  },
  events: {
    list: 'price_events',
    columns: ['date', 'type', 'direction', 'price', 'level', 'filled', 'known_at'],
    units: { price: 'USD', level: 'USD' },
    ask: (symbol) => ({ path: stockLink(symbol), query: { fields: 'price_events,source' } }),
  },
  themes: {
    list: 'thematic_exposures',
    columns: ['theme', 'theme_name', 'direction', 'magnitude', 'momentum_state'],
    beside: () => untrusted(['theme', 'theme_name']),
    ask: (symbol) => ({ path: stockLink(symbol), query: { fields: 'thematic_exposures,source' } }),
  },
};

interface Unavailable {
  readonly unavailable: readonly { readonly part: string; readonly reason: string }[];
}

const LIMIT = 30;

export const getRelated = tool({
  name: 'get_related',
  title: 'Get related',
  description:
    'Peers with their returns, analogs (past days that looked alike, and what followed), price events, or themes of one stock.',
  input: input({
    symbol,
    kind: words(Object.keys(KINDS) as (keyof typeof KINDS)[], 'Default peers'),
    date,
    limit: limit(LIMIT, 15),
  }),
  example: { symbol: 'NVDA', kind: 'peers', limit: 5 },
  budget: 2_000,
  async run({ symbol, kind = 'peers', date, limit = 15 }, fetch) {
    const { list, columns, units, ask, beside } = KINDS[kind];
    const request = ask(symbol);
    const found = await fetch<Related>({ ...request, query: { ...request.query, date } });
    const items = (found[list] ?? []) as object[];
    return {
      as_of: found.as_of ?? null,
      source: found.source ?? null,
      symbol: found.symbol,
      ...(found.trade_date !== undefined && { date: found.trade_date }),
      columns,
      ...(units !== undefined && { units }),
      rows: rowsOf(items.slice(0, limit), columns),
      ...beside?.(found),
      next: items.length > limit && limit < LIMIT ? { limit: Math.min(LIMIT, items.length) } : null,
      link: stockLink(symbol, date),
    };
  },
});
