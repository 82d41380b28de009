const DENOMINATOR_MAX = 10;
const TOLERANCE = 2e-5;

/**
 * The ratio that a company announces, from the decimal that a vendor stores: 6.99999 and 7.000007 are 7:1, 0.0625 is
 * 1:16, 1.5 is 3:2. What lies near no ratio of small numbers (GOOG 2015: 1.0027) is kept to six decimals.
 */
export function sensibleSplit(ratio: number): number {
  for (let denominator = 1; denominator <= DENOMINATOR_MAX; denominator++) {
    const forward = Math.round(ratio * denominator);
    if (forward >= denominator && isNear(forward / denominator, ratio)) return forward / denominator;
    const reverse = Math.round(denominator / ratio);
    if (reverse > denominator && isNear(denominator / reverse, ratio)) return denominator / reverse;
  }
  return Number(ratio.toFixed(6));
}

function isNear(candidate: number, ratio: number): boolean {
  return Math.abs(candidate - ratio) <= TOLERANCE * ratio;
}
