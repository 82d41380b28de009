import { type Static, Type } from 'typebox';
import { stockSymbol } from '../../base/parameters.ts';
import { canonicalSymbol } from '../../base/symbols.ts';
import type { AppContext } from '../app-context.ts';
import { sendAnswer } from '../server/answer.ts';
import type { RouteEntry } from '../server/route-entry.ts';
import { callerOf } from '../server/viewer.ts';
import { DteScores, getDteScores, peekDteScores } from './get-dte-scores.ts';
import { Exposure, getExposure, peekExposure } from './get-exposure.ts';
import { chainDate, tradeDirection, tradeTimeframe } from './schema.ts';

const OptionPath = Type.Object({ symbol: stockSymbol }, { additionalProperties: false });

const DteQuery = Type.Object(
  {
    timeframe: Type.Optional(tradeTimeframe),
    direction: Type.Optional(tradeDirection),
    date: Type.Optional(chainDate),
  },
  { additionalProperties: false },
);

const ExposureQuery = Type.Object({ date: Type.Optional(chainDate) }, { additionalProperties: false });

/** What the option chain of a stock says. */
export const optionRoutes = (context: AppContext): readonly RouteEntry[] => [
  {
    method: 'GET',
    url: '/api/graph/v1/options/:symbol/dte-scores',
    operationId: 'getDteScores',
    tag: 'options',
    summary: 'Every expiration of a chain, weighed',
    description:
      'Weighs every expiration of the newest option chain for a buyer of options: edge ratio, IV fitness, dealer flow and liquidity, each with the inputs that it was computed from, and names the best. A date replays the chain of that day. A known symbol without a chain is answered as unavailable, with the reason.',
    scope: 'options:read',
    params: OptionPath,
    querystring: DteQuery,
    answer: DteScores,
    example: ({ chain }) =>
      chain === null ? null : { parameters: { symbol: chain.symbol, date: chain.date } },
    refusals: [401, 403, 404, 429, 503, 504],
    handler(request, reply) {
      const viewer = callerOf(request);
      const { symbol } = request.params as Static<typeof OptionPath>;
      const query = request.query as Static<typeof DteQuery>;
      const asked = {
        symbol: canonicalSymbol(symbol),
        date: query.date,
        timeframe: query.timeframe ?? 'swing',
        direction: query.direction ?? 'bullish',
      };
      const ready = peekDteScores(context, asked, viewer);
      if (ready !== null) return sendAnswer(request, reply, ready);
      return getDteScores(context, asked, viewer).then((answer) => sendAnswer(request, reply, answer));
    },
  },
  {
    method: 'GET',
    url: '/api/graph/v1/options/:symbol/exposure',
    operationId: 'getExposure',
    tag: 'options',
    summary: 'What dealers hold against a chain',
    description:
      'Gamma, delta, vanna and charm exposure of the newest option chain by strike and by expiration, with walls and gamma flip, under a named assumption of the books of dealers. A date replays the chain of that day.',
    scope: 'options:read',
    params: OptionPath,
    querystring: ExposureQuery,
    answer: Exposure,
    example: ({ chain }) =>
      chain === null ? null : { parameters: { symbol: chain.symbol, date: chain.date } },
    refusals: [401, 403, 404, 429, 503, 504],
    handler(request, reply) {
      const viewer = callerOf(request);
      const { symbol } = request.params as Static<typeof OptionPath>;
      const { date } = request.query as Static<typeof ExposureQuery>;
      const asked = { symbol: canonicalSymbol(symbol), date };
      const ready = peekExposure(context, asked, viewer);
      if (ready !== null) return sendAnswer(request, reply, ready);
      return getExposure(context, asked, viewer).then((answer) => sendAnswer(request, reply, answer));
    },
  },
];
