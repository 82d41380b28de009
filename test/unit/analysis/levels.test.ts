import { describe, expect, it } from 'vitest';
import {
  type ClosePosition,
  centralPivotRange,
  floorPivots,
  initialBalance,
  type LevelsInput,
  levels,
  nextOpeningRangeStatus,
  type OpeningRangeStatus,
  openingRange,
  priorDay,
  priorMonthRange,
  priorWeekRange,
} from '../../../src/analysis/levels.ts';
import { intradayBars } from '../../../src/analysis/sessions.ts';
import type { BarColumns } from '../../../src/market/observations.ts';
import { forAll, wholeBetween } from '../../support/for-all.ts';
import { ABSENT } from '../../support/real-data.ts';
import { expectClose, figures, numbers } from '../../support/tables.ts';
import {
  barDay,
  barsFrom,
  closesFrom,
  cutAt,
  DAY,
  leanMinuteFile,
  leanMinutes,
  MINUTE,
  mapColumns,
  type Row,
  summerSession,
} from './made-up-days.ts';

const day = Date.UTC(2013, 9, 10);
const session = summerSession(day);
const priorSession = summerSession(day - DAY);
const { open, close } = session;
const nothing = barsFrom(0, []);

const dollars = wholeBetween(100, 90_000).map((cents) => cents / 100);

describe('floor pivots', () => {
  it('agree with the published example of all seven levels', () => {
    // High 62.34, low 61.37, close 62.15: public StockIndicators library (C#), StandardPivotPointsTests, 4 decimals.
    const published = figures`
      r3 63.5067, r2 62.9233, r1 62.5367, pivot 61.9533, s1 61.5667, s2 60.9833, s3 60.5967`;
    expectClose(floorPivots(62.34, 61.37, 62.15), published, 4);
  });

  it('agree with a second source on the first two pairs, where the variants do not differ', () => {
    // High 129.7, low 126.9, close 127.35: Zerodha support pages on the CPR, which draw another third pair.
    const published = figures`pivot 127.98, s1 126.27, s2 125.18, r1 129.07, r2 130.78`;
    expectClose(floorPivots(129.7, 126.9, 127.35), published, 2);
  });

  it('mirror: resistances of a day are the supports of the day turned upside down', () => {
    forAll([dollars, dollars, dollars], (a, b, c) => {
      const [low, middle, high] = [a, b, c].sort((one, other) => one - other) as [number, number, number];
      const up = floorPivots(high, low, middle);
      const down = floorPivots(-low, -high, -middle);
      expect(down.pivot).toBeCloseTo(-up.pivot, 8);
      expect(down.s1).toBeCloseTo(-up.r1, 8);
      expect(down.s2).toBeCloseTo(-up.r2, 8);
      expect(down.s3).toBeCloseTo(-up.r3, 8);
    });
  });

  it('are not defined without a prior session', () => {
    const prior = priorDay(nothing, -1);
    expect(prior).toEqual({ high: Number.NaN, low: Number.NaN, close: Number.NaN });
    expect(Object.values(floorPivots(prior.high, prior.low, prior.close))).toEqual(Array(7).fill(Number.NaN));
  });
});

describe('central pivot range', () => {
  it('agrees with the published example', () => {
    // High 16610, low 16486.45, close 16602.2: Zerodha support pages, "How are the pivot points derived".
    const range = centralPivotRange(16610, 16486.45, 16602.2);
    expect(range.bottom).toBeCloseTo(16548.23, 1);
    expect(range.top).toBeCloseTo(16584.21, 1);
  });

  it('swaps the labels after a close in the lower half', () => {
    // P = (110+100+101)/3 = 103.666..., (H+L)/2 = 105, 2P - 105 = 102.333...: the formula's TC is the lower line.
    const range = centralPivotRange(110, 100, 101);
    expect(range.top).toBe(105);
    expect(range.bottom).toBeCloseTo(102 + 1 / 3, 10);
  });

  it('always encloses the pivot, at its middle', () => {
    forAll([dollars, dollars, dollars], (a, b, c) => {
      const [low, middle, high] = [a, b, c].sort((one, other) => one - other) as [number, number, number];
      const { top, bottom } = centralPivotRange(high, low, middle);
      expect(top).toBeGreaterThanOrEqual(bottom);
      expect((top + bottom) / 2).toBeCloseTo((high + low + middle) / 3, 8);
    });
  });
});

describe('initial balance', () => {
  // 09:29 and 10:30 lie outside the hour; within it 100 to 102.
  const hour = barsFrom(
    open,
    numbers`
    -1 90 90 90 90 1, 0 101 101.5 100.5 101 1, 20 101 102 100.8 101 1, 59 101 101 100 100.5 1,
    60 110 110 95 95 1`,
  );
  const at = (minute: number) => initialBalance(intradayBars(hour, '1m', open + minute * MINUTE), session);

  it('adds half a range and a whole range beyond the edges', () => {
    expect(at(60)).toEqual({
      high: 102,
      low: 100,
      range: 2,
      high15x: 103,
      high2x: 104,
      low15x: 99,
      low2x: 98,
      developing: false,
    });
  });

  it('is not defined before its first bar, develops until 10:30, and is fixed from then on', () => {
    expect(at(0)).toMatchObject({ high: Number.NaN, low2x: Number.NaN, developing: false });
    expect(at(1)).toMatchObject({ high: 101.5, low: 100.5, range: 1, developing: true });
    expect(at(59)).toMatchObject({ high: 102, low: 100.5, developing: true });
    expect(at(300)).toEqual(at(60));
  });

  it('is made by five-minute bars and not by hour bars that reach over its edges', () => {
    const five = barsFrom(open, [[0, 5, 6, 4, 5, 1]], 5);
    expect(initialBalance(intradayBars(five, '5m', close), session)).toMatchObject({ high: 6, low: 4 });
    const clockHour = barsFrom(open, [[30, 5, 6, 4, 5, 1]]);
    expect(initialBalance(intradayBars(clockHour, '1h', close), session).high).toBeNaN();
  });
});

describe('opening range status', () => {
  // Every state against every close. Between the edges a break fails, beyond an edge it breaks there, whatever was.
  const table: Record<OpeningRangeStatus, Record<ClosePosition, OpeningRangeStatus>> = {
    inside: { above: 'breakout_up', within: 'inside', below: 'breakout_down' },
    breakout_up: { above: 'breakout_up', within: 'failed_breakout_up', below: 'breakout_down' },
    breakout_down: { above: 'breakout_up', within: 'failed_breakout_down', below: 'breakout_down' },
    failed_breakout_up: { above: 'breakout_up', within: 'failed_breakout_up', below: 'breakout_down' },
    failed_breakout_down: { above: 'breakout_up', within: 'failed_breakout_down', below: 'breakout_down' },
  };
  const cells = Object.entries(table).flatMap(([from, row]) =>
    Object.entries(row).map(([position, to]) => [from, position, to] as const),
  );

  it.each(cells)('%s, close %s: %s', (from, position, to) => {
    expect(nextOpeningRangeStatus(from as OpeningRangeStatus, position as ClosePosition)).toBe(to);
  });

  // The first five closes make the range 99 to 101.
  const range = [100, 101, 99, 100, 100];
  const status = (after: readonly number[]) => {
    const bars = intradayBars(closesFrom(open, [...range, ...after]), '1m', close);
    return openingRange(bars, session, 5);
  };

  it.each([
    [[], 'inside'],
    [[101, 99, 100.5], 'inside'],
    [[101.01], 'breakout_up'],
    [[101.01, 102, 103], 'breakout_up'],
    [[98.99], 'breakout_down'],
    [[102, 101], 'failed_breakout_up'],
    [[98, 99], 'failed_breakout_down'],
    [[102, 100, 98], 'breakout_down'],
    [[102, 100, 98, 99.5], 'failed_breakout_down'],
    [[102, 100, 102], 'breakout_up'],
    [[102, 98], 'breakout_down'],
    [[98, 102, 98, 100], 'failed_breakout_down'],
  ] as const)('closes %j after the window: %s', (after, expected) => {
    expect(status(after)).toMatchObject({ high: 101, low: 99, status: expected });
  });

  it('breaks by closes only: a wick beyond the range is none', () => {
    const rows: Row[] = numbers`0 100 101 99 100 1, 5 100 105 95 100 1`;
    const bars = intradayBars(barsFrom(open, rows), '1m', close);
    expect(openingRange(bars, session, 5).status).toBe('inside');
  });

  it('has no status before the window closes, and develops meanwhile', () => {
    const bars = (minute: number) => intradayBars(closesFrom(open, range), '1m', open + minute * MINUTE);
    const at = (minute: number) => {
      const { high, low, developing, status } = openingRange(bars(minute), session, 5);
      return [high, low, developing, status];
    };
    expect(at(0)).toEqual([Number.NaN, Number.NaN, false, null]);
    expect(at(2)).toEqual([101, 100, true, null]);
    expect(at(5)).toEqual([101, 99, false, 'inside']);
  });

  it('has none for a stock that did not trade in the window', () => {
    const late = intradayBars(barsFrom(open, [[40, 5, 6, 4, 5, 1]]), '1m', close);
    expect(openingRange(late, session, 15)).toMatchObject({
      high: Number.NaN,
      status: null,
      developing: false,
    });
  });

  it('ends with the regular session', () => {
    const rows: Row[] = numbers`0 100 101 99 100 1, 390 150 150 150 150 1`;
    const bars = intradayBars(barsFrom(open, rows), '1m', session.postClose);
    expect(openingRange(bars, session, 5).status).toBe('inside');
  });

  it('is made by five-minute bars, and not by hour bars', () => {
    const rows: Row[] = numbers`0 100 101 99 100 1, 3 100 103 100 102 1`;
    const five = intradayBars(barsFrom(open, rows, 5), '5m', close);
    expect(openingRange(five, session, 15)).toMatchObject({ high: 101, low: 99, status: 'breakout_up' });
    const hours = intradayBars(barsFrom(open, rows, 60), '1h', close);
    expect(openingRange(hours, session, 15)).toMatchObject({ high: Number.NaN, status: null });
  });
});

describe('prior week and month', () => {
  // Thursday 2013-10-10. Its prior week is 09-30 to 10-04, its prior month September.
  const daily = (first: number): BarColumns => {
    const rows: Row[] = [];
    for (let at = first; at < day; at += DAY) {
      const weekday = new Date(at).getUTCDay();
      if (weekday === 0 || weekday === 6) continue;
      // The high is the day of the year, so that the expected figures can be read from a calendar.
      const number = Math.round((at - Date.UTC(2013, 0, 1)) / DAY) + 1;
      rows.push([at / MINUTE, 1, number, 1000 - number, 1, 1]);
    }
    return barsFrom(0, rows);
  };

  it('take the whole calendar period before', () => {
    // Friday 2013-10-04 is day 277 and Monday 09-30 day 273; Monday 09-02 is day 245.
    expect(priorWeekRange(daily(Date.UTC(2013, 7, 1)), session)).toEqual({ high: 277, low: 723 });
    expect(priorMonthRange(daily(Date.UTC(2013, 7, 1)), session)).toEqual({ high: 273, low: 727 });
  });

  it('on a Monday the week that ended three days before, in January the December of the year before', () => {
    const history = daily(Date.UTC(2013, 7, 1));
    const monday = summerSession(Date.UTC(2013, 9, 7));
    expect(priorWeekRange(history, monday)).toEqual({ high: 277, low: 723 });
    const december = barsFrom(0, [
      [Date.UTC(2012, 10, 30) / MINUTE, 1, 9, 1, 1, 1],
      [Date.UTC(2012, 11, 3) / MINUTE, 1, 7, 3, 1, 1],
      [Date.UTC(2012, 11, 31) / MINUTE, 1, 8, 4, 1, 1],
      [Date.UTC(2013, 0, 2) / MINUTE, 1, 99, 1, 1, 1],
    ]);
    expect(priorMonthRange(december, summerSession(Date.UTC(2013, 0, 3)))).toEqual({ high: 8, low: 3 });
  });

  it('are not defined where the history begins within the period', () => {
    expect(priorWeekRange(daily(Date.UTC(2013, 9, 1)), session).high).toBeNaN();
    expect(priorMonthRange(daily(Date.UTC(2013, 8, 2)), session).high).toBeNaN();
  });
});

describe('all levels of a day', () => {
  const daily = barsFrom(0, [
    [(day - 2 * DAY) / MINUTE, 1, 9, 1, 5, 1],
    [(day - DAY) / MINUTE, 61.5, 62.34, 61.37, 62.15, 1],
  ]);
  const input = (intraday: BarColumns, asOf: number): LevelsInput => ({
    daily,
    priorRow: 1,
    intraday,
    intradayInterval: '1m',
    priorIntraday: barsFrom(priorSession.close, [[0, 62, 63, 61, 62, 5]]),
    priorIntradayInterval: '1m',
    session,
    priorSession,
    asOf,
  });

  it('know nothing of later bars', () => {
    const anyDay = barDay(session.preOpen + 300 * MINUTE);
    forAll([anyDay, wholeBetween(290, 760), wholeBetween(1, 9)], { numRuns: 60 }, (bars, minute, factor) => {
      const asOf = session.preOpen + minute * MINUTE;
      const known = levels(input(cutAt(bars, asOf - MINUTE + 1), asOf));
      expect(levels(input(bars, asOf))).toEqual(known);
      const later = bars.time.findIndex((time) => time > asOf - MINUTE);
      const other = mapColumns(bars, (column) =>
        column === bars.time ? column : column.map((each, row) => (row >= later ? each * factor : each)),
      );
      expect(levels(input(later === -1 ? bars : other, asOf))).toEqual(known);
    });
  });

  it('are all undefined on an empty tape', () => {
    const found = levels({ ...input(nothing, close), daily: nothing, priorRow: -1, priorIntraday: nothing });
    expect(found.pivots.pivot).toBeNaN();
    expect(found.centralPivotRange.top).toBeNaN();
    expect(found.overnight).toEqual({ high: Number.NaN, low: Number.NaN });
    expect(found.initialBalance.range).toBeNaN();
    expect(found.openingRange30.status).toBeNull();
    expect(found.vwap.upper1).toBeNaN();
    expect(found.priorWeek.low).toBeNaN();
  });
});

describe('recorded SPY sessions', () => {
  it('have the levels that a separate program computed from the files', async ({ skip }) => {
    const path = leanMinuteFile('spy', '20131010');
    const priorPath = leanMinuteFile('spy', '20131009');
    if (path === null || priorPath === null) return skip(ABSENT);
    const found = levels({
      // High, low and close of 2013-10-09 as in the vendor's daily file.
      daily: barsFrom(0, [[(day - DAY) / MINUTE, 165.82, 166.2, 164.53, 165.57, 143_898_404]]),
      priorRow: 0,
      intraday: await leanMinutes(path, day),
      intradayInterval: '1m',
      priorIntraday: await leanMinutes(priorPath, day - DAY),
      priorIntradayInterval: '1m',
      session,
      priorSession,
      asOf: session.postClose,
    });
    expect(found.overnight).toEqual({ high: 167.33, low: 165.28 });
    expect(found.initialBalance).toMatchObject({ high: 167.97, low: 167.23, developing: false });
    expect(found.initialBalance.high2x).toBeCloseTo(168.71, 10);
    const range = (high: number) => ({ high, low: 167.23, status: 'breakout_up' });
    expect(found.openingRange5).toMatchObject(range(167.48));
    expect(found.openingRange15).toMatchObject(range(167.76));
    expect(found.openingRange30).toMatchObject(range(167.9));
  });

  it('report the back and forth of 2013-10-09', async ({ skip }) => {
    const path = leanMinuteFile('spy', '20131009');
    if (path === null) return skip(ABSENT);
    const bars = intradayBars(await leanMinutes(path, day - DAY), '1m', session.preOpen);
    const range = (minutes: 5 | 30) => openingRange(bars, priorSession, minutes);
    expect(range(5)).toMatchObject({ high: 165.82, low: 165.55, status: 'failed_breakout_down' });
    expect(range(30)).toMatchObject({ high: 165.82, low: 165.18, status: 'failed_breakout_up' });
  });
});
