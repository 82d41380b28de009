import { operatorsOf } from '../../analysis/screening/check-conditions.ts';
import { SCALAR_FIELDS, type ScalarType } from '../../derive/scalar-fields.ts';
import { type Answer, sealAnswer } from '../stocks/answer-cache.ts';

export const FIELD_TYPES = [
  'number',
  'integer',
  'boolean',
  'text',
  'date',
  'instant',
] as const satisfies readonly ScalarType[];

let ready: Answer | null = null;

/** Everything that a screen may ask about, as JSON text: it is the same until the program changes. */
export function listScreenFields(): Answer {
  ready ??= answerOf();
  return ready;
}

function answerOf(): Answer {
  const fields = SCALAR_FIELDS.map(({ path, type, unit, description, words, include }) => ({
    path,
    type,
    unit,
    description,
    words,
    include,
    operators: operatorsOf(type),
  }));
  return sealAnswer(JSON.stringify({ fields }));
}
