import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { readBacktestSearch } from '../backtest/backtest-search.ts';
import { readGraphSearch } from '../graph/graph-search.ts';
import { readPlanSearch } from '../plan/plan-search.ts';
import { readScreenSearch } from '../screener/screen-search.ts';
import { readTimeSearch } from '../shared/instant.ts';
import { part } from '../shared/part.ts';
import { askAhead } from '../stock/ask-ahead.ts';
import { readCompareSearch } from '../stock/compare/compare-search.ts';
import { readStockSearch } from '../stock/stock-search.ts';
import { Frame } from './frame.tsx';
import { NoSuchPage, PageFault, PagePending } from './page-faults.tsx';

/** The address is the whole state of a page. */

/** A component whose program comes when it is wanted. */
const lazily = <Name extends string, Module extends Record<Name, () => ReactNode>>(
  name: Name,
  load: () => Promise<Module>,
) => lazyRouteComponent(part(load), name);

const root = createRootRoute({ component: Frame });

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  component: lazily('Home', () => import('../home/home.tsx')),
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
  component: lazily('StockPage', () => import('../stock/stock-page.tsx')),
});

const screener = createRoute({
  getParentRoute: () => root,
  path: '/screener',
  validateSearch: readScreenSearch,
  component: lazily('ScreenerPage', () => import('../screener/screener-page.tsx')),
});

const market = createRoute({
  getParentRoute: () => root,
  path: '/market',
  validateSearch: readTimeSearch,
  component: lazily('MarketPage', () => import('../market/market-page.tsx')),
});

const compare = createRoute({
  getParentRoute: () => root,
  path: '/compare',
  validateSearch: readCompareSearch,
  component: lazily('ComparePage', () => import('../stock/compare/compare-page.tsx')),
});

const graphStart = createRoute({
  getParentRoute: () => root,
  path: '/graph',
  validateSearch: readTimeSearch,
  component: lazily('GraphStart', () => import('../graph/graph-start.tsx')),
});

const graph = createRoute({
  getParentRoute: () => root,
  path: '/graph/$symbol',
  validateSearch: readGraphSearch,
  component: lazily('GraphPage', () => import('../graph/graph-page.tsx')),
});

const backtest = createRoute({
  getParentRoute: () => root,
  path: '/backtest',
  validateSearch: readBacktestSearch,
  component: lazily('BacktestPage', () => import('../backtest/backtest-page.tsx')),
});

const records = createRoute({
  getParentRoute: () => root,
  path: '/records',
  validateSearch: readTimeSearch,
  component: lazily('RecordsPage', () => import('../records/records-page.tsx')),
});

const plan = createRoute({
  getParentRoute: () => root,
  path: '/plan',
  validateSearch: readPlanSearch,
  component: lazily('PlanPage', () => import('../plan/plan-page.tsx')),
});

const review = createRoute({
  getParentRoute: () => root,
  path: '/review',
  validateSearch: readPlanSearch,
  component: lazily('ReviewPage', () => import('../plan/review-page.tsx')),
});

const alerts = createRoute({
  getParentRoute: () => root,
  path: '/alerts',
  component: lazily('AlertsPage', () => import('../alerts/alerts-page.tsx')),
});

const status = createRoute({
  getParentRoute: () => root,
  path: '/status',
  component: lazily('StatusPage', () => import('../status/status-page.tsx')),
});

const data = createRoute({
  getParentRoute: () => root,
  path: '/data',
  component: lazily('DataPage', () => import('../imports/data-page.tsx')),
});

export const router = createRouter({
  routeTree: root.addChildren([
    home,
    plan,
    review,
    stock,
    screener,
    market,
    compare,
    graph,
    graphStart,
    backtest,
    records,
    alerts,
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
