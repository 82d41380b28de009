import { describe, expect, it } from 'vitest';
import { midnightUtc } from '../../../src/base/dates.ts';
import { analyst } from '../../../src/blocks/analyst.ts';
import type { AnyFact, GradeAction, PriceTarget, Recommendations } from '../../../src/market/facts.ts';
import { derived } from '../../support/derived.ts';
import { absent, figures } from '../../support/tables.ts';
import { dailyFromCloses, fact, instant, type ViewParts, viewOf } from '../../support/views.ts';

const KNOWN = instant('2024-03-08', '9:00');
const SILENT: Recommendations = absent`strongBuy buy hold sell strongSell mean analysts`;

const opinions = (said: Partial<Recommendations>): AnyFact =>
  fact('recommendations', KNOWN, { ...SILENT, ...said }, 'consensus');

const target = (said: Partial<PriceTarget>, knownAt = KNOWN): AnyFact =>
  fact('price_target', knownAt, { mean: null, high: null, low: null, analysts: null, ...said }, 'consensus');

const grade = (date: string, firm: string, action: GradeAction, knownAt = KNOWN): AnyFact =>
  fact(
    'analyst_grade',
    knownAt,
    { date, firm, action, from: null, to: 'Buy', target: null },
    `${date} ${firm}`,
  );

const of = (facts: readonly AnyFact[], parts: ViewParts = {}) =>
  derived(analyst, viewOf({ daily: dailyFromCloses([50]), facts, ...parts })).nested;

describe('recommendations', () => {
  it('are averaged from the counts beside them', () => {
    // (5 x 6 + 4 x 3 + 3 x 1 + 2 x 0 + 1 x 0) / 10 = 4.5
    const counts = { strongBuy: 6, buy: 3, hold: 1, sell: 0, strongSell: 0, mean: 2, analysts: 99 };
    expect(of([opinions(counts)])).toMatchObject({
      score: 4.5,
      consensus: 'Strong Buy',
      count: 10,
      strong_buy_count: 6,
      buy_count: 3,
      hold_count: 1,
      sell_count: 0,
      strong_sell_count: 0,
      target_mean: null,
      latest_grade_firm: null,
    });
  });

  it('are as stated where a count is not known', () => {
    const partly = { buy: 3, hold: 1, sell: 0, mean: 4.1, analysts: 4 };
    expect(of([opinions(partly)])).toMatchObject({
      score: 4.1,
      consensus: 'Buy',
      count: 4,
      strong_buy_count: null,
    });
    expect(of([opinions({ buy: 3, hold: 1, sell: 0 })])).toMatchObject({ score: null, consensus: null });
  });

  it('are no opinion when nobody holds one', () => {
    const none = { strongBuy: 0, buy: 0, hold: 0, sell: 0, strongSell: 0 };
    expect(of([opinions(none)])).toMatchObject({ score: null, consensus: null, count: 0 });
  });

  it.each([
    [5, 'Strong Buy'],
    [4.5, 'Strong Buy'],
    [4.499, 'Buy'],
    [3.5, 'Buy'],
    [3.499, 'Hold'],
    [2.5, 'Hold'],
    [2.499, 'Sell'],
    [1.5, 'Sell'],
    [1.499, 'Strong Sell'],
    [1, 'Strong Sell'],
    [0.99, null],
    [5.01, null],
  ])('a mean of %f is %s', (mean, consensus) => {
    expect(of([opinions({ mean })])!.consensus).toBe(consensus);
  });
});

describe('grades', () => {
  it('name the newest by its date, within one day the last reported', () => {
    const grades = [
      grade('2024-03-07', 'New', 'upgrade'),
      grade('2024-03-07', 'Newer', 'downgrade'),
      grade('2024-03-01', 'Late', 'upgrade', KNOWN + 1),
    ];
    expect(of(grades)).toMatchObject({
      latest_grade_firm: 'Newer',
      latest_grade_action: 'downgrade',
      latest_grade_to: 'Buy',
      latest_grade_date: '2024-03-07',
    });
  });

  it.each([
    ['maintain', 'maintain'],
    ['reiterate', 'maintain'],
    ['upgrade', 'upgrade'],
    ['downgrade', 'downgrade'],
    ['initiate', 'initiate'],
  ] as const)('%s is served as %s', (action, word) => {
    expect(of([grade('2024-03-07', 'Firm', action)])!.latest_grade_action).toBe(word);
  });
});

describe('targets and estimates', () => {
  it('measure the upside from the newest price, each figure by its newest report', () => {
    const reports = [target({ mean: 60, high: 70, low: 40 }), target({ mean: 55 }, KNOWN + 1)];
    const nested = of(reports)!;
    expect(nested).toMatchObject({ target_mean: 55, target_high: 70, target_low: 40 });
    expect(nested.target_upside).toBeCloseTo(10, 12);
    expect(of(reports, { daily: [] })).toMatchObject({ target_mean: 55, target_upside: null });
  });

  it('take each fiscal year on its own, and dollars a share on the basis of the day', () => {
    const estimate = (year: 'current_year' | 'next_year', epsAverage: number): AnyFact =>
      fact(
        'analyst_estimates',
        KNOWN,
        {
          year,
          epsAverage,
          epsHigh: epsAverage + 2,
          epsLow: epsAverage - 2,
          revenueAverage: 1000,
          analysts: 7,
        },
        year,
      );
    const actions = [{ kind: 'split', exDate: midnightUtc('2024-03-11'), value: 2 }] as const;
    const reports = [estimate('current_year', 4), estimate('next_year', 8), target({ mean: 120 })];
    expect(of(reports, { actions })).toMatchObject(figures`
      est_eps_avg 2, est_eps_high 3, est_eps_low 1, est_revenue_avg 1000, num_analysts_eps 7,
      est_fy2_eps_avg 4, est_fy2_eps_high 5, est_fy2_eps_low 3, target_mean 60`);
    expect(of(reports)).toMatchObject({ est_eps_avg: 4, target_mean: 120 });
  });

  it('are null when no analyst has said anything', () => expect(of([])).toBeNull());

  it('do not know what is said later', () => {
    const now = [target({ mean: 60 }), grade('2024-03-07', 'Firm', 'maintain'), opinions({ mean: 3 })];
    const later = now.map((one) => ({ ...one, knownAt: instant('2024-03-13', '20:00') + 1 }) as AnyFact);
    const changed = [
      target({ mean: 99 }, later[0]!.knownAt),
      grade('2024-03-13', 'Other', 'upgrade', later[0]!.knownAt),
      ...later,
    ];
    expect(of([...now, ...changed])).toEqual(of(now));
  });
});
