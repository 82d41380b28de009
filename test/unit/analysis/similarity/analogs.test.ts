import { describe, expect, it } from 'vitest';
import { outcomeOf, similarityOf, thinned } from '../../../../src/analysis/similarity/analogs.ts';
import { between, forAll } from '../../../support/for-all.ts';
import { absent } from '../../../support/tables.ts';

describe('similarity', () => {
  it('is 1 for the same state and falls with distance', () => {
    expect(similarityOf(0)).toBe(1);
    expect(similarityOf(Math.sqrt(6))).toBeCloseTo(Math.exp(-1), 12);
    forAll([between(0, 5), between(0.001, 2)], { numRuns: 200 }, (at, more) => {
      expect(similarityOf(at + more)).toBeLessThan(similarityOf(at));
    });
  });
});

describe('thinning', () => {
  it('leaves out days of a stock within 20 sessions of a nearer one', () => {
    const days = [
      { symbol: 'A', session: 100 },
      { symbol: 'A', session: 119 },
      { symbol: 'A', session: 81 },
      { symbol: 'A', session: 120 },
      { symbol: 'A', session: 139 },
      { symbol: 'B', session: 119 },
    ];
    expect(thinned(days, 10)).toEqual([days[0], days[3], days[5]]);
  });

  it('takes no more than three days of a session, and no more than requested', () => {
    const days = ['A', 'B', 'C', 'D', 'E'].map((symbol) => ({ symbol, session: 7 }));
    expect(thinned(days, 10).map(({ symbol }) => symbol)).toEqual(['A', 'B', 'C']);
    expect(thinned(days, 2).map(({ symbol }) => symbol)).toEqual(['A', 'B']);
  });
});

describe('the outcome of a set of returns', () => {
  it('agrees with numpy', () => {
    // numpy 2: mean, median, std(ddof=1), percentile 25 and 75 of [3.1, -2.4, 0.7, 8.2, -0.3, 1.9, -5.5].
    expect(outcomeOf([3.1, -2.4, 0.7, 8.2, -0.3, 1.9, -5.5])).toEqual({
      n: 7,
      mean: expect.closeTo(0.8142857142857143, 12),
      median: 0.7,
      deviation: expect.closeTo(4.328367117604733, 12),
      q1: expect.closeTo(-1.35, 12),
      q3: expect.closeTo(2.5, 12),
      shareUp: expect.closeTo(4 / 7, 12),
    });
  });

  it('is null for fewer than five', () => {
    const nothing = absent`mean median deviation q1 q3 shareUp`;
    expect(outcomeOf([1, 2, 3, 4])).toEqual({ n: 4, ...nothing });
    expect(outcomeOf([0, 0, 0, 0, 0]).shareUp).toBe(0);
  });
});
