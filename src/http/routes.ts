import type { FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';
import { type Static, type TSchema, Type } from 'typebox';
import type { Access, Scope } from '../operations/access/index.ts';
import { exchangeToken } from '../operations/exchange-token.ts';
import { getStock, peekStock } from '../operations/get-stock.ts';
import { StockResult } from '../operations/stock-result.ts';
import type { World } from '../operations/world.ts';
import { sendAnswer } from './answer.ts';
import type { HotAnswers } from './hot-answers.ts';
import { includeList, includeWords, stockSymbol, tradeDate } from './parameters.ts';
import { STREAM_TYPE, StreamHeaders, StreamQuery, type Streams } from './stream.ts';
import { StreamData } from './stream-events.ts';
import { KeySet, TOKEN_BODY_BYTES, TokenAnswer, TokenBody } from './token-exchange.ts';
import { callerOf } from './viewer.ts';

/** One endpoint: what it takes, what it answers, and the operation behind it. */
export interface RouteEntry {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly url: string;
  readonly operationId: string;
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  /** What a token must be good for here; null where nobody is asked for one. */
  readonly scope: Scope | null;
  readonly params?: TSchema;
  readonly querystring?: TSchema;
  readonly headers?: TSchema;
  readonly body?: TSchema;
  /** Largest body where it is less than that of every endpoint. */
  readonly bodyLimitBytes?: number;
  readonly answer: TSchema;
  /** Media type of the answer where it is not JSON. */
  readonly answerType?: string;
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
export function routes(
  world: World,
  access: Access,
  hot: HotAnswers,
  streams: Streams,
): readonly RouteEntry[] {
  return [
    {
      method: 'GET',
      url: '/api/graph/v1/stocks/:symbol',
      operationId: 'getStock',
      tag: 'stocks',
      summary: 'Everything known of one stock',
      description:
        'Price and volume, technical state, day context and scores of a stock on a trade date, with levels, volume profile, patterns and more on request. The answer is a function of data no newer than that date and, for a caller without the real-time feed, at least 15 minutes old.',
      scope: 'stock:read',
      params: StockPath,
      querystring: StockQuery,
      answer: StockResult,
      refusals: [401, 403, 404, 429, 503, 504],
      onRequest: hot.onRequest,
      handler(request, reply) {
        const viewer = callerOf(request);
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
    {
      method: 'GET',
      url: '/api/graph/v1/stream',
      operationId: 'watchStocks',
      tag: 'stocks',
      summary: 'Stocks as they change',
      description:
        'Server-sent events of up to 200 stocks: a snapshot of each, then the fields that change, and what happened (a level or an opening range broken, a tier crossed, a bias turned, a halt). A caller without the real-time feed is told minute by minute what was known 15 minutes before.',
      scope: 'stock:read',
      querystring: StreamQuery,
      headers: StreamHeaders,
      answer: StreamData,
      answerType: STREAM_TYPE,
      refusals: [401, 403, 404, 429, 503, 504],
      handler: (request, reply) => streams.serve(request, reply),
    },
    {
      method: 'POST',
      url: '/api/graph/v1/chart-agent-auth/token',
      operationId: 'exchangeToken',
      tag: 'auth',
      summary: 'A token of minutes for a client secret',
      description:
        'Trades client credentials for a token that an agent presents as `Authorization: Bearer`. An unknown client, a wrong secret and a grant that is not usable are answered alike; a scope beyond the grant is 403.',
      scope: null,
      body: TokenBody,
      bodyLimitBytes: TOKEN_BODY_BYTES,
      answer: TokenAnswer,
      refusals: [401, 403, 429, 503],
      async handler(request, reply) {
        const token = await exchangeToken(access, request.body as TokenBody, {
          address: request.ip,
          onClient(holder) {
            request.holder = holder;
          },
        });
        // RFC 6749, section 5.1: no cache on the way may keep it.
        return reply.header('cache-control', 'no-store').header('pragma', 'no-cache').send(token);
      },
    },
    {
      method: 'GET',
      url: '/.well-known/jwks.json',
      operationId: 'getKeySet',
      tag: 'auth',
      summary: 'Public keys of this installation',
      description:
        'The keys that its tokens verify with, as a JSON Web Key Set (RFC 7517). Empty until the first token is issued.',
      scope: null,
      answer: KeySet,
      refusals: [503],
      async handler(_request, reply) {
        return reply
          .header('cache-control', 'public, max-age=60')
          .send({ keys: await access.keys.publicKeys() });
      },
    },
  ];
}
