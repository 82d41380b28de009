import { CONTRACT_COLUMNS, type ContractColumns, type ContractRow, contractColumns } from './chains.ts';
import { type BarColumns, QUOTE_BAR_COLUMNS, type QuoteBarColumns } from './observations.ts';
import { type RefusalReason, refuseBar, refuseQuotes, refuseTime } from './refusals.ts';

/** Columns of doubles that grow by doubling; `take` returns columns of exact length. */
class GrowingColumns {
  rows = 0;
  #columns: Float64Array[];

  constructor(width: number, capacity: number) {
    this.#columns = Array.from({ length: width }, () => new Float64Array(capacity));
  }

  /** The columns, with space for one more row. */
  get columns(): readonly Float64Array[] {
    if (this.rows === this.#columns[0]!.length) {
      this.#columns = this.#columns.map((column) => {
        const larger = new Float64Array(column.length * 2);
        larger.set(column);
        return larger;
      });
    }
    return this.#columns;
  }

  /** The rows so far as fresh columns; none are left afterwards. */
  take(): Float64Array[] {
    const rows = this.rows;
    this.rows = 0;
    return this.#columns.map((column) => column.slice(0, rows));
  }
}

/** Valid bars in ascending time. */
export class BarColumnBuilder {
  readonly #bars: GrowingColumns;
  #previousTime = Number.NEGATIVE_INFINITY;

  constructor(capacity = 512) {
    this.#bars = new GrowingColumns(6, capacity);
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
    const reason = refuseBar(open, high, low, close, volume) ?? refuseTime(this.#previousTime, time);
    if (reason !== null) return reason;
    const { columns } = this.#bars;
    const row = this.#bars.rows++;
    columns[0]![row] = time;
    columns[1]![row] = open;
    columns[2]![row] = high;
    columns[3]![row] = low;
    columns[4]![row] = close;
    columns[5]![row] = volume;
    this.#previousTime = time;
    return null;
  }

  /** The bars so far as fresh columns; the builder is empty afterwards but still refuses older bars. */
  take(): BarColumns {
    const [time, open, high, low, close, volume] = this.#bars.take();
    return { time: time!, open: open!, high: high!, low: low!, close: close!, volume: volume! };
  }
}

/** Valid quote bars in ascending time. */
export class QuoteColumnBuilder {
  readonly #quotes = new GrowingColumns(QUOTE_BAR_COLUMNS.length, 1024);
  /** The row at hand as columns. */
  readonly #one: Readonly<Record<string, Float64Array>> = Object.fromEntries(
    QUOTE_BAR_COLUMNS.map((name) => [name, new Float64Array(1)]),
  );
  #previousTime = Number.NEGATIVE_INFINITY;

  get rows(): number {
    return this.#quotes.rows;
  }

  /** Adds the bar (copied from `row`, in the order of `QUOTE_BAR_COLUMNS`) and returns null, or the reason of its refusal. */
  push(row: Float64Array): RefusalReason | null {
    for (const [column, name] of QUOTE_BAR_COLUMNS.entries()) this.#one[name]![0] = row[column]!;
    const reason = refuseQuotes(this.#one, 0) ?? refuseTime(this.#previousTime, row[0]!);
    if (reason !== null) return reason;
    const { columns } = this.#quotes;
    const at = this.#quotes.rows++;
    for (let column = 0; column < columns.length; column++) columns[column]![at] = row[column]!;
    this.#previousTime = row[0]!;
    return null;
  }

  /** The bars so far as fresh columns; the builder is empty afterwards but still refuses older bars. */
  take(): QuoteBarColumns {
    const columns = this.#quotes.take();
    const named = QUOTE_BAR_COLUMNS.map((name, at) => [name, columns[at]!]);
    return Object.fromEntries(named) as Record<keyof QuoteBarColumns, Float64Array>;
  }
}

/** Contracts in any order. */
export class ContractColumnBuilder {
  readonly #contracts = new GrowingColumns(CONTRACT_COLUMNS.length, 256);

  push(contract: ContractRow): void {
    const { columns } = this.#contracts;
    const row = this.#contracts.rows++;
    for (const [at, name] of CONTRACT_COLUMNS.entries()) columns[at]![row] = contract[name];
  }

  /** The contracts so far as fresh columns; the builder is empty afterwards. */
  take(): ContractColumns {
    const columns = this.#contracts.take();
    return contractColumns((name) => columns[CONTRACT_COLUMNS.indexOf(name)]!);
  }
}
