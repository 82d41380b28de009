/** A screen as the service takes it, and its text as `readFilter` reads it. */

export type Value = string | number | boolean;

export type Filter =
  | { readonly all: readonly Filter[] }
  | { readonly any: readonly Filter[] }
  | { readonly not: Filter }
  | {
      readonly field: string;
      readonly op: string;
      readonly value?: Value | readonly Value[];
      readonly other?: string;
    };

/** A filter, and the computed numbers that its words need, by name. */
export interface Read {
  readonly filter: Filter | null;
  readonly computed: Readonly<Record<string, string>>;
}

/** Where a text stops making sense, as a place in it, and what may be written there instead. */
export class FilterFault extends Error {
  override readonly name = 'FilterFault';
  readonly at: number;
  readonly length: number;
  readonly instead: readonly string[];

  constructor(at: number, message: string, length = 0, instead: readonly string[] = []) {
    super(message);
    this.at = at;
    this.length = length;
    this.instead = instead;
  }
}

export const isDate = (text: string): boolean => /^\d{4}-\d\d-\d\d/.test(text);

const KEYWORD =
  /^(?:and|or|not|in|is|between|with|but|within|over|under|above|below|more|less|at|no|equals|greater|then|while|plus)$/i;

/** A text is quoted unless it reads as one word; after < and > it is quoted always, since a bare one is a field. */
const wordOf = (value: Value, isOrdered: boolean): string =>
  typeof value === 'string' &&
  (isOrdered
    ? !isDate(value)
    : !/^[a-z][\w.-]*$/i.test(value) || KEYWORD.test(value) || /^(?:true|false)$/.test(value))
    ? `"${value}"`
    : `${value}`;

/** The text of a filter, as `readFilter` reads it. */
export function writeFilter(filter: Filter, isInner = false): string {
  if ('all' in filter)
    return grouped(filter.all.map((part) => writeFilter(part, true)).join(' and '), isInner);
  if ('any' in filter)
    return grouped(filter.any.map((part) => writeFilter(part, true)).join(' or '), isInner);
  if ('not' in filter) return `not ${writeFilter(filter.not, true)}`;
  const { field, op, value, other } = filter;
  const isOrdered = /^[<>]/.test(op);
  if (op === 'is_null') return `${field} is null`;
  if (op === 'not_null') return `${field} is not null`;
  if (other !== undefined) return `${field} ${op} ${isOrdered ? other : `{${other}}`}`;
  if (!Array.isArray(value)) return `${field} ${op} ${wordOf(value as Value, isOrdered)}`;
  const words = (value as readonly Value[]).map((one) => wordOf(one, op === 'between'));
  if (op === 'between') return `${field} between ${words.join(' and ')}`;
  return `${field} ${op.replace('_', ' ')} (${words.join(', ')})`;
}

const grouped = (text: string, isInner: boolean): string => (isInner ? `(${text})` : text);
