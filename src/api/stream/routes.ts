import type { Static } from 'typebox';
import { splitWords } from '../../base/parameters.ts';
import { canonicalSymbol } from '../../base/symbols.ts';
import { requireSymbols } from '../access/viewer.ts';
import { callerOf } from '../http/authentication.ts';
import type { Examples, RouteEntry, RouteExample } from '../http/route-entry.ts';
import { STREAM_TYPE, type Streams } from '../http/send-stream.ts';
import { StreamData, StreamHeaders, StreamQuery } from './schema.ts';
import type { StockWatch } from './watch-stocks.ts';

export const streamRoutes = (watch: StockWatch, streams: Streams): readonly RouteEntry[] => [
  {
    method: 'GET',
    url: '/api/graph/v1/stream',
    operationId: 'watchStocks',
    tag: 'stocks',
    summary: 'Stocks as they change',
    description:
      'Server-sent events of up to 200 stocks: a snapshot of each, then the fields that change, and what happened (a level or an opening range broken, a tier crossed, a bias turned, a halt). A caller without the real-time feed gets the state of 15 minutes ago, minute by minute.',
    scope: 'stock:read',
    querystring: StreamQuery,
    headers: StreamHeaders,
    answer: StreamData,
    example: exampleOfStream,
    answerType: STREAM_TYPE,
    refusals: [401, 403, 404, 429, 503, 504],
    async handler(request, reply) {
      const caller = callerOf(request);
      const { symbols: list } = request.query as Static<typeof StreamQuery>;
      const { 'last-event-id': position = null } = request.headers as Static<typeof StreamHeaders>;
      const symbols = [...new Set(splitWords(list).map(canonicalSymbol))];
      requireSymbols(caller, symbols);
      return streams.send(request, reply, (accept) => watch.open({ symbols, position }, caller, accept));
    },
  },
];

/** A made-up change: the answer itself does not end. */
const exampleOfStream = ({ symbol, symbols, date }: Examples): RouteExample | null =>
  date === null
    ? null
    : {
        parameters: { symbols: symbols.join() },
        answer: {
          seq: 1,
          symbol,
          trade_date: date,
          as_of: `${date}T21:00:00.000Z`,
          changed: { last_price: 101.25 },
        },
      };
