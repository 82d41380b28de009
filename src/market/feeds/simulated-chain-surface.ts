import type { Company } from './simulated-company.ts';
import type { CompanyPath } from './simulated-company-path.ts';
import type { SimulatedMarket } from './simulated-market.ts';
import { INTRADAY_SIGMA, ORDINARY_MARKET_SIGMA } from './simulated-market-path.ts';

/**
 * What the simulated option market implies: one martingale for the price until any date, so that nothing on the surface
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
interface EuropeanValues {
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
 * The share of a standard normal below x, to 15 decimals, by its series. Source: G. Marsaglia, "Evaluating the Normal
 * Distribution", Journal of Statistical Software 11 (2004).
 */
export function normalShare(x: number): number {
  if (x < -9) return 0;
  if (x > 9) return 1;
  let sum = x;
  let term = x;
  for (let odd = 3, before = 0; sum !== before; odd += 2) {
    before = sum;
    term *= (x * x) / odd;
    sum += term;
  }
  return 0.5 + sum * Math.exp(-0.5 * x * x - 0.9189385332046728);
}

const SESSIONS_A_YEAR = 252;
const YEAR_DAYS = 365;
/** Sessions whose own variance is taken as the present one: a report makes a single one lively. */
const OWN_SESSIONS = 8;
/** Sectors and industries move about so much a year for a loading of one. */
const SECTOR_VARIANCE = 0.1 * 0.1;
/** Sellers of options want to be paid: variance is dearer than it turns out. */
const PREMIUM = 1.15;
/** What a report is expected to move the price by, as a multiple of the company's ordinary own day. */
const REPORT_DAYS = 2.6;
const RATE = 0.04;
const JUMPS_A_YEAR = 1.5;
/**
 * Mean and standard deviation of a jump's log, for a volatility of one a year. Indices fall together and by surprise;
 * what surprises of a company goes both ways.
 */
const JUMP_OF_INDEX = { mean: -0.4, deviation: 0.2 };
const JUMP_OF_COMPANY = { mean: -0.15, deviation: 0.3 };
/** Of the variance, the least that is left to diffuse. */
const DIFFUSED_MIN = 0.3;

/**
 * The surface that the option market implies for a company during a session. It knows the volatility index of the evening before and
 * how lively the company has been of late, so that surfaces rise and fall with the regime.
 *
 * @param row of the path
 */
export function impliedSurface(
  market: SimulatedMarket,
  company: Company,
  path: CompanyPath,
  row: number,
  spot: number,
): Surface {
  const session = path.firstSession + row;
  const index = market.path.volatilityIndex[Math.max(0, session - 1)]! / 100;
  const ordinary = ORDINARY_MARKET_SIGMA * Math.sqrt(SESSIONS_A_YEAR);
  const sector = company.sector < 0 ? 0 : company.sectorLoading * company.sectorLoading * SECTOR_VARIANCE;
  const systematic = (volatility: number): number =>
    company.beta * company.beta * volatility * volatility +
    sector * ((volatility * volatility) / (ordinary * ordinary));
  const reports = company.reportSession >= 0;
  const ownDay = company.ownSigma * company.ownSigma;
  // The index itself carries a premium.
  const now = systematic(index) + PREMIUM * SESSIONS_A_YEAR * ownVarianceOfLate(path, row);
  const long = PREMIUM * (systematic(ordinary) + SESSIONS_A_YEAR * ownDay);
  const jump = company.sector < 0 ? JUMP_OF_INDEX : JUMP_OF_COMPANY;
  const jumped = JUMPS_A_YEAR * (jump.mean * jump.mean + jump.deviation * jump.deviation) * now;
  const diffused = (variance: number): number => Math.max(variance - jumped, DIFFUSED_MIN * variance);
  return {
    spot,
    varianceNow: diffused(now),
    varianceLong: diffused(long),
    reportVariance: reports ? REPORT_DAYS * REPORT_DAYS * ownDay : 0,
    nextReport: reports ? yearsToReport(market, company, session) : Number.POSITIVE_INFINITY,
    jumpsAYear: JUMPS_A_YEAR,
    jumpMean: jump.mean * Math.sqrt(now),
    jumpDeviation: jump.deviation * Math.sqrt(now),
    rate: RATE,
    dividendYield: company.dividendYield,
  };
}

/** Mean variance a session of the company's own part over the sessions before this one, overnight included. */
function ownVarianceOfLate({ ownSigma }: CompanyPath, row: number): number {
  const from = Math.max(0, row - OWN_SESSIONS);
  const to = Math.max(from + 1, row);
  let sum = 0;
  for (let before = from; before < to; before++) sum += ownSigma[before]! * ownSigma[before]!;
  return sum / (to - from) / (INTRADAY_SIGMA * INTRADAY_SIGMA);
}

/** Years to the first session after this one that opens on results; it is not a quarter and some days away. */
function yearsToReport({ schedule }: SimulatedMarket, company: Company, session: number): number {
  for (let later = session + 1; later < schedule.day.length; later++) {
    if (schedule.sessionOfQuarter[later] !== company.reportSession) continue;
    return (schedule.day[later]! - schedule.day[session]!) / YEAR_DAYS;
  }
  return Number.POSITIVE_INFINITY;
}
