import type { ScoreInputs } from './inputs.ts';
import type { Pair } from './pair.ts';
import { fall, lift, ramp } from './pieces.ts';
import { RAMPS } from './ramps.ts';

/** Scores of where the price stands: at levels, within its bands, at the edges of the opening range. */

/**
 * Support near below is good for longs, resistance near above for shorts: nearness falls to nothing within one daily
 * ATR, and a level that other families confirm counts more.
 */
export function proximity(inputs: ScoreInputs): Pair {
  const near = (distance: number, strength: number): number =>
    10 * fall(distance, RAMPS.level_distance) * lift(strength);
  return {
    bull: near(inputs.support_atr, inputs.support_strength),
    bear: near(inputs.resistance_atr, inputs.resistance_strength),
  };
}

/** The half of the Bollinger band that the price is in; a stock wound up tightly counts in full, a wild one by half. */
export function volatility({ percent_b: percentB, atr_compression_ratio: ratio }: ScoreInputs): Pair {
  const coiled = 10 * lift(fall(ratio, RAMPS.compression));
  return {
    bull: coiled * ramp(percentB - 0.5, RAMPS.band_position),
    bear: coiled * ramp(0.5 - percentB, RAMPS.band_position),
  };
}

/** What the opening ranges have become: `orb_lean` is the mean over those that are closed, see `openingRangeBias`. */
export function orbStructure({ orb_lean: lean }: ScoreInputs): Pair {
  return { bull: 10 * Math.max(0, lean), bear: 10 * Math.max(0, -lean) };
}

/** Longs act at the upper edge of the opening range, shorts at the lower: nearness within half a daily ATR. */
export function orbProximity({ orb_high_atr: toHigh, orb_low_atr: toLow }: ScoreInputs): Pair {
  return { bull: 10 * fall(toHigh, RAMPS.orb_distance), bear: 10 * fall(toLow, RAMPS.orb_distance) };
}
