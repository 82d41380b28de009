import type { Calendar } from '../base/calendar.ts';
import { MINUTE_MS } from '../base/dates.ts';
import {
  type Company,
  companyAt,
  INDEX_FUND,
  indexFund,
  profileOf,
  rankOf,
  VOLATILITY_INDEX,
} from './companies.ts';
import { companyPath, VOLATILITY_INDEX_BETA, volatilityIndexPath } from './company-path.ts';
import { marketPath } from './market-path.ts';
import {
  COMPLETE,
  createSessionMinutes,
  type FactorMinutes,
  factorMinutes,
  fillSessionMinutes,
  type Interruptions,
  type SessionFrame,
} from './minutes.ts';
import { streamFor } from './random.ts';
import { scheduleOf, timelineOf } from './timeline.ts';

/** A simulated market up to a last trade date; it follows from the seed and the sessions of the calendar. */
export type SimulatedMarket = ReturnType<typeof simulatedMarket>;
/** One symbol of the market: a company, the index fund or the volatility index (which has no company). */
export type SimulatedSymbol = NonNullable<ReturnType<typeof simulatedSymbol>>;

/** What all symbols share; takes about a millisecond a year. */
export function simulatedMarket(seed: number, end: string, calendar: Calendar) {
  const timeline = timelineOf(calendar, end);
  /** The timeline and the sessions of some months after it. */
  const schedule = scheduleOf(calendar, end);
  const path = marketPath(seed, timeline);
  /** Minute paths of the factors in a session of the timeline. */
  const factors = factorMinutes(seed, timeline, path);
  return { seed, timeline, schedule, path, factors };
}

/** The symbol up to the end of the market; null when the market does not have it. */
export function simulatedSymbol({ seed, timeline, path: factors }: SimulatedMarket, symbol: string) {
  const isIndex = symbol === VOLATILITY_INDEX;
  const rank = rankOf(symbol);
  if (rank < 0 && symbol !== INDEX_FUND && !isIndex) return null;
  const company = isIndex ? null : symbol === INDEX_FUND ? indexFund() : companyAt(seed, rank);
  const path =
    company === null
      ? volatilityIndexPath(seed, timeline, factors)
      : companyPath(seed, company, timeline, factors);
  if (path === null) return null;
  const profile = profileOf(seed, company, timeline.sessions[path.firstSession]!);
  const interruptions = streamFor(seed, symbol, 'interruptions');
  return { symbol, company, path, profile, interruptions };
}

/** Chances of a halt, of lost minutes, of a lost day and of a lost daily bar, each added to those before. */
const HALT = 0.003;
const LOST_MINUTES = 0.007;
const LOST_DAY = 0.008;
const LOST_DAILY_BAR = 0.0081;
/** A halt lasts a multiple of the five minutes of a volatility pause. */
const HALT_STEP_MINUTES = 5;
/** What is missing from the symbol's session; most sessions are complete. */
export function missingFrom(
  { timeline }: SimulatedMarket,
  { company, interruptions }: SimulatedSymbol,
  session: number,
): Interruptions {
  const { open, close } = timeline.sessions[session]!;
  const stream = interruptions(timeline.day[session]!);
  const chance = stream.uniform();
  const losesData = company?.losesData ?? false;
  if (chance >= LOST_DAILY_BAR || (!losesData && chance >= HALT)) return COMPLETE;
  const from = 5 + Math.floor(stream.uniform() * ((close - open) / MINUTE_MS - 80));
  const length = stream.uniform();
  if (chance < HALT) {
    const haltTo = from + HALT_STEP_MINUTES * (1 + Math.floor(length * 12));
    return { ...COMPLETE, haltFrom: from, haltTo };
  }
  if (chance < LOST_MINUTES)
    return { ...COMPLETE, lostFrom: from, lostTo: from + 5 + Math.floor(length * 70) };
  return { ...COMPLETE, dayLost: chance < LOST_DAY, dailyLost: chance >= LOST_DAY };
}

/** What the minutes of the symbol's session aggregate to. */
function sessionFrame(
  market: SimulatedMarket,
  { path, company }: SimulatedSymbol,
  session: number,
): SessionFrame {
  const row = session - path.firstSession;
  const { preOpen, open, close, postClose } = market.timeline.sessions[session]!;
  const volume = path.volume[row]!;
  const openCents = path.open[row]!;
  return {
    priorClose: path.priorClose[row]!,
    open: openCents,
    high: path.high[row]!,
    low: path.low[row]!,
    close: path.close[row]!,
    volume,
    // Fewer shares of a dear share, more of a busy one: 155 at 180 dollars and 3.5 million shares a day, 1,190 at 14
    // dollars and 80 million, near what the tape of such shares shows.
    printSize: Math.max(20, (1500 / Math.sqrt(openCents / 100)) * (1 + 0.7 * Math.sqrt(volume / 1e7))),
    ownSigma: path.ownSigma[row]!,
    spread: company?.spread ?? 0,
    common: commonMinutes(market.factors(session), company),
    preMinutes: company === null ? 0 : (open - preOpen) / MINUTE_MS,
    postMinutes: company === null ? 0 : (postClose - close) / MINUTE_MS,
  };
}

/** The part of the factors in the symbol's log price, minute by minute. */
function commonMinutes([market, ...sectors]: FactorMinutes, company: Company | null): Float64Array {
  const beta = company === null ? VOLATILITY_INDEX_BETA : company.beta;
  const sector = company === null ? undefined : sectors[company.sector];
  const loading = company?.sectorLoading ?? 0;
  return market!.map((value, k) => beta * value + (sector === undefined ? 0 : loading * sector[k]!));
}

/** Sessions of the symbol from a session of the timeline on. */
export function* sessionsOf({ path }: SimulatedSymbol, from: number): Generator<number> {
  for (let s = Math.max(from, path.firstSession); s < path.firstSession + path.rows; s++) yield s;
}

export type FilledSession =
  ReturnType<typeof filledSessions> extends Generator<infer Filled> ? Filled : never;

/**
 * The minutes of the symbol's sessions from a session on, in memory that the next session overwrites; no lost days.
 * `start` is the instant of minute 0: pre-market, or the open of what has no pre-market.
 */
export function* filledSessions(market: SimulatedMarket, of: SimulatedSymbol, fromSession: number) {
  const minutes = createSessionMinutes();
  const stream = streamFor(market.seed, of.symbol, 'minutes');
  const prints = streamFor(market.seed, of.symbol, 'extended prints');
  for (const session of sessionsOf(of, fromSession)) {
    const missing = missingFrom(market, of, session);
    if (missing.dayLost) continue;
    const frame = sessionFrame(market, of, session);
    const day = market.timeline.day[session]!;
    fillSessionMinutes(minutes, frame, missing, stream(day), prints(day));
    const { preOpen, open } = market.timeline.sessions[session]!;
    yield { session, start: of.company === null ? open : preOpen, minutes, missing, frame };
  }
}
