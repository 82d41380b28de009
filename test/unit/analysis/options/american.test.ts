import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  americanImpliedVolatility,
  americanPrice,
  newBoundary,
} from '../../../../src/analysis/options/american.ts';
import { CALL, PUT, price } from '../../../../src/analysis/options/black-scholes.ts';
import { between, forAll, wholeBetween } from '../../../support/for-all.ts';
import { ofDays, reference, type Terms, termsOf } from './reference.ts';

const american = ({ right, spot, forward, strike, years, volatility, discount }: Terms): number =>
  americanPrice(right, spot, forward, strike, years, volatility, discount);
const european = ({ right, forward, strike, years, volatility, discount }: Terms): number =>
  price(right, forward, strike, years, volatility, discount);
const implied = ({ right, spot, forward, strike, years, discount }: Terms, value: number): number =>
  americanImpliedVolatility(right, value, spot, forward, strike, years, discount);
/** The most that early exercise can be worth: interest on a put's strike, dividends under a call; nothing is 0. */
const bound = ({ right, spot, forward, strike, discount }: Terms): number =>
  Math.max(right * (spot - discount * forward), 0) + Math.max(right * strike * (discount - 1), 0);
const exercised = ({ right, spot, strike }: Terms): number => Math.max(right * (spot - strike), 0);

const rows = reference.american.map(ofDays);

/** Error that the few nodes of the boundary leave on a strike of 100, see the reference's worst. */
const MODEL = 2e-3;

const anyTerms = fc
  .record({
    right: fc.constantFrom(CALL, PUT),
    moneyness: between(-0.6, 0.6),
    days: wholeBetween(1, 900),
    rate: between(0, 0.1),
    dividendYield: between(-0.04, 0.1),
    volatility: between(0.05, 1.5),
  })
  .map(({ right, moneyness, days, rate, dividendYield, volatility }) =>
    termsOf(right, 100, 100 * Math.exp(moneyness), days / 365, rate, dividendYield, volatility),
  );

describe('the price of an American option', () => {
  it('is that of QuantLib to a fifth of a cent on a strike of 100, and mostly to a thousandth', () => {
    const errors = rows.map(({ terms, value }) => Math.abs(american(terms) - value)).sort((a, b) => a - b);
    expect(rows.filter(({ terms, value }) => value > european(terms) + 1e-4).length).toBeGreaterThan(70);
    expect(errors.at(-1)).toBeLessThan(MODEL);
    expect(errors[Math.floor(0.9 * errors.length)]).toBeLessThan(5e-4);
  });

  it('is that of QuantLib to a quarter of a cent from the exercise boundary of prices at other forwards', () => {
    const errors = rows.map(({ terms, value }) => {
      const { right, spot, strike, years, volatility, discount } = terms;
      const boundary = newBoundary();
      const kept = [1.03, 1.003, 1.00001, 1].map((shift) =>
        americanPrice(right, spot, terms.forward * shift, strike, years, volatility, discount, boundary),
      );
      return Math.abs(kept.at(-1)! - value);
    });
    errors.sort((a, b) => a - b);
    expect(errors.at(-1)).toBeLessThan(2.5e-3);
    expect(errors[Math.floor(0.9 * errors.length)]).toBeLessThan(5e-4);
  });

  it('is that of QuantLib where both rates are below 0 and exercise pays between two boundaries', () => {
    for (const { terms, value } of reference.americanBelowZero.map(ofDays)) {
      expect(Math.abs(american(terms) - value)).toBeLessThan(0.01);
      expect(value - european(terms)).toBeGreaterThan(0.005);
    }
  });

  it('is never below the European price or the value of exercising now, nor above the premium bound', () => {
    forAll([anyTerms], (terms) => {
      const value = american(terms);
      expect(value).toBeGreaterThanOrEqual(european(terms));
      expect(value).toBeGreaterThanOrEqual(exercised(terms));
      const max = Math.max(european(terms) + bound(terms), exercised(terms));
      expect(value).toBeLessThanOrEqual(max + MODEL);
    });
  });

  it('is the European price, to the digit, where exercise gains nothing', () => {
    const rates = between(0, 0.1);
    forAll([rates, rates, between(-0.6, 0.6)], (rate, cost, moneyness) => {
      // A call on a stock without dividends, or with a cost of borrowing; a put where money earns nothing.
      const call = termsOf(CALL, 100, 100 * Math.exp(moneyness), 0.5, rate, -cost, 0.3);
      const put = termsOf(PUT, 100, 100 * Math.exp(moneyness), 0.5, 0, cost, 0.3);
      // Spot and forward give the yield up to rounding, and so the premium.
      for (const terms of [call, put]) {
        expect(Math.abs(american(terms) - european(terms))).toBeLessThan(1e-9);
        expect(bound(terms)).toBeLessThan(1e-12 * 100);
      }
    });
    // A yield that only the rounding of the forward implies, on a single day at a rate of 0.
    const rounded = {
      right: CALL,
      spot: 100,
      forward: 99.99999999999903,
      strike: 92,
      years: 1 / 365,
      volatility: 0.36,
      discount: 1,
    };
    expect(american(rounded)).toBe(european(rounded));
    expect(american(termsOf(CALL, 100, 90, 0.5, 0.05, 0, 0.3))).toBeGreaterThan(10);
  });

  it('leaves call less put between the bounds of American parity', () => {
    forAll([anyTerms], (terms) => {
      const { spot, forward, strike, discount } = terms;
      fc.pre(forward * discount <= spot);
      const difference = american({ ...terms, right: CALL }) - american({ ...terms, right: PUT });
      expect(difference).toBeGreaterThanOrEqual(discount * forward - strike - MODEL);
      expect(difference).toBeLessThanOrEqual(spot - discount * strike + MODEL);
    });
  });

  it('rises with volatility and with time', () => {
    forAll([anyTerms], (terms) => {
      const rate = -Math.log(terms.discount) / terms.years;
      const dividendYield = rate - Math.log(terms.forward / terms.spot) / terms.years;
      const longer = termsOf(
        terms.right,
        terms.spot,
        terms.strike,
        1.2 * terms.years,
        rate,
        dividendYield,
        terms.volatility,
      );
      expect(american({ ...terms, volatility: 1.1 * terms.volatility })).toBeGreaterThan(
        american(terms) - MODEL,
      );
      expect(american(longer)).toBeGreaterThan(american(terms) - MODEL);
    });
  });

  it('is the value of exercising deep in the money', () => {
    expect(american(termsOf(PUT, 20, 100, 0.5, 0.05, 0, 0.3))).toBe(80);
    expect(american(termsOf(CALL, 300, 100, 0.5, 0.01, 0.06, 0.2))).toBe(200);
    expect(american(termsOf(PUT, 90, 100, 0.5, 0.05, 0, 0))).toBe(10);
  });

  it('is not defined for what is no contract', () => {
    const good = [100, 100, 100, 0.5, 0.3, 0.98] as const;
    for (const place of [0, 1, 2, 3, 5]) {
      for (const bad of [0, -1, Number.NaN, Number.POSITIVE_INFINITY]) {
        const [spot, forward, strike, years, volatility, discount] = good.map((value, at) =>
          at === place ? bad : value,
        ) as [number, number, number, number, number, number];
        expect(americanPrice(PUT, spot, forward, strike, years, volatility, discount)).toBeNaN();
      }
    }
    expect(americanPrice(PUT, 100, 100, 100, 0.5, -0.3, 0.98)).toBeNaN();
    expect(americanPrice(PUT, 100, 100, 100, 0.5, Number.NaN, 0.98)).toBeNaN();
  });
});

describe('the volatility implied by an American price', () => {
  it('is the one QuantLib priced with', () => {
    let checked = 0;
    for (const { terms, value } of rows) {
      const up = european({ ...terms, volatility: terms.volatility + 0.01 });
      // A cent must determine the volatility to a tenth of a point, and there must be a price of waiting.
      if (up - european(terms) < 0.1 || value < exercised(terms) + 0.01) continue;
      checked++;
      expect(Math.abs(implied(terms, value) - terms.volatility)).toBeLessThan(2e-4);
    }
    expect(checked).toBeGreaterThan(70);
  });

  it('returns to the price', () => {
    forAll([anyTerms], (terms) => {
      const value = american(terms);
      const found = implied(terms, value);
      if (Number.isNaN(found)) {
        const min = american({ ...terms, volatility: 0 });
        expect(value).toBeLessThanOrEqual(min + 1e-9);
      } else {
        expect(Math.abs(american({ ...terms, volatility: found }) - value)).toBeLessThan(2e-8 * terms.strike);
      }
    });
  });

  it('exists above the European bound of a put, which is discounted', () => {
    const terms = termsOf(PUT, 100, 100, 1, 0.08, 0, 3);
    const value = american(terms);
    expect(value).toBeLessThan(terms.discount * 100);
    const beyond = 0.5 * (terms.discount * 100 + 100);
    expect(american({ ...terms, volatility: implied(terms, beyond) })).toBeCloseTo(beyond, 5);
  });

  it('does not exist at the value of exercising, at the discounted intrinsic value, or at the bound', () => {
    const put = termsOf(PUT, 90, 100, 0.5, 0.05, 0, 0.3);
    expect(implied(put, 10)).toBeNaN();
    expect(implied(put, 10.01)).toBeGreaterThan(0);
    expect(implied(put, 100)).toBeNaN();
    const call = termsOf(CALL, 110, 100, 0.5, 0.05, 0, 0.3);
    const intrinsic = call.discount * (call.forward - call.strike);
    expect(intrinsic).toBeGreaterThan(12);
    expect(implied(call, intrinsic)).toBeNaN();
    expect(implied(call, intrinsic + 0.01)).toBeGreaterThan(0);
    expect(implied(call, 110)).toBeNaN();
    for (const bad of [0, -1, Number.NaN, Number.POSITIVE_INFINITY]) expect(implied(put, bad)).toBeNaN();
  });
});
