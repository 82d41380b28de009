import type { Static } from 'typebox';
import { AnsweredStock } from '../../derive/selection.ts';
import type { StockRequest } from '../answers/load-stock.ts';
import { SymbolPath } from '../answers/parameters.ts';
import type { AppContext } from '../context/app-context.ts';
import { sendAnswer, sendJson } from '../http/answer.ts';
import { callerAt, symbolAt } from '../http/authentication.ts';
import type { RouteEntry } from '../http/route-entry.ts';
import { chosenParts } from './chosen-parts.ts';
import { explainField } from './explain-field.ts';
import { getPeers } from './get-peers.ts';
import { getStock } from './get-stock.ts';
import { ExplainQuery, Explanation, PeersAnswer, PeersQuery, StockQuery } from './schema.ts';

/** The route whose answers are sent before the framework sees the request. */
export const STOCK_ROUTE = {
  method: 'GET',
  url: '/api/graph/v1/stocks/:symbol',
  operationId: 'getStock',
  scope: 'stock:read',
} as const;

/** @param remember receives what an address, as written, means where its answer is cached */
export const stockRoutes = (
  context: AppContext,
  remember: (address: string, request: StockRequest) => void,
): readonly RouteEntry[] => [
  {
    ...STOCK_ROUTE,
    tag: 'stocks',
    summary: 'Everything known of one stock',
    description:
      'Price and volume, technical state, day context and scores of a stock on a trade date, with levels, volume profile, patterns and more on request; with `fields` only the properties that it names. The answer is a function of data no newer than that date and, for a caller without the real-time feed, at least 15 minutes old.',
    params: SymbolPath,
    querystring: StockQuery,
    answer: AnsweredStock,
    example: ({ symbol, date }) => ({ parameters: { symbol, date } }),
    refusals: [401, 403, 404, 429, 503, 504],
    handler(request, reply) {
      const viewer = callerAt(request, context);
      const { date, include, fields } = request.query as Static<typeof StockQuery>;
      const stock = { symbol: symbolAt(request), date, ...chosenParts(include, fields) };
      const answer = getStock(context, stock, viewer);
      // A past minute is another viewer's: the fast path knows callers only.
      if (!(answer instanceof Promise) && viewer.asOf === undefined) remember(request.url, stock);
      return sendAnswer(request, reply, answer);
    },
  },
  {
    method: 'GET',
    url: '/api/graph/v1/stocks/:symbol/peers',
    operationId: 'getPeers',
    tag: 'stocks',
    summary: 'The peers of one stock',
    description:
      'Who the peers of a stock are and why, what their returns on a completed session implied for it, and how far its own return was from that in deviations of its own history. The peers follow from the sessions before the month of the trade date. The answer waits for a session that nobody has measured yet; if that takes longer than it may, 503 `topology_not_loaded` with Retry-After.',
    scope: 'stock:read',
    params: SymbolPath,
    querystring: PeersQuery,
    answer: PeersAnswer,
    example: ({ symbol, date }) => ({ parameters: { symbol, date } }),
    refusals: [401, 403, 404, 429, 503, 504],
    async handler(request, reply) {
      const { date } = request.query as Static<typeof PeersQuery>;
      const asked = { symbol: symbolAt(request), date };
      return sendJson(request, reply, await getPeers(context, asked, callerAt(request, context)));
    },
  },
  {
    method: 'GET',
    url: '/api/graph/v1/stocks/:symbol/explain',
    operationId: 'explainField',
    tag: 'stocks',
    summary: 'How a field of a stock came about',
    description:
      'The ledger behind a score, its inputs with their instants and sources, the page with its formula, the smallest change that would turn it in plain words, and how often such scores and levels came true.',
    scope: 'stock:read',
    params: SymbolPath,
    querystring: ExplainQuery,
    answer: Explanation,
    example: ({ symbol, date }) => ({ parameters: { symbol, field: 'bullish_confluence', date } }),
    refusals: [401, 403, 404, 429, 503, 504],
    async handler(request, reply) {
      const { date, field } = request.query as Static<typeof ExplainQuery>;
      const asked = { symbol: symbolAt(request), date, field };
      return sendJson(request, reply, await explainField(context, asked, callerAt(request, context)));
    },
  },
];
