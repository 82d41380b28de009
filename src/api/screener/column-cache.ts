import type { Database } from '../../database/database.ts';
import { CodedError } from '../../base/errors.ts';
import {
  readScreenCatalogues,
  readScreenDates,
  readScreenRowNames,
  readScreenRows,
  readScreenRowsOf,
  type ScreenDate,
  type StoredScreenRow,
} from '../../graph/screen-rows.ts';
import { type ImageChange, makeImage, rowNameOf, type ScreenImage } from './image.ts';
import { StaleWhileRevalidate } from './stale-while-revalidate.ts';

/** Four dates of 10,000 stocks, or eighty of 500. */
const BYTES_MAX = 192 * 1_048_576;
/** Rows that are read in one go: their bytes hold the event loop for some milliseconds. */
const ROWS_AT_ONCE = 128;
/** First loads that may wait for the one under way: each takes memory and a second or so. */
const LOADS_WAITING_MAX = 4;
/** Beyond this many symbols the names of all rows are read in place of theirs. */
const NAMED_MAX = 2_000;
/** Dates that are looked at together for one that may be shown. */
const DATES_AT_ONCE = 8;

interface Entry {
  readonly image: StaleWhileRevalidate<ScreenImage | null>;
  /** Symbols that were announced since their rows were read; null for all. */
  announced: Set<string> | null;
}

/**
 * Images of trade dates, least recently used first out. Each is read from the store once and brought up to date by the
 * rows of the symbols that were announced since.
 */
export class ColumnCache {
  readonly #database: Database;
  readonly #bytesMax: number;
  readonly #entries = new Map<string, Entry>();
  readonly #dates = new Map<string, StaleWhileRevalidate<readonly ScreenDate[]>>();
  #loads = 0;
  #loading: Promise<unknown> = Promise.resolve();

  constructor(database: Database, bytesMax: number = BYTES_MAX) {
    this.#database = database;
    this.#bytesMax = bytesMax;
  }

  /** What the images that are kept take. */
  get bytes(): number {
    return this.#entries.values().reduce((sum, { image }) => sum + (image.last?.bytes ?? 0), 0);
  }

  /** Hears that the rows of symbols may have changed, with null those of all. */
  announce(symbols: readonly string[] | null): void {
    for (const dates of this.#dates.values()) dates.change();
    for (const entry of this.#entries.values()) {
      if (symbols === null) entry.announced = null;
      else for (const symbol of symbols) entry.announced?.add(symbol);
      entry.image.change();
    }
  }

  /**
   * The image of a trade date, null where it has no rows; a little behind what has been announced while that is being read.
   *
   * @throws CodedError overloaded, where as many dates as may be are waiting to be read
   */
  async of(tradeDate: string): Promise<ScreenImage | null> {
    const entry = this.#entries.get(tradeDate) ?? this.#newEntry(tradeDate);
    // Re-inserting moves the date to the young end of the map, which iterates in order of insertion.
    this.#entries.delete(tradeDate);
    this.#entries.set(tradeDate, entry);
    try {
      const image = await entry.image.get();
      if (image === null) this.#forget(tradeDate, entry);
      else this.#makeRoom(entry);
      return image;
    } catch (error) {
      if (entry.image.last === null) this.#forget(tradeDate, entry);
      throw error;
    }
  }

  /** Trade dates with rows up to `until`, newest first, some at a time. */
  async *datesUntil(until: string): AsyncIterable<ScreenDate> {
    let dates = await this.#newestDates(until);
    while (dates.length > 0) {
      yield* dates;
      const last = dates.at(-1)!.tradeDate;
      const older = await readScreenDates(this.#database, last, DATES_AT_ONCE + 1);
      dates = older.slice(1);
    }
  }

  #newestDates(until: string): Promise<readonly ScreenDate[]> {
    const known = this.#dates.get(until);
    if (known !== undefined) return known.get();
    // A new day is asked about, and the one before will not be again.
    this.#dates.clear();
    const dates = new StaleWhileRevalidate<readonly ScreenDate[]>(() =>
      readScreenDates(this.#database, until, DATES_AT_ONCE),
    );
    this.#dates.set(until, dates);
    return dates.get();
  }

  #newEntry(tradeDate: string): Entry {
    const entry: Entry = {
      announced: new Set(),
      image: new StaleWhileRevalidate((former) =>
        former === null ? this.#inLine(() => this.#load(tradeDate)) : this.#refresh(tradeDate, former, entry),
      ),
    };
    return entry;
  }

  #forget(tradeDate: string, entry: Entry): void {
    if (this.#entries.get(tradeDate) === entry) this.#entries.delete(tradeDate);
  }

  #makeRoom(inUse: Entry): void {
    for (const [tradeDate, entry] of this.#entries) {
      if (this.bytes <= this.#bytesMax) return;
      if (entry !== inUse && entry.image.last !== null) this.#entries.delete(tradeDate);
    }
  }

  /** One after another: a load holds all rows of its date besides what it makes of them. */
  async #inLine<T>(load: () => Promise<T>): Promise<T> {
    if (this.#loads > LOADS_WAITING_MAX) throw new CodedError('overloaded');
    this.#loads++;
    const before = this.#loading;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#loading = promise;
    await before;
    try {
      return await load();
    } finally {
      this.#loads--;
      resolve();
    }
  }

  async #load(tradeDate: string): Promise<ScreenImage | null> {
    const rows: StoredScreenRow[] = [];
    for (let page: StoredScreenRow[], after: string | null = null; ; after = page.at(-1)!.symbol) {
      page = await readScreenRows(this.#database, tradeDate, after, ROWS_AT_ONCE);
      rows.push(...page);
      if (page.length < ROWS_AT_ONCE) break;
    }
    if (rows.length === 0) return null;
    return this.#make(tradeDate, null, { rows, gone: new Set() });
  }

  async #refresh(tradeDate: string, former: ScreenImage, entry: Entry): Promise<ScreenImage | null> {
    const { announced } = entry;
    entry.announced = new Set();
    try {
      const change = await this.#changeSince(tradeDate, former, announced);
      if (change.rows.length === 0 && change.gone.size === 0) return former;
      const image = await this.#make(tradeDate, former, change);
      return image.symbols.length === 0 ? null : image;
    } catch (error) {
      // Whatever was not read is still to be read.
      if (announced === null || entry.announced === null) entry.announced = null;
      else for (const symbol of announced) entry.announced.add(symbol);
      throw error;
    }
  }

  async #changeSince(
    tradeDate: string,
    former: ScreenImage,
    announced: ReadonlySet<string> | null,
  ): Promise<ImageChange> {
    const asked = announced === null || announced.size > NAMED_MAX ? null : [...announced];
    const names = await readScreenRowNames(this.#database, tradeDate, asked);
    const known = new Map(former.symbols.map((symbol, row) => [symbol, former.rowNames[row]!]));
    const found = new Map(names.map((name) => [name.symbol, rowNameOf(name)]));
    const changed = [...found].flatMap(([symbol, name]) => (known.get(symbol) === name ? [] : [symbol]));
    const gone = (asked ?? former.symbols).filter((symbol) => known.has(symbol) && !found.has(symbol));
    const rows: StoredScreenRow[] = [];
    for (let at = 0; at < changed.length; at += ROWS_AT_ONCE) {
      const some = changed.slice(at, at + ROWS_AT_ONCE);
      rows.push(...(await readScreenRowsOf(this.#database, tradeDate, some)));
    }
    return { rows, gone: new Set(gone) };
  }

  async #make(tradeDate: string, former: ScreenImage | null, change: ImageChange): Promise<ScreenImage> {
    return makeImage(tradeDate, former, change, await readScreenCatalogues(this.#database));
  }
}
