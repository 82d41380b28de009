import type { Writable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Counter, Gauge, type Registry } from 'prom-client';
import type { Static } from 'typebox';
import { isCoded } from '../../base/errors.ts';
import { splitWords } from '../../base/parameters.ts';
import { canonicalSymbol } from '../../base/symbols.ts';
import type { Access } from '../access/access.ts';
import { type Caller, requireSymbols } from '../access/viewer.ts';
import type { StreamHeaders, StreamQuery } from '../stream/schema.ts';
import type { OpenStream, StockWatch } from '../stream/watch-stocks.ts';
import type { Observe } from './metrics.ts';
import { callerOf, tokenOf } from './viewer.ts';

/** Long answers: server-sent events of the stocks that a caller watches. */

export const STREAM_TYPE = 'text/event-stream';

/** Standings are looked at this often: a stream ends so soon after its token. */
const STANDING_EVERY_MS = 1_000;

/** One stream and the token that it was opened with. */
interface Guarded {
  readonly token: string;
  readonly caller: Caller;
  readonly stream: OpenStream;
  isChecking: boolean;
}

export interface Streams {
  serve(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply>;
  /** Ends any other stream too with the standing of its caller. */
  guard(request: FastifyRequest, reply: FastifyReply, stream: OpenStream): void;
}

/**
 * Serves streams of a watch, and ends each with its caller's standing.
 *
 * @param note counts a stream that has begun among the answers, and writes it into the audit trail
 */
export function serveStreams(
  app: FastifyInstance,
  watch: StockWatch,
  access: Access,
  registry: Registry,
  note: Observe,
): Streams {
  const guarded = new Set<Guarded>();
  const guarding = setInterval(() => {
    for (const one of guarded) checkStatus(access, one);
  }, STANDING_EVERY_MS).unref();
  // Before the server waits for answers under way to end, of which streams would be the last.
  app.addHook('preClose', async () => {
    clearInterval(guarding);
    watch.close();
  });
  countStreams(registry, watch);
  return {
    async serve(request, reply) {
      const caller = callerOf(request);
      const { symbols: written } = request.query as Static<typeof StreamQuery>;
      const symbols = [...new Set(splitWords(written).map(canonicalSymbol))];
      requireSymbols(caller, symbols);
      if (request.method === 'HEAD') return reply.headers(headersOf(request)).send();
      const position = (request.headers as Static<typeof StreamHeaders>)['last-event-id'] ?? null;
      const stream = await watch.open({ symbols, position }, caller, () => begin(request, reply, note));
      if (stream !== null) guard(request, reply, stream);
      return reply;
    },
    guard,
  };

  function guard(request: FastifyRequest, reply: FastifyReply, stream: OpenStream): void {
    const token = tokenOf(request);
    if (token === null) return;
    const one = { token, caller: callerOf(request), stream, isChecking: false };
    guarded.add(one);
    reply.raw.on('close', () => guarded.delete(one));
  }
}

/** Takes the answer out of the framework's hands; null when the caller has gone while it was made ready. */
export function begin(request: FastifyRequest, reply: FastifyReply, note: Observe): Writable | null {
  reply.hijack();
  const { raw } = reply;
  if (raw.destroyed || request.raw.socket.destroyed) return null;
  // A stream shows signs of life of its own, and whoever takes none of them is dropped by the watch.
  request.raw.socket.setTimeout(0);
  raw.writeHead(200, [...Object.entries(headersOf(request)).flat(), ...reply.server.fixedHeaders(request)]);
  note(request, reply, 200);
  return raw;
}

export const headersOf = (_request: FastifyRequest): Record<string, string> => ({
  'content-type': STREAM_TYPE,
  'cache-control': 'no-store',
  vary: 'authorization',
  // Proxies that gather answers before they pass them on are asked not to.
  'x-accel-buffering': 'no',
});

/** Ends a stream whose token has ended, was revoked, or no longer stands for what it stood for. */
function checkStatus(access: Access, one: Guarded): void {
  if (access.tokens.peek(one.token) !== null || one.isChecking) return;
  one.isChecking = true;
  access.tokens
    .callerOf(one.token)
    .then(
      (caller) => {
        if (caller.source !== one.caller.source)
          one.stream.refuse('invalid_token', 'The token stands for another feed now');
      },
      (error) => {
        // A store that does not answer now says nothing about a token; it is asked again.
        if (isCoded(error, 'invalid_token')) one.stream.refuse(error.code, error.message);
      },
    )
    .finally(() => {
      one.isChecking = false;
    });
}

function countStreams(registry: Registry, watch: StockWatch): void {
  const registers = [registry];
  const gauge = (name: string, help: string, figure: 'readers' | 'behind' | 'channels' | 'historyBytes') =>
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(watch.figures()[figure]);
      },
    });
  const counter = (name: string, help: string, figure: 'sent' | 'dropped' | 'failedRefreshes') =>
    new Counter({
      name,
      help,
      registers,
      collect() {
        this.reset();
        this.inc(watch.figures()[figure]);
      },
    });
  gauge('tigraph_stream_readers', 'Streams that are open.', 'readers');
  gauge(
    'tigraph_stream_readers_behind',
    'Streams whose reader has not kept up and is missing events.',
    'behind',
  );
  gauge('tigraph_stream_symbols', 'Symbols that are watched, counted once for each feed.', 'channels');
  gauge('tigraph_stream_history_bytes', 'Bytes held for readers who come back.', 'historyBytes');
  counter('tigraph_stream_frames_total', 'Events made, each once for all its readers.', 'sent');
  counter(
    'tigraph_stream_dropped_frames_total',
    'Events not sent to readers who did not keep up.',
    'dropped',
  );
  counter('tigraph_stream_failed_looks_total', 'Looks at a watched stock that failed.', 'failedRefreshes');
}
