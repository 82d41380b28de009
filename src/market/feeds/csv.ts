import type { Delivery, Feed } from '../feed.ts';
import { type RefusalTally, refusedFile } from '../refusal-tally.ts';
import type { TextFile } from './archive.ts';
import { CSV_FIELDS, type CsvOptions, planReading, type ReadingPlan, timeReader } from './csv-plan.ts';
import { csvRows } from './csv-rows.ts';
import { pricedTickerOf } from './fields.ts';
import { fileFeed } from './source-file.ts';

export { CSV_FIELDS, type CsvField, type CsvOptions, DATE_FORMATS, type DateFormat } from './csv-plan.ts';

/** Raise it when the reader reads the same bytes otherwise: files are then imported again. */
const READER_VERSION = 1;

/**
 * Delimited files of bars, as `CsvOptions` describes them; one unit per file. Throws a RangeError for an option that
 * cannot be meant; a path that does not exist rejects when the units are listed.
 */
export function csvFeed(options: CsvOptions): Feed {
  refuseOptions(options);
  const { paths, calendar: _calendar, ...reading } = options;
  return fileFeed('csv', paths, { version: READER_VERSION, ...reading }, (file, tally) =>
    rowsOf(file, options, tally),
  );
}

function refuseOptions({ symbol, fileNamePattern, delimiter, mapping, ...options }: CsvOptions): void {
  timeReader(options.dateFormat ?? 'auto', options.timeZone ?? 'UTC');
  if (fileNamePattern !== undefined) patternExpression(fileNamePattern);
  if (symbol !== undefined && pricedTickerOf(symbol) === null)
    throw new RangeError(`"${symbol}" is no symbol`);
  if (delimiter !== undefined && !/^[\x20-\x7e\t]$/.test(delimiter)) {
    throw new RangeError(`the delimiter "${delimiter}" must be one character`);
  }
  for (const field of Object.keys(mapping ?? {})) {
    if (CSV_FIELDS.some((known) => known === field)) continue;
    throw new RangeError(`no field ${field} can be mapped; the fields are ${CSV_FIELDS.join(', ')}`);
  }
}

async function* rowsOf(file: TextFile, options: CsvOptions, tally: RefusalTally): AsyncGenerator<Delivery> {
  const plan = await planReading(file, options);
  if ('reason' in plan) {
    yield refusedFile(plan.reason, file.where, plan.example);
    return;
  }
  const symbol = symbolFor(file, plan, options);
  if (symbol === undefined) yield refusedFile('bad_symbol', file.where, file.name);
  else if (symbol === null && plan.columnIndex.symbol < 0) {
    yield refusedFile('wrong_columns', file.where, 'no column for symbol');
  } else if (!mayLackVolume(symbol, plan, options)) {
    yield refusedFile('wrong_columns', file.where, 'no column for volume');
  } else yield* csvRows(file, plan, symbol, options, tally);
}

/** The symbol of every row, null when a column holds it, undefined when the file's name should but does not. */
function symbolFor(
  file: TextFile,
  { columnIndex }: ReadingPlan,
  options: CsvOptions,
): string | null | undefined {
  if (options.symbol !== undefined) return pricedTickerOf(options.symbol);
  const from = options.symbolFrom ?? (columnIndex.symbol >= 0 ? 'column' : 'file-name');
  return from === 'column' ? null : (symbolOfFile(file.name, options.fileNamePattern) ?? undefined);
}

/** Whether the file has volumes or may do without; where a column holds the symbol, each row is checked by itself. */
function mayLackVolume(
  symbol: string | null,
  { columnIndex, interval }: ReadingPlan,
  { noVolume }: CsvOptions,
): boolean {
  if (columnIndex.volume >= 0) return true;
  return interval === '1d' && (noVolume === true || symbol === null || symbol.startsWith('^'));
}

/**
 * The symbol that a file's name spells, or null when it spells none. Without a pattern it is the part before the
 * first `_`, space or extension: `SPY_1min.csv` and `spy.csv` are SPY, `BRK.B.csv` is BRK.B.
 */
function symbolOfFile(name: string, pattern?: string): string | null {
  if (pattern !== undefined) return pricedTickerOf(patternExpression(pattern).exec(name)?.[1] ?? '');
  const stem = name.replace(/\.(csv|txt|tsv|dat)$/i, '');
  return pricedTickerOf(stem.split(/[_ ]/)[0]!);
}

/** The expression behind a file name pattern; throws a RangeError when it does not hold `{symbol}` once. */
function patternExpression(pattern: string): RegExp {
  const parts = pattern.split('{symbol}');
  if (parts.length !== 2) throw new RangeError(`the file name pattern "${pattern}" must hold {symbol} once`);
  const [before, after] = parts.map((part) => part.split('*').map(RegExp.escape).join('.*?'));
  return new RegExp(`^${before}(.+?)${after}$`, 'i');
}
