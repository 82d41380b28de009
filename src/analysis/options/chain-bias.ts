import { onceFor } from '../../base/once-for.ts';
import type { VixRegime } from '../market-state.ts';
import { clamp, mean } from '../statistics.ts';
import { knownSides } from './gamma-exposure.ts';
import type { PricedChain } from './quotes.ts';

/** Directional bias of a chain: of the greeks of its open interest, and how far its measures agree. */

/** What each greek weighs by regime: in calm positions drive the price, in fear the hedging of them does. */
export const GREEK_WEIGHTS: Readonly<Record<VixRegime, { delta: number; gamma: number; vega: number }>> = {
  COMPLACENT: { delta: 0.6, gamma: 0.2, vega: 0.2 },
  NORMAL: { delta: 0.5, gamma: 0.3, vega: 0.2 },
  ELEVATED: { delta: 0.3, gamma: 0.4, vega: 0.3 },
  EXTREME_FEAR: { delta: 0.2, gamma: 0.5, vega: 0.3 },
};

/** Each -1 (all of it in puts) to 1 (all of it in calls); NaN without known open interest of both rights. */
export interface GreekBiases {
  /** Of the delta that holders of the open interest have: calls add, puts take away. */
  readonly delta: number;
  /** Of gamma: above 0 dealers who hold the calls steady the price, below they chase it. */
  readonly gamma: number;
  /** Of vega: below 0 protection is what volatility is paid for. */
  readonly vega: number;
}

/** Calls less puts over calls plus puts, of each greek times open interest. */
export const greekBiases = onceFor((chain: PricedChain): GreekBiases => {
  const { strikes, expirations } = chain;
  const isKnown = knownSides(chain, strikes.strike.keys());
  if (!isKnown.calls || !isKnown.puts) return { delta: Number.NaN, gamma: Number.NaN, vega: Number.NaN };
  const calls = { delta: 0, gamma: 0, vega: 0 };
  const puts = { delta: 0, gamma: 0, vega: 0 };
  for (const { from, to, years } of expirations) {
    for (let row = from; row < to; row++) {
      const gamma = strikes.gamma[row]!;
      if (Number.isNaN(gamma)) continue;
      // Vega is gamma x S^2 x volatility x time; the price is the same in every term.
      const vega = gamma * strikes.smile[row]! * years;
      add(calls, strikes.callOpenInterest[row]!, strikes.callDelta[row]!, gamma, vega);
      add(puts, strikes.putOpenInterest[row]!, -strikes.putDelta[row]!, gamma, vega);
    }
  }
  const bias = (greek: keyof GreekBiases): number =>
    (calls[greek] - puts[greek]) / (calls[greek] + puts[greek]);
  return { delta: bias('delta'), gamma: bias('gamma'), vega: bias('vega') };
});

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

/** Weighted mean of the biases, -1 to 1; NaN without a regime and where a bias is not known. */
export function greekBias({ delta, gamma, vega }: GreekBiases, regime: VixRegime | null): number {
  if (regime === null) return Number.NaN;
  const weights = GREEK_WEIGHTS[regime];
  return weights.delta * delta + weights.gamma * gamma + weights.vega * vega;
}

/** What each measure reads; NaN: not known. */
export interface OptionsReadings {
  /** Put volume over call volume. */
  readonly put_call_ratio: number;
  /** 25-delta put less call volatility over the volatility at the money. */
  readonly skew: number;
  /** Spot less the gamma flip, daily ATR. */
  readonly flip_side: number;
  /** Calls below value less puts below value, -1 to 1. */
  readonly pricing_edge: number;
}

/** From a clear bear to a clear bull in the unit of each reading. */
const READING_SCALES: Readonly<Record<keyof OptionsReadings, { bear: number; bull: number }>> = {
  put_call_ratio: { bear: 1.3, bull: 0.5 },
  skew: { bear: 0.3, bull: 0 },
  flip_side: { bear: -1, bull: 1 },
  pricing_edge: { bear: -1, bull: 1 },
};
/** Fewer measures agree with themselves alone. */
const READINGS_MIN = 3;

/** 100 times the absolute mean of the readings that are known, each from -1 to 1; NaN with fewer than three. */
export function optionsConfluence(readings: OptionsReadings): number {
  const biases = (Object.keys(READING_SCALES) as (keyof OptionsReadings)[])
    .map((name) => {
      const { bear, bull } = READING_SCALES[name];
      return clamp((2 * (readings[name] - bear)) / (bull - bear) - 1, -1, 1);
    })
    .filter((bias) => !Number.isNaN(bias));
  if (biases.length < READINGS_MIN) return Number.NaN;
  return Math.abs(mean(biases)) * 100;
}
