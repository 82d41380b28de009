import { crc32 } from 'node:zlib';
import { chunks } from '../base/chunks.ts';
import { CodedError } from '../base/errors.ts';
import { Metrics } from '../base/metrics.ts';
import { stopwatch } from '../base/timers.ts';
import { NO_TRACING, type SpanStart, type Tracing, traced } from '../base/tracing.ts';
import type { DeriveJob, DeriveOptions, Deriver, WorkOptions } from '../derive/deriver.ts';
import type { ClaimCounter } from '../records/count.ts';
import type { ClaimKind } from '../records/index.ts';
import type {
  DaysTask,
  DeriveTask,
  DeriveThreadData,
  DeriveWork,
  TapeWorkerData,
  TaskOutcome,
} from './derive-worker.ts';
import { type OpenPool, openThreadPool, type Pool } from './pool.ts';
import type { PriorityLevel } from './thread.ts';

/** Tasks of a kind that may wait for each thread while their callers wait; one more is refused at once. */
const WAITING_MAX = 48;
/** More than a minute of the running session: a thread that ends loses what it keeps. */
const IDLE_MS = 90_000;
/** Stocks of a pass that a thread derives before callers may have it stop for them. */
const JOBS_OF_PASS = 16;
/** What all threads may keep of parts of views, half of it those of passes: 5,000 stocks take 430 MiB. */
const KEPT_BYTES = 1_024 * 1_048_576;
/** Near its limit a thread gives memory back sooner; bars lie outside of it. */
const HEAP_MEGABYTES = 1_024;
/** Fewer than those of passes have: a caller's answer is one stock, and the thread stays. */
const YOUNG_MEGABYTES_OF_CALLERS = 12;
/** Time that bulk work gets while callers wait too, of the time that those get. */
const BULK_SHARE = 1 / 3;
/** After an answer was begun passes leave a processor to what may follow for so long. */
const CALLERS_STAY_MS = 100;
/** Credit that takes a turn: a year of minutes takes about as long. */
const TURN_MS = 100;
/** What the share may fall behind or run ahead. */
const CREDIT_MS_MAX = 1_000;

/** Whom work is for, in order: a caller, a caller who asked for much, or the process itself. */
const KINDS = ['caller', 'bulk', 'pass'] as const;

type Kind = (typeof KINDS)[number];

const BULK_IS_DUE: readonly Kind[] = ['bulk', 'caller', 'pass'];

/** Where tasks are counted, traced and timed. */
interface Watching {
  readonly metrics: Metrics;
  readonly tracing: Tracing;
  readonly now: () => number;
}

/** A thread in a pool of its own: passes bring a stock to the same one each time, which keeps what follows from its bars. */
interface Thread {
  readonly pool: Pool<DeriveTask, TaskOutcome>;
  isBusy: boolean;
}

interface Ticket {
  readonly task: DeriveTask;
  /** Of the thread that keeps its stocks; null where any does. */
  readonly place: number | null;
  readonly kind: Kind;
  readonly signal: AbortSignal | undefined;
  readonly done: PromiseWithResolvers<TaskOutcome>;
}

/**
 * Derivation threads: some for callers (what they wait for has a signal), as many of a lower priority for passes. Bulk
 * work has a share of the time of callers, so that no single stock waits behind years of minutes. A request that is
 * cancelled leaves the queue; a batch that runs stops after the day at hand, which keeps its thread alive for the next one.
 */
export function createDeriver(
  data: TapeWorkerData,
  threads: number,
  openPool: OpenPool = openThreadPool,
  { metrics = new Metrics(), tracing = NO_TRACING, now = stopwatch }: Partial<Watching> = {},
): Deriver & ClaimCounter {
  const keptBytes = Math.floor(KEPT_BYTES / (2 * threads));
  const kept: Float64Array[] = [];
  const newKept = (): Float64Array => {
    const bytes = new Float64Array(new SharedArrayBuffer(Float64Array.BYTES_PER_ELEMENT));
    kept.push(bytes);
    return bytes;
  };
  const open = (level: PriorityLevel, threadsMin: number): Thread[] =>
    Array.from({ length: threads }, (_, at) => ({
      pool: openPool<DeriveTask, TaskOutcome>(new URL('./derive-worker.ts', import.meta.url), {
        threads: 1,
        threadsMin: at < threadsMin ? 1 : 0,
        idleMs: IDLE_MS,
        heapMegabytes: HEAP_MEGABYTES,
        ...(level === 'behind_answers' ? { youngMegabytes: YOUNG_MEGABYTES_OF_CALLERS } : {}),
        data: { ...data, level, keptBytes, place: at, kept: newKept() } satisfies DeriveThreadData,
      }),
      isBusy: false,
    }));
  // A pass that no caller disturbs is as fast on a low priority as on any.
  const all = { callers: open('behind_answers', 1), passes: open('behind_derivations', 0) };
  const waiting: Readonly<Record<Kind, Ticket[]>> = { caller: [], bulk: [], pass: [] };
  const isBusy = ({ isBusy }: Thread): boolean => isBusy;
  /** Time that bulk work may take before callers, milliseconds. */
  let bulkCreditMs = 0;
  /** When the newest answer of any kind was begun. */
  let askedAt = Number.NEGATIVE_INFINITY;
  const waitingMax = WAITING_MAX * threads;
  /** Callers who read what they come with. */
  let reading = 0;
  watchQueue(metrics, threads, waiting, () => Object.values(all).flat().filter(isBusy).length);
  metrics.gauge(
    'tigraph_derive_kept_bytes',
    'What derivation threads keep of the daily bars, chains and facts of stocks.',
    () => kept.reduce((sum, [bytes]) => sum + bytes!, 0),
  );

  /**
   * The thread on which a ticket may start; null while it has to wait. Callers take the first, which stays while idle.
   * Beside callers, whatever those wait for, passes have one thread: priority alone leaves a caller half of a processor.
   */
  function threadFor({ kind, place }: Ticket): Thread | null {
    const isBeside = (): boolean => now() - askedAt < CALLERS_STAY_MS || all.callers.some(isBusy);
    if (kind === 'pass' && all.passes.some(isBusy) && isBeside()) return null;
    const own = all[kind === 'pass' ? 'passes' : 'callers'];
    const fit = place === null ? own : [own[place]!];
    return fit.find((each) => !each.isBusy) ?? null;
  }

  /** Starts what has a thread, callers first. */
  function startNext(): void {
    for (;;) {
      const order = bulkCreditMs > TURN_MS ? BULK_IS_DUE : KINDS;
      const next = order.flatMap((kind) => waiting[kind].find((each) => threadFor(each) !== null) ?? [])[0];
      if (next === undefined) return;
      waiting[next.kind].splice(waiting[next.kind].indexOf(next), 1);
      start(next, threadFor(next)!);
    }
  }

  function start({ task, kind, signal, done }: Ticket, thread: Thread): void {
    thread.isBusy = true;
    const began = now();
    thread.pool
      .run(task, signal)
      .then(done.resolve, done.reject)
      .finally(() => {
        thread.isBusy = false;
        account(kind, now() - began);
        startNext();
      });
  }

  function account(kind: Kind, tookMs: number): void {
    if (kind === 'caller' && waiting.bulk.length > 0) bulkCreditMs += BULK_SHARE * tookMs;
    if (kind === 'bulk' && waiting.caller.length > 0) bulkCreditMs -= tookMs;
    bulkCreditMs = Math.min(Math.max(bulkCreditMs, -CREDIT_MS_MAX), CREDIT_MS_MAX);
  }

  function callOff(ticket: Ticket, reason: unknown): void {
    Atomics.store(ticket.task.calledOff, 0, 1);
    const line = waiting[ticket.kind];
    const at = line.indexOf(ticket);
    if (at >= 0) line.splice(at, 1);
    ticket.done.reject(reason);
  }

  /** The outcome of each kind of work is that of its function in the worker. */
  function run<Outcome extends TaskOutcome>(
    work: DeriveWork,
    { signal, isBulk = false, isPatient = signal === undefined }: WorkOptions,
    place: number | null = null,
  ): Promise<Outcome> {
    const ofCaller = isBulk ? 'bulk' : 'caller';
    const ticket: Ticket = {
      task: { ...work, isPatient, calledOff: new Int32Array(new SharedArrayBuffer(4)) },
      place,
      kind: signal === undefined ? 'pass' : ofCaller,
      signal,
      done: Promise.withResolvers<TaskOutcome>(),
    };
    if (signal?.aborted) return Promise.reject(signal.reason);
    const line = waiting[ticket.kind];
    if (ticket.kind !== 'pass' && line.length >= waitingMax)
      return Promise.reject(new CodedError('overloaded'));
    const onAbort = (): void => callOff(ticket, signal!.reason);
    signal?.addEventListener('abort', onAbort, { once: true });
    line.push(ticket);
    startNext();
    return traced(
      tracing,
      () => spanOf(work),
      () => ticket.done.promise as Promise<Outcome>,
    ).finally(() => signal?.removeEventListener('abort', onAbort));
  }

  const placeOf = ({ tape }: DeriveJob): number => crc32(tape.symbol) % threads;

  const days =
    (form: DaysTask['form']) =>
    async <Outcome extends TaskOutcome & unknown[]>(
      jobs: readonly DeriveJob[],
      { markets = {}, includes, ...options }: DeriveOptions = {},
    ): Promise<Outcome> => {
      const derive = (some: readonly DeriveJob[], place: number | null) =>
        run<Outcome>({ kind: 'days', jobs: some, markets, form, includes }, options, place);
      if (options.signal !== undefined) return derive(jobs, null);
      const parts = Map.groupBy(jobs, placeOf);
      const derived = Array.from(parts, ([place, own]) =>
        Array.from(chunks(own, JOBS_OF_PASS), (some) => derive(some, place)),
      );
      return (await Promise.all(derived.flat())).flat() as Outcome;
    };

  return {
    async reading(read) {
      if (waiting.caller.length + reading >= waitingMax) throw new CodedError('overloaded');
      reading++;
      try {
        return await read();
      } finally {
        reading--;
      }
    },
    noteCaller() {
      askedAt = now();
    },
    derive: days('answer'),
    deriveScreens: days('screen'),
    deriveToStore: days('stored'),
    columns: (work) => run({ kind: 'columns', ...work }, {}, placeOf(work.job)),
    market: ({ tapes, days }, options = {}) => run({ kind: 'market', tapes, days }, options),
    peers: (request, options = {}) => run({ kind: 'peers', ...request }, options),
    states: (request, options = {}) => run({ kind: 'states', ...request }, options),
    newestSessions: (request, options = {}) => run({ kind: 'sessions', ...request }, options),
    bars: (request, options = {}) => run({ kind: 'bars', ...request }, options),
    panel: (request, options = {}) => run({ kind: 'panel', ...request }, options),
    trades: (request, options = {}) => run({ kind: 'trades', ...request }, options),
    moments: (request, options = {}) => run({ kind: 'moments', ...request }, options),
    barRows: (request, options = {}) => run({ kind: 'bar-rows', ...request }, options),
    chain: (request, options = {}) => run({ kind: 'chain', ...request }, options),
    claims: ({ name }, work, options = {}) => run({ kind: 'claims', of: name as ClaimKind, work }, options),
    regimes: (request, options = {}) => run({ kind: 'regimes', ...request }, options),
    records: (work, options = {}) => run({ kind: 'records', work }, options),
    async close() {
      for (const ticket of KINDS.flatMap((kind) => waiting[kind].splice(0)))
        ticket.done.reject(new CodedError('shutting_down'));
      await Promise.all([...all.callers, ...all.passes].map(({ pool }) => pool.close()));
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
  waiting: Readonly<Record<Kind, readonly Ticket[]>>,
  running: () => number,
): void {
  metrics.gauge(
    'tigraph_derive_threads',
    'Derivation tasks of callers, and as many of passes, that may run at a time.',
    () => threads,
  );
  metrics.gauge('tigraph_derive_running', 'Derivation tasks that run.', running);
  metrics.gauge('tigraph_derive_waiting', 'Derivation tasks that wait for a thread.', () =>
    KINDS.map((kind) => ({ labels: { for: kind }, value: waiting[kind].length })),
  );
}
