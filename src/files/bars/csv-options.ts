import type { Calendar } from '../../base/calendar.ts';
import type { KnownBars } from '../../market/known-bars.ts';
import type { Interval } from '../../market/observations.ts';
import type { ChoiceValue } from '../choices.ts';
import type { CsvField } from '../table-head.ts';

export type PriceBasis = ChoiceValue<'prices'>;
export type DividendBasis = ChoiceValue<'dividends'>;
export type Stamps = ChoiceValue<'stamps'>;
export type Volumes = ChoiceValue<'volumes'>;

/** What a volume counts, in shares. */
export const SHARES_IN: Readonly<Record<Volumes, number>> = {
  shares: 1,
  lots: 100,
  thousands: 1e3,
  millions: 1e6,
  unknown: Number.NaN,
};

/** Options of delimited files of bars; only the calendar is required. What is absent is worked out of the file. */
export interface CsvOptions {
  readonly calendar: Calendar;
  /** Epoch milliseconds; rows that were not over by then are not final. */
  readonly now?: number | undefined;
  /** What the tape has already: evidence of the clock and of the basis of prices. */
  readonly known?: KnownBars | undefined;
  /** Column names by field, e.g. `{ close: 'adj_close' }`, in any case. Fields not named are found by their usual names. */
  readonly mapping?: Partial<Record<CsvField, string>> | undefined;
  /** The symbol of every row; symbol column and file name are then ignored. */
  readonly symbol?: string | undefined;
  /** Default: `column` where the header has a symbol column, else `file-name`. */
  readonly symbolFrom?: 'column' | 'file-name' | undefined;
  /**
   * How the name of a file, or of a zip's entry, spells its symbol: `DA-{symbol}.csv`, with `*` for anything, without
   * `.gz` and `.zip`.
   */
  readonly fileNamePattern?: string | undefined;
  /** Length of a bar. */
  readonly interval?: Interval | undefined;
  /** Whether a time is that at which its bar begins or ends. */
  readonly stamps?: Stamps | undefined;
  /** IANA name of the clock by which times without a zone are written. */
  readonly timeZone?: string | undefined;
  /** What past prices are. */
  readonly prices?: PriceBasis | undefined;
  /** What dividends before a split are, beside prices in the shares behind it. */
  readonly dividends?: DividendBasis | undefined;
  /** The last date, YYYY-MM-DD, whose rows are final. */
  readonly finalThrough?: string | undefined;
  /** How dates with numbers alone are written where the year does not come first; `auto` works it out or refuses. */
  readonly dateFormat?: ChoiceValue<'date_format'> | undefined;
  readonly decimalMark?: ChoiceValue<'decimal_mark'> | undefined;
  /** One character. */
  readonly delimiter?: string | undefined;
  /** The names of the columns, for files that do not begin with a header line. */
  readonly columns?: readonly string[] | undefined;
  /**
   * What volumes count. They are `unknown` where the file has no column for them, or one that is not of shares: only daily
   * files of symbols that begin with `^` (indices, which have none) may lack one without it.
   */
  readonly volumes?: Volumes | undefined;
}
