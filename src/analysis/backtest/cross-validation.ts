import type { Curves } from './curves.ts';

/** A variance below this share of the mean square is rounding of equal values. */
const DUST = 1e-12;

/**
 * Probability of backtest overfitting. The sessions are cut into blocks. For every choice of half of the blocks, the
 * cell with the best Sharpe ratio there is ranked on the other half. The choice is overfit when that cell is no better
 * than the median: relative rank (1 worst, ties in the middle) / (cells + 1) at most 1/2. A cell without deviation on a
 * half has a Sharpe ratio of 0 there. NaN for a grid of one cell, which leaves no choice.
 *
 * @param blockOf block of each session, ascending from 0, an even number of them, all filled
 * Source: D. H. Bailey, J. M. Borwein, M. Lopez de Prado, Q. J. Zhu, "The Probability of Backtest Overfitting", Journal
 * of Computational Finance 20 (2017): combinatorially symmetric cross-validation, with blocks whose lengths differ by
 * at most one session.
 */
export function crossValidate({ sessions, cells, r }: Curves, blockOf: Uint8Array) {
  const blocks = blockOf[sessions - 1]! + 1;
  const counts = new Float64Array(blocks);
  const sums = new Float64Array(blocks * cells);
  const squares = new Float64Array(blocks * cells);
  for (let session = 0; session < sessions; session++) {
    const block = blockOf[session]!;
    counts[block]!++;
    for (let cell = 0; cell < cells; cell++) {
      const value = r[session * cells + cell]!;
      sums[block * cells + cell]! += value;
      squares[block * cells + cell]! += value * value;
    }
  }
  const halves = halfMasks(blocks);
  const chosenOn = new Float64Array(cells);
  const tested = new Float64Array(cells);
  let overfit = 0;
  let lost = 0;
  for (const half of halves) {
    sharpeOf(half, counts, sums, squares, chosenOn);
    sharpeOf(~half, counts, sums, squares, tested);
    const best = indexOfGreatest(chosenOn);
    if (2 * midRank(tested, best) <= cells + 1) overfit++;
    if (tested[best]! < 0) lost++;
  }
  const share = (count: number): number => (cells < 2 ? Number.NaN : count / halves.length);
  return {
    halvings: cells < 2 ? 0 : halves.length,
    probabilityOfOverfitting: share(overfit),
    probabilityOfLoss: share(lost),
  };
}

/** Sets of half of the blocks, one bit each. */
function halfMasks(blocks: number): number[] {
  const masks: number[] = [];
  for (let mask = 0; mask < 1 << blocks; mask++) {
    let size = 0;
    for (let rest = mask; rest !== 0; rest &= rest - 1) size++;
    if (2 * size === blocks) masks.push(mask);
  }
  return masks;
}

/** Sharpe ratio of every cell over the sessions of a set of blocks. */
function sharpeOf(
  mask: number,
  counts: Float64Array,
  sums: Float64Array,
  squares: Float64Array,
  into: Float64Array,
): void {
  const cells = into.length;
  const inside = [...counts.keys()].filter((block) => mask & (1 << block));
  const n = inside.reduce((sum, block) => sum + counts[block]!, 0);
  for (let cell = 0; cell < cells; cell++) {
    let sum = 0;
    let square = 0;
    for (let at = 0; at < inside.length; at++) {
      const place = inside[at]! * cells + cell;
      sum += sums[place]!;
      square += squares[place]!;
    }
    const variance = (square - (sum * sum) / n) / (n - 1);
    into[cell] = variance > (DUST * square) / n ? sum / n / Math.sqrt(variance) : 0;
  }
}

function indexOfGreatest(values: Float64Array): number {
  let best = 0;
  for (let at = 1; at < values.length; at++) if (values[at]! > values[best]!) best = at;
  return best;
}

/** Rank of a value, 1 for the lowest; equal values share the middle of their ranks. */
function midRank(values: Float64Array, of: number): number {
  const value = values[of]!;
  let less = 0;
  let equal = 0;
  for (let at = 0; at < values.length; at++) {
    if (values[at]! < value) less++;
    else if (values[at] === value) equal++;
  }
  return less + (equal + 1) / 2;
}
