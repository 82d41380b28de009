import { describe, expect, it } from 'vitest';
import { ageOf, marketAt, sessionsOld } from '../../../explorer/src/shared/age.ts';
import type { MarketContext } from '../../../explorer/src/shared/api/queries.ts';

const market = (as_of: string, phase: string, closed_for: string | null = null) =>
  ({ as_of, clock: { at: as_of, phase, closed_for } }) as Pick<MarketContext, 'as_of' | 'clock'>;
/** Of this year, whichever it is, so that a date has no year unless one is asked for. */
const YEAR = new Date().getUTCFullYear();
const CLOSE = `${YEAR}-08-19T20:00:00Z`;

describe('the age of a stock in the head', () => {
  it('is the instant of its newest data', () => {
    const { words, isOld } = ageOf({ updated_at: CLOSE, sessions_behind: 0 }, market(CLOSE, 'closed'));
    expect(words).toMatch(/^\w{3}, Aug 19, 16:00 ET · closed$/);
    expect(isOld).toBe(false);
  });

  it.each([
    [1, '1 session old'],
    [69, '69 sessions old'],
    [1433, '1,433 sessions old'],
  ])('says that %s sessions are missing, with the year of the date', (sessions_behind, age) => {
    const { words, isOld } = ageOf({ updated_at: CLOSE, sessions_behind }, market(CLOSE, 'regular'));
    expect(words).toMatch(new RegExp(`^${age}, of \\w{3}, Aug 19, ${YEAR}, 16:00 ET · market open now$`));
    expect(isOld).toBe(true);
    expect(sessionsOld(sessions_behind)).toBe(age);
  });

  it('says so before the market has answered', () => {
    expect(ageOf({ updated_at: '2018-06-29T20:00:00Z', sessions_behind: 2 }, undefined).words).toBe(
      '2 sessions old, of Fri, Jun 29, 2018, 16:00 ET',
    );
  });

  it.each([
    ['26T17:00', 'closed', 'Thanksgiving Day', 'Thanksgiving Day'],
    ['28T17:00', 'closed', 'weekend', 'weekend'],
    ['27T08:00', 'closed', null, 'before the session'],
    ['27T13:30', 'pre_market', null, 'no bar of this session yet'],
  ])('says why an earlier session is shown at %s', (at, phase, closedFor, why) => {
    const stock = { updated_at: '2026-11-26T01:00:00Z', sessions_behind: 0 };
    const { words, isOld } = ageOf(stock, market(`2026-11-${at}:00Z`, phase, closedFor));
    expect(words).toMatch(new RegExp(`^${why}: showing Wed, Nov 25(, 2026)?, 20:00 ET$`));
    expect(isOld).toBe(false);
  });

  it('warns of a stock without a bar for half an hour while the market is open, and only then', () => {
    const stock = { updated_at: `${YEAR}-08-19T15:00:00Z`, sessions_behind: 0 };
    const at = (minute: number, phase: string) =>
      ageOf(stock, market(`${YEAR}-08-19T15:${minute}:00Z`, phase));
    expect(at(30, 'regular').isOld).toBe(false);
    expect(at(31, 'regular')).toMatchObject({
      isOld: true,
      words: expect.stringMatching(/^no bar since .* · market open$/),
    });
    expect(at(31, 'after_hours').isOld).toBe(false);
  });
});

describe('the market at another minute of its day', () => {
  const phases = [
    { phase: 'pre_market', opens_at: '2026-11-27T09:00:00Z', closes_at: '2026-11-27T14:30:00Z' },
    // The day after Thanksgiving ends at 13:00.
    { phase: 'regular', opens_at: '2026-11-27T14:30:00Z', closes_at: '2026-11-27T18:00:00Z' },
    { phase: 'after_hours', opens_at: '2026-11-27T18:00:00Z', closes_at: '2026-11-27T22:00:00Z' },
  ];
  const answer = {
    as_of: '2026-11-27T15:00:00Z',
    clock: { at: '2026-11-27T15:00:00Z', trade_date: '2026-11-27', phase: 'regular', phases },
  } as unknown as MarketContext;

  it.each([
    ['2026-11-27T14:29:00Z', 'pre_market'],
    ['2026-11-27T14:30:00Z', 'regular'],
    ['2026-11-27T17:59:00Z', 'regular'],
    ['2026-11-27T18:00:00Z', 'after_hours'],
  ])('has the phase of %s', (asOf, phase) => {
    expect(marketAt(answer, asOf)).toMatchObject({ as_of: asOf, clock: { at: asOf, phase } });
  });

  it.each(['2026-11-27T22:00:00Z', '2026-11-27T08:59:00Z', '2026-11-25T15:00:00Z', undefined])(
    'is not known at %s',
    (asOf) => {
      expect(marketAt(answer, asOf)).toBeUndefined();
    },
  );
});
