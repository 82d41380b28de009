import type { BacktestOutcome, BacktestTask, BacktestWorkerData } from './backtest-worker.ts';
import { type OpenPool, openThreadPool } from './pool.ts';
import { type Backtester, WALK_SHARED } from './backtest-tasks.ts';

/** A pool ends a thread that has nothing to do after so long: it is dear to start, and holds some megabytes. */
const IDLE_MS = 60_000;
/** Between looks at how far a walk has come. */
const POLL_INTERVAL_MS = 100;
/** A walk that was called off ends with the session at hand; what has not ended by then is ended with its thread. */
const CALLED_OFF_GRACE_MS = 500;

/**
 * Threads of their own for backtests, one fewer than the machine is allowed for, so that stock-days are still derived
 * at once.
 *
 * @param directory where the files of unfinished runs lie
 */
export function createBacktester(
  data: BacktestWorkerData,
  directory: string,
  workers: number,
  openPool: OpenPool = openThreadPool,
): Backtester {
  const threads = Math.max(1, workers - 1);
  const pool = openPool<BacktestTask, BacktestOutcome>(new URL('./backtest-worker.ts', import.meta.url), {
    threads,
    threadsMin: 0,
    idleMs: IDLE_MS,
    data,
  });

  /** @param callOff asks the task to end by itself */
  async function run(task: BacktestTask, signal: AbortSignal, callOff: () => void): Promise<BacktestOutcome> {
    signal.throwIfAborted();
    const thread = new AbortController();
    let grace: NodeJS.Timeout | undefined;
    const onAbort = (): void => {
      callOff();
      grace = setTimeout(() => thread.abort(), CALLED_OFF_GRACE_MS);
    };
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      const answer = await pool.run(task, thread.signal);
      signal.throwIfAborted();
      return answer;
    } catch (error) {
      signal.throwIfAborted();
      throw error;
    } finally {
      clearTimeout(grace);
      signal.removeEventListener('abort', onAbort);
    }
  }

  return {
    threads,
    directory,
    async walk(request, signal, onSessions) {
      const shared = new Int32Array(new SharedArrayBuffer(8));
      const looking = setInterval(
        () => onSessions(Atomics.load(shared, WALK_SHARED.daysDone)),
        POLL_INTERVAL_MS,
      );
      try {
        const answer = await run({ kind: 'walk', ...request, shared }, signal, () =>
          Atomics.store(shared, WALK_SHARED.calledOff, 1),
        );
        onSessions(request.spec.tradeDays.length);
        if (answer.kind === 'walked') return answer.outcome;
        throw unexpected(answer);
      } finally {
        clearInterval(looking);
      }
    },
    async merge(files, signal) {
      const answer = await run({ kind: 'merge', files }, signal, () => {});
      if (answer.kind === 'merged') return answer.text;
      throw unexpected(answer);
    },
    close: () => pool.close({ force: true }),
  };
}

const unexpected = ({ kind }: BacktestOutcome): Error => new Error(`A backtest thread answered ${kind}.`);
