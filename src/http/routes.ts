import type { FastifyReply } from 'fastify';
import { type Static, Type } from 'typebox';
import { canonicalSymbol } from '../base/symbols.ts';
import { type Access, INTERNAL_SCOPE, requireSymbols } from '../operations/access/index.ts';
import { sealAnswer } from '../operations/answer-cache.ts';
import { cancelRun, getRun, listRuns, startOptimization } from '../operations/backtest/index.ts';
import { checkDiffusion, computeDiffusion } from '../operations/compute-diffusion.ts';
import { exchangeToken } from '../operations/exchange-token.ts';
import { DteScores, getDteScores, peekDteScores } from '../operations/get-dte-scores.ts';
import { Exposure, getExposure, peekExposure } from '../operations/get-exposure.ts';
import { getPeers } from '../operations/get-peers.ts';
import { getStock, peekStock } from '../operations/get-stock.ts';
import { StockResult } from '../operations/stock-result.ts';
import type { World } from '../operations/world.ts';
import { CONTENT_TYPE, sendAnswer, VARY } from './answer.ts';
import {
  exampleOfEvents,
  exampleOfRun,
  exampleOfRuns,
  exampleOfStart,
  OPTIMIZATION_BODY_BYTES,
  OptimizationBody,
  RunAnswer,
  RunEventData,
  RunPath,
  RunQuery,
  RunsAnswer,
  RunsQuery,
  runHead,
  runText,
} from './backtest.ts';
import { chatRoutes } from './chat.ts';
import {
  DIFFUSION_BODY_BYTES,
  DiffusionAnswer,
  DiffusionBody,
  exampleOfDiffusion,
  PeersAnswer,
  schemaVersionOf,
} from './diffusion.ts';
import { graphRoutes } from './graph.ts';
import type { HotAnswers } from './hot-answers.ts';
import { marketRoutes } from './market.ts';
import {
  chainDate,
  includeList,
  includeWords,
  stockSymbol,
  tradeDate,
  tradeDirection,
  tradeTimeframe,
} from './parameters.ts';
import type { RouteEntry } from './route-entry.ts';
import type { RunEvents } from './run-events.ts';
import { screenerRoutes } from './screener.ts';
import { STREAM_TYPE, StreamHeaders, StreamQuery, type Streams } from './stream.ts';
import { exampleOfStream, StreamData } from './stream-events.ts';
import { KeySet, TOKEN_BODY_BYTES, TOKEN_EXAMPLE, TokenAnswer, TokenBody } from './token-exchange.ts';
import { verifyRoutes } from './verify.ts';
import { callerOf } from './viewer.ts';

const StockPath = Type.Object({ symbol: stockSymbol }, { additionalProperties: false });

const StockQuery = Type.Object(
  { date: Type.Optional(tradeDate), include: Type.Optional(includeList) },
  { additionalProperties: false },
);

const DteQuery = Type.Object(
  {
    timeframe: Type.Optional(tradeTimeframe),
    direction: Type.Optional(tradeDirection),
    date: Type.Optional(chainDate),
  },
  { additionalProperties: false },
);

const ExposureQuery = Type.Object({ date: Type.Optional(chainDate) }, { additionalProperties: false });

const PeersQuery = Type.Object({ date: Type.Optional(tradeDate) }, { additionalProperties: false });

const RUNS_URL = '/api/graph/v1/backtest/optimize';

/** A run is its caller's, and another one at every look. */
const sendRun = (reply: FastifyReply, text: string): FastifyReply =>
  reply
    .header('content-type', CONTENT_TYPE)
    .header('cache-control', 'no-store')
    .header('vary', VARY)
    .send(text);

/** The whole API on one page. */
export function routes(
  world: World,
  access: Access,
  hot: HotAnswers,
  streams: Streams,
  runEvents: RunEvents,
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
      example: ({ symbol, date }) => ({ parameters: { symbol, date } }),
      refusals: [401, 403, 404, 429, 503, 504],
      onRequest: hot.onRequest,
      handler(request, reply) {
        const viewer = callerOf(request);
        const { symbol } = request.params as Static<typeof StockPath>;
        const { date, include } = request.query as Static<typeof StockQuery>;
        const asked = { symbol: canonicalSymbol(symbol), date, includes: includeWords(include) };
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
      url: '/api/graph/v1/stocks/:symbol/peers',
      operationId: 'getPeers',
      tag: 'stocks',
      summary: 'The peers of one stock',
      description:
        'Who the peers of a stock are and why, what their returns on a completed session implied for it, and how far its own return was from that in deviations of its own history. The peers follow from the sessions before the month of the trade date. A session that nobody has measured yet is measured in the background: 503 `topology_not_loaded` with Retry-After until then.',
      scope: 'stock:read',
      params: StockPath,
      querystring: PeersQuery,
      answer: PeersAnswer,
      example: ({ symbol, date }) => ({ parameters: { symbol, date } }),
      refusals: [401, 403, 404, 429, 503, 504],
      async handler(request, reply) {
        const { symbol } = request.params as Static<typeof StockPath>;
        const { date } = request.query as Static<typeof PeersQuery>;
        const peers = await getPeers(world, { symbol: canonicalSymbol(symbol), date }, callerOf(request));
        return sendAnswer(request, reply, sealAnswer(JSON.stringify(peers)));
      },
    },
    {
      method: 'POST',
      url: '/api/internal/graph-diffusion/compute',
      operationId: 'computeDiffusion',
      tag: 'internal',
      summary: 'Divergence scores of supplied returns',
      description:
        'Measures a vector of returns against the peers of the newest topology at three scales. Answers callers of this machine, and others with the internal scope.',
      scope: INTERNAL_SCOPE,
      body: DiffusionBody,
      bodyLimitBytes: DIFFUSION_BODY_BYTES,
      answer: DiffusionAnswer,
      example: exampleOfDiffusion,
      refusals: [400, 401, 403, 413, 429, 503, 504],
      preValidation(request, _reply, done) {
        checkDiffusion(world, schemaVersionOf(request));
        done();
      },
      async handler(request, reply) {
        const { returns, schema_version: schemaVersion } = request.body as DiffusionBody;
        const symbols = Object.keys(returns).map(canonicalSymbol);
        requireSymbols(callerOf(request), symbols);
        const answer = await computeDiffusion(world, { returns, schemaVersion });
        return reply.header('content-type', CONTENT_TYPE).header('cache-control', 'no-store').send(answer);
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
      example: exampleOfStream,
      answerType: STREAM_TYPE,
      refusals: [401, 403, 404, 429, 503, 504],
      handler: (request, reply) => streams.serve(request, reply),
    },
    {
      method: 'GET',
      url: '/api/graph/v1/options/:symbol/dte-scores',
      operationId: 'getDteScores',
      tag: 'options',
      summary: 'Every expiration of a chain, weighed',
      description:
        'Weighs every expiration of the newest option chain for a buyer of options: edge ratio, IV fitness, dealer flow and liquidity, each with the inputs that it was computed from, and names the best. A date replays the chain of that day. A known symbol without a chain is answered as unavailable, with the reason.',
      scope: 'options:read',
      params: StockPath,
      querystring: DteQuery,
      answer: DteScores,
      example: ({ chain }) =>
        chain === null ? null : { parameters: { symbol: chain.symbol, date: chain.date } },
      refusals: [401, 403, 404, 429, 503, 504],
      handler(request, reply) {
        const viewer = callerOf(request);
        const { symbol } = request.params as Static<typeof StockPath>;
        const query = request.query as Static<typeof DteQuery>;
        const asked = {
          symbol: canonicalSymbol(symbol),
          date: query.date,
          timeframe: query.timeframe ?? 'swing',
          direction: query.direction ?? 'bullish',
        };
        const ready = peekDteScores(world, asked, viewer);
        if (ready !== null) return sendAnswer(request, reply, ready);
        return getDteScores(world, asked, viewer).then((answer) => sendAnswer(request, reply, answer));
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
      params: StockPath,
      querystring: ExposureQuery,
      answer: Exposure,
      example: ({ chain }) =>
        chain === null ? null : { parameters: { symbol: chain.symbol, date: chain.date } },
      refusals: [401, 403, 404, 429, 503, 504],
      handler(request, reply) {
        const viewer = callerOf(request);
        const { symbol } = request.params as Static<typeof StockPath>;
        const { date } = request.query as Static<typeof ExposureQuery>;
        const asked = { symbol: canonicalSymbol(symbol), date };
        const ready = peekExposure(world, asked, viewer);
        if (ready !== null) return sendAnswer(request, reply, ready);
        return getExposure(world, asked, viewer).then((answer) => sendAnswer(request, reply, answer));
      },
    },
    ...marketRoutes(world),
    ...graphRoutes(world),
    ...chatRoutes(world),
    ...verifyRoutes(world),
    {
      method: 'POST',
      url: RUNS_URL,
      operationId: 'startOptimization',
      tag: 'backtest',
      summary: 'Start a search for stops and targets',
      description:
        'Tries every pair of stop and target, in multiples of the daily ATR, on the entries of intraday signals. Answers at once with a run that is pending and where to ask for it; a completed run of the same caller that asked the same of the same data is answered in its place, and says so.',
      scope: 'backtest:run',
      body: OptimizationBody,
      bodyLimitBytes: OPTIMIZATION_BODY_BYTES,
      answer: RunAnswer,
      example: exampleOfStart,
      refusals: [401, 403, 413, 429, 503],
      async handler(request, reply) {
        const { run, reused } = await startOptimization(
          world,
          request.body as OptimizationBody,
          callerOf(request),
        );
        return sendRun(reply.header('location', `${RUNS_URL}/${run.id}`), runText(run, reused));
      },
    },
    {
      method: 'GET',
      url: RUNS_URL,
      operationId: 'listRuns',
      tag: 'backtest',
      summary: 'Optimisation runs, newest first',
      description:
        'The runs of the client behind the token, or those of all callers without one, a page at a time and without what they came to.',
      scope: 'backtest:run',
      querystring: RunsQuery,
      answer: RunsAnswer,
      example: exampleOfRuns,
      refusals: [401, 403, 429, 503],
      async handler(request, reply) {
        const { limit, cursor, status } = request.query as Static<typeof RunsQuery>;
        const asked = { limit: limit === undefined ? undefined : Number(limit), cursor, status };
        const { runs, nextCursor } = await listRuns(world, asked, callerOf(request));
        return sendRun(reply, JSON.stringify({ runs: runs.map(runHead), next_cursor: nextCursor }));
      },
    },
    {
      method: 'GET',
      url: `${RUNS_URL}/:id`,
      operationId: 'getRun',
      tag: 'backtest',
      summary: 'How far a run is, and what it came to',
      description:
        'The best cells with their figures, how they did on sessions that the choice did not see, and how far the best can be believed. Every cell on request.',
      scope: 'backtest:run',
      params: RunPath,
      querystring: RunQuery,
      answer: RunAnswer,
      example: exampleOfRun,
      refusals: [401, 403, 404, 429, 503],
      async handler(request, reply) {
        const { id } = request.params as Static<typeof RunPath>;
        const { include } = request.query as Static<typeof RunQuery>;
        const withGrid = includeWords(include).includes('grid');
        return sendRun(reply, runText(await getRun(world, id, callerOf(request), { withGrid })));
      },
    },
    {
      method: 'DELETE',
      url: `${RUNS_URL}/:id`,
      operationId: 'cancelRun',
      tag: 'backtest',
      summary: 'Cancel a run',
      description:
        'Stops a run that waits or runs. Cancelling again changes nothing; a run that is completed or failed is 409.',
      scope: 'backtest:run',
      params: RunPath,
      answer: RunAnswer,
      example: exampleOfRun,
      refusals: [401, 403, 404, 409, 429, 503],
      async handler(request, reply) {
        const { id } = request.params as Static<typeof RunPath>;
        return sendRun(reply, runText(await cancelRun(world, id, callerOf(request))));
      },
    },
    {
      method: 'GET',
      url: `${RUNS_URL}/:id/events`,
      operationId: 'watchRun',
      tag: 'backtest',
      summary: 'A run as it advances',
      description:
        'Server-sent events: `progress` at once and whenever the run has come further, then `completed`, `failed` or `cancelled`, and the end.',
      scope: 'backtest:run',
      params: RunPath,
      answer: RunEventData,
      example: exampleOfEvents,
      answerType: STREAM_TYPE,
      refusals: [401, 403, 404, 429, 503],
      handler: (request, reply) => runEvents.serve(request, reply),
    },
    ...screenerRoutes(world),
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
      example: () => TOKEN_EXAMPLE,
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
      example: () => ({}),
      refusals: [503],
      async handler(_request, reply) {
        return reply
          .header('cache-control', 'public, max-age=60')
          .send({ keys: await access.keys.publicKeys() });
      },
    },
  ];
}
