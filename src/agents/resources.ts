import { type McpServer, ResourceTemplate } from '@modelcontextprotocol/server';
import { type Ask, bodyOf } from './ask.ts';

/** The list of fields, and stock-days by address, for clients that show resources. Tools reach the same. */
export function registerResources(server: McpServer, ask: Ask): void {
  const json = { mimeType: 'application/json' };
  const contents = (uri: URL, body: unknown) => ({
    contents: [{ uri: uri.href, ...json, text: JSON.stringify(body) }],
  });
  server.registerResource('fields', 'tigraph://fields', { title: 'Fields', ...json }, async (uri) =>
    contents(uri, await bodyOf(ask({ path: '/screener/fields' }))),
  );
  server.registerResource(
    'stock_day',
    new ResourceTemplate('tigraph://stocks/{symbol}/{date}', { list: undefined }),
    { title: 'A stock on a trade date', ...json },
    async (uri, { symbol, date }) => {
      const path = `/stocks/${encodeURIComponent(String(symbol))}`;
      return contents(uri, await bodyOf(ask({ path, query: { date: String(date) } })));
    },
  );
}
