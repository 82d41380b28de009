import { createRequire } from 'node:module';
import { constants, setPriority } from 'node:os';
import { isMainThread, workerData } from 'node:worker_threads';
import type * as Pools from 'piscina';
import { CodedError, type ErrorCode, isCoded } from '../base/errors.ts';

/** Result of a task. Errors lose their class between threads, so a refusal of the catalogue travels as its code. */
export type ThreadAnswer<Outcome> =
  | { readonly kind: 'done'; readonly outcome: Outcome }
  | { readonly kind: 'refused'; readonly code: ErrorCode; readonly message: string };

/**
 * The function of a thread, made by `open` from the thread's data with the first task. Errors outside the catalogue are
 * defects and pass unchanged.
 *
 * @param memoryOf an outcome's large memory, which goes to the other thread without a copy; null without any
 */
export function threadEntry<Data, Task, Outcome>(
  open: (data: Data) => (task: Task) => Outcome,
  memoryOf: (outcome: Outcome) => ArrayBuffer | null = () => null,
): (task: Task) => ThreadAnswer<Outcome> {
  let work: ((task: Task) => Outcome) | undefined;
  return (task) => {
    work ??= open(workerData as Data);
    const answer = answerOf(work, task);
    const memory = answer.kind === 'done' ? memoryOf(answer.outcome) : null;
    return memory === null ? answer : moved(answer, memory);
  };
}

/** Loads the library of pools with the first large answer: threads start without it. */
function moved<Answer extends object>(answer: Answer, memory: ArrayBuffer): Answer {
  const { move, transferableSymbol, valueSymbol } = createRequire(import.meta.url)('piscina') as typeof Pools;
  return move({ [transferableSymbol]: [memory], [valueSymbol]: answer } as never) as unknown as Answer;
}

export function answerOf<Task, Outcome>(work: (task: Task) => Outcome, task: Task): ThreadAnswer<Outcome> {
  try {
    return { kind: 'done', outcome: work(task) };
  } catch (error) {
    if (!isCoded(error)) throw error;
    return { kind: 'refused', code: error.code, message: error.message };
  }
}

/** @throws CodedError the thread's refusal */
export function outcomeOf<Outcome>(answer: ThreadAnswer<Outcome>): Outcome {
  if (answer.kind === 'done') return answer.outcome;
  throw new CodedError(answer.code, answer.message);
}

const LEVELS = {
  /**
   * Below the event loop, which then gets three quarters of a contended core. With nine tenths of it, as of the next level
   * that has a name, what a caller waits for came late beside the store and the collector of passes.
   */
  behind_answers: 5,
  /** Below derivations too, since callers may wait for them. */
  behind_derivations: constants.priority.PRIORITY_LOW,
};

export type PriorityLevel = keyof typeof LEVELS;

/** Lowers the priority of the calling thread, on Linux alone: elsewhere the call would change the whole process. */
export function lowerPriority(level: PriorityLevel): void {
  if (process.platform !== 'linux' || isMainThread) return;
  try {
    setPriority(LEVELS[level]);
  } catch {
    // The system may forbid it.
  }
}
