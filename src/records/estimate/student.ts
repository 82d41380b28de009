/** Student's distribution of any number of degrees of freedom. */

const LANCZOS = [
  676.5203681218851, -1259.1392167224028, 771.3234287776531, -176.6150291621406, 12.507343278686905,
  -0.13857109526572012, 9.984369578019572e-6, 1.5056327351493116e-7,
];

/** Logarithm of the gamma function for arguments of a half and more, to 1e-14 (C. Lanczos, 1964, g = 7 with nine terms). */
function logGamma(x: number): number {
  const z = x - 1;
  const t = z + 7.5;
  const sum = LANCZOS.reduce((total, term, at) => total + term / (z + at + 1), 0.9999999999998099);
  return 0.5 * Math.log(2 * Math.PI) + (z + 0.5) * Math.log(t) - t + Math.log(sum);
}

const TERMS_MAX = 500;
const PRECISION = 1e-15;
const TINY = 1e-300;

/** The regularised incomplete beta function by its continued fraction (W. J. Lentz, 1976), for x below (a+1)/(a+b+2). */
function lowerBeta(a: number, b: number, x: number): number {
  const away = (value: number): number => (Math.abs(value) < TINY ? TINY : value);
  let c = 1;
  let d = 1 / away(1 - ((a + b) * x) / (a + 1));
  let fraction = d;
  for (let m = 1; m <= TERMS_MAX; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / away(1 + even * d);
    c = away(1 + even / c);
    fraction *= c * d;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / away(1 + odd * d);
    c = away(1 + odd / c);
    fraction *= c * d;
    if (Math.abs(c * d - 1) < PRECISION) break;
  }
  const front = logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x);
  return (Math.exp(front) * fraction) / a;
}

function incompleteBeta(a: number, b: number, x: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  return x < (a + 1) / (a + b + 2) ? lowerBeta(a, b, x) : 1 - lowerBeta(b, a, 1 - x);
}

/** The probability of more than `t` with `freedom` degrees of freedom. */
export function studentAbove(t: number, freedom: number): number {
  const tail = incompleteBeta(freedom / 2, 0.5, freedom / (freedom + t * t)) / 2;
  return t >= 0 ? tail : 1 - tail;
}

/** The value below which a variable lies with probability `share`, a half or more; found by halving to full precision. */
export function studentQuantile(share: number, freedom: number): number {
  let low = 0;
  let high = 1;
  while (studentAbove(high, freedom) > 1 - share) high *= 2;
  for (let step = 0; step < 200 && high - low > 1e-15 * high; step++) {
    const middle = (low + high) / 2;
    if (studentAbove(middle, freedom) > 1 - share) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/**
 * The value of the normal distribution that lies as far out as `t` with `freedom` degrees of freedom, to a twentieth of it
 * from two on.
 *
 * Source: D. L. Wallace, "Bounds on Normal Approximations to Student's and the Chi-Square Distributions", Annals of
 * Mathematical Statistics 30 (1959).
 */
export const normalDeviate = (t: number, freedom: number): number =>
  (Math.sign(t) * Math.sqrt(freedom * Math.log1p((t * t) / freedom)) * (8 * freedom + 1)) / (8 * freedom + 3);
