import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Access } from '../access/access.ts';
import type { AppContext } from '../app-context.ts';
import type { Hardening } from './hardening.ts';

/** Upper bounds in seconds: from a hot answer in the event loop's next breath to the query deadline. */
const BUCKETS_S = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];

/** Counts an answer that is being sent, and the time since its request. */
export type Observe = (request: FastifyRequest, reply: FastifyReply, status: number) => void;

/** Counts and durations of every request by route and status, and the state of the process. */
export function watch(
  app: FastifyInstance,
  context: AppContext,
  access: Access,
  hardening: Hardening,
): { readonly registry: Registry; readonly observe: Observe } {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const duration = new Histogram({
    name: 'tigraph_request_duration_seconds',
    help: 'Time from a request to the sending of its answer.',
    labelNames: ['route', 'status'] as const,
    buckets: BUCKETS_S,
    registers: [registry],
  });
  // Looking a labelled child up costs more than observing into it, so each is looked up once.
  const children = new Map<string, ReturnType<typeof duration.labels>>();
  const observe: Observe = (request, reply, status) => {
    const route = request.routeOptions.url ?? 'unknown';
    const child = children.getOrInsertComputed(`${status} ${route}`, () =>
      duration.labels({ route, status: String(status) }),
    );
    child.observe(reply.elapsedTime / 1000);
  };
  // At the sending, not at its end: to wait for the end costs each request a listener on its socket.
  app.addHook('onSend', (request, reply, _payload, done) => {
    observe(request, reply, reply.statusCode);
    done();
  });
  new Gauge({
    name: 'tigraph_answer_cache_bytes',
    help: 'Bytes of ready answers held in memory.',
    registers: [registry],
    collect() {
      this.set(context.answers.bytes);
    },
  });
  new Gauge({
    name: 'tigraph_answers_under_way',
    help: 'Answers about stocks that are being made.',
    registers: [registry],
    collect() {
      this.set(context.answers.underWay);
    },
  });
  watchAccess(registry, access);
  watchLoad(app, registry, hardening);
  watchLive(registry, context);
  return { registry, observe };
}

/** The live feed: a feed that stops shows as a lag that grows, one that skips minutes by the count of them. */
function watchLive(registry: Registry, { live, clock }: AppContext): void {
  const registers = [registry];
  new Gauge({
    name: 'tigraph_live_lag_seconds',
    help: 'Time since the end of the newest minute that is derived, while a session is carried; else 0.',
    registers,
    collect() {
      const isProcessed = live.running !== null && live.at !== null;
      this.set(isProcessed ? Math.max(0, (clock.now() - live.at!) / 1000) : 0);
    },
  });
  new Gauge({
    name: 'tigraph_live_minute_seconds',
    help: 'Time that the newest minute took from the feed to its last announcement.',
    registers,
    collect() {
      this.set((live.tookMs ?? 0) / 1000);
    },
  });
  const counts = [
    ['minutes', 'Minutes of the live feed that were carried.'],
    ['merged', 'Minutes that were carried together with a later one.'],
    ['skipped', 'Minutes that the live feed never told.'],
    ['lateRows', 'Rows that came after their minute had been told.'],
    ['refused', 'Rows and facts of the live feed that did not pass the door.'],
    ['failed', 'Stock-days of running sessions that could not be derived.'],
  ] as const;
  for (const [field, help] of counts) {
    const name = field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    new Counter({
      name: `tigraph_live_${name}_total`,
      help,
      registers,
      collect() {
        this.reset();
        this.inc(live[field]);
      },
    });
  }
}

/** Connections there are, and what was turned away before anybody looked at it. */
function watchLoad(app: FastifyInstance, registry: Registry, { rejected }: Hardening): void {
  const registers = [registry];
  new Gauge({
    name: 'tigraph_connections',
    help: 'Open connections of callers.',
    registers,
    async collect() {
      this.set(await openConnections(app));
    },
  });
  new Counter({
    name: 'tigraph_turned_away_total',
    help: 'Connections beyond the limit, requests of addresses that ask too often, requests while the event loop was late or the line before the database too long.',
    labelNames: ['what'] as const,
    registers,
    collect() {
      this.reset();
      this.inc({ what: 'connection' }, rejected.connections);
      this.inc({ what: 'too_often' }, rejected.tooOften);
      this.inc({ what: 'overloaded' }, rejected.overloaded);
    },
  });
}

const openConnections = ({ server }: FastifyInstance): Promise<number> =>
  new Promise((resolve, reject) => {
    server.getConnections((error, count) => (error === null ? resolve(count) : reject(error)));
  });

/** Sizes of what the door keeps in memory, and what the audit trail had no room for. No name of anybody. */
function watchAccess(registry: Registry, { tokens, trail }: Access): void {
  const registers = [registry];
  new Gauge({
    name: 'tigraph_verified_tokens',
    help: 'Tokens that need not be verified again for the moment.',
    registers,
    collect() {
      this.set(tokens.size);
    },
  });
  new Gauge({
    name: 'tigraph_audit_waiting_rows',
    help: 'Rows of the audit trail that wait to be written.',
    registers,
    collect() {
      this.set(trail.waiting);
    },
  });
  new Counter({
    name: 'tigraph_audit_dropped_calls_total',
    help: 'Calls that were not written into the audit trail because too many rows waited.',
    registers,
    collect() {
      this.reset();
      this.inc(trail.dropped);
    },
  });
}
