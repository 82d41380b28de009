import { scalarField } from '../derive/scalar-fields.ts';
import { fieldWords } from '../texts/glossary.ts';

/** What a trader calls a field. */
export function fieldName(path: string): string {
  if (path === 'last_price') return 'price';
  if (scalarField(path) === null) return path;
  const { shortName, label } = fieldWords(path);
  return shortName ?? label;
}

const WORDS_OF_UNIT: Readonly<Record<string, string>> = { percent: ' %', ATR: ' ATR' };

/** A value as a chart shows it: prices to the cent, other numbers to two digits. */
export function quantity(value: number, path: string | null = null): string {
  const unit = path === null ? 'USD' : (scalarField(path)?.unit ?? '');
  if (unit === 'USD') return value.toFixed(Math.abs(value) < 1 ? 4 : 2);
  const rounded = Math.abs(value) >= 1_000 ? Math.round(value) : Math.round(value * 100) / 100;
  return `${rounded}${WORDS_OF_UNIT[unit] ?? ''}`;
}

/** A word of an answer as it is read: `trend_up` is `trend up`. */
export const wordOf = (word: string): string => word.replaceAll('_', ' ');
