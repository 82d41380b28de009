import { STATE_WIDTH } from './states.ts';

/** Rows that the states of a calendar year may take. */
export const YEAR_ROWS = 256;

/** States side by side, `YEAR_ROWS` for each year of a stock; what a year does not fill is left empty. */
export interface StateBlock {
  /** `STATE_WIDTH` whole numbers of -10,000 to 10,000 a row. */
  readonly states: Int16Array;
  /** Day of each row, since 1970-01-01; 0 where it is empty. */
  readonly days: Int32Array;
  /** For each year the place of its stock in the order of names. */
  readonly ranks: Int32Array;
}

/** The rows nearest to a state, nearest first. */
export interface NearestRows {
  /** Rows that were compared. */
  readonly candidates: number;
  /** Counted through all blocks, each as long as the first. */
  readonly rows: Float64Array;
  /** Squared distances, whole numbers. */
  readonly squares: Float64Array;
}

/**
 * The rows up to a day that are nearest to a state; every row is compared. Distances are sums of squares of integers,
 * exact in any order of summation; equal ones go by day, then by name, so the result does not depend on the order of
 * the rows.
 *
 * @param own `STATE_WIDTH` integers
 * @param until the last day that counts
 * @param count maximum number of rows
 */
export function nearestRows(
  blocks: readonly StateBlock[],
  own: Int16Array,
  until: number,
  count: number,
): NearestRows {
  const best = new Best(count);
  const parts = Int32Array.from(own);
  let candidates = 0;
  let first = 0;
  for (const { states, days, ranks } of blocks) {
    for (let row = 0; row < days.length; row++) {
      const day = days[row]!;
      if (day === 0 || day > until) continue;
      candidates++;
      const worst = best.worst;
      let sum = 0;
      const from = row * STATE_WIDTH;
      for (let place = 0; place < STATE_WIDTH; place += 4) {
        const at = from + place;
        const a = parts[place]! - states[at]!;
        const b = parts[place + 1]! - states[at + 1]!;
        const c = parts[place + 2]! - states[at + 2]!;
        const d = parts[place + 3]! - states[at + 3]!;
        // Four squares of at most 20,000 fit 32 bits, which machines add fastest.
        sum += (Math.imul(a, a) + Math.imul(b, b) + Math.imul(c, c) + Math.imul(d, d)) | 0;
        // The rest of the sum cannot make it smaller.
        if (sum > worst) break;
      }
      if (sum <= worst) best.add(sum, day, ranks[Math.floor(row / YEAR_ROWS)]!, first + row);
    }
    first += days.length;
  }
  return { candidates, rows: best.rows(), squares: best.squares() };
}

class Best {
  readonly #count: number;
  readonly #rows: { square: number; day: number; rank: number; row: number }[] = [];
  /** Distance beyond which a row is not among the best. */
  worst = Number.POSITIVE_INFINITY;

  constructor(count: number) {
    this.#count = count;
  }

  add(square: number, day: number, rank: number, row: number): void {
    const best = this.#rows;
    let [low, high] = [0, best.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      const other = best[middle]!;
      const isAfter = other.square - square || other.day - day || other.rank - rank;
      if (isAfter > 0) high = middle;
      else low = middle + 1;
    }
    best.splice(low, 0, { square, day, rank, row });
    if (best.length > this.#count) best.pop();
    if (best.length === this.#count) this.worst = best.at(-1)!.square;
  }

  rows = (): Float64Array => Float64Array.from(this.#rows, ({ row }) => row);
  squares = (): Float64Array => Float64Array.from(this.#rows, ({ square }) => square);
}
