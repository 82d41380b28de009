import { type ValidationFault, ValidationRefusal } from '../../base/errors.ts';
import { includeWords, splitWords } from '../../base/parameters.ts';
import { INCLUDE_FIELDS } from '../../derive/compose.ts';
import { ANSWER_PATHS, requestedBlocks } from '../../derive/selection.ts';
import type { StockRequest } from '../answers/load-stock.ts';
import { unknownWord } from '../answers/refusals.ts';

/** The word of `include` for what no stock-day stores. */
export const RECORDS_WORD = 'records';

/**
 * The parts of an answer that the parameters `include` and `fields` ask for: the whole with some blocks, or only some
 * fields.
 *
 * @throws ValidationRefusal for an unknown path, with the nearest known
 */
export function chosenParts(
  include: string | undefined,
  fields: string | undefined,
): Pick<StockRequest, 'includes' | 'fields' | 'withRecords'> {
  const asked = includeWords(include);
  const withRecords = asked.includes(RECORDS_WORD);
  const words = withRecords ? asked.filter((word) => word !== RECORDS_WORD) : asked;
  if (fields === undefined) return { includes: words, withRecords };
  const paths = splitWords(fields);
  const faults = paths.filter((path) => !ANSWER_PATHS.has(path)).map((path) => unknownPath(path, fields));
  if (faults.length > 0) throw new ValidationRefusal(faults);
  const included = words.map((word) => INCLUDE_FIELDS.get(word)!);
  const all = [...new Set([...paths, ...included])].sort();
  return { includes: requestedBlocks(all), fields: all, withRecords };
}

const unknownPath = (path: string, input: string): ValidationFault =>
  unknownWord(
    'fields',
    path,
    ANSWER_PATHS,
    `The answer has no field '${path}'`,
    { hint: 'StockResult in /openapi.json lists them all' },
    input,
  );
