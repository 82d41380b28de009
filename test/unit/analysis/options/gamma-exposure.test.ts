import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { GAMMA, GREEKS, greeks } from '../../../../src/analysis/options/black-scholes.ts';
import {
  cumulativeFlip,
  type ExposureSums,
  gammaExposure,
  gammaRegime,
  repricedGamma,
  type StrikeExposure,
} from '../../../../src/analysis/options/gamma-exposure.ts';
import type { PricedChain } from '../../../../src/analysis/options/quotes.ts';
import { between, forAll, wholeBetween } from '../../../support/for-all.ts';
import { type MadeChain, madeChain, pricedMade, strikesOf } from '../../../support/made-chain.ts';
import { expectOrderless } from './reference.ts';

const ONE_EXPIRATION: MadeChain = { expirations: ['2024-04-19'], strikes: strikesOf(80, 120, 5) };

/** Open interest at named strikes alone, as [strike, calls, puts]. */
const open =
  (...held: readonly (readonly [strike: number, calls: number, puts: number])[]) =>
  (strike: number, right: 1 | -1): number => {
    const [, calls = 0, puts = 0] = held.find(([at]) => at === strike) ?? [];
    return right > 0 ? calls : puts;
  };

/** Dealer gamma by its definition, contract by contract, at another spot. */
function byDefinition(chain: PricedChain, spot: number): number {
  const out = new Float64Array(GREEKS);
  let sum = 0;
  for (const { from, to, years, forward, discount } of chain.expirations) {
    for (let row = from; row < to; row++) {
      const { strike, volatility, callOpenInterest, putOpenInterest } = chain.strikes;
      const moved = (spot * forward) / chain.spot;
      greeks(out, 1, spot, moved, strike[row]!, years, volatility[row]!, discount);
      const each = out[GAMMA]!;
      if (Number.isNaN(each)) continue;
      sum += each * (callOpenInterest[row]! - putOpenInterest[row]!) * 100 * spot ** 2 * 0.01;
    }
  }
  return sum;
}

describe('gamma exposure by hand', () => {
  // Normal density and distribution of Python's statistics module: S 100, K 95, 100, 105, sigma 0.25, r 0.04,
  // T = (37 x 24 + 1) / 24 / 365 years.
  const GAMMA = { 95: 0.03823952794434008, 100: 0.04988629797770801, 105: 0.043715973719189574 };

  it('is gamma x open interest x 100 x S^2 x 0.01, calls plus and puts minus', () => {
    const chain = pricedMade({
      ...ONE_EXPIRATION,
      openInterest: open([95, 0, 1000], [100, 2000, 500], [105, 1000, 0]),
    });
    const { total, byStrike, callWall, putWall } = gammaExposure(chain);
    expect(total.callGamma / (10_000 * (2000 * GAMMA[100] + 1000 * GAMMA[105]))).toBeCloseTo(1, 6);
    expect(total.putGamma / (10_000 * (1000 * GAMMA[95] + 500 * GAMMA[100]))).toBeCloseTo(1, 6);
    expect(total.netGamma).toBeCloseTo(total.callGamma - total.putGamma, 6);
    expect(
      byStrike.find(({ strike }) => strike === 100)!.netGamma / (10_000 * 1500 * GAMMA[100]),
    ).toBeCloseTo(1, 6);
    expect([callWall, putWall]).toEqual([100, 95]);
  });

  it('is delta, vanna and charm in dollars', () => {
    const chain = pricedMade({ ...ONE_EXPIRATION, openInterest: open([105, 1000, 400]) });
    const { total } = gammaExposure(chain);
    // Delta of the call 0.30089, of the put 0.30089 - 1; dealers are long the calls and short the puts.
    expect(total.delta / (10_000 * (1000 * 0.30089364671 + 400 * 0.69910635329))).toBeCloseTo(1, 6);
    expect(total.vanna / (10_000 * 600 * 0.008376361594704928)).toBeCloseTo(1, 5);
    expect(total.charm / (10_000 * 600 * -0.0033057478686707486)).toBeCloseTo(1, 5);
    expect([total.callOpenInterest, total.putOpenInterest]).toEqual([1000, 400]);
  });

  it('flips where 3,000 puts at 90 weigh as much as 4,000 calls at 110', () => {
    const chain = pricedMade({ ...ONE_EXPIRATION, openInterest: open([90, 0, 3000], [110, 4000, 0]) });
    const { flip, cumulativeFlip: cumulated, regime } = gammaExposure(chain);
    // Bisection of the two-term sum in Python.
    expect(flip).toBeCloseTo(97.88773843832351, 9);
    // The puts at 90 alone are negative; with the calls at 110 the sum is positive.
    expect(cumulated).toBeGreaterThan(90);
    expect(cumulated).toBeLessThan(110);
    expect(regime).toBe('long_gamma');
  });
});

describe('gamma flip', () => {
  const random = (seed: number) => (strike: number, right: 1 | -1, days: number) =>
    Math.floor(1000 * (1 + Math.sin(seed * (strike * 1.7 + right * 3.1 + days))));

  it('is a change of sign of the repriced sum, and nothing nearer to spot is', () => {
    forAll([between(0.1, 9)], { numRuns: 40 }, (seed) => {
      const chain = pricedMade({ openInterest: random(seed), volatility: (m) => 0.25 - 0.2 * m });
      const { flip } = gammaExposure(chain);
      const sign = Math.sign(byDefinition(chain, chain.spot));
      const away = Number.isNaN(flip) ? 0.35 : Math.abs(Math.log(flip / chain.spot));
      if (!Number.isNaN(flip)) {
        expect(Math.sign(byDefinition(chain, flip * 1.00001))).toBe(
          -Math.sign(byDefinition(chain, flip / 1.00001)),
        );
      }
      // The search looks every half per cent; between two looks it may miss a pair of crossings.
      for (let step = 0.005; step < away - 0.005; step += 0.005) {
        expect(Math.sign(byDefinition(chain, chain.spot * Math.exp(step)))).toBe(sign);
        expect(Math.sign(byDefinition(chain, chain.spot * Math.exp(-step)))).toBe(sign);
      }
    });
  });

  it('is found above spot as below it', () => {
    const above = pricedMade({ ...ONE_EXPIRATION, openInterest: open([95, 0, 3000], [115, 4000, 0]) });
    const below = pricedMade({ ...ONE_EXPIRATION, openInterest: open([85, 0, 4000], [105, 3000, 0]) });
    expect(gammaExposure(above).flip).toBeGreaterThan(100);
    expect(gammaExposure(below).flip).toBeLessThan(100);
  });

  it('is not there when all gamma has one sign', () => {
    const chain = pricedMade({ openInterest: (_, right) => (right > 0 ? 100 : 0) });
    const exposure = gammaExposure(chain);
    expect(exposure.flip).toBeNaN();
    expect(exposure.cumulativeFlip).toBeNaN();
    expect(exposure.regime).toBe('long_gamma');
    expect(exposure.putWall).toBeNaN();
  });

  it('reprices what the definition says', () => {
    const chain = pricedMade({
      openInterest: random(1.3),
      volatility: (m, days) => 0.2 + days / 1000 - 0.1 * m,
    });
    const repriced = repricedGamma(chain);
    for (const spot of [70, 90, 99.5, 100, 104, 140]) {
      expect(repriced(Math.log(spot)) / byDefinition(chain, spot)).toBeCloseTo(1, 9);
    }
    expect(repriced(Math.log(100))).toBeCloseTo(gammaExposure(chain).total.netGamma, 2);
  });
});

describe('cumulativeFlip', () => {
  const lines = (...nets: readonly (readonly [number, number])[]): StrikeExposure[] =>
    nets.map(([strike, netGamma]) => ({ strike, netGamma }) as StrikeExposure);

  it('is straight between the strikes where the sum changes sign', () => {
    // -4, then +2 at 100: two thirds of the way from 90.
    expect(cumulativeFlip(lines([90, -4], [100, 6]), 95)).toBeCloseTo(90 + 10 * (4 / 6), 12);
  });

  it('is the one nearest to spot of several', () => {
    const several = lines([80, -1], [85, 3], [95, -4], [105, 5]);
    expect(cumulativeFlip(several, 100)).toBeCloseTo(95 + 10 * (2 / 5), 12);
    expect(cumulativeFlip(several, 82)).toBeCloseTo(80 + 5 / 3, 12);
  });

  it('passes over strikes that leave the sum at nothing', () => {
    expect(cumulativeFlip(lines([90, -2], [95, 2], [100, 3]), 95)).toBe(95);
    expect(cumulativeFlip(lines([90, 2], [95, 3]), 95)).toBeNaN();
  });
});

describe('gammaRegime', () => {
  const sums = (callGamma: number, putGamma: number): ExposureSums =>
    ({ callGamma, putGamma, netGamma: callGamma - putGamma }) as ExposureSums;

  it.each([
    [55, 45, 'long_gamma'],
    [54.9, 45.1, 'neutral'],
    [45.1, 54.9, 'neutral'],
    [45, 55, 'short_gamma'],
    [0, 0, null],
  ] as const)('calls %d against puts %d: %s', (calls, puts, regime) => {
    expect(gammaRegime(sums(calls, puts))).toBe(regime);
  });
});

describe('coverage', () => {
  const withoutQuotes = (share: number): PricedChain =>
    pricedMade({
      expirations: ['2024-04-19'],
      strikes: strikesOf(91, 110, 1),
      revise: (contract) => (contract.strike <= 90 + 20 * share ? { ...contract, bid: 0 } : contract),
    });

  it('is the share of open interest at strikes with usable greeks', () => {
    expect(gammaExposure(withoutQuotes(0)).coverage).toBe(1);
    expect(gammaExposure(withoutQuotes(0.25)).coverage).toBeCloseTo(0.75, 12);
  });

  it('leaves no regime below a half', () => {
    expect(gammaExposure(withoutQuotes(0.5)).regime).not.toBeNull();
    expect(gammaExposure(withoutQuotes(0.55)).coverage).toBeCloseTo(0.45, 12);
    expect(gammaExposure(withoutQuotes(0.55)).regime).toBeNull();
  });

  it('is not known without open interest', () => {
    const { coverage, regime, total } = gammaExposure(pricedMade({ openInterest: () => Number.NaN }));
    expect(coverage).toBeNaN();
    expect(regime).toBeNull();
    expect(total.callGamma).toBeNaN();
  });
});

it('does not depend on the order of the contracts', () => {
  const openInterest = (strike: number, right: number, days: number) => (strike * 7 + right * 13 + days) % 97;
  expectOrderless(madeChain({ openInterest }), gammaExposure);
});

it('sums by expiration and by strike to the same total', () => {
  const chain = pricedMade({ openInterest: (strike, right) => strike + right * 10 });
  const { total, byStrike, byExpiration } = gammaExposure(chain);
  for (const name of ['callGamma', 'putGamma', 'netGamma', 'delta', 'vanna', 'charm'] as const) {
    for (const lines of [byStrike, byExpiration]) {
      const sum = lines.reduce((running, line) => running + line[name], 0);
      expect(Math.abs(sum - total[name]) / (Math.abs(total[name]) + 1), name).toBeLessThan(1e-9);
    }
  }
  expect(byStrike.map(({ strike }) => strike)).toEqual(strikesOf(60, 150, 2.5));
  expect(byExpiration.map(({ days }) => days)).toEqual([2, 15, 37, 100]);
});

describe('open interest that is not stated', () => {
  const known = (strike: number, right: 1 | -1, days: number): number =>
    Math.floor(1000 * (1.2 + Math.sin(strike * 1.7 + right * 3.1 + days)));
  const SIDE_FIGURES = {
    1: ['callGamma', 'callOpenInterest'],
    [-1]: ['putGamma', 'putOpenInterest'],
  } as const;
  const BOTH = ['netGamma', 'delta', 'vanna', 'charm'] as const;

  it('gives the sums of what is stated, or none, with no other sign', () => {
    const lost = fc.record({
      right: fc.constantFrom(0, 1, -1),
      expiration: fc.constantFrom(0, 2, 15, 37, 100),
      share: fc.constantFrom(0.05, 0.2, 0.5, 1),
      seed: wholeBetween(1, 1000),
    });
    const whole = gammaExposure(pricedMade({ openInterest: known }));
    forAll([lost], { numRuns: 40 }, ({ right, expiration, share, seed }) => {
      const isLost = (strike: number, of: 1 | -1, days: number): boolean =>
        (right === 0 || right === of) &&
        (expiration === 0 || expiration === days) &&
        (Math.abs(Math.sin(seed * (strike + of + days))) * 1000) % 1 < share;
      const openInterest = (otherwise: number) => (strike: number, of: 1 | -1, days: number) =>
        isLost(strike, of, days) ? otherwise : known(strike, of, days);
      const unknown = gammaExposure(pricedMade({ openInterest: openInterest(Number.NaN) }));
      // What is stated alone: the same chain with none of the contracts that do not state it.
      const stated = gammaExposure(pricedMade({ openInterest: openInterest(0) }));
      for (const name of ['total', 'byExpiration', 'byStrike'] as const) {
        const [lines, own] = [[unknown[name]].flat(), [stated[name]].flat()];
        for (const [at, line] of lines.entries()) {
          for (const figure of [...SIDE_FIGURES[1], ...SIDE_FIGURES[-1], ...BOTH]) {
            if (!Number.isNaN(line[figure])) expect(line[figure]).toBe(own[at]![figure]);
          }
          const isOneUnknown = Number.isNaN(line.callGamma) || Number.isNaN(line.putGamma);
          for (const figure of BOTH) expect(Number.isNaN(line[figure])).toBe(isOneUnknown);
        }
      }
      if (unknown.regime !== null) expect(unknown.regime).toBe(gammaRegime(stated.total));
      if (Number.isNaN(unknown.total.netGamma)) {
        expect([unknown.regime, unknown.flip, unknown.cumulativeFlip]).toEqual([
          null,
          Number.NaN,
          Number.NaN,
        ]);
      }
      expect(unknown.coverage > whole.coverage).toBe(false);
    });
  });

  it('of one right, of one expiration or of all makes null what needs it', () => {
    const without = (isLost: (right: 1 | -1, days: number) => boolean) =>
      gammaExposure(
        pricedMade({
          openInterest: (strike, right, days) =>
            isLost(right, days) ? Number.NaN : known(strike, right, days),
        }),
      );
    for (const right of [1, -1] as const) {
      const { total, regime, coverage, callWall, putWall } = without((of) => of === right);
      for (const figure of [...SIDE_FIGURES[right], ...BOTH]) expect(total[figure], figure).toBeNaN();
      for (const figure of SIDE_FIGURES[right === 1 ? -1 : 1]) expect(total[figure]).toBeGreaterThan(0);
      expect([regime, Number.isNaN(callWall), Number.isNaN(putWall)]).toEqual([
        null,
        right === 1,
        right === -1,
      ]);
      expect(coverage).toBeCloseTo(0.5, 12);
    }
    const { byExpiration, coverage } = without((_, days) => days === 2);
    expect(byExpiration.map(({ netGamma }) => Number.isNaN(netGamma))).toEqual([true, false, false, false]);
    expect(coverage).toBeCloseTo(0.75, 12);
  });

  it('of a few far strikes leaves the sums, and is counted', () => {
    const { total, regime, coverage } = gammaExposure(
      pricedMade({
        openInterest: (strike, right, days) => (strike < 70 ? Number.NaN : known(strike, right, days)),
      }),
    );
    expect([total.callGamma, total.putGamma].some(Number.isNaN)).toBe(false);
    expect(regime).not.toBeNull();
    expect(coverage).toBeCloseTo(33 / 37, 12);
  });
});
