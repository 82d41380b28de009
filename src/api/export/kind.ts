import type { TSchema } from 'typebox';
import type { BarInterval } from '../../derive/bars.ts';
import { fieldsOf, type ScalarField } from '../../derive/scalar-fields.ts';
import type { ExportColumn, RowBatch } from '../../export/column.ts';
import type { SymbolTape } from '../../tape/index.ts';
import type { Viewer } from '../access/viewer.ts';
import type { AppContext } from '../context/app-context.ts';

/** Of bars alone. */
export interface BarOptions {
  readonly interval: BarInterval;
  readonly session: 'regular' | 'all';
  readonly adjusted: boolean;
}

/** What the rows of a file follow from. */
export interface ExportPart extends BarOptions {
  /** As of the instant of the export. */
  readonly viewer: Viewer & { readonly asOf: number };
  readonly simulated: boolean;
  readonly columns: readonly ExportColumn[];
  /** Sessions of the file, ascending; of a kind without dates the range that was asked for. */
  readonly tradeDates: readonly string[];
  readonly range: { readonly from?: string | undefined; readonly to?: string | undefined };
  /** Stocks with data by its last session, by name. */
  readonly tapes: readonly SymbolTape[];
  /** Whether the request names the stocks. */
  readonly isNamed: boolean;
  readonly signal: AbortSignal;
  /** Learns how many stock-days have been read since the last call. */
  readonly onRead: (stockDays: number) => void;
}

/** A kind of export: a value of the list of `kinds.ts`, from which API, command line and documents follow. */
export interface ExportKind {
  readonly name: string;
  /** What a row is, for the documents. */
  readonly says: string;
  /** Those that are in every row come first; of dated rows the trade date, then the symbol. */
  columns(options: BarOptions): readonly ExportColumn[];
  /** What a file is of. */
  partition(options: BarOptions): 'date' | 'year' | 'all';
  /** The rows of a file. Equal parts have equal batches: the bytes follow from where one ends, too. */
  batches(context: AppContext, part: ExportPart): AsyncIterable<RowBatch>;
}

export const columnOf = ({ path, type, unit, description, words }: ScalarField): ExportColumn => ({
  name: path,
  path,
  type,
  unit,
  description,
  words,
});

const known = (path: string, type: ExportColumn['type'], description: string): ExportColumn => ({
  ...{ name: path, path, type, description, unit: null, words: null, isKnown: true },
});

export const TRADE_DATE = known('trade_date', 'date', 'The session.');
export const SYMBOL = known('symbol', 'text', 'Ticker symbol.');
export const KNOWN_COLUMNS = [TRADE_DATE, SYMBOL] as const;

/**
 * A column for each single value of a record that is an element of a list.
 *
 * @param path of the list in the answer, by which units are known
 * @param without values that are not served with the list
 */
export const columnsOfList = (items: TSchema, path: string, without: RegExp): ExportColumn[] =>
  fieldsOf(items, path.split('.')).flatMap((field) => {
    const name = field.path.slice(path.length + 1);
    return without.test(name) ? [] : { ...columnOf(field), name, path: name };
  });

/** What is put into columns at once: some tens of megabytes of values, of a few columns a month and more of 500 stocks. */
const VALUES_AT_ONCE = 4_000_000;
const ROWS_AT_ONCE = 16_000;

/** Sessions of which the rows of all stocks are in memory at once. */
export const sessionsAtOnce = ({ columns, tapes }: Pick<ExportPart, 'columns' | 'tapes'>): number =>
  Math.max(
    1,
    Math.floor(Math.min(ROWS_AT_ONCE, VALUES_AT_ONCE / columns.length) / Math.max(1, tapes.length)),
  );
