import type { Item, TextView } from './items.ts';
import { DOWNWARD, joined, oneOf, SAYS, UPWARD } from './words.ts';

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
  new RegExp(`(?<!\\p{L})(?:${joined(words)})${FILLED}$`, 'u'),
  new RegExp(`^ ?(?:${joined(words)})(?!\\p{L})`, 'u'),
];
const [UP_BEFORE, UP_BEHIND] = directed(UPWARD);
const [DOWN_BEFORE, DOWN_BEHIND] = directed(DOWNWARD);

const FLAGS = Object.entries(SAYS.flags);

/** Reads the words of each sentence and clause once, however many numbers it has. */
export class ClauseReader {
  readonly #view: TextView;
  /** Flags with the sentence that has them; the past is of a clause. */
  readonly #flags = new Set<string>();
  /** By sentence where it begins to leave open what follows. */
  readonly #open = new Map<number, number>();

  constructor(view: TextView, tradeDate: string) {
    this.#view = view;
    const { tokens, items, mentionAt } = view;
    for (const [at, { text, sentence, clause, start }] of tokens.entries()) {
      // `can't` and `won't` leave as much open as `can` and `will`.
      const word = text.replace(/'.*$/, '');
      if (SAYS.possible.has(word) && !this.#open.has(sentence)) this.#open.set(sentence, start);
      if (mentionAt[at] !== undefined) continue;
      const compound = tokens[at - 1]?.text === '-' ? `${tokens[at - 2]?.text}-${text}` : '';
      for (const [flag, words] of FLAGS) {
        if (words.has(word) || words.has(compound))
          this.#flags.add(`${flag} ${flag === 'past' ? clause : sentence}`);
      }
    }
    for (const item of items) {
      if (item.kind === 'date' && item.date !== tradeDate)
        this.#flags.add(`otherDate ${tokens[item.from]!.sentence}`);
    }
  }

  of(item: Item) {
    const { tokens, items } = this.#view;
    const { sentence, clause } = tokens[item.from]!;
    const [before, behind] = this.#around(item);
    const next = items[item.place + 1];
    const isOpen = (this.#open.get(sentence) ?? item.start) < item.start;
    return {
      /** What may happen, or is expected. */
      isSupposed: !NOW.test(before) && (this.#flags.has(`supposed ${sentence}`) || isOpen),
      isPast: this.#flags.has(`past ${clause}`),
      isNegated: NEGATED.test(before.split(/[,:\u2014]/).at(-1)!),
      /** Where something came from: `from 70 to 62`. */
      isOrigin: /(?<!\p{L})from ?$/u.test(before),
      /** `7 of the last 8`. */
      isPart: /^ ?of(?!\p{L})/u.test(behind) && next !== undefined && next.from - item.to <= 4,
      isToday: this.#flags.has(`today ${sentence}`),
      hasSpan: this.#flags.has(`span ${sentence}`),
      /** The sentence has another day than the trade date. */
      hasOtherDate: this.#flags.has(`otherDate ${sentence}`),
      /** A verb of being or trading comes before the bound of the number. */
      isAsserted: ASSERTING.test(before),
      /** 1 or -1 where the words next to it call it a rise or a fall. */
      direction: directionOf(before, behind),
    } as const;
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

function directionOf(before: string, behind: string): -1 | 0 | 1 {
  if (DOWN_BEFORE.test(before)) return -1;
  if (UP_BEFORE.test(before)) return 1;
  return DOWN_BEHIND.test(behind) ? -1 : UP_BEHIND.test(behind) ? 1 : 0;
}
