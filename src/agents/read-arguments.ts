import type { Tool } from './tool.ts';

/**
 * Arguments as clients send them. Some send a list, an object, a number or a boolean as the JSON text that spells it,
 * which the model behind them cannot mend. Such a text is read as its value where the schema wants no text.
 */

/** What reading needs to know of a schema. */
export interface ArgumentSchema {
  readonly type?: string;
  readonly items?: ArgumentSchema;
  /** Set on words of a person, which may stand in quotation marks. */
  readonly contentMediaType?: string;
}

/** Far more than a list of 40 fields or a filter of some hundred conditions has. */
const SEPARATORS_MAX = 1_000;

const kindOf = (value: unknown): string => {
  if (Array.isArray(value)) return 'array';
  return value === null ? 'null' : typeof value;
};

/** The arguments of a call by the schema of its tool, without those that are null: models write it for what they leave out. */
export function readArguments(
  { input }: Tool,
  given: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const schemas = input.properties as Readonly<Record<string, ArgumentSchema>>;
  const read = Object.entries(given).map(([name, value]) => [
    name,
    Object.hasOwn(schemas, name) ? readArgument(schemas[name]!, value) : value,
  ]);
  return Object.fromEntries(read.filter(([, value]) => value !== null));
}

/** A text that spells no value of the schema stays as it is: the check of the schema refuses it in its words. */
export function readArgument(schema: ArgumentSchema, value: unknown): unknown {
  const { type = 'string', items } = schema;
  if (typeof value === 'string') return type === 'string' ? unquoted(schema, value) : spelled(schema, value);
  // A client that takes each text of digits for a number: a symbol, a cursor.
  if (type === 'string' && Number.isSafeInteger(value)) return String(value);
  if (!Array.isArray(value) || items === undefined) return value;
  return value.map((item) => (typeof item === 'string' ? readArgument(items, item) : item));
}

/** Names, dates and words of a vocabulary hold no quotation mark: one around them is that of a JSON text. */
function unquoted(schema: ArgumentSchema, text: string): string {
  if (schema.contentMediaType !== undefined || !text.startsWith('"')) return text;
  const value = parsed(text);
  return typeof value === 'string' ? unquoted(schema, value) : text;
}

function spelled(schema: ArgumentSchema, text: string): unknown {
  const { type, items } = schema;
  const value = parsed(text);
  if (value === null) return null;
  if (kindOf(value) === (type === 'integer' ? 'number' : type) || typeof value === 'string')
    return readArgument(schema, value);
  // No path, symbol or signal holds a comma, and a list in an address of the API has them as well.
  const isOfNames = items?.type === 'string' && items.contentMediaType === undefined;
  if (!isOfNames || value !== undefined || /[[\]{}"']/.test(text) || !/[^\s,]/.test(text)) return text;
  return text.split(',').map((word) => word.trim());
}

/** The value that a JSON text spells; undefined where it spells none. */
function parsed(text: string): unknown {
  if ((text.match(/[,[{]/g)?.length ?? 0) > SEPARATORS_MAX) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
