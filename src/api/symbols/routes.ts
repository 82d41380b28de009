import type { Static } from 'typebox';
import type { AppContext } from '../context/app-context.ts';
import { sendAnswer } from '../http/answer.ts';
import { callerAt } from '../http/authentication.ts';
import type { RouteEntry } from '../http/route-entry.ts';
import { LIMIT, SymbolsAnswer, SymbolsQuery } from './schema.ts';
import { searchSymbols } from './search-symbols.ts';

export const symbolRoutes = (context: AppContext): readonly RouteEntry[] => [
  {
    method: 'GET',
    url: '/api/graph/v1/symbols',
    operationId: 'searchSymbols',
    tag: 'stocks',
    summary: 'Symbols by ticker and company name',
    description:
      'Symbols whose ticker begins with the search, or whose company name has words that begin with its words, with their sessions and what the tape has of them. A caller without the real-time feed gets what was known 15 minutes ago.',
    scope: 'stock:read',
    querystring: SymbolsQuery,
    answer: SymbolsAnswer,
    example: ({ symbol }) => ({ parameters: { q: symbol.slice(0, 2), limit: '5' } }),
    refusals: [401, 403, 429, 503, 504],
    async handler(request, reply) {
      const { q, sector, limit, cursor } = request.query as Static<typeof SymbolsQuery>;
      const page = { q, sector, cursor, limit: limit === undefined ? LIMIT.byDefault : Number(limit) };
      return sendAnswer(request, reply, await searchSymbols(context, page, callerAt(request, context)));
    },
  },
];
