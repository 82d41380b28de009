import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router';
import type { Interval } from './api/queries.ts';
import { readBacktestSearch } from './backtest/backtest-search.ts';
import { Frame } from './frame/frame.tsx';
import { readGraphSearch } from './graph/graph-search.ts';
import { readScreenSearch } from './screener/screen-search.ts';
import { askAhead } from './stock/ask-ahead.ts';

/** The address is the whole state of a page. */

export const INTERVALS = ['1m', '5m', '15m', '1h', '1d', '1w'] as const satisfies readonly Interval[];
export const TABS = ['options', 'flow', 'peers', 'company', 'news', 'playbooks', 'ask'] as const;
export type Tab = (typeof TABS)[number];

/** State of the stock page; what is absent has its default. */
export interface StockSearch {
  /** RFC 3339 to the minute; absent for the newest instant. */
  readonly as_of?: string;
  readonly interval?: Interval;
  readonly layers?: string;
  readonly tab?: Tab;
  /** Shows today beside the past minute. */
  readonly compare?: true;
}

const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

const oneOf = <Word extends string>(words: readonly Word[], value: unknown): Word | undefined =>
  words.find((word) => word === value);

/** An instant of an address; anything else is the newest. */
const instant = (value: unknown): string | undefined =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(value) && !Number.isNaN(Date.parse(value))
    ? value
    : undefined;

/** Leaves out what is absent, so that addresses stay short. */
function present<Search extends object>(search: Search): Search {
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined)) as Search;
}

type Loose<Search> = { [Name in keyof Search]: Search[Name] | undefined };

export const readStockSearch = (search: Record<string, unknown>): StockSearch =>
  present<Loose<StockSearch>>({
    as_of: instant(search.as_of),
    interval: oneOf(INTERVALS, search.interval),
    layers: text(search.layers),
    tab: oneOf(TABS, search.tab),
    compare: search.compare === true || undefined,
  }) as StockSearch;

export const readTimeSearch = (search: Record<string, unknown>): Pick<StockSearch, 'as_of'> =>
  present({ as_of: instant(search.as_of) }) as Pick<StockSearch, 'as_of'>;

const root = createRootRoute({ component: Frame });

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  component: lazyRouteComponent(() => import('./frame/home.tsx'), 'Home'),
});

const stock = createRoute({
  getParentRoute: () => root,
  path: '/stocks/$symbol',
  validateSearch: readStockSearch,
  beforeLoad: ({ params, search, cause }) => {
    const symbol = params.symbol.toUpperCase();
    if (symbol !== params.symbol) throw redirect({ to: '/stocks/$symbol', params: { symbol }, search });
    // A move of the time handle is asked for by the page, which takes it back at the next.
    if (cause !== 'stay') void askAhead(symbol, search);
  },
  component: lazyRouteComponent(() => import('./stock/stock-page.tsx'), 'StockPage'),
});

const screener = createRoute({
  getParentRoute: () => root,
  path: '/screener',
  validateSearch: readScreenSearch,
  component: lazyRouteComponent(() => import('./screener/screener-page.tsx'), 'ScreenerPage'),
});

const market = createRoute({
  getParentRoute: () => root,
  path: '/market',
  validateSearch: readTimeSearch,
  component: lazyRouteComponent(() => import('./market/market-page.tsx'), 'MarketPage'),
});

const graph = createRoute({
  getParentRoute: () => root,
  path: '/graph/$symbol',
  validateSearch: readGraphSearch,
  component: lazyRouteComponent(() => import('./graph/graph-page.tsx'), 'GraphPage'),
});

const backtest = createRoute({
  getParentRoute: () => root,
  path: '/backtest',
  validateSearch: readBacktestSearch,
  component: lazyRouteComponent(() => import('./backtest/backtest-page.tsx'), 'BacktestPage'),
});

const status = createRoute({
  getParentRoute: () => root,
  path: '/status',
  component: lazyRouteComponent(() => import('./status/status-page.tsx'), 'StatusPage'),
});

export const router = createRouter({
  routeTree: root.addChildren([home, stock, screener, market, graph, backtest, status]),
  defaultPreload: 'intent',
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
