import type { Writable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isCoded } from '../../base/errors.ts';
import type { Scope } from '../../base/scope.ts';
import type { Access } from '../access/access.ts';
import type { Caller } from '../access/viewer.ts';
import type { OpenStream } from '../answers/open-stream.ts';
import { callerOf, tokenOf } from './authentication.ts';

/** Server-sent events. */

export const STREAM_TYPE = 'text/event-stream';

/** A stream ends within this time after its token. */
const TOKEN_CHECK_INTERVAL_MS = 1_000;

/** Counts a sent answer and the time since its request. */
export type Observe = (request: FastifyRequest, reply: FastifyReply, status: number) => void;

interface TokenStream {
  readonly token: string;
  readonly caller: Caller;
  readonly stream: OpenStream;
}

export type Streams = ReturnType<typeof serveStreams>;

/**
 * Sends streams, and ends each when its token is no longer valid.
 *
 * @param observe counts a stream that has begun among the answers, and logs it to the audit trail
 */
export function serveStreams(scope: Scope, access: Access, observe: Observe) {
  const streams = new Set<TokenStream>();
  scope.every(TOKEN_CHECK_INTERVAL_MS, 'checking the tokens of streams', async () => {
    await Promise.all(Array.from(streams, (stream) => checkToken(access, stream)));
  });
  return {
    /**
     * Answers a GET with the stream that `open` begins, and a HEAD with its headers.
     *
     * @param open takes a function that begins the answer, which returns null if the caller has disconnected
     */
    async send(
      request: FastifyRequest,
      reply: FastifyReply,
      open: (accept: () => Writable | null) => Promise<OpenStream | null>,
    ): Promise<FastifyReply> {
      if (request.method === 'HEAD') return reply.headers(STREAM_HEADERS).send();
      const stream = await open(() => begin(request, reply, observe));
      const token = tokenOf(request);
      if (stream === null || token === null) return reply;
      const entry = { token, caller: callerOf(request), stream };
      streams.add(entry);
      reply.raw.on('close', () => streams.delete(entry));
      return reply;
    },
  };
}

/** Takes the answer out of the framework's hands; null if the caller has disconnected. */
function begin(request: FastifyRequest, reply: FastifyReply, observe: Observe): Writable | null {
  reply.hijack();
  const { raw } = reply;
  if (raw.destroyed || request.raw.socket.destroyed) return null;
  // The stream's heartbeat finds dead connections.
  request.raw.socket.setTimeout(0);
  raw.writeHead(200, [
    ...Object.entries(STREAM_HEADERS).flat(),
    ...reply.server.fixedHeaders(request.headers),
  ]);
  observe(request, reply, 200);
  return raw;
}

const STREAM_HEADERS: Readonly<Record<string, string>> = {
  'content-type': STREAM_TYPE,
  'cache-control': 'no-store',
  vary: 'authorization',
  // Asks proxies not to buffer.
  'x-accel-buffering': 'no',
};

/** Ends a stream whose token has expired, was revoked, or now gives another feed. */
async function checkToken({ tokens }: Access, { token, caller, stream }: TokenStream): Promise<void> {
  if (tokens.peek(token) !== null) return;
  try {
    const now = await tokens.callerOf(token);
    if (now.source !== caller.source) stream.refuse('invalid_token', 'The token gives another feed now');
  } catch (error) {
    // An unavailable store says nothing about the token; the next check asks again.
    if (isCoded(error, 'invalid_token')) stream.refuse(error.code, error.message);
  }
}
