import { binomialPrice } from './binomial-tree.ts';
import { price as europeanPrice } from './black-scholes.ts';
import { earlyExercisePremium } from './exercise-boundary.ts';
import { impliedVolatility } from './implied-volatility.ts';

/** Below this deviation over the life of the option nothing happens any more: it is exercised now or at the end. */
const LEAST_DEVIATION = 1e-6;
/** A rate that is 0 but for the rounding of forward and discount. */
const LEAST_RATE = 1e-10;
/** An American price is solved to this share of the strike. */
const PRICE_TOLERANCE = 1e-8;
const MOST_STEPS = 60;
/** Where the search ends when the price is more than any European option can be worth. */
const MOST_VOLATILITY = 20;

/**
 * Price of an option that can be exercised at any time, dollars a share, on a stock that pays a continuous yield: the
 * European price plus what the right to exercise early is worth. Spot, forward and discount say rate and yield. A call
 * is the put with spot and strike, rate and yield exchanged.
 *
 * @param right 1 call, -1 put
 * @param spot price of the underlying now
 * @param forward, strike, years, volatility, discount as for `price` of black-scholes.ts
 * @returns never below the European price or the value of exercising now; NaN for inputs that `price` refuses
 * Source: the premium by L. Andersen, M. Lake, D. Offengenden (2016), see exercise-boundary.ts; the symmetry by
 * R. McDonald, M. Schroder, "A parity result for American options" (1998).
 */
export function americanPrice(
  right: number,
  spot: number,
  forward: number,
  strike: number,
  years: number,
  volatility: number,
  discount: number,
): number {
  const european = europeanPrice(right, forward, strike, years, volatility, discount);
  if (!(european >= 0 && spot > 0 && spot < Number.POSITIVE_INFINITY)) return Number.NaN;
  const now = Math.max(right * (spot - strike), 0);
  // What exercise wins is what a put's strike earns, or a call's stock; what it gives up is what the other earns.
  const rate = -Math.log(discount) / years;
  const dividendYield = rate - Math.log(forward / spot) / years;
  const won = right > 0 ? dividendYield : rate;
  const lost = right > 0 ? rate : dividendYield;
  if (isNeverExercised(won, lost)) return european;
  if (volatility * Math.sqrt(years) < LEAST_DEVIATION) return Math.max(european, now);
  // Both rates below 0: exercise pays between two boundaries, which only the tree knows.
  if (won < 0) {
    return Math.max(binomialPrice(right, spot, forward, strike, years, volatility, discount), european, now);
  }
  const held = right > 0 ? strike : spot;
  const exercised = right > 0 ? spot : strike;
  const premium = earlyExercisePremium(held, exercised, years, volatility, won, lost);
  return Number.isNaN(premium) ? now : Math.max(european + Math.max(premium, 0), now);
}

/** Exercise gains nothing at any price of the stock: it wins no interest, and gives up at least as much. */
function isNeverExercised(won: number, lost: number): boolean {
  return won <= LEAST_RATE && lost >= won;
}

/**
 * The volatility at which an American option is worth its price: the European one of the price less the premium that
 * early exercise has at the European one of the whole price, and secants from there within a bracket.
 *
 * @returns decimal a year; NaN at or below the value of exercising now or the discounted intrinsic value, at or above
 *   the spot (call) or strike (put), and for inputs that are not finite or not positive
 */
export function americanImpliedVolatility(
  right: number,
  price: number,
  spot: number,
  forward: number,
  strike: number,
  years: number,
  discount: number,
): number {
  const least = americanPrice(right, spot, forward, strike, years, 0, discount);
  // An American call is worth less than the stock, a put less than its strike.
  if (
    !(
      price > least &&
      price < (right > 0 ? Math.max(spot, discount * forward) : Math.max(strike, discount * strike))
    )
  ) {
    return Number.NaN;
  }
  const european = impliedVolatility(right, price, forward, strike, years, discount);
  const tolerance = PRICE_TOLERANCE * strike;
  if (earlyExerciseBound(right, spot, forward, strike, discount) <= tolerance) return european;
  let low = 0;
  let high = Number.isNaN(european) ? MOST_VOLATILITY : european;
  let last = high;
  let lastExcess = americanPrice(right, spot, forward, strike, years, high, discount) - price;
  if (Math.abs(lastExcess) <= tolerance) return high;
  if (!(lastExcess > 0)) return Number.NaN;
  let next = impliedVolatility(right, price - lastExcess, forward, strike, years, discount);
  for (let step = 0; step < MOST_STEPS; step++) {
    if (!(next > low && next < high)) next = 0.5 * (low + high);
    const excess = americanPrice(right, spot, forward, strike, years, next, discount) - price;
    if (Math.abs(excess) <= tolerance) return next;
    if (excess > 0) high = next;
    else low = next;
    const secant = next - (excess * (next - last)) / (excess - lastExcess);
    last = next;
    lastExcess = excess;
    next = secant;
  }
  return last;
}

/**
 * The most that the right to exercise early can be worth, dollars a share: the interest on the strike of a put, the
 * dividends of the stock under a call, and what a negative yield or rate takes from waiting. 0 when it is never worth
 * anything, so that the European mathematics is exact.
 */
export function earlyExerciseBound(
  right: number,
  spot: number,
  forward: number,
  strike: number,
  discount: number,
): number {
  const fromStock = Math.max(right * (spot - discount * forward), 0);
  return fromStock + Math.max(right * strike * (discount - 1), 0);
}
