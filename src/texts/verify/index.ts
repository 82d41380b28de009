import { type Judgement, unknown } from './claim.ts';
import { ClauseReader } from './clause.ts';
import { KnownValues } from './compare.ts';
import { type Ground, type Item, quoteOf, type TextView, viewOf } from './items.ts';
import { judgeDate } from './judge-date.ts';
import { judgeNumber } from './judge-number.ts';
import { levelClaims } from './level-states.ts';
import { Linker, Subjects } from './link.ts';
import { OwnSentences } from './own-sentences.ts';
import { Sides } from './sides.ts';
import type { Claim } from './text-claim.ts';
import { Understanding } from './understood.ts';

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
export function claimsIn(view: TextView, ground: Ground): Claim[] {
  const { facts, symbol, tradeDate, others } = ground;
  const known = new KnownValues(facts);
  const linker = new Linker(view);
  const clauses = new ClauseReader(view, tradeDate);
  const subjects = new Subjects(view, symbol, others);
  const linked = new Map(view.items.map((item) => [item, linker.namedFor(item)]));
  const sides = new Sides(view, known);
  const own = new OwnSentences(view.reading.lower, facts, known);
  const understanding = new Understanding(view, linked, subjects);
  const claims = view.items.flatMap((item): Claim[] => {
    const named = linked.get(item)!;
    const context = clauses.of(item, named);
    if (item.kind === 'date') {
      const judgement = judgeDate(item, { named, context, view, known }, tradeDate);
      return [{ ...quoteOf(view, item), kind: 'date', value: item.date, unit: null, ...judgement }];
    }
    // A sign or a bound says more than a word beside it.
    const direction = item.isSigned || item.bound !== null ? 0 : context.direction;
    // `down 3.2%` is -3.2; dollars next to a word of falling may be a level that was lost.
    const isTurned = direction === -1 && /^percent/.test(item.unit ?? '');
    // `trades near 185`: what names the measure makes it approximate.
    const last = named.isTight && named.isBefore ? view.tokens[named.mentions[0]!.to - 1]!.text : '';
    const isApproximate = item.isApproximate || /^(?:near|around)$/.test(last);
    const quantity = { ...item, isApproximate, value: isTurned ? -item.value : item.value };
    const other = subjects.otherOf(item);
    const mention = { quantity, named, context: { ...context, direction }, sides, other, view, known };
    const judgement = own.judge(item) ?? unlessUnclear(judgeNumber(mention), item, understanding);
    const { value, unit } = quantity;
    return judgement === null ? [] : [{ ...quoteOf(view, item), kind: 'number', value, unit, ...judgement }];
  });
  const states = levelClaims(view, ground, known, subjects);
  return states.length === 0 ? claims : [...claims, ...states].sort((one, other) => one.start - other.start);
}

/** A verdict on a number whose sentence is not understood is none; a citation says what its number is. */
function unlessUnclear(
  judgement: Judgement | null,
  item: Item,
  understanding: Understanding,
): Judgement | null {
  if (judgement === null || judgement.verdict === 'unknown' || item.cited !== null) return judgement;
  const doubt = understanding.doubtOf(item);
  return doubt === null ? judgement : unknown(judgement.about, doubt, judgement.fact);
}
