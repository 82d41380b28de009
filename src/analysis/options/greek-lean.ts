import type { VixRegime } from '../market-state.ts';
import type { PricedChain } from './quotes.ts';

/** Which way the greeks of the open interest lean, and how much that counts in the market's mood. */

/** What each greek weighs by regime: in calm positions drive the price, in fear the hedging of them does. */
export const GREEK_WEIGHTS: Readonly<Record<VixRegime, { delta: number; gamma: number; vega: number }>> = {
  COMPLACENT: { delta: 0.6, gamma: 0.2, vega: 0.2 },
  NORMAL: { delta: 0.5, gamma: 0.3, vega: 0.2 },
  ELEVATED: { delta: 0.3, gamma: 0.4, vega: 0.3 },
  EXTREME_FEAR: { delta: 0.2, gamma: 0.5, vega: 0.3 },
};

/** Each -1 (all of it in puts) to 1 (all of it in calls); NaN without open interest with usable greeks. */
export interface GreekLeans {
  /** Of the delta that holders of the open interest have: calls add, puts take away. */
  readonly delta: number;
  /** Of gamma: above 0 dealers who hold the calls steady the price, below they chase it. */
  readonly gamma: number;
  /** Of vega: below 0 protection is what volatility is paid for. */
  readonly vega: number;
}

/** Calls less puts over calls plus puts, of each greek times open interest. */
export function greekLeans({ strikes, expirations }: PricedChain): GreekLeans {
  const calls = { delta: 0, gamma: 0, vega: 0 };
  const puts = { delta: 0, gamma: 0, vega: 0 };
  for (const { from, to, years } of expirations) {
    for (let row = from; row < to; row++) {
      const gamma = strikes.gamma[row]!;
      if (Number.isNaN(gamma)) continue;
      // Vega is gamma x S^2 x volatility x time; the price is the same in every term.
      const vega = gamma * strikes.volatility[row]! * years;
      add(calls, strikes.callOpenInterest[row]!, strikes.callDelta[row]!, gamma, vega);
      add(puts, strikes.putOpenInterest[row]!, -strikes.putDelta[row]!, gamma, vega);
    }
  }
  const lean = (greek: keyof GreekLeans): number =>
    (calls[greek] - puts[greek]) / (calls[greek] + puts[greek]);
  return { delta: lean('delta'), gamma: lean('gamma'), vega: lean('vega') };
}

function add(
  sums: { delta: number; gamma: number; vega: number },
  contracts: number,
  delta: number,
  gamma: number,
  vega: number,
): void {
  if (!(contracts > 0)) return;
  sums.delta += contracts * delta;
  sums.gamma += contracts * gamma;
  sums.vega += contracts * vega;
}

/** Weighted mean of the leans, -1 to 1; NaN without a regime and where a lean is not known. */
export function greekLean({ delta, gamma, vega }: GreekLeans, regime: VixRegime | null): number {
  if (regime === null) return Number.NaN;
  const weights = GREEK_WEIGHTS[regime];
  return weights.delta * delta + weights.gamma * gamma + weights.vega * vega;
}
