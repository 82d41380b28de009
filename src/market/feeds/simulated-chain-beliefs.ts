import type { Company } from './simulated-company.ts';
import type { CompanyPath } from './simulated-company-path.ts';
import type { SimulatedMarket } from './simulated-market.ts';
import { INTRADAY_SIGMA, ORDINARY_MARKET_SIGMA } from './simulated-market-path.ts';
import type { Surface } from './simulated-chain-surface.ts';

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
 * What the option market believes of a company during a session: it knows the volatility index of the evening before and
 * how lively the company has been of late, so that surfaces rise and fall with the regime.
 *
 * @param row of the path
 */
export function beliefsOf(
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
