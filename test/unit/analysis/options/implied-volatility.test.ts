import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CALL, PUT, price } from '../../../../src/analysis/options/black-scholes.ts';
import { impliedVolatility } from '../../../../src/analysis/options/implied-volatility.ts';
import { between, forAll } from '../../../support/for-all.ts';
import { reference } from './reference.ts';

const MINUTE = 1 / (365 * 24 * 60);
const YEARS = [5 * MINUTE, 30 * MINUTE, 1 / 365, 7 / 365, 30 / 365, 0.5, 1, 2, 5];
const VOLATILITIES = [0.01, 0.02, 0.05, 0.1, 0.2, 0.4, 0.8, 1.5, 3];
const LOG_MONEYNESS = [0, 1e-9, 1e-5, 0.001, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 4].flatMap((away) => [
  away,
  -away,
]);
const FORWARD = 100;

/** What a grid cell's price says once it has been turned into a volatility and back. */
function roundTrip(right: number, strike: number, years: number, volatility: number) {
  const discount = Math.exp(-0.04 * years);
  const value = price(right, FORWARD, strike, years, volatility, discount);
  const implied = impliedVolatility(right, value, FORWARD, strike, years, discount);
  const again = price(right, FORWARD, strike, years, implied, discount);
  const intrinsic = discount * Math.max(right * (FORWARD - strike), 0);
  const room = discount * (right > 0 ? FORWARD : strike) - value;
  return { value, implied, again, timeValue: value - intrinsic, room };
}

describe('implied volatility', () => {
  it('returns to the price to 1e-11 from minutes to years, 1 % to 300 %, deep in and out of the money', () => {
    let checked = 0;
    for (const years of YEARS) {
      for (const volatility of VOLATILITIES) {
        for (const away of LOG_MONEYNESS) {
          for (const right of [CALL, PUT]) {
            const strike = FORWARD * Math.exp(away);
            const { value, implied, again, timeValue, room } = roundTrip(right, strike, years, volatility);
            if (Number.isNaN(implied)) {
              // A volatility is missing only where the price is intrinsic, or the bound, to its last digits.
              expect(Math.min(timeValue, room)).toBeLessThanOrEqual(1e-15 * (FORWARD + strike));
            } else {
              checked++;
              expect(Math.abs(again - value), `${years} ${volatility} ${away} ${right}`).toBeLessThan(1e-11);
            }
          }
        }
      }
    }
    expect(checked).toBeGreaterThan(2500);
  });

  it('returns to the volatility to 1e-11 of itself where the price is out of the money', () => {
    let checked = 0;
    for (const years of YEARS) {
      for (const volatility of VOLATILITIES) {
        for (const away of LOG_MONEYNESS) {
          const strike = FORWARD * Math.exp(away);
          const { value, implied } = roundTrip(away >= 0 ? CALL : PUT, strike, years, volatility);
          if (value < 1e-290) continue;
          checked++;
          expect(Math.abs(implied / volatility - 1), `${years} ${volatility} ${away}`).toBeLessThan(1e-11);
        }
      }
    }
    expect(checked).toBeGreaterThan(1200);
  });

  it('finds the deviation of mpmath for prices of any size', () => {
    for (const [x, s, value] of reference.normalisedBlack) {
      const found = impliedVolatility(CALL, value!, Math.exp(0.5 * x!), Math.exp(-0.5 * x!), 1, 1);
      expect(Math.abs(found / s! - 1), `x = ${x}, s = ${s}`).toBeLessThan(1e-10);
    }
  });

  it('finds the volatility that QuantLib priced with, wherever a cent of price determines it', () => {
    let checked = 0;
    for (const row of reference.european) {
      const [right, spot, strike, years, rate, dividendYield, volatility, value, , , , vega] =
        row as number[];
      if (vega! < 1e-4) continue;
      checked++;
      const forward = spot! * Math.exp((rate! - dividendYield!) * years!);
      const found = impliedVolatility(right!, value!, forward, strike!, years!, Math.exp(-rate! * years!));
      expect(Math.abs(found - volatility!)).toBeLessThan(1e-11);
    }
    expect(checked).toBeGreaterThan(90);
  });

  it('is a law for any contract with time value', () => {
    const terms = fc.record({
      right: fc.constantFrom(CALL, PUT),
      away: between(-3, 3),
      deviation: between(1e-6, 8),
      years: between(MINUTE, 5),
    });
    forAll([terms], { numRuns: 2000 }, ({ right, away, deviation, years }) => {
      const volatility = deviation / Math.sqrt(years);
      const { value, implied, again, timeValue, room } = roundTrip(
        right,
        FORWARD * Math.exp(away),
        years,
        volatility,
      );
      if (Number.isNaN(implied)) {
        expect(Math.min(timeValue, room)).toBeLessThanOrEqual(1e-13 * FORWARD * Math.exp(Math.abs(away)));
      } else {
        expect(Math.abs(again - value)).toBeLessThan(1e-11 * Math.max(1, value));
      }
    });
  });

  it('is not defined on or beyond the bounds of the price', () => {
    const of = (right: number, value: number): number => impliedVolatility(right, value, 110, 100, 0.5, 0.9);
    // Discounted intrinsic value of the call is 9, its bound 99; of the put 0 and 90.
    for (const [right, min, max] of [
      [CALL, 9, 99],
      [PUT, 0, 90],
    ] as const) {
      expect(of(right, min)).toBeNaN();
      expect(of(right, min - 0.01)).toBeNaN();
      expect(of(right, min + 0.01)).toBeGreaterThan(0);
      expect(of(right, max - 0.01)).toBeGreaterThan(3);
      expect(of(right, max)).toBeNaN();
      expect(of(right, max + 0.01)).toBeNaN();
    }
  });

  it('is not defined for what is no contract', () => {
    const good = [10, 100, 100, 0.5, 0.98] as const;
    for (let place = 0; place < good.length; place++) {
      for (const bad of [0, -1, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
        const [value, ...terms] = good.map((number, at) => (at === place ? bad : number)) as number[];
        expect(impliedVolatility(CALL, value!, terms[0]!, terms[1]!, terms[2]!, terms[3]!)).toBeNaN();
      }
    }
  });
});
