import fc from 'fast-check';
import { expect } from 'vitest';
import {
  INPUT_NAMES,
  type InputName,
  SCALES,
  type ScoreInputs,
} from '../../../../src/analysis/scoring/inputs.ts';
import { ENOUGH_WEIGHT, type twoSided } from '../../../../src/analysis/scoring/ledger.ts';
import { between } from '../../../support/for-all.ts';
import { figures } from '../../../support/tables.ts';

/** A stock of which nothing is known. */
const NO_INPUTS = Object.fromEntries(INPUT_NAMES.map((name) => [name, Number.NaN])) as Record<
  InputName,
  number
>;

/** A stock of which everything is known, leaning up. */
export const ALL_INPUTS: ScoreInputs = {
  ...figures<ScoreInputs>`
    support_atr 0.25, support_strength 0.6, resistance_atr 0.75, resistance_strength 0.4, percent_b 0.75,
    atr_compression_ratio 1, up_volume_share 0.6, rel_vol_5d 1.1, vwap_atr 0.25, volume_pace 1.1,
    bullish_patterns 0.5, bearish_patterns 0.2, iv_rank 30, iv_skew 0.025, trend_score 0.3, vix 21.5,
    days_to_earnings 40, days_since_earnings 55, surprise_pct 5, news_sentiment 0.25,
    momentum_slope_60d 30, ema_spread_atr 1, adx_14 22.5, pricing_edge_bull 6, pricing_edge_bear 4,
    greek_lean 0.25, orb_lean 0.5, orb_high_atr 0.1, orb_low_atr 0.4, intraday_return_atr 0.4, rsi_14 60,
    macd_gap_atr 0.15, sma20_atr 1`,
  momentum_blend: 100 * Math.expm1(0.1),
};

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
  between(SCALES[name].low, SCALES[name].high);

/** Values of these names, each missing now and then. */
export const mostlyKnown = <Name extends string>(
  names: readonly Name[],
  missing: number,
  anyOf: (name: Name) => fc.Arbitrary<number>,
): fc.Arbitrary<Record<Name, number>> =>
  fc.record(
    Object.fromEntries(
      names.map((name) => [
        name,
        fc.oneof(
          { weight: 100 - missing, arbitrary: anyOf(name) },
          { weight: missing, arbitrary: fc.constant(Number.NaN) },
        ),
      ]),
    ),
  ) as fc.Arbitrary<Record<Name, number>>;

export const anyInputs = (missing: number): fc.Arbitrary<ScoreInputs> =>
  mostlyKnown(INPUT_NAMES, missing, anyValueOf);

/** Scores are sums of their ledgers within 0 to 100, and nothing below half of the weights. */
export function expectSound({ bull, bear, weightAvailable }: ReturnType<typeof twoSided>): void {
  for (const { score, lines } of [bull, bear]) {
    const sum = lines.reduce((total, line) => total + line.contribution, 0);
    if (weightAvailable < ENOUGH_WEIGHT - 1e-9) expect(score).toBeNaN();
    else {
      expect(Math.abs(sum - score)).toBeLessThan(1e-9);
      expect(score).toBeGreaterThanOrEqual(0);
      expect(score).toBeLessThanOrEqual(100);
    }
  }
}

/** The scores of the mirrored inputs are those of the inputs with the sides exchanged. */
export function expectExchanged(one: ReturnType<typeof twoSided>, other: ReturnType<typeof twoSided>): void {
  expect(other.weightAvailable).toBeCloseTo(one.weightAvailable, 12);
  const zeroForNone = (score: number): number => (Number.isNaN(score) ? 0 : score);
  expect(zeroForNone(other.bull.score)).toBeCloseTo(zeroForNone(one.bear.score), 9);
  expect(zeroForNone(other.bear.score)).toBeCloseTo(zeroForNone(one.bull.score), 9);
}
