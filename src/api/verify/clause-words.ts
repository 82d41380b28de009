import type { Item, TextView } from './text-view.ts';
import {
  AHEAD,
  CONDITIONAL,
  DOWNWARD,
  NEGATION,
  NOW,
  PAST,
  POSSIBLE,
  SPANS,
  TODAY,
  UPWARD,
} from './words.ts';

/** What the words around a number make of it. */
export interface Surroundings {
  readonly isConditional: boolean;
  readonly isAhead: boolean;
  readonly isPast: boolean;
  readonly isNegated: boolean;
  /** Where something came from: `from 70 to 62`. */
  readonly isOrigin: boolean;
  /** `7 of the last 8`. */
  readonly isPart: boolean;
  readonly isToday: boolean;
  readonly hasSpan: boolean;
  /** Of another day than the trade date. */
  readonly hasOtherDate: boolean;
}

type Words = ReadonlySet<string>;
const SENTENCE_SETS: readonly Words[] = [CONDITIONAL, AHEAD, TODAY, SPANS];
const CLAUSE_SETS: readonly Words[] = [PAST];
const NEGATION_REACH = 5;
const NOW_REACH = 3;
const COUNTED_REACH = 4;

/** Looks words up by sentence and clause, so that each is read once however many numbers it has. */
export class ClauseWords {
  readonly #view: TextView;
  readonly #bySentence = new Map<number, number>();
  readonly #byClause = new Map<number, number>();
  readonly #otherDates = new Set<number>();
  /** By sentence the first token that leaves open what follows. */
  readonly #open = new Map<number, number>();

  constructor(view: TextView, tradeDate: string) {
    this.#view = view;
    const { tokens, structure, mentionAt } = view;
    tokens.forEach(({ text }, at) => {
      if (mentionAt[at] !== -1) return;
      mark(this.#bySentence, structure.sentence[at]!, SENTENCE_SETS, text);
      const sentence = structure.sentence[at]!;
      if (POSSIBLE.has(text) && !this.#open.has(sentence)) this.#open.set(sentence, at);
      mark(this.#byClause, structure.clause[at]!, CLAUSE_SETS, text);
    });
    for (const item of view.items) {
      if (item.kind === 'date' && item.written.date !== tradeDate) {
        this.#otherDates.add(structure.sentence[item.from]!);
      }
    }
  }

  around({ from, to }: Item): Surroundings {
    const { structure, tokens } = this.#view;
    const sentence = structure.sentence[from]!;
    const ofSentence = this.#bySentence.get(sentence) ?? 0;
    const isNow = tokens.slice(Math.max(0, from - NOW_REACH), from).some(({ text }) => NOW.has(text));
    const ofClause = this.#byClause.get(structure.clause[from]!) ?? 0;
    return {
      isConditional: !isNow && ((ofSentence & 1) !== 0 || (this.#open.get(sentence) ?? from) < from),
      isAhead: !isNow && (ofSentence & 2) !== 0,
      isToday: (ofSentence & 4) !== 0,
      hasSpan: (ofSentence & 8) !== 0,
      isPast: (ofClause & 1) !== 0,
      isNegated: this.#isNegated(from),
      isOrigin: tokens[from - 1]?.text === 'from',
      isPart: tokens[to]?.text === 'of' && this.#isCounted(to + 1),
      hasOtherDate: this.#otherDates.has(structure.sentence[from]!),
    };
  }

  /** A number within the next words. */
  #isCounted(start: number): boolean {
    const { itemAt } = this.#view;
    for (let at = start; at < Math.min(itemAt.length, start + COUNTED_REACH); at++)
      if (itemAt[at] !== -1) return true;
    return false;
  }

  #isNegated(from: number): boolean {
    const { tokens, structure } = this.#view;
    for (let at = from - 1; at >= Math.max(0, from - NEGATION_REACH); at--) {
      if (structure.clause[at] !== structure.clause[from]) return false;
      const { text } = tokens[at]!;
      // `no more than 180` is a bound, not a denial.
      if (NEGATION.has(text)) return !(text === 'no' && /^(?:more|less)$/.test(tokens[at + 1]!.text));
    }
    return false;
  }
}

function mark(found: Map<number, number>, place: number, sets: readonly Words[], text: string): void {
  for (let at = 0; at < sets.length; at++) {
    if (sets[at]!.has(text)) found.set(place, (found.get(place) ?? 0) | (1 << at));
  }
}

const SKIPPED = new Set([
  'by',
  'a',
  'an',
  'of',
  'about',
  'roughly',
  'nearly',
  'another',
  'the',
  'some',
  'approximately',
  'almost',
  'around',
  'just',
  'as',
  'much',
  'over',
  'more',
  'than',
  '~',
]);
const SKIPPED_MAX = 3;

/** Whether the words next to a number call it a rise (1) or a fall (-1); 0 where they do not say. */
export function directionOf(
  { tokens, structure, mentionAt, itemAt }: TextView,
  { from, to }: Item,
): -1 | 0 | 1 {
  for (let at = from - 1, skipped = 0; at >= 0 && skipped <= SKIPPED_MAX; at--, skipped++) {
    if (structure.sentence[at] !== structure.sentence[from] || itemAt[at] !== -1) break;
    const { text } = tokens[at]!;
    const side = sideOf(text);
    if (side !== 0 && mentionAt[at] === -1) return side;
    if (!SKIPPED.has(text)) break;
  }
  if (to >= tokens.length || structure.sentence[to] !== structure.sentence[from]) return 0;
  return mentionAt[to] === -1 ? sideOf(tokens[to]!.text) : 0;
}

const sideOf = (word: string): -1 | 0 | 1 => (DOWNWARD.has(word) ? -1 : UPWARD.has(word) ? 1 : 0);
