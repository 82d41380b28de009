import { Readable } from 'node:stream';
import type { AppContext } from '../context/app-context.ts';
import { ARROW_STREAM, CONTENT_TYPE, prefers, VARY } from '../http/answer.ts';
import { callerAt } from '../http/authentication.ts';
import type { RouteEntry } from '../http/route-entry.ts';
import { openPanel, type PanelContent } from './get-panel.ts';
import { PANEL_BODY_BYTES, PanelAnswer, PanelBody, PanelQuery } from './schema.ts';

export const panelRoutes = (context: AppContext): readonly RouteEntry[] => [
  {
    method: 'POST',
    onlyReads: true,
    url: '/api/graph/v1/panel',
    operationId: 'getPanel',
    tag: 'stocks',
    summary: 'Fields of many stocks over trade dates',
    description:
      'Any single value of the stock detail, for some symbols, a list of yours or the stocks that pass a screen, over trade dates: each the value that the stock detail has for its date. The answer is sent stock by stock. `Accept: application/vnd.apache.arrow.stream` gets one long table of them as an Arrow stream, with `trade_date` and `symbol` in front.',
    scope: 'stock:read',
    querystring: PanelQuery,
    body: PanelBody,
    bodyLimitBytes: PANEL_BODY_BYTES,
    answer: PanelAnswer,
    alsoServed: ARROW_STREAM,
    example: ({ symbols, date }) =>
      date === null
        ? null
        : { body: { fields: ['last_price', 'technical.rsi_14'], symbols, from: date, to: date } },
    refusals: [401, 403, 404, 410, 429, 503, 504],
    async handler(request, reply) {
      const format = prefers(request.headers.accept, ARROW_STREAM) ? 'arrow' : 'json';
      const parts = await openPanel(
        context,
        request.body as PanelContent,
        format,
        callerAt(request, context),
      );
      return reply
        .header('content-type', format === 'arrow' ? ARROW_STREAM : CONTENT_TYPE)
        .header('cache-control', 'no-store')
        .header('vary', `${VARY}, accept`)
        .send(Readable.from(parts, { objectMode: false }));
    },
  },
];
