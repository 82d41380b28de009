import { hash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** Security and CORS headers of every answer. */

/** An answer is data: it loads nothing, and no frame or other site may embed it. */
export const GUARDS = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
} as const;

const CORS_REQUEST = {
  'access-control-allow-methods': 'GET, HEAD, POST, PUT, DELETE',
  'access-control-allow-headers':
    'authorization, content-type, if-none-match, last-event-id, mcp-method, mcp-name, mcp-protocol-version, tigraph-sequence',
  'access-control-max-age': '600',
} as const;
const CORS_EXPOSED = 'etag, location, retry-after, tigraph-sequence, www-authenticate, x-request-id';

/** Alternating names and values, as `writeHead` takes them. */
export type HeaderLines = readonly string[];

declare module 'fastify' {
  interface FastifyInstance {
    /** Headers for answers that bypass fastify. */
    fixedHeaders(headers: IncomingHttpHeaders): HeaderLines;
  }
}

/** The security headers as text, for answers without a request. */
export const GUARD_LINES = Object.entries(GUARDS)
  .map(([name, value]) => `${name}: ${value}\r\n`)
  .join('');

/**
 * Sets the fixed headers on every answer, and answers CORS preflights of allowed sites.
 *
 * @param allowedOrigins origins whose pages may read answers; null for every site
 */
export function fixHeaders(app: FastifyInstance, allowedOrigins: ReadonlySet<string> | null): void {
  const lines = headerLines(allowedOrigins);
  app.decorate('fixedHeaders', ({ origin }) => lines(origin));
  app.addHook('onSend', async (request, reply, payload) => {
    const own = reply.getHeader('content-security-policy');
    const fixed = lines(request.headers.origin);
    for (let at = 0; at < fixed.length; at += 2) appendHeader(reply, fixed[at]!, fixed[at + 1]!);
    if (own !== undefined) reply.header('content-security-policy', own);
    else if (typeof payload === 'string' && isPage(reply)) {
      reply.header('content-security-policy', policyOfPage(payload));
    }
    return payload;
  });
  if (allowedOrigins?.size === 0) return;
  app.addHook('onRequest', (request, reply, done) => {
    if (isPreflight(request) && lines(request.headers.origin) !== lines(undefined)) {
      reply.code(204).headers(CORS_REQUEST).send();
    } else done();
  });
}

/** Reads `a, b` or `*` as origins as browsers send them; null for all. */
export function allowedOriginsOf(setting: string | undefined): ReadonlySet<string> | null {
  if (setting?.trim() === '*') return null;
  const origins = (setting ?? '').split(',').filter((origin) => origin.trim() !== '');
  return new Set(origins.map((origin) => new URL(origin.trim()).origin));
}

/** The headers for an origin, made once for each allowed site since hot answers need them each time. */
function headerLines(allowed: ReadonlySet<string> | null): (origin: string | undefined) => HeaderLines {
  const guards = Object.entries(GUARDS).flat();
  const shared = ['access-control-expose-headers', CORS_EXPOSED];
  if (allowed === null) {
    const open = [...guards, 'access-control-allow-origin', '*', ...shared];
    return (origin) => (origin === undefined ? guards : open);
  }
  if (allowed.size === 0) return () => guards;
  // The headers depend on the origin, so caches need `Vary`.
  const other = [...guards, 'vary', 'origin'];
  const byOrigin = new Map(
    [...allowed].map((origin) => [origin, [...other, 'access-control-allow-origin', origin, ...shared]]),
  );
  return (origin) => (origin === undefined ? other : (byOrigin.get(origin) ?? other));
}

function appendHeader(reply: FastifyReply, name: string, value: string): void {
  const present = name === 'vary' ? reply.getHeader(name) : undefined;
  reply.header(name, present === undefined ? value : `${present}, ${value}`);
}

const isPreflight = ({ method, headers }: FastifyRequest): boolean =>
  method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;

const isPage = (reply: FastifyReply): boolean =>
  String(reply.getHeader('content-type')).startsWith('text/html');

/** The documentation page runs its inline scripts by hash and talks to this host alone. Its scripts add inline styles. */
function policyOfPage(page: string): string {
  const scripts = [...page.matchAll(/<script[^>]*>([\s\S]*?)<\/script>/g)].map((match) => match[1]!);
  const hashes = scripts
    .filter((script) => script !== '')
    .map((script) => `'sha256-${hash('sha256', script, 'base64')}'`);
  return [
    "default-src 'self'",
    `script-src ${["'self'", ...hashes].join(' ')}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "object-src 'none'",
  ].join('; ');
}
