import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';

/** The web app: one page for every address of its own, and assets whose names change with their content. */

const DIST = fileURLToPath(new URL('../../../explorer/dist/', import.meta.url));

/** Addresses of the page; its router reads the rest. */
const PAGES = ['/', '/stocks/*', '/screener', '/market', '/graph', '/graph/*', '/backtest', '/status'];

/** The page loads its own files and talks to its own service. Charts set styles by script, which needs no exception. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

export const isExplorerBuilt = (): boolean => existsSync(`${DIST}index.html`);

/** Serves the web app; where it is not built, `/` leads to the documentation page. */
export async function serveExplorer(app: FastifyInstance): Promise<void> {
  if (!isExplorerBuilt()) {
    app.get('/', { schema: { hide: true } }, (_, reply) => reply.redirect('/docs'));
    return;
  }
  await app.register(fastifyStatic, {
    root: `${DIST}assets`,
    prefix: '/assets/',
    decorateReply: false,
    preCompressed: true,
    immutable: true,
    maxAge: '1y',
    schemaHide: true,
  });
  for (const url of PAGES) {
    app.get(url, { schema: { hide: true } }, async (_, reply) =>
      reply
        .type('text/html; charset=utf-8')
        .header('cache-control', 'no-cache')
        .header('content-security-policy', POLICY)
        // Read again: a build in the meantime has other names for its files.
        .send(await readFile(`${DIST}index.html`, 'utf8')),
    );
  }
}
