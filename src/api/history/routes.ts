import type { Static } from 'typebox';
import { SymbolPath } from '../answers/parameters.ts';
import type { AppContext } from '../context/app-context.ts';
import { sendAnswer } from '../http/answer.ts';
import { callerAt, symbolAt } from '../http/authentication.ts';
import type { RouteEntry } from '../http/route-entry.ts';
import { getHistory } from './get-history.ts';
import { HistoryAnswer, HistoryQuery } from './schema.ts';

/** `true` and `false` are words of an earlier version. */
const MODES = { wait: 'wait', true: 'wait', background: 'background', no: 'no', false: 'no' } as const;

export const historyRoutes = (context: AppContext): readonly RouteEntry[] => [
  {
    method: 'GET',
    url: '/api/graph/v1/stocks/:symbol/history',
    operationId: 'getHistory',
    tag: 'stocks',
    summary: 'Fields of one stock over trade dates',
    description:
      'Any single value of the stock detail over trade dates, as columns: each the value that the stock detail has for its date. Fields of bars are answered on every date; others of dates that no pass has stored are derived in the background, or while the caller waits.',
    scope: 'stock:read',
    params: SymbolPath,
    querystring: HistoryQuery,
    answer: HistoryAnswer,
    example: ({ symbol, date }) => ({
      parameters: { symbol, fields: 'last_price,technical.rsi_14', from: date, to: date, derive: 'wait' },
    }),
    refusals: [401, 403, 404, 429, 503, 504],
    async handler(request, reply) {
      const { derive, limit, ...query } = request.query as Static<typeof HistoryQuery>;
      const question = {
        symbol: symbolAt(request),
        ...query,
        limit: limit === undefined ? undefined : Number(limit),
        derive: MODES[derive ?? 'background'],
      };
      return sendAnswer(request, reply, await getHistory(context, question, callerAt(request, context)));
    },
  },
];
