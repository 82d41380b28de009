/** Nodes in -1 to 1 and weights of an integration rule, of one length. */
export interface Rule {
  readonly node: Float64Array;
  readonly weight: Float64Array;
}

/**
 * Gauss and Legendre's rule of `count` points, exact for polynomials of degree 2 count - 1.
 *
 * Source: roots of the Legendre polynomial by Newton's method from Tricomi's approximation.
 */
export function legendreNodes(count: number): Rule {
  const node = new Float64Array(count);
  const weight = new Float64Array(count);
  for (let at = 0; at < count; at++) {
    let x = -Math.cos((Math.PI * (at + 0.75)) / (count + 0.5));
    let slope = 1;
    for (let step = 0; step < 8; step++) {
      let value = 1;
      let before = 0;
      for (let degree = 1; degree <= count; degree++) {
        const lower = before;
        before = value;
        value = ((2 * degree - 1) * x * before - (degree - 1) * lower) / degree;
      }
      slope = (count * (x * value - before)) / (x * x - 1);
      x -= value / slope;
    }
    node[at] = x;
    weight[at] = 2 / ((1 - x * x) * slope * slope);
  }
  return { node, weight };
}
