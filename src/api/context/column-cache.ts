import { LRUCache } from 'lru-cache';
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
import { ChangedSymbols } from './changed-symbols.ts';
import { type ImageChange, makeImage, rowNameOf, type ScreenImage } from './screen-image.ts';
import { StaleWhileRevalidate } from './stale-while-revalidate.ts';

/** Four dates of 10,000 stocks, or eighty of 500. */
const BYTES_MAX = 192 * 1_048_576;
/** Rows of one query: decoding them blocks the event loop for some milliseconds. */
const ROWS_AT_ONCE = 128;
/** First loads that may wait: each takes memory and about a second. */
const LOADS_WAITING_MAX = 4;
const DATES_AT_ONCE = 8;

interface Entry {
  readonly image: StaleWhileRevalidate<ScreenImage | null>;
  readonly announced: ChangedSymbols;
}

/** An LRU cache of column images of a market by trade date. Each is read once and then updated by the rows of announced symbols. */
export class ColumnCache {
  readonly #database: Database;
  readonly #scope: Scope;
  readonly #simulated: boolean;
  readonly #bytesMax: number;
  readonly #entries: LRUCache<string, Entry>;
  /** Of the present day. */
  readonly #dates = new LRUCache<string, StaleWhileRevalidate<readonly ScreenDate[]>>({ max: 1 });
  /** One load at a time, since it holds all rows of a date besides the image. */
  readonly #loads = new Semaphore(1, LOADS_WAITING_MAX);

  constructor(database: Database, scope: Scope, simulated: boolean, bytesMax: number = BYTES_MAX) {
    this.#scope = scope;
    this.#database = database;
    this.#simulated = simulated;
    this.#bytesMax = Math.floor(bytesMax);
    this.#entries = new LRUCache({ maxSize: this.#bytesMax });
  }

  get bytes(): number {
    return this.#entries.calculatedSize;
  }

  /** Marks the rows of symbols as changed; null for all. */
  announce(symbols: readonly string[] | null): void {
    for (const dates of this.#dates.values()) dates.change();
    for (const entry of this.#entries.values()) {
      entry.announced.add(symbols);
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
    try {
      const image = await entry.image.get();
      this.#resize(tradeDate, entry, image?.bytes);
      return image;
    } catch (error) {
      if (entry.image.last === null) this.#resize(tradeDate, entry);
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
    const dates = new StaleWhileRevalidate<readonly ScreenDate[]>(this.#scope, 'dates of screens', () =>
      readScreenDates(this.#database, this.#simulated, until, DATES_AT_ONCE),
    );
    this.#dates.set(until, dates);
    return dates.get();
  }

  #newEntry(tradeDate: string): Entry {
    const entry: Entry = {
      announced: new ChangedSymbols(true),
      image: new StaleWhileRevalidate(this.#scope, `columns of ${tradeDate}`, (former) =>
        former === null
          ? this.#loads.run(() => this.#load(tradeDate))
          : this.#refresh(tradeDate, former, entry),
      ),
    };
    this.#entries.set(tradeDate, entry, { size: 1 });
    return entry;
  }

  /**
   * An image that is larger than all may be has a place: it is in use. One that has lost its place meanwhile has heard of
   * no change since, and gets none.
   *
   * @param bytes undefined without an image, which needs no place
   */
  #resize(tradeDate: string, entry: Entry, bytes?: number): void {
    if (this.#entries.peek(tradeDate) !== entry) return;
    this.#entries.delete(tradeDate);
    if (bytes !== undefined) this.#entries.set(tradeDate, entry, { size: Math.min(bytes, this.#bytesMax) });
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

  #refresh(tradeDate: string, former: ScreenImage, { announced }: Entry): Promise<ScreenImage | null> {
    return announced.take(async (symbols) => {
      const change = await this.#changeSince(tradeDate, former, symbols && [...symbols]);
      if (change.rows.length === 0 && change.gone.size === 0) return former;
      const image = await this.#make(tradeDate, former, change);
      return image.symbols.length === 0 ? null : image;
    });
  }

  /** @param symbols of rows that may have changed; null for all */
  async #changeSince(
    tradeDate: string,
    former: ScreenImage,
    symbols: readonly string[] | null,
  ): Promise<ImageChange> {
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
