import { d2, isContract } from './black-scholes.ts';

/** Dividends of known amount: years from now to each ex-date, and dollars a share, of one length. */
export interface Dividends {
  readonly years: readonly number[];
  readonly amount: readonly number[];
}

/** Steps of the tree; odd, because the tree is centred on the strike between two of its last nodes. */
const TREE_STEPS = 201;
const STEPS_MAX = 2001;

/**
 * Price of an American option by a binomial tree whose last nodes are centred on the strike, dollars a share. The one
 * method here that takes dividends of known amount: the tree is of the spot less the value of the dividends to come
 * (escrowed), which exercise adds again, so that a call is exercised before the stock goes ex.
 *
 * @param right 1 call, -1 put
 * @param forward for the expiration; with `dividends` it must be the one that they leave, see `forwardOf`
 * @param steps odd, 3 to 2001
 * @returns NaN for inputs that `price` of black-scholes.ts refuses, a volatility of 0, other steps, or dividends worth the stock
 * Source: D. Leisen, M. Reimer, "Binomial models for option valuation - examining and improving convergence" (1996);
 * escrowed dividends as in J. Hull, "Options, Futures, and Other Derivatives", section 21.3.
 */
export function binomialPrice(
  right: number,
  spot: number,
  forward: number,
  strike: number,
  years: number,
  volatility: number,
  discount: number,
  dividends: Dividends | null = null,
  steps = TREE_STEPS,
): number {
  const isPriced = spot > 0 && spot < Number.POSITIVE_INFINITY && volatility > 0;
  if (!(isPriced && isContract(forward, strike, years, discount))) return Number.NaN;
  if (!(steps % 2 === 1 && steps >= 3 && steps <= STEPS_MAX)) return Number.NaN;
  const rate = -Math.log(discount) / years;
  const escrowedAt = (from: number): number =>
    dividends === null ? 0 : presentValue(dividends, rate, from, years);
  const bare = spot - escrowedAt(0);
  const deviation = volatility * Math.sqrt(years);
  if (!(bare > 0 && deviation < Number.POSITIVE_INFINITY)) return Number.NaN;
  const growth = (forward / bare) ** (1 / steps);
  const d = d2(Math.log(forward / strike), deviation);
  const up = probability(d, steps);
  const upOfStock = probability(d + deviation, steps);
  const rise = (growth * upOfStock) / up;
  const fall = (growth * (1 - upOfStock)) / (1 - up);
  // So far from the strike no path of the tree crosses it: the contract is exercised now, at the end, or never.
  if (!(rise > fall && fall > 0)) {
    return Math.max(right * (spot - strike), discount * right * (forward - strike), 0);
  }
  const stepYears = years / steps;
  const stepDiscount = discount ** (1 / steps);
  const weightUp = stepDiscount * up;
  const weightDown = stepDiscount * (1 - up);
  const ratio = rise / fall;
  const values = new Float64Array(steps + 1);
  let lowest = bare * fall ** steps;
  for (let node = 0, share = 1; node <= steps; node++, share *= ratio) {
    values[node] = Math.max(right * (lowest * share - strike), 0);
  }
  for (let step = steps - 1; step >= 0; step--) {
    lowest /= fall;
    const offset = right * (escrowedAt(step * stepYears) - strike);
    stepBack(values, step, weightUp, weightDown, right * lowest, ratio, offset);
  }
  return values[0]!;
}

/** The values one step earlier: what holding is worth, or exercising, scale x ratio^node + offset, where that is more. */
function stepBack(
  values: Float64Array,
  step: number,
  weightUp: number,
  weightDown: number,
  scale: number,
  ratio: number,
  offset: number,
): void {
  let below = values[0]!;
  for (let node = 0, share = 1; node <= step; node++, share *= ratio) {
    const above = values[node + 1]!;
    const held = weightDown * below + weightUp * above;
    const exercised = scale * share + offset;
    values[node] = held > exercised ? held : exercised;
    below = above;
  }
}

/** Peizer and Pratt's inversion: the chance of a rise at which so many steps exceed the middle as a normal deviate `z`. */
function probability(z: number, steps: number): number {
  const scaled = z / (steps + 1 / 3 + 0.1 / (steps + 1));
  return 0.5 + 0.5 * Math.sign(z) * Math.sqrt(-Math.expm1(-scaled * scaled * (steps + 1 / 6)));
}

/** Value at the time `from` of the dividends that go ex after it and up to `until`, at a continuous rate. */
export function presentValue(dividends: Dividends, rate: number, from: number, until: number): number {
  let sum = 0;
  for (let at = 0; at < dividends.years.length; at++) {
    const ex = dividends.years[at]!;
    if (ex > from && ex <= until) sum += dividends.amount[at]! * Math.exp(-rate * (ex - from));
  }
  return sum;
}
