/** A measure that texts name, the facts that can be meant, and the phrases for it. */
export interface Measure {
  readonly name: string;
  /**
   * Ids of facts: those of StockResult by their path, others with `@` before them; `*` stands for one name. The first is
   * what the measure is expected to be.
   */
  readonly facts: readonly string[];
  /** In small letters; hyphens, slashes and brackets read as blanks. */
  readonly phrases: readonly string[];
  /**
   * `open`: more may be called so than is known (a support that the writer drew), so that nothing contradicts it.
   * `subject`: the stock itself, whose number is its price only where the clause says so.
   * `level`: stays where it is when the clause turns to what might happen.
   */
  readonly trait?: 'open' | 'subject' | 'level';
  /** What is called so too and follows from facts. */
  readonly formulas?: readonly Formula[];
}

/** A number that follows from facts, whose ids are those of a measure. */
export type Formula =
  | { readonly kind: 'sum' | 'product'; readonly of: readonly string[] }
  | { readonly kind: 'ratio' | 'difference' | 'change'; readonly of: readonly [string, string] };

/** @param others phrases beside the name, with `|` between them */
export const measure = (name: string, facts: readonly string[], others = ''): Measure => ({
  name,
  facts,
  phrases: [name, ...phrasesIn(others)],
});

export const level = (name: string, facts: readonly string[], others = ''): Measure => ({
  ...measure(name, facts, others),
  trait: 'level',
});

export const open = (name: string, facts: readonly string[], others = ''): Measure => ({
  ...measure(name, facts, others),
  trait: 'open',
});

export const subject = (name: string, facts: readonly string[], phrases: string): Measure => ({
  name,
  facts,
  phrases: phrasesIn(phrases),
  trait: 'subject',
});

/** Named so that no number beside it is taken for that of a measure that is known. */
export const notKnown = (phrases: string): Measure[] =>
  phrasesIn(phrases).map((phrase) => ({ name: phrase, facts: [], phrases: [phrase] }));

const phrasesIn = (text: string): string[] =>
  text
    .split('|')
    .map((phrase) => phrase.trim())
    .filter((phrase) => phrase !== '');
