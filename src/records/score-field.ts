import { distance } from 'fastest-levenshtein';
import { CodedError } from '../base/errors.ts';
import { INCLUDE_FIELDS, StockResult } from '../derive/compose.ts';
import { packedNumber } from '../derive/projection.ts';
import type { Node } from '../derive/rounding.ts';
import { presentOf, SCALAR_FIELDS } from '../derive/scalar-fields.ts';

const SUGGESTIONS_MAX = 5;
/** Letters that another record counts for. */
const OTHER_RECORD = 2;

/** Paths of the numbers that every answer has, in order. */
export const NUMBER_PATHS: readonly string[] = SCALAR_FIELDS.filter(
  ({ type, include }) => include === null && (type === 'number' || type === 'integer'),
).map(({ path }) => path);

/**
 * Reads the number at a dotted path of an answer from its packed row, e.g. `technical.rsi_14`; NaN where it is null.
 *
 * @throws CodedError validation_failed for an unknown path (with the nearest names), for one that is no number, and for
 *   one in a block that is served on request only
 */
export function scoreReader(path: string): (packed: Uint8Array) => number {
  const parts = path.split('.');
  if ([...INCLUDE_FIELDS.values()].includes(parts[0]!))
    throw refused(`${path} is served on request only; a score is a field that every answer has.`);
  let node: Node | undefined = StockResult as Node;
  for (const part of parts) {
    const fields: Node['properties'] = node === undefined ? undefined : presentOf(node).properties;
    node = fields !== undefined && Object.hasOwn(fields, part) ? fields[part] : undefined;
  }
  if (node === undefined)
    throw refused(`The answer has no field ${path}. Near it: ${nearest(path).join(', ')}.`);
  const kind = wordFor(presentOf(node));
  if (kind !== null)
    throw refused(`${path} is ${kind}, not a number, so that stocks cannot be ordered by it.`);
  return packedNumber(path);
}

const refused = (sentence: string): CodedError => new CodedError('validation_failed', sentence);

/** Null for a number. */
function wordFor({ type, properties = {} }: Node): string | null {
  const words = { number: null, integer: null, string: 'text', boolean: 'yes or no', array: 'a list' };
  const word = [type].flat()[0];
  return Object.hasOwn(words, word ?? '')
    ? words[word as keyof typeof words]
    : `a record (${Object.keys(properties).join(', ')})`;
}

/** Names with the same last part first, then those that differ by the fewest letters. */
function nearest(path: string): string[] {
  const changes = (name: string): number =>
    lastPart(name) === lastPart(path)
      ? 0
      : Math.min(distance(path, name), OTHER_RECORD + distance(lastPart(path), lastPart(name)));
  return NUMBER_PATHS.toSorted((a, b) => changes(a) - changes(b)).slice(0, SUGGESTIONS_MAX);
}

const lastPart = (path: string): string => path.slice(path.lastIndexOf('.') + 1);
