import type { Fact } from '../chat/fact.ts';
import { datesIn, type WrittenDate } from './dates.ts';
import { Lexicon, type Mention } from './lexicon.ts';
import { type Quantity, quantitiesIn } from './quantities.ts';
import { type Reading, readingOf, type Token, tokensOf } from './read.ts';

/** What every item of a text has. */
interface Place {
  /** Signs of the reading, and tokens. */
  readonly start: number;
  readonly end: number;
  readonly from: number;
  readonly to: number;
  /** Id of the fact that is cited right behind it. */
  readonly cited: string | null;
}

export interface NumberItem extends Place, Quantity {
  readonly kind: 'number';
}
export interface DateItem extends Place, WrittenDate {
  readonly kind: 'date';
}

/** A number or date of a text. */
export type Item = NumberItem | DateItem;

/** A text with all that was read in it. */
export interface TextView {
  readonly reading: Reading;
  readonly tokens: readonly Token[];
  /** In small letters, the names of measures blotted out. */
  readonly masked: string;
  readonly mentions: readonly Mention[];
  readonly items: readonly Item[];
  /** For each token the place of its mention or item; -1 for none. */
  readonly mentionAt: Int32Array;
  readonly itemAt: Int32Array;
}

/** Stands for a sign of the name of a measure. */
const NAMED = '\u0001';

/** Reads a text in one walk for each of its parts. */
export function viewOf(text: string, facts: readonly Fact[], symbol: string, tradeDate: string): TextView {
  const reading = readingOf(text);
  const tokens = tokensOf(reading);
  const mentions = new Lexicon(facts, symbol).mentionsIn(tokens, reading.signs);
  const spans = mentions.map(({ from, to }) => ({ start: tokens[from]!.start, end: tokens[to - 1]!.end }));
  const masked = blotted(reading.lower, spans, NAMED);
  const dates = datesIn(masked, reading.signs, tradeDate);
  const numbers = quantitiesIn(blotted(masked, dates, '\u0003'));
  const items = [
    ...dates.map((date) => ({ kind: 'date' as const, ...date })),
    ...numbers.map((number) => ({ kind: 'number' as const, ...number })),
  ].sort((one, other) => one.start - other.start);
  const placed = withPlaces(items, tokens, reading);
  return {
    reading,
    tokens,
    masked,
    mentions,
    items: placed,
    mentionAt: placesOf(tokens.length, mentions),
    itemAt: placesOf(tokens.length, placed),
  };
}

type Span = Pick<Place, 'start' | 'end'>;

function blotted(text: string, spans: readonly Span[], sign: string): string {
  let [blot, end] = ['', 0];
  for (const span of spans) {
    blot += text.slice(end, span.start) + sign.repeat(span.end - span.start);
    end = span.end;
  }
  return blot + text.slice(end);
}

type Unplaced = (WrittenDate & { readonly kind: 'date' }) | (Quantity & { readonly kind: 'number' });

function withPlaces(
  items: readonly Unplaced[],
  tokens: readonly Token[],
  { lower, citations }: Reading,
): Item[] {
  let [at, cite] = [0, 0];
  return items.map((item, place) => {
    while (at < tokens.length && tokens[at]!.end <= item.start) at++;
    const from = at;
    while (at < tokens.length && tokens[at]!.start < item.end) at++;
    while (cite < citations.length && citations[cite]!.start < item.end) cite++;
    const citation = citations[cite];
    const isBehind =
      citation !== undefined &&
      citation.start <= (items[place + 1]?.start ?? lower.length) &&
      /^[\s*)',]{0,4}$/.test(lower.slice(item.end, Math.min(citation.start, item.end + 5)));
    return { ...item, from, to: at, cited: isBehind ? citation.id : null };
  });
}

function placesOf(
  length: number,
  spans: readonly { readonly from: number; readonly to: number }[],
): Int32Array {
  const places = new Int32Array(length).fill(-1);
  spans.forEach(({ from, to }, place) => {
    places.fill(place, from, to);
  });
  return places;
}

/** The text before and behind an item, no further than its sentence and its neighbours. */
export function aroundOf({ tokens, masked, items }: TextView, place: number): readonly [string, string] {
  const { from, to, start, end } = items[place]!;
  const { sentence } = tokens[from]!;
  let [first, last] = [from, to];
  const isNear = (at: number): boolean => tokens[at]?.sentence === sentence;
  while (from - first < NEAR && isNear(first - 1) && tokens[first - 1]!.start >= (items[place - 1]?.end ?? 0))
    first--;
  while (last - to < NEAR && isNear(last) && tokens[last]!.end <= (items[place + 1]?.start ?? masked.length))
    last++;
  return [masked.slice(tokens[first]!.start, start), masked.slice(end, tokens[last - 1]!.end)];
}

const NEAR = 8;
