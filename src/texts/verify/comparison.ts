import { isPrice } from './compare.ts';
import type { Item, TextView } from './items.ts';
import { isRelated, type Mention } from './lexicon.ts';
import type { Named } from './link.ts';
import { FALLING, isSide, MOVERS, RISING } from './words.ts';

/** Words behind a number that are still of it. */
const BEHIND = 2;

/**
 * What the words of the clause up to a number say of a rise or a fall (1, -1, 0 for nothing, null for both), and the last
 * that puts something above or below something else. Words right behind a number are that number's.
 */
export function comparisonOf(
  { place, from, to }: Item,
  { mentions: [own], isTight, isBefore }: Named,
  view: TextView,
) {
  const { tokens, items, itemAt, mentionAt } = view;
  const { clause } = tokens[from]!;
  // `fell from 70 to 62`: the word before the first number is of the second too.
  const origin = tokens[from - 1]?.text === 'to' ? items[place - 1] : undefined;
  const isStep = origin?.to === from - 1;
  const before = items[isStep ? place - 2 : place - 1]?.to ?? 0;
  // `declined, settling at 187`: what the stock did before is of its price too.
  const isOfStock =
    own === undefined || !isTight || own.measure.trait === 'stock' || isPrice(own.measure.facts[0] ?? '');
  const unit = isOfStock ? 'sentence' : 'clause';
  let first = from;
  while (first > before && tokens[first - 1]![unit] === tokens[from]![unit]) first--;
  if (first === before && place > 0) while (first < from && isMove(tokens[first]!.text)) first++;
  // A move before another measure is of that one: `volume rose with an RSI of 62`. The stock moves with its price.
  const start = isTight && isBefore && own !== undefined ? own.from : first;
  const isOthers = ({ measure }: Mention): boolean => measure !== own?.measure && measure.trait !== 'stock';
  const other = mentionAt
    .slice(first, start)
    .findLastIndex((mention) => mention !== undefined && isOthers(mention));
  const movesFrom = other === -1 ? first : start - 1;
  const words: string[] = [];
  for (let at = first; at < from; at++) {
    const { text } = tokens[at]!;
    const mention = mentionAt[at];
    // `has slipped below`: where it is now is the claim. `has lost its 50-day average`: so is what was a level.
    const isOfSide = (isSide(tokens[at + 1]?.text) && at + 2 < from) || losesLevel(view, at);
    if (at >= movesFrom && mention === undefined && !isOfSide) words.push(text);
    else if (mention !== undefined && own !== undefined && saysMove(mention, own)) words.push(text);
  }
  // Words behind it: right behind, or to the end where no number follows: `a gap of 0.88% to the downside`.
  const isLast = items[place + 1] === undefined || tokens[items[place + 1]!.from]!.clause !== clause;
  let behind = to + BEHIND;
  for (let at = to; tokens[at]?.clause === clause && (isLast || at < behind); at++) {
    const { text } = tokens[at]!;
    const mention = mentionAt[at];
    const isOthers = mention !== undefined && mention !== own;
    if (isSide(text) || itemAt[at] !== undefined || (isOthers && !isSaidOf(mention, own))) break;
    if (isMove(text) || SIGN.test(text)) words.push(text);
    else if (!isLast && !isOthers && !COPULA.test(text)) break;
    // `is a gap down to $541`: as far as the copula leads.
    else if (!isLast) behind = at + 1 + BEHIND;
  }
  const rises = words.some((word) => RISING.has(word));
  const falls = words.some((word) => FALLING.has(word));
  return {
    moves: rises && falls ? null : rises ? 1 : falls ? -1 : 0,
    /** The sign that it is said to have. */
    sign: words.includes('positive') ? 1 : words.some((word) => /^(?:negative|minus)$/.test(word)) ? -1 : 0,
    mover: moverBefore(first, from, view),
    /** Of `from 70 to 62` the first number. */
    stepFrom:
      isStep && origin.kind === 'number' && tokens[origin.from - 1]?.text === 'from' ? origin.value : null,
  } as const;
}

/** The noun before the first word of a rise or a fall; null where it is the stock, or none. */
function moverBefore(first: number, end: number, { tokens, mentionAt }: TextView): string | null {
  for (let at = first; at < end; at++) {
    if (!isMove(tokens[at]!.text) || mentionAt[at] !== undefined) continue;
    const before = tokens[at - 1];
    const isOfClause = before !== undefined && before.kind === 'word' && before.clause === tokens[at]!.clause;
    if (!isOfClause || MOVERS.has(before.text) || before.text.endsWith('ly')) return null;
    return mentionAt[at - 1] === undefined ? before.text : null;
  }
  return null;
}

/** `lost its 50-day average`, no loss of value. */
export const losesLevel = ({ tokens, mentionAt }: TextView, at: number): boolean =>
  /^los[te]/.test(tokens[at]!.text) &&
  mentionAt.slice(at + 1, at + 3).some((one) => one?.measure.trait === 'level');

/** `gapped up`, `opened lower at`, `missed four straight quarters`: the words of the measure say the direction. */
const saysMove = (mention: Mention, own: Mention): boolean =>
  mention === own
    ? own.measure.isSigned || own.measure.facts[0] === OPEN
    : mention.measure.isSigned && isRelated(mention.measure, own.measure);
const OPEN = 'stock.price.regular.open';
/** `the gap of 0.88% is a gap down`, `the upside of 1.7% is a downside`: the direction stands behind the number. */
const isSaidOf = ({ measure }: Mention, own: Mention | undefined): boolean =>
  own !== undefined && measure.isSigned && isRelated(measure, own.measure);
const SIGN = /^(?:positive|negative)$/;
const COPULA = /^(?:is|was|are|were|'s|an?|the|to|marks|means|being)$/;

export const isMove = (text: string): boolean => RISING.has(text) || FALLING.has(text);
