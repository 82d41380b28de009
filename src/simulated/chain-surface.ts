import type { Company } from './companies.ts';
import type { CompanyPath } from './company-path.ts';
import type { SimulatedMarket } from './market.ts';
import { INTRADAY_SIGMA, ORDINARY_MARKET_SIGMA } from './market-path.ts';

/**
 * What the simulated option market implies: one martingale for the price until any date, so that nothing on the
 * surface contradicts itself. The log price diffuses with a variance that returns to its mean, jumps now and then,
 * mostly down, and jumps on every quarterly report. Source: R. C. Merton, "Option Pricing When Underlying Stock
 * Returns Are Discontinuous", Journal of Financial Economics 3 (1976).
 */
export type ImpliedSurface = ReturnType<typeof impliedSurface>;

/** A year's part of the way back to the long-run variance: half of it in two months. */
const REVERSION_A_YEAR = 4;
const QUARTER_YEARS = 91 / 365;
/** Poisson weights under this are left out. */
const WEIGHT_MIN = 1e-10;

/** Variance of the log price without its jumps, until `years` from now; never falls with time. */
export function diffusedVariance(surface: ImpliedSurface, years: number): number {
  const { varianceNow, varianceLong, reportVariance, nextReport } = surface;
  const reverted = (1 - Math.exp(-REVERSION_A_YEAR * years)) / REVERSION_A_YEAR;
  const reports = years < nextReport ? 0 : 1 + Math.floor((years - nextReport) / QUARTER_YEARS);
  return varianceLong * years + (varianceNow - varianceLong) * reverted + reports * reportVariance;
}

/** Standard deviation of the log price `years` from now, jumps included. */
export function deviationAt(surface: ImpliedSurface, years: number): number {
  const { jumpsAYear, jumpMean, jumpDeviation } = surface;
  const jumps = jumpsAYear * years * (jumpMean * jumpMean + jumpDeviation * jumpDeviation);
  return Math.sqrt(diffusedVariance(surface, years) + jumps);
}

/** Values of European calls and puts of one expiration in dollars today, in the order of the strikes. */
export function europeanValues(surface: ImpliedSurface, years: number, strikes: readonly number[]) {
  const { spot, rate, dividendYield, jumpsAYear, jumpMean, jumpDeviation } = surface;
  const forward = spot * Math.exp((rate - dividendYield) * years);
  const discount = Math.exp(-rate * years);
  const calls = new Float64Array(strikes.length);
  const diffused = diffusedVariance(surface, years);
  const meanJump = Math.exp(jumpMean + (jumpDeviation * jumpDeviation) / 2);
  const expected = jumpsAYear * years;
  let weight = Math.exp(-expected);
  let jumped = forward * Math.exp(-expected * (meanJump - 1));
  let total = 0;
  for (let jumps = 0; jumps < 100 && (jumps < expected || weight > WEIGHT_MIN); jumps++) {
    const deviation = Math.sqrt(diffused + jumps * jumpDeviation * jumpDeviation);
    for (let at = 0; at < strikes.length; at++) calls[at]! += weight * call(jumped, strikes[at]!, deviation);
    total += weight;
    weight *= expected / (jumps + 1);
    jumped *= meanJump;
  }
  for (const at of calls.keys()) calls[at] = Math.max((discount * calls[at]!) / total, 0);
  const puts = calls.map((value, at) => Math.max(value - discount * (forward - strikes[at]!), 0));
  return { calls, puts };
}

/** The undiscounted call on a lognormal forward. Source: F. Black, "The Pricing of Commodity Contracts" (1976). */
function call(forward: number, strike: number, deviation: number): number {
  if (deviation <= 0) return Math.max(forward - strike, 0);
  const above = Math.log(forward / strike) / deviation + deviation / 2;
  return forward * normalCdf(above) - strike * normalCdf(above - deviation);
}

/**
 * The standard normal distribution function to 15 decimals. Source: J. F. Hart et al., "Computer Approximations" (1968),
 * algorithm 5666, as G. West gives it in "Better Approximations to Cumulative Normal Functions", Wilmott (2005).
 */
export function normalCdf(x: number): number {
  const z = Math.abs(x);
  const tail = z > 7 ? 0 : Math.exp(-0.5 * z * z) * upperTail(z);
  return x > 0 ? 1 - tail : tail;
}

const upperTail = (z: number): number =>
  ((((((0.0352624965998911 * z + 0.700383064443688) * z + 6.37396220353165) * z + 33.912866078383) * z +
    112.079291497871) *
    z +
    221.213596169931) *
    z +
    220.206867912376) /
  (((((((0.0883883476483184 * z + 1.75566716318264) * z + 16.064177579207) * z + 86.7807322029461) * z +
    296.564248779674) *
    z +
    637.333633378831) *
    z +
    793.826512519948) *
    z +
    440.413735824752);

const SESSIONS_A_YEAR = 252;
const YEAR_DAYS = 365;
/** Sessions whose own variance counts as the present one. */
const OWN_SESSIONS = 8;
/** Variance a year of a sector for a loading of one. */
const SECTOR_VARIANCE = 0.1 * 0.1;
/** Implied over realised variance. */
const PREMIUM = 1.15;
/** The expected move of a report, as a multiple of the company's ordinary own day. */
const REPORT_DAYS = 2.6;
const RATE = 0.04;
const JUMPS_A_YEAR = 1.5;
/** A jump's log for a volatility of one a year: indices fall together, surprises of a company go both ways. */
const JUMP_OF_INDEX = { mean: -0.4, deviation: 0.2 };
const JUMP_OF_COMPANY = { mean: -0.15, deviation: 0.3 };
/** Part of the variance that diffuses at least. */
const DIFFUSED_MIN = 0.3;

/**
 * The surface of a company during a session. It follows the volatility index of the evening before and the company's
 * recent variance, so surfaces rise and fall with the regime.
 *
 * @param row of the path
 */
export function impliedSurface(
  market: SimulatedMarket,
  company: Company,
  path: CompanyPath,
  row: number,
  spot: number,
) {
  const session = path.firstSession + row;
  const index = market.path.volatilityIndex[Math.max(0, session - 1)]! / 100;
  const ordinary = ORDINARY_MARKET_SIGMA * Math.sqrt(SESSIONS_A_YEAR);
  const isFund = company.sector < 0;
  const sector = isFund ? 0 : company.sectorLoading * company.sectorLoading * SECTOR_VARIANCE;
  const systematic = (volatility: number): number =>
    company.beta * company.beta * volatility * volatility +
    sector * ((volatility * volatility) / (ordinary * ordinary));
  const reports = company.reportSession >= 0;
  const ownDay = company.ownSigma * company.ownSigma;
  // The index already carries a premium.
  const now = systematic(index) + PREMIUM * SESSIONS_A_YEAR * recentOwnVariance(path, row);
  const long = PREMIUM * (systematic(ordinary) + SESSIONS_A_YEAR * ownDay);
  const jump = isFund ? JUMP_OF_INDEX : JUMP_OF_COMPANY;
  const jumped = JUMPS_A_YEAR * (jump.mean * jump.mean + jump.deviation * jump.deviation) * now;
  const diffused = (variance: number): number => Math.max(variance - jumped, DIFFUSED_MIN * variance);
  return {
    spot,
    /** Variance a year of the diffusion, now and in the long run. */
    varianceNow: diffused(now),
    varianceLong: diffused(long),
    /** Variance that a quarterly report adds. */
    reportVariance: reports ? REPORT_DAYS * REPORT_DAYS * ownDay : 0,
    /** Years until the next report; infinity for what does not report. */
    nextReport: reports ? yearsToReport(market, company, session) : Number.POSITIVE_INFINITY,
    jumpsAYear: JUMPS_A_YEAR,
    jumpMean: jump.mean * Math.sqrt(now),
    jumpDeviation: jump.deviation * Math.sqrt(now),
    /** Continuous, a year. */
    rate: RATE,
    dividendYield: company.dividendYield,
  };
}

/** Mean variance a session of the company's own part over the sessions before this one, overnight included. */
function recentOwnVariance({ ownSigma }: CompanyPath, row: number): number {
  const from = Math.max(0, row - OWN_SESSIONS);
  const sessions = ownSigma.subarray(from, Math.max(from + 1, row));
  const sum = sessions.reduce((total, sigma) => total + sigma * sigma, 0);
  return sum / sessions.length / (INTRADAY_SIGMA * INTRADAY_SIGMA);
}

/** Years to the first session after this one that opens on results. */
function yearsToReport({ schedule }: SimulatedMarket, company: Company, session: number): number {
  const later = schedule.sessionOfQuarter.indexOf(company.reportSession, session + 1);
  if (later < 0) return Number.POSITIVE_INFINITY;
  return (schedule.day[later]! - schedule.day[session]!) / YEAR_DAYS;
}
