import { describe, expect, it } from 'vitest';
import { instantOf, numberedDate, timeReader } from '../../../src/files/times.ts';

const newYork = timeReader('America/New_York', 'month-first');
const dayFirst = timeReader('America/New_York', 'day-first');
const iso = (read: ReturnType<typeof timeReader>, date: string, clock?: string): string => {
  const { instant } = read(date, clock);
  return Number.isNaN(instant) ? 'none' : new Date(instant).toISOString();
};

describe('times as vendors write them', () => {
  /** All the same instant. */
  it.each([
    '2024-06-12 09:30:00',
    '2024-06-12T09:30:00.000',
    '2024-06-12T13:30:00Z',
    '2024-06-12T13:30:00+00:00',
    '2024-06-12 09:30:00-04:00',
    '2024-06-12 09:30:00 -0400',
    '20240612 09:30:00',
    '20240612  09:30:00',
    '20240612-09:30:00',
    '20240612 09:30:00 US/Eastern',
    '20240612 08:30:00 America/Chicago',
    '202406120930',
    '20240612093000',
    '2024.06.12 09:30',
    '2024/06/12 09:30',
    '2024-6-12 9:30',
    '06/12/2024 09:30',
    '6/12/24 9:30 AM',
    '06/12/2024 09:30:00 EDT',
    'Jun 12, 2024 9:30 a.m. ET',
    'June 12, 2024 at 9:30 AM EDT',
    'Wed, 12 Jun 2024 13:30:00 GMT',
    '12-Jun-2024 09:30',
    '12 Jun 24 09:30',
    '1718199000',
    '1718199000.0',
    '1718199000000',
    '1718199000000000',
    '1718199000000000000',
  ])('reads %s', (text) => {
    expect(iso(newYork, text)).toBe('2024-06-12T13:30:00.000Z');
  });

  it.each([
    ['2024-06-12', '9:30'],
    ['2024-06-12', '093000'],
    ['06/12/2024', '9:30 AM'],
    ['2024-06-12 00:00:00', '09:30:00'],
    ['20240612', '09:30:00 -0400'],
  ])('reads %s and %s in two columns', (date, clock) => {
    expect(iso(newYork, date, clock)).toBe('2024-06-12T13:30:00.000Z');
  });

  it('reads the afternoon', () => {
    expect(iso(newYork, 'July 9, 2022 at 5:28 p.m. EDT')).toBe('2022-07-09T21:28:00.000Z');
    expect(iso(newYork, '2022-07-08 12:05 AM')).toBe('2022-07-08T04:05:00.000Z');
    expect(iso(newYork, '2022-07-08 12:05 PM')).toBe('2022-07-08T16:05:00.000Z');
  });

  it('reads day and month in the stated order, and without one not at all', () => {
    expect(iso(dayFirst, '03/04/2024')).toBe('2024-04-03T04:00:00.000Z');
    expect(iso(newYork, '03/04/2024')).toBe('2024-03-04T05:00:00.000Z');
    expect(iso(timeReader('UTC'), '03/04/2024')).toBe('none');
    expect(numberedDate('03/04/2024 10:00')).toEqual([3, 4]);
    expect(numberedDate('2024.06.12')).toBeNull();
  });

  it.each([
    'yesterday',
    '2024-13-01',
    '2024-02-30',
    '2024-06-12 25:00',
    '2024-06-12 13:30 PM',
    '2024-06-12 09:30 XYZ',
    '2024-06-12 09:30 Mars/Base',
    '2024-03-10 02:30',
    '12',
    '',
  ])('reads no time in %j', (text) => {
    expect(iso(newYork, text)).toBe('none');
  });

  it('tells whether the text names the clock', () => {
    expect(newYork('2024-06-12 09:30').hasZone).toBe(false);
    expect(newYork('2024-06-12 09:30 EDT').hasZone).toBe(true);
    expect(newYork('1718199000').hasZone).toBe(true);
  });

  it('takes for an instant what names its clock, and the first whole millisecond of a finer one', () => {
    const at = Date.parse('2024-06-12T13:30:00.301Z');
    expect(instantOf('2024-06-12T13:30:00.300913Z')).toBe(at);
    expect(instantOf('2024-06-12T13:30:00.301000Z')).toBe(at);
    expect(instantOf('1718199000300913000')).toBe(at);
    expect(instantOf('1718199000301000000')).toBe(at);
    expect(instantOf('20240612133000 UTC')).toBe(at - 301);
    expect(instantOf('2024-06-12 13:30:00.301')).toBeNaN();
    expect(instantOf('2024-06-12 13:30:00.301', true)).toBe(at);
    expect(instantOf('2024-06-12', true)).toBeNaN();
  });

  it('takes midnight of UTC or of New York for its date', () => {
    const dayOf = (text: string) => new Date(newYork(text).day).toISOString().slice(0, 10);
    expect(dayOf('2024-06-12T04:00:00Z')).toBe('2024-06-12');
    expect(dayOf('2024-06-12T00:00:00Z')).toBe('2024-06-12');
    expect(dayOf('2024-06-11T20:00:00-04:00')).toBe('2024-06-12');
    expect(dayOf('2024-06-12 00:00:00-04:00')).toBe('2024-06-12');
    expect(dayOf('1718150400')).toBe('2024-06-12');
  });
});
