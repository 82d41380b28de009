import { MEMORY_BYTES_MAX, PAGE_BYTES } from '../../analysis/kernels/kernels.ts';
import {
  addBlock,
  BLOCK_ROWS,
  BLOCK_YEARS,
  blockAt,
  openStateMemory,
  BLOCK_BYTES as SHARED_BYTES,
  type StateBlock,
  type StateMemory,
  YEAR_ROWS,
} from '../../analysis/similarity/nearest.ts';
import { STATE_WIDTH } from '../../analysis/similarity/states.ts';
import { abortable, NEVER } from '../../base/abortable.ts';
import { CodedError } from '../../base/errors.ts';
import type { Database } from '../../database/database.ts';
import { STATE_PARTS } from '../../derive/stock-state.ts';
import { readStateYearsAfter, type VersionedYear } from '../../graph/stock-states.ts';
import type { StateScanner } from '../../workers/task-threads.ts';

/** A stock-day and how far its state lies from another. */
export interface NearState {
  readonly symbol: string;
  /** Since 1970-01-01. */
  readonly day: number;
  /** Euclidean. */
  readonly distance: number;
}

/** Every state of a market, as it was at one moment. */
export interface CachedStates {
  /** The newest state of a symbol up to a day; null where it has none. */
  newest(symbol: string, until: number): { readonly day: number; readonly state: Int16Array } | null;
  /** The nearest states up to a day, and how many there are. */
  nearest(
    state: Int16Array,
    until: number,
    count: number,
  ): Promise<{ readonly candidates: number; readonly near: readonly NearState[] }>;
  /** Log return of a symbol from one day to another; null where it has no state on the second. */
  logReturn(symbol: string, from: number, to: number): number | null;
}

export const BLOCK_BYTES = SHARED_BYTES + BLOCK_ROWS * 8;
/** Blocks that fit the memory of kernels. */
const BLOCKS_MAX = Math.floor((MEMORY_BYTES_MAX - PAGE_BYTES) / SHARED_BYTES);
/** Years that one statement reads: half a megabyte, some milliseconds of the embedded backend. */
const YEARS_AT_ONCE = 32;

interface HeldBlock extends StateBlock {
  readonly logReturns: Float64Array;
}

interface HeldYear {
  readonly year: number;
  readonly symbol: string;
  /** Place of its rows, counted in years through all blocks. */
  readonly place: number;
  rows: number;
}

/**
 * The states of a market in memory that a thread shares, read once and brought up to date by the years that were written
 * since. Readers take turns, so that each sees the store as it was at one moment.
 */
export class StateCache {
  readonly #database: Database;
  readonly #scanner: StateScanner;
  readonly #blocksMax: number;
  readonly #simulated: boolean;
  /** Taken with the first block: most processes read no states. */
  #memory: StateMemory | null = null;
  readonly #blocks: HeldBlock[] = [];
  readonly #years: HeldYear[] = [];
  /** By symbol its years, oldest first. */
  readonly #yearsOf = new Map<string, HeldYear[]>();
  #version = 0;
  /** Years that found no room. */
  #left = 0;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(database: Database, scanner: StateScanner, bytesMax: number, simulated: boolean) {
    this.#database = database;
    this.#scanner = scanner;
    this.#simulated = simulated;
    this.#blocksMax = Math.min(Math.floor(bytesMax / BLOCK_BYTES), BLOCKS_MAX);
  }

  /**
   * Reads the states of the store as they are now.
   *
   * @param signal ends the wait; what is being read serves the next reader
   * @throws CodedError feature_disabled, where there are more states than there is room for; overloaded
   */
  use<T>(read: (states: CachedStates) => Promise<T>, signal: AbortSignal = NEVER): Promise<T> {
    const turn = this.#turn.then(async () => {
      signal.throwIfAborted();
      await this.#refresh();
      signal.throwIfAborted();
      if (this.#left > 0) throw this.#tooMany();
      return read(this.#held);
    });
    this.#turn = turn.catch(() => {});
    return abortable(turn, signal);
  }

  #tooMany(): CodedError {
    const megabytes = Math.ceil(
      ((this.#years.length + this.#left) / BLOCK_YEARS) * (BLOCK_BYTES / 1_048_576),
    );
    return new CodedError(
      'feature_disabled',
      `The states of ${this.#years.length + this.#left} stock-years take ${megabytes} MB, more than TIGRAPH_STATES_MB allows`,
    );
  }

  async #refresh(): Promise<void> {
    const symbols = this.#yearsOf.size;
    for (let more = true; more; ) {
      const years = await readStateYearsAfter(this.#database, this.#simulated, this.#version, YEARS_AT_ONCE);
      for (const year of years) this.#put(year);
      more = years.length === YEARS_AT_ONCE;
    }
    if (this.#yearsOf.size > symbols) this.#rank();
  }

  #put(year: VersionedYear): void {
    this.#version = year.version;
    const cached = this.#yearsOf.get(year.symbol)?.find((one) => one.year === year.year) ?? this.#make(year);
    if (cached === null) return;
    const { states, days, logReturns } = this.#blocks[Math.floor(cached.place / BLOCK_YEARS)]!;
    const row = (cached.place % BLOCK_YEARS) * YEAR_ROWS;
    days.fill(0, row, row + YEAR_ROWS);
    days.set(year.days, row);
    states.set(year.states, row * STATE_WIDTH);
    logReturns.set(year.logReturns, row);
    cached.rows = year.days.length;
  }

  #make({ symbol, year }: VersionedYear): HeldYear | null {
    const place = this.#years.length;
    if (place === this.#blocks.length * BLOCK_YEARS) {
      if (this.#blocks.length === this.#blocksMax) {
        this.#left++;
        return null;
      }
      this.#memory = addBlock(this.#memory ?? openStateMemory(this.#blocksMax));
      const block = blockAt(this.#memory, this.#blocks.length);
      this.#blocks.push({ ...block, logReturns: new Float64Array(BLOCK_ROWS) });
    }
    const cached = { symbol, year, place, rows: 0 };
    this.#years.push(cached);
    const own = this.#yearsOf.getOrInsertComputed(symbol, () => []);
    own.push(cached);
    own.sort((one, other) => one.year - other.year);
    return cached;
  }

  #rank(): void {
    const symbols = [...this.#yearsOf.keys()].sort();
    const ranks = new Map(symbols.map((symbol, rank) => [symbol, rank]));
    for (const { symbol, place } of this.#years) {
      const { ranks: ofBlock } = this.#blocks[Math.floor(place / BLOCK_YEARS)]!;
      ofBlock[place % BLOCK_YEARS] = ranks.get(symbol)!;
    }
  }

  readonly #held: CachedStates = {
    newest: (symbol, last) => {
      for (const year of this.#yearsOf.get(symbol)?.toReversed() ?? []) {
        const { days, states } = this.#columnsOf(year);
        const row = days.findLastIndex((day) => day <= last);
        if (row < 0) continue;
        return { day: days[row]!, state: states.slice(row * STATE_WIDTH, (row + 1) * STATE_WIDTH) };
      }
      return null;
    },
    nearest: async (own, last, count) => {
      if (this.#memory === null) return { candidates: 0, near: [] };
      const task = { states: this.#memory, own, until: last, count };
      const { candidates, rows, squares } = await this.#scanner.run(task);
      const near = Array.from(rows, (row, at): NearState => {
        const { days } = this.#blocks[Math.floor(row / BLOCK_ROWS)]!;
        const { symbol } = this.#years[Math.floor(row / YEAR_ROWS)]!;
        return { symbol, day: days[row % BLOCK_ROWS]!, distance: Math.sqrt(squares[at]!) / STATE_PARTS };
      });
      return { candidates, near };
    },
    logReturn: (symbol, from, to) => {
      let sum = 0;
      let newest = from;
      for (const year of this.#yearsOf.get(symbol) ?? []) {
        const { days, logReturns } = this.#columnsOf(year);
        for (const [row, day] of days.entries()) {
          if (day <= from || day > to) continue;
          sum += logReturns[row]!;
          newest = day;
        }
      }
      return newest === to ? sum : null;
    },
  };

  #columnsOf({ place, rows }: HeldYear) {
    const { states, days, logReturns } = this.#blocks[Math.floor(place / BLOCK_YEARS)]!;
    const row = (place % BLOCK_YEARS) * YEAR_ROWS;
    return {
      days: days.subarray(row, row + rows),
      states: states.subarray(row * STATE_WIDTH, (row + rows) * STATE_WIDTH),
      logReturns: logReturns.subarray(row, row + rows),
    };
  }
}
