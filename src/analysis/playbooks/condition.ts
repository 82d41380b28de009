import { PLAYBOOK_INPUTS, type PlaybookInput, type PlaybookInputs } from './inputs.ts';

export type Comparison = '>' | '>=' | '<' | '<=' | '=';

/**
 * What a condition asks, as plain data. Distances are in multiples of the daily ATR(14), the input `atr`.
 *
 *     { input: 'adx_14', op: '>=', value: 20 }                            a figure
 *     { input: 'price', op: '>', than: 'ema_20' }                         another input
 *     { input: 'ib_range', op: '<=', than: 'atr', times: 0.5 }            a multiple of one
 *     { input: 'vwap_atr', between: [0, 0.25] }                           both ends within
 *     { above: 'session_high', below: 'ib_high', op: '>=', atr: 0.1 }     how far the one lies above the other
 *     { apart: ['price', 'ema_20'], op: '<=', atr: 0.5 }                  how far they lie apart
 *     { known: ['orb_low'] }                                              that it is known
 *     { all: […] }, { any: […] }
 */
export type When =
  | { readonly input: PlaybookInput; readonly op: Comparison; readonly value: number }
  | {
      readonly input: PlaybookInput;
      readonly op: Comparison;
      readonly than: PlaybookInput;
      readonly times?: number;
    }
  | { readonly input: PlaybookInput; readonly between: readonly [low: number, high: number] }
  | {
      readonly above: PlaybookInput;
      readonly below: PlaybookInput;
      readonly op: Comparison;
      readonly atr: number;
    }
  | {
      readonly apart: readonly [PlaybookInput, PlaybookInput];
      readonly op: Comparison;
      readonly atr: number;
    }
  | { readonly known: readonly PlaybookInput[] }
  | { readonly all: readonly When[] }
  | { readonly any: readonly When[] };

export interface PlaybookCondition {
  readonly name: string;
  /** A sentence for people, with its figures. */
  readonly meaning: string;
  /** Everything that `when` asks about, each once, in the order of `PLAYBOOK_INPUTS`. */
  readonly inputs: readonly PlaybookInput[];
  readonly when: When;
}

export type Verdict = 'met' | 'missed' | 'unknown';

export function condition(name: string, meaning: string, when: When): PlaybookCondition {
  const asked = new Set(inputsOf(when));
  return { name, meaning, inputs: PLAYBOOK_INPUTS.filter((input) => asked.has(input)), when };
}

function inputsOf(when: When): readonly PlaybookInput[] {
  if ('all' in when) return when.all.flatMap(inputsOf);
  if ('any' in when) return when.any.flatMap(inputsOf);
  if ('known' in when) return when.known;
  if ('above' in when) return [when.above, when.below, 'atr'];
  if ('apart' in when) return [...when.apart, 'atr'];
  return 'than' in when ? [when.input, when.than] : [when.input];
}

/** Unknown while any one of its inputs is, even where the others would decide: what is not known takes no side. */
export function verdictOf({ inputs: asked, when }: PlaybookCondition, inputs: PlaybookInputs): Verdict {
  if (asked.some((input) => Number.isNaN(inputs[input]))) return 'unknown';
  return holds(when, inputs) ? 'met' : 'missed';
}

function holds(when: When, inputs: PlaybookInputs): boolean {
  if ('all' in when) return when.all.every((each) => holds(each, inputs));
  if ('any' in when) return when.any.some((each) => holds(each, inputs));
  if ('known' in when) return true;
  if ('above' in when)
    return compare(inputs[when.above] - inputs[when.below], when.op, when.atr * inputs.atr);
  if ('apart' in when) {
    const [one, other] = when.apart;
    return compare(Math.abs(inputs[one] - inputs[other]), when.op, when.atr * inputs.atr);
  }
  const value = inputs[when.input];
  if ('between' in when) return value >= when.between[0] && value <= when.between[1];
  if ('than' in when) return compare(value, when.op, (when.times ?? 1) * inputs[when.than]);
  return compare(value, when.op, when.value);
}

function compare(one: number, op: Comparison, other: number): boolean {
  switch (op) {
    case '>':
      return one > other;
    case '>=':
      return one >= other;
    case '<':
      return one < other;
    case '<=':
      return one <= other;
    case '=':
      return one === other;
  }
}
