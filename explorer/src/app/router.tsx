import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router';
import { readBacktestSearch } from '../backtest/backtest-search.ts';
import { readGraphSearch } from '../graph/graph-search.ts';
import { readScreenSearch } from '../screener/screen-search.ts';
import { readTimeSearch } from '../shared/instant.ts';
import { part } from '../shared/part.ts';
import { askAhead } from '../stock/ask-ahead.ts';
import { readStockSearch } from '../stock/stock-search.ts';
import { Frame } from './frame.tsx';
import { NoSuchPage, PageFault, PagePending } from './page-faults.tsx';

/** The address is the whole state of a page. */

const root = createRootRoute({ component: Frame });

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  component: lazyRouteComponent(
    part(() => import('../home/home.tsx')),
    'Home',
  ),
});

const stock = createRoute({
  getParentRoute: () => root,
  path: '/stocks/$symbol',
  validateSearch: readStockSearch,
  beforeLoad: ({ params, search, cause }) => {
    const symbol = params.symbol.toUpperCase();
    if (symbol !== params.symbol) throw redirect({ to: '/stocks/$symbol', params: { symbol }, search });
    // A move of the time handle is asked for by the page, which takes it back at the next.
    if (cause !== 'stay') void askAhead(symbol, readStockSearch(search));
  },
  component: lazyRouteComponent(
    part(() => import('../stock/stock-page.tsx')),
    'StockPage',
  ),
});

const screener = createRoute({
  getParentRoute: () => root,
  path: '/screener',
  validateSearch: readScreenSearch,
  component: lazyRouteComponent(
    part(() => import('../screener/screener-page.tsx')),
    'ScreenerPage',
  ),
});

const market = createRoute({
  getParentRoute: () => root,
  path: '/market',
  validateSearch: readTimeSearch,
  component: lazyRouteComponent(
    part(() => import('../market/market-page.tsx')),
    'MarketPage',
  ),
});

const graphStart = createRoute({
  getParentRoute: () => root,
  path: '/graph',
  validateSearch: readTimeSearch,
  component: lazyRouteComponent(
    part(() => import('../graph/graph-start.tsx')),
    'GraphStart',
  ),
});

const graph = createRoute({
  getParentRoute: () => root,
  path: '/graph/$symbol',
  validateSearch: readGraphSearch,
  component: lazyRouteComponent(
    part(() => import('../graph/graph-page.tsx')),
    'GraphPage',
  ),
});

const backtest = createRoute({
  getParentRoute: () => root,
  path: '/backtest',
  validateSearch: readBacktestSearch,
  component: lazyRouteComponent(
    part(() => import('../backtest/backtest-page.tsx')),
    'BacktestPage',
  ),
});

const records = createRoute({
  getParentRoute: () => root,
  path: '/records',
  validateSearch: readTimeSearch,
  component: lazyRouteComponent(
    part(() => import('../records/records-page.tsx')),
    'RecordsPage',
  ),
});

const status = createRoute({
  getParentRoute: () => root,
  path: '/status',
  component: lazyRouteComponent(
    part(() => import('../status/status-page.tsx')),
    'StatusPage',
  ),
});

const data = createRoute({
  getParentRoute: () => root,
  path: '/data',
  component: lazyRouteComponent(
    part(() => import('../imports/data-page.tsx')),
    'DataPage',
  ),
});

export const router = createRouter({
  routeTree: root.addChildren([
    home,
    stock,
    screener,
    market,
    graph,
    graphStart,
    backtest,
    records,
    data,
    status,
  ]),
  defaultErrorComponent: PageFault,
  defaultNotFoundComponent: NoSuchPage,
  defaultPendingComponent: PagePending,
  defaultPendingMs: 0,
  defaultPendingMinMs: 0,
  defaultPreload: 'intent',
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
