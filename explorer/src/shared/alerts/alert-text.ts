import { type Filter, FilterFault } from '../screening/filter.ts';
import type { KnownField } from '../screening/field-words.ts';
import { readFilter } from '../screening/filter-text.ts';
import type { Condition } from './draft.ts';

/** A rule as a trader types it. */
export interface TypedAlert extends Condition {
  readonly symbol: string;
}

const SYMBOL = /^\$?([A-Za-z^][A-Za-z0-9.^-]{0,9})[,:]?\s+(?:when\s+|if\s+)?(?:the\s+)?(.+)$/;
const VERB =
  /^(?:(.*?)\s+)?(?:cross(?:es)?|goes|moves|gets|rises|falls|trades)\s*(above|over|below|under)?\s+(.+)$/i;
const LEVELS: Readonly<Record<string, string>> = { breaks: 'broken', holds: 'held', touches: 'touched' };
const FATE = /^(breaks|holds|touches)\s+(.+)$/i;
const GAP = /^gaps?(?:\s+(up|down))?(?:\s+(?:more than|over|by))?\s+([\d.]+)\s*%?$/i;
const SILENT = /^(?:is silent|has no (?:bar|trade))(?:\s+for)?\s+(\d+)\s*(?:min|minutes|m)$/i;

const below = (word: string): boolean => /below|under/i.test(word);

/** The one comparison of words. */
function comparison(text: string, fields: readonly KnownField[]): Extract<Filter, { field: string }> {
  const filter = readFilter(text, fields);
  if (filter === null || !('field' in filter))
    throw new FilterFault(0, 'An alert waits for one thing: name one field and what it meets');
  return filter;
}

const sideOf = (word: string | undefined) =>
  word === undefined ? {} : { direction: below(word) ? 'below' : 'above' };

/**
 * `NVDA crosses above VWAP`, `NVDA breaks 219.80`, `NVDA rsi crosses 70`, `NVDA gaps 2 %`, `NVDA is halted`; what the
 * screener understands of a field is understood here.
 *
 * @throws FilterFault
 */
export function readAlert(text: string, fields: readonly KnownField[]): TypedAlert {
  const [, name, rest = ''] = SYMBOL.exec(text.trim()) ?? [];
  if (name === undefined) throw new FilterFault(0, 'Begin with the stock: NVDA crosses VWAP');
  return { symbol: name.toUpperCase(), ...conditionOf(rest, fields) };
}

function conditionOf(text: string, fields: readonly KnownField[]): Condition {
  const gap = GAP.exec(text);
  if (gap !== null)
    return {
      kind: 'gap',
      parameters: { percent: Number(gap[2]), ...(gap[1] && { direction: gap[1].toLowerCase() }) },
    };
  const silent = SILENT.exec(text);
  if (silent !== null) return { kind: 'silent', parameters: { minutes: Number(silent[1]) } };
  const fate = FATE.exec(text);
  if (fate !== null) {
    const became = LEVELS[fate[1]!.toLowerCase()]!;
    const price = Number(fate[2]!.replace(/^\$/, ''));
    if (price > 0) return { kind: 'level', parameters: { became, price } };
    const { other } = comparison(`price > ${fate[2]}`, fields) as { other?: string };
    if (other === undefined) throw new FilterFault(0, `${fate[2]} is no level`);
    return { kind: 'level', parameters: { became, level: other } };
  }
  const verb = VERB.exec(text);
  if (verb !== null) {
    const [, subject = 'price', side, object] = verb;
    const { field, ...meets } = comparison(
      `${subject} ${side !== undefined && below(side) ? '<' : '>'} ${object}`,
      fields,
    );
    const bound = 'other' in meets ? { other: meets.other } : { value: (meets as { value?: unknown }).value };
    // The price of the day stands still after the close; a cross is of the last trade.
    const own = field === 'price.day_price' ? 'last_price' : field;
    return { kind: 'crosses', parameters: { field: own, ...sideOf(side), ...bound } };
  }
  return ofFilter(comparison(text.replace(/^(?:is|becomes|enters|turns)\s+/i, ''), fields));
}

/** What holds from some minute on. */
function ofFilter(filter: Extract<Filter, { field: string }>): Condition {
  const { field, op } = filter;
  const value = 'value' in filter ? filter.value : undefined;
  if (typeof value === 'boolean') return { kind: 'enters', parameters: { field, words: [String(value)] } };
  if (typeof value === 'string') return { kind: 'enters', parameters: { field, words: [value] } };
  if (Array.isArray(value) && value.every((one) => typeof one === 'string'))
    return { kind: 'enters', parameters: { field, words: value } };
  if ('other' in filter)
    return {
      kind: 'crosses',
      parameters: { field, other: filter.other, ...sideOf(op.startsWith('<') ? 'below' : 'above') },
    };
  if (typeof value !== 'number') throw new FilterFault(0, 'Say what it crosses, breaks or becomes');
  return { kind: 'enters', parameters: op.startsWith('<') ? { field, high: value } : { field, low: value } };
}
