import type { Static } from 'typebox';
import { SymbolPath } from '../answers/parameters.ts';
import type { AppContext } from '../context/app-context.ts';
import { ARROW_STREAM, CONTENT_TYPE, prefers, sendAnswer, VARY } from '../http/answer.ts';
import { callerAt, symbolAt } from '../http/authentication.ts';
import type { RouteEntry } from '../http/route-entry.ts';
import { getBars } from './get-bars.ts';
import { BarsQuery, BarsResult } from './schema.ts';

export const barRoutes = (context: AppContext): readonly RouteEntry[] => [
  {
    method: 'GET',
    url: '/api/graph/v1/stocks/:symbol/bars',
    operationId: 'getBars',
    tag: 'stocks',
    summary: 'Bars of one stock',
    description:
      'Open, high, low, close and volume by minute, hour, day or week, as columns, built from the finest rows that the tape has of each session. No bar lies on both sides of the open or the close. `Accept: application/vnd.apache.arrow.stream` gets them as an Arrow stream. A caller without the real-time feed gets what was final 15 minutes ago.',
    scope: 'stock:read',
    params: SymbolPath,
    querystring: BarsQuery,
    answer: BarsResult,
    alsoServed: ARROW_STREAM,
    example: ({ symbol, date }) => ({ parameters: { symbol, interval: '1d', to: date, limit: '5' } }),
    refusals: [401, 403, 404, 429, 503, 504],
    async handler(request, reply) {
      const query = request.query as Static<typeof BarsQuery>;
      const format = prefers(request.headers.accept, ARROW_STREAM) ? 'arrow' : 'json';
      const barsRequest = {
        symbol: symbolAt(request),
        interval: query.interval ?? '1d',
        from: query.from,
        to: query.to,
        adjusted: query.adjusted !== 'false',
        session: query.session ?? 'regular',
        limit: query.limit === undefined ? undefined : Number(query.limit),
        cursor: query.cursor,
        format,
      } as const;
      const answer = await getBars(context, barsRequest, callerAt(request, context));
      const contentType = format === 'arrow' ? ARROW_STREAM : CONTENT_TYPE;
      return sendAnswer(request, reply, answer, { contentType, vary: `${VARY}, accept` });
    },
  },
];
