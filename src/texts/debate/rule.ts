import {
  all,
  any,
  bothSides,
  type Condition,
  filled,
  holds,
  type Inputs,
  inputsOf,
  type MirrorOf,
  type Order,
  quotedIn,
  type Rule,
} from '../../analysis/conditions.ts';
import type { FactRegistry } from '../facts/fact-registry.ts';
import { fieldWords } from '../glossary.ts';

export type DebateSide = 'bull' | 'bear';

/** One argument of a debate as data. Its inputs are ids of facts, and it quotes every figure. */
export interface DebateRule extends Rule {
  /** The side that it speaks for; of what would change a mind, whose mind. */
  readonly side: DebateSide;
  /** How much it counts, 1 to 10: evidence that takes long to build and that many traders act on counts more. */
  readonly weight: number;
}

/** Facts that know no side, by the last part of their ids: both sides ask the same of them. */
const SIZES: ReadonlySet<string> = new Set([
  'adx_14',
  'away',
  'burst',
  'days_until',
  'latest_grade_age',
  'magnitude',
  'new_[highs|lows]',
  'new_[lows|highs]',
  'pricing_edge_[bull|bear]',
]);
/** Facts from 0 to 100, which mirror about 50. */
const PERCENTILES: ReadonlySet<string> = new Set(['rsi_14', 'iv_percentile']);

const mirrorOf: MirrorOf = (as) => {
  const part = as.slice(as.lastIndexOf('.') + 1);
  return { as, sign: SIZES.has(part) ? 1 : -1, about: PERCENTILES.has(part) ? 100 : 0 };
};

/** Name, side of a rule of one alone, weight, condition; the sentence. */
const ROW = /^(\S+) \((?:(bull|bear) )?(\d+)(?:\|(\d+))?\):(?: (.+))?\n {2}(.+)$/;

const groupOf = <Of>(parts: readonly Of[], group: (...parts: readonly Of[]) => Of): Of =>
  parts.length === 1 ? parts[0]! : group(...parts);

function comparisonOf(text: string): Condition {
  const [, input, by, times, of] = /^(\S+) (is|[<>]=?) (?:(\S+) \* )?(\S+)$/.exec(
    text,
  ) as unknown as string[];
  if (by === 'is') return [input!, by, /^(?:true|false)$/.test(of!) ? of === 'true' : of!];
  const right = Number.isNaN(Number(of)) ? of! : Number(of);
  return [input!, by as Order, times === undefined ? right : [Number(times), of!]];
}

const conditionOf = (text: string): Condition => {
  const terms = text.split(', ').filter(Boolean);
  return groupOf<Condition>(
    terms.map((term) => groupOf<Condition>(term.split(' or ').map(comparisonOf), any)),
    all,
  );
};

/**
 * Rules from rows of two lines, `name (weight): condition` and below it what the rule says; a row that begins with `//` is a
 * comment. A rule of one side has it before its weight. One of both has `[bull|bear]` in its name and wherever words differ;
 * its weights may be `2|3`, and its condition is mirrored for the bear unless the one of each side is written, parted by ` | `.
 * A condition is of comparisons with all of which it holds; `or` parts those of which one is enough.
 */
export const rulesOf = (rows: string) =>
  bothSides(
    rows
      .trim()
      .split(/\n(?! )/)
      .filter((row) => !row.startsWith('//'))
      .map((row) => {
        const [, name, side = '[bull|bear]', weight, other, when = '', says] = ROW.exec(
          row,
        ) as unknown as string[];
        const [long, short] = when.split(' | ').map(conditionOf);
        return {
          name: name!,
          side,
          weight: other === undefined ? Number(weight) : { long: Number(weight), short: Number(other) },
          when: short === undefined ? long! : { long: long!, short },
          says: says!,
        };
      }),
    mirrorOf,
  ) as readonly DebateRule[];

/** A fact of a field with the trade's name of it: `RSI {stock.technical.rsi_14}`. */
export const said = (id: string): string => `${fieldWords(id.slice('stock.'.length)).shortName} {${id}}`;

export interface Point {
  readonly text: string;
  /** Ids of the facts that it rests on, those that the text quotes first. */
  readonly facts: readonly string[];
  readonly rule: string;
}

/** The sentence of a rule; null where it does not hold or cannot be known. */
export function pointOf(rule: Rule, registry: FactRegistry): Point | null {
  const inputs: Inputs = (id) => registry.get(id)?.value;
  if (!holds(rule, inputs)) return null;
  // A word that had to be so is in the sentence already.
  const numbers = inputsOf(rule.when).filter((id) => typeof inputs(id) === 'number');
  return {
    text: filled(rule.says, inputs),
    facts: [...new Set([...quotedIn(rule.says), ...numbers])],
    rule: rule.name,
  };
}
