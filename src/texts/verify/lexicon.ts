import { SCALAR_FIELDS } from '../../derive/scalar-fields.ts';
import type { Fact } from '../facts/fact-registry.ts';
import { expanded, type Formula, fieldWords, TERMS, type Term } from '../glossary.ts';
import type { Token } from './read.ts';
import { CLAUSE_STARTS, isUnderstood, NO_TICKERS, QUALIFIERS, TYING, wordsIn } from './words.ts';

/** A measure that texts name, and the facts that can be meant. */
export interface Measure extends Pick<Term, 'name' | 'facts' | 'trait' | 'formulas'> {
  /** True where its number is a rise or a fall, which its own words may say: `gapped down`, `beat`. */
  readonly isSigned: boolean;
}

/** A measure that a text names: its first token, and the one behind its last. */
export interface Mention {
  readonly measure: Measure;
  readonly from: number;
  readonly to: number;
}

/** Phrases by their words. */
interface Branch {
  readonly children: Map<string, Branch>;
  measure: Measure | null;
}

const OWN = 'stock.';
/** Facts of a rise or a fall; others have a level. */
const CHANGING =
  /change|return|gap|surprise|growth|slope|blend|upside|cvd|divergence|momentum_blend|_pct$|away|distance|consecutive/;
export const isChanging = (id: string): boolean => CHANGING.test(id);
const ATOM = /\p{L}+|\d+|'s/gu;
const ATOMS_MAX = 16;

const atomsOf = (text: string): string[] => text.toLowerCase().match(ATOM) ?? [];
/** The first of them, without the others. */
const FIRST_ATOM = new RegExp(ATOM.source, 'u');
const firstAtomOf = (text: string): string => FIRST_ATOM.exec(text.toLowerCase())?.[0] ?? '';
const newBranch = (): Branch => ({ children: new Map(), measure: null });

const leafOf = (root: Branch, phrase: string): Branch =>
  atomsOf(phrase).reduce((branch, atom) => branch.children.getOrInsertComputed(atom, newBranch), root);

/** The first measure of a phrase keeps it. */
function grow(root: Branch, phrase: string, measure: Measure): void {
  if (/[\p{L}\d]/u.test(phrase)) leafOf(root, phrase).measure ??= measure;
}

export const measureOf = (
  name: string,
  facts: readonly string[],
  trait: Measure['trait'] = null,
  formulas: readonly Formula[] = [],
): Measure => ({ name, facts, trait, formulas, isSigned: facts.some(isChanging) });

const written = newBranch();
for (const { name, facts, trait, formulas, names, sayings } of TERMS) {
  const measure = measureOf(name, facts, trait, formulas);
  const phrases = [...(trait === 'stock' ? [] : [name]), ...names, ...sayings];
  for (const phrase of phrases) grow(written, phrase, trait === 'unknown' ? measureOf(phrase, []) : measure);
}

/** A plural is the same word. */
const singularOf = (atom: string): string =>
  atom.length > 3 && atom.endsWith('s') && atom !== 'days' && atom !== 'sessions' ? atom.slice(0, -1) : atom;
const childOf = (branch: Branch | undefined, atom: string): Branch | undefined =>
  branch?.children.get(atom) ?? branch?.children.get(singularOf(atom));

const find = (root: Branch, phrase: string): Measure | null =>
  atomsOf(phrase).reduce<Branch | undefined>(childOf, root)?.measure ?? null;

/** The change of the day, which needs no name: `down 3.2%`. */
export const CHANGE = find(written, 'day change')!;
/** From the close before to the open: `opened 0.9% higher`. */
export const GAP = find(written, 'gap')!;
/** The price that the day began with. */
export const OPENING = find(written, 'opening price')!;
export const VOLUME = find(written, 'volume')!;
/** Measures whose phrases are verbs of the stock: `closed at`, `trading at`. */
const PRICES_SAID = new Set([find(written, 'price')!, find(written, 'closing price')!]);
/** The stock by its symbol. */
const STOCK = find(written, 'the stock')!;

/** Names that say too little alone. */
const TOO_PLAIN = wordsIn(`
  high low open close change level levels score values value count name from to direction strength input method day session
  sessions price trigger stop volume side state band word time market sector signal support resistance pattern report
  current total average range ratio rank place return returns stocks events days
`);
const NAME_LETTERS_MIN = 4;

const LEGAL_FORM =
  /[\s,]+(?:inc(?:orporated)?|corp(?:oration)?|company|companies|co|ltd|limited|plc|s\.?a|n\.?v|ag|se|llc|l\.?p|holdings?|group)\.?$/i;
const COMPANY_NAME = /^\p{Lu}\p{Ll}{2}/u;
/** Of many companies, so that alone they name none. */
const OF_MANY = wordsIn(`
  bank general american united first national international advanced texas home best global new old royal southern northern
  western eastern public standard universal world capital financial energy digital applied
`);

/** A company as texts call it: with its legal form and without, and by its first word. */
function namesOfCompany(company: string): string[] {
  let name = company.replace(/^the /i, '');
  while (LEGAL_FORM.test(name)) name = name.replace(LEGAL_FORM, '');
  const [first = ''] = name.split(/[\s.,]+/);
  const isOwn = !OF_MANY.has(first.toLowerCase()) && !isUnderstood(first.toLowerCase());
  return [company, name, ...(isOwn ? [first] : [])].map(
    (each) => each.charAt(0) + each.slice(1).toLowerCase(),
  );
}

/** How the claims of a record are said to have come true. */
const CAME: Readonly<Record<string, string>> = {
  level: 'levels (hold|held)',
  pattern: '(patterns|) (reach|reached|reaches) (the|their|its) target',
  playbook: '(trades|playbook|) (make|made|makes) money',
};

function growRecord(root: Branch, id: string): void {
  const [, kind = '', key = ''] = /^record\.(\w+)\.(.+)\.rate$/.exec(id) ?? [];
  const came = CAME[kind];
  if (came === undefined) return;
  const words = key.replaceAll(/[._]/g, ' ');
  for (const phrase of expanded(`${words} ${came}`)) {
    grow(root, phrase, measureOf(`share of ${words} ${kind}s`, [id]));
    grow(root, `${phrase} chance`, measureOf(`chance of ${words} ${kind}s`, [id.replace(/rate$/, 'chance')]));
  }
}

type Named = Pick<Fact, 'id' | 'label'>;

/**
 * Phrases of labels and paths; a name that several facts bear does not say which.
 *
 * @param isHeard whether a phrase is needed
 */
function namesOf(facts: readonly Named[], isHeard = (_phrase: string): boolean => true): Branch {
  const groups = new Map<string, { readonly name: string; readonly ids: Set<string> }>();
  const add = (phrase: string, { id, label }: Named, atomsMin = 0): void => {
    if (!isHeard(phrase)) return;
    const atoms = atomsOf(phrase);
    if (atoms.length < atomsMin) return;
    const key = atoms.join(' ');
    // `touched_at`: an instant, which no text calls so.
    if (key.endsWith(' at')) return;
    if (TOO_PLAIN.has(key) || (!key.includes(' ') && key.length < NAME_LETTERS_MIN)) return;
    groups.getOrInsertComputed(key, () => ({ name: label || phrase, ids: new Set() })).ids.add(id);
  };
  for (const fact of facts) {
    const path = fact.id.startsWith(OWN) ? fact.id.slice(OWN.length) : fact.id;
    add(fact.label, fact);
    add(path, fact);
    add(path.slice(path.lastIndexOf('.') + 1), fact, 2);
  }
  const root = newBranch();
  for (const [phrase, { name, ids }] of groups) {
    const trait = ids.size > 1 ? 'open' : phrase.startsWith('levels ') ? 'level' : null;
    grow(root, phrase, measureOf(name, [...ids], trait));
  }
  return root;
}

/** Fields that have no fact on a day are measures all the same. */
const numbers = SCALAR_FIELDS.filter(({ type }) => type !== 'boolean' && type !== 'text');
const catalogue = namesOf(
  numbers.map(({ path }) => ({ id: `${OWN}${path}`, label: fieldWords(path).label })),
);

/** What texts call the facts, and the stock itself. */
export class Lexicon {
  readonly #roots: readonly Branch[];

  /** @param heard of a text: a stock has thousands of facts, and a phrase is found by its first word */
  constructor(facts: readonly Fact[], symbol: string, company: string | null, heard: readonly Token[]) {
    const words = heard.flatMap(({ text }) => atomsOf(text));
    const first = new Set([...words, ...words.map(singularOf)]);
    const own = namesOf(
      facts.filter(({ value }) => typeof value !== 'boolean'),
      (phrase) => first.has(firstAtomOf(phrase)),
    );
    for (const name of company === null ? [] : namesOfCompany(company)) grow(own, name, { ...STOCK, name });
    for (const { id } of facts) growRecord(own, id);
    // A pattern, an event or a level that has a name means every number of it.
    const named = facts.filter(({ id, value }) => id.endsWith('.name') && atomsOf(`${value}`).length > 1);
    for (const [name, of] of Map.groupBy(named, ({ value }) => `${value}`)) {
      const known = find(own, name) ?? measureOf(name, [], 'open');
      const ids = of.map(({ id }) => `${id.slice(0, -'.name'.length)}.*`);
      leafOf(own, name).measure = measureOf(known.name, [...known.facts, ...ids], known.trait);
    }
    // One letter, and a symbol that is a word, would be found where the text does not mean the stock.
    if (symbol.length > 1 && !NO_TICKERS.has(symbol)) grow(own, symbol, { ...STOCK, name: symbol });
    this.#roots = [written, own, catalogue];
  }

  /** Every measure that the tokens name, the longest phrase at each place, from left to right. */
  mentionsIn(tokens: readonly Token[], signs: string): Mention[] {
    const mentions: Mention[] = [];
    for (let at = 0; at < tokens.length; at++) {
      const last = mentions.at(-1);
      const found = tokens[at]!.kind === 'mark' ? null : this.#longest(tokens, at);
      const isLong = found !== null && found.to > at + 1;
      const mention = (isLong ? null : this.#shortened(tokens, at, last)) ?? found;
      if (mention === null || isNoMention(tokens, mention, signs) || isVerbOf(mention, last)) continue;
      mentions.push(qualified(tokens, mention, signs));
      at = mention.to - 1;
    }
    return mentions;
  }

  /** `the session high was 319 and its low 309`, `MACD is 1.7 against a signal of 1.2`: the rest was said before. */
  #shortened(tokens: readonly Token[], at: number, last: Mention | undefined): Mention | null {
    const { text, sentence } = tokens[at]!;
    const isFree = last !== undefined && last.measure.facts.length > 0 && at - last.to <= SHORTENED_MAX;
    if (!isFree || tokens[last.from]!.sentence !== sentence) return null;
    if (!/^(?:and|or|,|with|its|the|an?|vs|versus|against)$/.test(tokens[at - 1]!.text)) return null;
    const words = tokens.slice(last.from, last.to).map((token) => token.text);
    const place = words.lastIndexOf(OPPOSITES.get(text) ?? '');
    if (place === -1 && !/^(?:signal|chance)$/.test(text)) return null;
    const phrase = place === -1 ? [...words, text] : words.with(place, text);
    const measure = this.#roots.map((root) => find(root, phrase.join(' '))).find((one) => one !== null);
    return measure === undefined ? null : { measure: measure!, from: at, to: at + 1 };
  }

  #longest(tokens: readonly Token[], from: number): Mention | null {
    let best: Mention | null = null;
    let branches: (Branch | undefined)[] = [...this.#roots];
    for (let at = from, atoms = 0; at < tokens.length && atoms < ATOMS_MAX; at++) {
      const { kind, text } = tokens[at]!;
      if (at > from && !isJoined(tokens, at)) break;
      if (kind === 'mark') continue;
      for (const atom of kind === 'number' ? [text] : atomsOf(text)) {
        branches = branches.map((branch) => childOf(branch, atom));
        atoms++;
      }
      if (branches.every((branch) => branch === undefined)) break;
      const measure = branches.find((branch) => branch?.measure)?.measure;
      if (measure) best = { measure, from, to: at + 1 };
    }
    return best;
  }
}

/** Nothing but blanks and a mark that may join words lies before a token of a phrase. */
function isJoined(tokens: readonly Token[], at: number): boolean {
  const [before, token, next] = [tokens[at - 1]!, tokens[at]!, tokens[at + 1]];
  if (token.gap === 'paragraph' || token.sentence !== before.sentence) return false;
  if (token.kind !== 'mark') return true;
  if (before.kind === 'mark' || next === undefined) return false;
  if (token.text === '&' || token.text === '(' || token.text === ')') return true;
  if (token.text === ',') return before.kind === 'number' && next.kind === 'number';
  return /^[./-]$/.test(token.text) && token.gap === 'none' && next.gap === 'none';
}

const SHORTENED_MAX = 8;
const OPPOSITES = new Map(
  ['high low', 'upper lower', 'top bottom', 'bullish bearish', 'bull bear', 'call put'].flatMap((pair) => {
    const [one, other] = pair.split(' ') as [string, string];
    return [[one, other] as const, [other, one] as const];
  }),
);

/** `the VIX closed at 16.7`: the verb of a price, of what comes before it. */
const isVerbOf = ({ measure, from }: Mention, last: Mention | undefined): boolean =>
  last?.to === from && last.measure.trait === null && !last.measure.isSigned && PRICES_SAID.has(measure);

const SPANS_OF_TIME = wordsIn('day session');
const DISTANCES = wordsIn('above below from away over under of off higher lower beneath to beyond past');

/** `a 20-day period`, `1.2 ATR above`, a symbol in small letters: words of a phrase that name no measure. */
function isNoMention(tokens: readonly Token[], { measure, from, to }: Mention, signs: string): boolean {
  const [before, first, last, next] = [tokens[from - 1], tokens[from]!, tokens[to - 1]!, tokens[to]];
  const raw = signs.slice(first.start, last.end);
  // A longer name is another company's.
  const nextRaw = next === undefined ? '' : signs.slice(next.start, next.end);
  const isName = measure.trait === 'stock' && measure.name !== STOCK.name;
  if (isName && COMPANY_NAME.test(measure.name)) return !/^\p{Lu}/u.test(raw) || COMPANY_NAME.test(nextRaw);
  if (isName) return raw !== raw.toUpperCase();
  // `the open interest`, `the market cap`.
  if (measure === OPENING && next?.text === 'interest') return true;
  if (/market$/i.test(raw) && /^(?:cap|capitali[sz]ation|value)$/.test(next?.text ?? '')) return true;
  // `a gap of 0.9% to the upside`, `was a beat`: a direction.
  const isTo = last === first && before?.text === 'the' && tokens[from - 2]?.text === 'to';
  if (isTo && measure.name === 'upside') return true;
  if (/^(?:beat|miss)$/.test(raw.toLowerCase()) && before?.text === 'a') return true;
  // `holds above` is no count of ratings.
  if (raw.toLowerCase() === 'holds') return before?.kind !== 'number';
  if (measure.name === 'ATR' && before?.kind === 'number') {
    return last.text.endsWith('s') || next === undefined || next.kind === 'mark' || DISTANCES.has(next.text);
  }
  if (measure.trait !== 'level' || !SPANS_OF_TIME.has(last.text) || next?.kind !== 'word') return false;
  return !TYING.has(next.text) && !CLAUSE_STARTS.has(next.text);
}

/** `five-month low`, `weekly RSI`: a measure of which nothing is known; else the mention itself. */
function qualified(tokens: readonly Token[], mention: Mention, signs: string): Mention {
  const { from, to } = mention;
  const [before, first] = [tokens[from - 1], tokens[from]!];
  if (before === undefined || first.gap === 'paragraph') return mention;
  const isTied = before.text === '-' && before.gap === 'none' && first.gap === 'none';
  if (!isTied && !QUALIFIERS.has(before.text)) return mention;
  const name = signs.slice(tokens[Math.max(0, from - 2)]!.start, tokens[to - 1]!.end);
  return { from, to, measure: measureOf(name, []) };
}

const idsOf = ({ facts, formulas }: Measure): readonly string[] => [
  ...facts,
  ...formulas.flatMap(({ of }) => of),
];
/** `the mean target implies 6.8% upside`: one follows from the other. */
export const isRelated = (one: Measure, other: Measure): boolean =>
  idsOf(one).some((id) => idsOf(other).includes(id));
