import { randomBytes } from 'node:crypto';
import { type Calendar, DAY_MS, midnightUtc, type Session } from '../base/calendar.ts';
import { nextTurn } from '../base/timers.ts';
import { onChange } from '../database/changes.ts';
import type { Database, Queryable } from '../database/database.ts';
import type { Lease } from '../database/leases.ts';
import { Admission, finalAt } from '../market/admit.ts';
import type { OptionChain } from '../market/chains.ts';
import type { LiveFeed, LiveMinute } from '../market/feed.ts';
import type { Bar, BarColumns, CorporateAction } from '../market/observations.ts';
import {
  asBars,
  barsInterval,
  type Columns,
  isIntraday,
  mergeRows,
  rowAtOrAfter,
  type SeriesKind,
  sliceRows,
} from '../market/series.ts';
import {
  mayBeUntraded,
  statesVolumes,
  tradedRows,
  VOLUMES_REACH_DAYS,
  withoutUntradedPrices,
} from '../market/untraded.ts';
import { chainKey, newChains, type WrittenChains, writeChains } from './chain-segments.ts';
import { commitMinutes, type RunningBatch } from './commit.ts';
import type { SymbolFact } from './commit-facts.ts';
import {
  clearDirtyRanges,
  type DirtyRange,
  newestMinute,
  readDirtyRanges,
  writeMinuteMarket,
} from './manifest.ts';
import { type MarketTape, readMarketTapes } from './market-tapes.ts';
import { type HeldTape, RunningCache } from './running-cache.ts';
import { SegmentReader } from './segment-reader.ts';
import type { SegmentStore } from './segments/segment-store.ts';
import { holdsDays, type SymbolTape } from './symbol-tape.ts';

export type TakenMinutes = Awaited<ReturnType<RunningSession['take']>>;

/**
 * The tape of the running session, for the process that owns the live feed: minutes in, tapes for derivation out.
 * Rows go to the database and stay in memory beside it, so nothing of the day is read back.
 */
export class RunningSession {
  /** Identifies the announcements of this process. */
  readonly origin = randomBytes(6).toString('hex');
  readonly #database: Database;
  readonly #store: SegmentStore;
  readonly #calendar: Calendar;
  readonly #session: Session;
  readonly #simulated: boolean;
  readonly #cache: RunningCache;
  #newest: number | null = null;
  /** Symbols that other processes have changed since their last derivation. */
  readonly #changed = new Set<string>();
  /** Whether volumes are known of series on the tape, by kind and symbol. */
  readonly #volumes = new Map<string, boolean>();
  /** Another process has written, perhaps to symbols that are not cached. */
  #othersWrote = true;
  #market: { readonly isRunning: boolean; readonly tapes: readonly MarketTape[] } | null = null;
  #newestMarket: { readonly asOf: number; readonly text: string } | null = null;
  #stopListening: () => void = () => {};
  /** The minutes that are stored of symbols, as far as they were stored here. */
  readonly #storedAt = new Map<string, number>();
  readonly #all: Set<RunningSession>;

  private constructor(
    database: Database,
    store: SegmentStore,
    calendar: Calendar,
    session: Session,
    simulated: boolean,
    all: Set<RunningSession>,
  ) {
    this.#database = database;
    this.#store = store;
    this.#calendar = calendar;
    this.#session = session;
    this.#simulated = simulated;
    this.#cache = new RunningCache(database, session);
    this.#all = all;
  }

  /**
   * Opens a session of one market, from its newest minute if it was begun.
   *
   * @param all those of this process that are open
   */
  static async open(
    database: Database,
    store: SegmentStore,
    calendar: Calendar,
    session: Session,
    simulated: boolean,
    all: Set<RunningSession>,
  ): Promise<RunningSession> {
    const running = new RunningSession(database, store, calendar, session, simulated, all);
    running.#stopListening = await onChange(database, ({ symbols, dates, origin }) => {
      if (dates === null && origin !== running.origin) running.#onChange(symbols);
    });
    running.#newest = await newestMinute(database, simulated, session.tradeDate);
    await running.#cache.readMarket(simulated);
    all.add(running);
    return running;
  }

  /** The end of the newest minute on the tape; null while none is. */
  get newest(): number | null {
    return this.#newest;
  }

  /**
   * Puts minutes on the tape, in one transaction.
   *
   * @param lease of the live feed: of two processes that believe to own it, the former one is refused
   * @throws CodedError lease_lost
   */
  async take(feed: Pick<LiveFeed, 'name'>, minutes: readonly LiveMinute[], lease?: Lease) {
    const before = this.#newest;
    const newestTaken = minutes.reduce((newest, { at }) => Math.max(newest, at), 0);
    const asOf = Math.max(before ?? 0, newestTaken);
    const delivered = admitMinutes(this.#calendar, this.#session, minutes);
    // A minute of thousands of symbols takes a tenth of a second here: callers come between its parts.
    await nextTurn();
    // What was derived of the minute is not to be trusted meanwhile.
    if (asOf === before) {
      this.#storedAt.clear();
      this.#newestMarket = null;
    }
    // New symbols are read before these rows are on the tape, so the rows are not read back.
    await this.#cache.read(delivered.batches.map(({ symbol }) => symbol));
    await this.#cache.readAgain(delivered.batches);
    // A vendor that fills a hole brings what was streamed once more.
    const sorted = await this.#sortUntraded(delivered);
    const batches = sorted.flatMap((batch) => this.#cache.changed(batch) ?? []);
    const admitted = { ...delivered, batches, refused: delivered.admission.refused };
    const late = this.#lateRows(admitted, before);
    if (late.from !== null) this.#newestMarket = null;
    await nextTurn();
    await commitMinutes(this.#database, this.#calendar, {
      feed: feed.name,
      simulated: this.#simulated,
      running: admitted.batches,
      actions: admitted.actions,
      facts: admitted.facts,
      chains: await this.#writeChains(admitted.chains),
      tradeDate: this.#session.tradeDate,
      at: asOf,
      lateFrom: late.from,
      overtaken: asOf === before,
      origin: this.origin,
      lease,
    });
    this.#newest = asOf;
    this.#cache.put(admitted.batches, { feed: feed.name, simulated: this.#simulated });
    await nextTurn();
    return this.#taken(admitted, { before, asOf, late: late.rows });
  }

  /** Reads what is told of symbols and not here yet. */
  async tell(symbols: readonly string[]): Promise<void> {
    await this.#cache.tell(symbols);
  }

  /** Tapes with facts and running rows, on memory that threads share. */
  tapes(symbols: readonly string[]): Promise<SymbolTape[]> {
    return this.#cache.tapes(symbols);
  }

  /** The bars of a minute of a symbol so far; null where not all of them are in memory. */
  bars(symbol: string): BarColumns | null {
    return this.#cache.bars(symbol);
  }

  /**
   * The tape of a symbol as it is in memory, which while a minute is written may be that before it: nobody is told of the
   * minute until its stocks are derived. Null where it would have to be read.
   */
  held(symbol: string): HeldTape | null {
    const held = this.#cache.held(symbol);
    if (held === null) return null;
    return { ...held, tradeDate: this.#session.tradeDate, storedAt: this.#storedAt.get(symbol) ?? null };
  }

  /**
   * Notes the minute that `write` stores of symbols. Who asks meanwhile has it derived from the same tape, so that nobody has
   * an earlier one after it was announced.
   */
  async storing(symbols: readonly string[], asOf: number, write: () => Promise<void>): Promise<void> {
    for (const symbol of symbols) this.#storedAt.set(symbol, asOf);
    try {
      await write();
    } catch (error) {
      for (const symbol of symbols) this.#storedAt.delete(symbol);
      throw error;
    }
  }

  /** What a walk over the whole market at an instant of the session needs. */
  async marketTapes(asOf: number): Promise<MarketTape[]> {
    const { tradeDate, close } = this.#session;
    const isRunning = asOf < close;
    if (this.#market?.isRunning !== isRunning) {
      const instants = [{ tradeDate, asOf }];
      const tapes = await readMarketTapes(this.#database, this.#calendar, this.#simulated, instants);
      this.#market = { isRunning, tapes };
    }
    if (!isRunning) return [...this.#market.tapes];
    return this.#market.tapes.map((tape) => {
      const bar = this.#cache.barSoFar(tape.symbol, asOf);
      // A segment that holds some of the session's bars is read together with the rows that it does not.
      const isApart = !tape.slices.some(({ kind }) => isIntraday(kind));
      if (isApart) return bar === null ? tape : { ...tape, barsSoFar: [bar] };
      return { ...tape, running: this.#cache.running(tape.symbol) };
    });
  }

  /** JSON text of the market at a minute; null where it is not here. */
  market(simulated: boolean, tradeDate: string, at: number): string | null {
    const isOwn = simulated === this.#simulated && tradeDate === this.#session.tradeDate;
    return isOwn && this.#newestMarket?.asOf === at ? this.#newestMarket.text : null;
  }

  /** Stores the market of an instant. */
  keepMarket(asOf: number, text: string): Promise<void> {
    this.#newestMarket = { asOf, text };
    return writeMinuteMarket(this.#database, this.#simulated, this.#session.tradeDate, asOf, text);
  }

  /** Clears the dirty ranges of derived symbols. */
  async settle(
    { settles }: Pick<TakenMinutes, 'settles'>,
    within: Queryable = this.#database,
  ): Promise<void> {
    if (settles.length > 0) await clearDirtyRanges(within, settles);
  }

  close(): void {
    this.#all.delete(this);
    this.#stopListening();
  }

  /** The batches, without the prices of rows in which nothing traded. */
  async #sortUntraded({ batches, admission }: AdmittedMinutes): Promise<RunningBatch[]> {
    const sorted: RunningBatch[] = [];
    for (const batch of batches) {
      const { symbol, kind, columns } = batch;
      sorted.push(batch);
      if (!mayBeUntraded(kind, symbol)) continue;
      const soFar = this.#cache.rowsSoFar(symbol, kind);
      const isFirstVolume = statesVolumes(columns) && !statesVolumes(soFar);
      const hasZeros = columns.volume!.includes(0) || (isFirstVolume && soFar.volume!.includes(0));
      if (!hasZeros || !(statesVolumes(columns) || (await this.#statesVolumes(symbol, kind, soFar))))
        continue;
      // Rows of before the first volume were taken for bars of a series without volumes.
      const delivered = isFirstVolume ? mergeRows(kind, [soFar, columns]) : columns;
      const before = rowAtOrAfter(soFar.time, delivered.time[0]!);
      const { count, example, ...rows } = withoutUntradedPrices(
        { ...batch, columns: delivered },
        this.#calendar,
        lastBar(kind, sliceRows(soFar, 0, before)),
      );
      if (count > 0) admission.note('untraded', this.#session.tradeDate, example, count);
      sorted.splice(-1, 1, { ...batch, columns: rows.columns });
    }
    return sorted;
  }

  /** Whether volumes are known of a series of which a row has none: of the session, or of an earlier one or of days. */
  async #statesVolumes(symbol: string, kind: SeriesKind, soFar: Columns): Promise<boolean> {
    if (statesVolumes(soFar)) return true;
    const key = `${kind} ${symbol}`;
    const known = this.#volumes.get(key);
    if (known !== undefined) return known;
    const [tape] = await this.#cache.tapes([symbol]);
    const reader = new SegmentReader(this.#store.location);
    try {
      const day = midnightUtc(this.#session.tradeDate) / DAY_MS;
      const reach = [day - VOLUMES_REACH_DAYS, day] as const;
      const kinds = [kind, 'bars-1d'] as const;
      await reader.fetchAhead(() =>
        (tape?.slices ?? []).filter((slice) => kinds.includes(slice.kind) && holdsDays(slice, ...reach)),
      );
      const states = tape !== undefined && kinds.some((of) => statesVolumes(reader.rows(tape, of, ...reach)));
      this.#volumes.set(key, states);
      return states;
    } finally {
      reader.close();
    }
  }

  async #taken(
    { batches, facts, actions, chains, refused }: TakenRows,
    { before, asOf, late }: { readonly before: number | null; readonly asOf: number; readonly late: number },
  ) {
    const daily = batches.some(({ kind }) => kind === 'bars-1d');
    const profile = facts.some(({ fact }) => fact.kind === 'profile');
    if (daily || profile || actions.length > 0) this.#market = null;
    const reported = [...facts, ...actions, ...chains].map(({ symbol }) => symbol);
    this.#cache.forget(reported);
    // Dirty ranges are read before the tapes: what is written in between stays dirty.
    const settles = this.#othersWrote || asOf === before ? await this.#touchedToday() : [];
    this.#othersWrote = false;
    const waiting = [...this.#changed, ...settles.map(({ symbol }) => symbol)];
    const symbols = new Set([...batches.map(({ symbol }) => symbol), ...reported, ...waiting]);
    this.#changed.clear();
    await this.#cache.read([...symbols]);
    const known = before === null ? [] : await this.#cache.becomingKnown(before, asOf, symbols);
    for (const symbol of known) symbols.add(symbol);
    return {
      /** The end of the newest minute on the tape: the instant at which what has changed is to be derived. */
      asOf,
      /** Symbols of which more or something else is known than at the minute before, in alphabetical order. */
      symbols: [...symbols].sort(),
      rows: batches.reduce((sum, { columns }) => sum + columns.time.length, 0),
      lateRows: late,
      refused,
      /** Begin of the oldest row that was put on the tape; `asOf` without any. */
      since: batches.reduce((oldest, { columns }) => Math.min(oldest, columns.time[0]!), asOf),
      /** End of the newest bar; null without any. */
      newestRow: this.#newestBarEnd(batches),
      /** Symbols of whom more than their rows has changed. */
      changed: [...new Set([...reported, ...waiting])],
      settles,
      /** True when the market of a completed session may have moved. */
      movesClose: this.#market === null,
    };
  }

  /** Writes chains to a file at once: a chain has as many rows as hours of minutes. */
  async #writeChains(chains: readonly OptionChain[]): Promise<WrittenChains | null> {
    if (chains.length === 0) return null;
    const reader = new SegmentReader(this.#store.location);
    try {
      const fresh = await newChains(this.#database, reader, chains);
      return fresh.length === 0 ? null : await writeChains(this.#store, fresh);
    } finally {
      reader.close();
    }
  }

  /** Rows that were final by the newest minute before. */
  #lateRows(
    { batches }: Pick<AdmittedMinutes, 'batches'>,
    before: number | null,
  ): { rows: number; from: number | null } {
    let rows = 0;
    let from: number | null = null;
    if (before === null) return { rows, from };
    for (const { kind, columns } of batches) {
      for (const time of columns.time) {
        const end = finalAt(kind, time, this.#session);
        if (end > before) break;
        rows++;
        from = from === null ? end : Math.min(from, end);
      }
    }
    return { rows, from };
  }

  #newestBarEnd(batches: AdmittedMinutes['batches']): number | null {
    const ends = batches
      .filter(({ kind }) => isIntraday(kind) && barsInterval(kind) !== null)
      .map(({ kind, columns }) => finalAt(kind, columns.time.at(-1)!, this.#session));
    return ends.length === 0 ? null : ends.reduce((newest, end) => Math.max(newest, end));
  }

  #onChange(symbols: readonly string[] | null): void {
    this.#market = null;
    this.#othersWrote = true;
    for (const symbol of this.#cache.forget(symbols)) {
      this.#changed.add(symbol);
      // Only the store knows whether what it has of the minute is still to be trusted.
      this.#storedAt.delete(symbol);
    }
  }

  /** Stretches of the session that wait for derivation. */
  async #touchedToday(): Promise<DirtyRange[]> {
    const day = midnightUtc(this.#session.tradeDate) / DAY_MS;
    return (await readDirtyRanges(this.#database, undefined, this.#simulated)).filter(
      ({ firstDay }) => firstDay >= day,
    );
  }
}

/** The last bar of rows so far; null without one. */
function lastBar(kind: SeriesKind, rows: Columns): Bar | null {
  const { time, open, high, low, close, volume } = asBars(tradedRows(kind, rows));
  const at = time.length - 1;
  if (at < 0) return null;
  return {
    time: time[at]!,
    open: open[at]!,
    high: high[at]!,
    low: low[at]!,
    close: close[at]!,
    volume: volume[at]!,
  };
}

/** Valid rows of one or several minutes by symbol and series, and the refusals. */
type AdmittedMinutes = ReturnType<typeof admitMinutes>;
type TakenRows = Omit<AdmittedMinutes, 'admission'> & Pick<Admission, 'refused'>;

/** Admits minutes of a running session. Of two versions of a row the later one counts. */
function admitMinutes(calendar: Calendar, session: Session, minutes: readonly LiveMinute[]) {
  const admission = new Admission(calendar);
  const parts = new Map<string, { symbol: string; kind: SeriesKind; columns: Columns[] }>();
  const facts: SymbolFact[] = [];
  const actions: { symbol: string; action: CorporateAction }[] = [];
  const chains = new Map<string, OptionChain>();
  for (const { at, deliveries } of minutes) {
    const where = new Date(at).toISOString();
    for (const delivery of deliveries) {
      const admitted = admission.admit(delivery, where, { session, at });
      if (admitted === null) continue;
      if (admitted.kind === 'chain') chains.set(chainKey(admitted.chain), admitted.chain);
      else if (admitted.kind === 'facts') {
        for (const fact of admitted.facts) facts.push({ symbol: admitted.symbol, fact });
      } else if (admitted.kind === 'actions') {
        for (const action of admitted.actions) actions.push({ symbol: admitted.symbol, action });
      } else {
        const { symbol, kind, columns } = admitted;
        const part = parts.getOrInsertComputed(`${kind} ${symbol}`, () => ({ symbol, kind, columns: [] }));
        part.columns.push(columns);
      }
    }
  }
  const batches = Array.from(parts.values(), ({ symbol, kind, columns }): RunningBatch => {
    return { symbol, kind, columns: mergeRows(kind, columns) };
  });
  return { batches, facts, actions, chains: [...chains.values()], admission };
}
