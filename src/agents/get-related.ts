import { asOf, limit, symbol, words } from './arguments.ts';
import { input, rowsOf, stockLink, tool } from './tool.ts';

interface Related {
  readonly symbol: string;
  readonly as_of?: string;
  readonly source?: string;
  readonly trade_date?: string;
  readonly [list: string]: unknown;
}

const KINDS = {
  peers: { list: 'peers', columns: ['symbol', 'weight', 'correlation', 'return_pct', 'reasons'] },
  events: {
    list: 'price_events',
    columns: ['date', 'type', 'direction', 'price', 'level', 'filled', 'known_at'],
  },
  themes: {
    list: 'thematic_exposures',
    columns: ['theme', 'theme_name', 'direction', 'magnitude', 'momentum_state'],
  },
} as const;

export const getRelated = tool({
  name: 'get_related',
  title: 'Get related',
  description: 'Peers with their returns, price events, or themes of one stock.',
  input: input({
    symbol,
    kind: words(Object.keys(KINDS) as (keyof typeof KINDS)[], 'Default peers'),
    as_of: asOf,
    limit: limit(30, 15),
  }),
  example: { symbol: 'NVDA', kind: 'peers', limit: 5 },
  budget: 2_000,
  async run({ symbol, kind = 'peers', as_of, limit = 15 }, fetch) {
    const { list, columns } = KINDS[kind];
    const path = `/stocks/${encodeURIComponent(symbol)}${kind === 'peers' ? '/peers' : ''}`;
    const query = { as_of, ...(kind !== 'peers' && { fields: `${list},source` }) };
    const found = await fetch<Related>({ path, query });
    const items = (found[list] ?? []) as object[];
    return {
      as_of: found.as_of ?? null,
      source: found.source ?? null,
      symbol: found.symbol,
      ...(found.trade_date !== undefined && { date: found.trade_date }),
      columns,
      rows: rowsOf(items.slice(0, limit), columns),
      next: items.length > limit && limit < 30 ? { limit: Math.min(30, items.length) } : null,
      link: stockLink(symbol),
    };
  },
});
