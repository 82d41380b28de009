import { asOfInstant, tradeDateHolding } from '../base/as-of.ts';
import { type Calendar, DAY_MS, dateOf } from '../base/calendar.ts';
import { chunks } from '../base/chunks.ts';
import type { Clock } from '../base/clock.ts';
import type { Bus } from '../bus/bus.ts';
import type { Database } from '../database/database.ts';
import type { DeriveJob, Deriver } from '../derive/deriver.ts';
import type { StockDayName } from '../derive/stock-day.ts';
import {
  daysBehindMarket,
  marketDatesSince,
  movesMarket,
  staleMarketDays,
  symbolsBehindMarket,
} from '../graph/market-days.ts';
import { daysNotFinal, derivedDates } from '../graph/stock-days.ts';
import type { ClaimCounter } from '../records/count.ts';
import type { DirtyRange, MarketInstant, SymbolTape, Tape } from '../tape/index.ts';

/** The stock-days of a pass: those that new data touched, or every session of a range of dates. */
export type SyncScope =
  | {
      readonly kind: 'touched';
      readonly symbols?: readonly string[];
      /** Excludes the date of a running session and everything after it, which the live session derives. */
      readonly before?: string;
      /** Excludes earlier dates, of which nothing is kept. */
      readonly since?: string;
    }
  | {
      readonly kind: 'range';
      readonly from: string;
      readonly to: string;
      readonly symbols?: readonly string[];
    };

/** Symbols planned together; bounds the memory of a pass. */
const SYMBOLS_AT_ONCE = 200;

/** Jobs of some symbols, and the dirty ranges that they clear. */
export interface Plan {
  readonly jobs: readonly DeriveJob[];
  readonly clears: readonly DirtyRange[];
  /** Requested symbols that the tape does not know. */
  readonly unknown: readonly string[];
}

/** What every pass works on. */
export interface PassContext {
  readonly database: Database;
  readonly tape: Tape;
  readonly calendar: Calendar;
  readonly deriver: Deriver & ClaimCounter;
  readonly clock: Clock;
  /** Minimum age of data before stored facts may include it. */
  readonly delayMs: number;
  /** Hands stock-days to workers; absent where this process derives them. */
  readonly bus?: Bus | undefined;
  /** Whole months of stock-days that are kept before that of the newest session; absent for all. */
  readonly keepMonths?: number | undefined;
  /** Newest sessions whose scalar values are stored for histories. */
  readonly historySessions: number;
}

type PlanContext = Pick<PassContext, 'database' | 'tape' | 'calendar' | 'delayMs'>;

/** Plans what to derive, some symbols at a time. */
export async function* planDerivations(
  context: PlanContext,
  scope: SyncScope,
  now: number,
): AsyncIterable<Plan> {
  const touched = await dirtyIn(context, scope);
  const dirtyBySymbol = Map.groupBy(touched, (range) => range.symbol);
  const ended = await daysToFinish(context, scope, now);
  const endedBySymbol = Map.groupBy(ended, ({ symbol }) => symbol);
  const symbols =
    scope.symbols ??
    (scope.kind === 'touched'
      ? [...new Set([...dirtyBySymbol.keys(), ...endedBySymbol.keys()])]
      : await context.tape.symbols());
  for (const names of chunks(symbols, SYMBOLS_AT_ONCE)) {
    const tapes = await context.tape.symbolTapes(names);
    const ranges = names.flatMap((symbol) => dirtyBySymbol.get(symbol) ?? []);
    const finished = names.flatMap((symbol) => endedBySymbol.get(symbol) ?? []);
    const dates =
      scope.kind === 'touched'
        ? await dirtyDates(context, scope, ranges, finished)
        : new Map(names.map((symbol) => [symbol, context.calendar.sessionsBetween(scope.from, scope.to)]));
    yield {
      jobs: tapes.flatMap((tape) => jobOf(context, tape, dates.get(tape.symbol) ?? [], now)),
      clears: scope.kind === 'touched' ? ranges : [],
      unknown:
        scope.symbols === undefined
          ? []
          : names.filter((symbol) => !tapes.some((tape) => tape.symbol === symbol)),
    };
  }
}

/**
 * The last session of every dirty range, and every derived day at or after its start: a correction of an old bar moves
 * each later indicator. Beside them stored days whose trade date has ended since.
 */
async function dirtyDates(
  context: PlanContext,
  scope: SyncScope,
  ranges: readonly DirtyRange[],
  ended: readonly StockDayName[],
): Promise<Map<string, string[]>> {
  const dates = new Map<string, Set<string>>();
  const add = (symbol: string, date: string): void => {
    if (!isBefore(scope, date) || isDropped(scope, date)) return;
    dates.getOrInsertComputed(symbol, () => new Set()).add(date);
  };
  for (const { symbol, kind, lastDay } of ranges) {
    if (kind.startsWith('bars-')) add(symbol, dateOf(lastDay * DAY_MS));
  }
  const since = new Map<string, number>();
  for (const { symbol, firstDay } of ranges) {
    since.set(symbol, Math.min(firstDay, since.get(symbol) ?? Number.POSITIVE_INFINITY));
  }
  for (const { symbol, tradeDate } of [...ended, ...(await derivedDates(context.database, since))])
    add(symbol, tradeDate);
  return new Map(Array.from(dates, ([symbol, known]) => [symbol, [...known].sort()]));
}

/** Stored stock-days whose trade date has ended since they were derived. */
async function daysToFinish(
  { database, calendar, delayMs }: PlanContext,
  scope: SyncScope,
  now: number,
): Promise<StockDayName[]> {
  const lastEnded = calendar.previousSession(tradeDateHolding(calendar, now - delayMs));
  return scope.kind === 'touched' && lastEnded !== null
    ? daysNotFinal(database, scope.symbols, lastEnded)
    : [];
}

/** Dirty ranges of the scope; one that reaches into a running session waits for its end. */
async function dirtyIn({ tape }: PlanContext, scope: SyncScope, simulated?: boolean): Promise<DirtyRange[]> {
  const touched = await tape.touched(scope.symbols, simulated);
  return touched.filter(({ lastDay }) => isBefore(scope, dateOf(lastDay * DAY_MS)));
}

const isDropped = (scope: SyncScope, date: string): boolean =>
  scope.kind === 'touched' && scope.since !== undefined && date < scope.since;

/** Whether the scope includes a date. */
export const isBefore = (scope: SyncScope, date: string): boolean =>
  scope.kind !== 'touched' || scope.before === undefined || date < scope.before;

/** Stored days of a market that new data can have moved, or whose stock-days an interrupted pass has not updated. */
export async function marketsToCheck(
  context: PlanContext,
  scope: SyncScope,
  now: number,
  simulated: boolean,
): Promise<MarketInstant[]> {
  const left = await staleMarketDays(context.database, simulated);
  const dates = new Set(left.map(({ tradeDate }) => tradeDate));
  if (scope.kind === 'touched') {
    const touched = await dirtyIn(context, scope, simulated);
    const moving = touched.filter(({ kind }) => movesMarket(kind));
    const since = moving.reduce((first, { firstDay }) => Math.min(first, firstDay), Number.POSITIVE_INFINITY);
    if (since < Number.POSITIVE_INFINITY) {
      for (const date of await marketDatesSince(context.database, simulated, since)) dates.add(date);
    }
  }
  const instants = [...dates].sort().flatMap((date) => instantOf(context, date, now));
  return instants.filter(
    ({ tradeDate }) => isBefore(scope, tradeDate) && isCompleted(context, tradeDate, now),
  );
}

/** Stored stock-days of a market that were derived against an earlier state of it on their date, some symbols at a time. */
export async function* planBehindMarket(
  context: PlanContext,
  simulated: boolean,
  dates: readonly string[],
  now: number,
): AsyncIterable<DeriveJob[]> {
  if (dates.length === 0) return;
  for (const names of chunks(
    await symbolsBehindMarket(context.database, simulated, dates),
    SYMBOLS_AT_ONCE,
  )) {
    yield* planStored(context, await daysBehindMarket(context.database, simulated, names, dates), now);
  }
}

/** Jobs that derive stored stock-days again, some symbols at a time. */
export async function* planStored(
  context: PlanContext,
  days: readonly StockDayName[],
  now: number,
): AsyncIterable<DeriveJob[]> {
  const bySymbol = Map.groupBy(days, ({ symbol }) => symbol);
  for (const names of chunks([...bySymbol.keys()], SYMBOLS_AT_ONCE)) {
    const tapes = await context.tape.symbolTapes(names);
    yield tapes.flatMap((tape) => {
      const dates = bySymbol.get(tape.symbol)!.map(({ tradeDate }) => tradeDate);
      return jobOf(context, tape, dates, now);
    });
  }
}

function jobOf(context: PlanContext, tape: SymbolTape, dates: readonly string[], now: number): DeriveJob[] {
  const days = dates.flatMap((tradeDate) => instantOf(context, tradeDate, now));
  return days.length === 0 ? [] : [{ tape, days }];
}

/** The instant of a stock-day; none before its trade date begins. */
function instantOf({ calendar, delayMs }: PlanContext, tradeDate: string, now: number): MarketInstant[] {
  const session = calendar.session(tradeDate);
  const asOf = session === null ? null : asOfInstant(session, now - delayMs);
  return asOf === null ? [] : [{ tradeDate, asOf }];
}

type CalendarContext = Pick<PassContext, 'calendar' | 'delayMs'>;

/** Whether a session has closed for data of the required age. */
export function isCompleted({ calendar, delayMs }: CalendarContext, date: string, now: number): boolean {
  return now - delayMs >= calendar.session(date)!.close;
}

/** The newest completed session on or before a date; null before the calendar's first. */
export function newestCompleted(context: CalendarContext, until: string, now: number): string | null {
  const { calendar } = context;
  let date = calendar.isSession(until) ? until : calendar.previousSession(until);
  while (date !== null && !isCompleted(context, date, now)) date = calendar.previousSession(date);
  return date;
}
