import { CodedError, type ErrorCode, isCoded } from '../base/errors.ts';

/** What a thread answers: what its work came to, or a refusal of the catalogue, which loses its class on the way. */
export type ThreadAnswer<Outcome> =
  | { readonly kind: 'done'; readonly outcome: Outcome }
  | { readonly kind: 'refused'; readonly code: ErrorCode; readonly message: string };

/** Work as a thread carries it out; what it throws that is no refusal is a defect and passes as it is. */
export function inThread<Task, Outcome>(
  work: (task: Task) => Outcome,
): (task: Task) => ThreadAnswer<Outcome> {
  return (task) => {
    try {
      return { kind: 'done', outcome: work(task) };
    } catch (error) {
      if (!isCoded(error)) throw error;
      return { kind: 'refused', code: error.code, message: error.message };
    }
  };
}

/** @throws CodedError what the thread refused with */
export function outcomeOf<Outcome>(answer: ThreadAnswer<Outcome>): Outcome {
  if (answer.kind === 'done') return answer.outcome;
  throw new CodedError(answer.code, answer.message);
}
