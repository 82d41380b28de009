import { mean } from '../../analysis/statistics.ts';

/** Whether the best of several edges is more than chance, although it is the best because it was looked for. */

export interface Superior {
  /** Place of the greatest deviate. */
  readonly best: number;
  /** How often the best of as many without any edge looks as good. */
  readonly p: number;
}

/** An edge as far from none as its `deviate` of the normal distribution, and what each date says of it. */
export interface JudgedEdge {
  readonly deviate: number;
  readonly byDate: Float64Array;
}

const DRAWS = 999;
const SEED = 41;
/** Series that do not vary are divided by no less. */
const LEAST_DEVIATION = 1e-6;

/**
 * Hansen's test for superior predictive ability, studentised and consistent: the greatest deviate against the greatest in
 * stationary draws of the dates, the same for all series, once their means are gone. Edges far below none stay there, so
 * that they cannot pass for the best.
 *
 * How far an edge is from none is what its record says; draws tell how the edges move together, each as wide as one. One
 * error of draws for both, as in the paper, called 21 of 100 useless sets of eight patterns over 250 dates, and 13 of 100 of
 * eleven levels over 60, at a p of 0.05; this calls 4 and 6.
 *
 * Source: P. R. Hansen, "A Test for Superior Predictive Ability", Journal of Business & Economic Statistics 23 (2005);
 * H. White, "A Reality Check for Data Snooping", Econometrica 68 (2000).
 *
 * @param edges their series are of the same dates
 * @param block mean length in dates of what is drawn together
 */
export function superiorOf(edges: readonly JudgedEdge[], block: number): Superior {
  const dates = edges[0]!.byDate.length;
  const cells = edges.length;
  const means = edges.map(({ byDate }) => mean(byDate));
  // Sums up to each date, twice around, one row of cells a date: a block is a difference, also beyond the last date.
  const upTo = new Float64Array((2 * dates + 1) * cells);
  for (let cell = 0; cell < cells; cell++) {
    const { byDate } = edges[cell]!;
    for (let date = 0; date < 2 * dates; date++)
      upTo[(date + 1) * cells + cell] = upTo[date * cells + cell]! + byDate[date % dates]! - means[cell]!;
  }
  const drawn = Array.from(stationaryDraws(dates, block), (blocks) => {
    const sums = new Float64Array(cells);
    for (let at = 0; at < blocks.length; at += 2) {
      const [from, to] = [blocks[at]! * cells, (blocks[at]! + blocks[at + 1]!) * cells];
      for (let cell = 0; cell < cells; cell++) sums[cell]! += upTo[to + cell]! - upTo[from + cell]!;
    }
    return sums.map((sum) => sum / dates);
  });
  const deviations = means.map((_, cell) =>
    Math.max(Math.sqrt(mean(drawn.map((own) => own[cell]! ** 2))), LEAST_DEVIATION),
  );
  const bound = -Math.sqrt(2 * Math.log(Math.log(dates)));
  const kept = edges.map(({ deviate }) => (deviate >= bound ? 0 : deviate));
  const greatest = Math.max(...edges.map(({ deviate }) => deviate));
  const asGood = drawn.filter((own) => {
    const best = own.reduce(
      (most, value, cell) => Math.max(most, value / deviations[cell]! + kept[cell]!),
      0,
    );
    return best >= Math.max(0, greatest);
  });
  return {
    best: edges.findIndex(({ deviate }) => deviate === greatest),
    p: (asGood.length + 1) / (DRAWS + 1),
  };
}

/**
 * Draws of as many dates as there are, in blocks that begin anywhere, wrap around and end on each date with probability
 * 1 / block. Pairs of first date and length; the same ones each time.
 *
 * Source: D. N. Politis, J. P. Romano, "The Stationary Bootstrap", JASA 89 (1994).
 */
export function* stationaryDraws(dates: number, block: number): Generator<Int32Array> {
  const random = mulberry32(SEED);
  const blocks = new Int32Array(2 * dates);
  const goesOn = Math.log(1 - 1 / block);
  for (let draw = 0; draw < DRAWS; draw++) {
    let used = 0;
    for (let date = 0; date < dates; ) {
      const length = Math.min(dates - date, 1 + Math.floor(Math.log(1 - random()) / goesOn));
      blocks[used++] = Math.floor(random() * dates);
      blocks[used++] = length;
      date += length;
    }
    yield blocks.subarray(0, used);
  }
}

/** The generator mulberry32: uniform numbers in [0, 1) from a 32-bit seed, the same bits in every language. */
export function mulberry32(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
