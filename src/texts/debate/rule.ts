import {
  type BySide,
  bothSides,
  type Condition,
  filled,
  holds,
  type Inputs,
  inputsOf,
  type MirrorOf,
  named,
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

/** A rule as it is written under its name; what differs between the sides is `[bull|bear]` in its texts, or `BySide`. */
interface Written {
  readonly side: string;
  readonly weight: number | BySide<number>;
  readonly when: Condition | BySide<Condition>;
  readonly says: string;
}

const written =
  <Weight extends Written['weight'], When extends Written['when']>(side: string) =>
  (weight: Weight, when: When, says: string): Written => ({ side, weight, when, says });

/** A rule of both sides, written for the bull; the condition is mirrored unless each side has its own. */
export const both = written<Written['weight'], Written['when']>('[bull|bear]');
/** A rule of one side alone. */
export const bull = written<number, Condition>('bull');
export const bear = written<number, Condition>('bear');

export const rulesOf = (rules: Readonly<Record<string, Written>>) =>
  bothSides(named(rules), mirrorOf) as readonly DebateRule[];

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
