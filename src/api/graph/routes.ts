import type { Static } from 'typebox';
import { splitWords } from '../../base/parameters.ts';
import { EDGE_TYPES } from '../../graph/neighborhood.ts';
import { SymbolPath } from '../answers/parameters.ts';
import type { AppContext } from '../context/app-context.ts';
import { sendAnswer } from '../http/answer.ts';
import { callerAt, symbolAt } from '../http/authentication.ts';
import type { RouteEntry } from '../http/route-entry.ts';
import { getNeighborhood } from './get-neighborhood.ts';
import { DEPTH, LIMIT, NeighborhoodAnswer, NeighborhoodQuery } from './schema.ts';

export const graphRoutes = (context: AppContext): readonly RouteEntry[] => [
  {
    method: 'GET',
    url: '/api/graph/v1/graph/:symbol/neighborhood',
    operationId: 'getNeighborhood',
    tag: 'graph',
    summary: 'The graph around a stock',
    description:
      'Nodes and edges around a stock on a trade date, ring by ring and bounded: its levels, patterns, events, news, themes, sector, industry, peers and playbooks, and what those lead to on the same date. Nothing newer than the caller may see is met.',
    scope: 'stock:read',
    params: SymbolPath,
    querystring: NeighborhoodQuery,
    answer: NeighborhoodAnswer,
    example: ({ symbol, date }) => ({ parameters: { symbol, date } }),
    refusals: [401, 403, 404, 429, 503, 504],
    async handler(request, reply) {
      const query = request.query as Static<typeof NeighborhoodQuery>;
      const neighborhoodRequest = {
        symbol: symbolAt(request),
        date: query.date,
        depth: Number(query.depth ?? DEPTH.byDefault),
        limit: Number(query.limit ?? LIMIT.byDefault),
        types: typesOf(query.types),
      };
      const caller = callerAt(request, context);
      return sendAnswer(request, reply, getNeighborhood(context, neighborhoodRequest, caller));
    },
  },
];

/** The named types in the order of `EDGE_TYPES`; all if none is named. */
function typesOf(list: string | undefined): (typeof EDGE_TYPES)[number][] {
  const named = list === undefined ? [] : splitWords(list);
  return EDGE_TYPES.filter((type) => named.length === 0 || named.includes(type));
}
