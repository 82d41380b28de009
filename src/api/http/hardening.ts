import { AsyncLocalStorage } from 'node:async_hooks';
import type { ServerOptions as NodeServerOptions, ServerResponse } from 'node:http';
import { isIP } from 'node:net';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { FastifyInstance, FastifyRequest, onRequestHookHandler } from 'fastify';
import { LRUCache } from 'lru-cache';
import { networkOf } from '../../base/client-network.ts';
import { MINUTE_MS } from '../../base/dates.ts';
import { CodedError } from '../../base/errors.ts';
import type { Scope } from '../../base/scope.ts';
import { nextTurn, type Timers } from '../../base/timers.ts';

/**
 * Limits calls by key: a minute's calls at once, refilled evenly over the minute (the generic cell rate algorithm, one
 * number per key).
 */
export class CallRate {
  readonly #intervalMs: number;
  /** By key the instant at which all its calls are refilled. */
  readonly #refilledAt: LRUCache<string, number>;

  /**
   * @param perMinute at least 1
   * @param keysMax keys in memory; beyond it the one with the oldest call starts over
   */
  constructor(perMinute: number, keysMax: number) {
    this.#intervalMs = MINUTE_MS / perMinute;
    this.#refilledAt = new LRUCache({ max: keysMax });
  }

  get size(): number {
    return this.#refilledAt.size;
  }

  /**
   * Takes a call of the key if it has one left.
   *
   * @param nowMs of a clock that never goes back
   * @returns milliseconds until the next call; 0 if this one was taken
   */
  take(key: string, nowMs: number): number {
    const refilledAt = Math.max(this.#refilledAt.peek(key) ?? 0, nowMs) + this.#intervalMs;
    const waitMs = refilledAt - nowMs - MINUTE_MS;
    // Rounding errors of summed fractions must not refuse a call that is due.
    if (waitMs > 1e-6) return waitMs;
    this.#refilledAt.set(key, refilledAt);
    return 0;
  }
}

/** Limits of the HTTP server, by the names of the settings. */
export interface HttpLimits {
  readonly host: string;
  readonly allowedHosts?: string;
  readonly allowedOrigins?: string;
  readonly bodyLimitBytes: number;
  readonly headerLimitBytes: number;
  readonly headersTimeoutMs: number;
  readonly requestTimeoutMs: number;
  readonly keepAliveMs: number;
  readonly stalledMs: number;
  readonly queryTimeoutMs: number;
  readonly connectionsMax: number;
  readonly requestsPerMinute?: number;
  readonly loopDelayMaxMs: number;
  readonly shutdownGraceMs: number;
}

export function socketOptions(limits: HttpLimits) {
  const { headersTimeoutMs, requestTimeoutMs } = limits;
  const http: NodeServerOptions = {
    maxHeaderSize: limits.headerLimitBytes,
    headersTimeout: Math.min(headersTimeoutMs, requestTimeoutMs),
    // Node checks request timeouts only at this interval; its default of 30 s would be their real length.
    connectionsCheckingInterval: Math.min(headersTimeoutMs, requestTimeoutMs) / 4,
  };
  return {
    http,
    bodyLimit: limits.bodyLimitBytes,
    requestTimeout: requestTimeoutMs,
    keepAliveTimeout: limits.keepAliveMs,
    // Closes a connection without a byte either way, but not one that waits for its answer.
    connectionTimeout: Math.max(limits.stalledMs, limits.queryTimeoutMs + 1_000),
    // `refuseUnderLoad` answers with an error of the catalogue instead.
    return503OnClosing: false,
  };
}

export type Hardening = ReturnType<typeof harden>;

/** Connections beyond the limit, requests beyond the rate of a network, and those refused for load. */
type RejectedCounts = Record<'connections' | 'tooOften' | 'overloaded', number>;

/** Statements that an answer typically runs one after the other; each waits for the database again. */
const STATEMENTS_PER_ANSWER = 3;
/** Callers that ask again at once must not spend on refusals what the answers need. */
const REFUSAL_HELD_MS = 250;
/** Share of its time that an answer may wait for the database; the rest is for its own work. */
const WAIT_SHARE = 0.4;
/** Answers under way that are a queue: a browser asks for six at a time. */
const QUEUE_MIN = 8;
/** A shorter wait is normal, however short the query timeout. */
const NORMAL_WAIT_MS = 100;

/**
 * Limits connections, call rate and load, and bounds the time that closing takes.
 *
 * @param scope of the server
 * @param statementWaitMs expected wait of a new statement for the database
 */
export function harden(
  app: FastifyInstance,
  limits: HttpLimits,
  scope: Scope,
  statementWaitMs: () => number,
) {
  const rejected: RejectedCounts = { connections: 0, tooOften: 0, overloaded: 0 };
  const meanLoopDelayMs = measureLoopDelay(scope);
  app.server.maxConnections = limits.connectionsMax;
  app.server.on('drop', () => {
    rejected.connections++;
  });
  const callWaitMs = limitCalls(app, limits, scope.timers, rejected);
  const isClosing = closeInTime(app, limits.shutdownGraceMs, scope.timers);
  const { loopDelayMaxMs, queryTimeoutMs } = limits;
  const waitMaxMs = Math.max(WAIT_SHARE * queryTimeoutMs, NORMAL_WAIT_MS);
  const underWay = new Set<ServerResponse>();
  function isQueue(): boolean {
    let waiting = 0;
    for (const response of underWay) {
      if (response.headersSent) underWay.delete(response);
      else if (++waiting === QUEUE_MIN) return true;
    }
    return false;
  }
  const refuseUnderLoad: onRequestHookHandler = (_request, { raw }, done) => {
    if (isClosing()) return done(new CodedError('shutting_down'));
    const isLate = loopDelayMaxMs > 0 && meanLoopDelayMs() > loopDelayMaxMs;
    const waitMs = STATEMENTS_PER_ANSWER * statementWaitMs();
    // A busy machine is late for a lone caller too, whom a refusal would not help, unless no answer is possible.
    const isOverloaded =
      (isLate || waitMs > waitMaxMs) && (isQueue() || waitMs > Math.max(queryTimeoutMs, waitMaxMs));
    if (!isOverloaded) {
      underWay.add(raw);
      for (const end of ['finish', 'close']) raw.once(end, () => underWay.delete(raw));
      return done();
    }
    rejected.overloaded++;
    const retryAfterS = Math.max(1, Math.ceil(waitMs / 1_000));
    const refusal = new CodedError('overloaded', undefined, { facts: { retryAfterS } });
    scope.timers.after(REFUSAL_HELD_MS, () => done(refusal));
  };
  return {
    rejected,
    isClosing,
    callWaitMs,
    /** Runs after the cached answers, which cost less than a refusal. */
    refuseUnderLoad,
  };
}

const LOOP_RESOLUTION_MS = 10;
/** One slow turn must not refuse callers; a second full of them must. */
const LOOP_SAMPLE_MS = 500;

/** Measures how late the event loop runs, as the mean of the last sample; 0 on an idle loop. */
function measureLoopDelay(scope: Scope): () => number {
  const histogram = monitorEventLoopDelay({ resolution: LOOP_RESOLUTION_MS });
  let meanMs = 0;
  histogram.enable();
  scope.every(LOOP_SAMPLE_MS, 'measuring the event loop', async () => {
    // The histogram holds the time between ticks, on an idle loop the resolution. No tick: the loop was blocked.
    const { mean, count } = histogram;
    meanMs = count === 0 ? LOOP_SAMPLE_MS : Math.max(0, mean / 1e6 - LOOP_RESOLUTION_MS);
    histogram.reset();
  });
  scope.signal.addEventListener('abort', () => histogram.disable(), { once: true });
  return () => meanMs;
}

/** A call that has been counted, and may ask this service once for that. */
export interface CountedCall {
  hasAsked: boolean;
}

const counted = new AsyncLocalStorage<CountedCall>();

/** Runs work for a counted call: its first request to this service is that call, each further one counts. */
export const withinCall = <T>(call: CountedCall, work: () => T): T => counted.run(call, work);

/** A desk of charts that refresh every second stays far below. */
const CALLS_PER_MINUTE_OF_NETWORK = 6_000;
const NETWORKS_MAX = 10_000;

/**
 * Limits calls by network; by default only where the service listens beyond its own machine.
 *
 * @returns takes a call of a network if it has one left: milliseconds until the next one, 0 if this one was taken
 */
function limitCalls(
  app: FastifyInstance,
  { host, requestsPerMinute }: HttpLimits,
  { monotonic }: Timers,
  rejected: RejectedCounts,
): (address: string | undefined) => number {
  const perMinute = requestsPerMinute ?? (isLoopback(host) ? 0 : CALLS_PER_MINUTE_OF_NETWORK);
  if (perMinute === 0) return () => 0;
  const rate = new CallRate(perMinute, NETWORKS_MAX);
  const callWaitMs = (address = ''): number => rate.take(networkOf(address), monotonic());
  app.addHook('onRequest', (request, _reply, done) => {
    if (isProbe(request) || isMetrics(request)) return done();
    const call = counted.getStore();
    if (call?.hasAsked === false) {
      call.hasAsked = true;
      return done();
    }
    const waitMs = callWaitMs(request.ip);
    if (waitMs === 0) return done();
    rejected.tooOften++;
    const retryAfterS = Math.ceil(waitMs / 1_000);
    const sentence = `More than ${perMinute} calls a minute; try again in ${retryAfterS} s.`;
    done(new CodedError('rate_limited', sentence, { facts: { retryAfterS } }));
  });
  return callWaitMs;
}

export const [LIVE_PROBE, READY_PROBE] = ['/health/live', '/health/ready'] as const;

/** Probes work under any host name and also under a flood. */
export const isProbe = ({ method, routeOptions: { url } }: FastifyRequest): boolean =>
  (method === 'GET' || method === 'HEAD') && (url === LIVE_PROBE || url === READY_PROBE);

const isMetrics = ({ method, routeOptions }: FastifyRequest): boolean =>
  method === 'GET' && routeOptions.url === '/metrics';

/** True for the addresses and the name by which a machine reaches itself. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));

const SWEEP_INTERVAL_MS = 50;

/** Turns of the event loop without a connection or a request after which nothing lies unread. */
const QUIET_TURNS = 5;
/** A flood has no quiet turn. */
const TURNS_MAX = 200;

/** Resolves once the server has read what callers had sent: it is answered like what was under way before. */
async function untilRead({ server }: FastifyInstance): Promise<void> {
  let quiet = 0;
  const onArrival = (): void => {
    quiet = 0;
  };
  server.on('connection', onArrival).on('request', onArrival);
  for (let turns = 0; quiet < QUIET_TURNS && turns < TURNS_MAX; turns++) {
    quiet++;
    await nextTurn();
  }
  server.off('connection', onArrival).off('request', onArrival);
}

/**
 * Closes in this order: what callers have sent is read; from then on requests are refused; connections are dropped as
 * they fall idle, and all that remain after the grace period.
 */
function closeInTime(app: FastifyInstance, graceMs: number, timers: Timers): () => boolean {
  let closing = false;
  let endSweeping = (): void => {};
  let callOff = (): void => {};
  app.addHook('preClose', async () => {
    await untilRead(app);
    closing = true;
    endSweeping = timers.every(SWEEP_INTERVAL_MS, () => app.server.closeIdleConnections());
    callOff = timers.after(graceMs, () => app.server.closeAllConnections());
  });
  // Runs after the server has closed.
  app.addHook('onClose', async () => {
    endSweeping();
    callOff();
  });
  return () => closing;
}
