import { describe, expect, it } from 'vitest';
import { threeDayRange } from '../../../src/analysis/range-3d.ts';
import { barsOf } from '../../support/price-paths.ts';
import { numbers } from '../../support/tables.ts';

function days(...lowsAndHighs: [low: number, high: number][]) {
  return barsOf(lowsAndHighs.map(([low, high]) => ({ open: low, high, low, close: high, volume: 1 })));
}

describe('three-day range', () => {
  // The first day lies outside the three; the last is the trade date.
  const before: [number, number][] = numbers`1 99, 10 14, 9 12, 11 13`;

  it('spans the three sessions before the trade date', () => {
    expect(threeDayRange(days(...before, [10, 13]), 3, { low: 10, high: 13 })).toEqual({
      high: 14,
      low: 9,
      breakHigh: false,
      breakLow: false,
    });
  });

  it.each([
    ['at the high', [10, 14], false, false],
    ['above the high', [10, 14.01], true, false],
    ['at the low', [9, 13], false, false],
    ['below the low', [8.99, 13], false, true],
    ['beyond both', [8, 15], true, true],
  ] as const)('%s', (_, [low, high], breakHigh, breakLow) => {
    expect(threeDayRange(days(...before), 3, { low, high })).toMatchObject({ breakHigh, breakLow });
  });

  it('has nothing broken before the first trade of the day', () => {
    expect(threeDayRange(days(...before), 3, null)).toEqual({
      high: 14,
      low: 9,
      breakHigh: false,
      breakLow: false,
    });
  });

  it('is null with fewer than three sessions before', () => {
    expect(threeDayRange(days([10, 14], [9, 12]), 1, { low: 11, high: 13 })).toBeNull();
    expect(threeDayRange(days(), -1, null)).toBeNull();
  });
});
