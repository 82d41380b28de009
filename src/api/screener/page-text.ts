import { DAY_MS, dateOf } from '../../base/calendar.ts';
import { rounded } from '../../derive/rounding.ts';
import type { ScalarType } from '../../derive/scalar-fields.ts';
import type { CachedColumn, CachedResult } from './result-cache.ts';

/** A value of a column as JSON text, as the answer of the stock itself has it; NaN is null. */
export function valueText(type: ScalarType, value: number, words: readonly string[] | null): string {
  if (!Number.isFinite(value)) return 'null';
  switch (type) {
    case 'boolean':
      return value === 0 ? 'false' : 'true';
    case 'text':
      return JSON.stringify(words![value]);
    case 'date':
      return `"${dateOf(value * DAY_MS)}"`;
    case 'instant':
      return `"${new Date(value).toISOString()}"`;
    default:
      return `${rounded(value)}`;
  }
}

/** JSON texts of some stocks that pass, in their order: the symbol, and every selected value under its name. */
export function rowsText({ symbols, rows, columns }: CachedResult, from: number, to: number): string {
  const others = columns.filter(({ name }) => name !== 'symbol');
  const keys = others.map(({ name }) => `,${JSON.stringify(name)}:`);
  const texts: string[] = [];
  for (let place = from; place < Math.min(to, rows.length); place++) {
    let text = `{"symbol":${JSON.stringify(symbols[rows[place]!])}`;
    for (const [at, column] of others.entries()) text += keys[at]! + columnText(column, place);
    texts.push(`${text}}`);
  }
  return texts.join(',');
}

const columnText = ({ type, values, words }: CachedColumn, place: number): string =>
  valueText(type, values[place]!, words);
