import {
  eventProximity,
  impliedVolatility,
  momentumTrend,
  orbProximity,
  orbStructure,
  pattern,
  proximity,
  technical,
  vixRegimeScore,
  volatility,
  volume,
} from './component-formulas.ts';
import type { InputName, ScoreInputs } from './inputs.ts';
import { bothSides, type Pair, RAMPS, type Ramp, ramp, type ScoreSide } from './ramps.ts';

/** Every component reaches from 0 to this. */
export const MAXIMUM = 10;

/** One component of a score: a bounded, monotone function of named inputs. */
export interface Component<Input extends string = InputName> {
  /** The inputs that each side is computed from. */
  readonly inputs: Readonly<Record<ScoreSide, readonly Input[]>>;
  readonly score: (inputs: Readonly<Record<Input, number>>) => Pair;
}

/** The same inputs for both sides. */
export const both = <Input extends string>(...names: Input[]): Component<Input>['inputs'] => ({
  bull: names,
  bear: names,
});

/** A component of one input, whose sign is its side. */
export const signed = <Input extends string>(name: Input, over: Ramp): Component<Input> => ({
  inputs: both(name),
  score: (inputs) => bothSides((sign) => 10 * ramp(sign * inputs[name], over)),
});

const TABLE = {
  proximity: {
    inputs: { bull: ['support_atr', 'support_strength'], bear: ['resistance_atr', 'resistance_strength'] },
    score: proximity,
  },
  volatility: { inputs: both('percent_b', 'atr_compression_ratio'), score: volatility },
  volume: { inputs: both('up_volume_share', 'rel_vol_5d', 'vwap_atr', 'volume_pace'), score: volume },
  pattern: { inputs: { bull: ['bullish_patterns'], bear: ['bearish_patterns'] }, score: pattern },
  iv: { inputs: both('iv_rank', 'iv_skew'), score: impliedVolatility },
  day_type: signed('trend_score', RAMPS.day_trend),
  vix_regime: { inputs: both('vix'), score: vixRegimeScore },
  event_proximity: {
    inputs: both('days_to_earnings', 'days_since_earnings', 'surprise_pct', 'news_sentiment'),
    score: eventProximity,
  },
  momentum_trend: {
    inputs: both('momentum_blend', 'momentum_slope_60d', 'ema_spread_atr', 'adx_14'),
    score: momentumTrend,
  },
  pricing_edge: {
    inputs: { bull: ['pricing_edge_bull'], bear: ['pricing_edge_bear'] },
    score: (inputs) => ({ bull: inputs.pricing_edge_bull, bear: inputs.pricing_edge_bear }),
  },
  greek_alignment: signed('greek_lean', RAMPS.greek_lean),
  orb_structure: { inputs: both('orb_lean'), score: orbStructure },
  orb_proximity: { inputs: { bull: ['orb_high_atr'], bear: ['orb_low_atr'] }, score: orbProximity },
  intraday_return: signed('intraday_return_atr', RAMPS.intraday_return),
  technical: { inputs: both('rsi_14', 'macd_gap_atr', 'sma20_atr'), score: technical },
} as const satisfies Readonly<Record<string, Component>>;

export type ComponentName = keyof typeof TABLE;
export const COMPONENTS: Readonly<Record<ComponentName, Component>> = TABLE;
export const COMPONENT_NAMES = Object.keys(COMPONENTS) as ComponentName[];

/** The pairs of all components; null where either side misses an input: a pair is weighed whole or not at all. */
export type Table<Name extends string> = Readonly<Record<Name, Pair | null>>;
export type ScoreTable = Table<ComponentName>;

export function scoreTable(inputs: ScoreInputs): ScoreTable {
  return tableOf(COMPONENTS, inputs);
}

export function scorePair(name: ComponentName, inputs: ScoreInputs): Pair | null {
  return pairOf(COMPONENTS[name], inputs);
}

/** The table of any set of components. */
export function tableOf<Name extends string, Input extends string>(
  components: Readonly<Record<Name, Component<Input>>>,
  inputs: Readonly<Record<Input, number>>,
): Table<Name> {
  const table = {} as Record<Name, Pair | null>;
  for (const name of Object.keys(components) as Name[]) table[name] = pairOf(components[name], inputs);
  return table;
}

function pairOf<Input extends string>(
  component: Component<Input>,
  inputs: Readonly<Record<Input, number>>,
): Pair | null {
  const pair = component.score(inputs);
  return Number.isNaN(pair.bull + pair.bear) ? null : pair;
}
