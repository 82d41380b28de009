import { accessRoutes } from '../access/routes.ts';
import type { Access } from '../access/access.ts';
import type { AppContext } from '../app-context.ts';
import { backtestRoutes } from '../backtest/routes.ts';
import { chatRoutes } from '../chat/routes.ts';
import { diffusionRoutes } from '../diffusion/routes.ts';
import { graphRoutes } from '../graph/routes.ts';
import { marketRoutes } from '../market/routes.ts';
import { optionRoutes } from '../options/routes.ts';
import { screenerRoutes } from '../screener/routes.ts';
import { stockRoutes } from '../stocks/routes.ts';
import { streamRoutes } from '../stream/routes.ts';
import { verifyRoutes } from '../verify/routes.ts';
import type { HotAnswers } from './hot-answers.ts';
import type { RouteEntry } from './route-entry.ts';
import type { RunEvents } from './run-events.ts';
import type { Streams } from './send-stream.ts';

/** The whole API, resource by resource. */
export const routes = (
  context: AppContext,
  access: Access,
  hot: HotAnswers,
  streams: Streams,
  runEvents: RunEvents,
): readonly RouteEntry[] => [
  ...stockRoutes(context, hot),
  ...diffusionRoutes(context),
  ...streamRoutes(streams),
  ...optionRoutes(context),
  ...marketRoutes(context),
  ...graphRoutes(context),
  ...chatRoutes(context),
  ...verifyRoutes(context),
  ...backtestRoutes(context, runEvents),
  ...screenerRoutes(context),
  ...accessRoutes(access),
];
