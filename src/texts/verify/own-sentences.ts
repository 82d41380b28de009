import { holds, type Rule } from '../../analysis/conditions.ts';
import { STALE } from '../data-age.ts';
import { CHANGES, RULES } from '../debate/index.ts';
import type { Fact } from '../facts/fact-registry.ts';
import { contradicts, type Judgement, matches, unknown } from './claim.ts';
import { type KnownValues, says } from './compare.ts';
import type { Item } from './items.ts';
import type { Quantity } from './quantities.ts';

/** A number in a sentence of ours: where it stands, of which fact it is, and whether the sentence holds. */
interface OwnNumber {
  readonly start: number;
  readonly end: number;
  readonly fact: string;
  readonly holds: boolean;
}

const PLACEHOLDER = /\{([^{}]+)\}/g;
/** A value as it is quoted: no longer than the name of a pattern. */
const VALUE = '[^\\n]{1,60}?';

/** Rules with what their sentences begin with, up to the first fact; one that begins with it has none. */
const TEMPLATES = [...RULES, ...CHANGES, STALE].flatMap((rule) => {
  const head = rule.says.slice(0, rule.says.indexOf('{')).toLowerCase();
  const facts = Array.from(rule.says.matchAll(PLACEHOLDER), ([, id]) => id!);
  return head === '' ? [] : [{ rule, head, facts }];
});

/** The sentence of a rule with its words and any numbers; other words in the place of a word are found too. */
function patternOf({ says }: Rule, values: ReadonlyMap<string, Fact['value']>): RegExp {
  const pattern = says.split(PLACEHOLDER).map((part, at) => {
    if (at % 2 === 0) return RegExp.escape(part.toLowerCase());
    const value = values.get(part);
    return typeof value === 'string' ? `(${RegExp.escape(value.toLowerCase())}|${VALUE})` : `(${VALUE})`;
  });
  return new RegExp(pattern.join(''), 'uyd');
}

/**
 * The sentences of a text that a rule of the debate or of stale data says, word for word: what every word of them means is
 * known, so that their numbers are of the facts that the rule quotes.
 */
export class OwnSentences {
  readonly #numbers: readonly OwnNumber[];
  readonly #known: KnownValues;

  /** @param lower the text as it is read, in small letters */
  constructor(lower: string, facts: readonly Fact[], known: KnownValues) {
    this.#known = known;
    const values = new Map(facts.map(({ id, value }) => [id, value]));
    this.#numbers = TEMPLATES.flatMap(({ rule, head, facts: ids }) => {
      const found: OwnNumber[] = [];
      if (!lower.includes(head)) return found;
      const pattern = patternOf(rule, values);
      for (let at = lower.indexOf(head); at !== -1; at = lower.indexOf(head, at + 1)) {
        pattern.lastIndex = at;
        const spans = (pattern.exec(lower)?.indices?.slice(1) ?? []) as [start: number, end: number][];
        const isNamed = spans.every(([start, end], place) => {
          const value = values.get(ids[place]!);
          return typeof value !== 'string' || value.toLowerCase() === lower.slice(start, end);
        });
        const isSo = isNamed && holds(rule, (id) => values.get(id));
        for (const [place, [start, end]] of spans.entries())
          found.push({ start, end, fact: ids[place]!, holds: isSo });
      }
      return found;
    });
  }

  /** What is said of a number of such a sentence; null for any other. */
  judge(quantity: Item & Quantity): Judgement | null {
    // Several rules may say one sentence.
    const of = this.#numbers.filter(({ start, end }) => quantity.start <= start && end <= quantity.end);
    const own = of.find(({ holds: isSo }) => isSo) ?? of[0];
    const fact = own === undefined ? null : this.#known.number(own.fact);
    if (own === undefined || fact === null) return null;
    if (!says(quantity, fact))
      return contradicts(fact.label, `${fact.label} is ${fact.value}.`, fact, { expected: fact.value });
    return own.holds
      ? matches(fact.label, `It is ${fact.label} at the precision written.`, fact)
      : unknown(fact.label, 'What the sentence says of it is not so, or not known.', fact);
  }
}
