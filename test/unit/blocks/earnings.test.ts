import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY_MS, dateOf, midnightUtc } from '../../../src/base/dates.ts';
import { earnings } from '../../../src/blocks/earnings.ts';
import type { AnyFact, EarningsReport } from '../../../src/market/facts.ts';
import { derived } from '../../support/derived.ts';
import { forAll, wholeBetween } from '../../support/for-all.ts';
import { expectedWith, reportWith } from '../../support/reported.ts';
import { numbers } from '../../support/tables.ts';
import { fact, instant, TRADE_DATE, viewOf } from '../../support/views.ts';

const dateAfter = (days: number): string => dateOf(midnightUtc(TRADE_DATE) + days * DAY_MS);
const noonAfter = (days: number): number => instant(TRADE_DATE, '12:00') + days * DAY_MS;

/** Results announced some days before the trade date: EPS against an estimate of 1, and what else is said. */
const results = (daysAgo: number, epsActual: number | null, said: Partial<EarningsReport> = {}): AnyFact =>
  fact(
    'earnings_report',
    noonAfter(-daysAgo),
    reportWith({ date: dateAfter(-daysAgo), epsEstimate: 1, epsActual, ...said }),
  );

const expectedIn = (days: number, knownDaysAgo = 10): AnyFact =>
  fact('earnings_date', noonAfter(-knownDaysAgo), expectedWith({ date: dateAfter(days) }));

function of(facts: readonly AnyFact[], at = '20:00') {
  const ordered = facts.toSorted((one, other) => one.knownAt - other.knownAt);
  return derived(earnings, viewOf({ at, facts: ordered })).nested;
}

describe('earnings', () => {
  it('reads the record of surprises', () => {
    // Surprises 5 3 -2 8, then 10: z = 1.5464505921503808 (Python statistics.mean and stdev of the first four).
    const actuals = [1.05, 1.03, 0.98, 1.08, 1.1];
    const quarters = actuals.map((actual, at) => results(20 + 91 * (4 - at), actual));
    const nested = of(quarters)!;
    expect(nested.surprise_pct).toBeCloseTo(10, 10);
    expect(nested.surprise_zscore).toBeCloseTo(1.5464505921503808, 10);
    expect(nested).toMatchObject({
      days_until: null,
      cleared: true,
      consecutive_beats: 2,
      beat_rate_8q: 0.8,
      surprise_category: 'SOLID_BEAT',
      normalized_surprise: 'STRONG_BEAT',
      revenue_eps_aligned: false,
    });
    expect(nested.quarters.map(({ eps_actual, surprise_pct }) => [eps_actual, surprise_pct])).toEqual(
      numbers`1.05 5, 1.03 3, 0.98 -2, 1.08 8, 1.1 10`,
    );
  });

  it('counts calendar days to the next results, 0 on the day', () => {
    expect(of([expectedIn(12)])).toMatchObject({ days_until: 12, cleared: false, consecutive_beats: 0 });
    expect(of([expectedIn(0)])!.days_until).toBe(0);
    expect(of([expectedIn(-1)])).toBeNull();
    expect(of([expectedIn(-1), expectedIn(40, 5), expectedIn(20, 6)])!.days_until).toBe(20);
    // Across the clock change of 2024-03-10 a day is a day.
    expect(of([results(5, 1)])!.cleared).toBe(true);
  });

  it('does not wait for results that came early', () => {
    expect(of([expectedIn(2), results(1, 1.1)])!.days_until).toBeNull();
    expect(of([expectedIn(44), results(1, 1.1)])!.days_until).toBeNull();
    expect(of([expectedIn(45), results(1, 1.1)])!.days_until).toBe(45);
    expect(of([expectedIn(2, 0.5), results(1, 1.1)])!.days_until).toBe(2);
    expect(of([expectedIn(0), results(0, 1.1)])!.days_until).toBe(0);
  });

  it('has cleared results more than three days after them', () => {
    expect(of([results(3, 1.1)])!.cleared).toBe(false);
    expect(of([results(4, 1.1)])!.cleared).toBe(true);
  });

  it('has no percentage of an estimate of zero, and yet a beat', () => {
    expect(of([results(10, 0.1, { epsEstimate: 0 })])).toMatchObject({
      surprise_pct: null,
      surprise_category: null,
      consecutive_beats: 1,
    });
  });

  it('does not pass an older surprise off as the latest', () => {
    const blind = results(10, 1.3, { epsEstimate: null });
    expect(of([results(101, 1.1), blind])).toMatchObject({ surprise_pct: null, consecutive_beats: 0 });
  });

  it('speaks of the newest results with figures while the newest have none', () => {
    const announced = results(1, null);
    const nested = of([results(92, 1.1), announced])!;
    expect(nested.surprise_pct).toBeCloseTo(10, 10);
    expect(nested.cleared).toBe(false);
  });

  it('counts results that two sources date a day apart once', () => {
    const twice = [results(101, 1.1), results(100, 1.1), results(11, null), results(10, 1.2)];
    expect(of(twice)!.consecutive_beats).toBe(2);
    const spaced = [results(55, 1.1), results(10, 1.2)];
    expect(of(spaced)!.consecutive_beats).toBe(2);
    expect(of([results(54, 1.1), results(10, 1.2)])!.consecutive_beats).toBe(1);
  });

  it('is aligned when earnings and revenue fall on the same side of their estimates', () => {
    const aligned = (epsActual: number, revenueActual: number | null): boolean =>
      of([results(10, epsActual, { revenueEstimate: 100, revenueActual })])!.revenue_eps_aligned;
    expect(aligned(1.1, 101)).toBe(true);
    expect(aligned(0.9, 99)).toBe(true);
    expect(aligned(1.1, 99)).toBe(false);
    expect(aligned(1, 100)).toBe(false);
    expect(aligned(1.1, null)).toBe(false);
  });

  it('knows results from the instant at which they are known', () => {
    const todays = [results(92, 1.1), results(0, 0.5)];
    expect(of(todays, '11:59')!.surprise_pct).toBeCloseTo(10, 10);
    expect(of(todays, '12:00')!.surprise_pct).toBeCloseTo(-50, 10);
  });

  it('is not changed by later reports', () => {
    const now = [results(192, 1.2), results(101, 1.1), results(10, 0.9), expectedIn(80)];
    const known = of(now);
    const report = fc.record({
      after: wholeBetween(1, 200),
      eps: wholeBetween(-5, 5),
    });
    forAll([fc.array(report, { maxLength: 6 })], (reports) => {
      const later = reports.flatMap(({ after, eps }) => [
        results(-after, eps),
        { ...results(10, eps), knownAt: noonAfter(after) } as AnyFact,
        expectedIn(after, -after),
      ]);
      expect(of([...now, ...later])).toEqual(known);
    });
  });
});
