import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createCalendar, DAY_MS, dateOf, midnightUtc, newYorkCalendar } from '../../../src/base/calendar.ts';
import { fixedClock, systemClock } from '../../../src/base/clock.ts';

const calendar = newYorkCalendar();
const utc = (text: string): number => Date.parse(text);
const weekdays = datesBetween('1990-01-01', '2030-12-31').filter((date) => ![0, 6].includes(weekday(date)));

describe('the exchange calendar of 1990-2030, day by day', () => {
  const figures = new URL('../../../fixtures/calendar/nyse-1990-2030.json', import.meta.url);
  const nyse: { closed: Record<string, string[]>; earlyCloses: Record<string, Record<string, string>> } =
    JSON.parse(readFileSync(figures, 'utf8'));

  it('is closed on exactly the weekdays on which NYSE is closed', () => {
    const expected = Object.entries(nyse.closed).flatMap(([year, days]) =>
      days.map((day) => `${year}-${day}`),
    );
    expect(expected).toHaveLength(375);
    expect(weekdays.filter((date) => !calendar.isSession(date))).toEqual(expected);
  });

  it('closes early on exactly the days and at the hours of NYSE', () => {
    const expected = new Map(
      Object.entries(nyse.earlyCloses).flatMap(([year, closes]) =>
        Object.entries(closes).map(([day, time]): [string, string] => [`${year}-${day}`, time]),
      ),
    );
    expect(expected.size).toBe(88);
    // Two storms that the figures leave out and NYSE's own list of special closings has.
    expected.set('1994-02-11', '14:30').set('1996-01-08', '14:00');
    const ours = new Map(
      weekdays
        .map((date) => calendar.session(date))
        .filter((session) => session?.earlyClose)
        .map((session): [string, string] => [session!.tradeDate, newYorkTime(session!.close)]),
    );
    expect(Object.fromEntries(ours)).toEqual(Object.fromEntries(expected));
  });

  it('opens at 09:30 but for the blizzard of 1996 and the first anniversary of September 11', () => {
    const late = weekdays
      .map((date) => calendar.session(date))
      .filter((session) => session !== null && newYorkTime(session.open) !== '09:30')
      .map((session) => [session!.tradeDate, newYorkTime(session!.open)]);
    expect(late).toEqual([
      ['1996-01-08', '11:00'],
      ['2002-09-11', '12:00'],
    ]);
  });

  it('holds extended trading from 04:00 to 20:00, on half days to four hours after the close', () => {
    for (const date of calendar.sessionsBetween('1990-01-01', '2030-12-31')) {
      const session = calendar.session(date)!;
      assert.equal(newYorkTime(session.midnight), '00:00');
      assert.equal(newYorkTime(session.preOpen), '04:00');
      if (!session.earlyClose) assert.equal(newYorkTime(session.postClose), '20:00');
      else assert.equal(session.postClose - session.close, 4 * 3_600_000);
    }
  });
});

describe('a session', () => {
  it('has the instants of New York winter and summer time', () => {
    expect(calendar.session('2024-01-02')).toEqual({
      tradeDate: '2024-01-02',
      midnight: utc('2024-01-02T05:00:00Z'),
      preOpen: utc('2024-01-02T09:00:00Z'),
      open: utc('2024-01-02T14:30:00Z'),
      close: utc('2024-01-02T21:00:00Z'),
      postClose: utc('2024-01-03T01:00:00Z'),
      end: utc('2024-01-03T09:00:00Z'),
      earlyClose: false,
    });
    expect(calendar.session('2024-07-03')).toEqual({
      tradeDate: '2024-07-03',
      midnight: utc('2024-07-03T04:00:00Z'),
      preOpen: utc('2024-07-03T08:00:00Z'),
      open: utc('2024-07-03T13:30:00Z'),
      close: utc('2024-07-03T17:00:00Z'),
      postClose: utc('2024-07-03T21:00:00Z'),
      end: utc('2024-07-05T08:00:00Z'),
      earlyClose: true,
    });
  });

  // Summer time began on the first Sunday of April until 2006 and on the second of March since; it ended on the last
  // Sunday of October until 2006 and on the first of November since.
  it.each([
    ['2006-03-31', '14:30'],
    ['2006-04-03', '13:30'],
    ['2006-10-27', '13:30'],
    ['2006-10-30', '14:30'],
    ['2007-03-09', '14:30'],
    ['2007-03-12', '13:30'],
    ['2007-11-02', '13:30'],
    ['2007-11-05', '14:30'],
  ])('of %s opens at %s UTC', (date, time) => {
    expect(calendar.session(date)!.open).toBe(utc(`${date}T${time}:00Z`));
  });

  it('is found by any instant of its trading and by none outside', () => {
    const { preOpen, open, postClose } = calendar.session('2024-11-29')!;
    for (const instant of [preOpen, open, postClose - 1]) {
      expect(calendar.sessionHolding(instant)?.tradeDate).toBe('2024-11-29');
    }
    for (const instant of [
      preOpen - 1,
      postClose,
      utc('2024-11-28T15:00:00Z'),
      utc('2024-11-30T15:00:00Z'),
    ]) {
      expect(calendar.sessionHolding(instant)).toBeNull();
    }
    expect(calendar.sessionHolding(Number.NaN)).toBeNull();
    expect(calendar.sessionHolding(utc('1989-12-29T15:00:00Z'))).toBeNull();
  });
});

describe('why there is no session', () => {
  it.each([
    ['2024-01-06', 'weekend'],
    ['1994-04-27', 'funeral of President Nixon'],
    ['2001-09-13', 'attacks of September 11'],
    ['2012-10-30', 'Hurricane Sandy'],
    ['2018-12-05', 'day of mourning for President George H. W. Bush'],
    ['2025-01-09', 'day of mourning for President Carter'],
    ['2006-01-02', "New Year's Day (observed)"],
    ['2024-01-15', 'Martin Luther King Jr. Day'],
    ['2024-02-19', "Washington's Birthday"],
    ['2024-03-29', 'Good Friday'],
    ['2024-05-27', 'Memorial Day'],
    ['2022-06-20', 'Juneteenth (observed)'],
    ['2027-06-18', 'Juneteenth (observed)'],
    ['2026-07-03', 'Independence Day (observed)'],
    ['2021-07-05', 'Independence Day (observed)'],
    ['2024-09-02', 'Labor Day'],
    ['2024-11-28', 'Thanksgiving Day'],
    ['2021-12-24', 'Christmas Day (observed)'],
    ['1989-12-29', 'outside the calendar'],
    ['2031-01-02', 'outside the calendar'],
    ['2021-02-30', 'not a date'],
  ])('on %s: %s', (date, reason) => {
    expect(calendar.reason(date)).toBe(reason);
    expect(calendar.isSession(date)).toBe(false);
    expect(calendar.session(date)).toBeNull();
  });

  // A New Year's Day on Saturday is not kept on Friday; Martin Luther King's day began in 1998, Juneteenth in 2022.
  it.each(['1993-12-31', '2021-12-31', '2027-12-31', '1997-01-20', '2021-06-18', '2001-09-17', '2024-07-03'])(
    'none on %s, which is a session',
    (date) => {
      expect(calendar.reason(date)).toBeNull();
      expect(calendar.isSession(date)).toBe(true);
    },
  );
});

describe('from one session to another', () => {
  it('steps over weekends and closures, from sessions and from days that are none', () => {
    expect(calendar.previousSession('2001-09-17')).toBe('2001-09-10');
    expect(calendar.nextSession('2001-09-10')).toBe('2001-09-17');
    expect(calendar.previousSession('2001-09-12')).toBe('2001-09-10');
    expect(calendar.nextSession('2024-11-28')).toBe('2024-11-29');
  });

  it('ends at the edges and knows nothing beyond them', () => {
    expect(calendar.previousSession('1990-01-02')).toBeNull();
    expect(calendar.nextSession('1990-01-01')).toBe('1990-01-02');
    expect(calendar.nextSession('2030-12-31')).toBeNull();
    expect(calendar.nextSession('1985-05-05')).toBeNull();
    expect(calendar.previousSession('2031-05-05')).toBeNull();
    expect(calendar.previousSession('yesterday')).toBeNull();
  });

  it('names the nearest session, the earlier of two', () => {
    expect(calendar.nearestSession('2024-01-02')).toBe('2024-01-02');
    expect(calendar.nearestSession('2024-01-06')).toBe('2024-01-05');
    expect(calendar.nearestSession('2024-01-07')).toBe('2024-01-08');
    // Thursday between two sessions.
    expect(calendar.nearestSession('2024-11-28')).toBe('2024-11-27');
    expect(calendar.nearestSession('1970-01-01')).toBe('1990-01-02');
    expect(calendar.nearestSession('2050-01-01')).toBe('2030-12-31');
    expect(calendar.nearestSession('2024-13-01')).toBeNull();
  });

  it('lists and counts both ends, and only sessions that it knows', () => {
    expect(calendar.sessionsBetween('2024-11-27', '2024-12-02')).toEqual([
      '2024-11-27',
      '2024-11-29',
      '2024-12-02',
    ]);
    // NYSE had 252 trading days in 2024 and 250 in 2025.
    expect(calendar.sessionCount('2024-01-01', '2024-12-31')).toBe(252);
    expect(calendar.sessionCount('2025-01-01', '2025-12-31')).toBe(250);
    expect(calendar.sessionCount('2024-12-02', '2024-11-27')).toBe(0);
    expect(calendar.sessionCount('2024-01-06', '2024-01-07')).toBe(0);
    expect(calendar.sessionCount('1980-01-01', '1990-01-03')).toBe(2);
    expect(calendar.sessionCount('2024-01-01', 'soon')).toBe(0);
    expect(calendar.sessionsBetween('1970-01-01', '1980-01-01')).toEqual([]);
  });

  it('counts places from 0', () => {
    expect(calendar.sessionIndex('1990-01-02')).toBe(0);
    expect(calendar.sessionIndex('2024-01-06')).toBe(-1);
    expect(calendar.sessionAt(0)?.tradeDate).toBe('1990-01-02');
    expect(calendar.sessionAt(-1)).toBeNull();
    expect(calendar.sessionAt(10_322)).toBeNull();
  });

  it('agrees with itself from every day', () => {
    const day = fc
      .integer({ min: midnightUtc('1990-01-03') / DAY_MS, max: midnightUtc('2030-12-30') / DAY_MS })
      .map((days) => dateOf(days * DAY_MS));
    fc.assert(
      fc.property(day, day, (date, other) => {
        const [from, to] = date < other ? [date, other] : [other, date];
        const dates = calendar.sessionsBetween(from, to);
        expect(dates).toEqual(datesBetween(from, to).filter((each) => calendar.isSession(each)));
        expect(calendar.sessionCount(from, to)).toBe(dates.length);
        expect(calendar.previousSession(calendar.nextSession(date)!)).toBe(
          calendar.isSession(date) ? date : calendar.previousSession(date),
        );
        const index = calendar.sessionIndex(calendar.nearestSession(date)!);
        expect(calendar.sessionAt(index)?.tradeDate).toBe(calendar.nearestSession(date));
      }),
      { numRuns: 30 },
    );
  });
});

describe('a calendar of other data', () => {
  const empty = { first: '2026-01-01', last: '2027-12-31', closures: [], hours: [] };

  it('takes closures and hours over the rules', () => {
    const other = createCalendar({
      ...empty,
      closures: [{ date: '2026-10-09', name: 'day of mourning' }],
      hours: [
        { date: '2026-09-07', open: '10:00', close: '15:00', name: 'open on Labor Day' },
        { date: '2026-11-27', name: 'a full day after Thanksgiving' },
      ],
    });
    expect(other.reason('2026-10-09')).toBe('day of mourning');
    expect(other.nextSession('2026-10-08')).toBe('2026-10-12');
    expect(other.session('2026-09-07')).toMatchObject({
      open: utc('2026-09-07T14:00:00Z'),
      close: utc('2026-09-07T19:00:00Z'),
      postClose: utc('2026-09-07T23:00:00Z'),
      earlyClose: true,
    });
    expect(other.session('2026-11-27')!.earlyClose).toBe(false);
  });

  it('reaches as far as they say', () => {
    const other = createCalendar(empty);
    expect([other.first, other.last]).toEqual(['2026-01-01', '2027-12-31']);
    expect(other.reason('2025-12-31')).toBe('outside the calendar');
    expect(other.sessionAt(0)?.tradeDate).toBe('2026-01-02');
    const weekend = createCalendar({ ...empty, first: '2026-01-03', last: '2026-01-04' });
    expect(weekend.nearestSession('2026-01-03')).toBeNull();
  });
});

describe('clocks', () => {
  it('are fixed or run with the machine', () => {
    expect(fixedClock(1_704_205_800_000).now()).toBe(1_704_205_800_000);
    const before = Date.now();
    const now = systemClock.now();
    expect(now).toBeGreaterThanOrEqual(before);
    expect(now).toBeLessThanOrEqual(Date.now());
  });
});

function datesBetween(from: string, to: string): string[] {
  const dates: string[] = [];
  for (let day = utc(from); day <= utc(to); day += 86_400_000)
    dates.push(new Date(day).toISOString().slice(0, 10));
  return dates;
}

function weekday(date: string): number {
  return new Date(date).getUTCDay();
}

/** What a New York clock shows, by Temporal. */
function newYorkTime(instant: number): string {
  const zoned = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO('America/New_York');
  return zoned.toPlainTime().toString().slice(0, 5);
}
