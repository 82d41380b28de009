import type { Fact } from '../facts/fact-registry.ts';
import { datesIn, type WrittenDate } from './dates.ts';
import { Lexicon } from './lexicon.ts';
import { type Quantity, quantitiesIn } from './quantities.ts';
import { CITED, type Reading, readingOf, type Token, tokensOf } from './read.ts';

/** What a text is compared with. */
export interface Ground {
  readonly facts: readonly Fact[];
  /** What became of the levels in the session, as `levelStates` has it. */
  readonly levels: readonly Fact[];
  /** The stock that the text is about, in capitals. */
  readonly symbol: string;
  /** Its name as the company writes it; null where it is not known. */
  readonly company: string | null;
  /** YYYY-MM-DD: a date without a year is the nearest to it. */
  readonly tradeDate: string;
  /** Other stocks that the text may speak of, in capitals. */
  readonly others: ReadonlySet<string>;
}

/** A number or date of a text, with its place among the tokens and in the order of the items. */
export type Item = (Quantity | WrittenDate) & {
  readonly place: number;
  readonly from: number;
  readonly to: number;
  /** Id of the fact that the text cites right behind it. */
  readonly cited: string | null;
};

/** A text with all that was read in it. */
export type TextView = ReturnType<typeof viewOf>;

/** Reads a text in one walk for each of its parts. */
export function viewOf(text: string, { facts, symbol, company, tradeDate }: Ground) {
  const reading = readingOf(text);
  const tokens = tokensOf(reading);
  const mentions = new Lexicon(facts, symbol, company, tokens).mentionsIn(tokens, reading.signs);
  const spans = mentions.map(({ from, to }) => ({ start: tokens[from]!.start, end: tokens[to - 1]!.end }));
  // In small letters, the names of measures blotted out.
  const masked = blotted(reading.lower, spans, '\u0001');
  const dates = datesIn(masked, reading.signs, tradeDate);
  const numbers = quantitiesIn(blotted(masked, dates, '\u0003'));
  const written = [...dates, ...numbers].sort((one, other) => one.start - other.start);
  const items = withPlaces(written, tokens, reading);
  return { text, reading, tokens, masked, items, mentionAt: byToken(mentions), itemAt: byToken(items) };
}

type Span = Pick<Token, 'start' | 'end'>;

function blotted(text: string, spans: readonly Span[], sign: string): string {
  let [blot, end] = ['', 0];
  for (const span of spans) {
    blot += text.slice(end, span.start) + sign.repeat(span.end - span.start);
    end = span.end;
  }
  return blot + text.slice(end);
}

const CITATION_BEHIND = new RegExp(`^[\\s*)',]{0,4}${CITED}`);

function withPlaces(
  written: readonly (Quantity | WrittenDate)[],
  tokens: readonly Token[],
  { lower, citations }: Reading,
): Item[] {
  let at = 0;
  return written.map((item, place) => {
    while (at < tokens.length && tokens[at]!.end <= item.start) at++;
    const from = at;
    while (at < tokens.length && tokens[at]!.start < item.end) at++;
    const [behind] = CITATION_BEHIND.exec(lower.slice(item.end, item.end + 5)) ?? [];
    const cited = behind === undefined ? null : citations.get(item.end + behind.length - 1)!;
    return { ...item, place, from, to: at, cited };
  });
}

/** By token the measure or item that it is part of. */
function byToken<T extends Pick<Item, 'from' | 'to'>>(spans: readonly T[]): readonly (T | undefined)[] {
  const found: T[] = [];
  for (const span of spans) for (let at = span.from; at < span.to; at++) found[at] = span;
  return found;
}

/** What of the text lies between two signs of the reading. */
export function quoteOf(
  { text, reading: { places } }: Pick<TextView, 'text' | 'reading'>,
  { start, end }: Span,
) {
  const last = places[end - 1]!;
  const [from, to] = [places[start]!, last + (text.codePointAt(last)! > 0xffff ? 2 : 1)];
  return { text: text.slice(from, to), start: from, end: to };
}
