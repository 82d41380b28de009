import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  blockOfDay,
  fillBlocks,
  OUT_OF_SAMPLE,
  WALK_FORWARD,
} from '../../../../src/analysis/backtest/blocks.ts';
import { crossValidate } from '../../../../src/analysis/backtest/cross-validation.ts';
import { type Curves, seriesOf } from '../../../../src/analysis/backtest/curves.ts';
import { maxDrawdown, metricsOf, moments, sessionSharpe } from '../../../../src/analysis/backtest/metrics.ts';
import {
  deflation,
  expectedMaxSharpe,
  plateau,
  probabilisticSharpe,
  verdictOf,
} from '../../../../src/analysis/backtest/overfitting.ts';
import { mulberry32 } from '../../../support/daily-recipe.ts';
import { absent, numbers } from '../../../support/tables.ts';

/** fixtures/backtest: another program's figures for the same input. */
interface Reference {
  readonly seed: number;
  readonly skill: number;
  readonly expectedMax: number;
  readonly halvings: number;
  readonly probabilityOfOverfitting: number;
  readonly probabilityOfLoss: number;
  readonly cells: readonly {
    readonly mean: number;
    readonly deviation: number;
    readonly skewness: number;
    readonly kurtosis: number;
    readonly deflatedSharpe: number;
    readonly maxDrawdown: number;
  }[];
}

const references: Reference[] = JSON.parse(
  readFileSync(new URL('../../../../fixtures/backtest/reference.json', import.meta.url), 'utf8'),
);
const SESSIONS = 61;
const CELLS = 9;

function curvesOf({ seed, skill }: Reference): Curves {
  const draw = mulberry32(seed);
  const r = new Float64Array(SESSIONS * CELLS);
  for (let session = 0; session < SESSIONS; session++) {
    for (let cell = 0; cell < CELLS; cell++) {
      const [one, other] = [draw(), draw()];
      const result = one < 0.55 ? -1 : 3.4 * other ** 3 + 0.4;
      r[session * CELLS + cell] = session % 3 === 2 ? 0 : result + (cell === 4 ? skill : 0);
    }
  }
  return { sessions: SESSIONS, cells: CELLS, r };
}

const blockOf = Uint8Array.from({ length: SESSIONS }, (_, session) => blockOfDay(session, SESSIONS));

describe.each(references)('against the reference, seed $seed', (reference) => {
  const curves = curvesOf(reference);

  it('has its moments and drawdowns', () => {
    for (const [cell, expected] of reference.cells.entries()) {
      const series = seriesOf(curves, cell);
      const found = moments(series);
      for (const name of ['mean', 'deviation', 'skewness', 'kurtosis'] as const) {
        expect(found[name], name).toBeCloseTo(expected[name], 11);
      }
      expect(maxDrawdown(series)).toBeCloseTo(expected.maxDrawdown, 11);
    }
  });

  it('has its deflated Sharpe ratios', () => {
    const { expectedMax, trials, of } = deflation(curves);
    expect(trials).toBe(CELLS);
    expect(expectedMax).toBeCloseTo(reference.expectedMax, 12);
    for (const [cell, { deflatedSharpe }] of reference.cells.entries()) {
      expect(of(cell)).toBeCloseTo(deflatedSharpe, 11);
    }
  });

  it('has its probabilities over all halvings', () => {
    const { halvings, probabilityOfOverfitting, probabilityOfLoss } = reference;
    expect(crossValidate(curves, blockOf)).toEqual({ halvings, probabilityOfOverfitting, probabilityOfLoss });
  });
});

describe('the deflated Sharpe ratio', () => {
  // Bailey and Lopez de Prado (2014), "A numerical example": annual ratio 2.5 over 1,250 days of 250 a year, variance
  // 1/2 over the trials, skewness -3, kurtosis 10. They print 0.1132 and 0.9004 for 100 trials, 0.9505 for 46, and for
  // normal returns 0.9505 after 88.
  const best = (skewness: number, kurtosis: number) => ({
    mean: 2.5,
    deviation: Math.sqrt(250),
    skewness,
    kurtosis,
  });
  const deviation = Math.sqrt(1 / (2 * 250));

  it('is that of the published example', () => {
    expect(expectedMaxSharpe(deviation, 100)).toBeCloseTo(0.1132, 4);
    const deflated = (trials: number, skewness: number, kurtosis: number): number =>
      probabilisticSharpe(best(skewness, kurtosis), 1250, expectedMaxSharpe(deviation, trials));
    expect(deflated(100, -3, 10)).toBeCloseTo(0.9004, 4);
    expect(deflated(46, -3, 10)).toBeCloseTo(0.9505, 4);
    expect(deflated(88, 0, 3)).toBeCloseTo(0.9505, 4);
  });

  it('deducts nothing for luck from a single trial', () => {
    expect(expectedMaxSharpe(deviation, 1)).toBe(0);
    expect(expectedMaxSharpe(Number.NaN, 1)).toBe(0);
    expect(expectedMaxSharpe(deviation, 2)).toBeGreaterThan(0);
  });

  it('is not defined for a series that does not vary', () => {
    expect(probabilisticSharpe(moments(new Float64Array(9).fill(1)), 9, 0)).toBeNaN();
  });
});

describe('cross-validation', () => {
  /** R of each session and cell. */
  const curves = (cells: number, r: (session: number, cell: number) => number, sessions = 24): Curves => ({
    sessions,
    cells,
    r: Float64Array.from({ length: sessions * cells }, (_, at) => r(Math.floor(at / cells), at % cells)),
  });
  const twoEach = Uint8Array.from({ length: 24 }, (_, session) => session >> 1);

  it('trusts a cell that is always best', () => {
    const draw = mulberry32(4);
    const found = crossValidate(
      curves(8, (_, cell) => draw() - 0.5 + (cell === 3 ? 5 : 0)),
      twoEach,
    );
    expect(found).toEqual({ halvings: 924, probabilityOfOverfitting: 0, probabilityOfLoss: 0 });
  });

  it('does not trust cells of which each has its own half', () => {
    // What a cell wins in one half of the blocks it loses in the other: the best is the worst elsewhere.
    const found = crossValidate(
      curves(2, (session, cell) => (session < 12 === (cell === 0) ? 1 : -1)),
      twoEach,
    );
    expect(found.probabilityOfOverfitting).toBe(1);
  });

  it('counts the median itself as overfit, and ties as their middle', () => {
    // Equal cells: any of them is best, and its rank elsewhere is the middle of all.
    const draw = mulberry32(5);
    const row = Float64Array.from({ length: 24 }, () => draw() - 0.5);
    expect(
      crossValidate(
        curves(5, (session) => row[session]!),
        twoEach,
      ).probabilityOfOverfitting,
    ).toBe(1);
  });

  it('has nothing to choose among one cell', () => {
    const found = crossValidate(
      curves(1, (session) => session),
      twoEach,
    );
    expect(found).toEqual({
      halvings: 0,
      probabilityOfOverfitting: Number.NaN,
      probabilityOfLoss: Number.NaN,
    });
  });

  it('counts a cell without deviation as nothing won', () => {
    const found = crossValidate(
      curves(2, (session, cell) => (cell === 0 ? 0 : -1 - (session % 2))),
      twoEach,
    );
    expect(found).toEqual({ halvings: 924, probabilityOfOverfitting: 0, probabilityOfLoss: 0 });
  });
});

describe('the verdict', () => {
  it('follows from both probabilities, at their edges', () => {
    expect(verdictOf(1, 0.951, 0.05)).toBe('robust');
    expect(verdictOf(1, 0.95, 0.05)).toBe('doubtful');
    expect(verdictOf(1, 0.951, 0.051)).toBe('doubtful');
    expect(verdictOf(1, 0.99, 0.499)).toBe('doubtful');
    expect(verdictOf(1, 0.99, 0.5)).toBe('overfit');
    expect(verdictOf(1, null, 0.01)).toBe('inconclusive');
    expect(verdictOf(1, 0.99, null)).toBe('inconclusive');
    expect(verdictOf(null, null, null)).toBe('inconclusive');
    expect(verdictOf(0, 0.99, 0.01)).toBe('unprofitable');
    expect(verdictOf(0.001, 0.99, 0.01)).toBe('robust');
    expect(verdictOf(-1, null, null)).toBe('unprofitable');
  });
});

describe('the plateau', () => {
  const spec = {
    signalTypes: ['or_hold'],
    stops: [1, 2, 3],
    targets: [1, 2, 3, 4],
    topN: 1,
    tradeDays: [0],
    commissionPerShare: 0,
    slippageBps: 0,
  } as const;
  const grid = (...ratios: (number | null)[]) => ratios.map((sharpeRatio) => ({ sharpeRatio }));

  it('is the median of the cells around over the cell', () => {
    const inner = grid(1, 1, 1, 9, 1, 2, 3, 9, 0, 3, 3, 9);
    // Around the 2 of the middle row: 1 1 1 1 3 0 3 3, whose median is 1.
    expect(plateau(spec, inner, 5)).toBeCloseTo(0.5, 12);
    // In the corner: 1, 1 and 2.
    expect(plateau(spec, inner, 0)).toBe(1);
    // At the edge on the right, without one of them: 1, 9, 3, 9 and none.
    const edge = grid(1, 1, 1, 9, 1, 2, 3, 4, 0, 3, null, 9);
    expect(plateau(spec, edge, 7)).toBeCloseTo(6 / 4, 12);
  });

  it('is null for a cell that earns nothing, or has no neighbours', () => {
    expect(plateau(spec, grid(0, 1, 1, 9, 1, 2, 3, 9, 0, 3, 3, 9), 0)).toBeNull();
    expect(plateau(spec, grid(-1, 1, 1, 9, 1, 2, 3, 9, 0, 3, 3, 9), 0)).toBeNull();
    expect(plateau({ ...spec, stops: [1], targets: [1] }, grid(1), 0)).toBeNull();
    expect(plateau({ ...spec, stops: [1], targets: [1, 2] }, grid(1, null), 0)).toBeNull();
  });
});

describe('blocks', () => {
  it('are twelve, a session apart at most, and all filled from 24 sessions on', () => {
    for (const sessions of [24, 25, 61, 194, 252, 1260]) {
      const counts = new Array<number>(12).fill(0);
      for (let day = 0; day < sessions; day++) counts[blockOfDay(day, sessions)]!++;
      expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1);
      expect(fillBlocks([...Array(sessions).keys()], sessions)).toBe(true);
    }
    expect(fillBlocks([...Array(23).keys()], 23)).toBe(false);
    expect(fillBlocks([...Array(48).keys()].slice(3), 48)).toBe(false);
    expect(fillBlocks([...Array(48).keys()].slice(2), 48)).toBe(true);
  });

  it('never test on what a choice has seen', () => {
    for (const { choose, test } of [OUT_OF_SAMPLE, ...WALK_FORWARD]) {
      expect(choose.from).toBe(0);
      expect(test.from).toBe(choose.to);
      expect(test.to).toBeGreaterThan(test.from);
    }
    expect(WALK_FORWARD.map(({ test }) => [test.from, test.to])).toEqual(numbers`4 6, 6 8, 8 10, 10 12`);
  });
});

describe('the metrics of a cell', () => {
  it('are those of an example by hand', () => {
    // Sessions of 2, -1, 0 and 1 R: mean 0.5, deviation sqrt(5/3); four trades, 3.5 R won and 1.5 lost, one ambiguous.
    const metrics = metricsOf(Float64Array.of(2, -1, 0, 1), Float64Array.of(2, 3.5, 2, 1.5, 1));
    expect(metrics).toEqual({
      totalTrades: 4,
      winRate: 0.5,
      avgRrRatio: 0.5,
      sharpeRatio: expect.closeTo((0.5 / Math.sqrt(5 / 3)) * Math.sqrt(252), 12),
      profitFactor: expect.closeTo(7 / 3, 12),
      maxDrawdown: 1,
      totalR: 2,
      ambiguousShare: 0.25,
    });
  });

  it('are null where they are not defined', () => {
    expect(metricsOf(Float64Array.of(1, 1, 1), Float64Array.of(3, 3, 0, 0, 0))).toMatchObject({
      sharpeRatio: null,
      profitFactor: null,
      maxDrawdown: 0,
      winRate: 1,
    });
    expect(metricsOf(Float64Array.of(1), Float64Array.of(1, 1, 0, 0, 0)).sharpeRatio).toBeNull();
    expect(metricsOf(new Float64Array(0), new Float64Array(5))).toEqual({
      totalTrades: 0,
      totalR: 0,
      ...absent`winRate avgRrRatio sharpeRatio profitFactor maxDrawdown ambiguousShare`,
    });
  });

  it('take equal sums with their rounding for equal', () => {
    expect(sessionSharpe(moments(Float64Array.of(0.1 + 0.2, 0.3, 0.3)))).toBeNaN();
  });

  it('count a fall from the start as a drawdown', () => {
    expect(maxDrawdown(Float64Array.of(-1, -2, 5))).toBe(3);
    expect(maxDrawdown(Float64Array.of(3, -1, -1, 4, -3))).toBe(3);
  });
});
