import type { Calendar } from '../base/calendar.ts';
import { DAY_MS } from '../base/calendar.ts';
import type { BarColumns } from '../market/observations.ts';
import { asBars, rowAtOrAfter } from '../market/series.ts';
import type { SegmentReader, SymbolTape } from '../tape/index.ts';
import { runBegins, splitBases } from '../tape/read-market.ts';
import { DAILY_REACH_DAYS, DAILY_ROWS_MAX } from '../tape/read-view.ts';

/** Daily bars of a symbol around some dates, on the basis of any of them, as views have them. */
export class DailyPrices {
  readonly #time: Float64Array;
  readonly #begins: Int32Array;
  readonly #basisOf: (day: number) => BarColumns;

  /** @param days the first and the last that count, since 1970-01-01 */
  constructor(
    reader: SegmentReader,
    tape: SymbolTape,
    calendar: Calendar,
    { first, last }: { readonly first: number; readonly last: number },
  ) {
    const bars = asBars(reader.rows(tape, 'bars-1d', first - DAILY_REACH_DAYS, last));
    this.#time = bars.time;
    this.#begins = runBegins(bars.time, calendar);
    this.#basisOf = splitBases(tape, bars);
  }

  /** Row of a day; -1 where it has no bar. */
  rowOn(day: number): number {
    const row = rowAtOrAfter(this.#time, day * DAY_MS);
    return this.#time[row] === day * DAY_MS ? row : -1;
  }

  /** Row behind the last bar up to a day. */
  endOf(day: number): number {
    return rowAtOrAfter(this.#time, day * DAY_MS + 1);
  }

  /** All bars in the shares of a day. */
  inSharesOf(day: number): BarColumns {
    return this.#basisOf(day);
  }

  /** What prices of the row in the shares of a day are multiplied by to be in those of another. */
  scaleOf(row: number, from: number, to: number): number {
    return this.#basisOf(to).close[row]! / this.#basisOf(from).close[row]!;
  }

  /** The first row of the run of sessions without a hole that a row belongs to. */
  beginOf(row: number): number {
    return this.#begins[row]!;
  }

  /** The first row of the history that a view of a day has, whose row is given. */
  firstRow(row: number, day: number): number {
    const reach = rowAtOrAfter(this.#time, (day - DAILY_REACH_DAYS) * DAY_MS);
    return Math.max(this.#begins[row]!, row - DAILY_ROWS_MAX + 1, reach);
  }
}
