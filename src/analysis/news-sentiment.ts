/** Tone of a text by a list of rated words: how a headline sounds, which knows no irony, no names and no context. */

/** Valence by word or phrase in lower case, -5 (worst) to 5; phrases have their words apart by one space. */
export type Lexicon = Readonly<Record<string, number>>;

/** A lexicon made ready for `newsTone`. */
export interface ToneWords {
  readonly valence: ReadonlyMap<string, number>;
  /** First words of phrases: only after these is a longer match tried. */
  readonly phraseStarts: ReadonlySet<string>;
}

const CONTRACTED = 'do does did is are was were wo ca could should would has have had'.split(' ');

/** Words that turn what follows, with their apostrophe and without; worth nothing themselves, whatever a list says. */
const NEGATORS = new Set([
  ...'not no never without cannot neither nor hardly barely'.split(' '),
  ...CONTRACTED.flatMap((verb) => [`${verb}n't`, `${verb}nt`]),
]);

/**
 * Words that general lists rate and the trade uses without tone: shares are owned, interest is paid, gross is before
 * costs, crude is oil, a fund is like another, and the Fool is a publisher.
 */
const TONELESS = new Set(
  'share shares interest interests gross crude debt united like fool tank charge charges fire'.split(' '),
);

/**
 * Words of the trade that the list of market news lacks, rated as their kin in it are: `beats` as `beat`, `downgrade` as
 * `upgrade` with its sign turned. To be beating estimates is good, whatever a beating is elsewhere.
 */
export const TRADE_VALENCE: Lexicon = {
  ...rated(
    2,
    'exceed exceeds exceeded exceeding outperform outperforms outperformed soar soars soared soaring',
  ),
  ...rated(2, 'topped topping upbeat'),
  ...rated(
    1,
    'beats beating raise raised raising surges surged jumps climbs climbed upgrades buyback buybacks',
  ),
  ...rated(
    -1,
    'bearish declined delays delayed delisted downgrade downgrades downgraded probes selloff shrinks',
  ),
  ...rated(-1, 'shrink suspends'),
  ...rated(
    -2,
    'default defaults defaulted downbeat lose loses losing misses recall recalls recalled slump slumps',
  ),
  ...rated(-2, 'slumped slumping weaker'),
};

function rated(value: number, words: string): Lexicon {
  return Object.fromEntries(words.split(' ').map((word) => [word, value]));
}

/** How many words a negation reaches. */
const NEGATION_REACH = 3;

/** What is left of a word's valence when it is negated: "not good" is bad, but not as bad as "bad" is. */
const NEGATION_FACTOR = -0.74;

/** Sum of valences at which the score is 0.71: about four plain words of one tone. */
const SOFTENING = 15;

const LONGEST_PHRASE = 3;

export function toneWords(lexicon: Lexicon): ToneWords {
  const valence = new Map<string, number>();
  const phraseStarts = new Set<string>();
  for (const [phrase, value] of Object.entries(lexicon)) {
    if (value === 0 || TONELESS.has(phrase) || NEGATORS.has(phrase)) continue;
    valence.set(phrase, value);
    const space = phrase.indexOf(' ');
    if (space > 0) phraseStarts.add(phrase.slice(0, space));
  }
  return { valence, phraseStarts };
}

/**
 * Tone of a text, -1 to 1: sum s of the valences of its words, softened as s / sqrt(s^2 + 15). Phrases count before
 * their words and hyphenated words before their parts. A word up to three words behind a negation, in the same clause,
 * counts -0.74 times.
 *
 * @returns 0 when no word is rated; NaN for a text without a word
 * Source: Nielsen 2011 (AFINN) for summed valences; Hutto and Gilbert 2014 (VADER) for softening, reach and factor.
 */
export function newsTone(text: string, words: ToneWords): number {
  const tokens = text.toLowerCase().replaceAll('’', "'").match(TOKEN) ?? [];
  let sum = 0;
  let any = false;
  let negatedTo = -1;
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at]!;
    if (!FIRST_LETTER.test(token)) {
      negatedTo = -1;
      continue;
    }
    any = true;
    const length = words.phraseStarts.has(token) ? phraseLength(tokens, at, words) : 1;
    const phrase = length === 1 ? token : tokens.slice(at, at + length).join(' ');
    const valence = words.valence.get(phrase) ?? partsValence(token, words);
    if (valence !== 0) sum += at <= negatedTo ? NEGATION_FACTOR * valence : valence;
    else if (NEGATORS.has(token)) negatedTo = at + NEGATION_REACH;
    else if (token === 'but') negatedTo = -1;
    at += length - 1;
  }
  return any ? sum / Math.sqrt(sum * sum + SOFTENING) : Number.NaN;
}

/** Words with the apostrophes and hyphens inside them, and what ends a clause. */
const TOKEN = /\p{L}+(?:['-]\p{L}+)*|[,;:!?()"“”]|\.(?=\s|$)|[-–—](?=\s)/gu;
const FIRST_LETTER = /^\p{L}/u;

/** How many words the longest rated phrase has that begins at a word; 1 when only the word itself may be rated. */
function phraseLength(tokens: readonly string[], at: number, { valence }: ToneWords): number {
  for (let length = Math.min(LONGEST_PHRASE, tokens.length - at); length > 1; length--) {
    if (valence.has(tokens.slice(at, at + length).join(' '))) return length;
  }
  return 1;
}

function partsValence(token: string, { valence }: ToneWords): number {
  if (!token.includes('-')) return 0;
  return token.split('-').reduce((sum, part) => sum + (valence.get(part) ?? 0), 0);
}

export type Tone = 'positive' | 'negative' | 'neutral';

/** From this score on a text takes a side: vendors of news scores draw the line here, and one mild word reaches it. */
export const TONE_FROM = 0.15;

/** Side of a score; a score on the boundary takes it. NaN: null. */
export function toneOf(score: number): Tone | null {
  if (Number.isNaN(score)) return null;
  if (score >= TONE_FROM) return 'positive';
  return score <= -TONE_FROM ? 'negative' : 'neutral';
}
