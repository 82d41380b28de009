import { realTimers } from '../base/timers.ts';
import type {
  BacktestOutcome,
  BacktestTask,
  MergedRun,
  WalkOutcome,
  WalkRequest,
} from './backtest-worker.ts';
import type { TapeWorkerData } from './derive-worker.ts';
import { type OpenPool, openThreadPool } from './pool.ts';

/** Threads that simulate backtests, apart from those that derive stock-days on request. */
export interface Backtester {
  /** Symbols that are simulated at a time. */
  readonly threads: number;
  /** Directory of the result files of unfinished runs, one folder for each run. */
  readonly directory: string;
  /**
   * Ends within a session's work once the signal has aborted, with its reason.
   *
   * @param onSessions receives the trade days done so far, every 100 ms
   * @throws CodedError tape_damaged
   */
  walk(request: WalkRequest, signal: AbortSignal, onSessions: (done: number) => void): Promise<WalkOutcome>;
  /** Merges the result files of all symbols. */
  merge(files: readonly string[], signal: AbortSignal): Promise<MergedRun>;
  close(): Promise<void>;
}

const IDLE_MS = 60_000;
const POLL_INTERVAL_MS = 100;

/**
 * One thread fewer than the service may use, so that stock-days are still derived at once.
 *
 * @param directory of the result files
 */
export function createBacktester(
  data: TapeWorkerData,
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
    signal.addEventListener('abort', callOff, { once: true });
    try {
      const answer = await pool.run(task, signal);
      signal.throwIfAborted();
      return answer;
    } catch (error) {
      signal.throwIfAborted();
      throw error;
    } finally {
      signal.removeEventListener('abort', callOff);
    }
  }

  return {
    threads,
    directory,
    async walk(request, signal, onSessions) {
      const [daysDone, calledOff] = [sharedInteger(), sharedInteger()];
      const endPolling = realTimers.every(POLL_INTERVAL_MS, () => onSessions(Atomics.load(daysDone, 0)));
      try {
        const task = { kind: 'walk', ...request, daysDone, calledOff } as const;
        const answer = await run(task, signal, () => Atomics.store(calledOff, 0, 1));
        onSessions(request.spec.tradeDays.length);
        if (answer.kind === 'walked') return answer.outcome;
        throw unexpected(answer);
      } finally {
        endPolling();
      }
    },
    async merge(files, signal) {
      const answer = await run({ kind: 'merge', files }, signal, () => {});
      if (answer.kind === 'merged') return answer.merged;
      throw unexpected(answer);
    },
    close: () => pool.close({ force: true }),
  };
}

const unexpected = ({ kind }: BacktestOutcome): Error => new Error(`A backtest thread answered ${kind}.`);

const sharedInteger = (): Int32Array => new Int32Array(new SharedArrayBuffer(4));
