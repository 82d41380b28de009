import { type Static, Type } from 'typebox';
import { getMarketContext, MarketContext, peekMarketContext } from './get-market-context.ts';
import type { AppContext } from '../app-context.ts';
import { sendAnswer } from '../server/answer.ts';
import { tradeDate } from '../../base/parameters.ts';
import type { RouteEntry } from '../server/route-entry.ts';
import { callerOf } from '../server/viewer.ts';

const MarketQuery = Type.Object(
  {
    date: Type.Optional({
      ...tradeDate,
      description: 'Trade date, YYYY-MM-DD. Default: the newest session that has a market.',
    }),
  },
  { additionalProperties: false },
);

/** The market as a whole. */
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
      const caller = callerOf(request);
      const { date } = request.query as Static<typeof MarketQuery>;
      const ready = peekMarketContext(context, { date }, caller);
      if (ready !== null) return sendAnswer(request, reply, ready);
      return getMarketContext(context, { date }, caller).then((answer) => sendAnswer(request, reply, answer));
    },
  },
];
