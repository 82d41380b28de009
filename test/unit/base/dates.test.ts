import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY_MS, dateOf, midnightUtc, midnightUtcOf, parseDate, weekdayOf } from '../../../src/base/dates.ts';
import { words } from '../../support/tables.ts';

// Temporal is the judge of every date of the years 1 to 9999.
const day = fc.integer({ min: Date.UTC(1600, 0, 1) / DAY_MS, max: Date.UTC(9999, 11, 31) / DAY_MS });

describe('dates', () => {
  it('become midnight UTC and text again', () => {
    fc.assert(
      fc.property(day, (days) => {
        const text = new Date(days * DAY_MS).toISOString().slice(0, 10);
        expect(midnightUtc(text)).toBe(days * DAY_MS);
        expect(dateOf(days * DAY_MS)).toBe(text);
        expect(dateOf(days * DAY_MS + DAY_MS - 1)).toBe(text);
        expect(weekdayOf(days * DAY_MS)).toBe(new Date(text).getUTCDay());
      }),
      { numRuns: 2000 },
    );
    expect(midnightUtc('0001-01-01')).toBe(
      Temporal.PlainDate.from('0001-01-01').since('1970-01-01').days * DAY_MS,
    );
    expect(dateOf(midnightUtc('0001-01-01'))).toBe('0001-01-01');
  });

  it('exist or do not', () => {
    const field = fc.integer({ min: -1, max: 33 });
    fc.assert(
      fc.property(fc.integer({ min: 1896, max: 2104 }), field, field, (year, month, dayOfMonth) => {
        expect(Number.isNaN(midnightUtcOf(year, month, dayOfMonth))).toBe(!exists(year, month, dayOfMonth));
      }),
      { numRuns: 5000 },
    );
    expect(midnightUtcOf(2024.5, 1, 1)).toBeNaN();
    expect(midnightUtcOf(Number.NaN, 1, 1)).toBeNaN();
  });

  it('are read as written, YYYY-MM-DD', () => {
    expect(parseDate('2024-02-29')).toBe('2024-02-29');
    expect(parseDate('2000-02-29')).toBe('2000-02-29');
    const refused = words`2021-02-30 2023-02-29 1900-02-29 2024-00-10 2024-13-01 2024-01-00 2024-04-31`;
    const miswritten = [
      '',
      '2024-1-02',
      '20240102',
      '2024-01-02T00:00',
      ' 2024-01-02',
      '2024/01/02',
      '2024-0x-02',
    ];
    for (const text of [...refused, ...miswritten, '+024-01-02', '0000-01-01', '٢٠٢٤-٠١-٠٢']) {
      expect(parseDate(text)).toBeNull();
    }
  });

  it('throws for what is no time', () => {
    expect(() => dateOf(Number.NaN)).toThrow(RangeError);
    expect(() => dateOf(Number.POSITIVE_INFINITY)).toThrow(RangeError);
  });
});

function exists(year: number, month: number, dayOfMonth: number): boolean {
  if (month < 1 || dayOfMonth < 1) return false;
  try {
    Temporal.PlainDate.from({ year, month, day: dayOfMonth }, { overflow: 'reject' });
    return true;
  } catch {
    return false;
  }
}
