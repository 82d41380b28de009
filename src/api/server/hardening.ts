import type { ServerOptions as NodeServerOptions } from 'node:http';
import { isIP } from 'node:net';
import { performance } from 'node:perf_hooks';
import type { FastifyInstance, FastifyRequest, onRequestHookHandler } from 'fastify';
import { CodedError } from '../../base/errors.ts';
import { networkOf, CallRate } from './call-rate.ts';
import { LoopDelay } from './loop-delay.ts';
import { isProbe } from './probes.ts';

/** What the service bears of callers, by the names of the settings. */
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

/** How the socket side of the server is set up. */
export function socketOptions(limits: HttpLimits) {
  const { headersTimeoutMs, requestTimeoutMs } = limits;
  const http: NodeServerOptions = {
    maxHeaderSize: limits.headerLimitBytes,
    headersTimeout: Math.min(headersTimeoutMs, requestTimeoutMs),
    // Timeouts of requests are noticed at these moments only, and the default of 30 s would be their real length.
    connectionsCheckingInterval: Math.min(headersTimeoutMs, requestTimeoutMs) / 4,
  };
  return {
    http,
    bodyLimit: limits.bodyLimitBytes,
    requestTimeout: requestTimeoutMs,
    keepAliveTimeout: limits.keepAliveMs,
    // Without a byte either way: a reader that does not read. An answer that is being made must not look like one.
    connectionTimeout: Math.max(limits.stalledMs, limits.queryTimeoutMs + 1_000),
    // Whoever comes in while the service closes is refused by `refuseUnderLoad`, with a word of the catalogue.
    return503OnClosing: false,
  };
}

/** What was turned away before it was looked at. */
interface RejectedCounts {
  /** Connections beyond the limit, closed as they came. */
  connections: number;
  /** Requests of addresses that ask too often. */
  tooOften: number;
  /** Requests that came while the event loop was late, or the line before the database too long. */
  overloaded: number;
}

export interface Hardening {
  readonly rejected: RejectedCounts;
  readonly loop: LoopDelay;
  isClosing(): boolean;
  /** Stands behind what is ready: a ready answer costs less than a refusal, so only work that is ahead is refused. */
  readonly refuseUnderLoad: onRequestHookHandler;
}

/** Statements that an answer runs one after the other, more or less; each waits in the line again. */
const STATEMENTS_OF_AN_ANSWER = 3;
/** A shorter wait is an ordinary one, however short the deadline. */
const ORDINARY_WAIT_MS = 100;

/**
 * Limits connections, calls and load, and sees to it that closing comes to an end.
 *
 * @param statementWaitMs how long a statement that comes now is going to wait for the database
 */
export function harden(app: FastifyInstance, limits: HttpLimits, statementWaitMs: () => number): Hardening {
  const rejected: RejectedCounts = { connections: 0, tooOften: 0, overloaded: 0 };
  const loop = new LoopDelay();
  app.addHook('onClose', async () => loop.stop());
  limitConnections(app, limits.connectionsMax, rejected);
  limitCalls(app, limits, rejected);
  const isClosing = endInTime(app, limits.shutdownGraceMs);
  const { loopDelayMaxMs, queryTimeoutMs } = limits;
  return {
    rejected,
    loop,
    isClosing,
    refuseUnderLoad(_request, _reply, done) {
      if (isClosing()) return done(new CodedError('shutting_down'));
      const isLate = loopDelayMaxMs > 0 && loop.meanMs > loopDelayMaxMs;
      const waitMs = STATEMENTS_OF_AN_ANSWER * statementWaitMs();
      if (!isLate && waitMs <= Math.max(queryTimeoutMs, ORDINARY_WAIT_MS)) return done();
      rejected.overloaded++;
      // Who would wait until the time is up is told so at once, and when the line will have been served.
      const retryAfterS = Math.max(1, Math.ceil(waitMs / 1_000));
      done(new CodedError('overloaded', undefined, { facts: { retryAfterS } }));
    },
  };
}

function limitConnections(app: FastifyInstance, max: number, rejected: RejectedCounts): void {
  app.server.maxConnections = max;
  app.server.on('drop', () => {
    rejected.connections++;
  });
}

/** A desk of charts that refresh each second; nobody who looks at charts comes near it. */
const CALLS_PER_MINUTE_OF_NETWORK = 6_000;
const NETWORKS_MAX = 10_000;

/** Whoever opens the service to a network wants a limit; on a machine of one's own it would only be in the way. */
function limitCalls(
  app: FastifyInstance,
  { host, requestsPerMinute }: HttpLimits,
  rejected: RejectedCounts,
): void {
  const perMinute = requestsPerMinute ?? (isLoopback(host) ? 0 : CALLS_PER_MINUTE_OF_NETWORK);
  if (perMinute === 0) return;
  const rate = new CallRate(perMinute, NETWORKS_MAX);
  app.addHook('onRequest', (request, _reply, done) => {
    if (isProbe(request) || isMetrics(request)) return done();
    const waitMs = rate.take(networkOf(request.ip), performance.now());
    if (waitMs === 0) return done();
    rejected.tooOften++;
    const retryAfterS = Math.ceil(waitMs / 1_000);
    done(
      new CodedError(
        'rate_limited',
        `More than ${perMinute} calls a minute; try again in ${retryAfterS} s.`,
        {
          facts: { retryAfterS },
        },
      ),
    );
  });
}

/** Watched under a flood too. */
const isMetrics = ({ method, routeOptions }: FastifyRequest): boolean =>
  method === 'GET' && routeOptions.url === '/metrics';

/** True for the addresses and the name by which a machine speaks to itself. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));

/** Connections fall idle one by one as their answers end. */
const SWEEP_MS = 50;

/**
 * Closing ends: connections that fall idle are closed, and what is still under way after the grace is cut off, so that
 * no caller who holds a request half sent keeps the process alive.
 */
function endInTime(app: FastifyInstance, graceMs: number): () => boolean {
  let closing = false;
  let sweep: NodeJS.Timeout | undefined;
  let end: NodeJS.Timeout | undefined;
  app.addHook('preClose', async () => {
    closing = true;
    sweep = setInterval(() => app.server.closeIdleConnections(), SWEEP_MS);
    end = setTimeout(() => app.server.closeAllConnections(), graceMs);
  });
  // Runs when the server has closed.
  app.addHook('onClose', async () => {
    clearInterval(sweep);
    clearTimeout(end);
  });
  return () => closing;
}
