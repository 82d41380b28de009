import { type Calendar, DAY_MS, dateOf } from '../../base/calendar.ts';
import { STANDARD_MULTIPLIER } from '../validate-chain.ts';
import { ContractColumnBuilder, type ContractColumns } from '../chains.ts';
import type { Delivery } from '../feed.ts';
import type { Company } from './simulated-company.ts';
import { filledSessions, sessionsOf } from './simulated-deliveries.ts';
import { MINUTE_MS } from './simulated-intraday-shape.ts';
import type { SimulatedMarket, SimulatedSymbol } from './simulated-market.ts';
import type { SessionMinutes } from './simulated-minutes.ts';
import { normalQuantile, type Stream, streamFor, traitUniform } from './simulated-random.ts';
import { INDEX_FUND, placeOfSymbol } from './simulated-symbols.ts';
import { listedExpirations, listedStrikes, type Rhythm } from './simulated-chain-listing.ts';
import { interestOf, quoteAround, tradedVolume } from './simulated-chain-quotes.ts';
import { deviationAt, europeanValues, impliedSurface } from './simulated-chain-surface.ts';

/** A chain is taken so long before the close, while contracts of the day still live; vendors of daily chains do so too. */
const BEFORE_CLOSE_MS = 15 * MINUTE_MS;
const YEAR_MS = 365 * DAY_MS;
/** Companies beyond these places have no options, or only monthly ones. */
const OPTIONABLE = 2_000;
const WEEKLY = 200;
const DAILY = 8;
/** Strikes of an expiration, by rhythm. */
const STRIKES: Readonly<Record<Rhythm, number>> = { daily: 50, weekly: 32, monthly: 20 };
const PRICE_MIN_DOLLARS = 3;

/** How often the symbol's options expire; null for what has none. */
export function rhythmOf({ symbol, company }: Pick<SimulatedSymbol, 'symbol' | 'company'>): Rhythm | null {
  if (company === null) return null;
  if (symbol === INDEX_FUND) return 'daily';
  const place = placeOfSymbol(symbol);
  return place < DAILY ? 'daily' : place < WEEKLY ? 'weekly' : place < OPTIONABLE ? 'monthly' : null;
}

/** The option chain of each session from one on, taken a quarter of an hour before its close. */
export function* chainDeliveries(
  market: SimulatedMarket,
  of: SimulatedSymbol,
  fromSession: number,
  calendar: Calendar,
): Generator<Delivery> {
  const rhythm = rhythmOf(of);
  if (rhythm === null) return;
  const { symbol, company } = of;
  for (const { session, start, minutes } of filledSessions(market, of, fromSession)) {
    const takenAt = market.timeline.sessions[session]!.close - BEFORE_CLOSE_MS;
    const spot = priceAt(minutes, start, takenAt);
    if (spot === null || spot < PRICE_MIN_DOLLARS) continue;
    const contracts = chainContracts(market, of, company!, session, { rhythm, takenAt, spot, calendar });
    const style = 'american';
    const multiplier = STANDARD_MULTIPLIER;
    yield {
      kind: 'chain',
      chain: { symbol, takenAt, underlyingPrice: spot, style, multiplier, contracts, simulated: true },
    };
  }
}

/** Dollars of the last minute that was over by the instant; null when the session has none. */
function priceAt(minutes: SessionMinutes, start: number, instant: number): number | null {
  const over = (instant - start) / MINUTE_MS - 1;
  let price: number | null = null;
  for (let row = 0; row < minutes.regularTo && minutes.minute[row]! <= over; row++)
    price = minutes.close[row]! / 100;
  return price;
}

interface Moment {
  readonly rhythm: Rhythm;
  readonly takenAt: number;
  readonly spot: number;
  readonly calendar: Calendar;
}

function chainContracts(
  market: SimulatedMarket,
  of: SimulatedSymbol,
  company: Company,
  session: number,
  { rhythm, takenAt, spot, calendar }: Moment,
): ContractColumns {
  const { path, symbol } = of;
  const row = session - path.firstSession;
  const surface = impliedSurface(market, company, path, row, spot);
  const { tradeDate } = market.timeline.sessions[session]!;
  const builder = new ContractColumnBuilder();
  const day = streamFor(market.seed, symbol, 'chain day');
  // Open interest is counted overnight.
  const shares = path.volume[Math.max(0, row - 1)]!;
  // An American option is worth no less than the same one that expires sooner.
  const least = { call: new Map<number, number>(), put: new Map<number, number>() };
  const expirations = listedExpirations(calendar, tradeDate, rhythm);
  for (const [place, expiration] of expirations.entries()) {
    const years = (closeOn(calendar, expiration) - takenAt) / YEAR_MS;
    const deviation = deviationAt(surface, years);
    const strikes = listedStrikes(spot, deviation, STRIKES[rhythm]);
    const european = europeanValues(surface, years, strikes);
    const perDay = day(market.timeline.day[session]! * 64 + place);
    for (const [at, strike] of strikes.entries()) {
      for (const right of [1, -1] as const) {
        const values = right === 1 ? european.calls : european.puts;
        const memory = right === 1 ? least.call : least.put;
        const intrinsic = Math.max(right * (spot - strike), 0);
        const value = Math.max(values[at]!, intrinsic, memory.get(strike) ?? 0);
        memory.set(strike, value);
        const moneyness = Math.log(strike / spot) / deviation;
        const noise = normalQuantile(
          traitUniform(market.seed, symbol, `open interest ${expiration} ${strike} ${right}`),
        );
        const openInterest = interestOf(shares, { moneyness, right, strike, place, years }, noise);
        const volume = tradedVolume(openInterest, { moneyness, years }, perDay);
        const { bid, ask } = quoteAround(value, company.spread, rhythm);
        builder.push({
          expiration,
          strike,
          right,
          bid,
          ask,
          last: volume === 0 ? Number.NaN : lastBetween(bid, ask, perDay),
          volume,
          openInterest,
          vendorIv: Number.NaN,
          vendorDelta: Number.NaN,
          vendorGamma: Number.NaN,
        });
      }
    }
  }
  return builder.take();
}

function lastBetween(bid: number, ask: number, stream: Stream): number {
  const low = Math.max(1, Math.round(bid * 100));
  return Math.round(low + stream.uniform() * (Math.round(ask * 100) - low)) / 100;
}

const closeOn = (calendar: Calendar, expiration: number): number =>
  calendar.session(dateOf(expiration))!.close;

const MATURITY_YEARS = 30 / 365;
/** Volatility is the same at any price. */
const SPOT = 100;

/**
 * The 30-day volatility at the money of each session from one on, as the option market of that session has it; nothing of
 * what has no options. Realised volatility is left to the bars.
 */
export function* volatilityDelivery(
  market: SimulatedMarket,
  of: SimulatedSymbol,
  fromSession: number,
): Generator<Delivery> {
  const { path, symbol, company } = of;
  const sessions = [...sessionsOf(of, fromSession)];
  if (company === null || rhythmOf(of) === null || sessions.length === 0) return;
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
