import { DAY_MS, midnightUtc, type Session } from '../base/calendar.ts';
import { chunks } from '../base/chunks.ts';
import { inOrder } from '../base/in-order.ts';
import { Semaphore } from '../base/semaphore.ts';
import type { Database, Queryable } from '../database/database.ts';
import type { BarColumns } from '../market/observations.ts';
import {
  asBars,
  barSeries,
  barsInterval,
  type Columns,
  columnsInOrder,
  columnsOf,
  emptyColumns,
  mergeRows,
  rowAtOrAfter,
  SERIES,
  type SeriesKind,
} from '../market/series.ts';
import { isUntraded, tradedRows } from '../market/untraded.ts';
import type { RunningBatch } from './commit.ts';
import { readPackedFacts } from './facts-reader.ts';
import { PACKED_ROWS, type PackedRows, readRunningRows, readSymbolTapes, unpackRows } from './manifest.ts';
import type { BarSoFar } from './market-tapes.ts';
import { barsFinalAt, regularBar } from './read-view.ts';
import { holdsDays, type RowSource, type RunningRows, type SymbolTape } from './symbol-tape.ts';

interface CachedSymbol {
  /** Without running rows. */
  readonly tape: SymbolTape;
  readonly rows: HeldRows;
  /** Its tape with the facts and chains that can matter during the session, once it has been derived. */
  told: Told | null;
  /** Settles once that is read, while it is. */
  telling: Promise<void> | null;
}

type HeldRows = Map<SeriesKind, RunningColumns>;

/** A symbol's tape in the memory of a running session: of quotes it has the times alone, which is what derivations read. */
export interface HeldTape {
  readonly tradeDate: string;
  readonly bare: SymbolTape;
  /** With the facts and chains of any instant of the session. */
  readonly told: SymbolTape;
  /** The minute that is stored of it; null where only the store knows. */
  readonly storedAt: number | null;
}

interface Told {
  readonly tape: SymbolTape;
  /** When each of the facts that come in the session becomes known, ascending. */
  readonly times: readonly number[];
}

/** Symbols that are read from the database in one statement. */
const SYMBOLS_AT_ONCE = 200;

/**
 * The tapes of a running session's symbols in the process that writes them: no row of the day is read back each
 * minute. A symbol is read on first use and again after another process has written to it; its facts, which take most of
 * the time, are read when it is derived.
 */
export class RunningCache {
  readonly #database: Database;
  readonly #session: Session;
  readonly #cached = new Map<string, CachedSymbol>();
  /** Also of symbols that are being read. */
  readonly #stale = new Set<string>();
  /** How often all symbols have become stale. */
  #timesAllStale = 0;

  constructor(database: Database, session: Session) {
    this.#database = database;
    this.#session = session;
  }

  /** Adds rows that are on the tape; rows of symbols that are not cached are read with their symbol. */
  put(batches: readonly RunningBatch[], source: RowSource): void {
    this.#add(
      batches.filter(({ symbol }) => !this.#stale.has(symbol)),
      source,
    );
  }

  #add(batches: readonly RunningBatch[], source: RowSource): void {
    for (const { symbol, kind, columns } of batches) {
      const rows = this.#cached.get(symbol)?.rows;
      rows?.getOrInsertComputed(kind, () => new RunningColumns(kind)).put(columns, source);
    }
  }

  /** The rows of a batch that are not on the tape as they are; null for none. Its symbol has been read. */
  changed(batch: RunningBatch): RunningBatch | null {
    const { symbol, kind } = batch;
    const held = this.#cached.get(symbol)?.rows.get(kind) ?? new RunningColumns(kind);
    const columns = held.changed(batch.columns, this.#isInSegments(symbol, kind));
    return columns === null ? null : { ...batch, columns };
  }

  /** Rows of the session so far, of a symbol that has been read, with those that say that nothing traded. */
  rowsSoFar(symbol: string, kind: SeriesKind): Columns {
    const held = this.#cached.get(symbol)?.rows.get(kind)?.rows();
    return held === undefined ? emptyColumns(kind) : columnsInOrder(kind, held.columns);
  }

  /** The bars of a minute of the session so far; null where a segment holds others. */
  bars(symbol: string): BarColumns | null {
    if (this.#isInSegments(symbol, 'bars-1m')) return null;
    return asBars(tradedRows('bars-1m', this.rowsSoFar(symbol, 'bars-1m')));
  }

  /** Whether a segment holds rows of the session, as after an import. */
  #isInSegments(symbol: string, kind: SeriesKind): boolean {
    const day = midnightUtc(this.#session.tradeDate) / DAY_MS;
    const slices = this.#cached.get(symbol)?.tape.slices ?? [];
    return slices.some((slice) => slice.kind === kind && holdsDays(slice, day, day));
  }

  /** Marks the symbols stale, or all with null; returns those that were cached. */
  forget(symbols: readonly string[] | null): string[] {
    if (symbols === null) this.#timesAllStale++;
    const all = symbols ?? [...this.#cached.keys()];
    for (const symbol of all) this.#stale.add(symbol);
    return all.filter((symbol) => this.#cached.has(symbol));
  }

  /** Reads the symbols of which the rows are not here. */
  async read(symbols: readonly string[]): Promise<void> {
    const missing = symbols.filter((symbol) => !this.#cached.has(symbol) || this.#stale.has(symbol));
    for (const symbol of missing) this.#stale.delete(symbol);
    await this.#unlessAllStale(async () => {
      await this.#readTapes(missing, [...OF_TIMES], ({ running }) => {
        const rows: HeldRows = new Map();
        for (const each of running) addRead(rows, each);
        return rows;
      });
      return missing;
    });
  }

  /** Reads the symbols of a market that have rows; before anything else is read. */
  async readMarket(simulated: boolean): Promise<void> {
    await this.#unlessAllStale(async () => {
      const held = new Map<string, HeldRows>();
      for await (const { symbol, ...rows } of readRunningRows(this.#database, simulated, [...OF_TIMES])) {
        addRead(
          held.getOrInsertComputed(symbol, () => new Map()),
          rows,
        );
      }
      await this.#readTapes([...held.keys()], null, ({ symbol }) => held.get(symbol)!);
      return held.keys();
    });
  }

  /** @param read returns the symbols; they are stale where all have become so meanwhile */
  async #unlessAllStale(read: () => Promise<Iterable<string>>): Promise<void> {
    const before = this.#timesAllStale;
    const symbols = await read();
    if (before !== this.#timesAllStale) for (const symbol of symbols) this.#stale.add(symbol);
  }

  /** @param ofTimes see `readSymbolTapes` */
  async #readTapes(
    symbols: readonly string[],
    ofTimes: readonly SeriesKind[] | null,
    rowsOf: (tape: SymbolTape) => HeldRows,
  ): Promise<void> {
    const read = (some: readonly string[]) => readSymbolTapes(this.#database, some, { ofTimes });
    // What the store sent is read while it makes the next.
    for await (const tapes of inOrder(chunks(symbols, SYMBOLS_AT_ONCE), read, 2)) {
      for (const tape of tapes) {
        const rows = rowsOf(tape);
        this.#cached.set(tape.symbol, { tape: { ...tape, running: [] }, rows, told: null, telling: null });
      }
    }
  }

  /** Reads the values of rows that come again and of which only the times were read. */
  async readAgain(batches: readonly RunningBatch[]): Promise<void> {
    const again = batches.filter(({ symbol, kind, columns }) =>
      this.#cached.get(symbol)?.rows.get(kind)?.lacks(columns.time),
    );
    if (again.length === 0) return;
    const since = again.reduce((first, { columns }) => Math.min(first, columns.time[0]!), Number.MAX_VALUE);
    const symbols = again.map(({ symbol }) => symbol);
    const read = await readRunningSince(this.#database, symbols, since);
    const ofTimes = read.batches.filter(({ kind }) => OF_TIMES.has(kind));
    // Of a symbol that has become stale meanwhile too: what comes is compared with what is here.
    this.#add(ofTimes, read.source);
  }

  /** The tapes of the symbols that the tape knows, in their order, with their facts. */
  async tapes(symbols: readonly string[]): Promise<SymbolTape[]> {
    const told = await this.tell(symbols);
    return told.map((one) => ({ ...one.told!.tape, running: runningOf(one) }));
  }

  /** The tape of a symbol without its facts and with them; null where it would have to be read. */
  held(symbol: string): Pick<HeldTape, 'bare' | 'told'> | null {
    const one = this.#cached.get(symbol);
    if (one === undefined || one.told === null || this.#stale.has(symbol)) return null;
    const running = runningOf(one);
    return { bare: { ...one.tape, running }, told: { ...one.told.tape, running } };
  }

  /**
   * Symbols with a fact or an option chain that becomes known after one instant, up to and including the other.
   *
   * @param but are derived anyway
   */
  async becomingKnown(after: number, until: number, but: ReadonlySet<string>): Promise<string[]> {
    const others = this.#cached.keys().filter((symbol) => !but.has(symbol));
    const comes = ({ told }: CachedSymbol): boolean => {
      const { tape, times } = told!;
      const fact = times.findLast((knownAt) => knownAt <= until) ?? after;
      const chain = tape.chains.findLast(({ takenAt }) => takenAt <= until)?.takenAt ?? after;
      return Math.max(fact, chain) > after;
    };
    return (await this.tell([...others])).filter(comes).map(({ tape }) => tape.symbol);
  }

  /** The running rows of a symbol; none of one that is not cached. */
  running(symbol: string): RunningRows[] {
    const cached = this.#cached.get(symbol);
    return cached === undefined ? [] : runningOf(cached);
  }

  /** The bar up to an instant from the finest interval since the pre-market; null before the first regular trade. */
  barSoFar(symbol: string, asOf: number): BarSoFar | null {
    const { tradeDate } = this.#session;
    const day = midnightUtc(tradeDate) / DAY_MS;
    for (const interval of ['1m', '5m'] as const) {
      const kind = barSeries(interval);
      const rows = tradedRows(kind, this.rowsSoFar(symbol, kind));
      const bars = barsFinalAt(rows, interval, this.#session, asOf);
      if (bars === null) continue;
      const bar = regularBar(asBars(bars), this.#session, day);
      return bar === null ? null : { tradeDate, high: bar.high, low: bar.low, close: bar.close };
    }
    return null;
  }

  /** Those of the symbols that the tape knows; reads what is told of them, once. */
  async tell(symbols: readonly string[]): Promise<CachedSymbol[]> {
    await this.read(symbols);
    const cached = symbols.flatMap((symbol) => this.#cached.get(symbol) ?? []);
    const untold = cached.filter(({ told, telling }) => told === null && telling === null);
    const span = { from: this.#session.preOpen, to: this.#session.postClose };
    const read = async (some: readonly CachedSymbol[]): Promise<void> => {
      const requests = some.map(({ tape }) => ({ tape, ...span }));
      const told = await readPackedFacts(this.#database, requests);
      for (const [at, one] of some.entries()) one.told = told[at]!;
    };
    const atATime = new Semaphore(2, Number.POSITIVE_INFINITY);
    for (const some of chunks(untold, SYMBOLS_AT_ONCE)) {
      const telling = atATime.run(() => read(some));
      for (const one of some) one.telling = telling;
      const end = (): void => {
        for (const one of some) one.telling = null;
      };
      telling.then(end, end);
    }
    await Promise.all(new Set(cached.map(({ telling }) => telling)));
    return cached;
  }
}

/** Adds rows as they were read, which may be times alone. */
function addRead(rows: HeldRows, { kind, columns, ...source }: RunningRows): void {
  const running = rows.getOrInsertComputed(kind, () => new RunningColumns(kind));
  const notHeld = NOT_HELD.subarray(0, columns[0]!.length);
  const own = columnsOf(kind, (_, index) => columns[index] ?? notHeld);
  running.put(own, source, own);
}

const runningOf = ({ rows }: CachedSymbol): RunningRows[] =>
  Array.from(rows.values(), (columns) => columns.rows());

/** Capacity of an hour of minutes; it grows by half. */
const ROWS_MIN = 64;
const GROWTH = 1.5;

/**
 * Series of which a derivation reads the times alone. Of a row they hold its time and a digest of its values, NaN where
 * these have not been read.
 */
const OF_TIMES: ReadonlySet<SeriesKind> = new Set(['quotes-1m']);
/** Values that are not held, of all minutes of a day. */
const NOT_HELD = new Float64Array(new SharedArrayBuffer(8 * 1_440)).fill(Number.NaN);

/** Rows with 53 bits that follow from all values in the place of the first one. */
function digested(kind: SeriesKind, columns: Columns): Columns {
  const { time } = columns;
  const [high, low] = [new Uint32Array(time.length), new Uint32Array(time.length)];
  const value = new Float64Array(1);
  const words = new Uint32Array(value.buffer);
  for (const name of SERIES[kind].slice(1)) {
    for (let row = 0; row < time.length; row++) {
      const exact = columns[name]![row]!;
      value[0] = Number.isNaN(exact) ? Number.NaN : exact;
      for (const word of words) {
        high[row] = Math.imul(high[row]! ^ word, 0x01000193) + (low[row]! >>> 7);
        low[row] = Math.imul(low[row]! ^ word, 0x85ebca6b) + (high[row]! >>> 13);
      }
    }
  }
  const digests = time.map((_, row) => high[row]! * 2 ** 21 + (low[row]! >>> 11));
  return columnsOf(kind, (_, index) => [time, digests][index] ?? NOT_HELD.subarray(0, time.length));
}

/**
 * Rows of one symbol and series of the running session, on shared memory: derivation threads read them without a
 * copy. Published rows never change; new rows are appended, and a correction moves all rows to new memory.
 */
class RunningColumns {
  readonly #kind: SeriesKind;
  readonly #isOfTimes: boolean;
  /** Columns with memory. */
  readonly #names: readonly string[];
  #rows = 0;
  #capacity = 0;
  #columns: readonly Float64Array[] = [];
  #feed = '';
  #simulated = false;

  constructor(kind: SeriesKind) {
    this.#kind = kind;
    this.#isOfTimes = OF_TIMES.has(kind);
    this.#names = this.#isOfTimes ? SERIES[kind].slice(0, 2) : SERIES[kind];
  }

  get newest(): number | undefined {
    return this.#columns[0]?.[this.#rows - 1];
  }

  /** Whether rows at some of the times, ascending, are held without their values. */
  lacks(times: Float64Array): boolean {
    if (!this.#isOfTimes || this.newest === undefined || times[0]! > this.newest) return false;
    const [held, digests] = this.#columns as [Float64Array, Float64Array];
    const own = held.subarray(0, this.#rows);
    return times.some((time) => {
      const at = rowAtOrAfter(own, time);
      return own[at] === time && Number.isNaN(digests[at]);
    });
  }

  /** Adds rows in ascending time; where one has the time of an earlier row, it replaces that. */
  put(rows: Columns, { feed, simulated }: RowSource, columns = this.#held(rows)): void {
    if (rows.time.length === 0) return;
    if (this.newest === undefined || columns.time.at(-1)! >= this.newest) this.#feed = feed;
    this.#simulated ||= simulated;
    if (this.newest === undefined || columns.time[0]! > this.newest) this.#append(columns);
    else {
      this.#replace(mergeRows(this.#kind, [this.#columnsSoFar(), columns]));
    }
  }

  /**
   * The given rows, in ascending time, that are not here as they are; null for none. A row that says that nothing traded
   * needs a bar that it takes the place of.
   *
   * @param others whether there may be bars that are not here
   */
  changed(columns: Columns, others: boolean): Columns | null {
    const { time } = columns;
    const isNew = this.newest === undefined || time[0]! > this.newest;
    if (isNew && (others || tradedRows(this.#kind, columns) === columns)) return columns;
    const times = (this.#columns[0] ?? new Float64Array(0)).subarray(0, this.#rows);
    const held = this.#held(columns);
    const isBars = barsInterval(this.#kind) !== null;
    const rows = Array.from(time.keys()).filter((row) => {
      const at = rowAtOrAfter(times, time[row]!);
      if (times[at] !== time[row]) return others || !isBars || !isUntraded(columns, row);
      return this.#names.some((name, index) => !Object.is(held[name]![row], this.#columns[index]![at]));
    });
    if (rows.length === time.length) return columns;
    if (rows.length === 0) return null;
    return columnsOf(this.#kind, (name) => Float64Array.from(rows, (row) => columns[name]![row]!));
  }

  /** The rows so far; they share memory with this. */
  rows(): RunningRows {
    const held = Object.values(this.#columnsSoFar());
    const columns = this.#isOfTimes ? held.with(1, NOT_HELD.subarray(0, this.#rows)) : held;
    return { kind: this.#kind, feed: this.#feed, simulated: this.#simulated, columns };
  }

  #columnsSoFar(): Columns {
    return columnsOf(this.#kind, (_, index) => (this.#columns[index] ?? NOT_HELD).subarray(0, this.#rows));
  }

  #held(rows: Columns): Columns {
    return this.#isOfTimes ? digested(this.#kind, rows) : rows;
  }

  #append(columns: Columns): void {
    const rows = this.#rows + columns.time.length;
    if (rows > this.#capacity) this.#moveTo(Math.max(ROWS_MIN, rows, Math.ceil(this.#capacity * GROWTH)));
    for (const [index, name] of this.#names.entries()) {
      this.#columns[index]!.set(columns[name]!, this.#rows);
    }
    this.#rows = rows;
  }

  #replace(columns: Columns): void {
    this.#rows = 0;
    this.#capacity = 0;
    this.#append(columns);
  }

  #moveTo(capacity: number): void {
    const memory = new SharedArrayBuffer(this.#names.length * capacity * 8);
    this.#columns = this.#names.map((_, index) => {
      const column = new Float64Array(memory, index * capacity * 8, capacity);
      if (this.#rows > 0) column.set(this.#columns[index]!.subarray(0, this.#rows));
      return column;
    });
    this.#capacity = capacity;
  }
}

/** What a minute changed in a part of a running session. Instants are epoch milliseconds. */
export interface PartMinute {
  /** Names the part. */
  readonly part: number;
  /** The newest minute on the tape, and the one before it; null before the first. */
  readonly at: number;
  readonly before: number | null;
  readonly symbols: readonly string[];
  /** Begin of the oldest row that came with the minute. */
  readonly since: number;
  /** Symbols of whom more than their rows has changed. */
  readonly changed: readonly string[];
}

/** Derives a minute of a part from the tapes of its symbols. */
export type WithPart = ReturnType<typeof runningParts>;

/**
 * The tapes of a running session in a process that derives parts of it for the owner of the live feed. Rows of the day
 * stay in memory that threads share; a part that has missed a minute is read again.
 */
export function runningParts(database: Database, session: Session) {
  const cache = new RunningCache(database, session);
  /** Of each part its newest minute, and the symbols that it has had. */
  const parts = new Map<number, { readonly at: number; readonly symbols: ReadonlySet<string> }>();
  return async <T>(minute: PartMinute, derive: (tapes: SymbolTape[]) => Promise<T>): Promise<T> => {
    const { part, at, before, symbols, since, changed } = minute;
    const own = parts.get(part);
    parts.delete(part);
    if (own !== undefined && own.at === before) {
      cache.forget(changed);
      const { batches, source } = await readRunningSince(database, symbols, since);
      cache.put(batches, source);
    } else {
      cache.forget([...(own?.symbols ?? []), ...symbols]);
    }
    const result = await derive(await cache.tapes(symbols));
    parts.set(part, { at, symbols: new Set([...(own?.symbols ?? []), ...symbols]) });
    return result;
  };
}

/** Rows of a running session from a time on, by symbol and series. */
async function readRunningSince(database: Queryable, symbols: readonly string[], since: number) {
  const packed = await database.query<PackedRows & { readonly symbol: string }>(
    `select r.symbol, r.kind, ${PACKED_ROWS} from running_row r
     where r.symbol = any($1::text[]) and r.time >= $2::bigint group by r.symbol, r.kind order by r.symbol, r.kind`,
    [symbols, since],
  );
  return {
    batches: packed.map(({ symbol, kind, rows }) => {
      return { symbol, kind, columns: columnsInOrder(kind, unpackRows(kind, rows)) };
    }),
    source: {
      feed: packed.at(-1)?.feed ?? '',
      simulated: packed.some(({ simulated }) => simulated),
    },
  };
}
