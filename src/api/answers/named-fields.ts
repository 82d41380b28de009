import { ValidationRefusal } from '../../base/errors.ts';
import { SCALAR_FIELDS, type ScalarField, scalarField } from '../../derive/scalar-fields.ts';
import { unknownWord, valueFault } from './refusals.ts';

const FIELDS_MAX = 50;
const FIELD_PATHS = SCALAR_FIELDS.map(({ path }) => path);

/**
 * Fields of the stock detail that a request names, each once.
 *
 * @param part of the request in which they are
 * @throws ValidationRefusal for names that are no scalar field, and for none or too many
 */
export function namedFields(names: readonly string[], part: 'query' | 'body'): ScalarField[] {
  const paths = [...new Set(names.map((path) => path.trim()))].filter((path) => path !== '');
  if (paths.length === 0 || paths.length > FIELDS_MAX) {
    const msg = `List should have 1 to ${FIELDS_MAX} fields, not ${paths.length}`;
    throw new ValidationRefusal([
      valueFault([part, 'fields'], names, msg, { error: msg, max_length: FIELDS_MAX }),
    ]);
  }
  const unknown = paths.filter((path) => scalarField(path) === null);
  if (unknown.length > 0)
    throw new ValidationRefusal(unknown.map((path) => ({ ...unknownField(path), loc: [part, 'fields'] })));
  return paths.map((path) => scalarField(path)!);
}

const unknownField = (path: string) =>
  unknownWord('fields', path, FIELD_PATHS, `No field is called '${path}'`, {
    hint: '/api/graph/v1/screener/fields lists them all',
  });
