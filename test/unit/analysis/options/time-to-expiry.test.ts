import { describe, expect, it } from 'vitest';
import { yearsToExpiry } from '../../../../src/analysis/options/quotes.ts';

const YEAR_MS = 365 * 86_400_000;
const LEAST_MS = 30 * 60_000;
const at = (instant: string): number => Date.parse(instant);

describe('time to expiry', () => {
  const expiry = at('2026-08-21T20:00:00Z');

  it('is calendar time over 365 days', () => {
    expect(yearsToExpiry(at('2026-08-19T20:00:00Z'), expiry)).toBe(2 / 365);
    expect(yearsToExpiry(expiry - YEAR_MS, expiry)).toBe(1);
  });

  it('counts at least half an hour while the contract lives', () => {
    const min = LEAST_MS / YEAR_MS;
    expect(yearsToExpiry(expiry - LEAST_MS - 1, expiry)).toBeGreaterThan(min);
    expect(yearsToExpiry(expiry - LEAST_MS, expiry)).toBe(min);
    expect(yearsToExpiry(expiry - LEAST_MS + 1, expiry)).toBe(min);
    expect(yearsToExpiry(expiry - 1, expiry)).toBe(min);
  });

  it('ends with the contract', () => {
    expect(yearsToExpiry(expiry, expiry)).toBeNaN();
    expect(yearsToExpiry(expiry + 1, expiry)).toBeNaN();
    expect(yearsToExpiry(Number.NaN, expiry)).toBeNaN();
    expect(yearsToExpiry(expiry, Number.NaN)).toBeNaN();
    expect(yearsToExpiry(Number.NEGATIVE_INFINITY, expiry)).toBeNaN();
  });
});
