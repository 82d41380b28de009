import { isComparable, type NumericFact } from './compare.ts';
import { type Derived, distancesOf, distancesToNumber } from './derivations.ts';
import type { Known } from './known.ts';
import type { Measure } from './lexicon.ts';
import type { Mention } from './phrases.ts';
import type { Quantity } from './quantity.ts';
import type { Item, TextView } from './text-view.ts';
import { RELATING, SIDES } from './words.ts';

/** What a number says of how two measures lie to each other, as far as the words next to it tell. */
export interface Relation {
  readonly derived: readonly Derived[];
  /** The facts themselves where one is told so: a distance to a level. */
  readonly side: 'above' | 'below' | 'near';
  readonly about: string;
  /** True where both ends are named by the words and mean one thing each. */
  readonly isCertain: boolean;
}

/** Between the number and the side, and between the side and the measure. */
const FILLING = new Set(
  "the its a an their nearest key next just only well away higher lower clear short shy north south of current than 's to from".split(
    ' ',
  ),
);
const FILLING_MAX = 4;
const PAIRED_MAX = 4;
const FACTS_OF_A_SIDE_MAX = 3;
const PRICE = 'last_price';
const CLOSE = 'price.regular.close';

/** `3.2% above the 50-day average`, `$5 below the price of 187.34`: the number, a side, and the other end. */
export function relationOf(item: Item, quantity: Quantity, view: TextView, known: Known): Relation | null {
  const { tokens, structure, mentionAt, mentions, itemAt, items } = view;
  let side: Relation['side'] | null = null;
  for (let at = item.to, filled = 0; at < tokens.length && filled <= FILLING_MAX + 1; at++, filled++) {
    if (structure.sentence[at] !== structure.sentence[item.from]) return null;
    if (mentionAt[at] !== -1) {
      if (side === null) return null;
      const end = mentions[mentionAt[at]!]!;
      return between(subjectOf(item, view), end.measure, side, quantity, known);
    }
    if (itemAt[at] !== -1) {
      const other = items[itemAt[at]!]!;
      // `fell 3.2% to 187`: where it went, not how far it is.
      if (side === null || other.kind !== 'number' || tokens[at - 1]!.text === 'to') return null;
      const price = known.number(PRICE);
      if (price === null || !isComparable(price, other.quantity)) return null;
      const derived = distancesToNumber(price, other.quantity.value, quantity);
      return { derived, side, about: 'distance', isCertain: false };
    }
    const { text } = tokens[at]!;
    const found = SIDES.get(text);
    // `5 of the analysts` is a part, not a distance.
    if (found !== undefined && !(side === null && text === 'of'))
      side = side === null || found !== 'near' ? found : side;
    else if (!FILLING.has(text)) return null;
  }
  return null;
}

/** What lies at the near end: the measure that the clause names before the number, else the price. */
function subjectOf({ from }: Item, { structure, mentionAt, mentions, itemAt }: TextView): Measure | null {
  for (let at = from - 1; at >= 0 && structure.sentence[at] === structure.sentence[from]; at--) {
    if (itemAt[at] !== -1) return null;
    if (mentionAt[at] !== -1) return mentions[mentionAt[at]!]!.measure;
  }
  return null;
}

function between(
  subject: Measure | null,
  end: Measure,
  side: Relation['side'],
  quantity: Quantity,
  known: Known,
): Relation | null {
  const ends = known.meantBy(end).slice(0, FACTS_OF_A_SIDE_MAX);
  const named = subject === null ? [] : known.meantBy(subject).slice(0, FACTS_OF_A_SIDE_MAX);
  const prices = [PRICE, CLOSE].flatMap((id) => known.number(id) ?? []);
  const isOfPrice = subject === null || subject.trait === 'subject' || subject.facts[0] === PRICE;
  const starts = isOfPrice ? prices : named.some(({ unit }) => unit === ends[0]?.unit) ? named : prices;
  const derived = starts.flatMap((one) => ends.flatMap((other) => distancesOf(one, other, quantity, known)));
  if (derived.length === 0) return null;
  return {
    derived,
    side,
    about: `distance to ${end.name}`,
    isCertain: end.trait !== 'open' && isOfPrice && side !== 'near',
  };
}

/**
 * Every distance between measures of a sentence that asks for one; the price is the other end where it names but one.
 * `isAsked` where it is said in so many words that the number lies between two.
 */
export function pairsOf(
  item: Item,
  quantity: Quantity,
  view: TextView,
  known: Known,
): { readonly derived: readonly Derived[]; readonly isAsked: boolean } {
  const { tokens, structure, mentionAt, mentions } = view;
  const found = new Set<Mention>();
  let asks = false;
  let isAsked = false;
  for (const step of [-1, 1]) {
    let at = step < 0 ? item.from - 1 : item.to;
    for (let looked = 0; looked < REACH; looked++, at += step) {
      if (tokens[at] === undefined || structure.sentence[at] !== structure.sentence[item.from]) break;
      asks ||= RELATING.has(tokens[at]!.text);
      isAsked ||= step < 0 && found.size > 1 && tokens[at]!.text === 'between';
      if (mentionAt[at] !== -1 && found.size < PAIRED_MAX) found.add(mentions[mentionAt[at]!]!);
    }
  }
  if (!asks) return { derived: [], isAsked };
  const sides = [...found]
    .map(({ measure }) => known.meantBy(measure).slice(0, FACTS_OF_A_SIDE_MAX))
    .filter(isSome);
  const price = known.number(PRICE);
  if (sides.length === 1 && price !== null) sides.push([price]);
  const derived = sides.flatMap((ones, at) =>
    sides
      .slice(at + 1)
      .flatMap((others) =>
        ones.flatMap((one) => others.flatMap((other) => bothWays(one, other, quantity, known))),
      ),
  );
  return { derived, isAsked };
}

const REACH = 40;
const isSome = (facts: readonly NumericFact[]): boolean => facts.length > 0;
const bothWays = (one: NumericFact, other: NumericFact, quantity: Quantity, known: Known): Derived[] => [
  ...distancesOf(one, other, quantity, known),
  ...distancesOf(other, one, quantity, known),
];
