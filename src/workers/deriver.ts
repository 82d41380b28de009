import { CodedError } from '../base/errors.ts';
import { Metrics } from '../base/metrics.ts';
import { realTimers } from '../base/timers.ts';
import { NO_TRACING, type SpanStart, type Tracing, traced } from '../base/tracing.ts';
import type { Deriver } from '../derive/deriver.ts';
import type { DeriveTask, DeriveWork, TapeWorkerData, TaskOutcome } from './derive-worker.ts';
import { type OpenPool, openThreadPool } from './pool.ts';

/** Interactive requests that may wait for each thread, a fraction of a second's work; one more is refused at once. */
const INTERACTIVE_WAITING_MAX = 48;
const IDLE_MS = 60_000;
/** A cancelled batch ends after the day at hand; after this long its thread is ended. */
const CALLED_OFF_GRACE_MS = 1_000;

/** Where tasks are counted and traced. */
interface Watching {
  readonly metrics: Metrics;
  readonly tracing: Tracing;
}

interface Ticket {
  readonly task: DeriveTask;
  readonly interactive: boolean;
  readonly done: PromiseWithResolvers<TaskOutcome>;
}

/**
 * A pool of derivation threads. Interactive requests (those with a signal) run before passes. A request that is cancelled
 * leaves the queue; a batch that runs stops after the day at hand, which keeps its thread alive for the next one.
 */
export function createDeriver(
  data: TapeWorkerData,
  threads: number,
  openPool: OpenPool = openThreadPool,
  { metrics = new Metrics(), tracing = NO_TRACING }: Partial<Watching> = {},
): Deriver {
  const pool = openPool<DeriveTask, TaskOutcome>(new URL('./derive-worker.ts', import.meta.url), {
    threads,
    threadsMin: 1,
    idleMs: IDLE_MS,
    data,
  });
  const waiting: Ticket[] = [];
  let running = 0;
  watchQueue(metrics, threads, waiting, () => running);

  function start(ticket: Ticket): void {
    running++;
    const { task, done } = ticket;
    const thread = new AbortController();
    const endGrace = realTimers.every(CALLED_OFF_GRACE_MS, () => {
      if (Atomics.load(task.calledOff, 0) !== 0) thread.abort();
    });
    pool
      .run(task, thread.signal)
      .then(done.resolve, done.reject)
      .finally(() => {
        endGrace();
        running--;
        const interactive = waiting.findIndex((other) => other.interactive);
        const [next] = waiting.splice(Math.max(interactive, 0), 1);
        if (next !== undefined) start(next);
      });
  }

  function callOff(ticket: Ticket, reason: unknown): void {
    Atomics.store(ticket.task.calledOff, 0, 1);
    const at = waiting.indexOf(ticket);
    if (at >= 0) waiting.splice(at, 1);
    ticket.done.reject(reason);
  }

  /** The outcome of each kind of work is that of its function in the worker. */
  function run<Outcome extends TaskOutcome>(
    work: DeriveWork,
    signal: AbortSignal | undefined,
    isPatient = signal === undefined,
  ): Promise<Outcome> {
    const ticket: Ticket = {
      task: { ...work, isPatient, calledOff: new Int32Array(new SharedArrayBuffer(4)) },
      interactive: signal !== undefined,
      done: Promise.withResolvers<TaskOutcome>(),
    };
    if (signal?.aborted) return Promise.reject(signal.reason);
    const interactive = waiting.reduce((count, other) => count + Number(other.interactive), 0);
    if (ticket.interactive && interactive >= INTERACTIVE_WAITING_MAX * threads) {
      return Promise.reject(new CodedError('overloaded'));
    }
    const onAbort = (): void => callOff(ticket, signal!.reason);
    signal?.addEventListener('abort', onAbort, { once: true });
    if (running < threads) start(ticket);
    else waiting.push(ticket);
    return traced(
      tracing,
      () => spanOf(work),
      () => ticket.done.promise as Promise<Outcome>,
    ).finally(() => signal?.removeEventListener('abort', onAbort));
  }

  return {
    derive: (jobs, { signal, markets = {}, blocks = null, isPatient } = {}) =>
      run({ kind: 'days', jobs, markets, blocks, toStore: false }, signal, isPatient),
    deriveToStore: (jobs, { signal, markets = {}, blocks = null } = {}) =>
      run({ kind: 'days', jobs, markets, blocks, toStore: true }, signal),
    market: ({ tapes, days }, { signal, isPatient } = {}) =>
      run({ kind: 'market', tapes, days }, signal, isPatient),
    peers: (request, { signal } = {}) => run({ kind: 'peers', ...request }, signal),
    states: (request, { signal } = {}) => run({ kind: 'states', ...request }, signal),
    newestSessions: (request, { signal } = {}) => run({ kind: 'sessions', ...request }, signal),
    bars: (request, { signal } = {}) => run({ kind: 'bars', ...request }, signal),
    barRows: (request, { signal } = {}) => run({ kind: 'bar-rows', ...request }, signal),
    chain: (request, { signal } = {}) => run({ kind: 'chain', ...request }, signal),
    async close() {
      for (const ticket of waiting.splice(0)) ticket.done.reject(new CodedError('shutting_down'));
      await pool.close();
    },
  };
}

/** Of the wait for a thread and the work on it. */
const spanOf = (work: DeriveWork): SpanStart => ({
  name: `derive ${work.kind}`,
  ...(work.kind === 'days'
    ? { attributes: { 'tigraph.stock_days': work.jobs.reduce((sum, { days }) => sum + days.length, 0) } }
    : {}),
});

function watchQueue(
  metrics: Metrics,
  threads: number,
  waiting: readonly Ticket[],
  running: () => number,
): void {
  metrics.gauge('tigraph_derive_threads', 'Derivation tasks that may run at a time.', () => threads);
  metrics.gauge('tigraph_derive_running', 'Derivation tasks that run.', running);
  metrics.gauge('tigraph_derive_waiting', 'Derivation tasks that wait for a thread.', () => {
    const interactive = waiting.reduce((count, ticket) => count + Number(ticket.interactive), 0);
    return [
      { labels: { for: 'caller' }, value: interactive },
      { labels: { for: 'pass' }, value: waiting.length - interactive },
    ];
  });
}
