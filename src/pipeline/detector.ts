import { asOfInstant } from '../base/as-of.ts';
import { type Calendar, DAY_MS, dateOf } from '../base/calendar.ts';
import type { Database } from '../database/database.ts';
import type { DeriveJob } from '../derive/deriver.ts';
import { derivedDates } from '../graph/stock-days.ts';
import {
  daysBehindMarket,
  marketDatesSince,
  movesMarket,
  symbolsBehindMarket,
  staleMarketDays,
} from '../graph/market-days.ts';
import type { MarketInstant, SymbolTape, Tape, DirtyRange } from '../market/tape/index.ts';

/** Which stock-days a pass derives: those that new data touched, or every session of a range of dates. */
export type Scope =
  | {
      readonly kind: 'touched';
      readonly symbols?: readonly string[];
      /** The date of a session that runs: it and what comes after are left to who carries it. */
      readonly before?: string;
    }
  | {
      readonly kind: 'range';
      readonly from: string;
      readonly to: string;
      readonly symbols?: readonly string[];
    };

/** Symbols that are planned together; bounds what a pass over any universe holds in memory. */
const SYMBOLS_AT_ONCE = 200;

/** Work of one stretch of symbols, and the touched stretches that it settles. */
export interface Plan {
  readonly jobs: readonly DeriveJob[];
  readonly settles: readonly DirtyRange[];
  /** Symbols asked for by name that the tape does not know. */
  readonly unknown: readonly string[];
}

interface PlanContext {
  readonly database: Database;
  readonly tape: Tape;
  readonly calendar: Calendar;
  /** How old data must be before the facts may hold it. */
  readonly delayMs: number;
}

/** Says what there is to derive, a stretch of symbols at a time. */
export async function* planDerivations(context: PlanContext, scope: Scope, now: number): AsyncIterable<Plan> {
  const touched = await dirtyIn(context, scope);
  const dirtyBySymbol = Map.groupBy(touched, (stretch) => stretch.symbol);
  const symbols =
    scope.symbols ?? (scope.kind === 'touched' ? [...dirtyBySymbol.keys()] : await context.tape.symbols());
  for (let at = 0; at < symbols.length; at += SYMBOLS_AT_ONCE) {
    const names = symbols.slice(at, at + SYMBOLS_AT_ONCE);
    const tapes = await context.tape.symbolTapes(names);
    const stretches = names.flatMap((symbol) => dirtyBySymbol.get(symbol) ?? []);
    const dates =
      scope.kind === 'touched'
        ? await dirtyDates(context, scope, stretches)
        : new Map(names.map((symbol) => [symbol, context.calendar.sessionsBetween(scope.from, scope.to)]));
    yield {
      jobs: tapes.flatMap((tape) => jobOf(context, tape, dates.get(tape.symbol) ?? [], now)),
      settles: scope.kind === 'touched' ? stretches : [],
      unknown:
        scope.symbols === undefined
          ? []
          : names.filter((symbol) => !tapes.some((tape) => tape.symbol === symbol)),
    };
  }
}

/**
 * The last session of every touched stretch, and every day derived before from data of or before that stretch: a
 * correction of an old bar moves each later indicator.
 */
async function dirtyDates(
  context: PlanContext,
  scope: Scope,
  stretches: readonly DirtyRange[],
): Promise<Map<string, string[]>> {
  const dates = new Map<string, Set<string>>();
  const add = (symbol: string, date: string): void => {
    if (!isBefore(scope, date)) return;
    const known = dates.get(symbol);
    if (known === undefined) dates.set(symbol, new Set([date]));
    else known.add(date);
  };
  for (const { symbol, kind, lastDay } of stretches) {
    if (kind.startsWith('bars-')) add(symbol, dateOf(lastDay * DAY_MS));
  }
  const since = new Map<string, number>();
  for (const { symbol, firstDay } of stretches) {
    since.set(symbol, Math.min(firstDay, since.get(symbol) ?? Number.POSITIVE_INFINITY));
  }
  for (const { symbol, tradeDate } of await derivedDates(context.database, since)) add(symbol, tradeDate);
  return new Map(Array.from(dates, ([symbol, known]) => [symbol, [...known].sort()]));
}

/** Touched stretches of the scope; one that reaches into a running session waits for its end. */
async function dirtyIn({ tape }: PlanContext, scope: Scope): Promise<DirtyRange[]> {
  const touched = await tape.touched(scope.symbols);
  return touched.filter(({ lastDay }) => isBefore(scope, dateOf(lastDay * DAY_MS)));
}

/** Whether the scope may derive a date. */
export const isBefore = (scope: Scope, date: string): boolean =>
  scope.kind !== 'touched' || scope.before === undefined || date < scope.before;

/**
 * The kept markets that new data can have moved, and those to which an interrupted pass has not brought every stored
 * stock-day: to be derived again before anything else is.
 */
export async function marketsToCheck(
  context: PlanContext,
  scope: Scope,
  now: number,
): Promise<MarketInstant[]> {
  const left = await staleMarketDays(context.database);
  const dates = new Set(left.map(({ tradeDate }) => tradeDate));
  if (scope.kind === 'touched') {
    const touched = await dirtyIn(context, scope);
    const moving = touched.filter(({ kind }) => movesMarket(kind));
    const since = moving.reduce((first, { firstDay }) => Math.min(first, firstDay), Number.POSITIVE_INFINITY);
    if (since < Number.POSITIVE_INFINITY) {
      for (const date of await marketDatesSince(context.database, since)) dates.add(date);
    }
  }
  const instants = [...dates].sort().flatMap((date) => instantOf(context, date, now));
  return instants.filter(
    ({ tradeDate, asOf }) => isBefore(scope, tradeDate) && asOf >= context.calendar.session(tradeDate)!.close,
  );
}

/** Stored stock-days that were derived against an earlier market of their date, a stretch of symbols at a time. */
export async function* planBehindMarket(
  context: PlanContext,
  dates: readonly string[],
  now: number,
): AsyncIterable<DeriveJob[]> {
  if (dates.length === 0) return;
  const symbols = await symbolsBehindMarket(context.database, dates);
  for (let at = 0; at < symbols.length; at += SYMBOLS_AT_ONCE) {
    const names = symbols.slice(at, at + SYMBOLS_AT_ONCE);
    const tapes = await context.tape.symbolTapes(names);
    const days = Map.groupBy(await daysBehindMarket(context.database, names, dates), ({ symbol }) => symbol);
    yield tapes.flatMap((tape) => {
      const own = days.get(tape.symbol) ?? [];
      return jobOf(
        context,
        tape,
        own.map((day) => day.tradeDate),
        now,
      );
    });
  }
}

function jobOf(context: PlanContext, tape: SymbolTape, dates: readonly string[], now: number): DeriveJob[] {
  const days = dates.flatMap((tradeDate) => instantOf(context, tradeDate, now));
  return days.length === 0 ? [] : [{ tape, days }];
}

/** The instant that a stock-day speaks for; none while its trade date has not begun. */
function instantOf({ calendar, delayMs }: PlanContext, tradeDate: string, now: number): MarketInstant[] {
  const session = calendar.session(tradeDate);
  const asOf = session === null ? null : asOfInstant(session, now, delayMs);
  return asOf === null ? [] : [{ tradeDate, asOf }];
}
