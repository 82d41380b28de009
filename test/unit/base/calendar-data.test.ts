import { describe, expect, it } from 'vitest';
import { parseCalendarData, readCalendarData } from '../../../src/base/calendar-data.ts';

const good = {
  first: '2020-01-01',
  last: '2026-12-31',
  closures: [{ date: '2025-01-09', name: 'day of mourning' }],
  hours: [{ date: '2024-07-05', close: '13:00', name: 'short Friday' }],
};

describe('the calendar data file', () => {
  it('is accepted unchanged when nothing is wrong with it', () => {
    expect(parseCalendarData(good)).toEqual(good);
    expect(parseCalendarData({ ...good, about: 'our own' })).toEqual({ ...good, about: 'our own' });
  });

  it('may say from when on an unforeseen special session was known', () => {
    const announced = {
      ...good,
      closures: [{ ...good.closures[0]!, announced: '2024-12-30' }],
      hours: [{ ...good.hours[0]!, announced: '2024-07-05' }],
    };
    expect(parseCalendarData(announced)).toEqual(announced);
  });

  const entry = (change: object) => ({ ...good, closures: [{ ...good.closures[0], ...change }] });
  const hours = (change: object) => ({ ...good, hours: [{ ...good.hours[0], ...change }] });
  it.each<[string, unknown]>([
    ['the file: is not an object', []],
    ['first: is not a text', { ...good, first: undefined }],
    ['first: "2020-1-1" is not a date (YYYY-MM-DD)', { ...good, first: '2020-1-1' }],
    ['first: "1985-01-01" lies before 1990-01-01', { ...good, first: '1985-01-01' }],
    ['last: "2100-01-01" lies after 2099-12-31', { ...good, last: '2100-01-01' }],
    ['last: "2019-12-31" lies before first, "2020-01-01"', { ...good, last: '2019-12-31' }],
    ['the file: has the unknown member "closure"', { ...good, closure: [] }],
    ['closures: is not a list', { ...good, closures: {} }],
    ['closures[0]: is not an object', { ...good, closures: ['2025-01-09'] }],
    ['closures[0]: has the unknown member "reason"', entry({ reason: 'mourning' })],
    ['closures[0].date: "2021-02-30" is not a date (YYYY-MM-DD)', entry({ date: '2021-02-30' })],
    ['closures[0].date: "2025-01-11" is a Saturday', entry({ date: '2025-01-11' })],
    ['closures[0].date: "2027-01-07" lies outside 2020-01-01 to 2026-12-31', entry({ date: '2027-01-07' })],
    ['closures[0].name: is not a text', entry({ name: ' ' })],
    ['closures[0].announced: "2025-01-10" lies after "2025-01-09"', entry({ announced: '2025-01-10' })],
    ['hours[0].announced: "soon" is not a date (YYYY-MM-DD)', hours({ announced: 'soon' })],
    ['hours[0].close: "1pm" is not a time of day (HH:MM)', hours({ close: '1pm' })],
    ['hours[0].open: "25:00" is not a time of day (HH:MM)', hours({ open: '25:00' })],
    ['hours[0]: the session must open before it closes', hours({ open: '13:00' })],
    ['hours[0]: the session must open before it closes', hours({ close: '20:01' })],
    ['hours[0].date: "2025-01-09" is already at closures[0].date', hours({ date: '2025-01-09' })],
  ])('is refused with %s', (fault, value) => {
    expect(() => parseCalendarData(value)).toThrow(fault);
  });

  it('is named when it cannot be read or is not JSON', () => {
    expect(() => readCalendarData('no/such/file.json')).toThrow(
      /the calendar data file no\/such\/file\.json cannot be used: ENOENT/,
    );
    expect(() => readCalendarData(import.meta.filename)).toThrow(
      /calendar-data\.test\.ts cannot be used: .*JSON/,
    );
  });
});
