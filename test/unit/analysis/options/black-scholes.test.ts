import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  CALL,
  CHARM,
  DELTA,
  GAMMA,
  GREEKS,
  greeks,
  normalisedBlack,
  PUT,
  price,
  RHO,
  THETA,
  VANNA,
  VEGA,
} from '../../../../src/analysis/options/black-scholes.ts';
import { between, forAll } from '../../../support/for-all.ts';
import { reference, type Terms, termsOf, worst } from './reference.ts';

const priceOf = (terms: Terms): number =>
  price(terms.right, terms.forward, terms.strike, terms.years, terms.volatility, terms.discount);

function greeksOf(terms: Terms): Float64Array {
  const out = new Float64Array(GREEKS);
  const { right, spot, forward, strike, years, volatility, discount } = terms;
  greeks(out, right, spot, forward, strike, years, volatility, discount);
  return out;
}

const rows = reference.european.map((row) => {
  const [right, spot, strike, years, rate, dividendYield, volatility, ...figures] = row as number[];
  return {
    terms: termsOf(right!, spot!, strike!, years!, rate!, dividendYield!, volatility!),
    figures,
  };
});

/** Contracts that a chain may hold, and some that it may not. */
const anyTerms = fc
  .record({
    right: fc.constantFrom(CALL, PUT),
    spot: between(1, 5000),
    moneyness: between(-1, 1),
    years: between(0.001, 3),
    rate: between(-0.02, 0.12),
    dividendYield: between(-0.05, 0.1),
    volatility: between(0.03, 2),
  })
  .map(({ right, spot, moneyness, years, rate, dividendYield, volatility }) =>
    termsOf(right, spot, spot * Math.exp(moneyness), years, rate, dividendYield, volatility),
  );

describe('the price of a European option', () => {
  // J. Hull, "Options, Futures, and Other Derivatives", example 15.6: 4.76 and 0.81.
  it('is that of the textbook', () => {
    expect(priceOf(termsOf(CALL, 42, 40, 0.5, 0.1, 0, 0.2))).toBeCloseTo(4.7594, 4);
    expect(priceOf(termsOf(PUT, 42, 40, 0.5, 0.1, 0, 0.2))).toBeCloseTo(0.8086, 4);
  });

  it('is that of QuantLib', () => {
    expect(rows.length).toBe(150);
    const theirs = rows.map(({ figures }) => figures[0]!);
    expect(
      worst(
        rows.map(({ terms }) => priceOf(terms)),
        theirs,
      ),
    ).toBeLessThan(1e-12);
  });

  it('keeps its digits far out of the money', () => {
    for (const [x, s, value] of reference.normalisedBlack) {
      expect(Math.abs(normalisedBlack(x!, s!) / value! - 1), `x = ${x}, s = ${s}`).toBeLessThan(1e-12);
    }
  });

  it('obeys put-call parity', () => {
    forAll([anyTerms], (terms) => {
      const call = priceOf({ ...terms, right: CALL });
      const put = priceOf({ ...terms, right: PUT });
      const parity = terms.discount * (terms.forward - terms.strike);
      expect(Math.abs(call - put - parity)).toBeLessThanOrEqual(1e-12 * (terms.forward + terms.strike));
    });
  });

  it('lies between its bounds, and rises with volatility', () => {
    forAll([anyTerms], (terms) => {
      const value = priceOf(terms);
      const { right, forward, strike, discount } = terms;
      const bound = discount * (right > 0 ? forward : strike);
      expect(value).toBeGreaterThanOrEqual(discount * Math.max(right * (forward - strike), 0));
      expect(value).toBeLessThanOrEqual(bound * (1 + 1e-14));
      // To a cent in a billion: where the time value is nil, both are intrinsic.
      const wider = priceOf({ ...terms, volatility: 1.1 * terms.volatility });
      expect(wider).toBeGreaterThanOrEqual(value - 1e-13 * bound);
    });
  });

  it('is intrinsic without volatility and the bound with any amount', () => {
    expect(price(CALL, 110, 100, 1, 0, 0.9)).toBe(9);
    expect(price(PUT, 110, 100, 1, 0, 0.9)).toBe(0);
    expect(price(CALL, 110, 100, 1, 200, 0.9)).toBeCloseTo(99, 10);
    expect(price(PUT, 110, 100, 1, 200, 0.9)).toBeCloseTo(90, 10);
  });

  it('is not defined for what is no contract', () => {
    const good = [100, 100, 0.5, 0.3, 0.98] as const;
    for (const place of [0, 1, 2, 4]) {
      for (const bad of [0, -1, Number.NaN, Number.POSITIVE_INFINITY]) {
        const terms = good.map((value, at) => (at === place ? bad : value));
        expect(price(CALL, terms[0]!, terms[1]!, terms[2]!, terms[3]!, terms[4]!)).toBeNaN();
      }
    }
    for (const bad of [-0.1, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(price(CALL, 100, 100, 0.5, bad, 0.98)).toBeNaN();
    }
  });
});

describe('the greeks', () => {
  // J. Hull, chapter 19: the call on 49 at 50 over 20 weeks, rate 5 %, volatility 20 %.
  it('are those of the textbook', () => {
    const out = greeksOf(termsOf(CALL, 49, 50, 20 / 52, 0.05, 0, 0.2));
    expect(out[DELTA]).toBeCloseTo(0.522, 3);
    expect(out[GAMMA]).toBeCloseTo(0.066, 3);
    expect(out[THETA]! * 365).toBeCloseTo(-4.31, 2);
    expect(out[VEGA]! * 100).toBeCloseTo(12.1, 1);
    expect(out[RHO]! * 100).toBeCloseTo(8.91, 2);
  });

  it.each([
    ['delta', DELTA],
    ['gamma', GAMMA],
    ['theta', THETA],
    ['vega', VEGA],
    ['rho', RHO],
    ['charm', CHARM],
    ['vanna', VANNA],
  ])('%s is that of QuantLib', (_, place) => {
    const ours = rows.map(({ terms }) => greeksOf(terms)[place]!);
    const theirs = rows.map(({ figures }) => figures[1 + place]!);
    expect(worst(ours, theirs)).toBeLessThan(1e-11);
    expect(Math.max(...theirs.map(Math.abs))).toBeGreaterThan(1e-3);
  });

  it('are the slopes of price and delta', () => {
    forAll([anyTerms], (terms) => {
      const out = greeksOf(terms);
      const { right, spot, strike, years, volatility } = terms;
      const rate = -Math.log(terms.discount) / years;
      const dividendYield = rate - Math.log(terms.forward / spot) / years;
      const at = (change: { spot?: number; years?: number; rate?: number; volatility?: number }): Terms =>
        termsOf(
          right,
          spot + (change.spot ?? 0),
          strike,
          years + (change.years ?? 0),
          rate + (change.rate ?? 0),
          dividendYield,
          volatility + (change.volatility ?? 0),
        );
      const slope = (of: (step: number) => number, step: number): number =>
        (8 * (of(step) - of(-step)) - (of(2 * step) - of(-2 * step))) / (12 * step);
      const delta = (terms: Terms): number => greeksOf(terms)[DELTA]!;
      // A step small against the width of the distribution, but not so small that the price runs out of digits.
      const width = volatility * Math.sqrt(years);
      const near = (place: number, figure: number, scale: number): void =>
        expect(Math.abs(out[place]! - figure), `place ${place}`).toBeLessThan(1e-6 * scale);
      const [dSpot, dYears, dVolatility] = [0.01 * width * spot, 0.01 * years, 0.01 * volatility];
      near(
        DELTA,
        slope((step) => priceOf(at({ spot: step })), dSpot),
        1,
      );
      near(
        GAMMA,
        slope((step) => delta(at({ spot: step })), dSpot),
        1 / dSpot,
      );
      near(THETA, -slope((step) => priceOf(at({ years: step })), dYears) / 365, spot / years);
      near(VEGA, slope((step) => priceOf(at({ volatility: step })), dVolatility) / 100, spot / volatility);
      near(RHO, slope((step) => priceOf(at({ rate: step })), 1e-4) / 100, spot);
      near(CHARM, -slope((step) => delta(at({ years: step })), dYears) / 365, 1 / years);
      near(VANNA, slope((step) => delta(at({ volatility: step })), dVolatility) / 100, 1 / volatility);
    });
  });

  it('return the price', () => {
    for (const { terms } of rows) {
      const { right, spot, forward, strike, years, volatility, discount } = terms;
      const out = new Float64Array(GREEKS);
      const value = greeks(out, right, spot, forward, strike, years, volatility, discount);
      expect(Math.abs(value - priceOf(terms))).toBeLessThan(1e-11);
    }
  });

  it('are not defined for what has no price, without volatility, or without a spot', () => {
    const out = new Float64Array(GREEKS);
    for (const [spot, forward, volatility] of [
      [Number.NaN, 100, 0.3],
      [0, 100, 0.3],
      [100, Number.NaN, 0.3],
      [100, 100, 0],
      [100, 100, Number.NaN],
    ] as const) {
      out.fill(1);
      expect(greeks(out, CALL, spot, forward, 100, 0.5, volatility, 0.98)).toBeNaN();
      expect(out.every(Number.isNaN)).toBe(true);
    }
  });
});
