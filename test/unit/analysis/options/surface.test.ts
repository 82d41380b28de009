import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PricedChain } from '../../../../src/analysis/options/quotes.ts';
import {
  constantMaturity,
  expectedMove,
  smiles,
  surfaceFigures,
  type TermPoint,
  termStructure,
  volatilityPercentile,
  volatilityRank,
} from '../../../../src/analysis/options/surface.ts';
import { between, forAll } from '../../../support/for-all.ts';
import { madeChain, pricedMade, pricedOf, reordered, strikesOf } from '../../../support/made-chain.ts';
import { expectOrderless } from './reference.ts';

const point = (days: number, volatility: number): TermPoint => ({ days, years: days / 365, volatility });

describe('constantMaturity', () => {
  it('interpolates total variance as the volatility index does', () => {
    // By hand: w = 0.2^2 x 20 = 0.8 and 0.3^2 x 50 = 4.5 day-variances; a third of the way is 2.0333 at 30 days,
    // so sqrt(2.033333 / 30) = 0.2603417.
    expect(constantMaturity([point(20, 0.2), point(50, 0.3)])).toBeCloseTo(0.26034165586, 10);
  });

  it('takes the nearest legs and reads an expiration at the maturity itself', () => {
    expect(constantMaturity([point(20, 0.5), point(30, 0.22), point(40, 0.1)])).toBeCloseTo(0.22, 12);
    expect(constantMaturity([point(10, 0.9), point(20, 0.2), point(50, 0.3), point(80, 0.9)])).toBeCloseTo(
      0.26034165586,
      10,
    );
  });

  it.each([
    ['legs from 5 days on', [point(5, 0.2), point(50, 0.2)], 0.2],
    ['not from 4: the far leg alone is too far', [point(4, 0.2), point(50, 0.2)], Number.NaN],
    ['to 100 days', [point(20, 0.2), point(100, 0.2)], 0.2],
    ['beyond them the near leg alone', [point(20, 0.2), point(101, 0.4)], 0.2],
    ['a leg alone from 20', [point(20, 0.3)], 0.3],
    ['not from 19', [point(19, 0.3)], Number.NaN],
    ['a leg alone to 40', [point(40, 0.3)], 0.3],
    ['not to 41', [point(41, 0.3)], Number.NaN],
    ['nothing', [], Number.NaN],
  ])('%s', (_, curve, expected) => {
    const found = constantMaturity(curve);
    if (Number.isNaN(expected)) expect(found).toBeNaN();
    else expect(found).toBeCloseTo(expected, 12);
  });

  it('stays within its legs when variance rises in time', () => {
    forAll([between(0.05, 1), between(0, 1)], (near, more) => {
      const far = near + more;
      const found = constantMaturity([point(14, near), point(60, far)]);
      expect(found).toBeGreaterThanOrEqual(near - 1e-12);
      expect(found).toBeLessThanOrEqual(far + 1e-12);
    });
  });
});

describe('a planted surface', () => {
  // A linear smile and an upward term structure.
  const volatility = (moneyness: number, days: number): number => 0.2 + 0.0004 * days - 0.15 * moneyness;
  const chain = pricedMade({ volatility, strikes: strikesOf(60, 150, 1) });
  const points = smiles(chain);

  it('is read back at the money', () => {
    for (const [index, { days }] of chain.expirations.entries()) {
      expect(points[index]!.atTheMoney, `${days} days`).toBeCloseTo(0.2 + 0.0004 * days, 6);
    }
    expect(termStructure(chain, points).map(({ days }) => days)).toEqual([2, 15, 37, 100]);
  });

  it('is read back at 25 delta, where d1 is 0.6745 from the forward', () => {
    for (const [index, { days, years }] of chain.expirations.entries()) {
      for (const [right, read] of [
        [1, points[index]!.call25],
        [-1, points[index]!.put25],
      ] as const) {
        // Fixed point of k = right x 0.67449 sigma sqrt(T) + sigma^2 T / 2 with sigma = smile(k).
        let k = 0;
        for (let round = 0; round < 100; round++) {
          const sigma = volatility(k, days);
          k = right * 0.6744897501960817 * sigma * Math.sqrt(years) + (sigma * sigma * years) / 2;
        }
        expect(read, `${days} days ${right}`).toBeCloseTo(volatility(k, days), 4);
      }
    }
  });

  it('has skew towards puts and an upward slope', () => {
    const figures = surfaceFigures(chain, points);
    expect(figures.atTheMoney30).toBeGreaterThan(0.206);
    expect(figures.atTheMoney30).toBeLessThan(0.2148);
    expect(figures.skew30).toBeGreaterThan(0.01);
    expect(figures.termSlope).toBeGreaterThan(0.02);
  });

  it('does not depend on the order of the contracts', () => {
    const figures = (priced: PricedChain) => surfaceFigures(priced, smiles(priced));
    expectOrderless(madeChain({ volatility }), figures);
  });
});

describe('quotes without information', () => {
  it('are excluded with their reasons, and the rest still speaks', () => {
    const chain = pricedMade({
      revise(contract) {
        if (contract.strike === 80) return { ...contract, bid: 0 };
        if (contract.strike === 85) return { ...contract, bid: contract.ask * 2 };
        if (contract.strike === 90) return { ...contract, ask: Number.NaN };
        return contract;
      },
    });
    expect(chain.excluded).toMatchObject({ expired: 0, zero_bid: 8, crossed: 8, no_quote: 8, no_forward: 0 });
    const { strike, volatility } = chain.strikes;
    for (const [row, price] of strike.entries()) {
      if ([80, 85, 90].includes(price)) expect(volatility[row]).toBeNaN();
    }
    expect(smiles(chain)[2]!.atTheMoney).toBeCloseTo(0.25, 6);
  });

  it('leaves out a market too wide to have a middle', () => {
    const wideAt = (bid: number, ask: number): number =>
      pricedMade({
        expirations: ['2024-04-19'],
        revise: (contract) =>
          contract.strike === 120 && contract.right > 0 ? { ...contract, bid, ask } : contract,
      }).excluded.wide;
    // Three times the bid and a tenth of a per cent of a spot of 100 are both allowed.
    expect(wideAt(0.1, 0.3)).toBe(0);
    expect(wideAt(0.1, 0.301)).toBe(1);
    expect(wideAt(0.01, 0.11)).toBe(0);
    expect(wideAt(0.01, 0.111)).toBe(1);
  });

  it('leaves out a quote from when the price was elsewhere', () => {
    const stale = (strike: number, right: 1 | -1, price: number) =>
      pricedMade({
        expirations: ['2024-04-19'],
        revise: (contract) =>
          contract.strike === strike && contract.right === right
            ? { ...contract, bid: price, ask: price * 1.05 }
            : contract,
      });
    // Calls at 115 and 117.5 are worth 0.19 and 0.10, a call at 120 cannot be worth 20; a put at 80 likewise.
    expect(stale(120, 1, 20).excluded.stale).toBe(1);
    expect(stale(80, -1, 20).excluded.stale).toBe(1);
    expect(stale(120, 1, 0.09).excluded.stale).toBe(0);
    // Above one neighbour alone it may be the neighbour that is wrong.
    const { volatility } = stale(102.5, 1, 0.01).strikes;
    expect(stale(102.5, 1, 0.01).excluded.stale).toBe(0);
    expect(volatility.filter((value) => Number.isNaN(value)).length).toBeLessThan(2);
  });

  /** The variance straight in ln(K) between the nearest strikes with a volatility; at an edge that of the last one. */
  function beside({ strike, volatility }: PricedChain['strikes'], row: number): number {
    const quoted = [...strike.keys()].filter((at) => !Number.isNaN(volatility[at]!));
    const [low, high] = [quoted.findLast((at) => at < row), quoted.find((at) => at > row)];
    if (low === undefined || high === undefined) return volatility[(low ?? high)!]!;
    const [a, b, x] = [low, high, row].map((at) => Math.log(strike[at]!)) as [number, number, number];
    return Math.sqrt((volatility[low]! ** 2 * (b - x) + volatility[high]! ** 2 * (x - a)) / (b - a));
  }

  it('takes no volatility of a strike from the right that is in the money', () => {
    const unquoted = [{ bid: 0, ask: 0.01 }, { bid: Number.NaN, ask: Number.NaN }, { bid: 2, ask: 1 }, null];
    forAll(
      [
        fc.constantFrom('american' as const, 'european' as const),
        fc.subarray(strikesOf(60, 150, 2.5), { minLength: 1 }),
        fc.constantFrom(...unquoted),
      ],
      (style, dark, quote) => {
        const { strikes, mid, expirations } = pricedMade({
          style,
          expirations: ['2024-04-19'],
          revise: (contract) => {
            const isOutside = contract.right === (contract.strike >= 100 ? 1 : -1);
            if (dark.includes(contract.strike) && isOutside) return quote && { ...contract, ...quote };
            // The payoff to a dollar, as a market maker quotes what nobody trades.
            const payoff = Math.max(contract.right * (100 - contract.strike), 0);
            return isOutside ? contract : { ...contract, bid: payoff + 0.9, ask: payoff + 1.9 };
          },
        });
        const money = style === 'american' ? 100 : expirations[0]!.forward;
        for (const [row, strike] of strikes.strike.entries()) {
          const middle = mid[strike >= money ? strikes.call[row]! : strikes.put[row]!] ?? Number.NaN;
          if (dark.includes(strike) && (strike < 97 || strike > 103)) expect(middle).toBeNaN();
          expect(Number.isNaN(strikes.volatility[row]!)).toBe(Number.isNaN(middle));
          expect(Number.isNaN(strikes.gamma[row]!)).toBe(Number.isNaN(strikes.smile[row]!));
          if (!Number.isNaN(middle)) expect(strikes.smile[row]).toBe(strikes.volatility[row]);
          else if (!Number.isNaN(strikes.gamma[row]!))
            expect(strikes.smile[row]).toBeCloseTo(beside(strikes, row), 12);
        }
      },
    );
  });

  it('counts contracts that have ended, and one at its very end', () => {
    const chain = pricedMade({ expirations: ['2024-03-12', '2024-03-13', '2024-04-19'], clock: '16:00' });
    expect(chain.excluded.expired).toBe(2 * 74);
    expect(chain.expirations).toHaveLength(1);
    expect(pricedMade({ expirations: ['2024-03-13'], clock: '15:59' }).expirations).toHaveLength(1);
  });

  it('reads a chain of one side on the spot', () => {
    const chain = pricedMade({ revise: (contract) => (contract.right > 0 ? contract : null) });
    expect(chain.expirations.map(({ forwardSource }) => forwardSource)).toEqual(Array(4).fill('spot'));
    // Below the spot nothing is quoted that is out of the money.
    expect(smiles(chain)[2]!.atTheMoney).toBeNaN();
  });

  it('excludes a duplicate once', () => {
    const made = madeChain({ expirations: ['2024-04-19'] });
    const rows = [...made.contracts.strike.keys(), 40];
    expect(pricedOf(reordered(made, rows)).excluded.duplicate).toBe(1);
  });

  it('says nothing of an empty rest', () => {
    const chain = pricedMade({ revise: (contract) => ({ ...contract, bid: Number.NaN }) });
    expect([...chain.strikes.volatility].every(Number.isNaN)).toBe(true);
    const figures = surfaceFigures(chain, smiles(chain));
    expect([figures.atTheMoney30, figures.skew30, figures.termSlope]).toEqual([
      Number.NaN,
      Number.NaN,
      Number.NaN,
    ]);
  });
});

describe('the year of a volatility', () => {
  const days = (count: number): Float64Array =>
    Float64Array.from({ length: count }, (_, day) => 0.2 + day / 1000);

  it('ranks between low and high, and counts the days below', () => {
    // 100 days from 0.200 to 0.299; 0.25 lies at 0.05 of 0.099, above 50 of 100.
    expect(volatilityRank(days(100), 0.25)).toBeCloseTo(50.505050505, 8);
    expect(volatilityPercentile(days(100), 0.2501)).toBe(51);
  });

  it('needs 60 days', () => {
    expect(volatilityRank(days(59), 0.25)).toBeNaN();
    expect(volatilityPercentile(days(59), 0.25)).toBeNaN();
    expect(volatilityRank(days(60), 0.25)).toBeCloseTo(84.7457627, 6);
    expect(volatilityPercentile(days(60), 0.25)).toBeCloseTo((50 / 60) * 100, 10);
  });

  it('skips unknown days, and reads the last 252', () => {
    const holes = Float64Array.from([...days(59), Number.NaN, Number.NaN]);
    expect(volatilityRank(holes, 0.25)).toBeNaN();
    const long = Float64Array.from([9, ...days(252)]);
    expect(volatilityRank(long, 0.2)).toBe(0);
    expect(volatilityPercentile(long, 10)).toBe(100);
  });

  it('is at the edge of its year when it is beyond all of it', () => {
    expect(volatilityRank(days(100), 0.5)).toBe(100);
    expect(volatilityRank(days(100), 0.1)).toBe(0);
    expect(volatilityRank(new Float64Array(100).fill(0.2), 0.2)).toBeNaN();
  });
});

it('expects a move of spot x volatility x the root of time', () => {
  expect(expectedMove(100, 0.2, 365)).toBe(20);
  // 72 x sqrt(30 / 365) = 72 x 0.2866911.
  expect(expectedMove(450, 0.16, 30)).toBeCloseTo(20.64176, 4);
});
