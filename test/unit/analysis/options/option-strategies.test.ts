import { describe, expect, it } from 'vitest';
import { VIX_REGIMES } from '../../../../src/analysis/market-state.ts';
import {
  GREEK_WEIGHTS,
  greekBias,
  greekBiases,
  optionsConfluence,
} from '../../../../src/analysis/options/chain-bias.ts';
import {
  bestStrategy,
  STRATEGIES,
  STRATEGY_WEIGHTS,
  type StrategyConditions,
  strategyScores,
  trendLean,
} from '../../../../src/analysis/options/option-strategies.ts';
import { between, forAll } from '../../../support/for-all.ts';
import { pricedMade } from '../../../support/made-chain.ts';

const NONE = Number.NaN;

type StrategyInputs = StrategyConditions & { readonly trend: number };

const CALM: StrategyInputs = {
  trend: 0.6,
  iv_level: 0.2,
  gamma_lean: -0.4,
  skew: 0.15,
  liquidity: 0.8,
  days_to_earnings: NONE,
};

const scoresOf = ({ trend, ...conditions }: StrategyInputs) => strategyScores(conditions, trend);

const scoreOf = (strategy: string, inputs: StrategyInputs): number =>
  scoresOf(inputs).find((one) => one.strategy === strategy)!.score;

describe('strategyScores', () => {
  it('weighs a long call by hand', () => {
    // Direction (1 + 0.6) / 2, volatility 0.5 + 0.3, gamma 0.5 + 0.2, skew half of 0 to 0.3, liquidity 0.8:
    // 0.4 x 0.8 + 0.3 x 0.8 + 0.15 x 0.7 + 0.05 x 0.5 + 0.1 x 0.8 = 0.77.
    expect(scoreOf('long_call', CALM)).toBeCloseTo(77, 10);
    // Taking premium on the same side: volatility 0.5 - 0.5 x 0.3, gamma 0.5 - 0.5 x 0.2: 0.4 x 0.8 + 0.3 x 0.35 +
    // 0.15 x 0.4 + 0.05 x 0.5 + 0.1 x 0.8 = 0.59.
    expect(scoreOf('bull_put_spread', CALM)).toBeCloseTo(59, 10);
  });

  it('names the best, and its reasons', () => {
    const scores = scoresOf(CALM);
    expect(bestStrategy(scores)?.strategy).toBe('long_call');
    expect([scores[0]!.trendReason, ...scores[0]!.reasons]).toEqual([
      'direction 0.80 (trend 0.60)',
      'volatility 0.80 (IV level 0.20)',
      'dealer gamma 0.70 (lean -0.40)',
      'skew 0.50 (skew 0.150)',
      'liquidity 0.80 (liquidity 0.80)',
    ]);
  });

  it('is viable from 50 on', () => {
    const score = (value: number) => [{ strategy: 'long_call', score: value, trendReason: '', reasons: [] }];
    expect(bestStrategy(score(50))).not.toBeNull();
    expect(bestStrategy(score(49.999))).toBeNull();
    expect(bestStrategy(score(NONE))).toBeNull();
  });

  it('drops what is not known, and says nothing below half of the weights', () => {
    expect(scoreOf('long_call', { ...CALM, gamma_lean: NONE, skew: NONE })).toBeCloseTo(
      ((0.32 + 0.24 + 0.08) / 0.8) * 100,
      10,
    );
    // 0.5 of the weights are direction and liquidity.
    expect(scoreOf('long_call', { ...CALM, iv_level: NONE, gamma_lean: NONE, skew: NONE })).toBeCloseTo(
      80,
      10,
    );
    expect(
      scoreOf('long_call', { ...CALM, iv_level: NONE, gamma_lean: NONE, skew: NONE, liquidity: NONE }),
    ).toBeNaN();
    expect(scoresOf({ ...CALM, iv_level: NONE })[0]!.reasons).toContain('volatility not known');
  });

  it('halves what takes premium within 30 days of results, and that alone', () => {
    const condor = scoreOf('iron_condor', CALM);
    expect(scoreOf('iron_condor', { ...CALM, days_to_earnings: 30 })).toBeCloseTo(condor / 2, 10);
    expect(scoreOf('iron_condor', { ...CALM, days_to_earnings: 31 })).toBeCloseTo(condor, 10);
    expect(scoreOf('long_call', { ...CALM, days_to_earnings: 1 })).toBeCloseTo(77, 10);
  });

  it('stays within 0 to 100, and has weights that sum to 1', () => {
    const unit = between(0, 1);
    const side = between(-1, 1);
    forAll([side, unit, side, side, unit], (trend, level, lean, skew, liquidity) => {
      const inputs = { trend, iv_level: level, gamma_lean: lean, skew, liquidity, days_to_earnings: NONE };
      for (const { score } of scoresOf(inputs)) {
        expect(score).toBeGreaterThanOrEqual(0);
        expect(score).toBeLessThanOrEqual(100);
      }
    });
    expect(Object.values(STRATEGY_WEIGHTS).reduce((sum, weight) => sum + weight, 0)).toBeCloseTo(1, 12);
    expect(STRATEGIES).toHaveLength(8);
  });
});

it('trendLean is clear at two ATR of either distance', () => {
  expect(trendLean(104, 100, 96, 2)).toBe(1);
  expect(trendLean(98, 100, 100, 2)).toBe(-0.25);
  expect(trendLean(100, 100, 100, 2)).toBe(0);
  expect(trendLean(100, 100, NONE, 2)).toBeNaN();
});

describe('optionsConfluence', () => {
  it('is the absolute mean of the readings', () => {
    // Put/call 0.7: 2 x 0.6 / 0.8 - 1 = 0.5; skew 0.15: 0; spot one ATR above the flip: 1; edge 0.5.
    expect(
      optionsConfluence({ put_call_ratio: 0.7, skew: 0.15, flip_side: 1, pricing_edge: 0.5 }),
    ).toBeCloseTo(50, 10);
    expect(optionsConfluence({ put_call_ratio: 1.3, skew: 0.3, flip_side: -3, pricing_edge: -1 })).toBe(100);
    expect(optionsConfluence({ put_call_ratio: 0.5, skew: 0.3, flip_side: 1, pricing_edge: -1 })).toBe(0);
  });

  it('requires three of four', () => {
    const three = { put_call_ratio: 0.5, skew: 0, flip_side: 1, pricing_edge: NONE };
    expect(optionsConfluence(three)).toBe(100);
    expect(optionsConfluence({ ...three, flip_side: NONE })).toBeNaN();
  });
});

describe('greekBias', () => {
  it('leans to the side of the open interest', () => {
    const calls = greekBiases(pricedMade({ openInterest: (_, right) => (right > 0 ? 3000 : 1000) }));
    // Gamma and vega of a strike are those of both rights: (3 - 1) / (3 + 1).
    expect(calls.gamma).toBeCloseTo(0.5, 10);
    expect(calls.vega).toBeCloseTo(0.5, 10);
    expect(calls.delta).toBeGreaterThan(0.3);
    expect(greekBiases(pricedMade({ openInterest: (_, right) => (right > 0 ? 0 : 5) }))).toEqual({
      delta: -1,
      gamma: -1,
      vega: -1,
    });
    expect(greekBiases(pricedMade({ openInterest: () => 0 })).gamma).toBeNaN();
  });

  it('weighs them by the regime', () => {
    const leans = { delta: 1, gamma: -1, vega: 0 };
    expect(greekBias(leans, 'COMPLACENT')).toBeCloseTo(0.4, 12);
    expect(greekBias(leans, 'NORMAL')).toBeCloseTo(0.2, 12);
    expect(greekBias(leans, 'ELEVATED')).toBeCloseTo(-0.1, 12);
    expect(greekBias(leans, 'EXTREME_FEAR')).toBeCloseTo(-0.3, 12);
    expect(greekBias(leans, null)).toBeNaN();
    for (const regime of VIX_REGIMES) {
      const { delta, gamma, vega } = GREEK_WEIGHTS[regime];
      expect(delta + gamma + vega).toBeCloseTo(1, 12);
    }
  });
});
