import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type DatedMean,
  datedMean,
  deciles,
  evaluate,
  isSigned,
  midRanks,
  overlapLags,
  type Panel,
  STOCKS_MIN,
  spearman,
  student975,
} from '../../../src/analysis/evaluation.ts';

/**
 * Figures marked "reference" come from scipy 1.17.1 (`stats.rankdata`, `stats.spearmanr`, `stats.t.ppf`) and statsmodels
 * 0.15.0 (`OLS(x, ones).fit(cov_type='HAC', cov_kwds={'maxlags': L, 'use_correction': False})`) on the numbers of the
 * generator below; intervals are mean ± t.ppf(0.975, n - 1) standard errors.
 */

/** Uniform numbers of a linear congruential generator (the constants of ANSI C), the same in any language. */
function uniforms(count: number, seed: number): number[] {
  let state = BigInt(seed);
  return Array.from({ length: count }, () => {
    state = (1_103_515_245n * state + 12_345n) % 2_147_483_648n;
    return Number(state) / 2_147_483_648;
  });
}

const column = (...values: number[]): Float64Array => Float64Array.from(values);

function expectMean(
  found: DatedMean,
  [mean, deviation, standardError, t, low, high, dates]: readonly number[],
): void {
  expect(found.mean).toBeCloseTo(mean!, 12);
  expect(found.deviation).toBeCloseTo(deviation!, 12);
  expect(found.standardError).toBeCloseTo(standardError!, 12);
  expect(found.t).toBeCloseTo(t!, 9);
  // The quantile of Student's distribution is good to three figures and better.
  expect(Math.abs(found.low - low!)).toBeLessThan(1e-3 * standardError!);
  expect(Math.abs(found.high - high!)).toBeLessThan(1e-3 * standardError!);
  expect(found.dates).toBe(dates);
}

describe('ranks', () => {
  it('share the mean of their places among equals', () => {
    // Reference: rankdata([3, 1, 3, 2, 3]).
    expect([...midRanks(column(3, 1, 3, 2, 3))]).toEqual([4, 1, 4, 2, 4]);
    expect([...midRanks(column())]).toEqual([]);
  });

  it('give the correlation of Spearman with ties', () => {
    // Reference: spearmanr of the two lists.
    const x = column(1, 2, 2, 3, 5, 5, 5, 8);
    const y = column(2, 1, 4, 4, 4, 7, 9, 8);
    expect(spearman(x, y)).toBeCloseTo(0.8176262338182699, 14);
  });

  it('is 1 and -1 for orders that agree and oppose, and undefined without variation or pairs', () => {
    const x = column(1, 2, 3, 4);
    expect(spearman(x, column(10, 20, 21, 400))).toBe(1);
    expect(spearman(x, column(4, 3, 2, 1))).toBe(-1);
    expect(spearman(x, column(5, 5, 5, 5))).toBeNaN();
    expect(spearman(column(1, 2), column(1, 2))).toBeNaN();
    expect(spearman(column(1, 2, 3), column(1, 2, 3))).toBe(1);
  });

  it('does not change under any increasing map of either side', () => {
    const pair = fc.tuple(fc.integer({ min: -50, max: 50 }), fc.integer({ min: -50, max: 50 }));
    fc.assert(
      fc.property(fc.array(pair, { minLength: 3, maxLength: 40 }), (pairs) => {
        const x = Float64Array.from(pairs, ([value]) => value);
        const y = Float64Array.from(pairs, ([, value]) => value);
        const mapped = spearman(
          x.map((value) => value ** 3 + 7),
          y.map((value) => Math.exp(value / 9)),
        );
        expect(mapped).toBe(spearman(x, y));
      }),
    );
  });
});

describe('deciles', () => {
  it('hold a tenth each when scores differ', () => {
    const places = deciles(Float64Array.from({ length: 50 }, (_, row) => row));
    expect(places[0]).toBe(0);
    expect(places[49]).toBe(9);
    for (let decile = 0; decile < 10; decile++) expect(places.filter((of) => of === decile)).toHaveLength(5);
  });

  it('keep equal scores together', () => {
    // Twenty stocks: ranks 1 to 10 are one value with mid-rank 5.5, floor(10 x 5 / 20) = 2.
    const scores = Float64Array.from({ length: 20 }, (_, row) => (row < 10 ? 0 : row));
    expect(new Set(deciles(scores).subarray(0, 10))).toEqual(new Set([2]));
    expect(new Set(deciles(new Float64Array(10)))).toEqual(new Set([5]));
  });
});

describe('the mean over dates', () => {
  const series = Float64Array.from(uniforms(60, 3), (value, row) => value + 0.3 * Math.sin(row / 5) - 0.45);
  const [mean, deviation] = [0.022694733975095117, 0.3950757601853699];

  // Reference, by lags.
  it.each([
    [0, 0.05057724159056355, 0.448714347824959, -0.07851009268407622, 0.12389956063426646],
    [1, 0.06067505107176804, 0.3740373279332092, -0.09871576278478228, 0.1441052307349725],
    [4, 0.08120493592416694, 0.27947480921958423, -0.1397959674871168, 0.18518543543730703],
    [9, 0.09409743423927232, 0.24118334531190957, -0.16559379702765345, 0.21098326497784367],
  ])('has the error of Newey and West with %i lags', (lags, standardError, t, low, high) => {
    expectMean(datedMean(series, lags), [mean, deviation, standardError, t, low, high, 60]);
  });

  it('leaves out dates that have no value', () => {
    const holed = Float64Array.from([...series].flatMap((value) => [Number.NaN, value]));
    expect(datedMean(holed, 4)).toEqual(datedMean(series, 4));
  });

  it('has an interval from five dates on, and nothing at all without one', () => {
    expect(datedMean(series.subarray(0, 4), 0).low).toBeNaN();
    expect(datedMean(series.subarray(0, 5), 0).low).toBeLessThan(datedMean(series.subarray(0, 5), 0).mean);
    expect(datedMean(column(0.5), 3)).toMatchObject({ mean: 0.5, standardError: Number.NaN, dates: 1 });
    expect(datedMean(column(), 3)).toMatchObject({ mean: Number.NaN, t: Number.NaN, dates: 0 });
  });

  it('has no t where nothing varies, rounding errors included', () => {
    const { standardError, t, low, high } = datedMean(new Float64Array(7).fill(0.1), 2);
    expect(standardError).toBe(0);
    expect(t).toBeNaN();
    expect(high - low).toBe(0);
  });

  it('takes the quantiles of Student', () => {
    // Reference: t.ppf(0.975, degrees of freedom).
    const quantiles = [
      [4, 2.7764451051977934],
      [5, 2.5705818356363146],
      [8, 2.306004135204166],
      [20, 2.085963447265864],
      [60, 2.0002978220142604],
      [500, 1.9647198374673676],
    ] as const;
    for (const [freedom, quantile] of quantiles) {
      expect(Math.abs(student975(freedom) / quantile - 1)).toBeLessThan(4e-4);
    }
  });
});

describe('lags', () => {
  it.each([
    [5, 1, 4],
    [5, 5, 0],
    [5, 4, 1],
    [5, 6, 0],
    [1, 1, 0],
    [20, 7, 2],
  ])('a horizon of %i sessions asked every %i overlaps with %i later dates', (horizon, every, lags) => {
    expect(overlapLags(horizon, every)).toBe(lags);
  });
});

/** Eight dates of thirty stocks: tied scores of both signs that persist, some absent; date 6 has too few stocks. */
function referencePanel(): Panel {
  const [dates, stocks] = [8, 30];
  const u = uniforms(dates * stocks, 1);
  const v = uniforms(dates * stocks, 2);
  const score = Float64Array.from(
    u,
    (value, cell) => Math.round(20 * (0.6 * u[cell % stocks]! + 0.4 * value)) - 10,
  );
  const forward = Float64Array.from(v, (value, cell) => (value - 0.48) / 10 + 0.002 * score[cell]!);
  score[3 * stocks + 5] = Number.NaN;
  forward[4 * stocks + 7] = Number.NaN;
  score.fill(Number.NaN, 6 * stocks, 6 * stocks + 25);
  return { dates, stocks, score, forward };
}

describe('an evaluation', () => {
  const found = evaluate(referencePanel(), 2);

  it('has the information coefficients of the reference', () => {
    const reference = [
      -0.0780293802232928,
      0.06653313270308721,
      0.1787050543209704,
      0.36319208351403115,
      0.5163269426638436,
      0.06764188278409466,
      Number.NaN,
      0.2819171143488735,
    ];
    for (const [date, coefficient] of found.coefficients.entries()) {
      if (date === 6) expect(coefficient).toBeNaN();
      else expect(coefficient).toBeCloseTo(reference[date]!, 12);
    }
    expectMean(
      found.coefficient,
      [
        0.1994695471588011, 0.20268560283365245, 0.07583256877050985, 2.630394174862395, 0.013913935931473942,
        0.3850251583861283, 7,
      ],
    );
    expect(found.positiveShare).toBeCloseTo(6 / 7, 14);
  });

  it('has the decile returns of the reference', () => {
    expect(found.deciles.map(({ count }) => count)).toEqual([19, 19, 27, 13, 24, 23, 22, 20, 19, 22]);
    expectMean(
      found.deciles[0]!,
      [
        -0.010027603353772844, 0.026058314064319736, 0.008436572085577763, -1.1885874087314363,
        -0.030671151573011982, 0.010615944865466295, 7,
      ],
    );
    expectMean(
      found.deciles[9]!,
      [
        0.008837823484492092, 0.016654334673936563, 0.005199612332806283, 1.6997081549197401,
        -0.00388516955401119, 0.021560816522995373, 7,
      ],
    );
    expectMean(
      found.spread,
      [
        0.01886542683826493, 0.0302435446404465, 0.009297627367877263, 2.02905817708331,
        -0.003885047755723837, 0.0416159014322537, 7,
      ],
    );
  });

  it('has the hit rate of the reference, its t against one half', () => {
    expect(found.hitRate.kind).toBe('sign');
    expectMean(
      found.hitRate,
      [
        0.5834060119774405, 0.1301461591915577, 0.03734194117492005, 2.233574617525733, 0.49203357357176997,
        0.674778450383111, 7,
      ],
    );
    expect(found.hitRate.risen).toBeCloseTo(0.5236453201970444, 12);
  });

  it('judges a score without a sign by its top decile against the median stock', () => {
    const panel = referencePanel();
    const unsigned = evaluate({ ...panel, score: panel.score.map((value) => value + 100) }, 2);
    expect(unsigned.hitRate.kind).toBe('top_over_median');
    expectMean(
      unsigned.hitRate,
      [
        0.4523809523809524, 0.314970394174356, 0.10691315405103204, -0.44539933408304444, 0.1907738886901933,
        0.7139880160717115, 7,
      ],
    );
    // Ranks do not know where zero is.
    expect(unsigned.coefficient).toEqual(found.coefficient);
  });

  it('has the turnover and the autocorrelation of the reference', () => {
    expectMean(
      found.turnover,
      [
        0.5333333333333333, 0.380058475033046, 0.15202339001321832, 3.5082320772281186, 0.1112487362555582,
        0.9554179304111085, 5,
      ],
    );
    expectMean(
      found.autocorrelation,
      [
        0.676135965012996, 0.11392510190831921, 0.04557004076332766, 14.837291204644131, 0.549613248391991,
        0.802658681634001, 5,
      ],
    );
  });
});

describe('edges of an evaluation', () => {
  const ranked = (stocks: number, dates = 6): Panel => ({
    dates,
    stocks,
    score: Float64Array.from({ length: dates * stocks }, (_, cell) => cell % stocks),
    forward: Float64Array.from({ length: dates * stocks }, (_, cell) => (cell % stocks) / 100),
  });

  it('a perfect score has a coefficient of 1, no turnover and the spread of the extremes', () => {
    const { coefficient, spread, turnover, autocorrelation, hitRate } = evaluate(ranked(20), 0);
    expect(coefficient.mean).toBe(1);
    // Stocks 18 and 19 less stocks 0 and 1.
    expect(spread.mean).toBeCloseTo(0.18, 12);
    expect(turnover.mean).toBe(0);
    expect(autocorrelation.mean).toBe(1);
    expect(hitRate).toMatchObject({ kind: 'top_over_median', mean: 1 });
  });

  it('a date needs ten stocks', () => {
    expect(evaluate(ranked(STOCKS_MIN), 0).coefficient.dates).toBe(6);
    const few = evaluate(ranked(STOCKS_MIN - 1), 0);
    expect(few.coefficient.dates).toBe(0);
    expect(few.deciles.every(({ count, mean }) => count === 0 && Number.isNaN(mean))).toBe(true);
    expect(few.positiveShare).toBeNaN();
  });

  it('copies of a stock do not narrow an interval: dates are what counts', () => {
    const panel = referencePanel();
    const doubled = (of: Float64Array): Float64Array =>
      Float64Array.from({ length: 2 * of.length }, (_, cell) => of[cell >> 1]!);
    const twice = evaluate(
      {
        dates: panel.dates,
        stocks: 2 * panel.stocks,
        score: doubled(panel.score),
        forward: doubled(panel.forward),
      },
      2,
    );
    // Date 6 has ten stocks now and counts; the seven others are as they were.
    const without6 = twice.coefficients.map((value, date) => (date === 6 ? Number.NaN : value));
    const once = evaluate(panel, 2).coefficient;
    expect(datedMean(without6, 2).mean).toBeCloseTo(once.mean, 12);
    expect(datedMean(without6, 2).standardError).toBeCloseTo(once.standardError, 12);
  });

  it('a score is signed when it lies on both sides of zero', () => {
    expect(isSigned(column(-1, 2, Number.NaN))).toBe(true);
    expect(isSigned(column(0, 2))).toBe(false);
    expect(isSigned(column(-3, 0))).toBe(false);
    expect(isSigned(column(Number.NaN))).toBe(false);
  });

  it('a panel without a score has nothing to say', () => {
    const { coefficient, spread, hitRate } = evaluate(
      { ...ranked(20), score: new Float64Array(120).fill(Number.NaN) },
      0,
    );
    for (const { mean, dates } of [coefficient, spread, hitRate]) {
      expect(mean).toBeNaN();
      expect(dates).toBe(0);
    }
  });
});
