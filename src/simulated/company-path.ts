import type { CorporateAction } from '../market/observations.ts';
import type { Company } from './companies.ts';
import {
  INTRADAY_SIGMA,
  intradaySigmaOf,
  type MarketPath,
  ORDINARY_MARKET_SIGMA,
  OVERNIGHT_SIGMA,
  OVERNIGHT_VARIANCE,
} from './market-path.ts';
import { type Stream, streamFor } from './random.ts';
import type { Timeline } from './timeline.ts';

/**
 * Regular sessions of one company from its first to its last, row by row. Prices are whole cents as traded: a split
 * and a dividend show as the drop that they are.
 */
export type CompanyPath = ReturnType<typeof emptyPath>;

/** @param firstSession session of row 0 in the timeline */
function emptyPath(firstSession: number, rows: number) {
  const column = (): Float64Array => new Float64Array(rows);
  return {
    firstSession,
    rows,
    /** The close before on the basis of this session: after its split and dividend. */
    priorClose: column(),
    open: column(),
    high: column(),
    low: column(),
    close: column(),
    volume: column(),
    /** Standard deviation of the company's own part of the intraday log return. */
    ownSigma: column(),
    actions: [] as { session: number; kind: CorporateAction['kind']; value: number }[],
  };
}

/** Fewer shares in a session would leave minutes without the trades that their four prices need. */
const VOLUME_MIN_SHARES = 4000;
const PRICE_MIN_DOLLARS = 0.2;
/** Log volatility of a company returns to its mean within about a month. */
const MEMORY = 0.965;
const VOLATILITY_SHOCK = 0.11;
/** Mean of exp(2 h) of the stationary log volatility h is exp(2 var): this keeps the mean variance at one. */
const VOLATILITY_CENTRE = (VOLATILITY_SHOCK * VOLATILITY_SHOCK) / (1 - MEMORY * MEMORY);
/** Part of the distance from the price of the factors alone that a session takes back. */
const REVERSION = 0.0008;
/** Volatility of the session after a report, as a multiple. */
const REPORT_DAY_SIGMA = 1.5;
/** Log volume added in the session of a report and in the two after it. */
const AFTER_REPORT = [0.75, 0.3, 0.1];
/** Chance that a session opens on other news of the company: less than once a year. */
const JUMP_CHANCE = 0.003;

/**
 * The company's path up to the end of the timeline; null when it falls outside. A longer timeline only adds rows.
 *
 * The log return of a session is beta x market + loading x sector + industry + its own, each with an overnight and an
 * intraday part; the own part has stochastic volatility, a jump at each quarterly report and rare other jumps.
 */
export function companyPath(
  seed: number,
  company: Company,
  timeline: Timeline,
  path: MarketPath,
): CompanyPath | null {
  const first = firstSessionFrom(timeline, company.listingDay);
  const rows = firstSessionFrom(timeline, company.delistingDay) - first;
  if (rows <= 0) return null;
  const columns = emptyPath(first, rows);
  const exposures = exposuresOf(company, path);
  const daily = streamFor(seed, company.symbol, 'daily');
  const splits = streamFor(seed, company.symbol, 'split');
  const { ownSigma } = company;
  const ordinaryMove = ordinaryMoveOf(company);
  // The mean of a log return lies half its variance under the mean of the return: without this, volatile companies
  // would drift down.
  const centre = 0.5 * ownSigma * ownSigma;
  let price = company.firstPrice;
  let shares = company.firstShares;
  let dividend = 0;
  let ownLog = 0;
  let logSigma = 0;
  let attention = 0;
  let sinceReport = 99;

  /** The split or dividend of the morning. */
  const applyAction = (s: number): void => {
    const ofQuarter = timeline.sessionOfQuarter[s]!;
    if (ofQuarter === company.splitSession) {
      const value = splitRatio(price, splits(timeline.day[s]!).uniform());
      if (value === 1) return;
      price /= value;
      shares *= value;
      dividend /= value;
      columns.actions.push({ session: s, kind: 'split', value });
    } else if (ofQuarter === company.dividendSession && company.dividendYield > 0) {
      dividend = quarterlyDividend(dividend, (company.dividendYield / 4) * price);
      if (dividend === 0) return;
      price -= dividend;
      columns.actions.push({ session: s, kind: 'dividend', value: dividend });
    }
  };

  for (let row = 0; row < rows; row++) {
    const s = first + row;
    if (row > 0) applyAction(s);
    columns.priorClose[row] = cents(price);
    const stream = daily(timeline.day[s]!);
    const reports = timeline.sessionOfQuarter[s] === company.reportSession;
    sinceReport = reports ? 0 : sinceReport + 1;
    const sigma = ownSigma * Math.exp(logSigma - VOLATILITY_CENTRE);
    const ownIntraday = intradaySigmaOf(sigma, timeline, s) * (reports ? REPORT_DAY_SIGMA : 1);
    const { overnightShock, ownShock, hasNews, newsShock } = drawShocks(stream);
    const jump = (reports ? 0.008 + 2.4 * ownSigma : hasNews ? 4.5 * ownSigma : 0) * newsShock;
    let overnight = OVERNIGHT_SIGMA * sigma * overnightShock + jump + OVERNIGHT_VARIANCE * centre;
    overnight -= REVERSION * ownLog;
    let intraday = ownIntraday * ownShock + (1 - OVERNIGHT_VARIANCE) * centre;
    ownLog += overnight + intraday;
    let ownVariance = ownIntraday * ownIntraday;
    let commonVariance = 0;
    for (const { factor, weight, inMinutes } of exposures) {
      overnight += weight * factor.overnight[s]!;
      intraday += weight * factor.intraday[s]!;
      const part = weight * factor.intradaySigma[s]!;
      if (inMinutes) commonVariance += part * part;
      else ownVariance += part * part;
    }
    columns.ownSigma[row] = Math.sqrt(ownVariance);
    const open = Math.max(PRICE_MIN_DOLLARS, price * Math.exp(overnight));
    price = Math.max(PRICE_MIN_DOLLARS, open * Math.exp(intraday));
    setPrices(columns, row, cents(open), cents(price), ownVariance + commonVariance, stream);

    // More shares trade in turbulent times, on large moves and after reports.
    attention = 0.7 * attention + 0.17 * stream.normal();
    let logVolume = attention + 0.3 * logSigma;
    logVolume += 0.35 * (Math.min(4, Math.abs(overnight + intraday) / ordinaryMove) - 0.8);
    const marketSigma = path.market.intradaySigma[s]!;
    logVolume += 0.3 * Math.log(marketSigma / (INTRADAY_SIGMA * ORDINARY_MARKET_SIGMA));
    logVolume += AFTER_REPORT[sinceReport] ?? 0;
    if (timeline.sessions[s]!.earlyClose) logVolume -= 0.7;
    const volume = Math.round(shares * company.turnover * Math.exp(logVolume));
    columns.volume[row] = Math.max(VOLUME_MIN_SHARES, volume);
    logSigma = MEMORY * logSigma + VOLATILITY_SHOCK * (0.954 * stream.normal() - 0.3 * ownShock);
  }
  return columns;
}

/** The first session on or after a day; the number of sessions when there is none. */
function firstSessionFrom({ day }: Timeline, from: number): number {
  const session = day.findIndex((candidate) => candidate >= from);
  return session < 0 ? day.length : session;
}

/** Standard deviation of the company's session return in an ordinary time. */
export function ordinaryMoveOf({ ownSigma, beta }: Company): number {
  const marketPart = beta * ORDINARY_MARKET_SIGMA;
  return Math.sqrt(ownSigma * ownSigma + marketPart * marketPart);
}

const cents = (dollars: number): number => Math.max(1, Math.round(dollars * 100));

/**
 * Market, sector and industry, each with its weight; the index fund has the market only. Minute paths show what is
 * `inMinutes` and leave the rest to the company's own part.
 */
function exposuresOf({ beta, sector, sectorLoading, industry }: Company, path: MarketPath) {
  const market = { factor: path.market, weight: beta, inMinutes: true };
  if (sector < 0) return [market];
  return [
    market,
    { factor: path.sectors[sector]!, weight: sectorLoading, inMinutes: true },
    { factor: path.industries[industry]!, weight: 1, inMinutes: false },
  ];
}

const SPLIT_RATIOS = [2, 3, 4, 5, 7, 10, 15, 20, 30, 50];
const PRICE_AFTER_SPLIT = 80;

/** New shares for one old in this quarter, 1 for no split: boards split high prices and merge very low ones. */
export function splitRatio(price: number, chance: number): number {
  if (price < 4) return chance < 0.5 ? 0.1 : 1;
  if (price < 150) return 1;
  if (price < 400 && chance < 0.005) return 1.5;
  if (chance > (price < 400 ? 0.05 : price < 1000 ? 0.2 : 0.7)) return 1;
  const distance = (ratio: number): number => Math.abs(Math.log(price / ratio / PRICE_AFTER_SPLIT));
  return SPLIT_RATIOS.reduce((best, ratio) => (distance(ratio) < distance(best) ? ratio : best));
}

/** Whole cents; boards repeat a dividend until it is clearly too small or too large for the price. */
export const quarterlyDividend = (last: number, fair: number): number =>
  last > 0.01 && fair > 0.55 * last && fair < 1.08 * last
    ? Math.floor(last * 100 + 1e-6) / 100
    : Math.floor(fair * 100) / 100;

/**
 * The first numbers of a company's `daily` stream: shocks of the overnight and the intraday move, whether there is news
 * before the open beside a report, and what the news or the report means for the price. They depend on the day alone,
 * so an announcement on the evening before needs no later price.
 */
export const drawShocks = (stream: Stream) => ({
  overnightShock: stream.normal(),
  ownShock: stream.normal(),
  hasNews: stream.uniform() < JUMP_CHANCE,
  newsShock: stream.normal(),
});

/**
 * The highest point of a Brownian bridge from 0 to x, drawn with a number of (0, 1): P(max > m) = exp(-2 m (m - x) /
 * variance) for m >= max(0, x), solved for m (Karatzas and Shreve, "Brownian Motion and Stochastic Calculus", 4.3.40).
 */
export const bridgeHigh = (x: number, variance: number, draw: number): number =>
  0.5 * (x + Math.sqrt(x * x - 2 * variance * Math.log(draw)));

/** The four prices of a session in cents; high and low are those of a bridge from the open to the close. */
function setPrices(
  columns: CompanyPath,
  row: number,
  open: number,
  close: number,
  variance: number,
  stream: Stream,
): void {
  const x = Math.log(close / open);
  const up = bridgeHigh(x, variance, stream.uniform());
  const down = -bridgeHigh(-x, variance, stream.uniform());
  columns.open[row] = open;
  columns.close[row] = close;
  columns.high[row] = Math.max(open, close, Math.round(open * Math.exp(up)));
  columns.low[row] = Math.max(1, Math.min(open, close, Math.round(open * Math.exp(down))));
}

/** How far the volatility index moves, as a multiple of the market's move against it. */
export const VOLATILITY_INDEX_BETA = -3.5;
/** Part of the index's change that shows at the open. */
const INDEX_OPENING_SHARE = 0.35;
const INDEX_OWN_SIGMA = 0.028;

/** The volatility index as a path like any other; it is calculated, not traded: its volume is zero. */
export function volatilityIndexPath(seed: number, timeline: Timeline, path: MarketPath): CompanyPath {
  const columns = emptyPath(0, timeline.day.length);
  columns.ownSigma.fill(INDEX_OWN_SIGMA);
  const daily = streamFor(seed, 'volatility index', 'range');
  let last = Math.round(path.volatilityIndex[0]! * 100);
  for (const [s, day] of timeline.day.entries()) {
    const stream = daily(day);
    const close = Math.round(path.volatilityIndex[s]! * 100);
    const drift = INDEX_OPENING_SHARE * Math.log(close / last);
    const open = Math.round(last * Math.exp(drift + 0.01 * stream.normal()));
    const marketPart = VOLATILITY_INDEX_BETA * path.market.intradaySigma[s]!;
    setPrices(columns, s, open, close, INDEX_OWN_SIGMA * INDEX_OWN_SIGMA + marketPart * marketPart, stream);
    columns.priorClose[s] = last;
    last = close;
  }
  return columns;
}
