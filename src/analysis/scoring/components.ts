import type { InputName, ScoreInputs } from './inputs.ts';
import {
  bothSides,
  fall,
  lift,
  meanOfTwo,
  type Pair,
  RAMPS,
  type Ramp,
  ramp,
  type ScoreSide,
} from './ramps.ts';

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

/** How the price moves and with how much volume, and where it is among levels and bands. */
const TABLE = {
  // Support near below is good for longs, resistance near above for shorts, within one daily ATR; a level that other
  // families confirm counts more.
  proximity: {
    inputs: { bull: ['support_atr', 'support_strength'], bear: ['resistance_atr', 'resistance_strength'] },
    score: (i) => ({
      bull: 10 * fall(i.support_atr, RAMPS.level_distance) * lift(i.support_strength),
      bear: 10 * fall(i.resistance_atr, RAMPS.level_distance) * lift(i.resistance_strength),
    }),
  },
  // The half of the Bollinger band that the price is in; a compressed range counts in full, a wide one by half.
  volatility: {
    inputs: both('percent_b', 'atr_compression_ratio'),
    score: (i) => {
      const coiled = 10 * lift(fall(i.atr_compression_ratio, RAMPS.compression));
      return bothSides((sign) => coiled * ramp(sign * (i.percent_b - 0.5), RAMPS.band_position));
    },
  },
  // The mean of two halves, or the one that is known: the side of the volume of 20 sessions, lifted by the volume of
  // the week; and the side of VWAP, lifted by the pace of the day against the session before.
  volume: {
    inputs: both('up_volume_share', 'rel_vol_5d', 'vwap_atr', 'volume_pace'),
    score: (i) => {
      const week = lift(ramp(i.rel_vol_5d, RAMPS.relative_volume));
      const day = lift(ramp(i.volume_pace, RAMPS.relative_volume));
      return bothSides(
        (sign) =>
          10 *
          meanOfTwo(
            week * ramp(sign * (i.up_volume_share - 0.5), RAMPS.up_volume),
            day * ramp(sign * i.vwap_atr, RAMPS.vwap_distance),
          ),
      );
    },
  },
  // Active patterns, each as sure as it fits, forming ones by half: `evidence` of each side.
  pattern: {
    inputs: { bull: ['bullish_patterns'], bear: ['bearish_patterns'] },
    score: (i) => ({ bull: 10 * i.bullish_patterns, bear: 10 * i.bearish_patterns }),
  },
  // Low implied volatility and little put premium favour longs, the opposite shorts.
  iv: {
    inputs: both('iv_rank', 'iv_skew'),
    score: (i) => {
      const dear = 0.5 * ramp(i.iv_rank, RAMPS.iv_rank) + 0.5 * ramp(i.iv_skew, RAMPS.iv_skew);
      return { bull: 10 * (1 - dear), bear: 10 * dear };
    },
  },
  day_type: signed('trend_score', RAMPS.day_trend),
  // A low VIX favours longs, a high one shorts.
  vix_regime: {
    inputs: both('vix'),
    score: (i) => ({ bull: 10 * fall(i.vix, RAMPS.vix), bear: 10 * ramp(i.vix, RAMPS.vix) }),
  },
  // The mean of two parts, or the one that is known: the latest surprise, whose drift fades within a quarter, and the
  // tone of the news; results due within five days reduce both sides. The drift: V. Bernard and J. Thomas,
  // "Post-Earnings-Announcement Drift" (1989).
  event_proximity: {
    inputs: both('days_to_earnings', 'days_since_earnings', 'surprise_pct', 'news_sentiment'),
    score: (i) => {
      // An unknown date reduces nothing; the ledger shows that it is unknown.
      const clear = Number.isNaN(i.days_to_earnings) ? 1 : ramp(i.days_to_earnings, RAMPS.earnings_clear);
      const drift = fall(i.days_since_earnings, RAMPS.earnings_drift);
      return bothSides(
        (sign) =>
          10 *
          clear *
          meanOfTwo(
            drift * ramp(sign * i.surprise_pct, RAMPS.earnings_surprise),
            ramp(sign * i.news_sentiment, RAMPS.news_tone),
          ),
      );
    },
  },
  // Months of return, their regression, and the averages' spread, the whole lifted by a trend that ADX calls one.
  momentum_trend: {
    inputs: both('momentum_blend', 'momentum_slope_60d', 'ema_spread_atr', 'adx_14'),
    score: (i) => {
      // A fall of 17 % undoes a rise of 20 %: continuously compounded, both are as far.
      const blend = 100 * Math.log1p(i.momentum_blend / 100);
      const strength = 10 * lift(ramp(i.adx_14, RAMPS.adx));
      return bothSides(
        (sign) =>
          strength *
          (0.4 * ramp(sign * blend, RAMPS.momentum_blend) +
            0.3 * ramp(sign * i.momentum_slope_60d, RAMPS.momentum_slope) +
            0.3 * ramp(sign * i.ema_spread_atr, RAMPS.ema_spread)),
      );
    },
  },
  pricing_edge: {
    inputs: { bull: ['pricing_edge_bull'], bear: ['pricing_edge_bear'] },
    score: (i) => ({ bull: i.pricing_edge_bull, bear: i.pricing_edge_bear }),
  },
  greek_alignment: signed('greek_lean', RAMPS.greek_lean),
  // `orb_lean` is the mean bias of the closed opening ranges, see `openingRangeBias`.
  orb_structure: {
    inputs: both('orb_lean'),
    score: (i) => ({ bull: 10 * Math.max(0, i.orb_lean), bear: 10 * Math.max(0, -i.orb_lean) }),
  },
  // Longs act at the upper edge of the opening range, shorts at the lower: nearness within half a daily ATR.
  orb_proximity: {
    inputs: { bull: ['orb_high_atr'], bear: ['orb_low_atr'] },
    score: (i) => ({
      bull: 10 * fall(i.orb_high_atr, RAMPS.orb_distance),
      bear: 10 * fall(i.orb_low_atr, RAMPS.orb_distance),
    }),
  },
  intraday_return: signed('intraday_return_atr', RAMPS.intraday_return),
  // Oscillators of weeks: RSI off its middle, MACD off its signal, price off its 20-session mean.
  technical: {
    inputs: both('rsi_14', 'macd_gap_atr', 'sma20_atr'),
    score: (i) =>
      bothSides(
        (sign) =>
          10 *
          (0.4 * ramp(sign * (i.rsi_14 - 50), RAMPS.rsi) +
            0.3 * ramp(sign * i.macd_gap_atr, RAMPS.macd_gap) +
            0.3 * ramp(sign * i.sma20_atr, RAMPS.sma20_distance)),
      ),
  },
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
