import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mergeRows, rowAtOrAfter } from '../../../src/market/series.ts';
import { numbers } from '../../support/tables.ts';
import { barsOf } from '../../support/tape.ts';

describe('merging rows', () => {
  it('lets the later part win where two hold the same time', () => {
    const older = barsOf('bars-1d', numbers`1 10 10 10 10 100, 2 20 20 20 20 100, 4 40 40 40 40 100`);
    const newer = barsOf('bars-1d', numbers`2 22 22 22 22 100, 3 30 30 30 30 100`);
    const merged = mergeRows('bars-1d', [older, newer]);
    expect([...merged.time]).toEqual([1, 2, 3, 4]);
    expect([...merged.close!]).toEqual([10, 22, 30, 40]);
  });

  it('is what a map by time would hold, whatever the parts', () => {
    const part = fc.uniqueArray(fc.nat(30), { maxLength: 20 }).map((times) => times.sort((a, b) => a - b));
    fc.assert(
      fc.property(fc.array(part, { maxLength: 5 }), (parts) => {
        const expected = new Map<number, number>();
        for (const [index, times] of parts.entries()) for (const time of times) expected.set(time, index);
        const merged = mergeRows(
          'bars-1d',
          parts.map((times, index) =>
            barsOf(
              'bars-1d',
              times.map((time) => [time, index, index, index, index, 0]),
            ),
          ),
        );
        const sorted = [...expected].sort(([a], [b]) => a - b);
        expect([...merged.time]).toEqual(sorted.map(([time]) => time));
        expect([...merged.open!]).toEqual(sorted.map(([, index]) => index));
      }),
    );
  });
});

describe('rowAtOrAfter', () => {
  it('finds the first row that is not before the instant', () => {
    const time = Float64Array.of(10, 20, 30);
    expect([5, 10, 11, 30, 31].map((instant) => rowAtOrAfter(time, instant))).toEqual([0, 0, 1, 2, 3]);
  });
});
