import { Readable } from 'node:stream';
import type { AuthInfo } from '@modelcontextprotocol/server';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Ask, addressOf } from '../../agents/ask.ts';
import type { createMcpServer } from '../../agents/mcp-server.ts';
import { CodedError } from '../../base/errors.ts';
import { bearerOf, type ViewerPolicy } from '../http/authentication.ts';
import { type CountedCall, withinCall } from '../http/hardening.ts';
import { CLIENT_METADATA, type HomeOf, LOGIN } from './oauth.ts';

/** Larger than any call of a tool. */
const BODY_BYTES = 262_144;

interface Mounted {
  readonly version: string;
  readonly viewers: ViewerPolicy;
  /** Null for every site. */
  readonly allowedOrigins: ReadonlySet<string> | null;
  readonly homeOf: HomeOf;
  /** What answers; the tools unless set. */
  readonly makeServer?: typeof createMcpServer;
}

/**
 * The Model Context Protocol over HTTP: `/mcp` answers callers without a token, as far as the installation does, and
 * `/mcp/token` none. A client logs in only where it is challenged.
 */
export function serveMcp(
  app: FastifyInstance,
  { version, viewers, allowedOrigins, homeOf, makeServer }: Mounted,
): void {
  const { access, authRequired } = viewers;
  const requests = new WeakMap<Request, { request: FastifyRequest; call: CountedCall }>();
  let opened: ReturnType<typeof open> | null = null;

  async function open() {
    const [{ createMcpHandler }, { createMcpServer }] = await Promise.all([
      import('@modelcontextprotocol/server'),
      import('../../agents/mcp-server.ts'),
    ]);
    const make = makeServer ?? createMcpServer;
    return createMcpHandler(
      ({ requestInfo }) => {
        const { request, call } = requests.get(requestInfo!)!;
        return make({ ask: askThrough(app, request, call), home: homeOf(request), version });
      },
      { onerror: (error) => app.log.debug({ err: error }, 'a message of MCP was refused') },
    );
  }

  function refuseForeignSite(request: FastifyRequest): void {
    const { origin, host } = request.headers;
    if (origin === undefined || allowedOrigins === null || allowedOrigins.has(origin)) return;
    // The host has been checked, so its own pages are no other site's.
    const own = [`http://${host}`, homeOf(request)].map((address) => URL.parse(address)?.host);
    if (own.includes(URL.parse(origin)?.host)) return;
    throw new CodedError('forbidden', 'This site may not call the service; see TIGRAPH_ALLOWED_ORIGINS');
  }

  async function authInfoOf(request: FastifyRequest, isChallenged: boolean): Promise<AuthInfo | undefined> {
    const { authorization } = request.headers;
    if (authorization === undefined) {
      if (isChallenged || authRequired) throw new CodedError('token_required');
      return undefined;
    }
    const token = bearerOf(authorization);
    const { holder, scopes } = await access.tokens.callerOf(token);
    return { token, clientId: holder!.clientId, scopes: [...scopes] };
  }

  async function answer(request: FastifyRequest, reply: FastifyReply, authInfo: AuthInfo | undefined) {
    const left = new AbortController();
    reply.raw.once('close', () => {
      if (!reply.raw.writableFinished) left.abort();
    });
    const headers = new Headers();
    for (const [name, value] of Object.entries(request.headers)) headers.set(name, [value].flat().join(', '));
    const asked = new Request(`${homeOf(request)}${request.url}`, {
      method: request.method,
      headers,
      signal: left.signal,
    });
    // Older clients may send many calls at once.
    requests.set(asked, { request, call: { hasAsked: false } });
    // With its libraries 750 files, which most callers never need.
    opened ??= open();
    const response = await (await opened).fetch(asked, {
      ...(authInfo !== undefined && { authInfo }),
      ...(request.method === 'POST' && { parsedBody: request.body }),
    });
    reply.code(response.status).headers(Object.fromEntries(response.headers));
    const { body } = response;
    if (body === null) return reply.send(null);
    // An answer alone has a length; older clients get a stream of events.
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
    return reply.send(isStream ? Readable.fromWeb(body as never) : await response.text());
  }

  for (const url of ['/mcp', LOGIN]) {
    const isChallenged = url === LOGIN;
    const allowed = new WeakMap<FastifyRequest, AuthInfo | undefined>();
    app.route({
      method: ['GET', 'POST', 'DELETE'],
      url,
      schema: { hide: true },
      bodyLimit: BODY_BYTES,
      async onRequest(request, reply) {
        refuseForeignSite(request);
        try {
          allowed.set(request, await authInfoOf(request, isChallenged));
        } catch (refusal) {
          if (isChallenged) reply.header('www-authenticate', challengeOf(homeOf(request)));
          throw refusal;
        }
      },
      handler: (request, reply) => answer(request, reply, allowed.get(request)),
    });
  }
}

const challengeOf = (home: string): string => `Bearer resource_metadata="${home}${CLIENT_METADATA}"`;

/** The routes answer a tool as they answer its caller over HTTP, by the same hooks. */
const askThrough =
  (app: FastifyInstance, { headers, ip }: FastifyRequest, call: CountedCall): Ask =>
  async (request, signal) => {
    const { method = 'GET', body } = request;
    const { authorization, host } = headers;
    const response = await withinCall(
      call,
      // It is sent when it is awaited.
      async () =>
        await app.inject({
          method,
          url: addressOf(request),
          headers: { host, ...(authorization !== undefined && { authorization }) },
          remoteAddress: ip,
          ...(body !== undefined && { payload: body as object }),
          ...(signal !== undefined && { signal }),
        }),
    );
    return { status: response.statusCode, body: response.json() };
  };
