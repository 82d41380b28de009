import { QUOTE_BAR_COLUMNS, type QuoteBarColumns } from './observations.ts';
import type { RefusalReason } from './refusals.ts';

/**
 * Validates a quote bar: null when it is valid, else the reason.
 *
 * @param row time, then open, high, low, close and size of the bid, then of the ask; a side without a quote is five NaN
 */
function validateQuoteBar(previousTime: number, row: Float64Array): RefusalReason | null {
  const time = row[0]!;
  if (!Number.isFinite(time)) return 'bad_time';
  if (isEmptySide(row, 1) && isEmptySide(row, 6)) return 'not_a_number';
  const reason = refuseSide(row, 1) ?? refuseSide(row, 6);
  if (reason !== null) return reason;
  // High and low of the two sides may overlap when the price moves inside the bar; its first and last states may not.
  if (row[1]! > row[6]! || row[4]! > row[9]!) return 'crossed_quote';
  if (time === previousTime) return 'duplicate';
  if (time < previousTime) return 'out_of_order';
  return null;
}

function isEmptySide(row: Float64Array, first: number): boolean {
  for (let at = first; at < first + 5; at++) if (!Number.isNaN(row[at]!)) return false;
  return true;
}

function refuseSide(row: Float64Array, first: number): RefusalReason | null {
  if (isEmptySide(row, first)) return null;
  const open = row[first]!;
  const high = row[first + 1]!;
  const low = row[first + 2]!;
  const close = row[first + 3]!;
  const size = row[first + 4]!;
  if (!Number.isFinite(open + high + low + close + size)) return 'not_finite';
  if (open <= 0 || high <= 0 || low <= 0 || close <= 0) return 'price_not_positive';
  if (size < 0) return 'volume_negative';
  if (high < low) return 'high_below_low';
  if (open > high || open < low || close > high || close < low) return 'price_outside_range';
  return null;
}

/** Quote bars gathered row by row and validated by `validateQuoteBar`; grows by doubling. */
export class QuoteColumnBuilder {
  #rows = 0;
  #columns: Float64Array[];
  #previousTime = Number.NEGATIVE_INFINITY;

  constructor(capacity = 1024) {
    this.#columns = QUOTE_BAR_COLUMNS.map(() => new Float64Array(capacity));
  }

  get rows(): number {
    return this.#rows;
  }

  /** Takes the bar (copied from `row`, in the order of `validateQuoteBar`) and answers null, or leaves it and answers why. */
  push(row: Float64Array): RefusalReason | null {
    const reason = validateQuoteBar(this.#previousTime, row);
    if (reason !== null) return reason;
    if (this.#rows === this.#columns[0]!.length) this.#grow();
    for (let column = 0; column < QUOTE_BAR_COLUMNS.length; column++)
      this.#columns[column]![this.#rows] = row[column]!;
    this.#rows++;
    this.#previousTime = row[0]!;
    return null;
  }

  /** The bars so far as fresh columns; the builder is empty afterwards but still refuses what is not newer. */
  take(): QuoteBarColumns {
    const rows = this.#rows;
    this.#rows = 0;
    const named = QUOTE_BAR_COLUMNS.map((name, column) => [name, this.#columns[column]!.slice(0, rows)]);
    return Object.fromEntries(named) as Record<keyof QuoteBarColumns, Float64Array>;
  }

  #grow(): void {
    this.#columns = this.#columns.map((column) => {
      const larger = new Float64Array(column.length * 2);
      larger.set(column);
      return larger;
    });
  }
}
