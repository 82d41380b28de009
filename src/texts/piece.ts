import type { FactRegistry } from './facts/fact-registry.ts';

export const SECTIONS = [
  'market_context',
  'stock_data',
  'debate_summary',
  'sector_data',
  'historical_analogs',
  'analog_outcomes',
  'strategy_playbooks',
  'facts',
] as const;
export type Section = (typeof SECTIONS)[number];

/** One of the words of a text. */
type WordOf<Text> = Text extends `${infer First} ${infer Rest}` ? First | WordOf<Rest> : Text;

/** What pieces are about: pages rank them by it. */
export type Topic =
  | WordOf<'age debate debate_more price scores levels trend patterns flow options expirations earnings'>
  | WordOf<'fundamentals news found themes company market sectors sector peers analogs outcomes'>
  | WordOf<'playbooks runs regime reasons'>;

/** The smallest part of an answer that is kept or dropped: with it go the facts that nothing else needs. */
export interface Piece {
  readonly topic: Topic;
  readonly section: Section;
  /** Its path within its section, from the outside in; empty for a section that is a list. */
  readonly place: readonly string[];
  /** True where it is one item of the list at that path. */
  readonly isItem: boolean;
  readonly value: unknown;
  /** The value in few words, for a budget that has no room for all of it; undefined where it has no short form. */
  readonly short: unknown;
  /** True for what stands for its section when little fits: it is kept, in its short form, before anything that is not. */
  readonly isFloor: boolean;
  /** Ids of the facts that must be in the answer with it. */
  readonly facts: readonly string[];
  /** Ids of the facts whose values it shows; they are in the answer where there is room. */
  readonly shows: readonly string[];
}

/** The path of a piece, and what it is about. */
export type Place = readonly [topic: Topic, section: Section, ...place: readonly string[]];

const piece = (
  [topic, section, ...place]: Place,
  isItem: boolean,
  value: unknown,
  { facts = [], shows = [] }: Partial<Pick<Piece, 'facts' | 'shows'>>,
): Piece => ({ topic, section, place, isItem, value, short: undefined, isFloor: false, facts, shows });

const whole =
  (isItem: boolean) =>
  (place: Place, value: unknown, facts: readonly string[] = []): Piece =>
    piece(place, isItem, value, { facts });
export const part = whole(false);
export const item = whole(true);

/** Why a part is missing, in the list of a section. */
export const absent = (section: Section, name: string, reason: string, topic: Topic = 'reasons'): Piece =>
  item([topic, section, 'unavailable'], { part: name, reason });

/** A fact by itself, which nothing else needs to show. */
export const factAlone = (id: string): Piece => piece(['found', 'facts'], true, undefined, { facts: [id] });

/** The first pieces of a list as the floor of their section. */
export const floored = (pieces: readonly Piece[], count = 1): Piece[] =>
  pieces.map((piece, at) => (at < count ? { ...piece, isFloor: true } : piece));

/** Names in a text, with white space between them. */
const namesIn = (text: string): string[] => text.trim().split(/\s+/);

/** Pieces whose short form has these names alone. */
export const shortened = (pieces: readonly Piece[], names: string): Piece[] => {
  const kept = new Set(namesIn(names));
  return pieces.map((piece) => {
    const short = Object.entries(piece.value ?? {}).filter(([name]) => kept.has(name));
    return { ...piece, short: Object.fromEntries(short) };
  });
};

/** Names of values and the facts that they are of. */
export type Fields = Readonly<Record<string, string>>;

const ofFacts =
  (isItem: boolean) =>
  (place: Place, registry: FactRegistry, fields: Fields, more: object = {}): Piece[] => {
    const known = Object.entries(fields).map(([name, id]) => [name, registry.get(id)] as const);
    const shows = known.flatMap(([, fact]) => fact?.id ?? []);
    if (shows.length === 0) return [];
    const values = Object.fromEntries(known.map(([name, fact]) => [name, fact?.value ?? null]));
    return [piece(place, isItem, { ...more, ...values }, { shows })];
  };
/** A value or an item that shows facts, null those that are not known; none where not one is known. */
export const partOfFacts = ofFacts(false);
export const itemOfFacts = ofFacts(true);

export const fieldsOf = (subject: string, names: string): Fields =>
  Object.fromEntries(namesIn(names).map((name) => [name, `${subject}.${name}`]));

/** Fields of a stock by the last part of their paths, or by another name: `spot=@exposure.spot`, of another subject with `@`. */
export const stockFields = (paths: string): Fields =>
  Object.fromEntries(
    namesIn(paths).map((written) => {
      const [path, name = path] = written.split('=').reverse() as [string, string?];
      return [name.split('.').at(-1)!, path.startsWith('@') ? path.slice(1) : `stock.${path}`];
    }),
  );
