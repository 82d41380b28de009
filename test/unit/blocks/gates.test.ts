import { describe, expect, it } from 'vitest';
import { confluence } from '../../../src/blocks/confluence.ts';
import { gates } from '../../../src/blocks/gates.ts';
import type { AnyFact, Fundamentals, StatedRatio } from '../../../src/market/facts.ts';
import type { MarketView } from '../../../src/market/market-view.ts';
import { derived } from '../../support/derived.ts';
import { fundamentalsWith, profileWith, reportWith } from '../../support/reported.ts';
import {
  type DailyRow,
  dailyFromCloses,
  fact,
  instant,
  marketOf,
  type ViewParts,
  viewOf,
} from '../../support/views.ts';

const KNOWN = instant('2024-03-08', '9:00');

const stated = (ratios: Partial<Record<StatedRatio, number>>, figures: Partial<Fundamentals> = {}): AnyFact =>
  fact('fundamentals', KNOWN, fundamentalsWith({ periodEnd: '2023-12-31', ...figures, stated: ratios }));

/** Results of the quarter that came in some percent beside an estimate of 100. */
const surprised = (percent: number): AnyFact =>
  fact(
    'earnings_report',
    KNOWN,
    reportWith({ date: '2024-03-08', epsEstimate: 100, epsActual: 100 + percent }),
  );

const vix = (level: number): Partial<MarketView> => ({
  vix: { symbol: '^VIX', level, change1dPct: null, percentile252: null },
});

function of(facts: readonly AnyFact[], market: Partial<MarketView> = {}, parts: ViewParts = {}) {
  const view = viewOf({ facts, ...parts });
  return derived(gates, view, marketOf(view, market)).flat;
}

describe('beta gate', () => {
  it.each([
    [1.5, 30, true, 'Beta 1.50 is within the limit of 1.5 for a VIX of 30.00.'],
    [1.51, 30, false, 'Beta 1.51 is above the limit of 1.5 for a VIX of 30.00.'],
    [1.51, 29.99, true, 'Beta 1.51 is within the limit of 2.0 for a VIX of 29.99.'],
    [2, 20, true, 'Beta 2.00 is within the limit of 2.0 for a VIX of 20.00.'],
    [2.01, 20, false, 'Beta 2.01 is above the limit of 2.0 for a VIX of 20.00.'],
    [2.01, 19.99, true, 'Beta 2.01: with the VIX at 19.99 there is no limit.'],
    [4, 12.99, true, 'Beta 4.00: with the VIX at 12.99 there is no limit.'],
    [-3, 40, true, 'Beta -3.00 is within the limit of 1.5 for a VIX of 40.00.'],
  ])('beta %f at a VIX of %f: %s', (beta, level, passed, reason) => {
    expect(of([stated({ beta })], vix(level))).toMatchObject({
      beta_gate_passed: passed,
      beta_gate_reason: reason,
    });
  });

  it('quotes a beta that is barely above the limit as what it is', () => {
    expect(of([stated({ beta: 1.5001 })], vix(35)).beta_gate_reason).toBe(
      'Beta 1.5001 is above the limit of 1.5 for a VIX of 35.00.',
    );
  });

  it('does not judge without beta or VIX, and says which is missing', () => {
    expect(of([stated({ beta: 1 })])).toMatchObject({
      beta_gate_passed: null,
      beta_gate_reason: 'The VIX is not known.',
    });
    expect(of([], vix(35))).toMatchObject({
      beta_gate_passed: null,
      beta_gate_reason: 'Beta is not known.',
    });
    expect(of([])).toMatchObject({ beta_gate_passed: null, beta_gate_reason: null });
  });
});

describe('circuit breaker', () => {
  const falling = (close: number): DailyRow => ['2024-03-13', 100, 101, 90, close, 1000];
  const passed = (close: number) =>
    of([], {}, { daily: [...dailyFromCloses([100]), falling(close)] })
      .v44_intraday_circuit_breaker_gate_passed;

  it('trips at a fall of 5 %', () => {
    expect(passed(95.01)).toBe(true);
    expect(passed(95)).toBe(false);
    expect(of([]).v44_intraday_circuit_breaker_gate_passed).toBeNull();
  });
});

describe('fundamental gate', () => {
  it('passes from a quality of 50 on', () => {
    // ROE 10 is 50 points and a margin of 5 % is 35, of 8 % is 50: (50 + 50) / 2 and (50 + 47.5) / 2 = 48.75.
    const at = (profit_margin: number) => of([stated({ roe: 10, profit_margin })]);
    expect(at(8)).toMatchObject({ fundamental_quality_score: 50, fundamental_gate_passed: true });
    expect(at(7.5)).toMatchObject({ fundamental_quality_score: 49, fundamental_gate_passed: false });
  });

  it('does not judge by one measure, unless earnings are known to be none', () => {
    expect(of([stated({ roe: 10 })])).toMatchObject({
      fundamental_quality_score: null,
      fundamental_gate_passed: null,
    });
    expect(of([stated({ roe: 10 }, { epsTtm: -1 })])).toMatchObject({
      fundamental_quality_score: 25,
      fundamental_gate_passed: false,
    });
    expect(of([stated({ roe: 10 }, { epsTtm: 1 })]).fundamental_quality_score).toBeNull();
  });

  it('grades health, the cash flow of the statement with it', () => {
    // Margins (65 + 65) / 2, leverage 60, liquidity 75: (20 x 65 + 20 x 60 + 10 x 75) / 50 = 65.
    const ratios = { operating_margin: 15, net_margin: 10, debt_to_equity: 1, current_ratio: 1.5 };
    expect(of([stated(ratios)])).toMatchObject({ fundamental_health_score: 65, fundamental_grade: 'B' });
    // Cash flow of 25 % of sales is 100 of weight 15: (3250 + 1500) / 65 = 73.08.
    const cash = { revenueTtm: 100, operatingCashFlowTtm: 25 };
    expect(of([stated(ratios, cash)]).fundamental_health_score).toBe(73);
    const { current_ratio: _, ...less } = ratios;
    expect(of([stated(less)])).toMatchObject({ fundamental_health_score: null, fundamental_grade: null });
  });
});

describe('earnings sentiment', () => {
  it.each([
    [11, 'POSITIVE'],
    [10, 'SLIGHT_POSITIVE'],
    [0, 'SLIGHT_POSITIVE'],
    [-1, 'SLIGHT_NEGATIVE'],
    [-10, 'SLIGHT_NEGATIVE'],
    [-11, 'NEGATIVE'],
  ])('a surprise of %d %% is %s', (percent, bias) => {
    expect(of([surprised(percent)]).earnings_sentiment_bias).toBe(bias);
  });
});

describe('gates that cannot be evaluated', () => {
  const profile = (industry: string | null) => profileWith({ companyName: 'X', industry });
  const bad = [stated({ beta: 1, roe: 0, profit_margin: 0 }), surprised(-20)];

  it('of a fund are named, and fail nothing', () => {
    for (const industry of ['ETF', 'Exchange Traded Fund', 'exchange-traded funds', 'Index Fund']) {
      expect(of(bad, vix(35), { profile: profile(industry) }), industry).toMatchObject({
        beta_gate_passed: true,
        fundamental_gate_passed: null,
        fundamental_quality_score: null,
        earnings_sentiment_bias: null,
        all_quality_gates_passed: true,
      });
    }
    const risky = [stated({ beta: 1.6 })];
    expect(of(risky, vix(35), { profile: profile('ETF') }).all_quality_gates_passed).toBe(false);
  });

  it('are named in the warnings of the scores', () => {
    const warned = (industry: string | null) => {
      const view = viewOf({
        facts: bad,
        daily: dailyFromCloses(Array(60).fill(100)),
        profile: profile(industry),
      });
      return derived(confluence, view).flat.score_warnings.filter((each) => each.endsWith('not_applicable'));
    };
    expect(warned('ETF')).toEqual([
      'fundamental_gate_not_applicable',
      'earnings_sentiment_gate_not_applicable',
    ]);
    expect(warned('Asset Management')).toEqual([]);
  });

  it('are all evaluated where no profile says that it is a fund', () => {
    for (const parts of [{}, { profile: profile(null) }, { profile: profile('Asset Management') }]) {
      expect(of(bad, vix(35), parts)).toMatchObject({
        fundamental_gate_passed: false,
        all_quality_gates_passed: false,
      });
    }
  });

  it('of an index are all, so that there is no verdict', () => {
    const view = { ...viewOf({ facts: bad }), symbol: '^VIX' };
    expect(derived(gates, view, marketOf(view, vix(35))).flat).toMatchObject({
      beta_gate_passed: null,
      beta_gate_reason: 'An index has no beta.',
      fundamental_gate_passed: null,
      all_quality_gates_passed: null,
    });
  });
});

describe('all quality gates', () => {
  const good = { beta: 1, roe: 20, profit_margin: 20 };
  const all = (facts: readonly AnyFact[], market = vix(35)) => of(facts, market).all_quality_gates_passed;

  it('passed when beta, fundamentals and earnings sentiment passed; slightly negative earnings do', () => {
    expect(all([stated(good), surprised(5)])).toBe(true);
    expect(all([stated(good), surprised(-10)])).toBe(true);
  });

  it('failed when any failed, whatever is not known', () => {
    expect(all([stated(good), surprised(-11)])).toBe(false);
    expect(all([stated({ ...good, beta: 1.6 }), surprised(5)])).toBe(false);
    expect(all([stated({ beta: 1, roe: 0, profit_margin: 0 }), surprised(5)])).toBe(false);
    expect(all([surprised(-11)], {})).toBe(false);
  });

  it('are open when one is not known and none failed', () => {
    expect(all([stated(good)])).toBeNull();
    expect(all([stated(good), surprised(5)], {})).toBeNull();
    expect(all([stated({ beta: 1 }), surprised(5)])).toBeNull();
    expect(all([], {})).toBeNull();
  });

  it('do not know later reports', () => {
    const now = [stated(good), surprised(5)];
    const later = [surprised(-50), stated({ beta: 9, roe: -9 })].map(
      (one) => ({ ...one, knownAt: instant('2024-03-13', '20:00') + 1 }) as AnyFact,
    );
    expect(of([...now, ...later], vix(35))).toEqual(of(now, vix(35)));
  });
});
