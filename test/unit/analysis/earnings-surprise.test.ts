import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  beatRate,
  consecutiveBeats,
  earningsSentimentBias,
  normalizedSurprise,
  outcome,
  type Result,
  surpriseCategory,
  surprisePct,
  surpriseZscore,
} from '../../../src/analysis/earnings-surprise.ts';
import { forAll, wholeBetween } from '../../support/for-all.ts';
import { realDataDirectory } from '../../support/real-data.ts';

const met: Result = { actual: 1, estimate: 1 };
const beat: Result = { actual: 1.1, estimate: 1 };
const miss: Result = { actual: 0.9, estimate: 1 };
const unknown: Result = { actual: Number.NaN, estimate: 1 };

describe('surprisePct', () => {
  it('is over the size of the estimate, so that a smaller loss is a beat', () => {
    // (1.2 - 1) / 1, (-0.5 + 1) / 1, (0.5 + 0.25) / 0.25
    expect(surprisePct({ actual: 1.2, estimate: 1 })).toBe(20);
    expect(surprisePct({ actual: -0.5, estimate: -1 })).toBe(50);
    expect(surprisePct({ actual: 0.5, estimate: -0.25 })).toBe(300);
  });

  it('puts results to the cent on the boundary where they lie', () => {
    // In binary fractions 1.2 - 1 is below 0.2 and 1.1 - 1 above 0.1.
    expect(surpriseCategory(surprisePct({ actual: 1.2, estimate: 1 }))).toBe('BLOWOUT_BEAT');
    expect(earningsSentimentBias(surprisePct({ actual: 1.1, estimate: 1 }))).toBe('SLIGHT_POSITIVE');
    expect(earningsSentimentBias(surprisePct({ actual: 0.9, estimate: 1 }))).toBe('SLIGHT_NEGATIVE');
  });

  it('has no percentage of nothing', () => {
    expect(surprisePct({ actual: 0.1, estimate: 0 })).toBeNaN();
    expect(surprisePct({ actual: 0, estimate: 0 })).toBeNaN();
    expect(surprisePct(unknown)).toBeNaN();
  });
});

describe.skipIf(realDataDirectory === null)('recorded surprises', () => {
  it('agree with what a vendor made of the same figures', () => {
    const file = resolve(realDataDirectory!, 'earnings/finnhub_surprise_earnings_2023.csv.gz');
    const rows = gunzipSync(readFileSync(file)).toString().trim().split('\n').slice(1);
    // symbol, period, actual, estimate, surprise, surprisePercent (to four decimals)
    const misread = rows.filter((row) => {
      const [, , actual, estimate, , percent] = row.split(',').map(Number);
      return !(Math.abs(surprisePct({ actual: actual!, estimate: estimate! }) - percent!) <= 0.000051);
    });
    expect(rows.length).toBeGreaterThan(300);
    expect(misread).toEqual([]);
  });
});

describe('surpriseZscore', () => {
  it('measures the latest against the eight before it', () => {
    // Of 5 3 -2 8 4 6 1 7: mean 4, sample deviation 3.295017884191656 (Python statistics.stdev); (12 - 4) over it.
    expect(surpriseZscore([99, 5, 3, -2, 8, 4, 6, 1, 7, 12])).toBeCloseTo(2.4279079146675357, 12);
  });

  it('needs four before it, and passes over unknown ones', () => {
    // Of 5 3 -2 8: mean 3.5, deviation 4.203173404306164; (10 - 3.5) over it.
    expect(surpriseZscore([5, 3, -2, 8, 10])).toBeCloseTo(1.5464505921503808, 12);
    expect(surpriseZscore([5, 3, Number.NaN, -2, 8, 10])).toBeCloseTo(1.5464505921503808, 12);
    expect(surpriseZscore([3, -2, 8, 10])).toBeNaN();
    expect(surpriseZscore([5, 3, -2, 8, Number.NaN])).toBeNaN();
    expect(surpriseZscore([])).toBeNaN();
  });

  it('needs a deviation', () => {
    expect(surpriseZscore([5, 5, 5, 5, 9])).toBeNaN();
    // Deviation of d x (-1, 1, -1, 1) about 5 is d x sqrt(4/3): 0.009238 and 0.011547.
    expect(surpriseZscore([4.992, 5.008, 4.992, 5.008, 9])).toBeNaN();
    expect(surpriseZscore([4.99, 5.01, 4.99, 5.01, 9])).toBeCloseTo(4 / (0.01 * Math.sqrt(4 / 3)), 6);
  });

  it('does not change with the unit of the surprises', () => {
    const surprises = fc.array(wholeBetween(-50, 50), { minLength: 5, maxLength: 12 });
    forAll([surprises], (values) => {
      const once = surpriseZscore(values);
      const thrice = surpriseZscore(values.map((value) => 3 * value + 7));
      if (Number.isNaN(once)) expect(thrice).toBeNaN();
      else expect(thrice).toBeCloseTo(once, 6);
    });
  });
});

describe('the record', () => {
  it('counts beats on end up to the latest, misses as negative', () => {
    expect(consecutiveBeats([miss, beat, beat, beat])).toBe(3);
    expect(consecutiveBeats([beat, miss, miss])).toBe(-2);
    expect(consecutiveBeats([beat, unknown, beat])).toBe(1);
    expect(consecutiveBeats([beat, beat, met])).toBe(0);
    expect(consecutiveBeats([beat, beat, unknown])).toBe(0);
    expect(consecutiveBeats([])).toBe(0);
  });

  it('counts a beat of an estimate of zero, although it has no percentage', () => {
    expect(outcome({ actual: 0.1, estimate: 0 })).toBe(1);
    expect(consecutiveBeats([beat, { actual: 0.1, estimate: 0 }])).toBe(2);
  });

  it('rates the last eight quarters that are known, from four on', () => {
    expect(beatRate([beat, beat, beat, beat, miss, miss, miss, miss, met, met])).toBe(0.25);
    expect(beatRate([beat, miss, beat, unknown, beat])).toBe(0.75);
    expect(beatRate([beat, beat, beat, unknown])).toBeNaN();
    expect(beatRate([miss, miss, miss, met])).toBe(0);
  });
});

describe('bands', () => {
  const UNDER = 1e-9;

  it.each([
    [20, 'BLOWOUT_BEAT'],
    [20 - UNDER, 'SOLID_BEAT'],
    [2, 'SOLID_BEAT'],
    [2 - UNDER, 'INLINE'],
    [0, 'INLINE'],
    [-2 + UNDER, 'INLINE'],
    [-2, 'MISS'],
    [-20 + UNDER, 'MISS'],
    [-20, 'BLOWOUT_MISS'],
    [Number.NaN, null],
  ])('a surprise of %f %% is %s', (surprise, category) => {
    expect(surpriseCategory(surprise)).toBe(category);
  });

  it.each([
    [2, 'EXCEPTIONAL_BEAT'],
    [2 - UNDER, 'STRONG_BEAT'],
    [1, 'STRONG_BEAT'],
    [1 - UNDER, 'MODEST_BEAT'],
    [0.5, 'MODEST_BEAT'],
    [0.5 - UNDER, 'INLINE'],
    [-0.5 + UNDER, 'INLINE'],
    [-0.5, 'MODEST_MISS'],
    [-1 + UNDER, 'MODEST_MISS'],
    [-1, 'STRONG_MISS'],
    [-2 + UNDER, 'STRONG_MISS'],
    [-2, 'EXCEPTIONAL_MISS'],
    [Number.NaN, null],
  ])('a z-score of %f is %s', (zscore, band) => {
    expect(normalizedSurprise(zscore)).toBe(band);
  });

  it.each([
    [10 + UNDER, 'POSITIVE'],
    [10, 'SLIGHT_POSITIVE'],
    [0, 'SLIGHT_POSITIVE'],
    [-UNDER, 'SLIGHT_NEGATIVE'],
    [-10, 'SLIGHT_NEGATIVE'],
    [-10 - UNDER, 'NEGATIVE'],
    [Number.NaN, null],
  ])('a surprise of %f %% leans %s', (surprise, bias) => {
    expect(earningsSentimentBias(surprise)).toBe(bias);
  });
});
