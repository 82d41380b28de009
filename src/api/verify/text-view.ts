import type { Fact } from '../chat/fact.ts';
import { dateAt } from './dates.ts';
import { type Mention, mentionsIn, phrasesOf } from './phrases.ts';
import { QuantityReader } from './quantities.ts';
import type { Quantity, WrittenDate } from './quantity.ts';
import { type Reading, readingOf } from './reading.ts';
import { type Structure, structureOf } from './sentences.ts';
import { type Token, tokensOf } from './tokens.ts';
import { DOWNWARD, UPWARD } from './words.ts';

/** A number of a text. */
export interface NumberItem {
  readonly kind: 'number';
  readonly quantity: Quantity;
  readonly from: number;
  readonly to: number;
}

/** A number or date of a text, in the order of writing. */
export type Item =
  | NumberItem
  | { readonly kind: 'date'; readonly written: WrittenDate; readonly from: number; readonly to: number };

/** A text with all that was read in it. */
export interface TextView {
  readonly reading: Reading;
  readonly tokens: readonly Token[];
  readonly structure: Structure;
  readonly mentions: readonly Mention[];
  readonly items: readonly Item[];
  /** For each token the place of its mention or item; -1 for none. */
  readonly mentionAt: Int32Array;
  readonly itemAt: Int32Array;
}

export interface Subject {
  readonly facts: readonly Fact[];
  readonly symbol: string;
  readonly tradeDate: string;
}

/** Reads a text in one walk for each of its parts. */
export function viewOf(text: string, { facts, symbol, tradeDate }: Subject): TextView {
  const reading = readingOf(text);
  const tokens = tokensOf(reading.signs);
  const found = mentionsIn(tokens, phrasesOf(facts, symbol));
  const items = itemsIn(tokens, found, tradeDate);
  const itemAt = placesOf(tokens.length, items);
  // What is the unit of a number names no measure: `1.2 ATR above`.
  const mentions = found.filter(({ from }) => itemAt[from] === -1);
  return {
    reading,
    tokens,
    structure: structureOf(tokens),
    mentions,
    items,
    mentionAt: placesOf(tokens.length, mentions),
    itemAt,
  };
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

function itemsIn(tokens: readonly Token[], mentions: readonly Mention[], tradeDate: string): Item[] {
  const isTaken = new Uint8Array(tokens.length);
  for (const { from, to } of mentions) isTaken.fill(1, from, to);
  const reader = new QuantityReader(tokens, isTaken);
  const items: Item[] = [];
  for (let at = 0; at < tokens.length; ) {
    const written = isTaken[at] === 1 || tokens[at]!.kind === 'mark' ? null : dateAt(tokens, at, tradeDate);
    const quantity = written === null && tokens[at]!.kind !== 'mark' ? reader.at(at) : null;
    if (written !== null) items.push({ kind: 'date', written, from: written.from, to: written.to });
    if (quantity !== null) items.push({ kind: 'number', quantity, from: quantity.from, to: quantity.to });
    at = written?.to ?? quantity?.to ?? at + 1;
  }
  return withRanges(tokens, items);
}

/** Joins the two ends of `180-185`, `180 to 185` and `between 180 and 185`; the first shares what the second counts. */
function withRanges(tokens: readonly Token[], items: readonly Item[]): Item[] {
  const joined = [...items];
  for (let at = 0; at + 1 < joined.length; at++) {
    const [one, other] = [joined[at]!, joined[at + 1]!];
    if (one.kind !== 'number' || other.kind !== 'number' || !isRange(tokens, one, other)) continue;
    const [low, high] = [one.quantity, other.quantity];
    const factor = low.scale === 1 && (low.unit === null || high.isMagnified) ? high.scale : 1;
    const value = low.value * factor;
    const shared = {
      ...low,
      value,
      step: low.step * factor,
      unit: low.unit ?? high.unit,
      isMagnified: low.isMagnified || (factor > 1 && high.isMagnified),
      rangeTo: high.value,
    };
    joined[at] = { ...one, quantity: shared };
    joined[at + 1] = {
      ...other,
      quantity: { ...high, unit: high.unit ?? low.unit, rangeTo: value, bound: null },
    };
  }
  return joined;
}

function isRange(tokens: readonly Token[], one: NumberItem, other: NumberItem): boolean {
  if (other.from !== one.to + 1) return false;
  const between = tokens[one.to]!;
  const before = tokens[one.from - 1]?.text ?? '';
  const { unit } = one.quantity;
  if (between.text === '-') return unit === null || unit === 'USD' || unit === other.quantity.unit;
  if (between.text === 'and') return before === 'between';
  // `fell 3.2% to 187` and `from 70 to 62` are steps, not ranges.
  if (between.text !== 'to' || before === 'from' || UPWARD.has(before) || DOWNWARD.has(before)) return false;
  return unit === null || unit === other.quantity.unit;
}
