/**
 * Rational cubic interpolation between two points with given slopes, whose one free parameter is fitted to a second
 * derivative: a curve that stays monotone and does not ring.
 *
 * Source: R. Delbourgo, J. A. Gregory, "Shape preserving piecewise rational interpolation", SIAM J. Sci. Stat. Comput.
 * 6 (1985).
 */

/** At the least parameter the curve has a pole beside the interval, at the largest it is a straight line. */
const LEAST_CONTROL = -(1 - Math.sqrt(Number.EPSILON));
const MOST_CONTROL = 2 / (Number.EPSILON * Number.EPSILON);

/**
 * Value at the share `t` of an interval of `width` from `left` to `right`.
 *
 * @param control 3 is the cubic of Hermite; larger is straighter
 */
export function rationalCubic(
  t: number,
  width: number,
  left: number,
  right: number,
  slopeLeft: number,
  slopeRight: number,
  control: number,
): number {
  const rest = 1 - t;
  if (control > MOST_CONTROL) return right * t + left * rest;
  const over =
    right * t * t * t +
    (control * right - width * slopeRight) * t * t * rest +
    (control * left + width * slopeLeft) * t * rest * rest +
    left * rest * rest * rest;
  return over / (1 + (control - 3) * t * rest);
}

/** The parameter that gives the curve the second derivative `bend` at its left end. */
export function fitLeft(
  width: number,
  left: number,
  right: number,
  slopeLeft: number,
  slopeRight: number,
  bend: number,
  straightWhenInDoubt: boolean,
): number {
  const secant = (right - left) / width;
  const control = fitted(0.5 * width * bend + (slopeRight - slopeLeft), secant - slopeLeft);
  return Math.max(control, leastControl(slopeLeft, slopeRight, secant, straightWhenInDoubt));
}

/** The parameter that gives the curve the second derivative `bend` at its right end. */
export function fitRight(
  width: number,
  left: number,
  right: number,
  slopeLeft: number,
  slopeRight: number,
  bend: number,
  straightWhenInDoubt: boolean,
): number {
  const secant = (right - left) / width;
  const control = fitted(0.5 * width * bend + (slopeRight - slopeLeft), slopeRight - secant);
  return Math.max(control, leastControl(slopeLeft, slopeRight, secant, straightWhenInDoubt));
}

function fitted(over: number, under: number): number {
  if (over === 0) return 0;
  if (under === 0) return over > 0 ? 2 * MOST_CONTROL : LEAST_CONTROL;
  return over / under;
}

/** The least parameter that keeps the curve monotone, convex or concave where its ends are. */
function leastControl(
  slopeLeft: number,
  slopeRight: number,
  secant: number,
  straightWhenInDoubt: boolean,
): number {
  const isMonotone = slopeLeft * secant >= 0 && slopeRight * secant >= 0;
  const isConvex = slopeLeft <= secant && secant <= slopeRight;
  const isConcave = slopeLeft >= secant && secant >= slopeRight;
  const straight = straightWhenInDoubt ? 2 * MOST_CONTROL : LEAST_CONTROL;
  let least = LEAST_CONTROL;
  if (isMonotone) least = Math.max(least, secant === 0 ? straight : (slopeLeft + slopeRight) / secant);
  if (isConvex || isConcave) {
    const before = secant - slopeLeft;
    const after = slopeRight - secant;
    const turn = slopeRight - slopeLeft;
    const bent =
      before === 0 || after === 0 ? straight : Math.max(Math.abs(turn / after), Math.abs(turn / before));
    least = Math.max(least, bent);
  } else if (isMonotone) {
    least = Math.max(least, straight);
  }
  return least;
}
