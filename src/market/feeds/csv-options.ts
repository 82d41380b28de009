import type { Calendar } from '../../base/calendar.ts';
import type { Interval } from '../observations.ts';

/** What a column may hold. `date` is a date, or date and time in one; `time` is a clock time beside a `date`. */
export const CSV_FIELDS = [
  'date',
  'time',
  'open',
  'high',
  'low',
  'close',
  'volume',
  'symbol',
  'dividend',
  'split',
] as const;

export type CsvField = (typeof CSV_FIELDS)[number];

/**
 * How dates are written. `auto` knows `2024-01-31`, `2024/01/31`, `20240131`, each with an optional time of day and an
 * optional zone (`Z`, `-05:00`), and epoch seconds (10 digits) or milliseconds (13 digits). What is written with the
 * month or the day first must be named, because 03/04/2024 says nothing by itself.
 */
export const DATE_FORMATS = ['auto', 'month-first', 'day-first'] as const;

export type DateFormat = (typeof DATE_FORMATS)[number];

/** Everything that can be said of delimited files of bars; all but the paths and the calendar may be left out. */
export interface CsvOptions {
  /** Files (plain, `.gz`, or `.zip` with any number of entries) or folders, whose files are taken without descending. */
  readonly paths: readonly string[];
  readonly calendar: Calendar;
  /** Column names by field, e.g. `{ close: 'adj_close' }`, in any case. Fields not named are found by their usual names. */
  readonly mapping?: Partial<Record<CsvField, string>> | undefined;
  /** The symbol of every row; with it neither a symbol column nor the file's name is looked at. */
  readonly symbol?: string | undefined;
  /** Default: `column` where the header has a symbol column, else `file-name`. */
  readonly symbolFrom?: 'column' | 'file-name' | undefined;
  /**
   * How the name of a file, or of a zip's entry, spells its symbol: `DA-{symbol}.csv`, with `*` for anything. `.gz` and
   * `.zip` do not belong to the name. Default: the part before the first `_`, space or `.csv`.
   */
  readonly fileNamePattern?: string | undefined;
  /** Length of a bar. Default: read from the times of the first rows, if they leave no doubt. */
  readonly interval?: Interval | undefined;
  /** IANA name of the clock by which times without a zone are written. Default `America/New_York`. */
  readonly timeZone?: string | undefined;
  /** Default `auto`. */
  readonly dateFormat?: DateFormat | undefined;
  /** One character. Default: the one of `,` `;` tab `|` that the first line has most of. */
  readonly delimiter?: string | undefined;
  /** The names of the columns, for files that do not begin with a header line. */
  readonly columns?: readonly string[] | undefined;
  /**
   * Takes daily files that have no volume column and records 0 for "no volume reported". Without it only symbols that
   * begin with `^` (indices, which have none) may lack it.
   */
  readonly noVolume?: boolean | undefined;
}
