import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { intradayBars, regularRows } from '../../../src/analysis/sessions.ts';
import { vwap, vwapColumns } from '../../../src/analysis/vwap.ts';
import { forAll } from '../../support/for-all.ts';
import { ABSENT } from '../../support/real-data.ts';
import { numbers } from '../../support/tables.ts';
import { barDay, barsFrom, leanMinuteFile, leanMinutes, MINUTE, summerSession } from './made-up-days.ts';

const day = Date.UTC(2013, 9, 10);
const session = summerSession(day);

// Typical prices 10, 12 and 9.
const three = barsFrom(session.open, numbers`0 10 11 9 10 100, 1 11 13 11 12 300, 2 10 10 8 9 100`);

describe('vwap', () => {
  it('agrees with the hand calculation of three bars', () => {
    // After two: (10*100 + 12*300) / 400 = 11.5; variance (100*1.5^2 + 300*0.5^2) / 400 = 0.75.
    // After three: 5500 / 500 = 11; variance (100*1 + 300*1 + 100*4) / 500 = 1.6.
    const series = vwapColumns(three, { from: 0, to: 3 });
    expect([...series.vwap]).toEqual([10, 11.5, 11]);
    expect(series.deviation[0]).toBe(0);
    expect(series.deviation[1]).toBeCloseTo(Math.sqrt(0.75), 12);
    const deviation = Math.sqrt(1.6);
    const last = vwap(three, { from: 0, to: 3 });
    expect(last.vwap).toBe(11);
    expect(last.deviation).toBeCloseTo(deviation, 12);
    expect(last.upper1).toBeCloseTo(11 + deviation, 12);
    expect(last.lower1).toBeCloseTo(11 - deviation, 12);
    expect(last.upper2).toBeCloseTo(11 + 2 * deviation, 12);
    expect(last.lower2).toBeCloseTo(11 - 2 * deviation, 12);
  });

  it('is anchored at the first row of the range', () => {
    expect(vwap(three, { from: 2, to: 3 })).toMatchObject({ vwap: 9, deviation: 0 });
  });

  it('is not defined until a share has traded, and skips bars without volume', () => {
    const quiet = barsFrom(session.open, numbers`0 50 50 50 50 0, 1 10 11 9 10 100, 2 90 90 90 90 0`);
    const series = vwapColumns(quiet, { from: 0, to: 3 });
    expect([...series.vwap]).toEqual([Number.NaN, 10, 10]);
    expect([...series.deviation]).toEqual([Number.NaN, 0, 0]);
    expect(vwap(quiet, { from: 0, to: 1 }).upper2).toBeNaN();
    expect(vwap(quiet, { from: 1, to: 1 }).vwap).toBeNaN();
    expect(vwap(quiet, null).vwap).toBeNaN();
  });

  it('equals the definition in two passes, and stays within the prices', () => {
    forAll([barDay(session.open, 120)], (columns) => {
      const rows = { from: 0, to: columns.time.length };
      const shares = columns.volume.reduce((sum, each) => sum + each, 0);
      const result = vwap(columns, rows);
      fc.pre(shares > 0);
      const typical = columns.close.map((close, at) => (columns.high[at]! + columns.low[at]! + close) / 3);
      const mean = typical.reduce((sum, price, at) => sum + price * columns.volume[at]!, 0) / shares;
      const squares = typical.reduce((sum, price, at) => sum + (price - mean) ** 2 * columns.volume[at]!, 0);
      expect(result.vwap).toBeCloseTo(mean, 9);
      expect(result.deviation).toBeCloseTo(Math.sqrt(squares / shares), 8);
      expect(result.vwap).toBeGreaterThanOrEqual(Math.min(...columns.low) - 1e-9);
      expect(result.vwap).toBeLessThanOrEqual(Math.max(...columns.high) + 1e-9);
    });
  });

  it('knows nothing of later bars: a prefix gives the prefix', () => {
    forAll([barDay(session.open, 60), fc.nat(60)], (columns, at) => {
      const to = columns.time.length;
      const cut = Math.min(at, to);
      const whole = vwapColumns(columns, { from: 0, to });
      const part = vwapColumns(columns, { from: 0, to: cut });
      expect(part.vwap).toEqual(whole.vwap.slice(0, cut));
      expect(part.deviation).toEqual(whole.deviation.slice(0, cut));
    });
  });

  it('keeps its digits where prices are large and differ little', () => {
    // Deviation of 1,000,000 and 1,000,000.02 at equal volume is 0.01; E[x^2] - E[x]^2 would lose it.
    const dear = barsFrom(session.open, [
      [0, 1e6, 1e6, 1e6, 1e6, 5000],
      [1, 1e6 + 0.02, 1e6 + 0.02, 1e6 + 0.02, 1e6 + 0.02, 5000],
    ]);
    expect(vwap(dear, { from: 0, to: 2 }).deviation).toBeCloseTo(0.01, 9);
  });
});

describe('a recorded SPY session, 2013-10-10', () => {
  it('has the VWAP that exact fractions gave in a separate program', async ({ skip }) => {
    const path = leanMinuteFile('spy', '20131010');
    if (path === null) return skip(ABSENT);
    const columns = await leanMinutes(path, day);
    const close = vwap(columns, regularRows(intradayBars(columns, '1m', session.close), session));
    expect(close.vwap).toBeCloseTo(168.30255525888003, 9);
    expect(close.deviation).toBeCloseTo(0.516362300553612, 9);
    const half = vwap(columns, regularRows(intradayBars(columns, '1m', session.open + 60 * MINUTE), session));
    expect(half.vwap).toBeCloseTo(167.66187121583056, 9);
    expect(half.deviation).toBeCloseTo(0.14509567450841998, 9);
  });
});
