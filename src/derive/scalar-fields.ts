import type { TSchema } from 'typebox';
import { INCLUDE_FIELDS, StockResult } from './compose.ts';
import { unitOf } from './units.ts';

/** Kinds of value that one field of StockResult can hold. */
export type ScalarType = 'number' | 'integer' | 'boolean' | 'text' | 'date' | 'instant';

/** A field of StockResult that holds a single value, at any depth. */
export interface ScalarField {
  /** Names from the top with dots between them, e.g. `technical.moving_averages.sma_50`. */
  readonly path: string;
  readonly type: ScalarType;
  /** What a number counts, e.g. `USD`; null where it has no unit or is no number. */
  readonly unit: string | null;
  readonly description: string;
  /** Every word that it can be, where its vocabulary is closed. */
  readonly words: readonly string[] | null;
  /** The include word that fills its block; null where it is always served. */
  readonly include: string | null;
}

/** The parts of a JSON Schema that are read here. */
interface Node {
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly description?: string;
  readonly anyOf?: readonly Node[];
  readonly properties?: Readonly<Record<string, Node>>;
}

/** Of what callers are told about the feed rather than about the stock. */
const OF_THE_FEED = 'source';

/** The include word by the block that it fills. */
const wordOfBlock = new Map<string, string>();
for (const [word, block] of INCLUDE_FIELDS) if (!wordOfBlock.has(block)) wordOfBlock.set(block, word);

/** Every scalar field of StockResult, in the order of the answer. Lists hold many values and are left out. */
export const SCALAR_FIELDS: readonly ScalarField[] = fieldsOf(StockResult, []);

const byPath = new Map(SCALAR_FIELDS.map((field) => [field.path, field]));

export const scalarField = (path: string): ScalarField | null => byPath.get(path) ?? null;

function fieldsOf(schema: TSchema | Node, path: readonly string[]): ScalarField[] {
  const node = presentOf(schema as Node);
  if (node.properties !== undefined) {
    return Object.entries(node.properties)
      .filter(([name]) => path.length > 0 || name !== OF_THE_FEED)
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

/** A nullable record is one of two; the other is null. */
function presentOf(node: Node): Node {
  return node.anyOf?.find(({ type }) => type !== 'null') ?? node;
}

function typeOf({ type, format }: Node): ScalarType | null {
  const [word] = [type].flat().filter((each) => each !== 'null');
  if (word === 'string') return format === 'date' ? 'date' : format === 'date-time' ? 'instant' : 'text';
  return word === 'number' || word === 'integer' || word === 'boolean' ? word : null;
}

/** The value at a path of a parsed answer; null where it or what should hold it is null. */
export function scalarAt(
  answer: Readonly<Record<string, unknown>>,
  path: string,
): string | number | boolean | null {
  let value: unknown = answer;
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null) return null;
    value = (value as Record<string, unknown>)[name];
  }
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null;
}
