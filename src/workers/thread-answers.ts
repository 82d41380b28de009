import { workerData } from 'node:worker_threads';
import { CodedError, type ErrorCode, isCoded } from '../base/errors.ts';

/** What a thread answers: what its work came to, or a refusal of the catalogue, which loses its class on the way. */
export type ThreadAnswer<Outcome> =
  | { readonly kind: 'done'; readonly outcome: Outcome }
  | { readonly kind: 'refused'; readonly code: ErrorCode; readonly message: string };

/**
 * The function of a thread, made of the data that the thread was started with when its first task comes. A refusal passes
 * as an answer; anything else that the work throws is a defect and passes as it is.
 */
export function threadEntry<Data, Task, Outcome>(
  open: (data: Data) => (task: Task) => Outcome,
): (task: Task) => ThreadAnswer<Outcome> {
  let work: ((task: Task) => Outcome) | undefined;
  return (task) => {
    work ??= open(workerData as Data);
    return answerOf(work, task);
  };
}

export function answerOf<Task, Outcome>(work: (task: Task) => Outcome, task: Task): ThreadAnswer<Outcome> {
  try {
    return { kind: 'done', outcome: work(task) };
  } catch (error) {
    if (!isCoded(error)) throw error;
    return { kind: 'refused', code: error.code, message: error.message };
  }
}

/** @throws CodedError what the thread refused with */
export function outcomeOf<Outcome>(answer: ThreadAnswer<Outcome>): Outcome {
  if (answer.kind === 'done') return answer.outcome;
  throw new CodedError(answer.code, answer.message);
}
