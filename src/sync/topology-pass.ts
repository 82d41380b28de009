import { asOfInstant } from '../base/as-of.ts';
import { type Calendar, DAY_MS, dateOf, midnightUtc } from '../base/calendar.ts';
import type { Database } from '../base/database.ts';
import type { DeriveJob, Deriver } from '../blocks/deriver.ts';
import { movesMarket, type StockDayName } from '../graph/market-days.ts';
import { daysBehindPeers } from '../graph/peer-days.ts';
import { newestTradeDay, peerDates, writeTopology } from '../graph/topology.ts';
import type { Tape, Touched } from '../market/tape/index.ts';
import { readOwnEvents, readTiesKnown } from '../market/tape/peer-facts.ts';
import { isBefore, type Scope } from './detector.ts';

export interface TopologyWorld {
  readonly database: Database;
  readonly tape: Tape;
  readonly calendar: Calendar;
  readonly deriver: Deriver;
  /** How old data must be before the facts may hold it. */
  readonly delayMs: number;
}

/**
 * Finds the peers of every stock on the newest completed session of a scope, once a session, and again on each date of
 * which new data can have moved them. Comes before the stock-days of a pass are derived, since those read what it leaves.
 */
export async function bringPeersUpToDate(world: TopologyWorld, scope: Scope, now: number): Promise<void> {
  for (const date of await datesToFind(world, scope, now)) await findPeers(world, date);
}

async function datesToFind(world: TopologyWorld, scope: Scope, now: number): Promise<string[]> {
  const kept = await peerDates(world.database);
  const dates = new Set<string>();
  if (scope.kind === 'touched') {
    const touched = await world.tape.touched(scope.symbols);
    const since = firstMoved(touched);
    for (const date of kept) if (midnightUtc(date) / DAY_MS >= since) dates.add(date);
  }
  const newest = scope.symbols === undefined ? await newestDate(world, scope, now) : null;
  if (newest !== null && !kept.includes(newest)) dates.add(newest);
  return [...dates].filter((date) => isBefore(scope, date)).sort();
}

/** The first day, since 1970-01-01, that new data has moved. */
const firstMoved = (touched: readonly Touched[]): number =>
  touched
    .filter(({ kind }) => movesMarket(kind))
    .reduce((first, { firstDay }) => Math.min(first, firstDay), Number.POSITIVE_INFINITY);

/** The newest completed session of the scope that the tape has daily bars of. */
async function newestDate(
  { database, calendar, delayMs }: TopologyWorld,
  scope: Scope,
  now: number,
): Promise<string | null> {
  const bound = scope.kind === 'range' ? midnightUtc(scope.to) / DAY_MS : Number.MAX_SAFE_INTEGER;
  const day = await newestTradeDay(database, bound);
  if (day === null) return null;
  let date: string | null = dateOf(day * DAY_MS);
  if (calendar.session(date) === null) date = calendar.previousSession(date);
  while (date !== null && !isCompleted(calendar, date, now, delayMs)) date = calendar.previousSession(date);
  return date === null || (scope.kind === 'range' && date < scope.from) ? null : date;
}

function isCompleted(calendar: Calendar, date: string, now: number, delayMs: number): boolean {
  const session = calendar.session(date)!;
  return (asOfInstant(session, now, delayMs) ?? 0) >= session.close;
}

/**
 * Finds and keeps the peers of one completed session: from the returns of the 252 sessions before it and what had been
 * reported by the end of the last of them. The date's own returns, and its events, are known at its close.
 */
export async function findPeers(world: TopologyWorld, tradeDate: string): Promise<void> {
  const { database, tape, calendar, deriver } = world;
  const asOf = calendar.session(tradeDate)!.close;
  const priorDate = calendar.previousSession(tradeDate);
  const priorClose = priorDate === null ? asOf : calendar.session(priorDate)!.close;
  const day = { tradeDate, asOf };
  const tapes = await tape.marketTapes([day]);
  const ties = await readTiesKnown(database, priorClose);
  const events = await readOwnEvents(database, priorClose, asOf);
  await writeTopology(database, await deriver.peers({ tapes, day, ties, events }));
}

/** Symbols that are planned together. */
const SYMBOLS_AT_ONCE = 200;

/** Stored stock-days that were derived from other divergences than there are now, a stretch of symbols at a time. */
export async function* planBehindPeers(
  { database, tape, calendar, delayMs }: Omit<TopologyWorld, 'deriver'>,
  now: number,
): AsyncIterable<DeriveJob[]> {
  const bySymbol = Map.groupBy(await daysBehindPeers(database), ({ symbol }) => symbol);
  const symbols = [...bySymbol.keys()];
  for (let at = 0; at < symbols.length; at += SYMBOLS_AT_ONCE) {
    const tapes = await tape.symbolTapes(symbols.slice(at, at + SYMBOLS_AT_ONCE));
    yield tapes.map((own) => ({
      tape: own,
      days: bySymbol.get(own.symbol)!.flatMap(({ tradeDate }: StockDayName) => {
        const session = calendar.session(tradeDate);
        const asOf = session === null ? null : asOfInstant(session, now, delayMs);
        return asOf === null ? [] : [{ tradeDate, asOf }];
      }),
    }));
  }
}
