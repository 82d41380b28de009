import { describe, expect, it } from 'vitest';
import {
  fundamentalGrade,
  fundamentalHealth,
  fundamentalQuality,
  HEALTH_SIDES,
  type HealthMeasures,
  type QualityMeasures,
} from '../../../src/analysis/fundamental-quality.ts';
import { between, forAll } from '../../support/for-all.ts';

const unknown = Number.NaN;

describe('fundamentalQuality', () => {
  it('is the mean of the points of three measures', () => {
    // P/E 15: 80. ROE 15: 70. Margin 10: 60. (80 + 70 + 60) / 3 = 70.
    expect(fundamentalQuality({ peRatio: 15, roe: 15, profitMargin: 10 })).toBe(70);
    // Half way between points: P/E 25 is 52.5, ROE 12.5 is 60, margin 15 is 80; 192.5 / 3 = 64.17.
    expect(fundamentalQuality({ peRatio: 25, roe: 12.5, profitMargin: 15 })).toBe(64);
  });

  it('needs two of the three', () => {
    expect(fundamentalQuality({ peRatio: unknown, roe: 15, profitMargin: 10 })).toBe(65);
    expect(fundamentalQuality({ peRatio: 15, roe: unknown, profitMargin: 10 })).toBe(70);
    expect(fundamentalQuality({ peRatio: 15, roe: unknown, profitMargin: unknown })).toBeNaN();
  });

  it('gives a price that is paid for no earnings nothing', () => {
    expect(fundamentalQuality({ peRatio: Number.POSITIVE_INFINITY, roe: 10, profitMargin: unknown })).toBe(
      25,
    );
    expect(fundamentalQuality({ peRatio: Number.POSITIVE_INFINITY, roe: -5, profitMargin: -1 })).toBe(0);
    expect(fundamentalQuality({ peRatio: 1, roe: 90, profitMargin: 90 })).toBe(100);
  });

  it('falls with P/E and rises with returns and margins, within 0 to 100', () => {
    const figure = between(-60, 150);
    const more = between(0, 80);
    forAll([figure, figure, figure, more], (peRatio, roe, profitMargin, step) => {
      const measures: QualityMeasures = { peRatio, roe, profitMargin };
      const score = fundamentalQuality(measures);
      expect(score).toBeGreaterThanOrEqual(0);
      expect(score).toBeLessThanOrEqual(100);
      expect(fundamentalQuality({ ...measures, peRatio: peRatio + step })).toBeLessThanOrEqual(score);
      expect(fundamentalQuality({ ...measures, roe: roe + step })).toBeGreaterThanOrEqual(score);
      expect(fundamentalQuality({ ...measures, profitMargin: profitMargin + step })).toBeGreaterThanOrEqual(
        score,
      );
    });
  });
});

const NOTHING: HealthMeasures = {
  debtToEquity: unknown,
  netLeverage: unknown,
  currentRatio: unknown,
  revenueGrowth: unknown,
  earningsGrowth: unknown,
  grossMargin: unknown,
  operatingMargin: unknown,
  netMargin: unknown,
  roe: unknown,
  roa: unknown,
  roic: unknown,
  operatingCashFlowMargin: unknown,
  freeCashFlowMargin: unknown,
};

describe('fundamentalHealth', () => {
  it('weighs the sides', () => {
    // Leverage (60 + 65) / 2 = 62.5, growth (40 + 70) / 2 = 55, margins 65, returns 50, cash flow 60, liquidity 75:
    // 0.2 x 62.5 + 0.2 x 55 + 0.2 x 65 + 0.15 x 50 + 0.15 x 60 + 0.1 x 75 = 60.5, rounded up.
    const measures: HealthMeasures = {
      debtToEquity: 1,
      netLeverage: 2,
      currentRatio: 1.5,
      revenueGrowth: 0,
      earningsGrowth: 10,
      grossMargin: 40,
      operatingMargin: 15,
      netMargin: 10,
      roe: 10,
      roa: unknown,
      roic: 8,
      operatingCashFlowMargin: 10,
      freeCashFlowMargin: 10,
    };
    expect(fundamentalHealth(measures)).toBe(61);
  });

  it('drops a side that is not known and weighs the others more, down to half of the weight', () => {
    // Leverage 0.2 and growth 0.2 and liquidity 0.1 are half: (0.2 x 80 + 0.2 x 70 + 0.1 x 45) / 0.5 = 69.
    const half = { ...NOTHING, debtToEquity: 0.5, revenueGrowth: 10, currentRatio: 1 };
    expect(fundamentalHealth(half)).toBe(69);
    expect(fundamentalHealth({ ...half, currentRatio: unknown })).toBeNaN();
    expect(fundamentalHealth({ ...half, currentRatio: unknown, roa: 5 })).not.toBeNaN();
    expect(fundamentalHealth(NOTHING)).toBeNaN();
  });

  it('has sides that weigh 100 % and name every measure once', () => {
    expect(HEALTH_SIDES.reduce((sum, { weight }) => sum + weight, 0)).toBe(100);
    expect(HEALTH_SIDES.flatMap(({ measures }) => measures).sort()).toEqual(Object.keys(NOTHING).sort());
  });
});

it.each([
  [100, 'A'],
  [80, 'A'],
  [79, 'B'],
  [65, 'B'],
  [64, 'C'],
  [50, 'C'],
  [49, 'D'],
  [35, 'D'],
  [34, 'F'],
  [0, 'F'],
  [Number.NaN, null],
])('a health of %d is graded %s', (health, grade) => {
  expect(fundamentalGrade(health)).toBe(grade);
});
