import type { Static } from 'typebox';
import { canonicalSymbol } from '../../base/symbols.ts';
import { sealAnswer } from '../context/answer-cache.ts';
import type { AppContext } from '../context/app-context.ts';
import { ARROW_STREAM, prefers, sendAnswer, sendJson, VARY } from '../http/answer.ts';
import { callerAt } from '../http/authentication.ts';
import type { RouteEntry } from '../http/route-entry.ts';
import { eventsArrow, listRecordEvents } from './list-record-events.ts';
import { listRecords } from './list-records.ts';
import { EventsAnswer, EventsQuery, RecordPath, RecordsAnswer, RecordsQuery } from './schema.ts';

const symbolIn = ({ symbol }: { readonly symbol?: string }): { readonly symbol?: string } =>
  symbol === undefined ? {} : { symbol: canonicalSymbol(symbol) };

export const recordRoutes = (context: AppContext): readonly RouteEntry[] => [
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
        return sendAnswer(request, reply, sealAnswer(eventsArrow(answer)), {
          contentType: ARROW_STREAM,
          vary,
        });
      return sendAnswer(request, reply, sealAnswer(JSON.stringify(answer)), { vary });
    },
  },
];
