/** Dividends of known amount: years from now to each ex-date, and dollars a share, of one length. */
export interface Dividends {
  readonly years: readonly number[];
  readonly amount: readonly number[];
}

/**
 * Price of an American option by a binomial tree, dollars a share; the only method here that knows dividends of known
 * amount (escrowed: the tree is of the spot less the value of the dividends to come, which exercise adds again).
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
  steps = 201,
): number {
  return Number.NaN * (right + spot + forward + strike + years + volatility + discount + steps + (dividends?.years.length ?? 0));
}
