import { CodedError } from '../base/errors.ts';
import type { MeasuredPeers } from '../base/peer-topology.ts';
import type { SymbolStates } from '../base/stock-state.ts';
import { type OpenPool, openThreadPool } from './pool.ts';
import type { ChainAnswer, DayOutcome, Deriver, MarketSnapshot } from '../derive/deriver.ts';
import type {
  ChainTask,
  DaysTask,
  DeriveTask,
  DeriveWorkerData,
  MarketTask,
  PeersTask,
  StatesTask,
  TaskOutcome,
} from './derive-worker.ts';

/**
 * Callers in a hurry that may wait for a thread; one more is refused at once rather than kept until its time is up. A
 * thread derives a hundred days a second and more, so these wait a fraction of a second.
 */
const HURRIED_WAITING_MAX_PER_THREAD = 48;
/** A thread takes longer to start than most days take to derive, so an idle one is kept for the next burst. */
const IDLE_MS = 60_000;
/** A batch that was called off ends with the day at hand; one that has not ended by then is ended with its thread. */
const CALLED_OFF_GRACE_MS = 1_000;

/** One batch on its way through the pool. */
interface Ticket {
  readonly task: DeriveTask;
  readonly interactive: boolean;
  readonly done: PromiseWithResolvers<TaskOutcome>;
}

/**
 * A pool of derivation threads. Callers in a hurry come before passes, which nobody waits for. A caller who gives up
 * leaves the queue; a batch that a thread has begun stops after the day at hand, so that the thread, which is dear to
 * start, serves the next caller.
 */
export function createDeriver(
  data: DeriveWorkerData,
  threads: number,
  openPool: OpenPool = openThreadPool,
): Deriver {
  const pool = openPool<DeriveTask, TaskOutcome>(new URL('./derive-worker.ts', import.meta.url), {
    threads,
    threadsMin: 1,
    idleMs: IDLE_MS,
    data,
  });
  const waiting: Ticket[] = [];
  let running = 0;

  function start(ticket: Ticket): void {
    running++;
    const { task, done } = ticket;
    const thread = new AbortController();
    const enough = setInterval(() => {
      if (Atomics.load(task.calledOff, 0) !== 0) thread.abort();
    }, CALLED_OFF_GRACE_MS);
    pool
      .run(task, thread.signal)
      .then(done.resolve, done.reject)
      .finally(() => {
        clearInterval(enough);
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

  function run(
    work: DaysTask | MarketTask | PeersTask | StatesTask | ChainTask,
    signal: AbortSignal | undefined,
  ): Promise<TaskOutcome> {
    const ticket: Ticket = {
      task: { ...work, calledOff: new Int32Array(new SharedArrayBuffer(4)) },
      interactive: signal !== undefined,
      done: Promise.withResolvers<TaskOutcome>(),
    };
    if (signal?.aborted) return Promise.reject(signal.reason);
    const interactive = waiting.reduce((count, other) => count + Number(other.interactive), 0);
    if (ticket.interactive && interactive >= HURRIED_WAITING_MAX_PER_THREAD * threads) {
      return Promise.reject(new CodedError('overloaded'));
    }
    const onAbort = (): void => callOff(ticket, signal!.reason);
    signal?.addEventListener('abort', onAbort, { once: true });
    if (running < threads) start(ticket);
    else waiting.push(ticket);
    return ticket.done.promise.finally(() => signal?.removeEventListener('abort', onAbort));
  }

  return {
    derive: (jobs, { signal, markets = {}, coreOnly = false, beside = [] } = {}) =>
      run({ kind: 'days', jobs, markets, coreOnly, beside }, signal) as Promise<DayOutcome[]>,
    market: ({ tapes, days }, { signal } = {}) =>
      run({ kind: 'market', tapes, days }, signal) as Promise<MarketSnapshot[]>,
    peers: (request, { signal } = {}) => run({ kind: 'peers', ...request }, signal) as Promise<MeasuredPeers>,
    states: (request, { signal } = {}) =>
      run({ kind: 'states', ...request }, signal) as Promise<SymbolStates[]>,
    chain: (request, { signal } = {}) => run({ kind: 'chain', ...request }, signal) as Promise<ChainAnswer>,
    async close() {
      for (const ticket of waiting.splice(0)) ticket.done.reject(new CodedError('shutting_down'));
      await pool.close();
    },
  };
}
