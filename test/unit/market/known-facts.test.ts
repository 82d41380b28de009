import { describe, expect, it } from 'vitest';
import { DAY_MS } from '../../../src/base/dates.ts';
import { announcementKnownAt, endOfDayNewYork } from '../../../src/files/facts/known-at.ts';
import { type AnyFact, FACT_KINDS } from '../../../src/market/facts.ts';
import { FACT_WINDOW_DAYS, FactHistory, knownFacts, NO_FACTS } from '../../../src/market/known-facts.ts';
import { factOf } from '../../../src/market/validate-fact.ts';
import { estimatesWith, fundamentalsWith, profileWith } from '../../support/reported.ts';

const NOON = Date.parse('2024-05-01T16:00:00Z');

describe('what is known at an instant', () => {
  it('is every kind, none of them before anything was reported', () => {
    expect(Object.keys(knownFacts([], NOON))).toEqual([...FACT_KINDS]);
    expect(knownFacts([], NOON)).toEqual(NO_FACTS);
  });

  it('begins at the instant itself and not a millisecond before', () => {
    const facts = [factOf('shares', NOON, { outstanding: 5, float: null })];
    expect(knownFacts(facts, NOON - 1).shares).toEqual([]);
    expect(knownFacts(facts, NOON).shares).toEqual([{ outstanding: 5, float: null, knownAt: NOON }]);
  });

  it('is revised field by field, null being silence', () => {
    const facts = [
      factOf('profile', NOON, profileWith({ companyName: 'Old', sector: 'Energy' })),
      factOf('profile', NOON + 1, profileWith({ companyName: 'New' })),
    ];
    expect(knownFacts(facts, NOON).profile).toMatchObject([{ companyName: 'Old', sector: 'Energy' }]);
    expect(knownFacts(facts, NOON + 1).profile).toMatchObject([
      { companyName: 'New', sector: 'Energy', ceo: null, knownAt: NOON + 1 },
    ]);
  });

  it('keeps the ratios that a later report omits', () => {
    const facts = [
      factOf('fundamentals', NOON, fundamentalsWith({ stated: { pe_ratio: 20, beta: 1 } })),
      factOf('fundamentals', NOON + 1, fundamentalsWith({ stated: { pe_ratio: 21 } })),
    ];
    expect(knownFacts(facts, NOON + 1).fundamentals[0]!.stated).toEqual({ pe_ratio: 21, beta: 1 });
    expect(facts[0]!.value).toMatchObject({ stated: { pe_ratio: 20 } });
  });

  it('is in the order of the newest report', () => {
    const year = (knownAt: number, name: 'current_year' | 'next_year', epsAverage: number): AnyFact =>
      factOf('analyst_estimates', knownAt, estimatesWith({ year: name, epsAverage }));
    const facts = [
      year(NOON, 'current_year', 1),
      year(NOON + 1, 'next_year', 2),
      year(NOON + 2, 'current_year', 3),
    ];
    expect(knownFacts(facts, NOON + 2).analyst_estimates.map(({ epsAverage }) => epsAverage)).toEqual([2, 3]);
  });

  it.each([
    ['halt', 7],
    ['shares', 900],
  ] as const)('forgets a %s after %d days', (kind, days) => {
    expect(FACT_WINDOW_DAYS[kind]).toBe(days);
    const fact =
      kind === 'halt'
        ? factOf('halt', NOON, { from: NOON, to: null, reason: null })
        : factOf('shares', NOON, { outstanding: 1, float: null });
    expect(knownFacts([fact], NOON + days * DAY_MS - 1)[kind]).toHaveLength(1);
    expect(knownFacts([fact], NOON + days * DAY_MS)[kind]).toHaveLength(0);
  });

  it('never forgets who the company is', () => {
    const facts = [factOf('profile', NOON, profileWith({ companyName: 'A' }))];
    expect(knownFacts(facts, NOON + 20_000 * DAY_MS).profile).toHaveLength(1);
  });
});

describe('the instant that a date means', () => {
  it('is the midnight that ends it in New York, in summer and in winter', () => {
    expect(endOfDayNewYork('2024-07-02')).toBe(Date.parse('2024-07-03T04:00:00Z'));
    expect(endOfDayNewYork('2024-01-31')).toBe(Date.parse('2024-02-01T05:00:00Z'));
    expect(endOfDayNewYork('2024-02-30')).toBeNaN();
  });

  it('depends on the time of day at which results came', () => {
    const on = (time: Parameters<typeof announcementKnownAt>[1]) => announcementKnownAt('2024-05-01', time);
    expect(on('pre_market')).toBe(Date.parse('2024-05-01T13:30:00Z'));
    expect(on('during_market')).toBe(Date.parse('2024-05-01T20:00:00Z'));
    expect(on('post_market')).toBe(Date.parse('2024-05-02T00:00:00Z'));
    expect(on('unknown')).toBe(Date.parse('2024-05-02T04:00:00Z'));
    expect(announcementKnownAt('2024-13-01', 'pre_market')).toBeNaN();
  });

  it('holds on the days when the clocks change', () => {
    expect(announcementKnownAt('2024-03-10', 'pre_market')).toBe(Date.parse('2024-03-10T13:30:00Z'));
    expect(announcementKnownAt('2024-11-03', 'post_market')).toBe(Date.parse('2024-11-04T01:00:00Z'));
  });
});

it('reads a list again only when something else is known', () => {
  const facts = [
    factOf('shares', NOON, { outstanding: 5, float: null }),
    factOf('shares', NOON + 60_000, { outstanding: 6, float: null }),
  ];
  const history = new FactHistory();
  let reads = 0;
  const at = (asOf: number) =>
    history.at(asOf, () => {
      reads++;
      return facts;
    });
  const asked = [NOON, NOON + 1, NOON + 59_999, NOON + 60_000, NOON + 60_001, NOON - 1].map((asOf) => {
    expect(at(asOf)).toEqual(knownFacts(facts, asOf));
    return reads;
  });
  expect(asked).toEqual([1, 1, 1, 2, 2, 3]);
});
