import type { FastifyInstance } from 'fastify';
import { collectDefaultMetrics, type Metric, Registry } from 'prom-client';
import { type Family, Metrics, Times } from '../../base/metrics.ts';
import type { Timers } from '../../base/timers.ts';
import type { Bus } from '../../bus/bus.ts';
import { behindMs } from '../../market/feed.ts';
import { snakeCase } from '../../market/series.ts';
import type { Access } from '../access/access.ts';
import type { AppContext } from '../context/app-context.ts';
import type { Hardening } from '../http/hardening.ts';
import type { Observe } from '../http/send-stream.ts';
import type { StockWatch } from '../stream/watch-stocks.ts';
import { keptReading, watchStore } from './store-metrics.ts';

/**
 * The histogram of answers by route and status. A hot route keeps the `Times` of its answers, which saves the look-up for
 * each.
 */
export class RequestTimes {
  readonly #times = new Map<string, Map<number, Times>>();

  constructor(metrics: Metrics) {
    metrics.histogramOf(
      'tigraph_request_duration_seconds',
      'Time from a request to the sending of its answer.',
      () =>
        [...this.#times].flatMap(([route, byStatus]) =>
          [...byStatus].flatMap(([status, times]) => times.samples({ route, status: String(status) })),
        ),
    );
  }

  /** The answers of a route with a status, which are not shown before there is one. */
  of(route: string, status: number): Times {
    return this.#times
      .getOrInsertComputed(route, () => new Map<number, Times>())
      .getOrInsertComputed(status, () => new Times());
  }
}

/** Counts and times every request by route and status, and shows the state of the process. */
export function watch(app: FastifyInstance, context: AppContext, access: Access, hardening: Hardening) {
  const { metrics, show } = watchProcess(context);
  const times = new RequestTimes(metrics);
  const observe: Observe = (request, reply, status) =>
    times.of(request.routeOptions.url ?? 'unknown', status).observe(reply.elapsedTime / 1000);
  // At the sending, not at its end: waiting for the end costs each request a listener on its socket.
  app.addHook('onSend', (request, reply, _payload, done) => {
    observe(request, reply, reply.statusCode);
    done();
  });
  const { answers } = context;
  metrics.gauge('tigraph_answer_cache_bytes', 'Bytes of cached answers.', () => answers.bytes);
  metrics.gauge('tigraph_answers_under_way', 'Answers that are being made.', () => answers.underWay);
  watchAccess(metrics, access);
  watchLoad(app, metrics, hardening);
  return { metrics, times, observe, show };
}

/** What every process shows, whatever its role. */
export function watchProcess(context: AppContext) {
  const metrics = new Metrics();
  const { version, bus } = context;
  metrics.gauge('tigraph_info', 'Always 1; its label is the version of the program.', () => [
    { labels: { version }, value: 1 },
  ]);
  watchLive(metrics, context);
  watchStore(metrics, context);
  watchReplica(metrics, context);
  watchTapeCache(metrics, context);
  if (bus !== undefined) watchBus(metrics, bus, context.scope.timers);
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return { metrics, show: () => shown(registry, [context.metrics, metrics]) };
}

/** One scrape asks the bus once. */
const BUS_KEPT_MS = 1_000;

function watchBus(metrics: Metrics, bus: Bus, timers: Timers): void {
  const figures = keptReading(timers, BUS_KEPT_MS, () => bus.figures());
  const gauges = [
    ['waiting', 'waiting', 'Pieces of work that wait for a worker.'],
    ['under_way', 'underWay', 'Pieces of work that a worker has and has not answered.'],
    ['dead_letters', 'deadLetters', 'Pieces of work that failed in every try.'],
  ] as const;
  for (const [name, figure, help] of gauges) {
    metrics.gauge(`tigraph_bus_${name}`, help, async () => {
      // Without the bus the figures are unknown, and the scrape must not fail.
      const known = await figures();
      return known === null ? [] : known[figure];
    });
  }
  metrics.gauge('tigraph_bus_connected', '1 while the process has a connection to the bus.', () =>
    Number(bus.isHere()),
  );
}

/** A standby that stops serving shows as reads that the primary answers. */
function watchReplica(metrics: Metrics, { database: { replica } }: AppContext): void {
  if (replica === null) return;
  const help = 'Whether the hot standby serves reads: 0 while it is behind or away.';
  metrics.gauge('tigraph_replica_serving', help, () => Number(replica.isServing));
  const counts = [
    ['statements', 'served', 'Statements that the hot standby answered.'],
    ['passed_on', 'passedOn', 'Statements that the primary answered in place of the hot standby.'],
  ] as const;
  for (const [name, field, what] of counts)
    metrics.counted(`tigraph_replica_${name}_total`, what, () => replica[field]);
}

function watchTapeCache(metrics: Metrics, { tape }: AppContext): void {
  if (tape.cacheCounts() === null) return;
  const bytes = (): number => tape.cacheCounts()!.bytes;
  metrics.gauge('tigraph_tape_cache_bytes', 'Bytes on disk of the tape cache.', bytes);
  const counts = [
    ['hits', 'Blocks of the tape that a read found in the cache.'],
    ['misses', 'Blocks of the tape that were fetched from the bucket for a read.'],
    ['fetchedBytes', 'Bytes fetched from the bucket of the tape.'],
    ['evictions', 'Blocks removed from the cache to keep its limit.'],
    ['unwritten', 'Blocks that the disk of the cache did not take.'],
  ] as const;
  for (const [field, help] of counts) {
    metrics.counted(`tigraph_tape_cache_${snakeCase(field)}_total`, help, () => tape.cacheCounts()![field]);
  }
}

/** Parts may register at any time, so new families are looked for with every reading. */
async function shown(registry: Registry, sources: readonly Metrics[]) {
  for (const family of sources.flatMap((source) => source.families())) {
    if (registry.getSingleMetric(family.name) === undefined)
      registry.registerMetric(asMetric(family) as unknown as Metric);
  }
  return { type: registry.contentType, text: await registry.metrics() };
}

const asMetric = ({ name, help, type, read }: Family) => ({
  name,
  get: async () => ({
    name,
    help,
    type,
    aggregator: 'sum',
    values: (await read()).map(({ suffix = '', labels, value }) => ({
      metricName: `${name}${suffix}`,
      labels,
      value,
    })),
  }),
});

/** A feed that stops shows as a growing lag, one that skips minutes in their count. */
function watchLive(metrics: Metrics, { live, clock }: AppContext): void {
  metrics.gauge(
    'tigraph_live_lag_seconds',
    'Time since the end of the newest derived minute while a session is processed; else 0.',
    () => (live.running === null || live.at === null ? 0 : Math.max(0, (clock.now() - live.at) / 1000)),
  );
  metrics.gauge(
    'tigraph_live_minute_seconds',
    'Time that the newest minute took from the feed to its last announcement.',
    () => (live.tookMs ?? 0) / 1000,
  );
  metrics.gauge(
    'tigraph_live_connected',
    'Whether the stream of the live feed is connected; 0 also for one without a connection.',
    () => Number(live.isConnected === true),
  );
  const counts = [
    ['minutes', 'Processed minutes of the live feed.'],
    ['merged', 'Minutes that were processed together with a later one.'],
    ['skipped', 'Minutes that the live feed did not send.'],
    ['lateRows', 'Rows that arrived after their minute.'],
    ['holesFilled', 'Holes in the stream of the live feed that were filled afterwards.'],
    ['gaps', 'Holes in the stream of the live feed that stay unknown.'],
    ['failed', 'Stock-days of running sessions that could not be derived.'],
  ] as const;
  for (const [field, help] of counts)
    metrics.counted(`tigraph_live_${snakeCase(field)}_total`, help, () => live[field]);
  metrics.counted('tigraph_live_refused_total', 'Rows and facts of the live feed that were refused.', () =>
    Array.from(live.refused.values(), ({ reason, count }) => ({ labels: { reason }, value: count })),
  );
  const standing = () => live.source?.standing?.();
  metrics.gauge(
    'tigraph_live_behind_seconds',
    "Time since the end of the newest derived bar of the running session, by the vendor's clock; else 0.",
    () => (behindMs(live, standing()?.clockAheadMs ?? 0, clock.now()) ?? 0) / 1000,
  );
  metrics.gauge(
    'tigraph_live_calls_per_minute',
    'Calls that the plan of the vendor allows.',
    () => standing()?.callsPerMinute ?? 0,
  );
  metrics.gauge(
    'tigraph_live_calls_left',
    'Calls to the vendor that are left of this minute.',
    () => standing()?.callsLeft ?? 0,
  );
  metrics.gauge(
    'tigraph_live_clock_ahead_seconds',
    "How far this clock is ahead of the vendor's.",
    () => (standing()?.clockAheadMs ?? 0) / 1000,
  );
}

/** Open connections, and what was refused before it was read. */
function watchLoad(app: FastifyInstance, metrics: Metrics, { rejected }: Hardening): void {
  metrics.gauge(
    'tigraph_connections',
    'Open connections of callers.',
    () =>
      new Promise((resolve, reject) => {
        app.server.getConnections((error, count) => (error === null ? resolve(count) : reject(error)));
      }),
  );
  metrics.counted(
    'tigraph_turned_away_total',
    'Connections beyond the limit, requests beyond the rate limit, requests refused for event loop delay or database wait.',
    () => [
      { labels: { what: 'connection' }, value: rejected.connections },
      { labels: { what: 'too_often' }, value: rejected.tooOften },
      { labels: { what: 'overloaded' }, value: rejected.overloaded },
    ],
  );
}

function watchAccess(metrics: Metrics, { tokens, trail }: Access): void {
  metrics.gauge('tigraph_verified_tokens', 'Cached verified tokens.', () => tokens.size);
  metrics.gauge('tigraph_audit_waiting_rows', 'Audit rows in memory.', () => trail.waiting);
  metrics.counted(
    'tigraph_audit_dropped_calls_total',
    'Calls that the audit trail dropped because its memory was full.',
    () => trail.dropped,
  );
}

export function watchStreams(metrics: Metrics, { figures }: StockWatch): void {
  const gauges = [
    ['readers', 'readers', 'Open streams.'],
    ['readers_behind', 'behind', 'Streams whose reader is too slow and misses events.'],
    ['symbols', 'channels', 'Watched symbols, counted once for each feed.'],
    ['history_bytes', 'historyBytes', 'Bytes of event history for readers who reconnect.'],
  ] as const;
  const counts = [
    ['frames', 'sent', 'Events, counted once for all readers.'],
    ['dropped_frames', 'dropped', 'Events not sent to readers who are too slow.'],
    ['failed_looks', 'failedRefreshes', 'Failed refreshes of a watched stock.'],
  ] as const;
  for (const [name, figure, help] of gauges)
    metrics.gauge(`tigraph_stream_${name}`, help, () => figures()[figure]);
  for (const [name, figure, help] of counts)
    metrics.counted(`tigraph_stream_${name}_total`, help, () => figures()[figure]);
}
