import type { Fact, FactRegistry } from './facts/fact-registry.ts';
import { type Piece, SECTIONS, type Section } from './piece.ts';

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

/** What of a section is not in the answer, and what is there in few words. */
interface Dropped {
  readonly section: Section;
  readonly items: number;
  readonly shortened: number;
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
 * The answer that fits. First the floor of each section is taken, in its short form; then, from the most important group of
 * pieces on, as many of a group as fit; then facts behind the numbers that are shown. So no section is empty for the sake of
 * more of another one, and the text with its own report is within the budget.
 *
 * @param frame taken over as it is; its sections are empty objects and lists
 * @param groups pieces that rank alike, the most important group first
 * @param order the same pieces in the order of the answer
 */
export function fitted(
  frame: Frame,
  groups: readonly (readonly Piece[])[],
  order: readonly Piece[],
  registry: FactRegistry,
  maxTokens: number,
): string {
  const empty = textOf(frame, { max_tokens: maxTokens, estimated_tokens: WIDEST, dropped: [] });
  const selection = new Selection(order, registry, maxTokens * 100 - weightOf(empty));
  const floors = groups.flat().filter(({ isFloor }) => isFloor);
  for (const floor of floors) if (!isOfDebate(floor)) selection.take(floor, floor.short ?? floor.value);
  // The case of one side alone would mislead. Both come last, since the facts of an argument cost as much as other sections.
  const isDebated = selection.takeTogether(floors.filter(isOfDebate));
  for (const group of groups) {
    const rest = isDebated ? group : group.filter((piece) => !isOfDebate(piece));
    for (const piece of rest) if (!selection.takeMost(piece)) break;
  }
  for (const piece of groups.flat()) if (!selection.takeShown(piece)) break;
  const filled = fill(frame, order, selection, registry);
  const budget = { max_tokens: maxTokens, estimated_tokens: WIDEST, dropped: selection.dropped() };
  return textOf(filled, { ...budget, estimated_tokens: estimateTokens(textOf(filled, budget)) });
}

const isOfDebate = ({ section }: Piece): boolean => section === 'debate_summary';

const textOf = (answer: Frame, budget: Budget): string => JSON.stringify({ ...answer, budget });

/** What is chosen of an answer, within the room that is left beside the report of the rest. */
class Selection {
  readonly values = new Map<Piece, unknown>();
  /** Ids of the facts that are in the answer. */
  readonly facts = new Set<string>();
  readonly #pieces: readonly Piece[];
  readonly #registry: FactRegistry;
  /** How many pieces of a section are not whole: the report has a line of it. */
  readonly #open = new Map<Section, number>();
  #room: number;

  constructor(pieces: readonly Piece[], registry: FactRegistry, room: number) {
    this.#pieces = pieces;
    this.#registry = registry;
    for (const { section } of pieces) this.#open.set(section, (this.#open.get(section) ?? 0) + 1);
    const lines = new Set<Section>([...this.#open.keys(), 'facts']);
    this.#room = [...lines].reduce((left, section) => left - weightOfLine(section), room);
  }

  /** Takes a piece with its facts, in a form that takes the place of a shorter one; false where that does not fit. */
  take(piece: Piece, value: unknown): boolean {
    const facts = piece.facts.filter((id) => !this.facts.has(id));
    const had = this.values.has(piece) ? weightOfPiece(piece, this.values.get(piece)) : 0;
    const added = weightOfPiece(piece, value) - had + this.#weightOfFacts(facts);
    if (added > this.#room) return false;
    this.#room -= added;
    this.values.set(piece, value);
    for (const id of facts) this.facts.add(id);
    if (this.#isWhole(piece)) this.#close(piece.section);
    return true;
  }

  /** Takes the short forms of all of some pieces, or none. */
  takeTogether(pieces: readonly Piece[]): boolean {
    const facts = new Set(pieces.flatMap((piece) => piece.facts)).difference(this.facts);
    const weight = pieces.reduce((sum, piece) => sum + weightOfPiece(piece, piece.short ?? piece.value), 0);
    if (weight + this.#weightOfFacts([...facts]) > this.#room) return false;
    return pieces.every((piece) => this.take(piece, piece.short ?? piece.value));
  }

  /** Takes a piece as a whole, else in its short form; false where it is not whole. */
  takeMost(piece: Piece): boolean {
    if (this.#isWhole(piece) || this.take(piece, piece.value)) return true;
    if (piece.short !== undefined && !this.values.has(piece)) this.take(piece, piece.short);
    return false;
  }

  /** Takes the facts behind the numbers of a piece that is shown as a whole; false where one does not fit. */
  takeShown(piece: Piece): boolean {
    return this.#missingShown(piece).every((id) => {
      const weight = this.#weightOfFacts([id]);
      if (weight > this.#room) return false;
      this.#room -= weight;
      this.facts.add(id);
      return true;
    });
  }

  /** What is missing, by sections. */
  dropped(): Dropped[] {
    const missing = new Set(this.#pieces.flatMap((piece) => this.#missingShown(piece))).size;
    return SECTIONS.flatMap((section) => {
      const pieces = this.#pieces.filter((piece) => piece.section === section && !this.#isWhole(piece));
      const shortened = pieces.filter((piece) => this.values.has(piece)).length;
      const items = pieces.length - shortened + (section === 'facts' ? missing : 0);
      return items + shortened === 0 ? [] : [{ section, items, shortened }];
    });
  }

  #isWhole(piece: Piece): boolean {
    return this.values.has(piece) && this.values.get(piece) === piece.value;
  }

  #missingShown(piece: Piece): string[] {
    return this.#isWhole(piece) ? piece.shows.filter((id) => !this.facts.has(id)) : [];
  }

  #close(section: Section): void {
    const open = this.#open.get(section)! - 1;
    this.#open.set(section, open);
    if (open === 0 && section !== 'facts') this.#room += weightOfLine(section);
  }

  #weightOfFacts(ids: readonly string[]): number {
    return ids.reduce((weight, id) => weight + weightOfFact(this.#registry.get(id)!), 0);
  }
}

/** Of a line of the report, with the comma behind it: no section has more pieces. */
const weightOfLine = (section: Section): number =>
  weightOf(JSON.stringify({ section, items: 999, shortened: 99 })) + MARK;

/** With the comma behind it. */
const weightOfFact = (fact: Fact): number => weightOf(JSON.stringify(fact)) + MARK;

/** In a form, with its name, quotes, colon and comma. */
function weightOfPiece({ place, isItem }: Piece, value: unknown): number {
  if (value === undefined) return 0;
  const name = isItem ? 0 : weightOf(place.at(-1) ?? '') + 3 * MARK;
  return weightOf(JSON.stringify(value)) + name + MARK;
}

function fill(
  frame: Frame,
  order: readonly Piece[],
  { values, facts }: Selection,
  registry: FactRegistry,
): Frame {
  const answer = structuredClone(frame) as Record<string, unknown>;
  const kept = order.filter((piece) => values.has(piece));
  for (const piece of kept) {
    const { section, place, isItem } = piece;
    const value = values.get(piece);
    if (value === undefined) continue;
    const way = [section, ...place];
    const inner = isItem ? way : way.slice(0, -1);
    const holder = inner.reduce<unknown>((at, name) => (at as Record<string, unknown>)[name], answer);
    if (isItem) (holder as unknown[]).push(value);
    else (holder as Record<string, unknown>)[way.at(-1)!] = value;
  }
  const ids = new Set([...kept.flatMap((piece) => piece.facts), ...facts]);
  return { ...answer, facts: Array.from(ids, (id) => registry.get(id)) };
}
