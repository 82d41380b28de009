import { describe, expect, it } from 'vitest';
import {
  type RegimeInputs,
  RULES,
  regime,
  trendOf,
  volatilityPercentile,
  volatilityRegime,
} from '../../../../src/analysis/scoring/regime.ts';
import { words } from '../../../support/tables.ts';

const NOTHING = { price: Number.NaN, sma50: Number.NaN, sma200: Number.NaN, slopePct: Number.NaN };
const RISING = { price: 110, sma50: 105, sma200: 100, slopePct: 25 };
const FALLING = { price: 90, sma50: 95, sma200: 100, slopePct: -25 };

const inputsOf = (parts: Partial<RegimeInputs>): RegimeInputs => ({
  stock: { ...RISING, adx: 25 },
  index: NOTHING,
  volatilityPercentile: 50,
  vix: null,
  breadth: Number.NaN,
  ...parts,
});

describe('trendOf', () => {
  it('takes two of three votes', () => {
    expect(trendOf(RISING)).toBe('up');
    expect(trendOf(FALLING)).toBe('down');
    expect(trendOf({ ...RISING, price: 100 })).toBe('sideways');
    expect(trendOf({ ...RISING, slopePct: 0 })).toBe('up');
    expect(trendOf({ ...RISING, sma200: Number.NaN })).toBe('up');
    expect(trendOf({ ...NOTHING, slopePct: 25 })).toBeNull();
  });

  it('votes with a slope beyond 10 % a year alone', () => {
    const young = { ...RISING, sma200: Number.NaN };
    expect(trendOf({ ...young, slopePct: 10 })).toBe('sideways');
    expect(trendOf({ ...young, slopePct: 10.001 })).toBe('up');
    const falling = { ...FALLING, sma200: Number.NaN };
    expect(trendOf({ ...falling, slopePct: -10 })).toBe('sideways');
    expect(trendOf({ ...falling, slopePct: -10.001 })).toBe('down');
  });
});

describe('volatilityRegime', () => {
  it.each([
    [0, 'low'],
    [24.999, 'low'],
    [25, 'normal'],
    [74.999, 'normal'],
    [75, 'high'],
    [94.999, 'high'],
    [95, 'extreme'],
    [100, 'extreme'],
    [Number.NaN, null],
  ])('of percentile %d', (percentile, expected) => {
    expect(volatilityRegime(percentile)).toBe(expected);
  });
});

describe('volatilityPercentile', () => {
  const close = new Float64Array(300).fill(100);
  const atr = Float64Array.from({ length: 300 }, (_, row) => (row < 14 ? Number.NaN : 1 + (row % 10) / 10));

  it('is the share of the 252 rows before with less, percent', () => {
    // Row 295 has 1.5; of rows 43-294 those ending in 0-4 have less: 127 of 252 (43-49 lack 0-2, 290-294 are whole).
    const less = Array.from({ length: 252 }, (_, at) => 43 + at).filter((row) => row % 10 < 5).length;
    expect(less).toBe(127);
    expect(volatilityPercentile(atr, close, 295)).toBeCloseTo((127 / 252) * 100, 10);
  });

  it('needs 60 rows before', () => {
    expect(volatilityPercentile(atr, close, 14 + 59)).toBeNaN();
    expect(volatilityPercentile(atr, close, 14 + 60)).not.toBeNaN();
  });
});

describe('regime', () => {
  it.each([
    ['trend_up', {}],
    ['trend_down', { stock: { ...FALLING, adx: 25 } }],
    ['range', { stock: { ...RISING, adx: 19.999 } }],
    ['trend_up', { stock: { ...RISING, adx: 20 } }],
    ['transition', { stock: { ...RISING, adx: 15 }, volatilityPercentile: 80 }],
    ['volatile', { volatilityPercentile: 95 }],
    ['volatile', { vix: 'EXTREME_FEAR' as const }],
    [null, { stock: { ...NOTHING, adx: Number.NaN } }],
    [null, { stock: { ...RISING, adx: 15 }, volatilityPercentile: Number.NaN }],
  ])('is %s', (expected, parts) => {
    expect(regime(inputsOf(parts)).regime).toBe(expected);
  });

  it('names the rules that fired and how many of them agree', () => {
    const reading = regime(inputsOf({ index: FALLING, vix: 'ELEVATED', breadth: 0.6 }));
    expect(reading.rulesFired).toEqual(
      words`
      price_above_sma_50 sma_50_above_sma_200 slope_rising adx_trending volatility_normal vix_elevated
      index_down breadth_strong`,
    );
    // All but the VIX and the index speak for a trend up.
    expect(reading.confidence).toBeCloseTo(6 / 8, 12);
  });

  it.each([
    [0.6, 'breadth_strong'],
    [0.5999, 'breadth_mixed'],
    [0.4001, 'breadth_mixed'],
    [0.4, 'breadth_weak'],
  ])('reads breadth %d as %s', (breadth, rule) => {
    expect(regime(inputsOf({ breadth })).rulesFired).toContain(rule);
  });

  it('fires no rule of which it knows nothing', () => {
    const reading = regime({
      stock: { ...NOTHING, adx: Number.NaN },
      index: NOTHING,
      volatilityPercentile: Number.NaN,
      vix: null,
      breadth: Number.NaN,
    });
    expect(reading.rulesFired).toEqual([]);
    expect(reading.confidence).toBeNaN();
  });

  it('has a rule for every regime', () => {
    expect(new Set(RULES.flatMap(({ supports }) => supports))).toEqual(
      new Set(['trend_up', 'trend_down', 'range', 'volatile', 'transition']),
    );
  });
});
