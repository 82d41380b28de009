import { operatorsOf } from '../../analysis/screening/check-conditions.ts';
import { SCALAR_FIELDS } from '../../derive/scalar-fields.ts';
import { fieldWords } from '../../texts/glossary.ts';

/** Every field that a screen may use; the same as long as the program runs. */
export const listScreenFields = () => ({
  fields: SCALAR_FIELDS.map(({ path, type, unit, description, words, include }) => {
    const { label, shortName, aliases } = fieldWords(path);
    const operators = operatorsOf(type);
    return {
      path,
      type,
      unit,
      description,
      words,
      include,
      operators,
      label,
      short_name: shortName,
      aliases,
    };
  }),
});
