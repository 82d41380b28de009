import type { Static } from 'typebox';
import type { RunRow } from '../../backtests/run-rows.ts';
import { includeWords } from '../../base/parameters.ts';
import type { AppContext } from '../context/app-context.ts';
import { ARROW_STREAM, CONTENT_TYPE, prefers, sendUncached, VARY } from '../http/answer.ts';
import { callerAt, callerOf } from '../http/authentication.ts';
import type { Examples, RouteEntry, RouteExample } from '../http/route-entry.ts';
import { STREAM_TYPE, type Streams } from '../http/send-stream.ts';
import { cancelRun } from './cancel-run.ts';
import { getRun } from './get-run.ts';
import { getTrades } from './get-trades.ts';
import { listRuns } from './list-runs.ts';
import {
  EquityAnswer,
  OPTIMIZATION_BODY_BYTES,
  OptimizationBody,
  REQUEST_DEFAULTS,
  RunAnswer,
  RunEventData,
  RunPath,
  RunQuery,
  RunsAnswer,
  RunsQuery,
  TradesAnswer,
  TradesQuery,
} from './schema.ts';
import { startOptimization } from './start-optimization.ts';
import type { RunWatch } from './watch-run.ts';

const RUNS_URL = '/api/graph/v1/backtest/optimize';

export const backtestRoutes = (
  context: AppContext,
  watch: RunWatch,
  streams: Streams,
): readonly RouteEntry[] => [
  {
    method: 'POST',
    url: RUNS_URL,
    operationId: 'startOptimization',
    tag: 'backtest',
    summary: 'Start a search for stops and targets',
    description:
      'Tries every pair of stop and target, in multiples of the daily ATR, on the entries of intraday signals. Answers at once with a run that is pending and where to ask for it; the same question of the same caller to the same data is one run, which is answered again and says so. `signals` bring entries of your own in place of `signal_types`.',
    scope: 'backtest:run',
    body: OptimizationBody,
    bodyLimitBytes: OPTIMIZATION_BODY_BYTES,
    answer: RunAnswer,
    example: exampleOfStart,
    refusals: [401, 403, 429, 503],
    async handler(request, reply) {
      const { run, reused } = await startOptimization(
        context,
        request.body as OptimizationBody,
        callerOf(request),
      );
      return sendUncached(reply.header('location', `${RUNS_URL}/${run.id}`), runText(run, reused));
    },
  },
  {
    method: 'GET',
    url: RUNS_URL,
    operationId: 'listRuns',
    tag: 'backtest',
    summary: 'Optimisation runs, newest first',
    description:
      'The runs of the client behind the token, or those of all callers without one, a page at a time, without their outcomes.',
    scope: 'backtest:run',
    querystring: RunsQuery,
    answer: RunsAnswer,
    example: exampleOfRuns,
    refusals: [401, 403, 429, 503],
    async handler(request, reply) {
      const { limit, cursor, status } = request.query as Static<typeof RunsQuery>;
      const page = { limit: limit === undefined ? undefined : Number(limit), cursor, status };
      return sendUncached(reply, JSON.stringify(await listRuns(context, page, callerOf(request))));
    },
  },
  {
    method: 'GET',
    url: `${RUNS_URL}/:id`,
    operationId: 'getRun',
    tag: 'backtest',
    summary: 'Progress and outcome of a run',
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
      return sendUncached(reply, runText(await getRun(context, id, callerOf(request), { withGrid })));
    },
  },
  tradesRoute(context, {
    of: 'trades',
    operationId: 'getRunTrades',
    summary: 'Trades of a run',
    description:
      'Every trade of a cell, of the best one or of all, with its signal, levels, fills, costs and R: the figures of the run follow from them. Up to 100,000 trades at once, or 1,000,000 by `Accept: application/vnd.apache.arrow.stream`.',
    answer: TradesAnswer,
  }),
  tradesRoute(context, {
    of: 'equity',
    operationId: 'getRunEquity',
    summary: 'Equity of a run',
    description:
      'R of a cell, of the best one or of all, session by session, with its sum and drawdown. `Accept: application/vnd.apache.arrow.stream` gets it as an Arrow stream.',
    answer: EquityAnswer,
  }),
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
      return sendUncached(reply, runText(await cancelRun(context, id, callerOf(request))));
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
    async handler(request, reply) {
      const caller = callerOf(request);
      const { id } = request.params as Static<typeof RunPath>;
      if (request.method === 'HEAD') await getRun(context, id, caller);
      return streams.send(request, reply, (accept) => watch.open(id, caller, accept));
    },
  },
];

type TradesEntry = Pick<RouteEntry, 'operationId' | 'summary' | 'description' | 'answer'>;

function tradesRoute(
  context: AppContext,
  { of, ...entry }: TradesEntry & { readonly of: 'trades' | 'equity' },
): RouteEntry {
  return {
    method: 'GET',
    url: `${RUNS_URL}/:id/${of}`,
    tag: 'backtest',
    scope: 'backtest:run',
    params: RunPath,
    querystring: TradesQuery,
    alsoServed: ARROW_STREAM,
    example: (examples, run) => exampleOfTrades(examples, run, of),
    refusals: [401, 403, 404, 409, 429, 503],
    ...entry,
    async handler(request, reply) {
      const { id } = request.params as Static<typeof RunPath>;
      const { cell } = request.query as Static<typeof TradesQuery>;
      const format = prefers(request.headers.accept, ARROW_STREAM) ? 'arrow' : 'json';
      const body = await getTrades(context, { id, of, cell, format }, callerAt(request, context));
      return reply
        .header('content-type', format === 'arrow' ? ARROW_STREAM : CONTENT_TYPE)
        .header('cache-control', 'no-store')
        .header('vary', `${VARY}, accept`)
        .send(typeof body === 'string' ? body : Buffer.from(body));
    },
  };
}

/** JSON text of a run with its stored pieces as they are. */
function runText({ results, analysis, grid, ...head }: RunRow, reused = false): string {
  const text = JSON.stringify(head).slice(0, -1);
  return `${text},"results":${results ?? '[]'},"reused":${reused},"analysis":${analysis ?? 'null'},"grid":${grid ?? 'null'}}`;
}

type Minutes = NonNullable<Examples['minutes']>;

const requestOn = ({ symbol, from, to }: Minutes): OptimizationBody => ({
  symbols: [symbol],
  start_date: from,
  end_date: to,
  signal_types: ['vwap_touch', 'ib_breakout'],
});

const exampleHead = (minutes: Minutes, id: string | null) => ({
  id: id ?? '00000000-0000-4000-8000-000000000000',
  status: 'pending' as const,
  progress_pct: 0,
  error_message: null,
  request: { ...REQUEST_DEFAULTS, ...requestOn(minutes), signals: null },
  last_session: minutes.to,
  created_at: `${minutes.to}T21:00:00.000Z`,
  started_at: null,
  finished_at: null,
  simulated: false,
});

function exampleOfStart(examples: Examples, run: string | null): RouteExample | null {
  const { minutes } = examples;
  if (minutes === null) return null;
  return { ...exampleOfRun(examples, run), body: requestOn(minutes) };
}

const exampleOfRun = ({ minutes }: Examples, run: string | null): RouteExample | null =>
  minutes === null
    ? null
    : {
        parameters: { id: run },
        answer: { ...exampleHead(minutes, run), results: [], reused: false, analysis: null, grid: null },
      };

const exampleOfTrades = (
  { minutes }: Examples,
  run: string | null,
  of: 'trades' | 'equity',
): RouteExample | null =>
  minutes === null
    ? null
    : {
        parameters: { id: run, cell: '1,2' },
        answer: { id: run, as_of: `${minutes.to}T21:00:00.000Z`, simulated: false, cells: [], [of]: [] },
      };

const exampleOfRuns = ({ minutes }: Examples, run: string | null): RouteExample | null =>
  minutes === null ? null : { answer: { runs: [exampleHead(minutes, run)], next_cursor: null } };

function exampleOfEvents({ minutes }: Examples, run: string | null): RouteExample | null {
  if (minutes === null) return null;
  const { id, status, progress_pct, error_message } = exampleHead(minutes, run);
  return { parameters: { id: run }, answer: { id, status, progress_pct, error_message } };
}
