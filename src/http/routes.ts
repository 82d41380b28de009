import type { FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';
import { type Static, type TSchema, Type } from 'typebox';
import { getStock, peekStock } from '../operations/get-stock.ts';
import { StockResult } from '../operations/stock-result.ts';
import type { World } from '../operations/world.ts';
import { sendAnswer } from './answer.ts';
import type { HotAnswers } from './hot-answers.ts';
import { includeList, includeWords, stockSymbol, tradeDate } from './parameters.ts';
import { type ViewerPolicy, viewerOf } from './viewer.ts';

/** One endpoint: what it takes, what it answers, and the operation behind it. */
export interface RouteEntry {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly url: string;
  readonly operationId: string;
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  readonly params?: TSchema;
  readonly querystring?: TSchema;
  readonly body?: TSchema;
  readonly answer: TSchema;
  /** Statuses that the operation can answer with beside 200 and 422. */
  readonly refusals: readonly number[];
  /** The short way past parsing and checking, for what was understood before. */
  readonly onRequest?: onRequestHookHandler;
  readonly handler: (request: FastifyRequest, reply: FastifyReply) => unknown;
}

const StockPath = Type.Object({ symbol: stockSymbol }, { additionalProperties: false });

const StockQuery = Type.Object(
  { date: Type.Optional(tradeDate), include: Type.Optional(includeList) },
  { additionalProperties: false },
);

/** The whole API on one page. */
export function routes(world: World, viewers: ViewerPolicy, hot: HotAnswers): readonly RouteEntry[] {
  return [
    {
      method: 'GET',
      url: '/api/graph/v1/stocks/:symbol',
      operationId: 'getStock',
      tag: 'stocks',
      summary: 'Everything known of one stock',
      description:
        'Price and volume, technical state, day context and scores of a stock on a trade date, with levels, volume profile, patterns and more on request. The answer is a function of data no newer than that date and, for a caller without the real-time feed, at least 15 minutes old.',
      params: StockPath,
      querystring: StockQuery,
      answer: StockResult,
      refusals: [401, 404, 503, 504],
      onRequest: hot.onRequest,
      handler(request, reply) {
        const viewer = viewerOf(request, viewers);
        const { symbol } = request.params as Static<typeof StockPath>;
        const { date, include } = request.query as Static<typeof StockQuery>;
        const asked = { symbol: symbol.toUpperCase(), date, includes: includeWords(include) };
        const ready = peekStock(world, asked, viewer);
        if (ready !== null) {
          hot.remember(request.url, asked);
          return sendAnswer(request, reply, ready);
        }
        return getStock(world, asked, viewer).then((answer) => sendAnswer(request, reply, answer));
      },
    },
  ];
}
