import type { EdgeRow } from './made-graphs.ts';

/** The definitions by whole matrices and nothing else: what the fast way is held against. */

type Matrix = readonly (readonly number[])[];

const product = (one: Matrix, other: Matrix): Matrix =>
  one.map((row) =>
    other[0]!.map((_, column) => row.reduce((sum, value, at) => sum + value * other[at]![column]!, 0)),
  );

/** (I + W/D)/2; the row of an isolated stock has its half alone. */
function lazyWalk(stocks: number, edges: readonly EdgeRow[]): Matrix {
  const weights = Array.from({ length: stocks }, () => new Array<number>(stocks).fill(0));
  for (const [one, other, weight] of edges) {
    weights[one]![other] = weight;
    weights[other]![one] = weight;
  }
  return weights.map((row, stock) => {
    const degree = row.reduce((sum, weight) => sum + weight, 0);
    return row.map((weight, at) => (degree === 0 ? 0 : weight / degree / 2) + (at === stock ? 0.5 : 0));
  });
}

export interface Dense {
  readonly implied: number[];
  readonly peers: number[];
}

/** By scale of 1, 3 and 8 steps the implied returns and the number of peers that count. */
export function denseDiffusion(
  stocks: number,
  edges: readonly EdgeRow[],
  returns: readonly number[],
): Dense[] {
  const walk = lazyWalk(stocks, edges);
  return [1, 3, 8].map((steps) => {
    let power = walk;
    for (let step = 1; step < steps; step++) power = product(power, walk);
    const counts = (stock: number, other: number): boolean =>
      other !== stock &&
      !Number.isNaN(returns[other]) &&
      power[stock]![other]! >= (steps === 1 ? Number.MIN_VALUE : 0.001);
    const peers = power.map((row, stock) => row.filter((_, other) => counts(stock, other)).length);
    const implied = power.map((row, stock) => {
      let sum = 0;
      let weights = 0;
      for (const [other, weight] of row.entries()) {
        if (other === stock || Number.isNaN(returns[other])) continue;
        sum += weight * returns[other]!;
        weights += weight;
      }
      return peers[stock] === 0 ? Number.NaN : sum / weights;
    });
    return { implied, peers };
  });
}
