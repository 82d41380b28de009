import { date, symbol, words } from './arguments.ts';
import { input, rowsOf, stockLink, tool } from './tool.ts';

interface Chain {
  readonly symbol: string;
  readonly source_time: string | null;
  readonly availability: string;
  readonly availability_qualifier: string;
  readonly sessions_old: number | null;
  readonly age_minutes: number | null;
  readonly [figure: string]: unknown;
}

const VIEWS = {
  exposure: {
    path: 'exposure',
    list: 'by_expiration',
    columns: ['expiration', 'dte', 'net_gamma', 'call_wall', 'put_wall', 'delta', 'vanna', 'charm'],
    figures: ['spot_price', 'gamma_flip', 'call_wall', 'put_wall', 'regime', 'assumption'],
  },
  strikes: {
    path: 'exposure',
    list: 'by_strike',
    columns: ['strike', 'net_gamma', 'call_gamma', 'put_gamma'],
    figures: ['spot_price', 'gamma_flip', 'regime', 'assumption'],
  },
  expirations: {
    path: 'dte-scores',
    list: 'expirations',
    columns: 'expiration dte composite_score edge_ratio iv_fitness dealer_flow liquidity confidence'.split(
      ' ',
    ),
    figures: ['spot_price', 'atr', 'recommended_expiration', 'timeframe'],
  },
} as const;

export const getOptions = tool({
  name: 'get_options',
  title: 'Get options',
  description:
    'Dealer exposure with gamma flip and walls, the same by strikes, or expirations scored for a buyer.',
  input: input({
    symbol,
    view: words(Object.keys(VIEWS) as (keyof typeof VIEWS)[], 'Default exposure'),
    direction: words(['bullish', 'bearish'], 'Of view expirations'),
    date,
  }),
  example: { symbol: 'SPY', view: 'exposure' },
  budget: 3_000,
  async run({ symbol, view = 'exposure', direction, date }, fetch) {
    const { path, list, columns, figures } = VIEWS[view];
    const query = { date, ...(path === 'dte-scores' && { direction }) };
    const chain = await fetch<Chain>({ path: `/options/${encodeURIComponent(symbol)}/${path}`, query });
    return {
      as_of: chain.source_time,
      source: null,
      symbol: chain.symbol,
      sessions_old: chain.sessions_old,
      age_minutes: chain.age_minutes,
      ...Object.fromEntries(figures.map((name) => [name, chain[name] ?? null])),
      columns,
      rows: rowsOf(chain[list] as object[], columns),
      ...(view === 'exposure' && { facts: 'exposure.FIGURE' }),
      notes:
        chain.availability === 'available' && chain.sessions_old === 0
          ? []
          : [`${chain.availability}: ${chain.availability_qualifier}`],
      link: stockLink(symbol, date),
    };
  },
});
