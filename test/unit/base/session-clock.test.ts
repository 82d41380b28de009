import { describe, expect, it } from 'vitest';
import { newYorkCalendar, newYorkMidnight } from '../../../src/base/calendar.ts';
import { clockMs } from '../../../src/base/calendar-data.ts';
import { expectedSessions, sessionClock } from '../../../src/base/session-clock.ts';

const calendar = newYorkCalendar();
const at = (date: string, clock: string): number => newYorkMidnight(date) + clockMs(clock);
const clockAt = (date: string, clock: string, tradeDate = date) =>
  sessionClock(calendar, tradeDate, at(date, clock));

describe('the phase of trading', () => {
  it.each([
    ['2024-03-05', '03:59', 'closed'],
    ['2024-03-05', '04:00', 'pre_market'],
    ['2024-03-05', '09:29', 'pre_market'],
    ['2024-03-05', '09:30', 'regular'],
    ['2024-03-05', '15:59', 'regular'],
    ['2024-03-05', '16:00', 'after_hours'],
    ['2024-03-05', '20:00', 'closed'],
    // The day after Thanksgiving.
    ['2024-11-29', '12:59', 'regular'],
    ['2024-11-29', '13:00', 'after_hours'],
    ['2024-11-29', '17:00', 'closed'],
    ['2024-03-09', '12:00', 'closed'],
  ])('on %s at %s is %s', (date, clock, phase) => {
    expect(clockAt(date, clock, '2024-03-05').phase).toBe(phase);
  });
});

describe('the next bell', () => {
  it.each([
    ['2024-03-05', '08:00', 'open', '2024-03-05', '09:30'],
    ['2024-03-05', '09:30', 'close', '2024-03-05', '16:00'],
    ['2024-03-05', '16:00', 'open', '2024-03-06', '09:30'],
    ['2024-03-08', '18:00', 'open', '2024-03-11', '09:30'],
    ['2024-03-09', '12:00', 'open', '2024-03-11', '09:30'],
    ['2024-11-29', '10:00', 'close', '2024-11-29', '13:00'],
    // Good Friday.
    ['2024-03-28', '17:00', 'open', '2024-04-01', '09:30'],
  ])('after %s %s is the %s of %s at %s', (date, clock, kind, bellDate, bell) => {
    expect(clockAt(date, clock, '2024-03-05').nextBell).toEqual({ kind, at: at(bellDate, bell) });
  });

  it('is none at the end of the calendar', () => expect(clockAt('2030-12-31', '17:00').nextBell).toBeNull());
});

describe('sessions and departures around a date', () => {
  it('names those beside the trade date, and why a day has none', () => {
    expect(clockAt('2024-03-29', '12:00', '2024-03-28')).toMatchObject({
      closedFor: 'Good Friday',
      previousSession: '2024-03-27',
      nextSession: '2024-04-01',
    });
  });

  it.each([
    ['2024-05-01', '2024-05-27', 'holiday', 'Memorial Day', null],
    ['2024-06-20', '2024-07-03', 'early_close', 'eve of Independence Day', '13:00'],
    ['2024-07-03', '2024-07-04', 'holiday', 'Independence Day', null],
    ['2024-11-28', '2024-11-29', 'early_close', 'day after Thanksgiving', '13:00'],
    ['2002-09-10', '2002-09-11', 'late_open', 'memorial of September 11', '16:00'],
    // The rule gives a half day on Wednesday the 3rd; the exchange kept Friday the 5th.
    ['2002-07-01', '2002-07-04', 'holiday', 'Independence Day', null],
  ])('after %s names %s', (today, date, kind, name, close) => {
    const { nextSpecialSession } = clockAt(today, '12:00', '2002-07-01');
    expect(nextSpecialSession).toMatchObject({ date, kind, name });
    expect(nextSpecialSession!.close).toBe(close === null ? null : at(date, close));
  });
});

describe('an unforeseen closure', () => {
  it('is expected to be a session until it is announced', () => {
    expect(clockAt('2001-09-10', '16:30')).toMatchObject({
      nextSession: '2001-09-11',
      nextBell: { kind: 'open', at: at('2001-09-11', '09:30') },
      nextSpecialSession: { date: '2001-11-22', name: 'Thanksgiving Day' },
    });
    expect(clockAt('2012-10-26', '20:00').nextSession).toBe('2012-10-29');
    expect(clockAt('2012-10-28', '20:00', '2012-10-26')).toMatchObject({
      nextSession: '2012-10-30',
      nextSpecialSession: { date: '2012-10-29', name: 'Hurricane Sandy' },
    });
  });

  it('is known from the day of its announcement on', () => {
    expect(clockAt('2018-11-30', '20:00').nextSpecialSession!.date).toBe('2018-12-24');
    expect(clockAt('2018-12-03', '20:00').nextSpecialSession).toMatchObject({
      date: '2018-12-05',
      kind: 'holiday',
      name: 'day of mourning for President George H. W. Bush',
    });
  });

  it('counts among the sessions ahead as long as it is expected', () => {
    expect(expectedSessions(calendar, '2018-11-30').count('2018-11-30', '2018-12-07')).toBe(5);
    expect(expectedSessions(calendar, '2018-12-03').count('2018-11-30', '2018-12-07')).toBe(4);
  });
});
