import { aroundOf, type Item, type TextView } from './items.ts';
import { DOWNWARD, joined, oneOf, SAYS, UPWARD } from './words.ts';

/** What the words around a number make of it. */
export interface ClauseContext {
  /** What may happen, or is expected. */
  readonly isSupposed: boolean;
  readonly isPast: boolean;
  readonly isNegated: boolean;
  /** Where something came from: `from 70 to 62`. */
  readonly isOrigin: boolean;
  /** `7 of the last 8`. */
  readonly isPart: boolean;
  readonly isToday: boolean;
  readonly hasSpan: boolean;
  /** The sentence has another day than the trade date. */
  readonly hasOtherDate: boolean;
  /** A verb of being or trading comes before the bound of the number. */
  readonly isAsserted: boolean;
  /** 1 or -1 where the words next to it call it a rise or a fall. */
  readonly direction: -1 | 0 | 1;
}

const PHRASES = {
  supposed: oneOf(`${SAYS.conditional}|${SAYS.ahead}`),
  today: oneOf(SAYS.today),
  span: oneOf(SAYS.span),
  past: oneOf(SAYS.past),
};
const POSSIBLE = oneOf(SAYS.possible);
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

type Flags = Readonly<Record<keyof typeof PHRASES, boolean>>;

/** Reads each sentence and clause once, however many numbers it has. */
export class ClauseReader {
  readonly #view: TextView;
  readonly #flags = new Map<string, Flags>();
  readonly #spans: Readonly<Record<'sentence' | 'clause', ReadonlyMap<number, readonly [number, number]>>>;
  readonly #otherDates: ReadonlySet<number>;
  /** By sentence where it begins to leave open what follows. */
  readonly #open = new Map<number, number>();

  constructor(view: TextView, tradeDate: string) {
    this.#view = view;
    const { tokens, items } = view;
    this.#spans = { sentence: spansOf(view, 'sentence'), clause: spansOf(view, 'clause') };
    this.#otherDates = new Set(
      items.flatMap((item) =>
        item.kind === 'date' && item.date !== tradeDate ? tokens[item.from]!.sentence : [],
      ),
    );
    for (const { text, sentence, start } of tokens) {
      if (!this.#open.has(sentence) && POSSIBLE.test(text)) this.#open.set(sentence, start);
    }
  }

  of(item: Item, place: number): ClauseContext {
    const { tokens, items } = this.#view;
    const { sentence, clause } = tokens[item.from]!;
    const [before, behind] = aroundOf(this.#view, place);
    const inSentence = this.#flagsOf('sentence', sentence);
    const next = items[place + 1];
    const isOpen = (this.#open.get(sentence) ?? item.start) < item.start;
    const [, , clauseBefore = before] = /^(.*[,:\u2014])(.*)$/s.exec(before) ?? [];
    return {
      isSupposed: !NOW.test(before) && (inSentence.supposed || isOpen),
      isPast: this.#flagsOf('clause', clause).past,
      isNegated: NEGATED.test(clauseBefore),
      isOrigin: /(?<!\p{L})from ?$/u.test(before),
      isPart: /^ ?of(?!\p{L})/u.test(behind) && next !== undefined && next.from - item.to <= 4,
      isToday: inSentence.today,
      hasSpan: inSentence.span,
      hasOtherDate: this.#otherDates.has(sentence),
      isAsserted: ASSERTING.test(before) || /(?:trad|clos)/.test(before),
      direction: DOWN_BEFORE.test(before) ? -1 : UP_BEFORE.test(before) ? 1 : sideBehind(behind),
    };
  }

  #flagsOf(part: 'sentence' | 'clause', number: number): Flags {
    return this.#flags.getOrInsertComputed(`${part}${number}`, () => {
      const [start, end] = this.#spans[part].get(number)!;
      const text = this.#view.masked.slice(start, end);
      return Object.fromEntries(
        Object.entries(PHRASES).map(([name, phrase]) => [name, phrase.test(text)]),
      ) as Flags;
    });
  }
}

const sideBehind = (behind: string): -1 | 0 | 1 =>
  DOWN_BEHIND.test(behind) ? -1 : UP_BEHIND.test(behind) ? 1 : 0;

function spansOf({ tokens }: TextView, part: 'sentence' | 'clause'): Map<number, readonly [number, number]> {
  const spans = new Map<number, readonly [number, number]>();
  for (const token of tokens) spans.set(token[part], [spans.get(token[part])?.[0] ?? token.start, token.end]);
  return spans;
}
