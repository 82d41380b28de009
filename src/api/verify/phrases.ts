import type { Fact } from '../chat/fact.ts';
import { MEASURES, type Measure } from './lexicon.ts';
import type { Token } from './tokens.ts';
import { CLAUSE_STARTS, NO_TICKERS, SPANS, TYING } from './words.ts';

/** A measure that a text names. */
export interface Mention {
  readonly measure: Measure;
  /** Its first token, and the one behind its last. */
  readonly from: number;
  readonly to: number;
}

/** A word of a phrase, or a number of one. */
interface Atom {
  readonly text: string;
  readonly token: number;
  readonly isLastOfToken: boolean;
}

export interface Branch {
  readonly children: Map<string, Branch>;
  measure: Measure | null;
}

/** Marks that may stand between the words of one phrase. */
const JOINING = new Set(['&', '(', ')']);
const ATOM = /\p{L}+|\d+|'s/gu;
/** A phrase has no more words. */
const ATOMS_MAX = 16;

const newBranch = (): Branch => ({ children: new Map(), measure: null });

const written = newBranch();
for (const measure of MEASURES) for (const phrase of measure.phrases) grow(written, phrase, measure);

function grow(root: Branch, phrase: string, measure: Measure): void {
  let branch = root;
  for (const atom of atomsOfText(phrase)) {
    const next = branch.children.get(atom) ?? newBranch();
    branch.children.set(atom, next);
    branch = next;
  }
  branch.measure ??= measure;
}

function atomsOfText(text: string): string[] {
  return text.toLowerCase().match(ATOM) ?? [];
}

/** The stock by its symbol, which is written in capitals: `now` is a word, `NOW` may be a stock. */
const OWN: Measure = { ...MEASURES.find(({ trait }) => trait === 'subject')!, phrases: [] };

const isInSmallLetters = (tokens: readonly Token[], { measure, from, to }: Mention): boolean =>
  measure === OWN && tokens.slice(from, to).some(({ raw }) => raw !== raw.toUpperCase());

/** Words that name too much by themselves. */
const TOO_PLAIN = new Set(
  `high low open close change level levels score value count name from to direction strength input method day
   session sessions price trigger stop volume side state band word time market sector signal support resistance
   pattern report current total average range ratio rank place return returns stocks events days`.split(
    /\s+/,
  ),
);
/** A path says what it is only with a word or a number more than its last name. */
const LABEL_LETTERS_MIN = 4;

/** Phrases that the facts bring with them: their labels, their paths, and the name of the stock itself. */
export function phrasesOf(facts: readonly Fact[], symbol: string): Branch {
  const groups = new Map<string, { readonly name: string; readonly ids: string[] }>();
  const add = (phrase: string, { id, label }: Fact): void => {
    const atoms = atomsOfText(phrase);
    const key = atoms.join(' ');
    if (atoms.length === 0 || TOO_PLAIN.has(key) || (atoms.length === 1 && key.length < LABEL_LETTERS_MIN))
      return;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { name: label || phrase, ids: [id] });
    else if (group.ids.at(-1) !== id) group.ids.push(id);
  };
  for (const fact of facts) {
    if (typeof fact.value === 'boolean') continue;
    add(fact.label, fact);
    const path = fact.id.startsWith('stock.') ? fact.id.slice('stock.'.length) : fact.id;
    add(path, fact);
    const name = path.slice(path.lastIndexOf('.') + 1);
    if (atomsOfText(name).length > 1) add(name, fact);
  }
  const root = newBranch();
  growNames(root, facts);
  for (const [phrase, { name, ids }] of groups) {
    const exact = ids.map((id) => `@${id}`);
    // Several facts of one name: which is meant is not said.
    const trait = ids.length > 1 ? { trait: 'open' as const } : {};
    grow(root, phrase, { name, facts: exact, phrases: [phrase], ...trait });
  }
  // One letter, and a symbol that is a word, would be found where nobody speaks of the stock.
  if (symbol.length > 1 && !NO_TICKERS.has(symbol)) grow(root, symbol, OWN);
  return root;
}

/** A pattern, an event or a level that has a name stands for every number told of it. */
function growNames(root: Branch, facts: readonly Fact[]): void {
  const byName = Map.groupBy(
    facts.filter(
      ({ id, value }) => id.endsWith(NAME) && typeof value === 'string' && atomsOfText(value).length > 1,
    ),
    ({ value }) => value as string,
  );
  for (const [name, named] of byName) {
    const siblings = named.map(({ id }) => `@${id.slice(0, -NAME.length)}.*`);
    grow(root, name, { name, facts: siblings, phrases: [name], trait: 'open' });
  }
}
const NAME = '.name';

/** Every measure that the tokens name, the longest phrase at each place, from left to right. */
export function mentionsIn(tokens: readonly Token[], own: Branch): Mention[] {
  const atoms = tokens.flatMap((token, place) => atomsOf(token, place));
  const mentions: Mention[] = [];
  for (let at = 0; at < atoms.length; ) {
    const startsToken = at === 0 || atoms[at - 1]!.token !== atoms[at]!.token;
    const found = startsToken ? longest(atoms, at, tokens, own) : null;
    if (found === null) at++;
    else {
      const [from, to] = [atoms[at]!.token, atoms[found.end - 1]!.token + 1];
      const mention = { measure: found.measure, from, to };
      if (!isWindowOnly(tokens, mention) && !isInSmallLetters(tokens, mention)) {
        mentions.push(
          isQualified(tokens, from) ? { ...mention, measure: qualified(tokens, mention) } : mention,
        );
      }
      at = found.end;
    }
  }
  return mentions;
}

/** Words before a measure that make another one of it. */
const QUALIFIERS = new Set(
  'weekly monthly hourly quarterly yearly annual sector industry peer peers group minute five-minute'.split(
    ' ',
  ),
);

/** `five-month low`, `weekly RSI`: a measure of which nothing is known. */
function isQualified(tokens: readonly Token[], from: number): boolean {
  const before = tokens[from - 1];
  if (before === undefined || tokens[from]!.gap === 'paragraph') return false;
  if (QUALIFIERS.has(before.text)) return true;
  return before.text === '-' && before.gap === 'none' && tokens[from]!.gap === 'none';
}

function qualified(tokens: readonly Token[], { from, to }: Mention): Measure {
  const name = tokens
    .slice(Math.max(0, from - 2), to)
    .map(({ raw }) => raw)
    .join(' ');
  return { name, facts: [], phrases: [] };
}

/** `over a 20-day period`: a window is a measure only where no other noun follows it. */
function isWindowOnly(tokens: readonly Token[], { measure, from, to }: Mention): boolean {
  if (measure.trait !== 'level' || !WINDOW_WORDS.has(tokens[to - 1]!.text)) return false;
  if (tokens[from]!.kind !== 'number' && tokens[to - 1]!.text === tokens[from]!.text) return false;
  const next = tokens[to];
  return next !== undefined && next.kind === 'word' && !TYING.has(next.text) && !CLAUSE_STARTS.has(next.text);
}

const WINDOW_WORDS = new Set(['day', 'session']);

function atomsOf({ kind, text, raw }: Token, token: number): Atom[] {
  if (kind === 'mark') return [];
  const pieces = kind === 'number' ? [raw] : (text.match(ATOM) ?? [text]);
  return pieces.map((piece, at) => ({ text: piece, token, isLastOfToken: at === pieces.length - 1 }));
}

function longest(
  atoms: readonly Atom[],
  start: number,
  tokens: readonly Token[],
  own: Branch,
): { readonly measure: Measure; readonly end: number } | null {
  let best: { measure: Measure; end: number } | null = null;
  let [lexicon, facts]: [Branch | undefined, Branch | undefined] = [written, own];
  const limit = Math.min(atoms.length, start + ATOMS_MAX);
  for (let at = start; at < limit; at++) {
    const { text, isLastOfToken } = atoms[at]!;
    if (at > start && !areJoined(tokens, atoms[at - 1]!, atoms[at]!)) break;
    lexicon = childOf(lexicon, text);
    facts = childOf(facts, text);
    if (lexicon === undefined && facts === undefined) break;
    const measure = lexicon?.measure ?? facts?.measure ?? null;
    if (measure !== null && isLastOfToken) best = { measure, end: at + 1 };
  }
  return best;
}

/** A plural is the same word. */
function childOf(branch: Branch | undefined, text: string): Branch | undefined {
  return (
    branch?.children.get(text) ??
    (text.length > 3 && !SPANS.has(text) && text.endsWith('s')
      ? branch?.children.get(text.slice(0, -1))
      : undefined)
  );
}

/** True where nothing but blanks and joining marks lies between two words of a text. */
function areJoined(tokens: readonly Token[], one: Atom, other: Atom): boolean {
  if (one.token === other.token) return true;
  if (tokens[other.token]!.gap === 'paragraph' || tokens[other.token]!.opensItem) return false;
  const between = other.token - one.token - 1;
  if (between === 0) return true;
  if (between > 1) return false;
  const mark = tokens[one.token + 1]!;
  if (mark.kind !== 'mark') return false;
  if (JOINING.has(mark.text)) return true;
  const isTight = mark.gap === 'none' && tokens[other.token]!.gap === 'none';
  if (mark.text === '.' || mark.text === '-' || mark.text === '/') return isTight;
  // Windows of one indicator: `MACD(12, 26, 9)`.
  return mark.text === ',' && tokens[one.token]!.kind === 'number' && tokens[other.token]!.kind === 'number';
}
