import { describe, expect, it } from 'vitest';
import { freshness } from '../../../src/blocks/freshness.ts';
import { fundamental } from '../../../src/blocks/fundamental.ts';
import { identity } from '../../../src/blocks/identity.ts';
import type { CompanyProfile } from '../../../src/market/facts.ts';
import { derived } from '../../support/derived.ts';
import { profileWith } from '../../support/reported.ts';
import { dailyFromCloses, fact, flatMinutes, instant, TRADE_DATE, viewOf } from '../../support/views.ts';

const PROFILE: CompanyProfile = profileWith({
  companyName: 'Example Corp',
  description: 'Makes examples.',
  headquarters: 'Springfield',
  employees: 12,
  ipoDate: '1999-01-04',
  website: 'https://example.com',
  sector: 'Industrials',
  industry: 'Examples',
});

describe('identity', () => {
  it('quotes the profile', () => {
    expect(derived(identity, viewOf({ profile: PROFILE })).flat).toEqual({
      symbol: 'TEST',
      company_name: 'Example Corp',
      company_description: 'Makes examples.',
      ceo: null,
      headquarters: 'Springfield',
      employees: 12,
      ipo_date: '1999-01-04',
      website: 'https://example.com',
      logo_url: null,
    });
  });

  it('takes each field from its newest report, and none from the future', () => {
    const view = viewOf({
      at: '12:00',
      profile: PROFILE,
      facts: [
        fact(
          'profile',
          instant(TRADE_DATE, '11:00'),
          { ...PROFILE, ceo: 'A. Chief', companyName: null },
          'company',
        ),
        fact('profile', instant(TRADE_DATE, '12:01'), { ...PROFILE, ceo: 'B. Later' }, 'company'),
      ],
    });
    expect(derived(identity, view).flat).toMatchObject({ ceo: 'A. Chief', company_name: 'Example Corp' });
  });
});

describe('fundamental', () => {
  it('has sector and exchange of the profile and nothing that was not reported', () => {
    const { sector, ...rest } = derived(fundamental, viewOf({ profile: PROFILE })).nested!;
    expect(sector).toBe('Industrials');
    expect(Object.values(rest).filter((value) => value !== null)).toEqual([]);
  });

  it('is null without either', () => {
    expect(derived(fundamental, viewOf({ profile: { ...PROFILE, sector: null } })).nested).toBeNull();
    expect(derived(fundamental, viewOf()).nested).toBeNull();
  });
});

describe('freshness', () => {
  // New York is four hours behind UTC on 2024-03-13, five hours before 2024-03-10.
  it('counts a daily bar at the close of its session and an intraday bar at its end', () => {
    const view = viewOf({
      at: '18:00',
      daily: dailyFromCloses([10]).concat([['2024-03-13', 10, 11, 9, 10, 500]]),
      intraday: [...flatMinutes('15:58', 2, 10), ...flatMinutes('16:5', 1, 10)],
      quoteAt: '17:30',
    });
    expect(derived(freshness, view).flat).toEqual({
      updated_at: '2024-03-13T21:30:00.000Z',
      quote_timestamp: '2024-03-13T21:30:00.000Z',
      bar_1min_timestamp: '2024-03-13T20:06:00.000Z',
      bar_daily_timestamp: '2024-03-13T20:00:00.000Z',
    });
  });

  it('counts the running daily bar at the end of the newest bar in it', () => {
    const view = viewOf({ at: '10:00', daily: dailyFromCloses([10]), intraday: flatMinutes('9:30', 25, 10) });
    expect(derived(freshness, view).flat).toMatchObject({
      updated_at: '2024-03-13T13:55:00.000Z',
      bar_daily_timestamp: '2024-03-13T13:55:00.000Z',
    });
  });

  it('falls back on the day before while the trade date has no bar', () => {
    const view = viewOf({
      at: '8:00',
      daily: dailyFromCloses([10]),
      priorIntraday: flatMinutes('16:30', 1, 10),
    });
    expect(derived(freshness, view).flat).toMatchObject({
      updated_at: '2024-03-12T20:31:00.000Z',
      bar_1min_timestamp: '2024-03-12T20:31:00.000Z',
      bar_daily_timestamp: '2024-03-12T20:00:00.000Z',
    });
  });

  it('has no 1-minute bar where the tape has longer ones', () => {
    const view = viewOf({ at: '10:00', interval: '5m', intraday: [['9:30', 10, 10, 10, 10, 1]] });
    expect(derived(freshness, view).flat).toMatchObject({
      updated_at: '2024-03-13T13:35:00.000Z',
      bar_1min_timestamp: null,
    });
  });

  it('takes the close of an older session from the calendar, the early one of a half day too', () => {
    const old = viewOf({ at: '8:00', daily: [['2024-03-08', 10, 11, 9, 10, 1]] });
    expect(derived(freshness, old).flat.bar_daily_timestamp).toBe('2024-03-08T21:00:00.000Z');
    const half = viewOf({ at: '8:00', daily: [['2023-11-24', 10, 11, 9, 10, 1]] });
    expect(derived(freshness, half).flat.bar_daily_timestamp).toBe('2023-11-24T18:00:00.000Z');
  });

  it('is as old as the question where nothing was observed', () => {
    expect(derived(freshness, viewOf({ at: '12:00' })).flat).toEqual({
      updated_at: '2024-03-13T16:00:00.000Z',
      quote_timestamp: null,
      bar_1min_timestamp: null,
      bar_daily_timestamp: null,
    });
  });
});
