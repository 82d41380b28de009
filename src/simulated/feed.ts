import { type Calendar, DAY_MS, midnightUtc } from '../base/calendar.ts';
import { MINUTE_MS } from '../base/dates.ts';
import { BarColumnBuilder, QuoteColumnBuilder } from '../market/column-builder.ts';
import type { Delivery, Feed, SourceUnit } from '../market/feed.ts';
import type { CorporateAction } from '../market/observations.ts';
import { optionChain, volatilityDelivery } from './chains.ts';
import { COMPANIES_MAX, companySymbols, INDEX_FUND, VOLATILITY_INDEX } from './companies.ts';
import {
  filledSessions,
  missingFrom,
  type SimulatedMarket,
  type SimulatedSymbol,
  sessionsOf,
  simulatedMarket,
  simulatedSymbol,
} from './market.ts';
import { flowMinutes, pushQuoteBars } from './quotes.ts';
import { streamFor, textHash } from './random.ts';
import { reportedFacts } from './reported.ts';
import { EPOCH } from './timeline.ts';

/** Raise it with every change that alters a row or a fact: a tape with the older rows then reads them again. */
const MODEL_VERSION = 6;
/** Rows of a symbol's full session, for progress. */
const SESSION_ROWS = 450;
/** Rows after which a chunk is delivered; with one session more it stays under 50,000. */
const CHUNK_ROWS = 40_000;
/** A dividend yield needs the dividends of a year, whatever the window of the bars. */
const ACTIONS_BACK_DAYS = 370;

/** The window of a simulated market. A row depends on the seed alone, never on the window. */
export interface SimulatedFeedOptions {
  /** Companies, the largest first; the index fund and the volatility index come beside them. */
  readonly symbols: number;
  /** Sessions of daily bars, the last of them `end`; none before 2018-01-02. */
  readonly days: number;
  /** A whole number below 2^32. */
  readonly seed: number;
  /** Last trade date, YYYY-MM-DD; when it is no session, the one before. */
  readonly end: string;
  readonly minuteSessions: number;
  /** Newest sessions with minute quote bars; the default is the newest one or two that have minute bars. */
  readonly quoteSessions?: number;
  /** Newest sessions with order flow by minute; the default is none. */
  readonly tickSessions?: number;
  /** Newest sessions with an option chain; the default is the newest three that have minute bars. */
  readonly chainSessions?: number;
  readonly calendar: Calendar;
}

/**
 * A market by a seeded factor model: the feed of a first start, of examples and of load tests. One unit for each
 * symbol, generated when it is read. Throws a RangeError for options out of range.
 */
export function simulatedFeed(options: SimulatedFeedOptions): Feed {
  const { symbols, seed, end, calendar } = options;
  const windows = windowsOf(options);
  checkOptions(options, windows);
  const { days, minuteSessions, quoteSessions, tickSessions, chainSessions } = windows;
  const weight = days + SESSION_ROWS * (minuteSessions + quoteSessions + 3 * tickSessions + chainSessions);
  let market: SimulatedMarket | undefined;
  let sessions: number | undefined;
  const unit = (symbol: string): SourceUnit => ({
    key: `simulated/seed-${seed}/${symbol}`,
    weight,
    async fingerprint() {
      sessions ??= hashOfSessions(calendar, end);
      return JSON.stringify({ model: MODEL_VERSION, seed, symbol, end, ...windows, sessions });
    },
    async *read() {
      market ??= simulatedMarket(seed, end, calendar);
      yield* symbolDeliveries(market, symbol, windows, calendar);
    },
  });
  return {
    name: 'simulated',
    simulated: true,
    units: async () => [INDEX_FUND, VOLATILITY_INDEX, ...companySymbols(symbols)].map(unit),
  };
}

type Windows = ReturnType<typeof windowsOf>;

/** Newest sessions of each kind of delivery. */
const windowsOf = (options: SimulatedFeedOptions) => ({
  days: options.days,
  minuteSessions: options.minuteSessions,
  quoteSessions: options.quoteSessions ?? Math.min(2, options.minuteSessions),
  tickSessions: options.tickSessions ?? 0,
  chainSessions: options.chainSessions ?? Math.min(3, options.minuteSessions),
});

/** Changes with the calendar: a closure or half day that is added to its data moves every path after it. */
function hashOfSessions(calendar: Calendar, end: string): number {
  const marks = calendar
    .sessionsBetween(EPOCH, end)
    .map((date) => (calendar.session(date)!.earlyClose ? `${date} half` : date));
  return textHash(marks.join(), 0);
}

function checkOptions({ symbols, seed, end, calendar }: SimulatedFeedOptions, windows: Windows): void {
  const counts = { symbols, seed, ...windows };
  const most = { symbols: COMPANIES_MAX, seed: 4_294_967_295, quoteSessions: windows.minuteSessions };
  for (const [name, value] of Object.entries(counts)) {
    const [min, max] = [name === 'days' ? 1 : 0, (most as Record<string, number>)[name] ?? 100_000];
    if (Number.isInteger(value) && value >= min && value <= max) continue;
    throw new RangeError(`${name} of a simulated market must be a whole number from ${min} to ${max}`);
  }
  if (Number.isNaN(midnightUtc(end)) || end < EPOCH || end > calendar.last) {
    throw new RangeError(`end of a simulated market must be a date from ${EPOCH} to ${calendar.last}`);
  }
}

function* symbolDeliveries(
  market: SimulatedMarket,
  symbol: string,
  windows: Windows,
  calendar: Calendar,
): Generator<Delivery> {
  const of = simulatedSymbol(market, symbol);
  if (of === null) return;
  const firstDay = Math.max(0, market.timeline.sessions.length - windows.days);
  // A vendor's list of today does not have a company that left before the window.
  if (of.path.firstSession + of.path.rows <= firstDay) return;
  yield { kind: 'facts', symbol, facts: reportedFacts(market, of, firstDay) };
  const actions = actionsFrom(market, of, firstDay);
  if (actions.length > 0) yield { kind: 'actions', symbol, actions };
  yield* dailyDelivery(market, of, firstDay);
  yield* volatilityDelivery(market, of, firstDay);
  yield* intradayDeliveries(market, of, windows, calendar);
}

/** Splits and dividends of the window and the year before it. */
function actionsFrom(
  { timeline: { day } }: SimulatedMarket,
  { path }: SimulatedSymbol,
  fromSession: number,
): CorporateAction[] {
  return path.actions
    .filter(({ session }) => day[session]! >= day[fromSession]! - ACTIONS_BACK_DAYS)
    .map(({ session, kind, value }) => ({ kind, exDate: day[session]! * DAY_MS, value }));
}

type PriceColumns = Readonly<Record<'open' | 'high' | 'low' | 'close' | 'volume', Float64Array>>;

/** Adds a bar in cents, validated like a vendor's; a refusal is a bug of the model. */
function pushBar(builder: BarColumnBuilder, time: number, columns: PriceColumns, row: number): void {
  const [open, high] = [columns.open[row]! / 100, columns.high[row]! / 100];
  const [low, close] = [columns.low[row]! / 100, columns.close[row]! / 100];
  const reason = builder.push(time, open, high, low, close, columns.volume[row]!);
  if (reason !== null) throw new Error(`the simulated market made a bar that is refused: ${reason}`);
}

function* dailyDelivery(
  market: SimulatedMarket,
  of: SimulatedSymbol,
  fromSession: number,
): Generator<Delivery> {
  const builder = new BarColumnBuilder();
  for (const session of sessionsOf(of, fromSession)) {
    if (missingFrom(market, of, session).dailyLost) continue;
    pushBar(builder, market.timeline.day[session]! * DAY_MS, of.path, session - of.path.firstSession);
  }
  if (builder.rows > 0) yield { kind: 'bars', symbol: of.symbol, interval: '1d', columns: builder.take() };
}

/** What follows from the minutes of a session, 04:00-20:00: bars, quotes, order flow and the option chain. */
function* intradayDeliveries(
  market: SimulatedMarket,
  of: SimulatedSymbol,
  { minuteSessions, quoteSessions, tickSessions, chainSessions }: Windows,
  calendar: Calendar,
): Generator<Delivery> {
  const { company, symbol } = of;
  const { day } = market.timeline;
  const quoteStream = streamFor(market.seed, symbol, 'quotes');
  const flowStream = streamFor(market.seed, symbol, 'flow');
  const bars = new BarColumnBuilder();
  const quotes = new QuoteColumnBuilder();
  const longest = Math.max(minuteSessions, quoteSessions, tickSessions, chainSessions);
  for (const filled of filledSessions(market, of, Math.max(0, day.length - longest))) {
    const { session, start, minutes, frame } = filled;
    const back = day.length - session;
    if (back <= minuteSessions) {
      for (let row = 0; row < minutes.rows; row++) {
        pushBar(bars, start + minutes.minute[row]! * MINUTE_MS, minutes, row);
      }
    }
    if (bars.rows >= CHUNK_ROWS) yield { kind: 'bars', symbol, interval: '1m', columns: bars.take() };
    if (company === null) continue;
    if (back <= quoteSessions && company.hasQuotes) {
      pushQuoteBars(quotes, filled, company.spread, quoteStream(day[session]!));
    }
    if (quotes.rows >= CHUNK_ROWS) yield { kind: 'quotes', symbol, interval: '1m', columns: quotes.take() };
    if (back <= tickSessions && minutes.rows > 0) {
      const drawn = flowStream(day[session]!);
      const columns = flowMinutes(minutes, start, frame.printSize, company.hasQuotes, drawn);
      yield { kind: 'flow-minutes', symbol, columns };
    }
    const chain = back <= chainSessions ? optionChain(market, of, company, filled, calendar) : null;
    if (chain !== null) yield { kind: 'chain', chain };
  }
  if (bars.rows > 0) yield { kind: 'bars', symbol, interval: '1m', columns: bars.take() };
  if (quotes.rows > 0) yield { kind: 'quotes', symbol, interval: '1m', columns: quotes.take() };
}
