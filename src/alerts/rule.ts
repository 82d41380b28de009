import type { Hours } from '../derive/moments.ts';
import { alertKind } from './kinds/index.ts';

/** How often a rule fires for a stock. */
export const REPEATS = ['once', 'daily', 'each'] as const;
export type Repeat = (typeof REPEATS)[number];

/** What a rule watches, and for what. */
export interface RuleContent {
  readonly kind: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Null for every stock of the market. */
  readonly symbols: readonly string[] | null;
  readonly hours: Hours;
  readonly repeat: Repeat;
}

/** A rule as it is judged. */
export interface Rule extends RuleContent {
  readonly id: string;
  readonly owner: string;
  /** It fires of moments after this one, epoch milliseconds: what came before was known when it was made. */
  readonly since: number;
}

/** Paths of the fields that a rule is judged and told by. */
export const fieldsOf = ({ kind, parameters }: Pick<Rule, 'kind' | 'parameters'>): readonly string[] => [
  'last_price',
  ...alertKind(kind).fields(parameters),
];

const OFTEN: Readonly<Record<Repeat, string>> = { once: 'once', daily: 'once a day', each: 'each time' };
const NAMED_MAX = 3;

/** The rule as a trader says it: `NVDA, when price crosses above VWAP, once a day`. */
export function sentenceOf({ kind, parameters, symbols, repeat, hours }: RuleContent): string {
  const named = symbols?.slice(0, NAMED_MAX).join(', ') ?? 'Every stock';
  const others = (symbols?.length ?? 0) - NAMED_MAX;
  const whole = others > 0 ? `${named} and ${others} more` : named;
  const outside = hours === 'all' ? ', before the open and after the close too' : '';
  return `${whole}, when ${alertKind(kind).sentence(parameters)}, ${OFTEN[repeat]}${outside}`;
}
