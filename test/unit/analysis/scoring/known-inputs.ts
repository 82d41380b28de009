import fc from 'fast-check';
import {
  INPUT_NAMES,
  type InputName,
  SCALES,
  type ScoreInputs,
} from '../../../../src/analysis/scoring/inputs.ts';
import { fields } from '../../../support/tables.ts';

/** A stock of which nothing is known. */
const NO_INPUTS = Object.fromEntries(INPUT_NAMES.map((name) => [name, Number.NaN])) as Record<
  InputName,
  number
>;

/** A stock of which everything is known, leaning up. */
export const ALL_INPUTS: ScoreInputs = fields<ScoreInputs>`
  support_atr: 0.25, support_strength: 0.6, resistance_atr: 0.75, resistance_strength: 0.4, percent_b: 0.75,
  atr_compression_ratio: 1, up_volume_share: 0.6, rel_vol_5d: 1.1, vwap_atr: 0.25, volume_pace: 1.1,
  bullish_patterns: 0.5, bearish_patterns: 0.2, iv_rank: 30, iv_skew: 0.025, trend_score: 0.3, vix: 21.5,
  days_to_earnings: 40, days_since_earnings: 55, surprise_pct: 5, news_sentiment: 0.25,
  momentum_blend: ${100 * Math.expm1(0.1)}, momentum_slope_60d: 30, ema_spread_atr: 1, adx_14: 22.5,
  pricing_edge_bull: 6, pricing_edge_bear: 4, greek_lean: 0.25, orb_lean: 0.5, orb_high_atr: 0.1,
  orb_low_atr: 0.4, intraday_return_atr: 0.4, rsi_14: 60, macd_gap_atr: 0.15, sma20_atr: 1`;

export const withInputs = (parts: Partial<Record<InputName, number>>): ScoreInputs => ({
  ...ALL_INPUTS,
  ...parts,
});

export const onlyInputs = (names: readonly InputName[]): ScoreInputs => ({
  ...NO_INPUTS,
  ...Object.fromEntries(names.map((name) => [name, ALL_INPUTS[name]])),
});

/** A value on the whole scale of an input. */
export const anyValueOf = (name: InputName): fc.Arbitrary<number> =>
  fc.double({ min: SCALES[name].low, max: SCALES[name].high, noNaN: true });

/** Any inputs, each missing now and then. */
export const anyInputs = (missing: number): fc.Arbitrary<ScoreInputs> =>
  fc.record(
    Object.fromEntries(
      INPUT_NAMES.map((name) => [
        name,
        fc.oneof(
          { weight: 100 - missing, arbitrary: anyValueOf(name) },
          { weight: missing, arbitrary: fc.constant(Number.NaN) },
        ),
      ]),
    ) as Record<InputName, fc.Arbitrary<number>>,
  );
