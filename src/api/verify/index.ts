import { ClauseReader } from './clause.ts';
import { KnownValues } from './compare.ts';
import { type Ground, type Item, type TextView, viewOf } from './items.ts';
import { judgeDate } from './judge-date.ts';
import { judgeNumber } from './judge-number.ts';
import { Linker, Subjects } from './link.ts';
import type { Claim } from './schema.ts';

export type { Ground };

/** The claims of a text: `claimsIn` of its view. */
export const claimsOf = (text: string, ground: Ground): Claim[] => claimsIn(viewOf(text, ground), ground);

/**
 * Judges each number and date of a text by the facts. Time is linear in the length of the text.
 *
 * A number is compared with the fact that it cites, else with the measure that its clause names. It contradicts a fact
 * only where the words between leave no doubt.
 *
 * @returns in the order of the text; without spans of time that no measure has, which state nothing
 */
export function claimsIn(view: TextView, { facts, symbol, tradeDate, others }: Ground): Claim[] {
  const known = new KnownValues(facts);
  const linker = new Linker(view);
  const clauses = new ClauseReader(view, tradeDate);
  const subjects = new Subjects(view, symbol, others);
  return view.items.flatMap((item): Claim[] => {
    const named = linker.namedFor(item);
    const context = clauses.of(item);
    if (item.kind === 'date') {
      const judgement = judgeDate(item, view, known, named, context, tradeDate);
      return [{ ...quoteOf(view, item), kind: 'date', value: item.date, unit: null, ...judgement }];
    }
    // A sign or a bound says more than a word beside it.
    const direction = item.isSigned || item.bound !== null ? 0 : context.direction;
    // `down 3.2%` is -3.2; dollars next to a word of falling may be a level that was lost.
    const isTurned = direction === -1 && /^percent/.test(item.unit ?? '');
    const quantity = isTurned ? { ...item, value: -item.value } : item;
    const other = subjects.otherOf(item);
    const mention = { quantity, named, context: { ...context, direction }, other };
    const judgement = judgeNumber(mention, view, known);
    const { value, unit } = quantity;
    return judgement === null ? [] : [{ ...quoteOf(view, item), kind: 'number', value, unit, ...judgement }];
  });
}

function quoteOf({ text, reading }: TextView, item: Item): Pick<Claim, 'text' | 'start' | 'end'> {
  const start = reading.places[item.start]!;
  const last = reading.places[item.end - 1]!;
  const end = last + (text.codePointAt(last)! > 0xffff ? 2 : 1);
  return { text: text.slice(start, end), start, end };
}
