import type { Fact } from './fact.ts';
import type { FactRegistry } from './fact-registry.ts';
import type { Piece, Section } from './piece.ts';

/**
 * The budget of tokens. Tokens are estimated from characters, in hundredths: JSON of figures and field names
 * takes a token for each three characters in the tokenizers of today, and the weights lie above all that were tried
 * (docs/chat.md has the figures). A weight for each character makes the whole exactly the sum of its parts.
 */
const LETTER = 25;
const DIGIT = 60;
const BLANK = 10;
const MARK = 62;
/** Of a character beyond ASCII, for each byte: at worst each is one token. */
const FOREIGN_BYTE = 100;

/** Weight of a text in hundredths of a token. */
export function weightOf(text: string): number {
  let weight = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code > 127) weight += FOREIGN_BYTE * (code < 2048 ? 2 : isSurrogate(code) ? 2 : 3);
    else if (code >= 48 && code <= 57) weight += DIGIT;
    else if ((code >= 97 && code <= 122) || (code >= 65 && code <= 90)) weight += LETTER;
    else weight += code === 32 ? BLANK : MARK;
  }
  return weight;
}

/** Two of them make a character of four bytes. */
const isSurrogate = (code: number): boolean => code >= 0xd800 && code <= 0xdfff;

/** Tokens that a text will hardly exceed. */
export const estimateTokens = (text: string): number => Math.ceil(weightOf(text) / 100);

const DROPPED_FOR = 'over_budget';

interface Dropped {
  readonly section: Section;
  readonly items: number;
  readonly reason: typeof DROPPED_FOR;
}

export interface Budget {
  readonly max_tokens: number;
  readonly estimated_tokens: number;
  readonly dropped: readonly Dropped[];
}

/** The part of an answer that is always sent: every section empty, and the description of the answer. */
export type Frame = Readonly<Record<string, unknown>>;

/** Wider than any estimate, so that the estimate counts itself. */
const WIDEST = 99_999;

/**
 * The answer that fits: pieces are left out whole, from the least important on, with the facts that nothing else needs,
 * until the text with its own report is within the budget.
 *
 * @param frame taken over as it is; its sections are empty objects and lists
 * @param ranked pieces, the most important first
 * @param order the same pieces in the order of the answer
 */
export function fitted(
  frame: Frame,
  ranked: readonly Piece[],
  order: readonly Piece[],
  registry: FactRegistry,
  maxTokens: number,
): string {
  const users = new Map<string, number>();
  for (const { facts } of ranked) for (const id of facts) users.set(id, (users.get(id) ?? 0) + 1);
  let weight = weightOf(textOf(frame, { max_tokens: maxTokens, estimated_tokens: WIDEST, dropped: [] }));
  for (const id of users.keys()) weight += weightOfFact(registry.get(id)!);
  for (const piece of ranked) weight += weightOfPiece(piece);

  const chosen = new Set(ranked);
  const dropped = new Map<Section, number>();
  for (const piece of ranked.toReversed()) {
    if (weight + weightOf(JSON.stringify(reportOf(dropped))) <= maxTokens * 100) break;
    chosen.delete(piece);
    dropped.set(piece.section, (dropped.get(piece.section) ?? 0) + 1);
    weight -= weightOfPiece(piece);
    for (const id of piece.facts) {
      const others = users.get(id)! - 1;
      users.set(id, others);
      if (others === 0) weight -= weightOfFact(registry.get(id)!);
    }
  }
  const filled = fill(
    frame,
    order.filter((piece) => chosen.has(piece)),
    registry,
  );
  const budget = { max_tokens: maxTokens, estimated_tokens: WIDEST, dropped: reportOf(dropped) };
  return textOf(filled, { ...budget, estimated_tokens: estimateTokens(textOf(filled, budget)) });
}

const textOf = (answer: Frame, budget: Budget): string => JSON.stringify({ ...answer, budget });

const reportOf = (dropped: ReadonlyMap<Section, number>): Dropped[] =>
  Array.from(dropped, ([section, items]) => ({ section, items, reason: DROPPED_FOR }));

/** With the comma behind it. */
const weightOfFact = (fact: Fact): number => weightOf(JSON.stringify(fact)) + MARK;

/** With its name, quotes, colon and comma. */
function weightOfPiece({ place, isItem, value }: Piece): number {
  if (value === undefined) return 0;
  const name = isItem ? 0 : weightOf(place.at(-1) ?? '') + 3 * MARK;
  return weightOf(JSON.stringify(value)) + name + MARK;
}

function fill(frame: Frame, pieces: readonly Piece[], registry: FactRegistry): Frame {
  const answer = structuredClone(frame) as Record<string, unknown>;
  for (const { section, place, isItem, value } of pieces) {
    if (value === undefined) continue;
    const way = [section, ...place];
    const inner = isItem ? way : way.slice(0, -1);
    const holder = inner.reduce<unknown>((at, name) => (at as Record<string, unknown>)[name], answer);
    if (isItem) (holder as unknown[]).push(value);
    else (holder as Record<string, unknown>)[way.at(-1)!] = value;
  }
  const ids = new Set(pieces.flatMap(({ facts }) => facts));
  return { ...answer, facts: Array.from(ids, (id) => registry.get(id)) };
}
