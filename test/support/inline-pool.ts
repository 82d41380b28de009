import { CodedError } from '../../src/base/errors.ts';
import type { OpenPool, Pool } from '../../src/workers/pool.ts';
import { answerOf, outcomeOf, type ThreadAnswer } from '../../src/workers/thread.ts';

interface WorkerModule<Task, Outcome> {
  open(data: unknown): (task: Task) => Outcome;
}

/**
 * The functions of the threads, run in the thread of the test, one task at a time and each in a separate turn: no thread
 * has to load the program again. What threads are for is tested with threads (`deriver.test.ts`, `backtest-queue.test.ts`).
 */
export const openInlinePool: OpenPool = <Task, Outcome>(
  worker: URL,
  settings: { readonly data?: unknown },
): Pool<Task, Outcome> => {
  let work: Promise<(task: Task) => Outcome> | undefined;
  let last: Promise<unknown> = Promise.resolve();
  let closed = false;
  const load = async (): Promise<(task: Task) => Outcome> => {
    const module: WorkerModule<Task, Outcome> = await import(worker.href);
    return module.open(settings.data);
  };
  const turn = async (task: Task, signal: AbortSignal | undefined): Promise<ThreadAnswer<Outcome>> => {
    work ??= load();
    const own = await work;
    await new Promise((resolve) => setImmediate(resolve));
    signal?.throwIfAborted();
    if (closed) throw new CodedError('shutting_down');
    return answerOf(own, task);
  };
  return {
    async run(task, signal) {
      const answer = last.then(() => turn(task, signal));
      last = answer.catch(() => {});
      return outcomeOf(await answer);
    },
    async close() {
      await last;
      closed = true;
    },
  };
};
