import type { Static, TSchema } from 'typebox';
import { DteScores } from '../../derive/dte-scores.ts';
import { Exposure } from '../../derive/exposure.ts';
import { VolatilitySurface } from '../../derive/volatility-surface.ts';
import type { Viewer } from '../access/viewer.ts';
import type { SymbolOnDate } from '../answers/load-stock.ts';
import { SymbolPath } from '../answers/parameters.ts';
import type { Answer } from '../context/answer-cache.ts';
import type { AppContext } from '../context/app-context.ts';
import { sendAnswer } from '../http/answer.ts';
import { callerAt, symbolAt } from '../http/authentication.ts';
import type { RouteEntry } from '../http/route-entry.ts';
import { getDteScores, getExposure, getSurface } from './get-chain-answers.ts';
import { ChainQuery, DteQuery } from './schema.ts';

const chainRoute = <Query extends Omit<SymbolOnDate, 'symbol'>>(
  context: AppContext,
  entry: Pick<RouteEntry, 'url' | 'operationId' | 'summary' | 'description' | 'answer'> & {
    readonly querystring: TSchema;
  },
  get: (context: AppContext, request: Query & SymbolOnDate, viewer: Viewer) => Answer | Promise<Answer>,
): RouteEntry => ({
  ...entry,
  method: 'GET',
  tag: 'options',
  scope: 'options:read',
  params: SymbolPath,
  example: ({ chain }) =>
    chain === null ? null : { parameters: { symbol: chain.symbol, date: chain.date } },
  refusals: [401, 403, 404, 429, 503, 504],
  handler(request, reply) {
    const asked = { ...(request.query as Query), symbol: symbolAt(request) };
    return sendAnswer(request, reply, get(context, asked, callerAt(request, context)));
  },
});

export const optionRoutes = (context: AppContext): readonly RouteEntry[] => [
  chainRoute(
    context,
    {
      url: '/api/graph/v1/options/:symbol/dte-scores',
      operationId: 'getDteScores',
      summary: 'Every expiration of a chain, weighed',
      description:
        'Weighs every expiration of the newest option chain for a buyer of options: edge ratio, IV fitness, dealer flow and liquidity, each with the inputs that it was computed from, and names the best. A date replays the chain of that day. A known symbol without a chain is answered as unavailable, with the reason.',
      querystring: DteQuery,
      answer: DteScores,
    },
    (
      _,
      { timeframe = 'swing', direction = 'bullish', ...onDate }: Static<typeof DteQuery> & SymbolOnDate,
      viewer,
    ) => getDteScores(context, { ...onDate, timeframe, direction }, viewer),
  ),
  chainRoute(
    context,
    {
      url: '/api/graph/v1/options/:symbol/exposure',
      operationId: 'getExposure',
      summary: 'What dealers hold against a chain',
      description:
        'Gamma, delta, vanna and charm exposure of the newest option chain by strike and by expiration, with walls and gamma flip, under a named assumption of the books of dealers. A date replays the chain of that day.',
      querystring: ChainQuery,
      answer: Exposure,
    },
    getExposure,
  ),
  chainRoute(
    context,
    {
      url: '/api/graph/v1/options/:symbol/surface',
      operationId: 'getSurface',
      summary: 'Implied volatility by strike and expiration',
      description:
        'The smile of every expiration of the newest option chain, with its volatility at the money and at 25 delta, and the term structure that they make. A date replays the chain of that day.',
      querystring: ChainQuery,
      answer: VolatilitySurface,
    },
    getSurface,
  ),
];
