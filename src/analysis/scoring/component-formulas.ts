import type { ScoreInputs } from './inputs.ts';
import { bothSides, fall, lift, meanOfPresent, type Pair, RAMPS, ramp } from './ramps.ts';

/** The formula of each component: how the price moves and with how much volume, and where it is among levels and bands. */

/** Months of return, their regression, and the averages' spread, the whole lifted by a trend that ADX calls one. */
export function momentumTrend(inputs: ScoreInputs): Pair {
  // A fall of 17 % undoes a rise of 20 %: continuously compounded, both are as far.
  const blend = 100 * Math.log1p(inputs.momentum_blend / 100);
  const strength = 10 * lift(ramp(inputs.adx_14, RAMPS.adx));
  return bothSides(
    (sign) =>
      strength *
      (0.4 * ramp(sign * blend, RAMPS.momentum_blend) +
        0.3 * ramp(sign * inputs.momentum_slope_60d, RAMPS.momentum_slope) +
        0.3 * ramp(sign * inputs.ema_spread_atr, RAMPS.ema_spread)),
  );
}

/** Oscillators of weeks: RSI off its middle, MACD off its signal, price off its 20-session mean. */
export function technical(inputs: ScoreInputs): Pair {
  return bothSides(
    (sign) =>
      10 *
      (0.4 * ramp(sign * (inputs.rsi_14 - 50), RAMPS.rsi) +
        0.3 * ramp(sign * inputs.macd_gap_atr, RAMPS.macd_gap) +
        0.3 * ramp(sign * inputs.sma20_atr, RAMPS.sma20_distance)),
  );
}

/**
 * The mean of two halves, or the one that is known: the side of the volume of 20 sessions, lifted by the volume of the
 * week; and the side of VWAP, lifted by the pace of the day against the session before.
 */
export function volume(inputs: ScoreInputs): Pair {
  const week = lift(ramp(inputs.rel_vol_5d, RAMPS.relative_volume));
  const day = lift(ramp(inputs.volume_pace, RAMPS.relative_volume));
  return bothSides(
    (sign) =>
      10 *
      meanOfPresent([
        [week * ramp(sign * (inputs.up_volume_share - 0.5), RAMPS.up_volume), 1],
        [day * ramp(sign * inputs.vwap_atr, RAMPS.vwap_distance), 1],
      ]),
  );
}

/** Active patterns, each as sure as it fits, forming ones by half: `evidence` of each side. */
export function pattern({ bullish_patterns: bullish, bearish_patterns: bearish }: ScoreInputs): Pair {
  return { bull: 10 * bullish, bear: 10 * bearish };
}

/**
 * The mean of two parts, or the one that is known: the latest surprise, whose drift fades within a quarter, and the
 * tone of the news; results due within five days reduce both sides. The drift: V. Bernard and J. Thomas,
 * "Post-Earnings-Announcement Drift" (1989).
 */
export function eventProximity(inputs: ScoreInputs): Pair {
  const { days_to_earnings: days } = inputs;
  // An unknown date reduces nothing; the ledger shows that it is unknown.
  const clear = Number.isNaN(days) ? 1 : ramp(days, RAMPS.earnings_clear);
  const drift = fall(inputs.days_since_earnings, RAMPS.earnings_drift);
  return bothSides(
    (sign) =>
      10 *
      clear *
      meanOfPresent([
        [drift * ramp(sign * inputs.surprise_pct, RAMPS.earnings_surprise), 1],
        [ramp(sign * inputs.news_sentiment, RAMPS.news_tone), 1],
      ]),
  );
}

/** A low VIX favours longs, a high one shorts. */
export function vixRegimeScore({ vix }: ScoreInputs): Pair {
  return { bull: 10 * fall(vix, RAMPS.vix), bear: 10 * ramp(vix, RAMPS.vix) };
}

/** Low implied volatility and little put premium favour longs, the opposite shorts. */
export function impliedVolatility({ iv_rank: rank, iv_skew: skew }: ScoreInputs): Pair {
  const dear = 0.5 * ramp(rank, RAMPS.iv_rank) + 0.5 * ramp(skew, RAMPS.iv_skew);
  return { bull: 10 * (1 - dear), bear: 10 * dear };
}

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

/** The half of the Bollinger band that the price is in; a compressed range counts in full, a wide one by half. */
export function volatility({ percent_b: percentB, atr_compression_ratio: ratio }: ScoreInputs): Pair {
  const coiled = 10 * lift(fall(ratio, RAMPS.compression));
  return {
    bull: coiled * ramp(percentB - 0.5, RAMPS.band_position),
    bear: coiled * ramp(0.5 - percentB, RAMPS.band_position),
  };
}

/** `orb_lean` is the mean bias of the closed opening ranges, see `openingRangeBias`. */
export function orbStructure({ orb_lean: lean }: ScoreInputs): Pair {
  return { bull: 10 * Math.max(0, lean), bear: 10 * Math.max(0, -lean) };
}

/** Longs act at the upper edge of the opening range, shorts at the lower: nearness within half a daily ATR. */
export function orbProximity({ orb_high_atr: toHigh, orb_low_atr: toLow }: ScoreInputs): Pair {
  return { bull: 10 * fall(toHigh, RAMPS.orb_distance), bear: 10 * fall(toLow, RAMPS.orb_distance) };
}
