import { type Calendar, midnightUtc } from '../../base/calendar.ts';
import type { Delivery, Feed, SourceUnit } from '../feed.ts';
import { chainDeliveries, volatilityDelivery } from './simulated-chains.ts';
import {
  actionsDelivery,
  dailyDelivery,
  flowMinuteDeliveries,
  minuteDeliveries,
  quoteDeliveries,
} from './simulated-deliveries.ts';
import { type SimulatedMarket, simulatedMarket, simulatedSymbol } from './simulated-market.ts';
import { textHash } from './simulated-random.ts';
import { reportedFacts } from './simulated-reported.ts';
import { COMPANIES_MAX, INDEX_FUND, symbolAt, VOLATILITY_INDEX } from './simulated-symbols.ts';
import { EPOCH } from './simulated-timeline.ts';

export { type SimulatedMarket, simulatedMarket } from './simulated-market.ts';
export { INDEX_FUND } from './simulated-symbols.ts';

/** Raise it with every change that alters a row or a fact: a tape that holds the older rows is then read anew. */
const MODEL_VERSION = 4;
/** Rows of a symbol's full session, for progress. */
const SESSION_ROWS = 450;

/**
 * How much of a simulated market is delivered. What a row says depends on the seed alone, never on the
 * window.
 */
export interface SimulatedFeedOptions {
  /** Companies, the largest first; the index fund and the volatility index come beside them. */
  readonly symbols: number;
  /** Sessions of daily bars, the last of them `end`; none before 2018-01-02. */
  readonly days: number;
  /** A whole number below 2^32. */
  readonly seed: number;
  /** Last trade date, YYYY-MM-DD; when it is no session, the one before. */
  readonly end: string;
  /** Newest sessions with minute bars. */
  readonly minuteSessions: number;
  /** Newest sessions with minute quote bars; the default is the newest one or two that have minute bars. */
  readonly quoteSessions?: number;
  /** Newest sessions with ticks summed by minute; the default is none. */
  readonly tickSessions?: number;
  /** Newest sessions with an option chain; the default is the newest one that has minute bars. */
  readonly chainSessions?: number;
  readonly calendar: Calendar;
}

/**
 * A market that a seeded factor model makes: the feed of a first start, of examples and of load tests. One
 * unit for each symbol; rows are made when they are read. Throws a RangeError for options out of range.
 */
export function simulatedFeed(options: SimulatedFeedOptions): Feed {
  const { symbols, days, seed, end, minuteSessions, calendar } = checkedOptions(options);
  const quoteSessions = options.quoteSessions ?? Math.min(2, minuteSessions);
  const tickSessions = options.tickSessions ?? 0;
  const chainSessions = options.chainSessions ?? Math.min(1, minuteSessions);
  let made: SimulatedMarket | undefined;
  const market = (): SimulatedMarket => {
    made ??= simulatedMarket(seed, end, calendar);
    return made;
  };
  let sessionsHash: number | undefined;
  const windows = { days, minuteSessions, quoteSessions, tickSessions, chainSessions };
  const weight = days + SESSION_ROWS * (minuteSessions + quoteSessions + 3 * tickSessions + chainSessions);
  const unit = (symbol: string): SourceUnit => ({
    key: `simulated/seed-${seed}/${symbol}`,
    weight,
    async fingerprint() {
      sessionsHash ??= hashOfSessions(calendar, end);
      return JSON.stringify({ model: MODEL_VERSION, seed, symbol, end, ...windows, sessions: sessionsHash });
    },
    async *read() {
      yield* symbolDeliveries(market(), symbol, windows, calendar);
    },
  });
  return {
    name: 'simulated',
    simulated: true,
    units: async () => [INDEX_FUND, VOLATILITY_INDEX, ...companySymbols(symbols)].map(unit),
  };
}

/** The tickers of the first companies of any simulated market. */
export function companySymbols(count: number): string[] {
  return Array.from({ length: count }, (_, place) => symbolAt(place));
}

/** Changes with the calendar: a closure or half day that is added to its data moves every path after it. */
function hashOfSessions(calendar: Calendar, end: string): number {
  const marks = calendar
    .sessionsBetween(EPOCH, end)
    .map((date) => (calendar.session(date)!.earlyClose ? `${date} half` : date));
  return textHash(marks.join(), 0);
}

interface Windows {
  readonly days: number;
  readonly minuteSessions: number;
  readonly quoteSessions: number;
  readonly tickSessions: number;
  readonly chainSessions: number;
}

function* symbolDeliveries(
  market: SimulatedMarket,
  symbol: string,
  windows: Windows,
  calendar: Calendar,
): Generator<Delivery> {
  const found = simulatedSymbol(market, symbol);
  if (found === null) return;
  const sessions = market.timeline.sessions.length;
  const newest = (count: number): number => Math.max(0, sessions - count);
  const firstDay = newest(windows.days);
  // A company that left before the window is left out, as it would be on a vendor's list of today.
  if (found.path.firstSession + found.path.rows <= firstDay) return;
  yield { kind: 'facts', symbol, facts: reportedFacts(market, found, firstDay) };
  yield* actionsDelivery(market, found, firstDay);
  yield* dailyDelivery(market, found, firstDay);
  yield* minuteDeliveries(market, found, newest(windows.minuteSessions));
  yield* quoteDeliveries(market, found, newest(windows.quoteSessions));
  yield* flowMinuteDeliveries(market, found, newest(windows.tickSessions));
  yield* volatilityDelivery(market, found, firstDay);
  yield* chainDeliveries(market, found, newest(windows.chainSessions), calendar);
}

function checkedOptions(options: SimulatedFeedOptions): SimulatedFeedOptions {
  const { symbols, days, seed, end, minuteSessions, calendar } = options;
  const counts: [string, number | undefined, number, number][] = [
    ['symbols', symbols, 0, COMPANIES_MAX],
    ['days', days, 1, 100_000],
    ['seed', seed, 0, 4_294_967_295],
    ['minuteSessions', minuteSessions, 0, 100_000],
    ['quoteSessions', options.quoteSessions ?? 0, 0, minuteSessions],
    ['tickSessions', options.tickSessions ?? 0, 0, 100_000],
    ['chainSessions', options.chainSessions ?? 0, 0, 100_000],
  ];
  for (const [name, value, least, most] of counts) {
    if (!Number.isInteger(value) || value! < least || value! > most) {
      throw new RangeError(`${name} of a simulated market must be a whole number from ${least} to ${most}`);
    }
  }
  if (Number.isNaN(midnightUtc(end)) || end < EPOCH || end > calendar.last) {
    throw new RangeError(`end of a simulated market must be a date from ${EPOCH} to ${calendar.last}`);
  }
  return options;
}
