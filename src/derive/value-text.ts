import { DAY_MS, dateOf } from '../base/calendar.ts';
import { rounded } from './rounding.ts';
import type { ScalarType } from './scalar-fields.ts';

/** A value of a column as JSON text, as in the answer of the stock; NaN is null. */
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
