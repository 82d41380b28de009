import { randomUUID } from 'node:crypto';
import { DAY_MS, dateOf, midnightUtc } from '../base/calendar.ts';
import { chunks } from '../base/chunks.ts';
import { monthOf } from '../base/dates.ts';
import { behindReaders } from '../database/database.ts';
import { MARKETS } from '../database/symbol-market.ts';
import type { DeriveJob, PeersWork } from '../derive/deriver.ts';
import { edgesOf } from '../derive/peer-edges.ts';
import type { PeersWaiting } from '../derive/peer-topology.ts';
import { createMonths } from '../graph/months.ts';
import { daysBehindPeers, type PeerDate, peerDaysOn } from '../graph/peer-days.ts';
import {
  claimDates,
  datesToMeasure,
  newestTradeDay,
  topologyOfMonth,
  unmeasuredDates,
  writePeerDays,
  writeTopology,
} from '../graph/topology.ts';
import type { PeerDay } from '../market/peer-day.ts';
import { readOwnEvents, readTiesKnown } from '../tape/event-facts.ts';
import {
  isBefore,
  isCompleted,
  newestCompleted,
  type PassContext,
  planStored,
  type SyncScope,
} from './detector.ts';

export type TopologyContext = Omit<PassContext, 'clock'>;

/**
 * Measures every stock against its peers on the dates of a scope: those with stored stock-days without divergences,
 * those that new data can have moved, and, for all symbols, the newest date, whose peers serve live returns. Runs
 * before stock-days are derived, which read the divergences.
 */
export async function bringPeersUpToDate(
  context: TopologyContext,
  scope: SyncScope,
  now: number,
): Promise<void> {
  const dates = new Set(await datesToMeasure(context.database));
  const newest = await Promise.all(
    scope.symbols === undefined ? MARKETS.map((simulated) => newestDate(context, now, simulated)) : [],
  );
  const known = newest.filter((date) => date !== null);
  for (const date of await unmeasuredDates(context.database, known)) dates.add(date);
  const due = [...dates].filter((date) => isBefore(scope, date) && isCompleted(context, date, now));
  await createMonths(context.database, due);
  await findPeers(context, due);
  await findMissingPeers(context, due, now);
}

/** By database, so that two of them never take each other's dates for ever. */
const finding = new WeakMap<object, Promise<void>>();

/**
 * Measures the dates that have no divergences yet, after those that others of this process measure; again where a
 * request has claimed a date meanwhile.
 */
export function findMissingPeers(
  context: TopologyContext,
  dates: Iterable<string>,
  now: number,
): Promise<void> {
  const completed = [...new Set(dates)].filter((date) => isCompleted(context, date, now));
  const find = async (): Promise<void> => {
    while (await findPeersOnce(context, completed));
  };
  const found = (finding.get(context.database) ?? Promise.resolve()).then(find, find);
  finding.set(context.database, found);
  return found;
}

/**
 * Measures those of some completed sessions that have no divergences yet, once: a process that claims them later writes.
 *
 * @returns false where there was nothing to measure
 */
export async function findPeersOnce(
  context: TopologyContext,
  dates: readonly string[],
  waiting?: PeersWaiting,
): Promise<boolean> {
  const missing = await unmeasuredDates(context.database, dates);
  await findPeers(context, missing, waiting);
  return missing.length > 0;
}

/** The newest completed session that the tape has daily bars of, of one market or of both. */
export async function newestDate(
  context: TopologyContext,
  now: number,
  simulated: boolean | null = null,
): Promise<string | null> {
  const { database, calendar } = context;
  const day = await newestTradeDay(database, simulated, midnightUtc(calendar.last) / DAY_MS);
  return day === null ? null : newestCompleted(context, dateOf(day * DAY_MS), now);
}

/** Stock-days of one worker task: some 70 MB of text. */
const STOCK_DAYS_AT_ONCE = 20_000;

/**
 * Measures every stock against its peers on completed sessions and stores the divergences. The peers of a month follow
 * from the returns of the 252 sessions before it and the facts known by the end of the last of them; returns and events
 * of a date are known at its close. So the result of a date depends on nothing after it, nor on the other dates.
 *
 * @param dates sessions; each is measured again
 */
export async function findPeers(
  context: TopologyContext,
  dates: readonly string[],
  waiting?: PeersWaiting,
): Promise<void> {
  for (const [month, own] of Map.groupBy([...new Set(dates)].sort(), monthOf)) {
    await findPeersOfMonth(context, month, own, waiting);
  }
}

/** What the divergences of some completed sessions of a market follow from, by month: as they are, or would be, stored. */
export async function peersWork(
  context: Omit<TopologyContext, 'deriver'>,
  simulated: boolean,
  dates: readonly string[],
): Promise<PeersWork[]> {
  const { database } = context;
  const works: PeersWork[] = [];
  for (const [month, own] of Map.groupBy(dates, monthOf)) {
    const { packed, tapes } = await marketOfMonth(context, simulated, month, own);
    const closeBefore = closesBefore(context, own);
    const ties = packed === null ? await readTiesKnown(database, closeBefore(month)) : new Map();
    works.push({ tapes, dates: own, ties, events: await ownEventsOn(context, own, closeBefore), packed });
  }
  return works;
}

async function marketOfMonth(
  { database, tape, calendar }: Omit<TopologyContext, 'deriver'>,
  simulated: boolean,
  month: string,
  dates: readonly string[],
) {
  const instants = [calendar.previousSession(month) ?? dates[0]!, ...dates].map((tradeDate) => {
    return { tradeDate, asOf: calendar.session(tradeDate)!.close };
  });
  return {
    simulated,
    packed: await topologyOfMonth(database, simulated, month),
    tapes: await tape.ofMarket(simulated).marketTapes(instants),
  };
}

/** The close before a date; nothing is before the first session of the calendar. */
const closesBefore =
  ({ calendar }: Pick<TopologyContext, 'calendar'>, dates: readonly string[]) =>
  (date: string): number =>
    calendar.session(calendar.previousSession(date) ?? dates[0]!)!.close;

/** By date the symbols with an event of their own since the close before. */
const ownEventsOn = (
  { database, calendar }: Omit<TopologyContext, 'deriver'>,
  dates: readonly string[],
  closeBefore: (date: string) => number,
): Promise<Map<string, ReadonlySet<string>>> =>
  readOwnEvents(
    database,
    dates.map((tradeDate) => ({
      tradeDate,
      after: closeBefore(tradeDate),
      until: calendar.session(tradeDate)!.close,
    })),
  );

async function findPeersOfMonth(
  context: TopologyContext,
  month: string,
  dates: readonly string[],
  waiting: PeersWaiting | undefined,
): Promise<void> {
  const { database, deriver } = context;
  const claim = randomUUID();
  await claimDates(database, dates, claim);
  const closeBefore = closesBefore(context, dates);
  const markets = await Promise.all(
    MARKETS.map((simulated) => marketOfMonth(context, simulated, month, dates)),
  );
  const stocks = markets.reduce((sum, { tapes }) => sum + tapes.length, 0);
  const ties = markets.some(({ packed, tapes }) => packed === null && tapes.length > 0)
    ? await readTiesKnown(database, closeBefore(month))
    : new Map();
  // Who asks for several dates asks for much.
  const options = waiting === undefined ? {} : { signal: waiting.signal, isBulk: dates.length > 1 };
  const datesAtOnce = Math.max(1, Math.floor(STOCK_DAYS_AT_ONCE / Math.max(1, stocks)));
  for (const part of chunks(dates, datesAtOnce)) {
    const events = await ownEventsOn(context, part, closeBefore);
    const divergences = new Map(part.map((date) => [date, new Map<string, string>()]));
    const built: (() => Promise<void>)[] = [];
    for (const market of markets) {
      const { simulated, tapes, packed } = market;
      if (tapes.length === 0) continue;
      const work = { tapes, dates: part, ties, events, packed };
      const { topology, days } = await deriver.peers(work, options);
      if (topology !== null) {
        const edged = { ...topology, readEdges: () => edgesOf(topology.packed) };
        built.push(() => writeTopology(database, simulated, edged, dates, claim));
      }
      market.packed ??= topology?.packed ?? null;
      for (const [date, own] of days)
        for (const [symbol, value] of own) divergences.get(date)!.set(symbol, value);
    }
    for (const [date, own] of divergences) waiting?.onMeasured(date, own);
    for (const write of built) await write();
    await behindReaders(async () => {
      for (const [date, own] of divergences) await writePeerDays(database, date, own, claim);
    });
  }
}

/** Stored stock-days that were derived from other divergences than the present ones, some symbols at a time. */
export async function* planBehindPeers(
  context: Omit<TopologyContext, 'deriver'>,
  dates: readonly PeerDate[],
  now: number,
): AsyncIterable<DeriveJob[]> {
  yield* planStored(context, await daysBehindPeers(context.database, dates), now);
}

/** Measures a completed session and returns the divergence of every stock of a market. */
export async function measurePeers(
  context: TopologyContext,
  simulated: boolean,
  tradeDate: string,
): Promise<{ readonly symbol: string; readonly day: PeerDay }[]> {
  await findPeers(context, [tradeDate]);
  const days = await peerDaysOn(context.database, simulated, tradeDate);
  return days.map(({ symbol, value }) => ({ symbol, day: JSON.parse(value) as PeerDay }));
}
