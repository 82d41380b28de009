import type { TSchema } from 'typebox';
import { memoize } from '../base/memoize.ts';
import { INCLUDE_FIELDS, StockResult } from './compose.ts';
import type { Node } from './rounding.ts';
import { unitOf } from './units.ts';

/** More than an answer has. */
const PATHS_MAX = 2_000;

/** Types of a single value in StockResult. */
export type ScalarType = 'number' | 'integer' | 'boolean' | 'text' | 'date' | 'instant';

/** A field of StockResult with a single value, at any depth. */
export interface ScalarField {
  /** Names from the top, joined by dots, e.g. `technical.moving_averages.sma_50`. */
  readonly path: string;
  readonly type: ScalarType;
  /** Unit of a number, e.g. `USD`; null without one. */
  readonly unit: string | null;
  readonly description: string;
  /** The closed vocabulary of the field, if any. */
  readonly words: readonly string[] | null;
  /** The include word of its block; null when it is always served. */
  readonly include: string | null;
}

/** Fields of the answer rather than of the stock. */
const OF_THE_ANSWER: ReadonlySet<string> = new Set(['sessions_behind', 'source', 'simulated']);

const wordOfBlock = new Map<string, string>();
for (const [word, block] of INCLUDE_FIELDS) if (!wordOfBlock.has(block)) wordOfBlock.set(block, word);

/** Every scalar field of StockResult in the order of the answer, without lists. */
export const SCALAR_FIELDS: readonly ScalarField[] = fieldsOf(StockResult, []);

const byPath = new Map(SCALAR_FIELDS.map((field) => [field.path, field]));

export const scalarField = (path: string): ScalarField | null => byPath.get(path) ?? null;

/** Every single value of a record, without lists; at the top those of the answer rather than of the stock are left out. */
export function fieldsOf(schema: TSchema | Node, path: readonly string[]): ScalarField[] {
  const node = presentOf(schema as Node);
  if (node.properties !== undefined) {
    return Object.entries(node.properties)
      .filter(([name]) => path.length > 0 || !OF_THE_ANSWER.has(name))
      .flatMap(([name, child]) => fieldsOf(child, [...path, name]));
  }
  const type = typeOf(node);
  if (type === null) return [];
  const name = path.join('.');
  const description = node.description ?? '';
  const isNumber = type === 'number' || type === 'integer';
  return [
    {
      path: name,
      type,
      unit: isNumber ? unitOf(name, description) : null,
      description,
      words: node.enum?.filter((word): word is string => typeof word === 'string') ?? null,
      include: wordOfBlock.get(path[0]!) ?? null,
    },
  ];
}

/** The record of a nullable record. */
export function presentOf(node: Node): Node {
  return node.anyOf?.find(({ type }) => type !== 'null') ?? node;
}

function typeOf({ type, format }: Node): ScalarType | null {
  const [word] = [type].flat().filter((each) => each !== 'null');
  if (word === 'string') return format === 'date' ? 'date' : format === 'date-time' ? 'instant' : 'text';
  return word === 'number' || word === 'integer' || word === 'boolean' ? word : null;
}

const namesOf = memoize(PATHS_MAX, (path) => path.split('.'));

/** The value at a path of a parsed answer; null when it or its parent is null. */
export function scalarAt(
  answer: Readonly<Record<string, unknown>>,
  path: string,
): string | number | boolean | null {
  let value: unknown = answer;
  for (const name of namesOf(path)) {
    if (typeof value !== 'object' || value === null) return null;
    value = (value as Record<string, unknown>)[name];
  }
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null;
}
