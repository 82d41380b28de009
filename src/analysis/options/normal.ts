/**
 * The normal distribution to full double precision, in its tails relative to its own size: a far out-of-the-money
 * price is a difference of two such tails.
 *
 * Sources: W. J. Cody, "Rational Chebyshev approximations for the error function", Math. Comp. 23 (1969), for the
 * scaled error function; M. J. Wichura, algorithm AS 241, Applied Statistics 37 (1988), for the inverse.
 */

const SQRT_HALF = Math.SQRT1_2;
const SQRT_HALF_PI = 1.2533141373155003;
export const INVERSE_SQRT_TWO_PI = 0.3989422804014327;
export const SQRT_TWO_PI = 1 / INVERSE_SQRT_TWO_PI;
const INVERSE_SQRT_PI = 0.5641895835477563;

/** Density of the standard normal distribution at `z`. */
export function normalDensity(z: number): number {
  return INVERSE_SQRT_TWO_PI * Math.exp(-0.5 * z * z);
}

/** Probability that a standard normal deviate lies below `z`; relative error below 1e-13 down to z = -37. */
export function normalCdf(z: number): number {
  const distance = Math.abs(z) * SQRT_HALF;
  if (distance < 0.46875) return 0.5 + 0.5 * smallErf(z * SQRT_HALF);
  const tail = 0.5 * Math.exp(-0.5 * z * z) * scaledErfc(distance);
  return z < 0 ? tail : 1 - tail;
}

/** cdf(z) / density(z), of order one over the distance where both vanish; overflows beyond z = 38. */
export function cdfOverDensity(z: number): number {
  return z <= 0
    ? SQRT_HALF_PI * scaledErfc(-z * SQRT_HALF)
    : 2 * SQRT_HALF_PI * Math.exp(0.5 * z * z) - SQRT_HALF_PI * scaledErfc(z * SQRT_HALF);
}

/** exp(x^2) erfc(x) for x >= 0, which falls like 1 / x. */
export function scaledErfc(x: number): number {
  if (x > 4) {
    const y = 1 / (x * x);
    const over =
      ((((0.016315387137302097 * y + 0.30532663496123236) * y + 0.36034489994980445) * y +
        0.12578172611122926) *
        y +
        0.016083785148742275) *
        y +
      0.0006587491615298378;
    const under =
      ((((y + 2.568520192289822) * y + 1.8729528499234604) * y + 0.5279051029514285) * y +
        0.06051834131244132) *
        y +
      0.0023352049762686918;
    return (INVERSE_SQRT_PI - (y * over) / under) / x;
  }
  if (x < 0.46875) return Math.exp(x * x) * (1 - smallErf(x));
  const over =
    (((((((2.1531153547440383e-8 * x + 0.5641884969886701) * x + 8.883149794388377) * x + 66.11919063714163) *
      x +
      298.6351381974001) *
      x +
      881.952221241769) *
      x +
      1712.0476126340707) *
      x +
      2051.0783778260716) *
      x +
    1230.3393547979972;
  const under =
    (((((((x + 15.744926110709835) * x + 117.6939508913125) * x + 537.1811018620099) * x +
      1621.3895745666903) *
      x +
      3290.7992357334597) *
      x +
      4362.619090143247) *
      x +
      3439.3676741437216) *
      x +
    1230.3393548037495;
  return over / under;
}

/** The error function for |x| < 0.46875. */
function smallErf(x: number): number {
  const y = x * x;
  const over =
    (((0.18577770618460315 * y + 3.1611237438705655) * y + 113.86415415105016) * y + 377.485237685302) * y +
    3209.3775891384694;
  const under =
    (((y + 23.601290952344122) * y + 244.02463793444417) * y + 1282.6165260773723) * y + 2844.236833439171;
  return (x * over) / under;
}

/** Coefficients of the numerator and the denominator of a rational function, the highest power first. */
interface Rational {
  readonly over: readonly number[];
  readonly under: readonly number[];
}

const CENTRAL: Rational = {
  over: [
    2509.0809287301227, 33430.57558358813, 67265.7709270087, 45921.95393154987, 13731.69376550946,
    1971.5909503065513, 133.14166789178438, 3.3871328727963665,
  ],
  under: [
    5226.495278852854, 28729.085735721943, 39307.89580009271, 21213.794301586597, 5394.196021424751,
    687.1870074920579, 42.31333070160091, 1,
  ],
};
const NEAR_TAIL: Rational = {
  over: [
    0.0007745450142783414, 0.022723844989269184, 0.2417807251774506, 1.2704582524523684, 3.6478483247632045,
    5.769497221460691, 4.630337846156546, 1.4234371107496835,
  ],
  under: [
    1.0507500716444169e-9, 0.0005475938084995345, 0.015198666563616457, 0.14810397642748008, 0.6897673349851,
    1.6763848301838038, 2.053191626637759, 1,
  ],
};
const FAR_TAIL: Rational = {
  over: [
    2.0103343992922881e-7, 2.7115555687434876e-5, 0.0012426609473880784, 0.026532189526576124,
    0.29656057182850487, 1.7848265399172913, 5.463784911164114, 6.657904643501103,
  ],
  under: [
    2.0442631033899397e-15, 1.421511758316446e-7, 1.8463183175100548e-5, 0.0007868691311456133,
    0.014875361290850615, 0.1369298809227358, 0.599832206555888, 1,
  ],
};

function valueAt({ over, under }: Rational, x: number, factor = 1): number {
  let [above, below] = [over[0]!, under[0]!];
  for (let power = 1; power < over.length; power++) {
    above = above * x + over[power]!;
    below = below * x + under[power]!;
  }
  return (factor * above) / below;
}

/** The `z` below which a standard normal deviate lies with probability `p`; -Infinity at 0, NaN outside 0 to 1. */
export function inverseNormalCdf(p: number): number {
  const q = p - 0.5;
  if (Math.abs(q) <= 0.425) return valueAt(CENTRAL, 0.180625 - q * q, q);
  const r = Math.sqrt(-Math.log(q < 0 ? p : 1 - p));
  if (r === Number.POSITIVE_INFINITY) return q < 0 ? Number.NEGATIVE_INFINITY : r;
  const distance = r <= 5 ? valueAt(NEAR_TAIL, r - 1.6) : valueAt(FAR_TAIL, r - 5);
  return q < 0 ? -distance : distance;
}
