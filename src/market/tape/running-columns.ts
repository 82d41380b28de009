import { type Columns, columnsOf, mergeRows, SERIES, type SeriesKind } from './series.ts';
import type { RunningRows } from './symbol-tape.ts';

/** Room for an hour of minutes; it grows by half of what it holds. */
const ROWS_MIN = 64;
const GROWTH = 1.5;

/**
 * Rows of one symbol and series of the running session, on shared memory: derivation threads read them where they lie,
 * however many there are by the end of the day. Rows that were handed out never change; what is added lies behind them,
 * and a correction moves all of them to new memory.
 */
export class RunningColumns {
  readonly #kind: SeriesKind;
  #rows = 0;
  #capacity = 0;
  #columns: readonly Float64Array[] = [];
  #simulated = false;

  constructor(kind: SeriesKind) {
    this.#kind = kind;
  }

  get newest(): number | undefined {
    return this.#columns[0]?.[this.#rows - 1];
  }

  /** Adds rows in ascending time; where one has the time of an earlier row, it replaces that. */
  put(columns: Columns, simulated: boolean): void {
    if (columns.time.length === 0) return;
    this.#simulated ||= simulated;
    if (this.newest === undefined || columns.time[0]! > this.newest) this.#append(columns);
    else this.#replace(mergeRows(this.#kind, [this.#held(), columns]));
  }

  /** The rows so far; they share memory with this. */
  rows(): RunningRows {
    const columns = this.#columns.map((column) => column.subarray(0, this.#rows));
    return { kind: this.#kind, simulated: this.#simulated, columns };
  }

  #held(): Columns {
    const { columns } = this.rows();
    return columnsOf(this.#kind, (_, index) => columns[index]!);
  }

  #append(columns: Columns): void {
    const rows = this.#rows + columns.time.length;
    if (rows > this.#capacity) this.#moveTo(Math.max(ROWS_MIN, rows, Math.ceil(this.#capacity * GROWTH)));
    for (const [index, name] of SERIES[this.#kind].entries()) {
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
    const memory = new SharedArrayBuffer(SERIES[this.#kind].length * capacity * 8);
    this.#columns = SERIES[this.#kind].map((_, index) => {
      const column = new Float64Array(memory, index * capacity * 8, capacity);
      if (this.#rows > 0) column.set(this.#columns[index]!.subarray(0, this.#rows));
      return column;
    });
    this.#capacity = capacity;
  }
}
