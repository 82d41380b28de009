import { midnightUtc, newYorkCalendar, type Session } from '../../src/base/calendar.ts';
import type { OptionChain, VolatilityColumns } from '../../src/market/chains.ts';
import type { AnyFact, CompanyProfile, FactKind, FactValues, ReportedFact } from '../../src/market/facts.ts';
import { knownFacts } from '../../src/market/known-facts.ts';
import { type MarketView, unknownMarket } from '../../src/market/market-view.ts';
import type {
  Bar,
  BarColumns,
  CorporateAction,
  FlowMinuteColumns,
  Interval,
} from '../../src/market/observations.ts';
import { FLOW_SUMS, INTERVAL_MS } from '../../src/market/observations.ts';
import type { PeerDay } from '../../src/market/peer-day.ts';
import { asVolatility, emptyColumns } from '../../src/market/series.ts';
import type { SeenPart, StockView } from '../../src/market/stock-view.ts';
import { columnsFrom, mapColumns } from './bar-columns.ts';

/** Hand-made views: what a test gives of a stock, completed to a consistent cut of the tape. */

/** A daily bar: date, open, high, low, close, shares. */
export type DailyRow = readonly [
  date: string,
  open: number,
  high: number,
  low: number,
  close: number,
  volume: number,
];

/** An intraday bar: New York wall clock of its start, open, high, low, close, shares. */
export type IntradayRow = readonly [
  clock: string,
  open: number,
  high: number,
  low: number,
  close: number,
  volume: number,
];

/** A minute of prints: New York wall clock of its start, and the sums that are not zero. Volume is at least its sides. */
export type FlowRow = readonly [clock: string, sums: Partial<Record<keyof FlowMinuteColumns, number>>];

export interface ViewParts {
  /** Default true. */
  readonly intradayWhole?: boolean;
  /** New York wall clock at which the feed of a session that is over stopped. */
  readonly cutAt?: string;
  readonly priorIntradayWhole?: boolean;
  readonly part?: SeenPart;
  readonly priorPart?: SeenPart;
  readonly tradeDate?: string;
  /** New York wall clock of the as-of instant on the trade date. */
  readonly at?: string;
  /** Completed sessions, oldest first; the trade date's row is taken once its session has closed. */
  readonly daily?: readonly DailyRow[];
  readonly intraday?: readonly IntradayRow[];
  readonly interval?: Interval;
  readonly priorIntraday?: readonly IntradayRow[];
  /** Known all along; a shorthand for one fact. */
  readonly profile?: CompanyProfile;
  /** In ascending `knownAt`. */
  readonly facts?: readonly AnyFact[];
  readonly actions?: readonly CorporateAction[];
  readonly peers?: PeerDay | null;
  readonly quoteAt?: string;
  /** Seen once it is taken by the as-of instant. */
  readonly chain?: OptionChain;
  readonly volatility?: VolatilityColumns;
  /** Minutes of prints; only those that are over by the as-of instant are seen. */
  readonly flow?: readonly FlowRow[];
}

/** A full session on a Wednesday, the day after another full session. */
export const TRADE_DATE = '2024-03-13';

const calendar = newYorkCalendar();

export function sessionOf(date: string): Session {
  const session = calendar.session(date);
  if (session === null) throw new Error(`${date} is no session`);
  return session;
}

/** Epoch milliseconds of a New York wall clock, HH:MM, on a date. */
export function instant(date: string, clock: string): number {
  const [hours, minutes] = clock.split(':').map(Number);
  return sessionOf(date).midnight + (hours! * 60 + minutes!) * 60_000;
}

/** The `count` sessions that end with the one before the date, oldest first. */
export function sessionsBefore(date: string, count: number): string[] {
  const index = calendar.sessionIndex(date);
  return Array.from({ length: count }, (_, back) => calendar.sessionAt(index - count + back)!.tradeDate);
}

/** Daily rows of the `closes.length` sessions before the date, each a bar from close - 1 to close + 1 that opens at its close. */
export function dailyFromCloses(closes: readonly number[], volume = 1000, before = TRADE_DATE): DailyRow[] {
  return sessionsBefore(before, closes.length).map((date, row) => {
    const close = closes[row]!;
    return [date, close, close + 1, close - 1, close, volume];
  });
}

/** Flat minute bars from one clock to another, every one at the given price. */
export function flatMinutes(from: string, minutes: number, price: number, volume = 100): IntradayRow[] {
  const [hours, start] = from.split(':').map(Number);
  return Array.from({ length: minutes }, (_, after) => {
    const minute = hours! * 60 + start! + after;
    const clock = `${Math.floor(minute / 60)}:${minute % 60}`;
    return [clock, price, price, price, price, volume];
  });
}

export function viewOf(parts: ViewParts = {}): StockView {
  const tradeDate = parts.tradeDate ?? TRADE_DATE;
  const session = sessionOf(tradeDate);
  const priorDate = calendar.previousSession(tradeDate)!;
  const asOf = instant(tradeDate, parts.at ?? '20:00');
  const interval = parts.interval ?? '1m';
  const intraday = intradayColumns(tradeDate, parts.intraday ?? [], interval, asOf);
  const priorIntraday = intradayColumns(priorDate, parts.priorIntraday ?? [], interval, asOf);
  const completed = asOf >= session.close;
  const rows = (parts.daily ?? []).filter(([date]) => date < tradeDate || (date === tradeDate && completed));
  const daily = dailyColumns(rows);
  const running = completed ? null : runningBar(intraday, session, tradeDate);
  const dailyNow = running === null ? daily : appended(daily, running);
  const lastRow = dailyNow.time.length - 1;
  const todayRow = dailyNow.time[lastRow] === midnightUtc(tradeDate) ? lastRow : -1;
  const dailyLast = daily.time.length - 1;
  return {
    symbol: 'TEST',
    tradeDate,
    asOf,
    session,
    priorSession: sessionOf(priorDate),
    sessionOn: calendar.sessionOn,
    daily,
    dailyNow,
    todayRow,
    priorRow: daily.time[dailyLast] === midnightUtc(tradeDate) ? dailyLast - 1 : dailyLast,
    running,
    intraday,
    intradayInterval: intraday.time.length === 0 ? null : interval,
    partialFeed: intraday.volume.some(Number.isNaN) ? 'test' : null,
    badPrints: 0,
    intradayWhole: parts.intradayWhole ?? parts.cutAt === undefined,
    intradayCutAt: parts.cutAt === undefined ? null : instant(tradeDate, parts.cutAt),
    part: parts.part ?? null,
    priorPart: parts.priorPart ?? null,
    priorIntraday,
    priorIntradayInterval: priorIntraday.time.length === 0 ? null : interval,
    priorIntradayWhole: parts.priorIntradayWhole ?? true,
    flow: flowColumns(tradeDate, parts.flow ?? [], asOf),
    quoteTime: parts.quoteAt === undefined ? null : instant(tradeDate, parts.quoteAt),
    actions: parts.actions ?? [],
    facts: knownFacts([...profileFact(parts), ...(parts.facts ?? [])], asOf),
    peers: parts.peers,
    chain: parts.chain !== undefined && parts.chain.takenAt <= asOf ? parts.chain : null,
    chainAt: asOf,
    volatility: parts.volatility ?? asVolatility(emptyColumns('volatility-1d')),
    simulated: false,
  };
}

const profileFact = ({ profile }: ViewParts): AnyFact[] =>
  profile === undefined ? [] : [{ kind: 'profile', key: 'company', knownAt: 0, value: profile }];

/** A fact known from an instant on; its key is of no concern unless it is given. */
export function fact<Kind extends FactKind>(
  kind: Kind,
  knownAt: number,
  value: FactValues[Kind],
  key = `${kind} ${knownAt}`,
): AnyFact {
  const reported: ReportedFact<Kind> = { kind, key, knownAt, value };
  return reported as AnyFact;
}

/** A market of which only the named parts are known, at the instant of the view. */
export function marketOf(view: StockView, parts: Partial<MarketView> = {}): MarketView {
  return { ...unknownMarket(view.tradeDate, view.asOf), ...parts };
}

function dailyColumns(rows: readonly DailyRow[]): BarColumns {
  return columns(rows.map(([date, ...figures]) => [midnightUtc(date), ...figures]));
}

/** Bars that had ended by the as-of instant. */
function intradayColumns(
  date: string,
  rows: readonly IntradayRow[],
  interval: Interval,
  asOf: number,
): BarColumns {
  const timed = rows.map(([clock, ...figures]) => [instant(date, clock), ...figures]);
  return columns(timed.filter(([time]) => time! + INTERVAL_MS[interval] <= asOf));
}

function flowColumns(date: string, rows: readonly FlowRow[], asOf: number): FlowMinuteColumns {
  const seen = rows
    .map(([clock, sums]) => ({ volume: sideSum(sums), ...sums, time: instant(date, clock) }))
    .filter(({ time }) => time + INTERVAL_MS['1m'] <= asOf);
  const named = (['time', ...FLOW_SUMS] as const).map((name) => [
    name,
    Float64Array.from(seen, (row) => row[name] ?? 0),
  ]);
  return Object.fromEntries(named) as FlowMinuteColumns;
}

const sideSum = ({ buyByQuote = 0, sellByQuote = 0, buyByTick = 0, sellByTick = 0 }: FlowRow[1]): number =>
  buyByQuote + sellByQuote + buyByTick + sellByTick;

function columns(rows: readonly (readonly number[])[]): BarColumns {
  return columnsFrom((_, at) => Float64Array.from(rows, (row) => row[at]!));
}

function runningBar(bars: BarColumns, session: Session, tradeDate: string): Bar | null {
  const rows = [...bars.time.keys()].filter(
    (row) => bars.time[row]! >= session.open && bars.time[row]! < session.close,
  );
  if (rows.length === 0) return null;
  return {
    time: midnightUtc(tradeDate),
    open: bars.open[rows[0]!]!,
    high: Math.max(...rows.map((row) => bars.high[row]!)),
    low: Math.min(...rows.map((row) => bars.low[row]!)),
    close: bars.close[rows.at(-1)!]!,
    volume: rows.reduce((sum, row) => sum + bars.volume[row]!, 0),
  };
}

function appended(bars: BarColumns, bar: Bar): BarColumns {
  return mapColumns(bars, (column, name) => Float64Array.from([...column, bar[name]]));
}
