import { CONTRACT_COLUMNS, type ContractColumns, type ContractRow } from './chains.ts';
import {
  BAR_COLUMNS,
  type BarColumns,
  namedColumns,
  QUOTE_BAR_COLUMNS,
  type QuoteBarColumns,
} from './observations.ts';
import { type RefusalReason, refuseBar, refuseQuotes, refuseTime } from './refusals.ts';

/**
 * Columns of doubles that grow by doubling; `take` returns columns of exact length. `columns` may be others after each
 * row, and the former ones empty.
 */
export class GrowingColumns<Name extends string> {
  rows = 0;
  readonly #names: readonly Name[];
  readonly #leastCapacity: number;
  #capacity = 0;
  #columns: Readonly<Record<Name, Float64Array<ArrayBuffer>>>;

  constructor(names: readonly Name[], leastCapacity: number) {
    this.#names = names;
    this.#leastCapacity = leastCapacity;
    this.#columns = namedColumns(names, () => new Float64Array());
  }

  /** The columns, with space for one more row. */
  get columns(): Readonly<Record<Name, Float64Array>> {
    if (this.rows === this.#capacity) {
      this.#capacity = Math.max(this.#leastCapacity, 2 * this.#capacity);
      this.#columns = this.#ofRows(this.#capacity);
    }
    return this.#columns;
  }

  push(row: Readonly<Record<Name, number>>): void {
    const { columns } = this;
    for (const name of this.#names) columns[name][this.rows] = row[name];
    this.rows++;
  }

  /** Leaves the rows at some places, which ascend. */
  keep(places: readonly number[]): void {
    for (const name of this.#names) {
      const column = this.#columns[name];
      for (const [to, from] of places.entries()) column[to] = column[from]!;
    }
    this.rows = places.length;
  }

  /** The rows so far. None are left afterwards, nor their memory: a file holds builders of thousands of symbols. */
  take(): Readonly<Record<Name, Float64Array>> {
    const taken = this.#ofRows(this.rows);
    this.rows = 0;
    this.#capacity = 0;
    this.#columns = namedColumns(this.#names, () => new Float64Array());
    return taken;
  }

  /** The columns cut or extended to a length, in the same memory where that is possible. */
  #ofRows(rows: number): Readonly<Record<Name, Float64Array<ArrayBuffer>>> {
    return namedColumns(
      this.#names,
      (name) => new Float64Array(this.#columns[name].buffer.transfer(rows * Float64Array.BYTES_PER_ELEMENT)),
    );
  }
}

/** Valid bars in ascending time; `take` leaves the builder empty, which still refuses older bars. */
export class BarColumnBuilder {
  readonly #bars: GrowingColumns<keyof BarColumns>;
  #previousTime = Number.NEGATIVE_INFINITY;

  constructor(capacity = 512) {
    this.#bars = new GrowingColumns(BAR_COLUMNS, capacity);
  }

  get rows(): number {
    return this.#bars.rows;
  }

  /** Adds the bar and returns null, or returns the reason of its refusal. */
  push(
    time: number,
    open: number,
    high: number,
    low: number,
    close: number,
    volume: number,
  ): RefusalReason | null {
    // A volume that is NaN is unknown.
    const shares = Number.isNaN(volume) ? 0 : volume;
    const reason = refuseBar(open, high, low, close, shares) ?? refuseTime(this.#previousTime, time);
    if (reason !== null) return reason;
    const { columns } = this.#bars;
    const row = this.#bars.rows++;
    columns.time[row] = time;
    columns.open[row] = open;
    columns.high[row] = high;
    columns.low[row] = low;
    columns.close[row] = close;
    columns.volume[row] = volume;
    this.#previousTime = time;
    return null;
  }

  take(): BarColumns {
    return this.#bars.take();
  }
}

/** As `BarColumnBuilder`, of quote bars. */
export class QuoteColumnBuilder {
  readonly #quotes = new GrowingColumns(QUOTE_BAR_COLUMNS, 1024);
  #previousTime = Number.NEGATIVE_INFINITY;

  get rows(): number {
    return this.#quotes.rows;
  }

  /** Adds the bar (in the order of `QUOTE_BAR_COLUMNS`) and returns null, or the reason of its refusal. */
  push(values: Float64Array): RefusalReason | null {
    // Written behind the rows so far, where the next one overwrites it after a refusal.
    const { columns, rows: row } = this.#quotes;
    for (let at = 0; at < values.length; at++) columns[QUOTE_BAR_COLUMNS[at]!][row] = values[at]!;
    const reason = refuseQuotes(columns, row) ?? refuseTime(this.#previousTime, values[0]!);
    if (reason !== null) return reason;
    this.#quotes.rows++;
    this.#previousTime = values[0]!;
    return null;
  }

  take(): QuoteBarColumns {
    return this.#quotes.take();
  }
}

/** Contracts in any order. */
export class ContractColumnBuilder {
  readonly #contracts = new GrowingColumns(CONTRACT_COLUMNS, 256);

  push(contract: ContractRow): void {
    this.#contracts.push(contract);
  }

  take(): ContractColumns {
    return this.#contracts.take();
  }
}
