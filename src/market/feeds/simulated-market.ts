import type { Calendar } from '../../base/calendar.ts';
import type { CompanyProfile } from '../facts.ts';
import { type Company, companyAt, companyProfile, indexFund, indexProfile } from './simulated-company.ts';
import { type CompanyPath, companyPath } from './simulated-company-path.ts';
import { type Interruptions, interruptions } from './simulated-interruptions.ts';
import { type FactorMinutes, factorMinutes, MINUTE_MS } from './simulated-intraday-shape.ts';
import { type MarketPath, marketPath } from './simulated-market-path.ts';
import type { SessionFrame } from './simulated-minutes.ts';
import { type Stream, streamFor, type StreamKey, streamKey } from './simulated-random.ts';
import { INDEX_FUND, placeOfSymbol, VOLATILITY_INDEX } from './simulated-symbols.ts';
import { scheduleOf, type Timeline, timelineOf } from './simulated-timeline.ts';
import { VOLATILITY_INDEX_BETA, volatilityIndexPath } from './simulated-volatility-index.ts';

/**
 * A simulated market up to a last trade date; all of it follows from the seed and the sessions of the
 * calendar.
 */
export interface SimulatedMarket {
  readonly seed: number;
  readonly timeline: Timeline;
  /** The sessions of the timeline and those of the months after it. */
  readonly schedule: Timeline;
  readonly path: MarketPath;
  /** Minute paths of the factors in a session of the timeline. */
  readonly factors: (session: number) => FactorMinutes;
}

/** One symbol of the market: a company, the index fund or the volatility index (which has no company). */
export interface SimulatedSymbol {
  readonly symbol: string;
  readonly company: Company | null;
  readonly path: CompanyPath;
  readonly profile: CompanyProfile;
  readonly interruptionKey: StreamKey;
}

/** Shared by all symbols; costs about a millisecond a year. */
export function simulatedMarket(seed: number, end: string, calendar: Calendar): SimulatedMarket {
  const timeline = timelineOf(calendar, end);
  const path = marketPath(seed, timeline);
  return {
    seed,
    timeline,
    schedule: scheduleOf(calendar, end),
    path,
    factors: factorMinutes(seed, timeline, path),
  };
}

/**
 * The symbol's whole life up to the end of the market; null when it has none, or the symbol is none of the
 * market.
 */
export function simulatedSymbol(market: SimulatedMarket, symbol: string): SimulatedSymbol | null {
  const { seed, timeline } = market;
  const interruptionKey = streamKey(seed, symbol, 'interruptions');
  if (symbol === VOLATILITY_INDEX) {
    const profile = indexProfile(
      'Simulated Market Volatility Index',
      'measure of the expected volatility of',
    );
    const path = volatilityIndexPath(seed, timeline, market.path);
    return { symbol, company: null, path, profile, interruptionKey };
  }
  const place = placeOfSymbol(symbol);
  if (place < 0 && symbol !== INDEX_FUND) return null;
  const company = symbol === INDEX_FUND ? indexFund() : companyAt(seed, place);
  const path = companyPath(seed, company, timeline, market.path);
  if (path === null) return null;
  const profile = companyProfile(seed, company, timeline.sessions[path.firstSession]!);
  return { symbol, company, path, profile, interruptionKey };
}

/** What is missing from the symbol's session. */
export function missingFrom(market: SimulatedMarket, of: SimulatedSymbol, session: number): Interruptions {
  const { open, close } = market.timeline.sessions[session]!;
  const day = market.timeline.day[session]!;
  return interruptions(of.interruptionKey, day, (close - open) / MINUTE_MS, of.company?.dependable ?? true);
}

/** What the minutes of the symbol's session must add up to. */
export function sessionFrame(market: SimulatedMarket, of: SimulatedSymbol, session: number): SessionFrame {
  const { path, company } = of;
  const row = session - path.firstSession;
  const { preOpen, open, close, postClose } = market.timeline.sessions[session]!;
  const volume = path.volume[row]!;
  return {
    priorClose: path.priorClose[row]!,
    open: path.open[row]!,
    high: path.high[row]!,
    low: path.low[row]!,
    close: path.close[row]!,
    volume,
    printSize: ordinaryPrint(path.open[row]!, volume),
    ownSigma: path.ownSigma[row]!,
    common: commonMinutes(market.factors(session), company),
    preMinutes: company === null ? 0 : (open - preOpen) / MINUTE_MS,
    postMinutes: company === null ? 0 : (postClose - close) / MINUTE_MS,
  };
}

/**
 * The instant from which the minutes of a session count: pre-market, or the open of what has no pre-market.
 */
export function minuteZero(market: SimulatedMarket, of: SimulatedSymbol, session: number): number {
  const { preOpen, open } = market.timeline.sessions[session]!;
  return of.company === null ? open : preOpen;
}

/**
 * Shares of an ordinary print: fewer of a dear share, more of a busy one. For a price of 180 dollars and 3.5
 * million shares a day it gives 155, for 14 dollars and 80 million 1,190: near what a tape of such shares
 * shows.
 */
function ordinaryPrint(priceCents: number, volume: number): number {
  return Math.max(20, (1500 / Math.sqrt(priceCents / 100)) * (1 + 0.7 * Math.sqrt(volume / 1e7)));
}

function commonMinutes(factors: FactorMinutes, company: Company | null): Float64Array {
  const { market } = factors;
  const common = new Float64Array(market.length);
  const beta = company === null ? VOLATILITY_INDEX_BETA : company.beta;
  const sector = company === null ? undefined : factors.sectors[company.sector];
  const loading = company?.sectorLoading ?? 0;
  for (let k = 0; k < common.length; k++) {
    common[k] = beta * market[k]! + (sector === undefined ? 0 : loading * sector[k]!);
  }
  return common;
}

/**
 * Streams of a symbol's session, one for each kind of detail, so that asking for one kind never moves
 * another.
 */
export function sessionStream(
  market: SimulatedMarket,
  symbol: string,
  purpose: string,
): (session: number) => Stream {
  const stream = streamFor(market.seed, symbol, purpose);
  return (session) => stream(market.timeline.day[session]!);
}
