import type { Static } from 'typebox';
import type { AppContext } from '../context/app-context.ts';
import { sendAnswer } from '../http/answer.ts';
import { callerAt } from '../http/authentication.ts';
import type { RouteEntry } from '../http/route-entry.ts';
import { getMarketContext } from './get-market-context.ts';
import { MarketContext, MarketQuery } from './schema.ts';

export const marketRoutes = (context: AppContext): readonly RouteEntry[] => [
  {
    method: 'GET',
    url: '/api/graph/v1/market/context',
    operationId: 'getMarketContext',
    tag: 'market',
    summary: 'The state of the market',
    description:
      'Regime of the market with the rules that fired, index, VIX, breadth, sectors by rank, the clock of the session and what is due: expirations, results, halts. Every null has its reason. A function of data no newer than the date and, for a caller without the real-time feed, at least 15 minutes old.',
    scope: 'market:read',
    querystring: MarketQuery,
    answer: MarketContext,
    example: ({ date }) => ({ parameters: { date } }),
    refusals: [401, 403, 404, 429, 503, 504],
    handler(request, reply) {
      const caller = callerAt(request, context);
      const { date, market } = request.query as Static<typeof MarketQuery>;
      return sendAnswer(request, reply, getMarketContext(context, { date, market }, caller));
    },
  },
];
