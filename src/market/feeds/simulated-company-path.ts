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
import { createStream, type StreamKey, streamKey } from './simulated-random.ts';
import type { Timeline } from './simulated-timeline.ts';

/** A split or dividend at a session of the timeline. */
export interface SessionAction {
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

/** What a company carries from one session to the next. */
interface State {
  price: number;
  shares: number;
  /** The last quarterly dividend on today's basis, 0 before the first. */
  dividend: number;
  /** Sum of the own log returns so far. */
  ownLog: number;
  logSigma: number;
  attention: number;
  sessionsSinceReport: number;
}

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
  const firstSession = firstSessionFrom(timeline, company.listingDay);
  const rows = firstSessionFrom(timeline, company.delistingDay) - firstSession;
  if (rows <= 0) return null;
  const columns = emptyColumns(firstSession, rows);
  const actions: SessionAction[] = [];
  const state: State = {
    price: company.firstPrice,
    shares: company.firstShares,
    dividend: 0,
    ownLog: 0,
    logSigma: 0,
    attention: 0,
    sessionsSinceReport: 99,
  };
  const exposures = exposuresOf(company, path);
  const key = streamKey(seed, company.symbol, 'daily');
  const splitKey = streamKey(seed, company.symbol, 'split');
  for (let row = 0; row < rows; row++) {
    applyActions(splitKey, state, company, timeline, firstSession + row, row, actions);
    columns.priorClose[row] = cents(state.price);
    advance(state, key, company, timeline, exposures, columns, row);
  }
  return { ...columns, actions };
}

/** The first session on or after a day; the number of sessions when there is none. */
export function firstSessionFrom(timeline: Timeline, day: number): number {
  let from = 0;
  let to = timeline.day.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    if (timeline.day[middle]! < day) from = middle + 1;
    else to = middle;
  }
  return from;
}

const cents = (dollars: number): number => Math.max(1, Math.round(dollars * 100));

function emptyColumns(firstSession: number, rows: number): Omit<CompanyPath, 'actions'> {
  const column = (): Float64Array => new Float64Array(rows);
  return {
    firstSession,
    rows,
    priorClose: column(),
    open: column(),
    high: column(),
    low: column(),
    close: column(),
    volume: column(),
    ownSigma: column(),
  };
}

const actionStream = createStream();

/**
 * The split or dividend of the morning, if any: the price falls by it and the market value of the holding
 * does not.
 */
function applyActions(
  splitKey: StreamKey,
  state: State,
  company: Company,
  timeline: Timeline,
  session: number,
  row: number,
  actions: SessionAction[],
): void {
  const ofQuarter = timeline.sessionOfQuarter[session]!;
  if (row === 0) return;
  if (ofQuarter === company.splitSession) {
    actionStream.restart(splitKey, timeline.day[session]!);
    const value = splitRatio(state.price, actionStream.uniform());
    if (value === 1) return;
    state.price /= value;
    state.shares *= value;
    state.dividend /= value;
    actions.push({ session, kind: 'split', value });
  } else if (ofQuarter === company.dividendSession && company.dividendYield > 0) {
    const value = quarterlyDividend(state.dividend, (company.dividendYield / 4) * state.price);
    state.dividend = value;
    if (value === 0) return;
    state.price -= value;
    actions.push({ session, kind: 'dividend', value });
  }
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

const dayStream = createStream();

/** One session: returns, the four prices, the volume, and what is carried on to the next. */
function advance(
  state: State,
  key: StreamKey,
  company: Company,
  timeline: Timeline,
  exposures: readonly Exposure[],
  columns: Omit<CompanyPath, 'actions'>,
  row: number,
): void {
  const s = columns.firstSession + row;
  dayStream.restart(key, timeline.day[s]!);
  const reports = timeline.sessionOfQuarter[s] === company.reportSession;
  state.sessionsSinceReport = reports ? 0 : state.sessionsSinceReport + 1;
  const moves = sessionMoves(state, company, timeline, exposures, s, reports);
  columns.ownSigma[row] = Math.sqrt(moves.ownVariance);

  const openPrice = Math.max(PRICE_MIN_DOLLARS, state.price * Math.exp(moves.overnight));
  state.price = Math.max(PRICE_MIN_DOLLARS, openPrice * Math.exp(moves.intraday));
  setPrices(columns, row, cents(openPrice), cents(state.price), moves.variance);
  const marketSigma = exposures[0]!.factor.intradaySigma[s]!;
  columns.volume[row] = sessionVolume(
    state,
    company,
    timeline,
    s,
    moves.overnight + moves.intraday,
    marketSigma,
  );

  const volatilityShock = 0.954 * dayStream.normal() - 0.3 * moves.ownShock;
  state.logSigma = MEMORY * state.logSigma + VOLATILITY_SHOCK * volatilityShock;
}

/**
 * A factor and how much of it a company moves with. Whether the minutes know it or leave it to the company's
 * own.
 */
interface Exposure {
  readonly factor: FactorPath;
  readonly weight: number;
  readonly inMinutes: boolean;
}

/** The market first; the index fund has no other. */
function exposuresOf(company: Company, path: MarketPath): Exposure[] {
  const exposures = [{ factor: path.market, weight: company.beta, inMinutes: true }];
  const sector = path.sectors[company.sector];
  const industry = path.industries[company.industry];
  if (sector !== undefined)
    exposures.push({ factor: sector, weight: company.sectorLoading, inMinutes: true });
  if (industry !== undefined) exposures.push({ factor: industry, weight: 1, inMinutes: false });
  return exposures;
}

/** Log returns of a session and the variances that its intraday part was drawn with. */
interface SessionMoves {
  readonly overnight: number;
  readonly intraday: number;
  readonly ownVariance: number;
  readonly variance: number;
  readonly ownShock: number;
}

function sessionMoves(
  state: State,
  company: Company,
  timeline: Timeline,
  exposures: readonly Exposure[],
  s: number,
  reports: boolean,
): SessionMoves {
  const { ownSigma } = company;
  const sigma = ownSigma * Math.exp(state.logSigma - VOLATILITY_CENTRE);
  const halfDay = timeline.earlyClose[s] === 1 ? HALF_DAY_SIGMA : 1;
  const ownIntraday = sigma * INTRADAY_SIGMA * halfDay * (reports ? REPORT_DAY_SIGMA : 1);
  const overnightShock = dayStream.normal();
  const ownShock = dayStream.normal();
  const jump = overnightJump(ownSigma, reports);
  // The mean of a log return lies half its variance under the mean of the return: without this, shares of
  // lively
  // companies would drift down.
  const centre = 0.5 * ownSigma * ownSigma;
  let overnight = OVERNIGHT_SIGMA * sigma * overnightShock + jump + OVERNIGHT_VARIANCE * centre;
  overnight -= REVERSION * state.ownLog;
  let intraday = ownIntraday * ownShock + (1 - OVERNIGHT_VARIANCE) * centre;
  state.ownLog += overnight + intraday;
  let ownVariance = ownIntraday * ownIntraday;
  let commonVariance = 0;
  for (const { factor, weight, inMinutes } of exposures) {
    overnight += weight * factor.overnight[s]!;
    intraday += weight * factor.intraday[s]!;
    const part = weight * factor.intradaySigma[s]!;
    if (inMinutes) commonVariance += part * part;
    else ownVariance += part * part;
  }
  return { overnight, intraday, ownVariance, variance: ownVariance + commonVariance, ownShock };
}

/**
 * What the quarterly report, or now and then other news of the company, does to the price before the open.
 */
function overnightJump(ownSigma: number, reports: boolean): number {
  const chance = dayStream.uniform();
  const shock = dayStream.normal();
  if (reports) return (0.008 + 2.4 * ownSigma) * shock;
  return chance < JUMP_CHANCE ? 4.5 * ownSigma * shock : 0;
}

const nightStream = createStream();

/**
 * The news that a session opens on, as `companyPath` draws it for the price: what is reported of the company goes by
 * the same draw. It depends on the day alone, so that an announcement on the evening before needs no later price.
 *
 * @param day days since 1970-01-01
 */
export function nightNews(
  seed: number,
  symbol: string,
  day: number,
): { readonly jump: boolean; readonly shock: number } {
  nightStream.restart(streamKey(seed, symbol, 'daily'), day);
  // The two shocks of the session's own moves come first.
  nightStream.normal();
  nightStream.normal();
  const jump = nightStream.uniform() < JUMP_CHANCE;
  return { jump, shock: nightStream.normal() };
}

/** Shares traded: more in turbulent times, on large moves, after reports and when baskets roll. */
function sessionVolume(
  state: State,
  company: Company,
  timeline: Timeline,
  s: number,
  move: number,
  marketSigma: number,
): number {
  const marketPart = company.beta * ORDINARY_MARKET_SIGMA;
  const ordinaryMove = Math.sqrt(company.ownSigma * company.ownSigma + marketPart * marketPart);
  state.attention = 0.7 * state.attention + 0.17 * dayStream.normal();
  let logVolume = state.attention + 0.3 * state.logSigma;
  logVolume += 0.35 * (Math.min(4, Math.abs(move) / ordinaryMove) - 0.8);
  logVolume += 0.3 * Math.log(marketSigma / (INTRADAY_SIGMA * ORDINARY_MARKET_SIGMA));
  logVolume += AFTER_REPORT[state.sessionsSinceReport] ?? 0;
  if (timeline.earlyClose[s] === 1) logVolume -= 0.7;
  if (timeline.quadWitching[s] === 1) logVolume += 0.4;
  return Math.max(VOLUME_MIN_SHARES, Math.round(state.shares * company.turnover * Math.exp(logVolume)));
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
function setPrices(
  columns: Omit<CompanyPath, 'actions'>,
  row: number,
  open: number,
  close: number,
  variance: number,
): void {
  const x = Math.log(close / open);
  const up = bridgeHigh(x, variance, dayStream.uniform());
  const down = -bridgeHigh(-x, variance, dayStream.uniform());
  columns.open[row] = open;
  columns.close[row] = close;
  columns.high[row] = Math.max(open, close, Math.round(open * Math.exp(up)));
  columns.low[row] = Math.max(1, Math.min(open, close, Math.round(open * Math.exp(down))));
}
