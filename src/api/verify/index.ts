import type { Fact } from '../chat/fact.ts';
import { ClauseReader } from './clause.ts';
import { Known } from './compare.ts';
import { type Item, type NumberItem, type TextView, viewOf } from './items.ts';
import { judgeDate } from './judge-date.ts';
import { judgeNumber } from './judge-number.ts';
import { Linker, Subjects } from './link.ts';
import type { Quantity } from './quantities.ts';
import type { Claim } from './schema.ts';

/** What a text is compared with. */
export interface Ground {
  readonly facts: readonly Fact[];
  /** The stock that the text is about, in capitals. */
  readonly symbol: string;
  /** YYYY-MM-DD: a date without a year is the nearest to it. */
  readonly tradeDate: string;
  /** Other stocks that the text may speak of, in capitals. */
  readonly others: ReadonlySet<string>;
}

/** A text that was read and is not judged yet. */
export interface Draft {
  readonly text: string;
  readonly view: TextView;
}

export const draftOf = (text: string, { facts, symbol, tradeDate }: Ground): Draft => ({
  text,
  view: viewOf(text, facts, symbol, tradeDate),
});

/** How many numbers and dates it holds. */
export const sizeOf = ({ view }: Draft): number => view.items.length;

/** The claims of a text: `claimsIn` of its draft. */
export const claimsOf = (text: string, ground: Ground): Claim[] => claimsIn(draftOf(text, ground), ground);

/**
 * Says of each number and date of a text whether the facts bear it out. Time grows with the text's length and no faster.
 *
 * A number is compared with the fact that it cites, else against the measure that its clause names; only where the words
 * between leave no doubt is it called wrong.
 *
 * @returns in the order of the text; without spans of time that no measure has, which state nothing
 */
export function claimsIn({ text, view }: Draft, { facts, symbol, tradeDate, others }: Ground): Claim[] {
  const known = new Known(facts);
  const linker = new Linker(view);
  const clauses = new ClauseReader(view, tradeDate);
  const subjects = new Subjects(view, symbol, others);
  return view.items.flatMap((item, place) => {
    const named = linker.namedFor(place);
    const context = clauses.of(item, place);
    if (item.kind === 'date') {
      const judgement = judgeDate(item, view, known, context, tradeDate);
      return { ...quoteOf(text, view, item), kind: 'date', value: item.date, unit: null, ...judgement };
    }
    const quantity = signed(item, context.direction);
    const mention = {
      place,
      quantity,
      named,
      // A sign or a bound says more than a word beside it.
      context: item.isSigned || item.bound !== null ? { ...context, direction: 0 as const } : context,
      other: subjects.otherOf(item),
      cited: item.cited,
    };
    const judgement = judgeNumber(mention, view, known);
    if (judgement === null) return [];
    return {
      ...quoteOf(text, view, item),
      kind: 'number',
      value: quantity.value,
      unit: quantity.unit,
      ...judgement,
    };
  });
}

/** `down 3.2%` is -3.2; dollars next to a word of falling may be a level that was lost. */
function signed(item: NumberItem, direction: -1 | 0 | 1): Quantity {
  const isTurned =
    direction === -1 && !item.isSigned && item.bound === null && /^percent/.test(item.unit ?? '');
  return isTurned ? { ...item, value: -item.value } : item;
}

function quoteOf(text: string, { reading }: TextView, item: Item): Pick<Claim, 'text' | 'start' | 'end'> {
  const start = reading.places[item.start]!;
  const last = reading.places[item.end - 1]!;
  const end = last + (text.codePointAt(last)! > 0xffff ? 2 : 1);
  return { text: text.slice(start, end), start, end };
}
