import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  atrCompressionRatio,
  compression,
  isInsideDay,
  isNr7,
  vcpContractionCount,
} from '../../../src/analysis/compression.ts';
import { prefix } from '../../support/bar-columns.ts';
import { forAll, wholeBetween } from '../../support/for-all.ts';
import {
  barsOf,
  type Candle,
  pathThrough,
  randomWalk,
  scaled,
  type Waypoint,
} from '../../support/price-paths.ts';
import { numbers } from '../../support/tables.ts';

/** A candle from low to high that opens and closes in the middle. */
function candle(low: number, high: number): Candle {
  const middle = (low + high) / 2;
  return { open: middle, high, low, close: middle, volume: 1 };
}

/** Candles around 100 of these ranges. */
function ranges(...sizes: number[]) {
  return barsOf(sizes.map((size) => candle(100 - size / 2, 100 + size / 2)));
}

describe('NR7', () => {
  it('is the narrowest of the last seven', () => {
    expect(isNr7(ranges(9, 8, 7, 6, 5, 4, 3))).toBe(true);
    expect(isNr7(ranges(9, 8, 7, 6, 3, 4, 5))).toBe(false);
  });

  it('reads seven rows and no further', () => {
    expect(isNr7(ranges(1, 9, 8, 7, 6, 5, 4, 3))).toBe(true);
    expect(isNr7(ranges(2, 9, 8, 7, 6, 5, 3))).toBe(false);
  });

  it('takes a tie for no narrowing', () => expect(isNr7(ranges(9, 8, 7, 6, 3, 4, 3))).toBe(false));

  it('sees a tie of prices in cents whose binary differences differ', () => {
    // The last two are both 1.82 wide.
    const days = numbers<
      [number, number]
    >`110 105, 110 105, 110 105, 110 105, 110 105, 231.02 229.2, 229.89 228.07`;
    expect(229.89 - 228.07).toBeLessThan(231.02 - 229.2);
    expect(isNr7(barsOf(days.map(([high, low]) => candle(low, high))))).toBe(false);
  });

  it('needs seven rows', () => expect(isNr7(ranges(8, 7, 6, 5, 4, 3))).toBe(false));
});

describe('inside day', () => {
  it.each([
    ['inside', [100, 110], [101, 109], true],
    ['at the high before', [100, 110], [101, 110], false],
    ['at the low before', [100, 110], [100, 109], false],
    ['outside', [100, 110], [99, 111], false],
  ] as const)('%s', (_, [low, high], [nextLow, nextHigh], expected) => {
    expect(isInsideDay(barsOf([candle(low, high), candle(nextLow, nextHigh)]))).toBe(expected);
  });

  it('needs a day before', () => expect(isInsideDay(barsOf([candle(1, 2)]))).toBe(false));
});

describe('ATR(3) / ATR(14)', () => {
  it('follows a hand calculation', () => {
    // True range 4 on rows 1-14, then 1 on row 15. ATR(14): 4, then (13 x 4 + 1) / 14 = 53/14. ATR(3): 4, then
    // (2 x 4 + 1) / 3 = 3. Ratio 3 / (53/14) = 42/53.
    const bars = ranges(...Array.from({ length: 15 }, () => 4), 1);
    expect(atrCompressionRatio(bars)).toBeCloseTo(42 / 53, 12);
    expect(atrCompressionRatio(prefix(bars, 15))).toBeCloseTo(1, 12);
  });

  it('is not defined before row 14 or without any movement', () => {
    expect(atrCompressionRatio(ranges(...Array.from({ length: 14 }, () => 4)))).toBeNaN();
    expect(atrCompressionRatio(ranges(...Array.from({ length: 30 }, () => 0)))).toBeNaN();
  });
});

describe('VCP contractions', () => {
  // From 100.25 to 79.75 (20.4 %), 99.25 to 89.75 (9.6 %), 99.25 to 94.75 (4.5 %), in a rising market.
  const CONTRACTING: Waypoint[] = numbers`0 40, 150 100, 165 80, 180 99, 188 90, 197 99, 201 95`;

  it('counts the declines that get shallower, once the turn of the last is confirmed', () => {
    const bars = pathThrough([...CONTRACTING, [205, 99]]);
    expect(vcpContractionCount(bars)).toBe(3);
    // The low of row 201 is confirmed on row 203 (high 97.25, 2.5 above 94.75); until then there are two.
    expect(vcpContractionCount(prefix(bars, 203))).toBe(2);
    expect(vcpContractionCount(prefix(bars, 204))).toBe(3);
  });

  it('stops at a deeper one', () => {
    // 13 % (98.25 to 85.5), then 20.4 % from 100.25: the deeper second decline ends the count of what came before it.
    const start: Waypoint[] = numbers`0 20, 110 98, 120 85.75, 140 100`;
    const path = [...start, ...CONTRACTING.slice(2), [205, 99] as const];
    expect(vcpContractionCount(pathThrough(path))).toBe(3);
  });

  it('is 0 when the last decline is the deeper, and outside an uptrend', () => {
    expect(vcpContractionCount(pathThrough([...CONTRACTING.slice(0, 6), [208, 86], [214, 99]]))).toBe(0);
    const falling = CONTRACTING.map(([row, close]): Waypoint => (row === 0 ? [0, 160] : [row, close]));
    expect(vcpContractionCount(pathThrough([...falling, [205, 99]]))).toBe(0);
  });

  it('is not defined before there are 170 rows', () => {
    const bars = pathThrough([...CONTRACTING, [205, 99]]);
    expect(vcpContractionCount(prefix(bars, 169))).toBeNaN();
    expect(vcpContractionCount(prefix(bars, 170))).not.toBeNaN();
  });
});

describe('laws', () => {
  it('does not depend on the price level', () => {
    forAll([fc.nat(100_000), wholeBetween(1, 300)], (seed, rows) => {
      const bars = randomWalk(seed, rows);
      expect(compression(scaled(bars, 4))).toEqual(compression(bars));
    });
  });
});
