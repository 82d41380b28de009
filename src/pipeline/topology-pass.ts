import { randomUUID } from 'node:crypto';
import { asOfInstant } from '../base/as-of.ts';
import { type Calendar, DAY_MS, dateOf, midnightUtc } from '../base/calendar.ts';
import type { Database } from '../database/database.ts';
import { monthOf } from '../base/peer-topology.ts';
import type { DeriveJob, Deriver } from '../derive/deriver.ts';
import type { StockDayName } from '../base/stock-day.ts';
import { daysBehindPeers, type PeerDate, peerDaysOn } from '../graph/peer-days.ts';
import type { PeerDay } from '../market/peer-day.ts';
import {
  claimDates,
  datesToMeasure,
  newestTradeDay,
  topologyOfMonth,
  unmeasuredDates,
  writePeerDays,
  writeTopology,
} from '../graph/topology.ts';
import type { Tape } from '../market/tape/index.ts';
import { readOwnEvents, readTiesKnown } from '../market/tape/peer-facts.ts';
import { isBefore, type Scope } from './detector.ts';

export interface TopologyContext {
  readonly database: Database;
  readonly tape: Tape;
  readonly calendar: Calendar;
  readonly deriver: Deriver;
  /** How old data must be before the facts may hold it. */
  readonly delayMs: number;
}

/**
 * Measures every stock against its peers on the dates that a scope may derive: those of which stock-days may be stored that
 * know no peers, those that new data can have moved, and of a pass over the whole market the newest, whose peers are what
 * live returns are measured against. Comes before stock-days are derived, since those read what it leaves.
 */
export async function bringPeersUpToDate(context: TopologyContext, scope: Scope, now: number): Promise<void> {
  const dates = new Set(await datesToMeasure(context.database));
  const newest = scope.symbols === undefined ? await newestDate(context, now) : null;
  if (newest !== null) for (const date of await unmeasuredDates(context.database, [newest])) dates.add(date);
  const due = [...dates].filter((date) => isBefore(scope, date) && isCompleted(context, date, now));
  await findPeers(context, ...due);
}

/** Measures those of the dates that nobody has measured yet. */
export async function findMissingPeers(
  context: TopologyContext,
  dates: Iterable<string>,
  now: number,
): Promise<void> {
  const completed = [...new Set(dates)].filter((date) => isCompleted(context, date, now));
  await findPeers(context, ...(await unmeasuredDates(context.database, completed)));
}

/** The newest completed session that the tape has daily bars of. */
async function newestDate(context: TopologyContext, now: number): Promise<string | null> {
  const { database, calendar } = context;
  const day = await newestTradeDay(database, midnightUtc(calendar.last) / DAY_MS);
  if (day === null) return null;
  let date: string | null = dateOf(day * DAY_MS);
  if (calendar.session(date) === null) date = calendar.previousSession(date);
  while (date !== null && !isCompleted(context, date, now)) date = calendar.previousSession(date);
  return date;
}

function isCompleted({ calendar, delayMs }: TopologyContext, date: string, now: number): boolean {
  const session = calendar.session(date)!;
  return (asOfInstant(session, now, delayMs) ?? 0) >= session.close;
}

/** Stock-days that travel from a thread together: some 70 MB of text. */
const STOCK_DAYS_AT_ONCE = 20_000;

/**
 * Measures every stock against its peers on completed sessions and keeps what that comes to. The peers of a month follow
 * from the returns of the 252 sessions before it and from what had been reported by the end of the last of them; the
 * returns of a date, and its events, are known at its close. So what is kept of a date depends on nothing after it, nor on
 * which other dates are measured.
 *
 * @param dates sessions; each is measured anew
 */
export async function findPeers(context: TopologyContext, ...dates: readonly string[]): Promise<void> {
  for (const [month, own] of Map.groupBy([...new Set(dates)].sort(), monthOf)) {
    await findPeersOfMonth(context, month, own);
  }
}

async function findPeersOfMonth(
  { database, tape, calendar, deriver }: TopologyContext,
  month: string,
  dates: readonly string[],
): Promise<void> {
  const claim = randomUUID();
  await claimDates(database, dates, claim);
  let packed = await topologyOfMonth(database, month);
  const closeBefore = (date: string): number => {
    const prior = calendar.previousSession(date);
    return prior === null ? calendar.session(date)!.close : calendar.session(prior)!.close;
  };
  const instants = [calendar.previousSession(month) ?? dates[0]!, ...dates].map((tradeDate) => {
    return { tradeDate, asOf: calendar.session(tradeDate)!.close };
  });
  const tapes = await tape.marketTapes(instants);
  const ties = packed === null ? await readTiesKnown(database, closeBefore(month)) : new Map();
  const datesAtOnce = Math.max(1, Math.floor(STOCK_DAYS_AT_ONCE / Math.max(1, tapes.length)));
  for (let at = 0; at < dates.length; at += datesAtOnce) {
    const part = dates.slice(at, at + datesAtOnce);
    const events = new Map<string, ReadonlySet<string>>();
    for (const date of part) {
      events.set(date, await readOwnEvents(database, closeBefore(date), calendar.session(date)!.close));
    }
    const { topology, days } = await deriver.peers({ tapes, dates: part, ties, events, packed });
    if (topology !== null) await writeTopology(database, topology, dates, claim);
    packed ??= topology?.packed ?? null;
    for (const [date, own] of days) await writePeerDays(database, date, own, claim);
  }
}

/** Symbols that are planned together. */
const SYMBOLS_AT_ONCE = 200;

/** Stored stock-days that were derived from other divergences than there are now, a stretch of symbols at a time. */
export async function* planBehindPeers(
  { database, tape, calendar, delayMs }: Omit<TopologyContext, 'deriver'>,
  dates: readonly PeerDate[],
  now: number,
): AsyncIterable<DeriveJob[]> {
  const bySymbol = Map.groupBy(await daysBehindPeers(database, dates), ({ symbol }) => symbol);
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

/** Measures a completed session and answers how every stock compared with its peers. */
export async function measurePeers(
  context: TopologyContext,
  tradeDate: string,
): Promise<{ readonly symbol: string; readonly day: PeerDay }[]> {
  await findPeers(context, tradeDate);
  const days = await peerDaysOn(context.database, tradeDate);
  return days.map(({ symbol, value }) => ({ symbol, day: JSON.parse(value) as PeerDay }));
}
