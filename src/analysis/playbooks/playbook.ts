import type { SignalType } from '../backtest/spec.ts';
import { type Multiple, mirrored, ofSide, scaled } from '../conditions.ts';
import { type PlaybookCondition, withInputs } from './condition.ts';
import { mirrorOf, type PlaybookInput, type PlaybookInputs } from './inputs.ts';

export const PLAYBOOK_DIRECTIONS = ['bullish', 'bearish', 'neutral'] as const;
type PlaybookDirection = (typeof PLAYBOOK_DIRECTIONS)[number];

/** intraday: over by the close; swing: held over nights. */
type PlaybookTimeframe = 'intraday' | 'swing';

/** Playbooks that trade the same lines. */
type PlaybookFamily =
  | 'opening_range'
  | 'initial_balance'
  | 'levels'
  | 'vwap'
  | 'trend'
  | 'earnings'
  | 'squeeze';

/** Kind of day that it likes, in the words of `day_context`; `any` where the day's kind does not matter. */
type PlaybookDay = 'trending' | 'rotational' | 'any';

/** A way to trade, as plain data that goes through JSON unchanged. */
export interface Playbook {
  /** Its key, unique. */
  readonly strategy: string;
  readonly name: string;
  readonly direction: PlaybookDirection;
  readonly family: PlaybookFamily;
  /** The backtest signal that enters such trades, null where none does. */
  readonly signal: SignalType | null;
  readonly timeframe: PlaybookTimeframe;
  readonly day_type: PlaybookDay;
  /** Two sentences: what it is, and why it works when it works. */
  readonly summary: string;
  readonly setup: string;
  readonly entry: string;
  readonly stop: string;
  readonly target: string;
  /** What says that the idea was wrong before the stop does. */
  readonly invalidation: string;
  /** When it fails. */
  readonly risks: string;
  readonly caveat: string;
  /** The first is what makes it this playbook: without it nothing matches. */
  readonly conditions: readonly PlaybookCondition[];
  readonly prices: PlaybookPrices;
}

/** True of a long and a short, of whatever families: nobody can take both. */
export function areOpposed(one: Playbook, other: Playbook): boolean {
  return one.direction !== other.direction && one.direction !== 'neutral' && other.direction !== 'neutral';
}

/** What every playbook says of itself. */
export const CAVEAT =
  'Fit is not edge: a match says that the conditions stand, not that trades like it have paid. Nothing in this library has been shown to earn money; test it on your own data, with costs, before any money follows it.';

/** A playbook of both sides, written as the long, with `[long|short]` in its texts. */
export type SidedPlaybook = Omit<Playbook, 'direction' | 'caveat'>;

/** The long and the short of a playbook; the short is the long in a market turned upside down. */
export function sided(long: SidedPlaybook): readonly [Playbook, Playbook] {
  const conditions = long.conditions.map(mirroredCondition);
  const short = { ...long, conditions, prices: mirroredPrices(long.prices) };
  return [
    { ...ofSide('long', long), direction: 'bullish', caveat: CAVEAT },
    { ...ofSide('short', short), direction: 'bearish', caveat: CAVEAT },
  ];
}

export const mirroredCondition = (condition: PlaybookCondition): PlaybookCondition =>
  withInputs({ ...condition, when: mirrored(condition.when, mirrorOf) });

/** What a playbook is found by when it is compared with other texts: name, summary, setup, risks. */
export function textOf({ name, summary, setup, risks }: Playbook): string {
  return `${name}. ${summary} ${setup} ${risks}`;
}

/** A price as a sum of inputs and multiples, e.g. `['vwap', [-0.25, 'atr']]`; null where none can be named before. */
export type PriceForm = readonly (PlaybookInput | Multiple<PlaybookInput>)[] | null;

export interface PlaybookPrices {
  /** That would start the trade. */
  readonly trigger: PriceForm;
  /** That would refute it. */
  readonly stop: PriceForm;
  /** That it aims at. */
  readonly target: PriceForm;
}

/** Dollars; NaN where one of its inputs is not known, or none is named. */
export function priceOf(form: PriceForm, inputs: PlaybookInputs): number {
  if (form === null) return Number.NaN;
  let sum = termOf(form[0]!, inputs);
  for (let term = 1; term < form.length; term++) sum += termOf(form[term]!, inputs);
  return sum;
}

const termOf = (term: PlaybookInput | Multiple<PlaybookInput>, inputs: PlaybookInputs): number =>
  typeof term === 'string' ? inputs[term] : term[0] * inputs[term[1]];

/** Each price is minus that of the market turned upside down. */
export function mirroredPrices({ trigger, stop, target }: PlaybookPrices): PlaybookPrices {
  const minus = (form: PriceForm): PriceForm => form?.map((term) => scaled(term, -1, mirrorOf)) ?? null;
  return { trigger: minus(trigger), stop: minus(stop), target: minus(target) };
}
