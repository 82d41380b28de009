import type { Access } from '../access/access.ts';
import { alertRoutes } from '../alerts/routes.ts';
import { backtestRoutes } from '../backtest/routes.ts';
import type { RunWatch } from '../backtest/watch-run.ts';
import { barRoutes } from '../bars/routes.ts';
import { chatRoutes } from '../chat/routes.ts';
import type { AppContext } from '../context/app-context.ts';
import type { Demo } from '../demo/demo.ts';
import { demoRoutes } from '../demo/routes.ts';
import { diffusionRoutes } from '../diffusion/routes.ts';
import { exportRoutes } from '../export/routes.ts';
import { graphRoutes } from '../graph/routes.ts';
import { historyRoutes } from '../history/routes.ts';
import type { RouteEntry } from '../http/route-entry.ts';
import type { Streams } from '../http/send-stream.ts';
import type { Imports } from '../imports/imports.ts';
import { importRoutes } from '../imports/routes.ts';
import { marketRoutes } from '../market/routes.ts';
import { optionRoutes } from '../options/routes.ts';
import { planRoutes } from '../plan/routes.ts';
import type { RecordBuild } from '../records/build-records.ts';
import { panelRoutes } from '../panel/routes.ts';
import { recordRoutes } from '../records/routes.ts';
import { screenerRoutes } from '../screener/routes.ts';
import { statusRoutes } from '../status/routes.ts';
import { stockRoutes } from '../stocks/routes.ts';
import { streamRoutes } from '../stream/routes.ts';
import type { StockWatch } from '../stream/watch-stocks.ts';
import { symbolRoutes } from '../symbols/routes.ts';
import { accessRoutes } from '../token/routes.ts';
import { verifyRoutes } from '../verify/routes.ts';
import { watchlistRoutes } from '../watchlists/routes.ts';
import type { HotAnswers } from './hot-answers.ts';

export const routes = (
  context: AppContext,
  access: Access,
  hot: HotAnswers,
  streams: Streams,
  stocks: StockWatch,
  runs: RunWatch,
  imports: Imports,
  demo: Demo,
  build: RecordBuild,
): readonly RouteEntry[] => [
  ...stockRoutes(context, (address, request) => hot.remember(address, request)),
  ...barRoutes(context),
  ...historyRoutes(context),
  ...panelRoutes(context),
  ...symbolRoutes(context),
  ...exportRoutes(context),
  ...diffusionRoutes(context),
  ...importRoutes(context, imports),
  ...demoRoutes(demo),
  ...streamRoutes(stocks, streams),
  ...optionRoutes(context),
  ...marketRoutes(context),
  ...graphRoutes(context),
  ...chatRoutes(context),
  ...verifyRoutes(context),
  ...backtestRoutes(context, runs, streams),
  ...planRoutes(context),
  ...recordRoutes(context, build),
  ...screenerRoutes(context),
  ...statusRoutes(context),
  ...watchlistRoutes(context),
  ...alertRoutes(context),
  ...accessRoutes(access),
];
