import { describe, expect, it } from 'vitest';
import { reliabilityOf } from '../../../../src/records/estimate/reliability.ts';
import { mulberry32 } from '../../../support/daily-recipe.ts';
import { recordAnswers } from '../../../support/record-answers.ts';

const BINS = 20;

/** Stocks with scores over all bins but the lowest two, of which as many come true as `chance` says of the score. */
function countsOf(seed: number, stocks: number, chance: (forecast: number) => number) {
  const draw = mulberry32(seed);
  const column = () => new Float64Array(BINS);
  const counts = { events: column(), true: column(), forecast: column() };
  for (let stock = 0; stock < stocks; stock++) {
    const forecast = 0.1 + 0.9 * draw();
    const bin = Math.floor(forecast * BINS);
    counts.events[bin]!++;
    counts.forecast[bin]! += forecast;
    if (draw() < chance(forecast)) counts.true[bin]!++;
  }
  return counts;
}

const CASES = [
  countsOf(1, 5_000, (forecast) => forecast),
  countsOf(2, 400, () => 0.5),
  countsOf(3, 2_000, (forecast) => 0.4 + 0.2 * forecast),
  countsOf(4, 900, (forecast) => 1 - forecast),
];
/** Miscalibration, discrimination and uncertainty, of `test/support/record-answers.py`. */
const ANSWERS = [
  [0.0002665247685871841, 0.07029536176437581, 0.24804636],
  [0.06408067959016611, 0.002413169667379589, 0.24877500000000002],
  [0.045457596724462174, 0.0025836448028507264, 0.24932400000000007],
  [0.22183020461793948, 0.0, 0.24555555555555555],
];
const figuresOf = (counts: (typeof CASES)[number]): number[] => {
  const { miscalibration, discrimination, uncertainty } = reliabilityOf(counts)!;
  return [miscalibration, discrimination, uncertainty];
};

describe('the reliability of a score that is read as a probability', () => {
  it('equals the answers that the script gave', () => {
    for (const [at, counts] of CASES.entries())
      for (const [place, value] of figuresOf(counts).entries())
        expect(value).toBeCloseTo(ANSWERS[at]![place]!, 9);
  });

  it('equals what the script answers here, where Python has scipy', ({ skip }) => {
    const answers = recordAnswers<readonly number[]>(
      CASES.map((counts) => ({
        kind: 'reliability',
        events: [...counts.events],
        true: [...counts.true],
        forecast: [...counts.forecast],
      })),
    );
    if (answers === null) return skip('Python without numpy and scipy');
    for (const [at, counts] of CASES.entries())
      for (const [place, value] of figuresOf(counts).entries())
        expect(value).toBeCloseTo(answers[at]![place]!, 9);
  });

  it('tells a probability from a score that is only an order, from one that tells nothing, and from one upside down', () => {
    const [probability, nothing, order, reversed] = CASES.map((counts) => reliabilityOf(counts)!);
    expect(probability!.miscalibration).toBeLessThan(0.002);
    expect(probability!.discrimination).toBeGreaterThan(0.05);
    expect(nothing!.miscalibration).toBeGreaterThan(0.05);
    expect(nothing!.discrimination).toBeLessThan(0.02);
    expect(order!.miscalibration).toBeGreaterThan(0.03);
    expect(order!.discrimination).toBeLessThan(probability!.discrimination);
    expect(reversed!.miscalibration).toBeGreaterThan(0.2);
    expect(reversed!.discrimination).toBeLessThan(0.005);
  });

  it('has the mean forecast and the share of each bin with a stock', () => {
    const [counts] = CASES;
    const { n, bins } = reliabilityOf(counts!)!;
    expect(n).toBe(5_000);
    expect(bins).toHaveLength(18);
    expect(bins[0]).toEqual({
      n: counts!.events[2],
      forecast: counts!.forecast[2]! / counts!.events[2]!,
      observed: counts!.true[2]! / counts!.events[2]!,
    });
  });

  it('is nothing below 200 stocks', () => {
    expect(reliabilityOf(countsOf(5, 199, () => 0.5))).toBeNull();
    expect(reliabilityOf(countsOf(5, 200, () => 0.5))).not.toBeNull();
  });
});
