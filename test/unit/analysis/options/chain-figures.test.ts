import { describe, expect, it } from 'vitest';
import {
  chainCounts,
  unusualActivity,
  withTradedVolume,
} from '../../../../src/analysis/options/chain-figures.ts';

const DAY_MS = 86_400_000;
const NONE = Number.NaN;

type Row = readonly [days: number, right: 1 | -1, volume: number, openInterest: number];

/** Contracts as columns. */
const counts = (...rows: readonly Row[]) => ({
  expiration: Float64Array.from(rows, ([days]) => days * DAY_MS),
  right: Float64Array.from(rows, ([, right]) => right),
  volume: Float64Array.from(rows, ([, , volume]) => volume),
  openInterest: Float64Array.from(rows, ([, , , openInterest]) => openInterest),
});

describe('chainCounts', () => {
  it('sums what is stated where nine tenths of each right state it', () => {
    const rows = (unknown: number) =>
      Array.from({ length: 20 }, (_, row) => {
        const open = row < unknown ? NONE : 10;
        return [30, row % 2 === 0 ? 1 : -1, row === 0 ? NONE : 20, open] as const;
      });
    // One call without volume, and one of each right without open interest.
    const sums = { openInterest: 180, volume: 380, callVolume: 180, putVolume: 200, putCallRatio: 200 / 180 };
    expect(chainCounts(counts(...rows(2)))).toEqual(sums);
    expect(chainCounts(counts(...rows(3)))).toEqual({ ...sums, openInterest: NONE });
  });

  it('reads a blank volume as none where the source writes no 0, and only there', () => {
    const sums = (...rows: readonly Row[]) => chainCounts(withTradedVolume(counts(...rows)));
    const blank: readonly Row[] = [
      [30, 1, 200, 1],
      [30, -1, 100, 1],
      [60, 1, NONE, 1],
    ];
    expect(sums(...blank)).toMatchObject({ callVolume: 200, putVolume: 100, volume: 300, putCallRatio: 0.5 });
    expect(sums(...blank, [60, -1, 0, 1])).toMatchObject({
      callVolume: NONE,
      volume: NONE,
      putCallRatio: NONE,
    });
    expect(sums([30, 1, NONE, 1], [30, -1, 5, 1])).toMatchObject({ callVolume: NONE, volume: NONE });
  });

  it('does not take an unknown figure for zero', () => {
    const unknown = chainCounts(counts([30, 1, NONE, NONE], [30, -1, 5, NONE]));
    expect(unknown.openInterest).toBeNaN();
    expect(unknown.callVolume).toBeNaN();
    expect(unknown.volume).toBeNaN();
    expect(unknown.putCallRatio).toBeNaN();
    expect(chainCounts(counts([30, 1, 0, 0], [30, -1, 5, 0])).putCallRatio).toBeNaN();
    expect(chainCounts(counts([30, 1, 5, 0], [30, -1, 0, 0])).putCallRatio).toBe(0);
  });
});

describe('unusualActivity', () => {
  // One contract in question beside 2,000 contracts of ordinary trade of the same life.
  const beside = (days: number, volume: number, openInterest: number): boolean =>
    unusualActivity(counts([40, 1, 2000, 50_000], [days, 1, volume, openInterest]), 0);

  it.each([
    ['500 trades of 250 open, a fifth of the volume', 8, 500, 250, true],
    ['fewer than 500', 8, 499, 1, false],
    ['less than twice the open interest', 8, 500, 251, false],
    ['within 7 days', 7, 500, 250, false],
    ['open interest that nobody states', 8, 5000, NONE, false],
    ['no open interest at all', 8, 500, 0, true],
  ])('%s', (_, days, volume, openInterest, expected) => {
    expect(beside(days, volume, openInterest)).toBe(expected);
  });

  it('requires a fifth of the volume', () => {
    const among = (ordinary: number) =>
      unusualActivity(counts([40, 1, ordinary, 50_000], [40, -1, 500, 0]), 0);
    expect(among(2000)).toBe(true);
    expect(among(2001)).toBe(false);
  });

  it('is false of a chain that did not trade', () => {
    expect(unusualActivity(counts([40, 1, 0, 10], [40, -1, NONE, 10]), 0)).toBe(false);
  });
});
