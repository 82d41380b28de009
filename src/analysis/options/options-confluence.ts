/** How far the measures of an option chain agree on a direction. */

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
  const leans = (Object.keys(READING_SCALES) as (keyof OptionsReadings)[])
    .map((name) => {
      const { bear, bull } = READING_SCALES[name];
      return Math.max(-1, Math.min(1, (2 * (readings[name] - bear)) / (bull - bear) - 1));
    })
    .filter((lean) => !Number.isNaN(lean));
  if (leans.length < READINGS_MIN) return Number.NaN;
  return Math.abs(leans.reduce((sum, lean) => sum + lean, 0) / leans.length) * 100;
}
