import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chainOnBasisOf, type OptionChain } from '../../../src/market/chains.ts';
import { validateChain } from '../../../src/market/validate-chain.ts';
import { type ContractRow, chainOf, contractsIn, figuresOf } from './chain-of.ts';

const reasonsOf = (chain: OptionChain): [string, number][] =>
  validateChain(chain).refused.map(({ reason, count }) => [reason, count]);

/** The reason for which one contract does not pass beside a good one; null when it does. */
function refused(...row: ContractRow): string | null {
  const { chain, refused } = validateChain(chainOf([['2024-03-15', 100, 1], row]));
  expect(chain!.contracts.strike.length).toBe(refused.length === 0 ? 2 : 1);
  expect(refused.every(({ count }) => count === 1)).toBe(true);
  return refused[0]?.reason ?? null;
}

describe('validateChain', () => {
  it('puts contracts in order: expiration, strike, calls first', () => {
    const { chain, refused } = validateChain(
      chainOf([
        ['2024-03-15', 105, -1],
        ['2024-04-19', 90, 1],
        ['2024-03-15', 105, 1],
        ['2024-03-15', 95, 1],
      ]),
    );
    expect(refused).toEqual([]);
    expect(contractsIn(chain!)).toEqual([
      ['2024-03-15', 95, 1],
      ['2024-03-15', 105, 1],
      ['2024-03-15', 105, -1],
      ['2024-04-19', 90, 1],
    ]);
  });

  it('makes the same chain of any order of its contracts', () => {
    const rows: ContractRow[] = [90, 95, 100, 105].flatMap((strike) => [
      ['2024-03-15', strike, 1, { bid: strike, openInterest: 7 }],
      ['2024-04-19', strike, -1, { ask: strike }],
    ]);
    const whole = validateChain(chainOf(rows));
    fc.assert(
      fc.property(fc.shuffledSubarray(rows, { minLength: rows.length }), (shuffled) => {
        expect(validateChain(chainOf(shuffled))).toEqual(whole);
      }),
    );
  });

  it('keeps quotes as they are quoted: crossed, without a bid, one-sided', () => {
    const { chain, refused } = validateChain(
      chainOf([
        ['2024-03-15', 90, 1, { bid: 2, ask: 1 }],
        ['2024-03-15', 95, 1, { bid: 0, ask: 0.05 }],
        ['2024-03-15', 100, 1, { ask: 3 }],
        ['2024-03-15', 105, 1, { openInterest: 12 }],
        ['2024-03-15', 110, 1, { bid: 0, ask: 0, openInterest: 0 }],
      ]),
    );
    expect(refused).toEqual([]);
    const figures = [0, 1, 2, 3, 4].map((row) => {
      const { expiration: _, strike: __, right: ___, ...rest } = figuresOf(chain!, row);
      return rest;
    });
    expect(figures).toEqual([
      { bid: 2, ask: 1 },
      { bid: 0, ask: 0.05 },
      { ask: 3 },
      { openInterest: 12 },
      { bid: 0, ask: 0, openInterest: 0 },
    ]);
  });

  it('refuses what had expired before the date of the chain in New York, and not what expires on it', () => {
    expect(refused('2024-03-04', 100, 1)).toBe('expired_contract');
    expect(refused('2024-03-05', 100, 1)).toBeNull();
    // 02:46 UTC is still the evening before in New York.
    const evening = chainOf([['2024-03-05', 100, 1]], { takenAt: Date.parse('2024-03-06T02:46:00Z') });
    expect(reasonsOf(evening)).toEqual([]);
    const nextDay = chainOf([['2024-03-05', 100, 1]], { takenAt: Date.parse('2024-03-06T05:00:00Z') });
    expect(reasonsOf(nextDay)).toEqual([['expired_contract', 1]]);
  });

  it('refuses what no contract can be', () => {
    expect(refused('2024-03-15', 0, -1)).toBe('out_of_range');
    expect(refused('2024-03-15', -5, -1)).toBe('out_of_range');
    expect(refused('2024-03-15', 0.01, -1)).toBeNull();
    expect(refused('2024-03-15', Number.NaN, -1)).toBe('not_a_number');
    expect(refused('2024-03-15', 2e9, -1)).toBe('out_of_bounds');
    expect(refused('2024-03-15', 1e9, -1)).toBeNull();
    expect(refused('2024-03-15', 90, -1, { right: 0, bid: 1 })).toBe('bad_word');
    expect(refused('2024-03-15', 90, -1, { expiration: Number.NaN, bid: 1 })).toBe('bad_time');
    expect(refused('2024-03-15', 90, -1, { bid: -0.01 })).toBe('negative_amount');
    expect(refused('2024-03-15', 90, -1, { ask: -0.01 })).toBe('negative_amount');
    expect(refused('2024-03-15', 90, -1, { last: -0.01 })).toBe('negative_amount');
    expect(refused('2024-03-15', 90, -1, { bid: 1, volume: -1 })).toBe('volume_negative');
    expect(refused('2024-03-15', 90, -1, { bid: 1, openInterest: -1 })).toBe('volume_negative');
    expect(refused('2024-03-15', 90, -1, { ask: Number.POSITIVE_INFINITY })).toBe('out_of_bounds');
    expect(refused('2024-03-15', 90, -1, {})).toBe('missing_value');
    expect(refused('2024-03-15', 90, -1, { last: 0, volume: 0, vendorIv: 0.3 })).toBe('missing_value');
  });

  it('takes the first row of a contract that comes twice', () => {
    const { chain, refused } = validateChain(
      chainOf([
        ['2024-03-15', 100, 1, { bid: 5 }],
        ['2024-03-15', 100, -1, { bid: 4 }],
        ['2024-03-15', 100, 1, { bid: 6 }],
        ['2024-03-15', 100, 1, { bid: 7 }],
      ]),
    );
    expect(refused).toEqual([
      {
        reason: 'duplicate',
        count: 2,
        example: 'TEST 2024-03-05T19:30:00.000Z 2024-03-15 100 call: 6 NaN NaN NaN NaN',
      },
    ]);
    expect([...chain!.contracts.bid]).toEqual([5, 4]);
  });

  it('makes nothing of what a vendor writes where it has nothing', () => {
    const { chain } = validateChain(
      chainOf([
        ['2024-03-15', 90, 1, { bid: 1, last: 0, vendorIv: 1e-5, vendorDelta: 1.2, vendorGamma: -0.1 }],
        ['2024-03-15', 95, 1, { bid: 1, last: 0.01, vendorIv: 0, vendorDelta: -1, vendorGamma: 0 }],
        ['2024-03-15', 99, 1, { bid: 1, vendorIv: 1e-3 }],
        ['2024-03-15', 100, 1, { bid: 1, vendorIv: 1.1e-3 }],
      ]),
    );
    expect([0, 1, 2, 3].map((row) => chain!.contracts.vendorIv[row])).toEqual([NaN, NaN, NaN, 1.1e-3]);
    expect(chain!.contracts.last[0]).toBeNaN();
    expect(chain!.contracts.last[1]).toBe(0.01);
    expect(chain!.contracts.vendorDelta[0]).toBeNaN();
    expect(chain!.contracts.vendorDelta[1]).toBe(-1);
    expect(chain!.contracts.vendorGamma[0]).toBeNaN();
    expect(chain!.contracts.vendorGamma[1]).toBe(0);
  });

  it('refuses a whole chain of no instant, no price or another multiplier, and counts its contracts', () => {
    const two: ContractRow[] = [
      ['2024-03-15', 100, 1],
      ['2024-03-15', 100, -1],
    ];
    expect(reasonsOf(chainOf(two, { takenAt: Number.NaN }))).toEqual([['bad_time', 2]]);
    expect(reasonsOf(chainOf(two, { underlyingPrice: 0 }))).toEqual([['price_not_positive', 2]]);
    expect(reasonsOf(chainOf(two, { underlyingPrice: Number.NaN }))).toEqual([]);
    expect(reasonsOf(chainOf(two, { multiplier: 10 }))).toEqual([['adjusted_contract', 2]]);
    expect(validateChain(chainOf(two, { multiplier: 10 })).chain).toBeNull();
  });

  it('has nothing left of a chain without contracts', () => {
    expect(validateChain(chainOf([]))).toEqual({ chain: null, refused: [] });
  });
});

describe('a chain in the shares of a later date', () => {
  // Apple, 7 for 1 on 2014-06-09: the 645 strike of the Friday became 92.14 on the Monday.
  const friday = Date.UTC(2014, 5, 6);
  const monday = Date.UTC(2014, 5, 9);
  const split = { kind: 'split' as const, exDate: monday, value: 7 };
  const chain = chainOf(
    [
      [
        '2014-07-18',
        645,
        1,
        { bid: 21, ask: 21.7, volume: 10, openInterest: 300, vendorDelta: 0.5, vendorGamma: 0.014 },
      ],
    ],
    { takenAt: friday + 20 * 3_600_000, underlyingPrice: 645.57 },
  );

  it('has strikes and prices divided, counts and gamma multiplied', () => {
    const adjusted = chainOnBasisOf(chain, [split], friday, monday);
    expect(adjusted.underlyingPrice).toBeCloseTo(92.2243, 4);
    const { strike, bid, ask, volume, openInterest, vendorDelta, vendorGamma } = adjusted.contracts;
    expect(strike[0]).toBeCloseTo(92.142857, 6);
    expect([bid[0], volume[0], openInterest[0], vendorDelta[0]]).toEqual([3, 70, 2100, 0.5]);
    expect(ask[0]).toBeCloseTo(3.1, 12);
    expect(vendorGamma[0]).toBeCloseTo(0.098, 12);
  });

  it('is left alone by splits of another time and by dividends', () => {
    const earlier = { ...split, exDate: friday };
    const later = { ...split, exDate: monday + 86_400_000 };
    const dividend = { kind: 'dividend' as const, exDate: monday, value: 0.47 };
    expect(chainOnBasisOf(chain, [earlier, later, dividend], friday, monday)).toBe(chain);
  });
});
