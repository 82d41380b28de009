import { operatorsOf } from '../../analysis/screening/check-conditions.ts';
import { SCALAR_FIELDS } from '../../derive/scalar-fields.ts';

/** Every field that a screen may use; the same as long as the program runs. */
export const listScreenFields = () => ({
  fields: SCALAR_FIELDS.map(({ path, type, unit, description, words, include }) => ({
    path,
    type,
    unit,
    description,
    words,
    include,
    operators: operatorsOf(type),
  })),
});
