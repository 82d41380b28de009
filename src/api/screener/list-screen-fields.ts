import { operatorsOf } from '../../analysis/screening/check-conditions.ts';
import { SCALAR_FIELDS } from '../../derive/scalar-fields.ts';
import { type Answer, sealAnswer } from '../context/answer-cache.ts';

let answer: Answer | null = null;

/** Every field that a screen may use; the same as long as the program runs. */
export function listScreenFields(): Answer {
  answer ??= sealAnswer(
    JSON.stringify({
      fields: SCALAR_FIELDS.map(({ path, type, unit, description, words, include }) => ({
        path,
        type,
        unit,
        description,
        words,
        include,
        operators: operatorsOf(type),
      })),
    }),
  );
  return answer;
}
