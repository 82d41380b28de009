import type { ScreenField } from '../shared/api/queries.ts';
import { inWords } from '../shared/levels.ts';
import type { Filter, Value } from '../shared/screening/filter.ts';
import { shownOf, titleOf } from './shown-value.ts';

type Missed = Extract<Filter, { field: string }>;
type Fields = ReadonlyMap<string, Pick<ScreenField, 'type' | 'unit' | 'short_name'>>;

const NEEDS: Readonly<Record<string, string>> = {
  '<': 'below ',
  '<=': 'at most ',
  '>': 'above ',
  '>=': 'at least ',
  '!=': 'another than ',
};
const UNITS: Readonly<Record<string, string>> = {
  percent: ' %',
  ATR: ' ATR',
  days: ' days',
  sessions: ' sessions',
};

/** `Float 56.2 M, needs below 20 M`: why a stock does not pass. */
export function missWords(missed: Missed, value: Value | null, fields: Fields): string {
  const { field: path, op } = missed;
  const field = fields.get(path);
  const unit = UNITS[field?.unit ?? (/_pct$/.test(path) ? 'percent' : /_atr$/.test(path) ? 'ATR' : '')] ?? '';
  const say = (one: Value): string => {
    if (typeof one === 'boolean') return one ? 'yes' : 'no';
    if (typeof one !== 'number') return one.replaceAll('_', ' ');
    // A bound is said as it was written, and large ones as their value is.
    const isWhole = Number.isInteger(one) && Math.abs(one) < 100_000;
    return `${isWhole ? one : shownOf(one, field, 2)}${unit}`.replace(/(\d)([KMBT])\b/, '$1 $2');
  };
  // `Float`, `RSI`, `VWAP`; a field without a name of the trade by its own.
  const nameOf = (one: string): string => inWords(fields.get(one)?.short_name ?? titleOf(one));
  const is = `${nameOf(path)} ${value === null ? 'not known' : say(value)}`;
  if (op === 'is_null') return `${is}, needs none`;
  if (op === 'not_null') return is;
  if (missed.other !== undefined) return `${is}, needs ${NEEDS[op] ?? ''}${nameOf(missed.other)}`;
  const wanted = missed.value;
  if (Array.isArray(wanted)) {
    const values = (wanted as readonly Value[]).map(say);
    const words =
      op === 'between'
        ? `${values.join(' to ')}`
        : `${op === 'not_in' ? 'none' : 'one'} of ${values.join(', ')}`;
    return `${is}, needs ${words}`;
  }
  return `${is}, needs ${NEEDS[op] ?? ''}${say(wanted as Value)}`;
}
