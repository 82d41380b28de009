import assert from 'node:assert/strict';
import { describe, expect, it } from 'vitest';
import { newYorkCalendar } from '../../../src/base/calendar.ts';
import {
  COMPANIES_MAX,
  companyAt,
  indexFund,
  profileOf,
  rankOf,
  SECTORS,
  symbolAt,
} from '../../../src/simulated/companies.ts';

describe('symbols', () => {
  const all = Array.from({ length: COMPANIES_MAX }, (_, place) => symbolAt(place));

  it('are unique and of the synthetic pattern', () => {
    assert.equal(new Set(all).size, COMPANIES_MAX);
    for (const symbol of all) assert.match(symbol, /^[A-Z][JQXZ][^JQXZ][JQXZ][AEIOU]?$/);
  });

  it('are never one of the listed tickers of that pattern', () => {
    for (const listed of ['EQIX', 'LXRX', 'RXDX', 'AXDX', 'TQQQ', 'SQQQ']) expect(all).not.toContain(listed);
  });

  it('are found again by their text', () => {
    for (let place = 0; place < COMPANIES_MAX; place += 37) expect(rankOf(symbolAt(place))).toBe(place);
    for (const none of ['SPY', 'EQIX', '', 'KXAZB', `${symbolAt(0)}AA`]) expect(rankOf(none)).toBe(-1);
  });
});

describe('companies', () => {
  const companies = Array.from({ length: 2000 }, (_, place) => companyAt(7, place));

  it('fill all sectors about as often as their shares say', () => {
    for (const [sector, { share }] of SECTORS.entries()) {
      const part = companies.filter((company) => company.sector === sector).length / companies.length;
      expect(Math.abs(part - share)).toBeLessThan(5 * Math.sqrt((share * (1 - share)) / companies.length));
    }
  });

  it('have sector shares that sum to one', () => {
    expect(SECTORS.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1, 12);
  });

  it('fall in size, with the first ones listed throughout', () => {
    const value = (from: number): number =>
      companies
        .slice(from, from + 20)
        .reduce((sum, { firstPrice, firstShares }) => sum + firstPrice * firstShares, 0);
    expect(value(0)).toBeGreaterThan(5 * value(200));
    expect(companies.slice(0, 8).every(({ delistingDay }) => delistingDay === Number.POSITIVE_INFINITY)).toBe(
      true,
    );
    expect(companies.some(({ delistingDay }) => delistingDay !== Number.POSITIVE_INFINITY)).toBe(true);
  });

  it('say that they are simulated wherever they are described', () => {
    const first = newYorkCalendar().session('2018-01-02')!;
    for (const company of [...companies.slice(0, 300), indexFund()]) {
      const profile = profileOf(7, company, first);
      expect(profile.companyName?.toLowerCase()).toContain('simulated');
      expect(profile.description).toMatch(/simulated market\. (No such company exists|It does not exist)\./);
      expect(profile.exchange).toBe('SIMULATED');
      if (profile.website !== null) expect(profile.website).toMatch(/^https:\/\/[a-z]+\.example$/);
    }
  });
});
