import type { Company } from './simulated-company.ts';
import {
  type FactorPath,
  HALF_DAY_SIGMA,
  INTRADAY_SIGMA,
  type MarketPath,
  ORDINARY_MARKET_SIGMA,
  OVERNIGHT_SIGMA,
  OVERNIGHT_VARIANCE,
} from './simulated-market-path.ts';
import { createStream, type Stream, streamFor, streamKey } from './simulated-random.ts';
import type { Timeline } from './simulated-timeline.ts';

/** A split or dividend at a session of the timeline. */
interface SessionAction {
  readonly session: number;
  readonly kind: 'split' | 'dividend';
  readonly value: number;
}

/**
 * Regular sessions of one company from its first to its last, row by row. Prices are whole cents as traded: a
 * split and a dividend show as the drop that they are.
 */
export interface CompanyPath {
  /** Place of row 0 in the timeline. */
  readonly firstSession: number;
  readonly rows: number;
  /** The close before on the basis of this session: after its split and dividend. */
  readonly priorClose: Float64Array;
  readonly open: Float64Array;
  readonly high: Float64Array;
  readonly low: Float64Array;
  readonly close: Float64Array;
  readonly volume: Float64Array;
  /** Standard deviation of the company's own part of the intraday log return. */
  readonly ownSigma: Float64Array;
  readonly actions: readonly SessionAction[];
}

/** A path of so many rows, to be filled. */
export function emptyPath(firstSession: number, rows: number) {
  const column = (): Float64Array => new Float64Array(rows);
  const prices = { open: column(), high: column(), low: column(), close: column() };
  const actions: SessionAction[] = [];
  const [priorClose, volume, ownSigma] = [column(), column(), column()];
  return { firstSession, rows, priorClose, ...prices, volume, ownSigma, actions };
}

/** Fewer shares than this in a session would leave minutes without the trades that their four prices need. */
const VOLUME_MIN_SHARES = 4000;
const PRICE_MIN_DOLLARS = 0.2;
/** Log volatility of a company returns to its mean within about a month. */
const MEMORY = 0.965;
const VOLATILITY_SHOCK = 0.11;
/** Mean of exp(2 h) of the stationary log volatility h is exp(2 var): this keeps the mean variance at one. */
const VOLATILITY_CENTRE = (VOLATILITY_SHOCK * VOLATILITY_SHOCK) / (1 - MEMORY * MEMORY);
/**
 * Part of the distance from where the factors alone would have put the price that a session takes back:
 * without it a few companies would outgrow the economy within a decade.
 */
const REVERSION = 0.0008;
/** How much livelier than others the session after a report is. */
const REPORT_DAY_SIGMA = 1.5;
/** Log volume added in the session of a report and in the two after it. */
const AFTER_REPORT = [0.75, 0.3, 0.1];
/** Chance that a session opens on other news of the company: less than once a year. */
const JUMP_CHANCE = 0.003;

/**
 * The company's life up to the end of the timeline; null when it falls outside. A longer timeline only adds
 * rows.
 *
 * The log return of a session is beta x market + loading x sector + industry + its own, each with an
 * overnight and an intraday part; the own part has stochastic volatility, a jump at each quarterly report and
 * rare other jumps.
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
  const factors = factorsOf(company, path);
  const daily = streamFor(seed, company.symbol, 'daily');
  const splits = streamFor(seed, company.symbol, 'split');
  const { ownSigma, beta } = company;
  const marketPart = beta * ORDINARY_MARKET_SIGMA;
  const ordinaryMove = Math.sqrt(ownSigma * ownSigma + marketPart * marketPart);
  // The mean of a log return lies half its variance under the mean of the return: without this, shares of lively
  // companies would drift down.
  const centre = 0.5 * ownSigma * ownSigma;
  let price = company.firstPrice;
  let shares = company.firstShares;
  let dividend = 0;
  let ownLog = 0;
  let logSigma = 0;
  let attention = 0;
  let sinceReport = 99;

  /** The split or dividend of the morning: the price falls by it and the market value of the holding does not. */
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
    const isHalfDay = timeline.earlyClose[s] === 1;
    const reports = timeline.sessionOfQuarter[s] === company.reportSession;
    sinceReport = reports ? 0 : sinceReport + 1;
    const sigma = ownSigma * Math.exp(logSigma - VOLATILITY_CENTRE);
    const ownIntraday =
      sigma * INTRADAY_SIGMA * (isHalfDay ? HALF_DAY_SIGMA : 1) * (reports ? REPORT_DAY_SIGMA : 1);
    const overnightShock = stream.normal();
    const ownShock = stream.normal();
    const night = nightOf(stream);
    const jump = reports
      ? (0.008 + 2.4 * ownSigma) * night.shock
      : night.jump
        ? 4.5 * ownSigma * night.shock
        : 0;
    let overnight = OVERNIGHT_SIGMA * sigma * overnightShock + jump + OVERNIGHT_VARIANCE * centre;
    overnight -= REVERSION * ownLog;
    let intraday = ownIntraday * ownShock + (1 - OVERNIGHT_VARIANCE) * centre;
    ownLog += overnight + intraday;
    let ownVariance = ownIntraday * ownIntraday;
    let commonVariance = 0;
    for (const { factor, weight, inMinutes } of factors) {
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

    // More shares trade in turbulent times, on large moves, after reports and when baskets roll.
    attention = 0.7 * attention + 0.17 * stream.normal();
    let logVolume = attention + 0.3 * logSigma;
    logVolume += 0.35 * (Math.min(4, Math.abs(overnight + intraday) / ordinaryMove) - 0.8);
    const marketSigma = path.market.intradaySigma[s]!;
    logVolume += 0.3 * Math.log(marketSigma / (INTRADAY_SIGMA * ORDINARY_MARKET_SIGMA));
    logVolume += AFTER_REPORT[sinceReport] ?? 0;
    if (isHalfDay) logVolume -= 0.7;
    if (timeline.quadWitching[s] === 1) logVolume += 0.4;
    columns.volume[row] = Math.max(
      VOLUME_MIN_SHARES,
      Math.round(shares * company.turnover * Math.exp(logVolume)),
    );
    logSigma = MEMORY * logSigma + VOLATILITY_SHOCK * (0.954 * stream.normal() - 0.3 * ownShock);
  }
  return columns;
}

/** The first session on or after a day; the number of sessions when there is none. */
function firstSessionFrom({ day }: Timeline, from: number): number {
  const found = day.findIndex((candidate) => candidate >= from);
  return found < 0 ? day.length : found;
}

const cents = (dollars: number): number => Math.max(1, Math.round(dollars * 100));

/** A factor, how much of it a company moves with, and whether its minutes show it or leave it to the company's own. */
interface Exposure {
  readonly factor: FactorPath;
  readonly weight: number;
  readonly inMinutes: boolean;
}

/** Market, sector and industry; the index fund has the market only. */
function factorsOf(company: Company, path: MarketPath): Exposure[] {
  const exposures = [{ factor: path.market, weight: company.beta, inMinutes: true }];
  if (company.sector < 0) return exposures;
  const sector = path.sectors[company.sector]!;
  const industry = path.industries[company.industry]!;
  exposures.push({ factor: sector, weight: company.sectorLoading, inMinutes: true });
  exposures.push({ factor: industry, weight: 1, inMinutes: false });
  return exposures;
}

const SPLIT_RATIOS = [2, 3, 4, 5, 7, 10, 15, 20, 30, 50];
const PRICE_AFTER_SPLIT = 80;

/**
 * New shares for one old in this quarter, 1 for no split: boards split high prices and merge very low ones.
 */
export function splitRatio(price: number, chance: number): number {
  if (price < 4) return chance < 0.5 ? 0.1 : 1;
  if (price < 150) return 1;
  if (price < 400 && chance < 0.005) return 1.5;
  if (chance > (price < 400 ? 0.05 : price < 1000 ? 0.2 : 0.7)) return 1;
  const distance = (ratio: number): number => Math.abs(Math.log(price / ratio / PRICE_AFTER_SPLIT));
  return SPLIT_RATIOS.reduce((best, ratio) => (distance(ratio) < distance(best) ? ratio : best));
}

/** Boards keep a dividend until it is clearly too small or too large for the price; whole cents. */
export function quarterlyDividend(last: number, fair: number): number {
  if (last > 0.01 && fair > 0.55 * last && fair < 1.08 * last) return Math.floor(last * 100 + 1e-6) / 100;
  return Math.floor(fair * 100) / 100;
}

/** News that a session opens on: of a report always, else only where `jump` says so. */
interface Night {
  readonly jump: boolean;
  /** Standard normal: what it means for the price. */
  readonly shock: number;
}

const nightOf = (stream: Stream): Night => ({ jump: stream.uniform() < JUMP_CHANCE, shock: stream.normal() });

const nightStream = createStream();

/**
 * The news that a session opens on, as `companyPath` draws it for the price: what is reported of the company goes by
 * the same draw. It depends on the day alone, so that an announcement on the evening before needs no later price.
 *
 * @param day days since 1970-01-01
 */
export function nightNews(seed: number, symbol: string, day: number): Night {
  nightStream.restart(streamKey(seed, symbol, 'daily'), day);
  // The two shocks of the session's own moves come first.
  nightStream.normal();
  nightStream.normal();
  return nightOf(nightStream);
}

/**
 * The highest point of a Brownian bridge from 0 to x, drawn with a number of (0, 1): P(max > m) = exp(-2 m (m
 * - x) / variance) for m >= max(0, x), solved for m (Karatzas and Shreve, "Brownian Motion and Stochastic
 * Calculus", 4.3.40).
 */
export function bridgeHigh(x: number, variance: number, draw: number): number {
  return 0.5 * (x + Math.sqrt(x * x - 2 * variance * Math.log(draw)));
}

/** The four prices of a session in cents; high and low are those of a bridge from the open to the close. */
export function setPrices(
  columns: Pick<CompanyPath, 'open' | 'high' | 'low' | 'close'>,
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
