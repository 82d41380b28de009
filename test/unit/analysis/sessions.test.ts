import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  afterHoursBar,
  barFitsWindow,
  barLengthMs,
  intradayBars,
  joinBars,
  mergeBars,
  overnightBar,
  preMarketBar,
  priceRange,
  regularBar,
  rowAtOrAfter,
  rowsBetween,
  sliceBars,
  tradeDay,
  windowRows,
} from '../../../src/analysis/sessions.ts';
import { forAll, wholeBetween } from '../../support/for-all.ts';
import { ABSENT } from '../../support/real-data.ts';
import { figures, numbers } from '../../support/tables.ts';
import { barDay, barsFrom, DAY, leanMinuteFile, leanMinutes, MINUTE, summerSession } from './made-up-days.ts';

const day = Date.UTC(2013, 9, 10);
const session = summerSession(day);
const { open } = session;

// The bars around both edges of the regular session, minutes counted from 09:30.
const edges = barsFrom(
  open,
  numbers`
  -330 99 99.5 98.8 99.1 10, -1 99.9 100.1 99.8 100 20, 0 100 100.6 99.9 100.5 300,
  1 100.5 101 100.4 100.8 200, 389 101.8 102.2 101.7 102 500, 390 102 102.4 101.9 102.3 40,
  629 102.1 102.1 102.05 102.05 5`,
);

describe('rows by time', () => {
  it('finds the first row at or after an instant, as a walk from the start does', () => {
    forAll([fc.uniqueArray(wholeBetween(0, 50)), wholeBetween(-1, 51)], (times, at) => {
      const time = Float64Array.from(times.sort((a, b) => a - b));
      const walk = time.findIndex((each) => each >= at);
      expect(rowAtOrAfter(time, at)).toBe(walk === -1 ? time.length : walk);
    });
  });

  it('takes a bar by its start: the end of a window belongs to the next', () => {
    expect(rowsBetween(edges, open, session.close)).toEqual({ from: 2, to: 5 });
    expect(rowsBetween(edges, session.close, session.postClose)).toEqual({ from: 5, to: 7 });
    expect(rowsBetween(edges, session.close, session.open)).toEqual({ from: 5, to: 5 });
  });

  it('slices without copying', () => {
    const slice = sliceBars(edges, { from: 2, to: 5 });
    expect(slice.close).toEqual(Float64Array.of(100.5, 100.8, 102));
    expect(slice.volume.buffer).toBe(edges.volume.buffer);
  });
});

describe('windows', () => {
  it.each([
    ['1m', 5, true],
    ['5m', 5, true],
    ['5m', 15, true],
    ['1h', 15, false],
    ['1h', 60, true],
    ['1h', 390, false],
    ['5m', 390, true],
    [null, 5, false],
  ] as const)('bars of %s fit %i minutes: %s', (interval, minutes, fits) => {
    expect(barFitsWindow(barLengthMs(interval), minutes * MINUTE)).toBe(fits);
  });

  it('refuses hour bars of the full clock hour for the hour after half past nine, and takes those of the half hour', () => {
    const row = (minute: number): [number, number, number, number, number, number] => [minute, 1, 1, 1, 1, 1];
    const clockHours = intradayBars(barsFrom(open, [row(-30), row(30), row(90)]), '1h', session.postClose);
    const halfHours = intradayBars(barsFrom(open, [row(0), row(60)]), '1h', session.postClose);
    expect(windowRows(clockHours, open, open + 60 * MINUTE)).toBeNull();
    expect(windowRows(halfHours, open, open + 60 * MINUTE)).toEqual({ from: 0, to: 1 });
  });

  it('reads a bar from the instant it ends, not before', () => {
    const at = (asOf: number) => windowRows(intradayBars(edges, '1m', asOf), open, session.close);
    expect(at(open + MINUTE - 1)).toEqual({ from: 2, to: 2 });
    expect(at(open + MINUTE)).toEqual({ from: 2, to: 3 });
    expect(at(open + 2 * MINUTE)).toEqual({ from: 2, to: 4 });
  });
});

describe('day parts', () => {
  const bars = intradayBars(edges, '1m', session.postClose);

  it('merges a part: first open, last close, extremes, summed volume', () => {
    expect(regularBar(bars, session)).toEqual({
      time: open,
      lastTime: open + 389 * MINUTE,
      open: 100,
      high: 102.2,
      low: 99.9,
      close: 102,
      volume: 1000,
      bars: 3,
    });
    expect(preMarketBar(bars, session)).toMatchObject({
      open: 99,
      high: 100.1,
      low: 98.8,
      close: 100,
      volume: 30,
    });
    expect(afterHoursBar(bars, session)).toMatchObject({
      open: 102,
      high: 102.4,
      low: 101.9,
      close: 102.05,
      volume: 45,
    });
  });

  it('is null before the first trade of the part, and for a tape without bars', () => {
    expect(regularBar(intradayBars(edges, '1m', open), session)).toBeNull();
    expect(afterHoursBar(intradayBars(edges, '1m', session.close), session)).toBeNull();
    expect(regularBar(intradayBars(barsFrom(open, []), null, session.close), session)).toBeNull();
    expect(priceRange(edges, { from: 3, to: 3 })).toEqual({ high: Number.NaN, low: Number.NaN });
  });

  it('closes a half day at 13:00: what follows is after hours', () => {
    const half = summerSession(day, 13);
    expect(regularBar(bars, half)).toMatchObject({ close: 100.8, volume: 500 });
    expect(afterHoursBar(bars, half)).toMatchObject({ open: 101.8, close: 102.3, volume: 540 });
  });

  it('joins the prior evening and the morning to one night', () => {
    const prior = summerSession(day - DAY);
    const evening = barsFrom(
      prior.close,
      numbers`-1 97 120 80 97 7, 0 97 97.6 96.9 97.5 8, 60 97.5 98.9 97.4 98.5 9`,
    );
    const night = (columns: typeof evening) =>
      overnightBar(intradayBars(columns, '1m', session.postClose), prior, bars, session);
    expect(night(evening)).toEqual({
      time: prior.close,
      lastTime: open - MINUTE,
      open: 97,
      high: 100.1,
      low: 96.9,
      close: 100,
      volume: 47,
      bars: 4,
    });
    expect(night(barsFrom(prior.close, []))).toMatchObject({ open: 99, low: 98.8, volume: 30 });
  });

  it('has no night where the morning cannot be cut at the open', () => {
    const prior = summerSession(day - DAY);
    const hours = intradayBars(barsFrom(open, [[-30, 1, 1, 1, 1, 1]]), '1h', session.postClose);
    expect(overnightBar(intradayBars(barsFrom(open, []), null, 0), prior, hours, session)).toBeNull();
  });

  it('joins what was cut: merging two neighbours is merging them in one', () => {
    forAll([barDay(open, 60), fc.nat(60)], (columns, at) => {
      const to = columns.time.length;
      const cut = Math.min(at, to);
      const joined = joinBars(
        mergeBars(columns, { from: 0, to: cut }),
        mergeBars(columns, { from: cut, to }),
      );
      expect(joined).toEqual(mergeBars(columns, { from: 0, to }));
    });
  });

  it('names the trade date of a summer and of a winter session', () => {
    expect(tradeDay(session)).toBe(day);
    // 09:30 in January is 14:30 UTC.
    const winter = Date.UTC(2024, 0, 2);
    expect(tradeDay({ ...session, open: winter + 14.5 * 60 * MINUTE })).toBe(winter);
  });
});

describe('a recorded SPY session, 2013-10-10', () => {
  it('has the day parts that a separate program computed from the file', async ({ skip }) => {
    const path = leanMinuteFile('spy', '20131010');
    if (path === null) return skip(ABSENT);
    const bars = intradayBars(await leanMinutes(path, day), '1m', session.postClose);
    // The regular volume is also that of the vendor's daily file.
    expect(regularBar(bars, session)).toMatchObject(figures`
      open 167.32, high 169.24, low 167.23, close 169.24, volume 157839488, bars 390`);
    expect(preMarketBar(bars, session)).toMatchObject(figures`
      open 166.43, high 167.33, low 165.57, close 167.28, volume 6439515, bars 269`);
    expect(afterHoursBar(bars, session)).toMatchObject(figures`
      open 169.18, high 169.24, low 167.74, close 168.75, volume 26653676, bars 224`);
  });
});
