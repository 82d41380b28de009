import { describe, expect, it } from 'vitest';
import { binomialPrice, presentValue } from '../../../../src/analysis/options/binomial-tree.ts';
import { CALL, PUT, price } from '../../../../src/analysis/options/black-scholes.ts';
import { ofDays, reference, termsOf } from './reference.ts';

const rows = reference.americanWithDividends.map(
  ([right, spot, strike, days, rate, volatility, exDays, amount, value]) => {
    const years = days / 365;
    const dividends = { years: exDays.map((day) => day / 365), amount };
    const forward = (spot - presentValue(dividends, rate, 0, years)) * Math.exp(rate * years);
    return {
      right,
      spot,
      forward,
      strike,
      years,
      volatility,
      discount: Math.exp(-rate * years),
      dividends,
      value,
    };
  },
);

describe('the binomial tree', () => {
  it('prices dividends of known amount as QuantLib does, and nears it with more steps', () => {
    for (const { right, spot, forward, strike, years, volatility, discount, dividends, value } of rows) {
      const error = (steps?: number): number =>
        Math.abs(
          binomialPrice(right, spot, forward, strike, years, volatility, discount, dividends, steps) - value,
        );
      expect(error()).toBeLessThan(0.01);
      expect(error(1201)).toBeLessThan(0.0015);
    }
  });

  it('exercises a call before the stock goes ex, which the European price does not know', () => {
    const { right, spot, forward, strike, years, volatility, discount, dividends } = rows[1]!;
    const european = price(right, forward, strike, years, volatility, discount);
    const value = binomialPrice(right, spot, forward, strike, years, volatility, discount, dividends);
    expect(value - european).toBeGreaterThan(1.7);
  });

  it('prices a continuous yield as QuantLib does', () => {
    for (const { terms, value } of reference.american.map(ofDays)) {
      const { right, spot, forward, strike, years, volatility, discount } = terms;
      const ours = binomialPrice(right, spot, forward, strike, years, volatility, discount);
      expect(Math.abs(ours - value)).toBeLessThan(0.02);
    }
  });

  it('is exact to the second order in the steps where exercise is worth nothing', () => {
    const { forward, discount } = termsOf(CALL, 100, 105, 0.5, 0.05, 0, 0.3);
    const exact = price(CALL, forward, 105, 0.5, 0.3, discount);
    const error = (steps: number): number =>
      Math.abs(binomialPrice(CALL, 100, forward, 105, 0.5, 0.3, discount, null, steps) - exact);
    expect(error(201)).toBeLessThan(2e-5);
    expect(error(401) / error(201)).toBeLessThan(0.3);
  });

  it('knows what is so far from the money that no path crosses the strike', () => {
    expect(binomialPrice(PUT, 100, 100.01, 500, 0.003, 0.1, 0.9999)).toBe(400);
    expect(binomialPrice(CALL, 100, 100.01, 500, 0.003, 0.1, 0.9999)).toBe(0);
  });

  it('is not defined for what is no contract, or dividends worth the stock', () => {
    const of = (spot: number, volatility: number, amount: number): number =>
      binomialPrice(PUT, spot, 100, 100, 0.5, volatility, 0.98, { years: [0.25], amount: [amount] });
    expect(of(100, 0.3, 1)).toBeGreaterThan(0);
    expect(of(100, 0.3, 150)).toBeNaN();
    for (const bad of [0, -1, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(of(bad, 0.3, 1)).toBeNaN();
      expect(of(100, bad, 1)).toBeNaN();
      expect(binomialPrice(PUT, 100, 100, bad, 0.5, 0.3, 0.98)).toBeNaN();
    }
    for (const steps of [1, 200, 2003]) {
      expect(binomialPrice(PUT, 100, 100, 100, 0.5, 0.3, 0.98, null, steps)).toBeNaN();
    }
  });
});

describe('the value of dividends', () => {
  it('counts those that go ex after the one instant and up to the other', () => {
    const dividends = { years: [0.1, 0.35, 0.6], amount: [1, 2, 4] };
    expect(presentValue(dividends, 0, 0, 1)).toBe(7);
    expect(presentValue(dividends, 0, 0.1, 0.6)).toBe(6);
    expect(presentValue(dividends, 0.05, 0, 0.35)).toBeCloseTo(Math.exp(-0.005) + 2 * Math.exp(-0.0175), 14);
  });
});
