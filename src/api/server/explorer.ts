import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { canonicalSymbol, TICKER } from '../../base/symbols.ts';
import { prefers } from '../http/answer.ts';
import { refuseNothing } from '../http/errors.ts';

/** The web app: one page for every address of its own, and assets whose names change with their content. */

const DIST = fileURLToPath(new URL('../../../explorer/dist/', import.meta.url));

/** Addresses of the page; its router reads the rest. */
const PAGES = [
  '/',
  '/plan',
  '/review',
  '/screener',
  '/market',
  '/alerts',
  '/compare',
  '/graph',
  '/backtest',
  '/records',
  '/data',
  '/status',
];
const STOCK_PAGES = ['/stocks/:symbol', '/graph/:symbol'];
/** Addresses of programs, which no reader opens as a page. */
const NO_PAGES = /^\/(?:api|assets|docs)\//;

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

/** The program that shows notifications; its address never changes, since a browser asks for it again. */
const WORKER = 'alerts-worker.js';

export const isExplorerBuilt = (): boolean => existsSync(`${DIST}index.html`);

const sendPage = async (reply: FastifyReply, status: number): Promise<FastifyReply> =>
  reply
    .code(status)
    .type('text/html; charset=utf-8')
    .header('cache-control', 'no-cache')
    .header('content-security-policy', POLICY)
    // Read again: a build in the meantime has other names for its files.
    .send(await readFile(`${DIST}index.html`, 'utf8'));

/** Nothing is at an address: a reader gets the page, which says what is there, and a program the error. */
export function answerNothing(request: FastifyRequest, reply: FastifyReply) {
  const { method, url, headers } = request;
  const isRead = (method === 'GET' || method === 'HEAD') && prefers(headers.accept, 'text/html');
  return isRead && !NO_PAGES.test(url) && isExplorerBuilt()
    ? sendPage(reply, 404)
    : refuseNothing(request, reply);
}

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
    acceptRanges: false,
    immutable: true,
    maxAge: '1y',
    schemaHide: true,
  });
  const schema = { hide: true };
  app.get(`/${WORKER}`, { schema }, async (_, reply) =>
    reply
      .type('text/javascript; charset=utf-8')
      .header('cache-control', 'no-cache')
      .send(await readFile(DIST + WORKER, 'utf8')),
  );
  for (const url of PAGES) app.get(url, { schema }, (_, reply) => sendPage(reply, 200));
  for (const url of STOCK_PAGES) {
    app.get<{ Params: { symbol: string } }>(url, { schema }, ({ params: { symbol } }, reply) =>
      sendPage(reply, TICKER.test(canonicalSymbol(symbol)) ? 200 : 404),
    );
  }
}
