import { type Calendar, DAY_MS } from '../base/calendar.ts';
import type { BarColumns, CorporateAction } from '../market/observations.ts';
import { asBars, rowAtOrAfter } from '../market/series.ts';
import { adjustForSplits, DAILY_REACH_DAYS, DAILY_ROWS_MAX, liesBeforeHole } from './read-view.ts';
import type { SegmentReader } from './segment-reader.ts';
import type { SymbolTape } from './symbol-tape.ts';

/** Daily bars of a symbol around some dates, on the basis of any of them, as views have them. */
export class DailyPrices {
  readonly #time: Float64Array;
  readonly #begins: Int32Array;
  readonly #splits: readonly CorporateAction[];
  /** By the number of splits so far: columns are made anew only where one lies between two days. */
  readonly #bases: Map<number, BarColumns>;

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
    this.#splits = tape.actions.filter(({ kind }) => kind === 'split');
    this.#bases = new Map([[0, bars]]);
  }

  /** Row of a day; -1 where it has no bar. */
  rowOn(day: number): number {
    const row = this.rowFrom(day);
    return this.#time[row] === day * DAY_MS ? row : -1;
  }

  /** The first row of a day or a later one. */
  rowFrom(day: number): number {
    return rowAtOrAfter(this.#time, day * DAY_MS);
  }

  /** Row behind the last bar up to a day. */
  endOf(day: number): number {
    return this.rowFrom(day + 1);
  }

  /** All bars in the shares of a day. */
  inSharesOf(day: number): BarColumns {
    const known = this.#splits.filter(({ exDate }) => exDate <= day * DAY_MS).length;
    return this.#bases.getOrInsertComputed(known, () =>
      adjustForSplits(this.#bases.get(0)!, this.#splits, day),
    );
  }

  /**
   * Simple return from the close of one day to that of a later one, without dividends; NaN where either has no bar.
   *
   * @param basisDay in whose shares it is read, which moves no more than the last binary digits
   */
  returnBetween(day: number, endDay: number, basisDay = endDay): number {
    const { close } = this.inSharesOf(basisDay);
    return (close[this.rowOn(endDay)] ?? Number.NaN) / (close[this.rowOn(day)] ?? Number.NaN) - 1;
  }

  /** What prices of the row in the shares of a day are multiplied by to be in those of another. */
  scaleOf(row: number, from: number, to: number): number {
    return this.inSharesOf(to).close[row]! / this.inSharesOf(from).close[row]!;
  }

  /** The first row of the run of sessions without a hole that a row belongs to. */
  beginOf(row: number): number {
    return this.#begins[row]!;
  }

  /** The first row of the history that a view of a day has, whose row is given. */
  firstRow(row: number, day: number): number {
    return Math.max(this.#begins[row]!, row - DAILY_ROWS_MAX + 1, this.rowFrom(day - DAILY_REACH_DAYS));
  }
}

/** For each row the one that begins its run of sessions without a hole. */
function runBegins(time: Float64Array, calendar: Calendar): Int32Array {
  const begins = new Int32Array(time.length);
  for (let row = 1; row < time.length; row++) {
    const isHole = liesBeforeHole(calendar, time[row - 1]! / DAY_MS, time[row]! / DAY_MS);
    begins[row] = isHole ? row : begins[row - 1]!;
  }
  return begins;
}
