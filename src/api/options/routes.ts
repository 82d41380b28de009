import type { Static } from 'typebox';
import { canonicalSymbol } from '../../base/symbols.ts';
import { DteScores } from '../../derive/dte-scores.ts';
import { Exposure } from '../../derive/exposure.ts';
import { VolatilitySurface } from '../../derive/volatility-surface.ts';
import type { AppContext } from '../context/app-context.ts';
import { sendCached } from '../http/answer.ts';
import { callerAt } from '../http/authentication.ts';
import type { RouteEntry } from '../http/route-entry.ts';
import {
  getDteScores,
  getExposure,
  getSurface,
  peekDteScores,
  peekExposure,
  peekSurface,
} from './get-chain-answers.ts';
import { ChainQuery, DteQuery, OptionPath } from './schema.ts';

/** What the routes about the newest chain of a symbol share. */
const OF_A_CHAIN = {
  method: 'GET',
  tag: 'options',
  scope: 'options:read',
  params: OptionPath,
  example: ({ chain }) =>
    chain === null ? null : { parameters: { symbol: chain.symbol, date: chain.date } },
  refusals: [401, 403, 404, 429, 503, 504],
} satisfies Partial<RouteEntry>;

export const optionRoutes = (context: AppContext): readonly RouteEntry[] => [
  {
    ...OF_A_CHAIN,
    url: '/api/graph/v1/options/:symbol/dte-scores',
    operationId: 'getDteScores',
    summary: 'Every expiration of a chain, weighed',
    description:
      'Weighs every expiration of the newest option chain for a buyer of options: edge ratio, IV fitness, dealer flow and liquidity, each with the inputs that it was computed from, and names the best. A date replays the chain of that day. A known symbol without a chain is answered as unavailable, with the reason.',
    querystring: DteQuery,
    answer: DteScores,
    handler(request, reply) {
      const caller = callerAt(request, context);
      const { symbol } = request.params as Static<typeof OptionPath>;
      const query = request.query as Static<typeof DteQuery>;
      const dteRequest = {
        symbol: canonicalSymbol(symbol),
        date: query.date,
        timeframe: query.timeframe ?? 'swing',
        direction: query.direction ?? 'bullish',
      };
      const cached = peekDteScores(context, dteRequest, caller);
      return sendCached(request, reply, cached, () => getDteScores(context, dteRequest, caller));
    },
  },
  {
    ...OF_A_CHAIN,
    url: '/api/graph/v1/options/:symbol/exposure',
    operationId: 'getExposure',
    summary: 'What dealers hold against a chain',
    description:
      'Gamma, delta, vanna and charm exposure of the newest option chain by strike and by expiration, with walls and gamma flip, under a named assumption of the books of dealers. A date replays the chain of that day.',
    querystring: ChainQuery,
    answer: Exposure,
    handler(request, reply) {
      const caller = callerAt(request, context);
      const { symbol } = request.params as Static<typeof OptionPath>;
      const { date } = request.query as Static<typeof ChainQuery>;
      const onDate = { symbol: canonicalSymbol(symbol), date };
      const cached = peekExposure(context, onDate, caller);
      return sendCached(request, reply, cached, () => getExposure(context, onDate, caller));
    },
  },
  {
    ...OF_A_CHAIN,
    url: '/api/graph/v1/options/:symbol/surface',
    operationId: 'getSurface',
    summary: 'Implied volatility by strike and expiration',
    description:
      'The smile of every expiration of the newest option chain, with its volatility at the money and at 25 delta, and the term structure that they make. A date replays the chain of that day.',
    querystring: ChainQuery,
    answer: VolatilitySurface,
    handler(request, reply) {
      const caller = callerAt(request, context);
      const { symbol } = request.params as Static<typeof OptionPath>;
      const { date } = request.query as Static<typeof ChainQuery>;
      const onDate = { symbol: canonicalSymbol(symbol), date };
      const cached = peekSurface(context, onDate, caller);
      return sendCached(request, reply, cached, () => getSurface(context, onDate, caller));
    },
  },
];
