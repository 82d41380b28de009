import { chunks } from '../../base/chunks.ts';
import type { Scope } from '../../base/scope.ts';
import { Semaphore } from '../../base/semaphore.ts';
import type { Database } from '../../database/database.ts';
import {
  readScreenCatalogues,
  readScreenDates,
  readScreenRowNames,
  readScreenRows,
  readScreenRowsOf,
  type ScreenDate,
  type StoredScreenRow,
} from '../../graph/screen-rows.ts';
import { type ImageChange, makeImage, rowNameOf, type ScreenImage } from './screen-image.ts';
import { StaleWhileRevalidate } from './stale-while-revalidate.ts';

/** Four dates of 10,000 stocks, or eighty of 500. */
const BYTES_MAX = 192 * 1_048_576;
/** Rows of one query: decoding them blocks the event loop for some milliseconds. */
const ROWS_AT_ONCE = 128;
/** First loads that may wait: each takes memory and about a second. */
const LOADS_WAITING_MAX = 4;
/** For more changed symbols the names of all rows are read. */
const NAMED_MAX = 2_000;
const DATES_AT_ONCE = 8;

interface Entry {
  readonly image: StaleWhileRevalidate<ScreenImage | null>;
  /** Symbols announced since the last read; null for all. */
  announced: Set<string> | null;
}

/** An LRU cache of column images of a market by trade date. Each is read once and then updated by the rows of announced symbols. */
export class ColumnCache {
  readonly #database: Database;
  readonly #scope: Scope;
  readonly #simulated: boolean;
  readonly #bytesMax: number;
  readonly #entries = new Map<string, Entry>();
  readonly #dates = new Map<string, StaleWhileRevalidate<readonly ScreenDate[]>>();
  /** One load at a time, since it holds all rows of a date besides the image. */
  readonly #loads = new Semaphore(1, LOADS_WAITING_MAX);

  constructor(database: Database, scope: Scope, simulated: boolean, bytesMax: number = BYTES_MAX) {
    this.#scope = scope;
    this.#database = database;
    this.#simulated = simulated;
    this.#bytesMax = bytesMax;
  }

  get bytes(): number {
    return this.#entries.values().reduce((sum, { image }) => sum + (image.last?.bytes ?? 0), 0);
  }

  /** Marks the rows of symbols as changed; null for all. */
  announce(symbols: readonly string[] | null): void {
    for (const dates of this.#dates.values()) dates.change();
    for (const entry of this.#entries.values()) {
      if (symbols === null) entry.announced = null;
      else for (const symbol of symbols) entry.announced?.add(symbol);
      entry.image.change();
    }
  }

  /**
   * The image of a trade date, null without rows. During an update it may be a little behind.
   *
   * @throws CodedError overloaded when too many dates wait to be loaded
   */
  async of(tradeDate: string): Promise<ScreenImage | null> {
    const entry = this.#entries.get(tradeDate) ?? this.#newEntry(tradeDate);
    // Moves the date to the end of the map, which iterates in order of insertion.
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

  /** Trade dates with rows up to `until`, newest first. */
  async *datesUntil(until: string): AsyncIterable<ScreenDate> {
    let dates = await this.#newestDates(until);
    while (dates.length > 0) {
      yield* dates;
      const last = dates.at(-1)!.tradeDate;
      const older = await readScreenDates(this.#database, this.#simulated, last, DATES_AT_ONCE + 1);
      dates = older.slice(1);
    }
  }

  #newestDates(until: string): Promise<readonly ScreenDate[]> {
    const known = this.#dates.get(until);
    if (known !== undefined) return known.get();
    // `until` is the present day.
    this.#dates.clear();
    const dates = new StaleWhileRevalidate<readonly ScreenDate[]>(this.#scope, 'dates of screens', () =>
      readScreenDates(this.#database, this.#simulated, until, DATES_AT_ONCE),
    );
    this.#dates.set(until, dates);
    return dates.get();
  }

  #newEntry(tradeDate: string): Entry {
    const entry: Entry = {
      announced: new Set(),
      image: new StaleWhileRevalidate(this.#scope, `columns of ${tradeDate}`, (former) =>
        former === null
          ? this.#loads.run(() => this.#load(tradeDate))
          : this.#refresh(tradeDate, former, entry),
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

  async #load(tradeDate: string): Promise<ScreenImage | null> {
    const rows: StoredScreenRow[] = [];
    for (let page: StoredScreenRow[], after: string | null = null; ; after = page.at(-1)!.symbol) {
      page = await readScreenRows(this.#database, this.#simulated, tradeDate, after, ROWS_AT_ONCE);
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
      // The next update reads all: what failed may have been due to one name.
      entry.announced = null;
      throw error;
    }
  }

  async #changeSince(
    tradeDate: string,
    former: ScreenImage,
    announced: ReadonlySet<string> | null,
  ): Promise<ImageChange> {
    const symbols = announced === null || announced.size > NAMED_MAX ? null : [...announced];
    const names = await readScreenRowNames(this.#database, this.#simulated, tradeDate, symbols);
    const known = new Map(former.symbols.map((symbol, row) => [symbol, former.rowNames[row]!]));
    const stored = new Map(names.map((name) => [name.symbol, rowNameOf(name)]));
    const changed = [...stored].flatMap(([symbol, name]) => (known.get(symbol) === name ? [] : [symbol]));
    const gone = (symbols ?? former.symbols).filter((symbol) => known.has(symbol) && !stored.has(symbol));
    const rows: StoredScreenRow[] = [];
    for (const some of chunks(changed, ROWS_AT_ONCE))
      rows.push(...(await readScreenRowsOf(this.#database, this.#simulated, tradeDate, some)));
    return { rows, gone: new Set(gone) };
  }

  async #make(tradeDate: string, former: ScreenImage | null, change: ImageChange): Promise<ScreenImage> {
    return makeImage(tradeDate, former, change, await readScreenCatalogues(this.#database));
  }
}
