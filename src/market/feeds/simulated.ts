import { type Calendar, DAY_MS, midnightUtc } from '../../base/calendar.ts';
import { MINUTE_MS } from '../../base/dates.ts';
import { BarColumnBuilder, QuoteColumnBuilder } from '../column-builder.ts';
import type { Delivery, Feed, SourceUnit } from '../feed.ts';
import type { CorporateAction } from '../observations.ts';
import { chainDeliveries, volatilityDelivery } from './simulated-chains.ts';
import { COMPANIES_MAX, companySymbols, INDEX_FUND, VOLATILITY_INDEX } from './simulated-companies.ts';
import {
  filledSessions,
  missingFrom,
  type SimulatedMarket,
  type SimulatedSymbol,
  sessionsOf,
  simulatedMarket,
  simulatedSymbol,
} from './simulated-market.ts';
import { flowMinutes, pushQuoteBars } from './simulated-quotes.ts';
import { streamFor, textHash } from './simulated-random.ts';
import { reportedFacts } from './simulated-reported.ts';
import { EPOCH } from './simulated-timeline.ts';

/** Raise it with every change that alters a row or a fact: a tape with the older rows then reads them again. */
const MODEL_VERSION = 4;
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
  /** Newest sessions with minute bars. */
  readonly minuteSessions: number;
  /** Newest sessions with minute quote bars; the default is the newest one or two that have minute bars. */
  readonly quoteSessions?: number;
  /** Newest sessions with order flow by minute; the default is none. */
  readonly tickSessions?: number;
  /** Newest sessions with an option chain; the default is the newest one that has minute bars. */
  readonly chainSessions?: number;
  readonly calendar: Calendar;
}

/** Newest sessions of each kind of delivery. */
type Windows = Record<'days' | 'minuteSessions' | 'quoteSessions' | 'tickSessions' | 'chainSessions', number>;

/**
 * A market by a seeded factor model: the feed of a first start, of examples and of load tests. One unit for each
 * symbol, generated when it is read. Throws a RangeError for options out of range.
 */
export function simulatedFeed(options: SimulatedFeedOptions): Feed {
  checkOptions(options);
  const { symbols, days, seed, end, minuteSessions, calendar } = options;
  const quoteSessions = options.quoteSessions ?? Math.min(2, minuteSessions);
  const tickSessions = options.tickSessions ?? 0;
  const chainSessions = options.chainSessions ?? Math.min(1, minuteSessions);
  const windows = { days, minuteSessions, quoteSessions, tickSessions, chainSessions };
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

/** Changes with the calendar: a closure or half day that is added to its data moves every path after it. */
function hashOfSessions(calendar: Calendar, end: string): number {
  const marks = calendar
    .sessionsBetween(EPOCH, end)
    .map((date) => (calendar.session(date)!.earlyClose ? `${date} half` : date));
  return textHash(marks.join(), 0);
}

function checkOptions(options: SimulatedFeedOptions): void {
  const { symbols, days, seed, end, minuteSessions, calendar } = options;
  const counts: [string, number, number, number][] = [
    ['symbols', symbols, 0, COMPANIES_MAX],
    ['days', days, 1, 100_000],
    ['seed', seed, 0, 4_294_967_295],
    ['minuteSessions', minuteSessions, 0, 100_000],
    ['quoteSessions', options.quoteSessions ?? 0, 0, minuteSessions],
    ['tickSessions', options.tickSessions ?? 0, 0, 100_000],
    ['chainSessions', options.chainSessions ?? 0, 0, 100_000],
  ];
  for (const [name, value, min, max] of counts) {
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
  const newest = (count: number): number => Math.max(0, market.timeline.sessions.length - count);
  const firstDay = newest(windows.days);
  // A vendor's list of today does not have a company that left before the window.
  if (of.path.firstSession + of.path.rows <= firstDay) return;
  yield { kind: 'facts', symbol, facts: reportedFacts(market, of, firstDay) };
  const actions = actionsFrom(market, of, firstDay);
  if (actions.length > 0) yield { kind: 'actions', symbol, actions };
  yield* dailyDelivery(market, of, firstDay);
  yield* minuteDeliveries(market, of, newest(windows.minuteSessions));
  yield* quoteDeliveries(market, of, newest(windows.quoteSessions));
  yield* flowMinuteDeliveries(market, of, newest(windows.tickSessions));
  yield* volatilityDelivery(market, of, firstDay);
  yield* chainDeliveries(market, of, newest(windows.chainSessions), calendar);
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

/** Minute bars 04:00-20:00. */
function* minuteDeliveries(
  market: SimulatedMarket,
  of: SimulatedSymbol,
  fromSession: number,
): Generator<Delivery> {
  const { symbol } = of;
  const builder = new BarColumnBuilder();
  for (const { start, minutes } of filledSessions(market, of, fromSession)) {
    for (let row = 0; row < minutes.rows; row++) {
      pushBar(builder, start + minutes.minute[row]! * MINUTE_MS, minutes, row);
    }
    if (builder.rows >= CHUNK_ROWS) yield { kind: 'bars', symbol, interval: '1m', columns: builder.take() };
  }
  if (builder.rows > 0) yield { kind: 'bars', symbol, interval: '1m', columns: builder.take() };
}

/** Minute quote bars; none of symbols without a quote feed. */
function* quoteDeliveries(
  market: SimulatedMarket,
  of: SimulatedSymbol,
  fromSession: number,
): Generator<Delivery> {
  const { company, symbol } = of;
  if (!company?.hasQuotes) return;
  const sides = streamFor(market.seed, symbol, 'quotes');
  const sizes = streamFor(market.seed, symbol, 'quote sizes');
  const builder = new QuoteColumnBuilder();
  for (const { session, start, minutes, missing, frame } of filledSessions(market, of, fromSession)) {
    const day = market.timeline.day[session]!;
    const regular = { from: frame.preMinutes, to: frame.preMinutes + frame.common.length };
    pushQuoteBars(builder, minutes, company.spread, start, regular, missing, sides(day), sizes(day));
    if (builder.rows >= CHUNK_ROWS) yield { kind: 'quotes', symbol, interval: '1m', columns: builder.take() };
  }
  if (builder.rows > 0) yield { kind: 'quotes', symbol, interval: '1m', columns: builder.take() };
}

/** Order flow by minute. */
function* flowMinuteDeliveries(
  market: SimulatedMarket,
  of: SimulatedSymbol,
  fromSession: number,
): Generator<Delivery> {
  const { company, symbol } = of;
  if (company === null) return;
  const stream = streamFor(market.seed, symbol, 'flow');
  for (const { session, start, minutes, frame } of filledSessions(market, of, fromSession)) {
    const drawn = stream(market.timeline.day[session]!);
    const columns = flowMinutes(minutes, start, frame.printSize, company.hasQuotes, drawn);
    if (columns.time.length > 0) yield { kind: 'flow-minutes', symbol, columns };
  }
}
