import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cvdDivergence, swingLows } from '../../../../src/analysis/order-flow/divergence.ts';
import { forAll, wholeBetween } from '../../../support/for-all.ts';
import { closesThrough, type Waypoint } from '../../../support/price-paths.ts';

const MINUTE = 60_000;

/** A column that runs straight from waypoint to waypoint. */
const path = (...points: Waypoint[]): Float64Array => Float64Array.from(closesThrough(points));

/** Price with a width of ten cents around a path, and CVD. */
const columns = (price: Float64Array, cvd: Float64Array) => ({
  high: price.map((value) => value + 0.05),
  low: price.map((value) => value - 0.05),
  cvd,
});

const said = (price: Float64Array, cvd: Float64Array, barMs = MINUTE) =>
  cvdDivergence(columns(price, cvd), barMs);

/** Lows at rows 20 and 60: the second lower, and so many rows behind it. */
const lowerLow = (last = 80): Float64Array => path([0, 101], [20, 100], [40, 101], [60, 99.5], [last, 101]);
const cvdOf = (first: number, second: number, last = 80): Float64Array =>
  path([0, 0], [20, first], [40, 0], [60, second], [last, 0]);

describe('divergence of CVD', () => {
  it('is bullish when price makes a lower low and CVD a higher one', () => {
    expect(said(lowerLow(), cvdOf(-500, -499))).toBe('bullish_div');
    expect(said(lowerLow(), cvdOf(-500, -500))).toBe('none');
    expect(said(lowerLow(), cvdOf(-500, -501))).toBe('none');
  });

  it('is none when price does not make a lower low', () => {
    expect(said(path([0, 101], [20, 100], [40, 101], [60, 100], [80, 101]), cvdOf(-500, -400))).toBe('none');
  });

  it('is bearish in the mirror', () => {
    const negated = (column: Float64Array): Float64Array => column.map((value) => -value);
    expect(said(negated(lowerLow()), negated(cvdOf(-500, -499)))).toBe('bearish_div');
    expect(said(negated(lowerLow()), negated(cvdOf(-500, -501)))).toBe('none');
  });

  it('takes the lowest CVD within ten minutes of the swing, since volume turns a little apart from price', () => {
    const low = lowerLow();
    const near = cvdOf(-500, -400);
    near[70] = -600;
    expect(said(low, near)).toBe('none');
    const apart = cvdOf(-500, -400);
    apart[71] = -600;
    expect(said(low, apart)).toBe('bullish_div');
  });

  it('is known ten minutes after the swing', () => {
    const cut = (column: Float64Array, rows: number): Float64Array => column.slice(0, rows);
    expect(said(cut(lowerLow(), 71), cut(cvdOf(-500, -400), 71))).toBe('bullish_div');
    expect(said(cut(lowerLow(), 70), cut(cvdOf(-500, -400), 70))).toBe('none');
  });

  it('holds for sixty minutes', () => {
    const rising = (last: number) => said(lowerLow(last), cvdOf(-500, -400, last));
    expect(rising(120)).toBe('bullish_div');
    expect(rising(121)).toBe('none');
  });

  it('ends when price passes the swing', () => {
    const falling = (last: number) => path([0, 101], [20, 100], [40, 101], [60, 99.5], [72, 101], [80, last]);
    expect(said(falling(99.5), cvdOf(-500, -400))).toBe('bullish_div');
    expect(said(falling(99.49), cvdOf(-500, -400))).toBe('none');
  });

  it('is unknown with fewer rows than two swings need', () => {
    const flat = (rows: number): Float64Array => new Float64Array(rows).fill(100);
    expect(said(flat(35), flat(35))).toBeNull();
    expect(said(flat(36), flat(36))).toBe('none');
    // Five-minute bars: swings of two, three apart.
    expect(said(flat(7), flat(7), 5 * MINUTE)).toBeNull();
    expect(said(flat(8), flat(8), 5 * MINUTE)).toBe('none');
  });
});

describe('swings', () => {
  it('keep the further of two that are too close', () => {
    const low = (second: number, apart: number): Float64Array =>
      path([0, 10], [12, 5], [12 + Math.floor(apart / 2), 8], [12 + apart, second], [60, 10]);
    expect(swingLows(low(4, 14), 6, 15)).toEqual([26]);
    expect(swingLows(low(6, 14), 6, 15)).toEqual([12]);
    expect(swingLows(low(4, 15), 6, 15)).toEqual([12, 27]);
  });

  it('of equal lows are the first', () => {
    const low = path([0, 10], [20, 5], [24, 5], [44, 10]);
    expect(swingLows(low, 10, 15)).toEqual([20]);
  });

  it('are at least the separation apart, and no row within the width lies lower', () => {
    forAll([fc.array(wholeBetween(0, 30), { maxLength: 200 })], (values) => {
      const low = Float64Array.from(values);
      const swings = swingLows(low, 4, 7);
      for (const [at, row] of swings.entries()) {
        if (at > 0) expect(row - swings[at - 1]!).toBeGreaterThanOrEqual(7);
        expect(Math.min(...low.subarray(row - 4, row + 5))).toBe(low[row]);
      }
    });
  });
});
