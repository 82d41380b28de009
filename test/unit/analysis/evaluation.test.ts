import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FEWEST } from '../../../src/records/estimate/record.ts';
import {
  deciles,
  evaluate,
  horizonInDates,
  type MeanReport,
  midRanks,
  type ScoredDate,
  STOCKS_MIN,
  spearman,
  whyNoFigures,
} from '../../../src/records/evaluation.ts';
import { forAll, wholeBetween } from '../../support/for-all.ts';
import { recordAnswers } from '../../support/record-answers.ts';
import { words } from '../../support/tables.ts';

/** Figures marked "reference" come from scipy 1.17.1 (`stats.rankdata`, `stats.spearmanr`). */

/** Uniform numbers of a linear congruential generator (the constants of ANSI C), the same in any language. */
function uniforms(count: number, seed: number): number[] {
  let state = BigInt(seed);
  return Array.from({ length: count }, () => {
    state = (1_103_515_245n * state + 12_345n) % 2_147_483_648n;
    return Number(state) / 2_147_483_648;
  });
}

const column = (...values: number[]): Float64Array => Float64Array.from(values);

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
    const pair = fc.tuple(wholeBetween(-50, 50), wholeBetween(-50, 50));
    forAll([fc.array(pair, { minLength: 3, maxLength: 40 })], (pairs) => {
      const x = Float64Array.from(pairs, ([value]) => value);
      const y = Float64Array.from(pairs, ([, value]) => value);
      const mapped = spearman(
        x.map((value) => value ** 3 + 7),
        y.map((value) => Math.exp(value / 9)),
      );
      expect(mapped).toBe(spearman(x, y));
    });
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

it.each([
  [5, 1, 5],
  [5, 5, 1],
  [5, 4, 2],
  [5, 6, 1],
  [1, 1, 1],
  [20, 7, 3],
])('a horizon of %i sessions asked every %i ends after %i dates', (horizon, every, dates) => {
  expect(horizonInDates(horizon, every)).toBe(dates);
});

const HORIZON = 3;

/** So many dates and stocks, of what each stock has on each date. */
const datesOf = (
  dates: number,
  stocks: number,
  of: (cell: number, stock: number) => readonly [score: number, forward: number],
): ScoredDate[] =>
  Array.from({ length: dates }, (_, date) => {
    const cells = Array.from({ length: stocks }, (_, stock) => of(date * stocks + stock, stock));
    const score = Float64Array.from(cells, ([own]) => own);
    return { tradeDate: `${date}`, score, forward: Float64Array.from(cells, ([, own]) => own) };
  });

/** Thirty dates and stocks: tied scores of both signs that persist, some absent; date 6 has too few stocks. */
function referenceDates(): ScoredDate[] {
  const u = uniforms(900, 1);
  const v = uniforms(900, 2);
  const dates = datesOf(30, 30, (cell, stock) => {
    const score = Math.round(20 * (0.6 * u[stock]! + 0.4 * u[cell]!)) - 10;
    return [score, (v[cell]! - 0.48) / 10 + 0.002 * score];
  });
  dates[3]!.score[5] = Number.NaN;
  dates[4]!.forward[7] = Number.NaN;
  dates[6]!.score.fill(Number.NaN, 0, 25);
  return dates;
}

/** Mean, deviation, standard error, t, interval, dates. */
type Answer = Readonly<Record<string, number | readonly (number | null)[]>>;

const row = (parts: TemplateStringsArray): number[] => words(parts).map(Number);

/** Of `test/support/record-answers.py`; NaN is what is absent. */
const ANSWER: Answer = {
  coefficients: row`
    -0.0780293802232928 0.06653313270308721 0.1787050543209704 0.36319208351403115 0.5163269426638436
    0.06764188278409466 NaN 0.2819171143488735 0.3759791794362378 -0.06766159309632563 -0.03149455877451223
    0.37138152421273835 0.2259747736193577 0.18750452128621614 0.27258857839335526 0.2793876243122158
    0.169420592507876 0.21924676615581087 -0.107934038858491 -0.12732940999222034 0.6252020051829705
    0.04370850550649737 0.3629484630010624 0.2676220776371088 0.4088967423846073 0.137955910068926
    -0.17600600890859847 0.4035765051643655 0.45262009552838717 0.3798517991865977`,
  counts: row`76 95 82 85 94 79 90 87 91 89`,
  risen: 0.5252477209671027,
  coefficient: row`
    0.20930092703675146 0.20771323384239093 0.024033943359910957 8.708555391949085 0.10589121503258662
    0.3127106390409163 29`,
  lowest: row`
    -0.01234213227613283 0.021332267312562818 0.0019215863737254534 -6.422887071271568 -0.02061005113249202
    -0.004074213419773638 29`,
  highest: row`
    0.012090751839501937 0.021579881630578907 0.0027312578620335482 4.426807152694038 0.00033909774377361215
    0.023842405935230262 29`,
  spread: row`
    0.024432884115634775 0.03546305376954676 0.004651868753079672 5.252272884839989 0.0044175083267602964
    0.04444825990450925 29`,
  sign: row`
    0.546406321280436 0.12505439321610085 0.025077914545125507 1.8504856612750584 0.438504763806428
    0.654307878754444 29`,
  top: row`
    0.5114942528735632 0.35124787318668826 0.04895323910569964 0.23480066045772496 0.30086546500534656
    0.7221230407417798 29`,
  turnover: row`
    0.7160493827160493 0.2717654170640508 0.05612861714949616 12.757295994107295 0.5602113583698098
    0.8718874070622888 27`,
  autocorrelation: row`
    0.6731470144961209 0.08678635882998802 0.006800209094861798 98.98916417213512 0.6542666072403703
    0.6920274217518715 27`,
};

const rowOf = (of: MeanReport) =>
  (['mean', 'deviation', 'standard_error', 't', 'low', 'high', 'dates'] as const).map((name) => of[name]);

describe('an evaluation', () => {
  const dates = referenceDates();
  const found = evaluate(dates, HORIZON);
  const above = dates.map((date) => ({ ...date, score: date.score.map((value) => value + 100) }));
  const unsigned = evaluate(above, HORIZON);
  const own: Answer = {
    coefficients: found.information_coefficient.by_date.map(({ value }) => value),
    counts: found.deciles.map(({ count }) => count),
    risen: found.hit_rate.risen!,
    coefficient: rowOf(found.information_coefficient),
    lowest: rowOf(found.deciles[0]!),
    highest: rowOf(found.deciles[9]!),
    spread: rowOf(found.spread),
    sign: rowOf(found.hit_rate),
    top: rowOf(unsigned.hit_rate),
    turnover: rowOf(found.turnover),
    autocorrelation: rowOf(found.autocorrelation),
  };
  const expectEqual = (answer: Answer): void => {
    for (const name of Object.keys(own)) {
      const [mine, other] = [[own[name]!].flat(), [answer[name]!].flat()];
      expect(mine.length, name).toBe(other.length);
      for (const [at, value] of mine.entries()) {
        // Absent is null here and in JSON, NaN in the table above.
        if (value === null) expect(other[at] ?? Number.NaN, name).toBeNaN();
        else expect(value, name).toBeCloseTo(other[at]!, 9);
      }
    }
  };

  it('equals the answers that `test/support/record-answers.py` gave', () => {
    expectEqual(ANSWER);
  });

  it('equals what the script answers here, where Python has numpy and scipy', ({ skip }) => {
    // What is absent is null in JSON.
    const [score, forward] = (['score', 'forward'] as const).map((name) =>
      dates.flatMap((date) => [...date[name]]),
    );
    const answers = recordAnswers<Answer>([
      { kind: 'evaluation', dates: dates.length, horizon: HORIZON, score, forward },
    ]);
    if (answers === null) return skip('Python without numpy and scipy');
    expectEqual(answers[0]!);
  });

  it('judges a score with two signs by them, and any other by its top decile against the median stock', () => {
    expect([found.hit_rate.kind, unsigned.hit_rate.kind]).toEqual(['sign', 'top_over_median']);
    // Ranks do not know where zero is.
    expect(unsigned.information_coefficient).toEqual(found.information_coefficient);
    for (const [scores, kind] of [
      [[-1, 2, Number.NaN], 'sign'],
      [[0, 2, Number.NaN], 'top_over_median'],
      [[-3, 0, Number.NaN], 'top_over_median'],
    ] as const)
      expect(
        evaluate(
          datesOf(1, 3, (cell) => [scores[cell]!, 0]),
          0,
        ).hit_rate.kind,
      ).toBe(kind);
  });
});

describe('edges of an evaluation', () => {
  const ranked = (stocks: number): ScoredDate[] =>
    datesOf(FEWEST.edge.dates, stocks, (_, stock) => [stock, stock / 100]);

  it('a perfect score has a coefficient of 1, no turnover and the spread of the extremes', () => {
    const {
      information_coefficient: ic,
      spread,
      turnover,
      autocorrelation,
      hit_rate,
    } = evaluate(ranked(20), 0);
    // Nothing varies: an interval of no width, and no t.
    expect(ic).toMatchObject({ mean: 1, standard_error: 0, t: null, is_evidence: null, low: 1, high: 1 });
    // Stocks 18 and 19 less stocks 0 and 1.
    expect(spread.mean).toBeCloseTo(0.18, 12);
    expect(turnover.mean).toBe(0);
    expect(autocorrelation.mean).toBe(1);
    expect(hit_rate).toMatchObject({ kind: 'top_over_median', mean: 1 });
  });

  it('an interval needs twenty dates', () => {
    const few = evaluate(referenceDates().slice(0, FEWEST.edge.dates), HORIZON).information_coefficient;
    expect(few).toMatchObject({ dates: 19, standard_error: null, t: null, low: null });
    expect(few.mean).toBeGreaterThan(0);
  });

  it('a date needs ten stocks', () => {
    const dates = FEWEST.edge.dates;
    expect(evaluate(ranked(STOCKS_MIN), 0).information_coefficient.dates).toBe(dates);
    const few = evaluate(ranked(STOCKS_MIN - 1), 0);
    expect(few.information_coefficient).toMatchObject({ dates: 0, mean: null, positive_share: null });
    expect(few.deciles.every(({ count, mean }) => count === 0 && mean === null)).toBe(true);
  });

  it('copies of a stock do not narrow an interval: dates are what counts', () => {
    const dates = referenceDates();
    // Nor would a date that has too few stocks once, and enough twice.
    dates[6]!.score.fill(Number.NaN);
    const once = evaluate(dates, 2).information_coefficient;
    const twice = evaluate(
      datesOf(dates.length, 60, (cell, stock) => {
        const { score, forward } = dates[Math.floor(cell / 60)]!;
        return [score[stock >> 1]!, forward[stock >> 1]!];
      }),
      2,
    ).information_coefficient;
    expect(twice.mean).toBeCloseTo(once.mean!, 12);
    expect(twice.standard_error).toBeCloseTo(once.standard_error!, 12);
  });

  it.each([
    ['no return', [1, 2], [Number.NaN, Number.NaN], [], /another 5 sessions later/],
    ['only failures', [Number.NaN, Number.NaN], [1, 2], ['A: boom', 'B: boom'], /the first: A: boom/],
    ['no score', [Number.NaN, Number.NaN], [1, 2], [], /^x has no value at the close of any of 2/],
    ['too few stocks', [1, 2], [1, 2], [], /^No date has 10 stocks .* the most are 2, of 2 symbols/],
    ['scores that are all alike', Array(12).fill(1), Array(12).fill(1), [], /no order to judge/],
  ])('with %s has no figures, and says why', (_, score, forward, failures, reason) => {
    const dates = datesOf(1, score.length, (cell) => [score[cell]!, forward[cell]!]);
    expect(evaluate(dates, 0).information_coefficient).toMatchObject({ mean: null, dates: 0 });
    expect(whyNoFigures({ score: 'x', horizon: 5 }, dates, failures)).toMatch(reason);
  });
});
