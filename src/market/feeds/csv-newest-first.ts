import type { BarColumns } from '../observations.ts';
import { type RefusalReason, validateBar } from '../refusals.ts';

/** Rows that a newest-first file may hold, since it is turned round in memory: some 200 MB of columns. */
export const NEWEST_FIRST_ROWS_MAX = 4_000_000;

const COLUMNS = 6;

/** The bars of one series of a file that begins with its newest row. */
export interface NewestFirstBars {
  readonly rows: number;
  push(
    time: number,
    open: number,
    high: number,
    low: number,
    close: number,
    volume: number,
  ): RefusalReason | null;
  /** The bars in ascending time, in pieces of at most `rowsMax`. */
  ascending(rowsMax: number): Iterable<BarColumns>;
}

export function newestFirstBars(): NewestFirstBars {
  let rows = 0;
  let columns = Array.from({ length: COLUMNS }, () => new Float64Array(512));
  let previousTime = Number.POSITIVE_INFINITY;
  const grow = (): void => {
    columns = columns.map((column) => {
      const larger = new Float64Array(column.length * 2);
      larger.set(column);
      return larger;
    });
  };
  const reversed = (column: number, from: number, to: number): Float64Array =>
    columns[column]!.slice(from, to).reverse();
  return {
    get rows() {
      return rows;
    },
    push(time, open, high, low, close, volume) {
      // On a clock that runs backwards the same validation finds duplicates and rows out of order.
      const reason = validateBar(-previousTime, -time, open, high, low, close, volume);
      if (reason !== null) return reason;
      if (rows === columns[0]!.length) grow();
      columns[0]![rows] = time;
      columns[1]![rows] = open;
      columns[2]![rows] = high;
      columns[3]![rows] = low;
      columns[4]![rows] = close;
      columns[5]![rows] = volume;
      rows++;
      previousTime = time;
      return null;
    },
    *ascending(rowsMax) {
      for (let to = rows; to > 0; to -= rowsMax) {
        const from = Math.max(to - rowsMax, 0);
        yield {
          time: reversed(0, from, to),
          open: reversed(1, from, to),
          high: reversed(2, from, to),
          low: reversed(3, from, to),
          close: reversed(4, from, to),
          volume: reversed(5, from, to),
        };
      }
    },
  };
}
