/**
 * The normal distribution to full double precision, in its tails relative to its own size: a far out-of-the-money
 * price is a difference of two such tails.
 *
 * Sources: W. J. Cody, "Rational Chebyshev approximations for the error function", Math. Comp. 23 (1969), for the
 * scaled error function; M. J. Wichura, algorithm AS 241, Applied Statistics 37 (1988), for the inverse.
 */

const SQRT_HALF = Math.SQRT1_2;
const SQRT_TWO_PI = 2.5066282746310005;
const SQRT_HALF_PI = 1.2533141373155003;
export const INVERSE_SQRT_TWO_PI = 0.3989422804014327;
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

/**
 * The cumulative probability in units of the density, cdf(z) / density(z): it stays of order one over the distance
 * where both vanish. Overflows beyond z = 38.
 */
export function cdfOverDensity(z: number): number {
  return z <= 0
    ? SQRT_HALF_PI * scaledErfc(-z * SQRT_HALF)
    : SQRT_TWO_PI * Math.exp(0.5 * z * z) - SQRT_HALF_PI * scaledErfc(z * SQRT_HALF);
}

/** exp(x^2) erfc(x) for x >= 0, which falls like 1 / x. */
export function scaledErfc(x: number): number {
  if (x > 4) {
    const y = 1 / (x * x);
    const over =
      ((((0.0163153871373020978 * y + 0.305326634961232344) * y + 0.360344899949804439) * y +
        0.125781726111229246) *
        y +
        0.0160837851487422766) *
        y +
      0.000658749161529837803;
    const under =
      ((((y + 2.56852019228982242) * y + 1.87295284992346047) * y + 0.527905102951428412) * y +
        0.0605183413124413191) *
        y +
      0.00233520497626869185;
    return (INVERSE_SQRT_PI - (y * over) / under) / x;
  }
  if (x < 0.46875) return Math.exp(x * x) * (1 - smallErf(x));
  const over =
    (((((((2.15311535474403846e-8 * x + 0.564188496988670089) * x + 8.88314979438837594) * x +
      66.1191906371416295) *
      x +
      298.635138197400131) *
      x +
      881.95222124176909) *
      x +
      1712.04761263407058) *
      x +
      2051.07837782607147) *
      x +
    1230.33935479799725;
  const under =
    (((((((x + 15.7449261107098347) * x + 117.693950891312499) * x + 537.181101862009858) * x +
      1621.38957456669019) *
      x +
      3290.79923573345963) *
      x +
      4362.61909014324716) *
      x +
      3439.36767414372164) *
      x +
    1230.33935480374942;
  return over / under;
}

/** The error function for |x| < 0.46875. */
function smallErf(x: number): number {
  const y = x * x;
  const over =
    (((0.185777706184603153 * y + 3.1611237438705656) * y + 113.864154151050156) * y + 377.485237685302021) *
      y +
    3209.37758913846947;
  const under =
    (((y + 23.6012909523441209) * y + 244.024637934444173) * y + 1282.61652607737228) * y +
    2844.23683343917062;
  return (x * over) / under;
}

/** The `z` below which a standard normal deviate lies with probability `p`; -Infinity at 0, NaN outside 0 to 1. */
export function inverseNormalCdf(p: number): number {
  const q = p - 0.5;
  if (Math.abs(q) <= 0.425) return centralQuantile(q);
  const r = Math.sqrt(-Math.log(q < 0 ? p : 1 - p));
  if (r === Number.POSITIVE_INFINITY) return q < 0 ? Number.NEGATIVE_INFINITY : r;
  const distance = r <= 5 ? nearTailQuantile(r - 1.6) : farTailQuantile(r - 5);
  return q < 0 ? -distance : distance;
}

function centralQuantile(q: number): number {
  const r = 0.180625 - q * q;
  const over =
    ((((((2509.0809287301226727 * r + 33430.575583588128105) * r + 67265.770927008700853) * r +
      45921.953931549871457) *
      r +
      13731.693765509461125) *
      r +
      1971.5909503065514427) *
      r +
      133.14166789178437745) *
      r +
    3.387132872796366608;
  const under =
    ((((((5226.495278852854561 * r + 28729.085735721942674) * r + 39307.89580009271061) * r +
      21213.794301586595867) *
      r +
      5394.1960214247511077) *
      r +
      687.1870074920579083) *
      r +
      42.313330701600911252) *
      r +
    1;
  return (q * over) / under;
}

function nearTailQuantile(r: number): number {
  const over =
    ((((((7.7454501427834140764e-4 * r + 0.0227238449892691845833) * r + 0.24178072517745061177) * r +
      1.27045825245236838258) *
      r +
      3.64784832476320460504) *
      r +
      5.7694972214606914055) *
      r +
      4.6303378461565452959) *
      r +
    1.42343711074968357734;
  const under =
    ((((((1.05075007164441684324e-9 * r + 5.475938084995344946e-4) * r + 0.0151986665636164571966) * r +
      0.14810397642748007459) *
      r +
      0.68976733498510000455) *
      r +
      1.6763848301838038494) *
      r +
      2.05319162663775882187) *
      r +
    1;
  return over / under;
}

function farTailQuantile(r: number): number {
  const over =
    ((((((2.01033439929228813265e-7 * r + 2.71155556874348757815e-5) * r + 0.0012426609473880784386) * r +
      0.026532189526576123093) *
      r +
      0.29656057182850489123) *
      r +
      1.7848265399172913358) *
      r +
      5.4637849111641143699) *
      r +
    6.6579046435011037772;
  const under =
    ((((((2.04426310338993978564e-15 * r + 1.4215117583164458887e-7) * r + 1.8463183175100546818e-5) * r +
      7.868691311456132591e-4) *
      r +
      0.0148753612908506148525) *
      r +
      0.13692988092273580531) *
      r +
      0.59983220655588793769) *
      r +
    1;
  return over / under;
}
