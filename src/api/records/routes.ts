import type { Static } from 'typebox';
import { canonicalSymbol } from '../../base/symbols.ts';
import { INTERNAL_SCOPE } from '../access/scopes.ts';
import { sealAnswer } from '../context/answer-cache.ts';
import type { AppContext } from '../context/app-context.ts';
import { ARROW_STREAM, prefers, sendAnswer, sendJson, sendUncached, VARY } from '../http/answer.ts';
import { callerAt, requireWhole } from '../http/authentication.ts';
import type { RouteEntry } from '../http/route-entry.ts';
import type { RecordBuild } from './build-records.ts';
import { eventsArrow, listRecordEvents } from './list-record-events.ts';
import { listRecords } from './list-records.ts';
import {
  EventsAnswer,
  EventsQuery,
  RecordBuildAnswer,
  RecordPath,
  RecordsAnswer,
  RecordsQuery,
} from './schema.ts';

const symbolIn = ({ symbol }: { readonly symbol?: string }): { readonly symbol?: string } =>
  symbol === undefined ? {} : { symbol: canonicalSymbol(symbol) };

const BUILD_URL = '/api/internal/records/build';
const WHO = 'Answers callers of this machine, and others with the internal scope.';

export const recordRoutes = (context: AppContext, build: RecordBuild): readonly RouteEntry[] => [
  {
    method: 'GET',
    url: BUILD_URL,
    operationId: 'getRecordBuild',
    tag: 'internal',
    summary: 'How far the count of past claims is',
    description: `Whether past sessions are being counted, and how far that is. ${WHO}`,
    scope: INTERNAL_SCOPE,
    answer: RecordBuildAnswer,
    example: () => ({ answer: { state: 'building', share_done: 0.4 } }),
    refusals: [401, 403, 429, 503],
    async handler(request, reply) {
      requireWhole(request);
      return sendUncached(reply, JSON.stringify(build.standing()));
    },
  },
  {
    method: 'POST',
    url: BUILD_URL,
    operationId: 'buildRecords',
    tag: 'internal',
    summary: 'Count past claims',
    description: `Counts what became of the claims of every past session; the answer comes at once, and again while they are counted. ${WHO}`,
    scope: INTERNAL_SCOPE,
    answer: RecordBuildAnswer,
    example: () => ({ answer: { state: 'building', share_done: null } }),
    refusals: [401, 403, 429, 503],
    async handler(request, reply) {
      requireWhole(request);
      return sendUncached(reply, JSON.stringify(build.start()));
    },
  },
  {
    method: 'GET',
    url: '/api/graph/v1/records',
    operationId: 'listRecords',
    tag: 'records',
    summary: 'How often claims came true, and how often by chance',
    description:
      'The record of each family of levels, type of pattern, score, divergence and recommended expiration: how many of its claims came true, with an interval over dates, and how many would have by chance. A filter by symbol, regime or dates is explored: an interval, and no verdict. A caller whose grant is narrowed sees its symbols alone.',
    scope: 'market:read',
    querystring: RecordsQuery,
    answer: RecordsAnswer,
    example: () => ({ parameters: { kind: 'level', key: 'prior_day' } }),
    refusals: [401, 403, 429, 503, 504],
    async handler(request, reply) {
      const { as_of: _, ...query } = request.query as Static<typeof RecordsQuery>;
      const asked = { ...query, ...symbolIn(query) };
      return sendJson(request, reply, await listRecords(context, asked, callerAt(request, context)));
    },
  },
  {
    method: 'GET',
    url: '/api/graph/v1/records/:id/events',
    operationId: 'listRecordEvents',
    tag: 'records',
    summary: 'The claims of a record, misses too',
    description:
      'Claims that met their condition, at their instants, with what became of them, the newest first. `Accept: application/vnd.apache.arrow.stream` gets them as an Arrow stream, whose metadata has `next_cursor`.',
    scope: 'market:read',
    params: RecordPath,
    querystring: EventsQuery,
    answer: EventsAnswer,
    alsoServed: ARROW_STREAM,
    example: () => ({ parameters: { id: 'level.prior_day', outcome: 'false', limit: '5' } }),
    refusals: [401, 403, 429, 503, 504],
    async handler(request, reply) {
      const { as_of: _, limit, ...query } = request.query as Static<typeof EventsQuery>;
      const { id } = request.params as Static<typeof RecordPath>;
      const asked = {
        ...query,
        ...symbolIn(query),
        id,
        ...(limit === undefined ? {} : { limit: Number(limit) }),
      };
      const answer = await listRecordEvents(context, asked, callerAt(request, context));
      const vary = `${VARY}, accept`;
      if (prefers(request.headers.accept, ARROW_STREAM))
        return sendAnswer(request, reply, sealAnswer(await eventsArrow(answer)), {
          contentType: ARROW_STREAM,
          vary,
        });
      return sendAnswer(request, reply, sealAnswer(JSON.stringify(answer)), { vary });
    },
  },
];
