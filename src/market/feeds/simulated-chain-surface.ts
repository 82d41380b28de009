/**
 * What the simulated option market believes: one martingale for the price until any date, so that nothing on the surface
 * contradicts itself. The log price diffuses with a variance that returns to its mean, jumps now and then, mostly down,
 * and jumps on every quarterly report. Source: R. C. Merton, "Option Pricing When Underlying Stock Returns Are
 * Discontinuous", Journal of Financial Economics 3 (1976).
 */
export interface Surface {
  readonly spot: number;
  /** Variance a year of the diffusion, now and in the long run. */
  readonly varianceNow: number;
  readonly varianceLong: number;
  /** Variance that a quarterly report adds. */
  readonly reportVariance: number;
  /** Years until the next report, and none after it: infinity for what does not report. */
  readonly nextReport: number;
  readonly jumpsAYear: number;
  readonly jumpMean: number;
  readonly jumpDeviation: number;
  /** Continuous, a year. */
  readonly rate: number;
  readonly dividendYield: number;
}

/** A year's part of the way back to the long-run variance: half of it in two months. */
const REVERSION_A_YEAR = 4;
const QUARTER_YEARS = 91 / 365;
/** Poisson weights under this are left out. */
const WEIGHT_MIN = 1e-10;

/** Variance of the log price without its jumps, until `years` from now; never falls with time. */
export function diffusedVariance(surface: Surface, years: number): number {
  const { varianceNow, varianceLong, reportVariance, nextReport } = surface;
  const settled = (1 - Math.exp(-REVERSION_A_YEAR * years)) / REVERSION_A_YEAR;
  const reports = years < nextReport ? 0 : 1 + Math.floor((years - nextReport) / QUARTER_YEARS);
  return varianceLong * years + (varianceNow - varianceLong) * settled + reports * reportVariance;
}

/** Standard deviation of the log price `years` from now, jumps included. */
export function deviationAt(surface: Surface, years: number): number {
  const { jumpsAYear, jumpMean, jumpDeviation } = surface;
  const jumps = jumpsAYear * years * (jumpMean * jumpMean + jumpDeviation * jumpDeviation);
  return Math.sqrt(diffusedVariance(surface, years) + jumps);
}

/** Values of European calls and puts of one expiration, in the order of the strikes; dollars today. */
export interface EuropeanValues {
  readonly calls: Float64Array;
  readonly puts: Float64Array;
}

export function europeanValues(surface: Surface, years: number, strikes: readonly number[]): EuropeanValues {
  const { spot, rate, dividendYield, jumpsAYear, jumpMean, jumpDeviation } = surface;
  const forward = spot * Math.exp((rate - dividendYield) * years);
  const discount = Math.exp(-rate * years);
  const calls = new Float64Array(strikes.length);
  const puts = new Float64Array(strikes.length);
  const diffused = diffusedVariance(surface, years);
  const meanJump = Math.exp(jumpMean + (jumpDeviation * jumpDeviation) / 2);
  const expected = jumpsAYear * years;
  let weight = Math.exp(-expected);
  let jumped = forward * Math.exp(-expected * (meanJump - 1));
  let total = 0;
  for (let jumps = 0; jumps < 100 && (jumps < expected || weight > WEIGHT_MIN); jumps++) {
    const deviation = Math.sqrt(diffused + jumps * jumpDeviation * jumpDeviation);
    for (const [place, strike] of strikes.entries())
      calls[place]! += weight * call(jumped, strike, deviation);
    total += weight;
    weight *= expected / (jumps + 1);
    jumped *= meanJump;
  }
  for (const [place, strike] of strikes.entries()) {
    calls[place] = Math.max((discount * calls[place]!) / total, 0);
    puts[place] = Math.max(calls[place]! - discount * (forward - strike), 0);
  }
  return { calls, puts };
}

/** The undiscounted call on a lognormal forward. Source: F. Black, "The Pricing of Commodity Contracts" (1976). */
function call(forward: number, strike: number, deviation: number): number {
  if (deviation <= 0) return Math.max(forward - strike, 0);
  const above = Math.log(forward / strike) / deviation + deviation / 2;
  return forward * normalShare(above) - strike * normalShare(above - deviation);
}

/**
 * The share of a standard normal below x, to 15 decimals. Source: G. West, "Better Approximations to Cumulative Normal
 * Functions", Wilmott (May 2005), after J. F. Hart (1968), algorithm 5666.
 */
export function normalShare(x: number): number {
  const size = Math.abs(x);
  if (size > 37) return x > 0 ? 1 : 0;
  const density = Math.exp((-size * size) / 2);
  const tail =
    size < 7.07106781186547 ? density * centre(size) : (density / farTail(size)) * 0.3989422804014327;
  return x > 0 ? 1 - tail : tail;
}

function centre(size: number): number {
  let above = 3.52624965998911e-2 * size + 0.700383064443688;
  above = above * size + 6.37396220353165;
  above = above * size + 33.912866078383;
  above = above * size + 112.079291497871;
  above = above * size + 221.213596169931;
  above = above * size + 220.206867912376;
  let below = 8.83883476483184e-2 * size + 1.75566716318264;
  below = below * size + 16.064177579207;
  below = below * size + 86.7807322029461;
  below = below * size + 296.564248779674;
  below = below * size + 637.333633378831;
  below = below * size + 793.826512519948;
  below = below * size + 440.413735824752;
  return above / below;
}

const farTail = (size: number): number => size + 1 / (size + 2 / (size + 3 / (size + 4 / (size + 0.65))));
