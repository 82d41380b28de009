import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { Access } from '../access/access.ts';
import type { AppContext } from '../app-context.ts';
import type { StockWatch } from '../stream/watch-stocks.ts';
import type { Hardening } from './hardening.ts';
import { RequestTimes } from './request-times.ts';

/** Counts a sent answer and the time since its request. */
export type Observe = (request: FastifyRequest, reply: FastifyReply, status: number) => void;

/** Counts and times every request by route and status, and shows the state of the process. */
export function watch(
  app: FastifyInstance,
  context: AppContext,
  access: Access,
  hardening: Hardening,
): { readonly registry: Registry; readonly times: RequestTimes; readonly observe: Observe } {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const times = new RequestTimes(registry);
  const observe: Observe = (request, reply, status) =>
    times.of(request.routeOptions.url ?? 'unknown', status).observe(reply.elapsedTime / 1000);
  // At the sending, not at its end: waiting for the end costs each request a listener on its socket.
  app.addHook('onSend', (request, reply, _payload, done) => {
    observe(request, reply, reply.statusCode);
    done();
  });
  const { answers } = context;
  gauge(registry, 'tigraph_answer_cache_bytes', 'Bytes of cached answers.', () => answers.bytes);
  gauge(registry, 'tigraph_answers_under_way', 'Answers that are being made.', () => answers.underWay);
  watchAccess(registry, access);
  watchLoad(app, registry, hardening);
  watchLive(registry, context);
  watchTapeCache(registry, context);
  return { registry, times, observe };
}

const gauge = (registry: Registry, name: string, help: string, read: () => number | Promise<number>) =>
  new Gauge({
    name,
    help,
    registers: [registry],
    async collect() {
      this.set(await read());
    },
  });

const counter = (registry: Registry, name: string, help: string, read: () => number) =>
  new Counter({
    name,
    help,
    registers: [registry],
    collect() {
      this.reset();
      this.inc(read());
    },
  });

/** A feed that stops shows as a growing lag, one that skips minutes in their count. */
function watchLive(registry: Registry, { live, clock }: AppContext): void {
  gauge(
    registry,
    'tigraph_live_lag_seconds',
    'Time since the end of the newest derived minute while a session is processed; else 0.',
    () => (live.running === null || live.at === null ? 0 : Math.max(0, (clock.now() - live.at) / 1000)),
  );
  gauge(
    registry,
    'tigraph_live_minute_seconds',
    'Time that the newest minute took from the feed to its last announcement.',
    () => (live.tookMs ?? 0) / 1000,
  );
  const counts = [
    ['minutes', 'Processed minutes of the live feed.'],
    ['merged', 'Minutes that were processed together with a later one.'],
    ['skipped', 'Minutes that the live feed did not send.'],
    ['lateRows', 'Rows that arrived after their minute.'],
    ['refused', 'Rows and facts of the live feed that failed validation.'],
    ['failed', 'Stock-days of running sessions that could not be derived.'],
  ] as const;
  for (const [field, help] of counts) {
    const name = field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    counter(registry, `tigraph_live_${name}_total`, help, () => live[field]);
  }
}

/** The cache of a tape in a bucket: a hit rate that falls calls for a larger one. */
function watchTapeCache(registry: Registry, { tape }: AppContext): void {
  if (tape.cacheCounts() === null) return;
  gauge(
    registry,
    'tigraph_tape_cache_bytes',
    'Bytes on disk of the tape cache.',
    () => tape.cacheCounts()!.bytes,
  );
  const counts = [
    ['hits', 'hits', 'Blocks of the tape that a read found in the cache.'],
    ['misses', 'misses', 'Blocks of the tape that were fetched from the bucket for a read.'],
    ['fetchedBytes', 'fetched_bytes', 'Bytes fetched from the bucket of the tape.'],
    ['evictions', 'evictions', 'Blocks removed from the cache to keep its limit.'],
    ['unwritten', 'unwritten', 'Blocks that the disk of the cache did not take.'],
  ] as const;
  for (const [field, name, help] of counts) {
    counter(registry, `tigraph_tape_cache_${name}_total`, help, () => tape.cacheCounts()![field]);
  }
}

/** Open connections, and what was refused before it was read. */
function watchLoad(app: FastifyInstance, registry: Registry, { rejected }: Hardening): void {
  gauge(
    registry,
    'tigraph_connections',
    'Open connections of callers.',
    () =>
      new Promise((resolve, reject) => {
        app.server.getConnections((error, count) => (error === null ? resolve(count) : reject(error)));
      }),
  );
  new Counter({
    name: 'tigraph_turned_away_total',
    help: 'Connections beyond the limit, requests beyond the rate limit, requests refused for event loop delay or database wait.',
    labelNames: ['what'] as const,
    registers: [registry],
    collect() {
      this.reset();
      this.inc({ what: 'connection' }, rejected.connections);
      this.inc({ what: 'too_often' }, rejected.tooOften);
      this.inc({ what: 'overloaded' }, rejected.overloaded);
    },
  });
}

function watchAccess(registry: Registry, { tokens, trail }: Access): void {
  gauge(registry, 'tigraph_verified_tokens', 'Cached verified tokens.', () => tokens.size);
  gauge(registry, 'tigraph_audit_waiting_rows', 'Audit rows in memory.', () => trail.waiting);
  counter(
    registry,
    'tigraph_audit_dropped_calls_total',
    'Calls that the audit trail dropped because its memory was full.',
    () => trail.dropped,
  );
}

/** Open streams and what they sent. */
export function watchStreams(registry: Registry, stocks: StockWatch): void {
  const { figures } = stocks;
  gauge(registry, 'tigraph_stream_readers', 'Open streams.', () => figures().readers);
  gauge(
    registry,
    'tigraph_stream_readers_behind',
    'Streams whose reader is too slow and misses events.',
    () => figures().behind,
  );
  gauge(
    registry,
    'tigraph_stream_symbols',
    'Watched symbols, counted once for each feed.',
    () => figures().channels,
  );
  gauge(
    registry,
    'tigraph_stream_history_bytes',
    'Bytes of event history for readers who reconnect.',
    () => figures().historyBytes,
  );
  counter(
    registry,
    'tigraph_stream_frames_total',
    'Events, counted once for all readers.',
    () => figures().sent,
  );
  counter(
    registry,
    'tigraph_stream_dropped_frames_total',
    'Events not sent to readers who are too slow.',
    () => figures().dropped,
  );
  counter(
    registry,
    'tigraph_stream_failed_looks_total',
    'Failed refreshes of a watched stock.',
    () => figures().failedRefreshes,
  );
}
