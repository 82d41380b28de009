import type { AlertKindOf } from '../api/queries.ts';
import type { KnownField } from '../screening/field-words.ts';
import { type Filter, FilterFault } from '../screening/filter.ts';
import { readFilter } from '../screening/filter-text.ts';
import type { Condition } from './draft.ts';

/** A rule as a trader types it. */
export interface TypedAlert extends Condition {
  readonly symbol: string;
}

const SYMBOL = /^\$?([A-Za-z^][A-Za-z0-9.^-]{0,9})[,:]?\s+(?:when\s+|if\s+)?(?:the\s+)?(.+)$/;

type Parameters = Readonly<Record<string, unknown>>;

/** The one comparison of words. */
function comparison(text: string, fields: readonly KnownField[]): Extract<Filter, { field: string }> {
  const read = readFilter(text, fields);
  const filter = read !== null && 'not' in read && 'field' in read.not ? { ...read.not, op: '!=' } : read;
  if (filter === null || !('field' in filter))
    throw new FilterFault(0, 'An alert waits for one thing: name one field and what it meets');
  // The price of the day stands still after the close; an alert is of the last trade.
  return filter.field === 'price.day_price' ? { ...filter, field: 'last_price' } : filter;
}

/** What a condition of the screener waits for from some minute on, as parameters of whatever kind has them. */
function parametersOf({ field, op, other, value }: Extract<Filter, { field: string }>): Parameters {
  const isBelow = op.startsWith('<');
  if (op === '!=' && (other !== undefined || typeof value === 'number'))
    throw new FilterFault(0, 'Say on which side of it, not where it is not');
  if (other !== undefined) return { field, other, direction: isBelow ? 'below' : 'above' };
  if (typeof value === 'number') return { field, [isBelow ? 'high' : 'low']: value };
  const words = [value].flat().filter((word) => word !== undefined);
  if (words.length === 0) throw new FilterFault(0, 'Say what it crosses, breaks or becomes');
  return { field, words: words.map(String), ...(op === '!=' && { how: 'leaves' }) };
}

/** The parameters that a phrase finds in a text; null where it does not fit. */
function phraseParameters(
  { pattern, words }: AlertKindOf['phrases'][number],
  known: Readonly<Record<string, { readonly type?: string; readonly 'x-field'?: boolean } | undefined>>,
  text: string,
  fields: readonly KnownField[],
): Parameters | null {
  const groups = new RegExp(pattern, 'i').exec(text)?.groups;
  if (groups === undefined) return null;
  const found = Object.entries(groups).filter(([, said]) => said !== undefined);
  const parameters = Object.assign(
    {},
    ...found.map(([name, said]): Parameters => {
      if (name === 'comparison') return parametersOf(comparison(said, fields));
      if (name === 'field') return { field: comparison(`${said} > 1`, fields).field };
      const { type, 'x-field': isField } = known[name] ?? {};
      const isNumber = type === 'number' || type === 'integer';
      if (!isNumber && isField !== true) return { [name]: words[said.toLowerCase()] ?? said.toLowerCase() };
      const subject = groups.field ?? 'price';
      const { value, other } = comparison(`${subject} > ${said}`, fields);
      return { [name]: isNumber ? value : other };
    }),
  ) as Parameters;
  const fits = Object.entries(parameters).every(
    ([name, value]) =>
      name in known && value !== undefined && (known[name]?.type !== 'number' || typeof value === 'number'),
  );
  return fits ? parameters : null;
}

/**
 * A rule of whatever kind has a phrase that fits: `NVDA crosses above VWAP`, `NVDA breaks 219.80`, `NVDA gaps 2 %`. What the
 * screener understands of a field is understood here.
 *
 * @throws FilterFault
 */
export function readAlert(
  text: string,
  kinds: readonly AlertKindOf[],
  fields: readonly KnownField[],
): TypedAlert {
  const [, name, rest = ''] = SYMBOL.exec(text.trim()) ?? [];
  if (name === undefined) throw new FilterFault(0, 'Begin with the stock: NVDA crosses VWAP');
  const phrases = kinds.flatMap((kind) => kind.phrases.map((phrase) => ({ kind, phrase })));
  const [ofKinds, ofScreener] = [false, true].map((wanted) =>
    phrases.filter(({ phrase }) => phrase.pattern.includes('<comparison>') === wanted),
  );
  let fault: unknown = null;
  for (const { kind, phrase } of [...ofKinds!, ...ofScreener!]) {
    const { properties = {} } = kind.parameters as { properties?: Parameters };
    try {
      const parameters = phraseParameters(phrase, properties as never, rest, fields);
      if (parameters !== null) return { symbol: name.toUpperCase(), kind: kind.name, parameters };
    } catch (error) {
      if (!(error instanceof FilterFault)) throw error;
      fault ??= error;
    }
  }
  throw fault ?? new FilterFault(0, 'Say what it crosses, breaks or becomes');
}
