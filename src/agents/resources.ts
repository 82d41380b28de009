import { type McpServer, ResourceNotFoundError, ResourceTemplate } from '@modelcontextprotocol/server';
import { documentPaths, readDocument } from '../base/documents.ts';
import { type Ask, bodyOf, Refused } from './ask.ts';

/** The documents, the list of fields, and stock-days by address, for clients that show resources. Tools reach the same. */
export function registerResources(server: McpServer, ask: Ask): void {
  const json = { mimeType: 'application/json' };
  const contents = (uri: URL, body: unknown) => ({
    contents: [{ uri: uri.href, ...json, text: JSON.stringify(body) }],
  });
  const markdown = { mimeType: 'text/markdown' };
  const inDocs = /^docs\/([\w-]+)\.md$/;
  server.registerResource(
    'document',
    new ResourceTemplate('tigraph://docs/{name}', {
      async list() {
        const names = (await documentPaths()).flatMap((path) => inDocs.exec(path)?.[1] ?? []);
        return { resources: names.map((name) => ({ name, uri: `tigraph://docs/${name}`, ...markdown })) };
      },
    }),
    { title: 'A document', ...markdown },
    async (uri, { name }) => {
      const path = (await documentPaths()).find((one) => one === `docs/${String(name)}.md`);
      if (path === undefined) throw new ResourceNotFoundError(uri.href);
      return { contents: [{ uri: uri.href, ...markdown, text: (await readDocument(path)).text }] };
    },
  );
  server.registerResource('fields', 'tigraph://fields', { title: 'Fields', ...json }, async (uri) =>
    contents(uri, await bodyOf(ask({ path: '/screener/fields' }))),
  );
  server.registerResource(
    'stock_day',
    new ResourceTemplate('tigraph://stocks/{symbol}/{date}', { list: undefined }),
    { title: 'A stock on a trade date', ...json },
    async (uri, { symbol, date }) => {
      const path = `/stocks/${encodeURIComponent(String(symbol))}`;
      const stock = bodyOf(ask({ path, query: { date: String(date) } }));
      const found = await stock.catch((error) => {
        const isAbsent = error instanceof Refused && error.status === 404;
        throw isAbsent ? new ResourceNotFoundError(uri.href) : error;
      });
      return contents(uri, found);
    },
  );
}
