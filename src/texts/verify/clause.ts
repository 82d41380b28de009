import { comparisonOf, isMove } from './comparison.ts';
import type { Item, TextView } from './items.ts';
import type { Named } from './link.ts';
import { DOWNWARD, joined, NEGATIONS, oneOf, SAYS, UPWARD } from './words.ts';

/** What the words around a number make of it. */
export type ClauseContext = ReturnType<ClauseReader['of']>;

const ASSERTING = oneOf(SAYS.asserting);
const NOW = /(?<!\p{L})(?:now|currently|presently)(?: [^ ]+){0,2} ?$/u;
/** `no more than 180` is a bound, not a denial. */
const NEGATED = new RegExp(
  `(?<!\\p{L})(?!no (?:more|less))(?:${joined(SAYS.negation)})(?: [^ ,:]+){0,4} ?$`,
  'u',
);
const FILLED =
  '(?: |(?<!\\p{L})(?:by|an?|of|about|roughly|nearly|another|the|some|approximately|almost|around|just|as|much|over|more|than|~)(?!\\p{L})){0,7}';
const directed = (words: string): readonly [RegExp, RegExp] => [
  new RegExp(`(?<!\\p{L})(?:${words})${FILLED}$`, 'u'),
  new RegExp(`^ ?(?:${words})(?!\\p{L})`, 'u'),
];
const [UP_BEFORE, UP_BEHIND] = directed(UPWARD);
const [DOWN_BEFORE, DOWN_BEHIND] = directed(DOWNWARD);

const FLAGS = Object.entries(SAYS.flags);

/** Reads the words of each sentence and clause once, however many numbers it has. */
export class ClauseReader {
  readonly #view: TextView;
  /** Where a sentence or a clause first says what a flag stands for; the past is of a clause. */
  readonly #first = new Map<string, number>();
  /** By sentence its dates that are not the trade date. */
  readonly #dates = new Map<number, (string | null)[]>();

  constructor(view: TextView, tradeDate: string) {
    this.#view = view;
    const { tokens, items, mentionAt } = view;
    for (const [at, { text, sentence, clause, start }] of tokens.entries()) {
      const note = (flag: string, of: number): unknown => this.#first.getOrInsert(`${flag} ${of}`, start);
      // `can't` and `won't` leave as much open as `can` and `will`.
      const word = text.replace(/'.*$/, '');
      if (SAYS.possible.has(word)) {
        note('open', sentence);
        note('openHere', clause);
      }
      if (mentionAt[at] !== undefined) continue;
      // `no more than 180` is a bound, not a denial.
      if (NEGATIONS.has(text) && !/^(?:more|less|fewer)$/.test(tokens[at + 1]?.text ?? ''))
        note('negated', clause);
      // `there were two` supposes nothing, `were it to fall` does.
      if (text === 'were' && tokens[at - 1]?.clause === clause) continue;
      const compound = compoundAt(tokens, at);
      const flags = FLAGS.filter(([, words]) => words.has(word) || words.has(compound));
      for (const [flag] of flags) note(flag, flag === 'past' ? clause : sentence);
      if (flags.some(([flag]) => flag === 'supposed')) note('supposedHere', clause);
    }
    for (const item of items) {
      if (item.kind === 'date' && item.date !== tradeDate)
        this.#dates.getOrInsertComputed(tokens[item.from]!.sentence, () => []).push(item.date);
    }
  }

  of(item: Item, named: Named) {
    const { tokens, items } = this.#view;
    const { sentence, clause } = tokens[item.from]!;
    const [before, behind] = this.#around(item);
    const next = items[item.place + 1];
    const says = (flag: string, of: number): boolean => this.#first.has(`${flag} ${of}`);
    const isOpen = (flag: string, of: number): boolean =>
      (this.#first.get(`${flag} ${of}`) ?? item.start) < item.start;
    return {
      /** What may happen, or is expected. */
      isSupposed: !NOW.test(before) && (says('supposed', sentence) || isOpen('open', sentence)),
      /** The same of its own clause. */
      isSupposedHere: says('supposedHere', clause) || isOpen('openHere', clause),
      isPast: says('past', clause),
      isNegated: NEGATED.test(before.split(/[,:\u2014]/).at(-1)!) || says('negated', clause),
      /** Where something came from: `from 70 to 62`. */
      isOrigin: /(?<!\p{L})from ?$/u.test(before),
      /** `7 of the last 8`; `7 of 10` may be a scale or a rank. */
      isPart: /^ ?of(?!\p{L})/u.test(behind) && next !== undefined && next.from - item.to <= 4,
      isPartOfPast: /^ ?of (?:the |its )?(?:last|past|prior|previous)(?!\p{L})/u.test(behind),
      isToday: says('today', sentence),
      /** It speaks of the open, and of no close after it. */
      isOpening: this.#isOpening(item),
      /** `nearly 60` is less. */
      isNearly: /(?<!\p{L})(?:nearly|almost)[ $]*$/u.test(before),
      /** `60 or higher`, `60+`. */
      isOpenEnded: OPEN_END.test(behind),
      /** What follows it leaves a rise or a fall that of the day. */
      isOfDay: this.#isOfDay(item),
      hasSpan: says('span', sentence),
      /** Days of the sentence that are not the trade date. */
      otherDates: this.#dates.get(sentence) ?? [],
      /** A verb of being or trading comes before the bound of the number. */
      isAsserted: ASSERTING.test(before),
      /** 1 or -1 where the words next to it call it a rise or a fall. */
      direction: directionOf(before, behind),
      ...comparisonOf(item, named, this.#view),
    } as const;
  }

  /** Of the verbs of its clause before it the last is one of the open. */
  #isOpening({ from }: Item): boolean {
    const { tokens } = this.#view;
    let at = from - 1;
    while (tokens[at]?.clause === tokens[from]!.clause && !DAY_VERBS.test(tokens[at]!.text)) at--;
    return tokens[at]?.clause === tokens[from]!.clause && /^(?:open|gap)/.test(tokens[at]!.text);
  }

  #isOfDay({ to, from }: Item): boolean {
    const { tokens } = this.#view;
    let at = to;
    while (tokens[at]?.sentence === tokens[from]!.sentence && isMove(tokens[at]!.text)) at++;
    const [next, last] = [tokens[at], tokens[at + 2]];
    if (next === undefined || next.sentence !== tokens[from]!.sentence || next.kind === 'mark') return true;
    if (/^(?:on|in)$/.test(next.text)) return /^(?:day|session)$/.test(last?.text ?? '');
    return /^(?:today|at|to|and|but|with|while|as)$/.test(next.text);
  }

  /** The text before and behind an item, no further than its sentence and its neighbours. */
  #around({ place, from, to, start, end }: Item): readonly [string, string] {
    const { tokens, masked, items } = this.#view;
    const { sentence } = tokens[from]!;
    const [least, most] = [items[place - 1]?.to ?? 0, items[place + 1]?.from ?? tokens.length];
    let [first, last] = [from, to];
    while (first > Math.max(least, from - NEAR) && tokens[first - 1]!.sentence === sentence) first--;
    while (last < Math.min(most, to + NEAR) && tokens[last]!.sentence === sentence) last++;
    return [masked.slice(tokens[first]!.start, start), masked.slice(end, tokens[last - 1]!.end)];
  }
}

const NEAR = 8;
const DAY_VERBS =
  /^(?:open|gap|clos|finish|end|settl|trad|sit|stand|hold|held|run|ran|rall|climb|ris|rose|fell|fall|slid|slip|drop|gain|los|mov|last$|now$|is$|later$|then$)/;
const OPEN_END = /^(?:\+| or (?:more|less|higher|lower|above|below|better|so|under|over|fewer))(?!\p{L})/u;

function directionOf(before: string, behind: string): -1 | 0 | 1 {
  if (DOWN_BEFORE.test(before)) return -1;
  if (UP_BEFORE.test(before)) return 1;
  return DOWN_BEHIND.test(behind) ? -1 : UP_BEHIND.test(behind) ? 1 : 0;
}

/** `pre-market` at its second word; empty elsewhere. */
const compoundAt = (tokens: TextView['tokens'], at: number): string =>
  tokens[at - 1]?.text === '-' ? `${tokens[at - 2]?.text}-${tokens[at]!.text}` : '';
