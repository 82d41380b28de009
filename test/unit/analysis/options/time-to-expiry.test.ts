import { describe, expect, it } from 'vitest';
import {
  expiryInstant,
  LEAST_MS,
  YEAR_MS,
  yearsToExpiry,
} from '../../../../src/analysis/options/time-to-expiry.ts';
import { newYorkCalendar } from '../../../../src/base/calendar.ts';

const calendar = newYorkCalendar();
const at = (instant: string): number => Date.parse(instant);

describe('the end of a contract', () => {
  it('is the close of its session, in summer and in winter', () => {
    expect(expiryInstant('2026-08-21', calendar)).toBe(at('2026-08-21T20:00:00Z'));
    expect(expiryInstant('2026-01-16', calendar)).toBe(at('2026-01-16T21:00:00Z'));
  });

  it('comes early on a half day', () => {
    expect(expiryInstant('2026-11-27', calendar)).toBe(at('2026-11-27T18:00:00Z'));
  });

  it('is the session before where the date is none: a Saturday of the old monthlies, Good Friday', () => {
    expect(expiryInstant('2014-06-21', calendar)).toBe(at('2014-06-20T20:00:00Z'));
    expect(expiryInstant('2025-04-18', calendar)).toBe(at('2025-04-17T20:00:00Z'));
  });

  it('is unknown of what is no date or lies outside the calendar', () => {
    expect(expiryInstant('2026-13-01', calendar)).toBeNaN();
    expect(expiryInstant('1800-01-01', calendar)).toBeNaN();
  });
});

describe('time to expiry', () => {
  const expiry = at('2026-08-21T20:00:00Z');

  it('is calendar time over 365 days', () => {
    expect(yearsToExpiry(at('2026-08-19T20:00:00Z'), expiry)).toBe(2 / 365);
    expect(yearsToExpiry(expiry - YEAR_MS, expiry)).toBe(1);
  });

  it('counts at least half an hour while the contract lives', () => {
    const least = LEAST_MS / YEAR_MS;
    expect(yearsToExpiry(expiry - LEAST_MS - 1, expiry)).toBeGreaterThan(least);
    expect(yearsToExpiry(expiry - LEAST_MS, expiry)).toBe(least);
    expect(yearsToExpiry(expiry - LEAST_MS + 1, expiry)).toBe(least);
    expect(yearsToExpiry(expiry - 1, expiry)).toBe(least);
  });

  it('ends with the contract', () => {
    expect(yearsToExpiry(expiry, expiry)).toBeNaN();
    expect(yearsToExpiry(expiry + 1, expiry)).toBeNaN();
    expect(yearsToExpiry(Number.NaN, expiry)).toBeNaN();
    expect(yearsToExpiry(expiry, Number.NaN)).toBeNaN();
    expect(yearsToExpiry(Number.NEGATIVE_INFINITY, expiry)).toBeNaN();
  });
});
