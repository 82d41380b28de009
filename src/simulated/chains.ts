import { type Calendar, DAY_MS, dateOf, midnightUtc } from '../base/calendar.ts';
import { MINUTE_MS, weekdayOf } from '../base/dates.ts';
import { SETTLEMENTS } from '../base/option-roots.ts';
import type { OptionChain } from '../market/chains.ts';
import { ContractColumnBuilder } from '../market/column-builder.ts';
import type { Delivery } from '../market/feed.ts';
import { STANDARD_MULTIPLIER } from '../market/validate-chain.ts';
import { deviationAt, europeanValues, impliedSurface } from './chain-surface.ts';
import { type Company, INDEX_FUND, rankOf } from './companies.ts';
import { type FilledSession, type SimulatedMarket, type SimulatedSymbol, sessionsOf } from './market.ts';
import { normalQuantile, type Stream, streamFor, traitsOf } from './random.ts';

/** How often the options of a company expire: its size decides. */
export type ListingCycle = 'daily' | 'weekly' | 'monthly';

/**
 * By listing cycle: companies before `ranks` have it; strikes of an expiration; half of the spread for a dollar of
 * value and its minimum in cents; the price grid in cents below 3 dollars and above.
 */
const CYCLES = {
  daily: { ranks: 8, strikes: 50, halfSpread: 0.006, halfCentsMin: 0.6, grid: [1, 5] },
  weekly: { ranks: 200, strikes: 32, halfSpread: 0.015, halfCentsMin: 1.5, grid: [5, 10] },
  monthly: { ranks: 2_000, strikes: 20, halfSpread: 0.04, halfCentsMin: 4, grid: [5, 10] },
} as const;

/** A chain is taken so long before the close, while contracts of the day still trade, as vendors of daily chains do. */
const BEFORE_CLOSE_MS = 15 * MINUTE_MS;
const YEAR_MS = 365 * DAY_MS;
const PRICE_MIN_DOLLARS = 3;

/** The symbol's listing cycle; null for what has no options. */
export function listingCycleOf({
  symbol,
  company,
}: Pick<SimulatedSymbol, 'symbol' | 'company'>): ListingCycle | null {
  if (company === null) return null;
  if (symbol === INDEX_FUND) return 'daily';
  const rank = rankOf(symbol);
  return (['daily', 'weekly', 'monthly'] as const).find((cycle) => rank < CYCLES[cycle].ranks) ?? null;
}

const FRIDAY = 5;
/** Expirations of each kind that are listed. */
const DAILY_COUNT = 5;
const WEEKLY_COUNT = 6;
const MONTHLY_MONTHS: readonly number[] = [0, 1, 2, 3, 5, 8];
const LEAP_YEARS = 2;

/**
 * Expirations listed on a trade date, as midnights UTC in ascending order: for every company the third Friday of this
 * month and of some to come; with a weekly or daily cycle every Friday and the Januaries of the next two years (LEAPS),
 * with a daily one every session. A Friday without a session gives way to the session before.
 */
export function listedExpirations(calendar: Calendar, tradeDate: string, cycle: ListingCycle): number[] {
  const day = midnightUtc(tradeDate);
  const listed = new Set<number>();
  const add = (midnight: number): void => {
    const session = sessionOnOrBefore(calendar, midnight);
    if (session !== null && session >= day) listed.add(session);
  };
  if (cycle === 'daily') {
    let date: string | null = tradeDate;
    for (let count = 0; count < DAILY_COUNT && date !== null; count++) {
      listed.add(midnightUtc(date));
      date = calendar.nextSession(date);
    }
  }
  const year = Number(tradeDate.slice(0, 4));
  const month = Number(tradeDate.slice(5, 7));
  if (cycle !== 'monthly') {
    const firstFriday = day + daysToFriday(day) * DAY_MS;
    for (let week = 0; week < WEEKLY_COUNT; week++) add(firstFriday + week * 7 * DAY_MS);
    for (let ahead = 1; ahead <= LEAP_YEARS; ahead++) add(thirdFriday(year + ahead, 1));
  }
  const current = thirdFriday(year, month);
  const first = (sessionOnOrBefore(calendar, current) ?? current) >= day ? 0 : 1;
  for (const ahead of MONTHLY_MONTHS) add(thirdFriday(year, month + first + ahead));
  return [...listed].sort((a, b) => a - b);
}

const daysToFriday = (midnight: number): number => (FRIDAY - weekdayOf(midnight) + 7) % 7;

/** Midnight UTC of the third Friday of a month; months beyond 12 run into the next year. */
function thirdFriday(year: number, month: number): number {
  const first = Date.UTC(year, month - 1, 1);
  return first + (daysToFriday(first) + 14) * DAY_MS;
}

function sessionOnOrBefore(calendar: Calendar, midnight: number): number | null {
  const date = dateOf(midnight);
  if (calendar.isSession(date)) return midnight;
  // The calendar has no session after its last date.
  const before = date > calendar.last ? null : calendar.previousSession(date);
  return before === null ? null : midnightUtc(before);
}

/** Distances between strikes that exchanges list, in dollars. */
const STEPS = [0.5, 1, 2.5, 5, 10, 25, 50, 100, 250];
/** Strikes reach so many standard deviations of the move until expiration. */
const REACH_DEVIATIONS = 3.2;
const REACH_MIN = 0.06;
const REACH_MAX = 1.1;

/**
 * Strikes of one expiration in ascending order, about `count` of them around the price.
 *
 * @param deviation standard deviation of the log price at expiration
 */
export function listedStrikes(price: number, deviation: number, count: number): number[] {
  const reach = Math.min(REACH_MAX, Math.max(REACH_MIN, REACH_DEVIATIONS * deviation));
  const low = price * Math.exp(-reach);
  const high = price * Math.exp(reach);
  const step = STEPS.find((candidate) => (high - low) / candidate <= count) ?? 500;
  const strikes: number[] = [];
  for (let n = Math.max(1, Math.ceil(low / step)); n * step <= high; n++) strikes.push(n * step);
  return strikes.length > 0 ? strikes : [Math.max(1, Math.round(price / step)) * step];
}

/**
 * The market maker's quote around a value, in dollars: a spread that is a part of the value with a minimum, wider
 * where the spread of the shares is. The bid is rounded down and the ask up; a contract worth less than half a spread
 * has a bid of zero.
 *
 * @param shareSpread bid-ask spread of the shares as a fraction of their price
 */
export function quoteAround(value: number, shareSpread: number, cycle: ListingCycle) {
  const cents = value * 100;
  const { halfSpread, halfCentsMin, grid: grids } = CYCLES[cycle];
  const half = Math.max(halfCentsMin, cents * (halfSpread + shareSpread));
  const grid = grids[cents >= 300 ? 1 : 0];
  const bid = Math.max(0, Math.floor((cents - half) / grid) * grid);
  const ask = Math.max(grid, Math.ceil((cents + half) / grid) * grid);
  return { bid: bid / 100, ask: ask / 100 };
}

/** Open contracts for each share that trades in a session, over a whole chain. */
const OPEN_FOR_A_SHARE = 0.035;
/** Chance that far more of a contract trades than is open, and how many times the usual. */
const BURST_CHANCE = 0.006;
const BURST = 8;

/**
 * The company's option chain in a session, taken a quarter of an hour before its close; null without options, without
 * a trade until then or at a price that is too low.
 */
export function optionChain(
  market: SimulatedMarket,
  of: SimulatedSymbol,
  company: Company,
  { session, start, minutes }: FilledSession,
  calendar: Calendar,
): OptionChain | null {
  const cycle = listingCycleOf(of);
  if (cycle === null) return null;
  const { symbol, path } = of;
  const { tradeDate, close } = market.timeline.sessions[session]!;
  const takenAt = close - BEFORE_CLOSE_MS;
  const lastRow = minutes.minute
    .subarray(0, minutes.regularTo)
    .findLastIndex((minute) => start + (minute + 1) * MINUTE_MS <= takenAt);
  const spot = lastRow < 0 ? 0 : minutes.close[lastRow]! / 100;
  if (spot < PRICE_MIN_DOLLARS) return null;
  const row = session - path.firstSession;
  const surface = impliedSurface(market, company, path, row, spot);
  const traits = traitsOf(market.seed, symbol);
  const day = streamFor(market.seed, symbol, 'chain day');
  const builder = new ContractColumnBuilder();
  const settlement = SETTLEMENTS.indexOf('close');
  // Open interest is counted overnight.
  const shares = path.volume[Math.max(0, row - 1)]!;
  // An American option is worth at least as much as the same one that expires sooner.
  const minValues = new Map<number, number>();
  for (const [rank, expiration] of listedExpirations(calendar, tradeDate, cycle).entries()) {
    const years = (calendar.session(dateOf(expiration))!.close - takenAt) / YEAR_MS;
    const deviation = deviationAt(surface, years);
    const strikes = listedStrikes(spot, deviation, CYCLES[cycle].strikes);
    const { calls, puts } = europeanValues(surface, years, strikes);
    const stream = day(market.timeline.day[session]! * 64 + rank);
    const interest = traits.of(`open interest ${expiration} `);
    // More is open in near expirations and in LEAPS, and more trades the nearer the expiration is.
    const open = ((shares * OPEN_FOR_A_SHARE) / 60) * (1 / (1 + rank * 0.35) + (years > 0.9 ? 0.2 : 0));
    const turnover = 0.08 + 0.6 / (1 + years * 60);
    for (const [at, strike] of strikes.entries()) {
      const moneyness = Math.log(strike / spot) / deviation;
      for (const right of [1, -1] as const) {
        const european = (right === 1 ? calls : puts)[at]!;
        const sooner = minValues.get(right * strike) ?? 0;
        const value = Math.max(european, right * (spot - strike), 0, sooner);
        minValues.set(right * strike, value);
        const { bid, ask } = quoteAround(value, company.spread, cycle);
        // Hedgers and speculators hold options out of the money, and round strikes; day traders trade at the money.
        const distance = (moneyness - (right === 1 ? 0.5 : -0.8)) / 1.1;
        const round = strike % 10 === 0 ? 2 : strike % 5 === 0 ? 1.4 : 1;
        const noise = interest.normal(`${strike} ${right}`);
        const openInterest = Math.floor(open * round * Math.exp(0.7 * noise - distance * distance));
        const near = Math.exp(-0.5 * moneyness * moneyness) + 0.05;
        const burst = stream.uniform() < BURST_CHANCE ? BURST : 1;
        const volume = Math.floor(openInterest * near * turnover * burst * Math.exp(0.8 * stream.normal()));
        const last = volume === 0 ? Number.NaN : lastBetween(bid, ask, stream);
        const vendor = { vendorIv: Number.NaN, vendorDelta: Number.NaN, vendorGamma: Number.NaN };
        builder.push({
          expiration,
          strike,
          right,
          bid,
          ask,
          last,
          volume,
          openInterest,
          settlement,
          ...vendor,
        });
      }
    }
  }
  const terms = { style: 'american', multiplier: STANDARD_MULTIPLIER, simulated: true } as const;
  return { symbol, takenAt, underlyingPrice: spot, contracts: builder.take(), ...terms };
}

function lastBetween(bid: number, ask: number, stream: Stream): number {
  const low = Math.max(1, Math.round(bid * 100));
  return Math.round(low + stream.uniform() * (Math.round(ask * 100) - low)) / 100;
}

const MATURITY_YEARS = 30 / 365;
/** Volatility is the same at any price. */
const SPOT = 100;

/** The 30-day volatility at the money of each session from a session on; nothing of what has no options. */
export function* volatilityDelivery(
  market: SimulatedMarket,
  of: SimulatedSymbol,
  fromSession: number,
): Generator<Delivery> {
  const { path, symbol, company } = of;
  const sessions = [...sessionsOf(of, fromSession)];
  if (company === null || listingCycleOf(of) === null || sessions.length === 0) return;
  const impliedIn = (session: number): number => {
    const surface = impliedSurface(market, company, path, session - path.firstSession, SPOT);
    const forward = SPOT * Math.exp((surface.rate - surface.dividendYield) * MATURITY_YEARS);
    const { calls } = europeanValues(surface, MATURITY_YEARS, [forward]);
    const share = calls[0]! / (forward * Math.exp(-surface.rate * MATURITY_YEARS));
    // Black at the forward: C / (D F) = 2 N(deviation / 2) - 1.
    return (2 * normalQuantile((1 + share) / 2)) / Math.sqrt(MATURITY_YEARS);
  };
  const time = Float64Array.from(sessions, (session) => market.timeline.day[session]! * DAY_MS);
  const implied = Float64Array.from(sessions, impliedIn);
  const realised = new Float64Array(sessions.length).fill(Number.NaN);
  yield { kind: 'volatility', symbol, columns: { time, implied, realised } };
}
