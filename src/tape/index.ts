import { type Calendar, DAY_MS, dateOf, midnightUtc, type Session } from '../base/calendar.ts';
import { chunks } from '../base/chunks.ts';
import { type Clock, systemClock } from '../base/clock.ts';
import { nextTurn } from '../base/timers.ts';
import type { Database, QueryOptions } from '../database/database.ts';
import { MARKETS, marketOf } from '../database/symbol-market.ts';
import type { FactKind } from '../market/facts.ts';
import type { Feed } from '../market/feed.ts';
import { readChainSlices, readLastChains } from './chain-slices.ts';
import { commitFinalized } from './commit.ts';
import { daysToSum, sumDailyBars } from './daily-history.ts';
import { dropDemoRows } from './drop-demo.ts';
import { type FactsRequest, readFactsInWindows } from './facts-reader.ts';
import {
  clearDirtyRanges,
  type DirtyRange,
  type EndedRows,
  forgetMinutes,
  listSymbols,
  readDeliveredUnits,
  readDirtyRanges,
  readEndedRows,
  readMinuteMarket,
  readSymbolTapes,
} from './manifest.ts';
import { type MarketInstant, type MarketTape, readMarketTapes, withBarsSoFar } from './market-tapes.ts';
import { type HeldTape, runningParts } from './running-cache.ts';
import { RunningSession } from './running-session.ts';
import { SegmentReader } from './segment-reader.ts';
import { readNewestSegment } from './segments/named-files.ts';
import type { SegmentStore } from './segments/segment-store.ts';
import { isSimulated, SUMMED_FEED } from './symbol-tape.ts';
import { TapeWriter, writeSegment } from './tape-writer.ts';

export type { MarketView } from '../market/market-view.ts';
export type { PeerDay } from '../market/peer-day.ts';
export type { ChainSlice as ChainRef } from './chain-slices.ts';
export type { DirtyRange, FinishedUnit } from './manifest.ts';
export type { MarketInstant, MarketTape } from './market-tapes.ts';
export { readStockView, slicesOfView } from './read-view.ts';
export type { HeldTape, WithPart } from './running-cache.ts';
export type { RunningSession, TakenMinutes } from './running-session.ts';
export { SegmentReader, WalkingReader } from './segment-reader.ts';
export { barsWithoutView, isSimulated, newestDay, oldestDay, type SymbolTape } from './symbol-tape.ts';

/** The market data store: columns in files, their manifest and the reported facts in the database. */
export type Tape = Awaited<ReturnType<typeof openTape>>;

/** Symbols whose manifest is read at once. */
const SYMBOLS_AT_ONCE = 200;

/**
 * Opens the tape and removes files of an interrupted write.
 *
 * @throws CodedError tape_unavailable, tape_of_another_installation, tape_damaged
 */
export async function openTape(database: Database, store: SegmentStore, calendar: Calendar, clock: Clock) {
  await store.open(database, systemClock.now());
  const writer = (feed: Pick<Feed, 'name' | 'simulated'>) =>
    new TapeWriter(database, store, calendar, feed, runningDay(calendar, clock.now()));
  const sessions = new Set<RunningSession>();
  const tape = {
    /** Where the segment files lie; a thread opens its own `SegmentReader` on it. */
    location: store.location,
    /** The tapes of the named symbols without their facts, in no particular order; unknown symbols are left out. */
    symbolTapes: (symbols: readonly string[], options?: QueryOptions) =>
      readSymbolTapes(database, symbols, options),
    /** The tapes in the order of the requests, with the facts and option chains of any as-of instant of each. */
    withFacts: (
      requests: readonly FactsRequest[],
      options?: QueryOptions & { readonly kinds?: readonly FactKind[] },
    ) => readFactsInWindows(database, requests, options),
    /** The option chains taken from one instant to another, inclusive, oldest first; `SegmentReader.chain` reads one. */
    chainsOf: (
      symbol: string,
      span: { readonly from: number; readonly to: number },
      options?: QueryOptions,
    ) => readChainSlices(database, symbol, span, options),
    /** What spans the stocks of one market, the real or the simulated one. */
    ofMarket: (simulated: boolean) => ({
      simulated,
      /** Of every symbol the last chain of each of some sessions. */
      lastChains: (sessions: readonly Pick<Session, 'tradeDate' | 'open' | 'close'>[]) =>
        readLastChains(database, simulated, sessions),
      /** What a walk over the whole market needs of every symbol with a daily bar, in the order of their names. */
      marketTapes: async (instants: readonly MarketInstant[], options?: QueryOptions) => {
        const tapes = await readMarketTapes(database, calendar, simulated, instants, options);
        return withBarsSoFar(database, calendar, tapes, instants, options);
      },
      /** Every symbol with at least one bar. */
      symbols: () => listSymbols(database, simulated),
      /** Those of the named symbols that are of this market. */
      symbolTapes: async (symbols: readonly string[]) =>
        (await readSymbolTapes(database, symbols)).filter((own) => isSimulated(own) === simulated),
      /** JSON text of the market at a minute of a running session; null where none is stored. */
      async minuteMarket(tradeDate: string, at: number, options?: QueryOptions): Promise<string | null> {
        for (const session of sessions) {
          const held = session.market(simulated, tradeDate, at);
          if (held !== null) return held;
        }
        return readMinuteMarket(database, simulated, tradeDate, at, options);
      },
      /** The tape of a session for the process that owns its live feed, which is of this market; the caller closes it. */
      runningSession: (session: Session) =>
        RunningSession.open(database, store, calendar, session, simulated, sessions),
    }),
    /** The tape of a symbol from the memory of the session that this process runs; null where there is none. */
    heldTape: (symbol: string): HeldTape | null => {
      for (const session of sessions) {
        const held = session.held(symbol);
        if (held !== null) return held;
      }
      return null;
    },
    /** What `marketTapes` is made of: all but the bars so far, and those added. */
    marketTapesBefore: (simulated: boolean, instants: readonly MarketInstant[], options?: QueryOptions) =>
      readMarketTapes(database, calendar, simulated, instants, options),
    withBarsSoFar: (
      tapes: readonly MarketTape[],
      instants: readonly MarketInstant[],
      options?: QueryOptions,
    ) => withBarsSoFar(database, calendar, tapes, instants, options),
    /** The market that some symbols are of; with null that of an answer which names none. */
    marketOf: (symbols: readonly string[] | null) => marketOf(database, symbols),
    /** Every symbol of both markets with at least one bar. */
    symbols: () => listSymbols(database),
    /**
     * Whether the newest segment file is there, whole: a process on another machine may have none.
     *
     * @throws CodedError tape_unavailable, database_unavailable
     */
    async isHere(options?: QueryOptions): Promise<boolean> {
      const newest = await readNewestSegment(database, options);
      return newest === null || store.has(newest.file, newest.bytes, options);
    },
    /** Figures of the cache of a tape in a bucket; null for one in a directory. */
    cacheCounts: () => store.cacheCounts(),
    /** What a feed has delivered before, by unit key. */
    delivered: (feed: string) => readDeliveredUnits(database, feed),
    writer,
    /** The tape of a session for a process that derives parts of it. */
    runningParts: (session: Session) => runningParts(database, session),
    /** Moves rows of sessions that have ended into files; returns how many. */
    finalizeEnded: () => finalizeEnded(database, store, calendar, firstUnendedDay(calendar, clock.now())),
    /** Drops the rows of the simulated market, and their files. */
    dropDemo: () => dropDemoRows(database, store),
    /** Brings the daily bars of sessions that are known only by intraday bars up to date; returns how many changed. */
    completeDailyBars: () => completeDailyBars(database, store, calendar, writer),
    /** Dirty ranges since the last derivation; of all symbols, or the named ones, of both markets or one. */
    touched: (symbols?: readonly string[], simulated?: boolean) =>
      readDirtyRanges(database, symbols, simulated),
    clearDirtyRanges: (ranges: readonly DirtyRange[]) => clearDirtyRanges(database, ranges),
  };
  await tape.finalizeEnded();
  return tape;
}

/** The trade date of the session whose extended hours hold the instant, as days since 1970-01-01. */
function runningDay(calendar: Calendar, now: number): number | null {
  const session = calendar.sessionHolding(now);
  return session === null ? null : midnightUtc(session.tradeDate) / DAY_MS;
}

/** The first trade date that has not ended: that of the running session, or of the next. */
function firstUnendedDay(calendar: Calendar, now: number): number {
  const today = calendar.tradeDateOf(now);
  const session = calendar.session(today);
  const ended = session !== null && session.postClose <= now;
  return midnightUtc(today) / DAY_MS + (ended ? 1 : 0);
}

/** Segments of bars as the manifest has them, by feed: those of sums say nothing new. */
const REPORTED_BARS = `kind like 'bars-%' and feed <> '${SUMMED_FEED}'`;

/**
 * Sums the days of segments that have not been summed yet: what is written is marked as summed, and summed again with
 * every segment that holds bars of its day.
 */
async function completeDailyBars(
  database: Database,
  store: SegmentStore,
  calendar: Calendar,
  writerOf: (feed: Pick<Feed, 'name' | 'simulated'>) => TapeWriter,
): Promise<number> {
  const segments = await database.query<{ id: number }>(
    `select id::float8 as id from tape_segment where not summed and ${REPORTED_BARS}`,
  );
  if (segments.length === 0) return 0;
  const ids = segments.map(({ id }) => id);
  const pending = new Set(ids);
  const [{ symbols }] = (await database.query<{ symbols: string[] }>(
    'select array(select distinct symbol from tape_slice where segment_id = any($1::bigint[]) order by symbol) as symbols',
    [ids],
  )) as [{ symbols: string[] }];
  const reader = new SegmentReader(store.location);
  let added = 0;
  /** Slices of reported bars that the sums are made of. */
  let slices = 0;
  for (const simulated of MARKETS) {
    const writer = writerOf({ name: SUMMED_FEED, simulated });
    for (const some of chunks(symbols, SYMBOLS_AT_ONCE)) {
      for (const tape of await readSymbolTapes(database, some)) {
        if (isSimulated(tape) !== simulated) continue;
        await nextTurn();
        const columns = await sumDailyBars(reader, tape, calendar, daysToSum(tape, pending));
        added += columns.time.length;
        slices += tape.slices.filter(
          ({ kind, feed }) => kind.startsWith('bars-') && feed !== SUMMED_FEED,
        ).length;
        writer.add('bars-1d', tape.symbol, columns);
      }
    }
    await writer.flush();
    writer.close();
  }
  reader.close();
  // Bars of these symbols that another process has written meanwhile may have been summed there, from fewer or from more
  // than here.
  await database.write(
    `update tape_segment set summed = true where id = any($1::bigint[])
     and (select count(*) from tape_slice join tape_segment on tape_segment.id = segment_id
          where symbol = any($3::text[]) and tape_slice.kind like 'bars-%' and feed <> '${SUMMED_FEED}') = $2`,
    [ids, slices, symbols],
  );
  return added;
}

/** Rows of one segment: some ten megabytes. */
const ROWS_AT_ONCE = 250_000;

/**
 * Moves rows of sessions that have ended out of the database into segments. The rows go in the transaction that makes
 * their segment visible, so a crash leaves them in one place or the other.
 *
 * @param day that of the running session or, while none runs, the first that has not ended; since 1970-01-01
 */
async function finalizeEnded(
  database: Database,
  store: SegmentStore,
  calendar: Calendar,
  day: number,
): Promise<void> {
  let isWhole: boolean;
  do {
    isWhole = true;
    for await (const rows of readEndedRows(database, day, ROWS_AT_ONCE)) {
      if (!(await finalizeGroup(database, store, calendar, day, rows))) isWhole = false;
    }
  } while (!isWhole);
  await forgetMinutes(database, dateOf(day * DAY_MS));
}

/** Rows of one feed and series go into one segment; false where these are to be read again. */
async function finalizeGroup(
  database: Database,
  store: SegmentStore,
  calendar: Calendar,
  day: number,
  rows: readonly EndedRows[],
): Promise<boolean> {
  const { feed, simulated, kind } = rows[0]!;
  const segment = await writeSegment(store, kind, rows);
  const nothing = { running: [], actions: [], facts: [], chains: null, units: [] };
  return commitFinalized(database, calendar, { feed, simulated, segments: [segment], ...nothing }, day, rows);
}
