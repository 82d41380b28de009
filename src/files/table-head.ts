import { choice } from './choices.ts';
import { delimiterOf, fieldScanner, fieldText, pricedTickerOf } from './fields.ts';
import { isAbsent, writtenNumber } from './numbers.ts';
import { numberedDate, timeReader } from './times.ts';

/** Names of one side of the volume; a bare `up` is a volume, a bare `ask` a price. */
function sideNames(...sides: readonly string[]): string[] {
  const named = sides.flatMap((side) => [
    `${side}_volume`,
    `${side}volume`,
    `${side}_vol`,
    `${side}vol`,
    `volume_${side}`,
    `vol_${side}`,
  ]);
  return [...sides.filter((side) => side === 'up' || side === 'down'), ...named];
}

/**
 * What a column of a table of bars may hold, with the usual names of each field, best first, as `plainName` writes them.
 * `date` is a date, or date and time in one; `time` is a clock time beside a `date`.
 */
const USUAL_NAMES = {
  date: [
    'datetime',
    'date_time',
    'window_start',
    'ts_event',
    'timestamp',
    'date',
    'trade_date',
    'time',
    't',
    'gmt_time',
    'local_time',
    'exchange_date',
    'date/time',
    'dtyyyymmdd',
    // As Investing.com and Stooq write it in German, Spanish and Polish.
    'datum',
    'fecha',
    'data',
  ],
  time: [],
  open: ['open', 'open_price', 'o', 'eröffn.', 'ouv.', 'apertura', 'otwarcie'],
  high: ['high', 'high_price', 'h', 'hoch', 'plus_haut', 'máximo', 'najwyzszy'],
  low: ['low', 'low_price', 'l', 'tief', 'plus_bas', 'mínimo', 'najnizszy'],
  close: [
    'close',
    'close_price',
    'c',
    'close/last',
    'last',
    'latest',
    'price',
    'zuletzt',
    'dernier',
    'último',
    'zamkniecie',
  ],
  volume: ['volume', 'vol', 'vol.', 'v', 'total_volume', 'share_volume', 'wolumen'],
  // Of trades on an uptick and on a downtick, at the ask and at the bid, which make the volume together.
  volume_up: sideNames('up', 'uptick', 'buy', 'buyer', 'ask'),
  volume_down: sideNames('down', 'downtick', 'sell', 'seller', 'bid'),
  symbol: ['symbol', 'ticker', 'sym', 'act_symbol', 'name'],
  dividend: ['dividend_amount', 'dividends', 'dividend', 'divcash', 'div_cash', 'ex-dividend'],
  split: ['split_coefficient', 'split_factor', 'splitfactor', 'stock_splits', 'split', 'split_ratio'],
};
export type CsvField = keyof typeof USUAL_NAMES;
export const CSV_FIELDS = Object.keys(USUAL_NAMES) as readonly CsvField[];

/** Whether a table has volumes, in one column or in two. */
export const hasVolumes = ({ volume, volume_up, volume_down }: ColumnIndex): boolean =>
  volume >= 0 || (volume_up >= 0 && volume_down >= 0);

const REQUIRED: readonly CsvField[] = ['date', 'open', 'high', 'low', 'close'];
/** Words above a head that name what its line holds: of pandas' column levels. */
const LEVELS: ReadonlySet<string> = new Set(['', 'price', 'ticker', 'symbol', 'attributes']);
/** Remarks, a name or an index line may stand above the head or within it. */
const HEAD_WITHIN_LINES = 8;

export type ColumnIndex = Readonly<Record<CsvField, number>>;

export interface TableHead {
  readonly delimiter: string;
  /** Rows come after this line; 0 where the file begins with them. */
  readonly lastHeadLine: number;
  /** How many columns a row must have. */
  readonly columns: number;
  /** Names of the columns as written. */
  readonly names: readonly string[];
  /** Columns by field, -1 where the file has none; one entry for each symbol that has columns of its own, else one. */
  readonly series: readonly { readonly symbol: string | null; readonly columnIndex: ColumnIndex }[];
}

export interface SampleLine {
  readonly line: number;
  readonly bytes: Uint8Array;
}

export interface HeadOptions {
  readonly mapping?: Partial<Record<CsvField, string>> | undefined;
  readonly delimiter?: string | undefined;
  readonly columns?: readonly string[] | undefined;
}

/** Finds delimiter and columns in the first lines of a file, or says in a sentence what is missing. */
export function tableHead(lines: readonly SampleLine[], options: HeadOptions): TableHead | string {
  const [first] = lines;
  if (first === undefined) return 'the file is empty: download it again';
  const candidates = lines.slice(0, HEAD_WITHIN_LINES);
  const delimiter = options.delimiter ?? mostLikelyDelimiter(candidates);
  const cells = cellReader(delimiter);
  const rows = candidates.map(({ line, bytes }) => ({ line, cells: cells(bytes) }));
  if (options.columns !== undefined) return named(options.columns, [], 0, delimiter, options.mapping);
  const at = rows.findIndex(({ cells }) => fieldsNamed(cells, options.mapping) >= REQUIRED.length - 1);
  if (at < 0) {
    const columns = headlessColumns(rows[0]!.cells);
    if (columns !== null) {
      if (
        beginsWithClose(
          lines.map(({ bytes }) => cells(bytes)),
          columns,
        )
      )
        return CLOSE_FIRST;
      return named(columns, [], 0, delimiter, options.mapping);
    }
    const flat = flattened(rows[0]!.cells);
    if (flat !== null) return named(flat.names, flat.tickers, rows[0]!.line, delimiter, options.mapping);
    return missingColumns(textOf(first), options.mapping);
  }
  let { cells: names, line: lastHeadLine } = rows[at]!;
  let tickers: readonly string[] = [];
  // Pandas writes the levels of its columns one below the other, and the name of its index in a line of its own.
  const above = rows[at - 1]?.cells ?? [];
  if (isTickers(above, names.length)) tickers = above;
  for (const { cells: below, line } of rows.slice(at + 1, at + 3)) {
    if (tickers.length === 0 && isTickers(below, names.length)) tickers = below;
    else if (isIndexName(below)) names = names.map((name, column) => (below[column] || name).trim());
    else break;
    lastHeadLine = line;
  }
  return named(names, tickers, lastHeadLine, delimiter, options.mapping);
}

const DELIMITERS = [';', '\t', '|', ','];

/** The one that cuts the most lines into one count of parts, a comma last: it may be within numbers. */
function mostLikelyDelimiter(lines: readonly SampleLine[]): string {
  const merits = DELIMITERS.map((delimiter) => {
    if (!lines.some(({ bytes }) => bytes.includes(delimiter.charCodeAt(0)))) return 0;
    const cells = cellReader(delimiter);
    const counts = lines.map(({ bytes }) => cells(bytes).length).filter((count) => count >= REQUIRED.length);
    return Math.max(0, ...counts.map((count) => counts.filter((other) => other === count).length));
  });
  return DELIMITERS[merits.indexOf(Math.max(...merits))]!;
}

export function cellReader(delimiter: string): (line: Uint8Array) => string[] {
  const { scan, starts, ends } = fieldScanner(delimiter);
  return (line) =>
    Array.from({ length: Math.max(scan(line, 0, line.length), 0) }, (_, column) =>
      fieldText(line, starts[column]!, ends[column]!),
    );
}

/** `<CLOSE>`, `Close*`, `4. close`, `Close (USD)` and `"close"` are `close`. */
const plainName = (name: string): string =>
  name
    .trim()
    .toLowerCase()
    .replace(/[<>"'*\u200b\ufeff]/g, '')
    .replace(/^\d+[a-z]?\.\s*/, '')
    .replace(/^(close) close price .*/, '$1')
    .replace(/\s*\((usd|utc|est|edt|et|gmt|us\$|\$)\)$/, '')
    .trim()
    .replace(/\s+/g, '_');

/** The field that a column's name usually stands for; null for none. */
export function fieldOf(name: string): CsvField | null {
  const plain = plainName(name);
  return plain === ''
    ? null
    : (CSV_FIELDS.find((field) => (USUAL_NAMES[field] as readonly string[]).includes(plain)) ?? null);
}

const usualNames = (field: CsvField, mapping: HeadOptions['mapping'] = {}): readonly string[] => {
  const name = mapping[field];
  return name === undefined ? USUAL_NAMES[field] : [plainName(name)];
};

function fieldsNamed(cells: readonly string[], mapping: HeadOptions['mapping']): number {
  const plain = new Set(cells.map(plainName).filter((name) => name !== ''));
  const among = [...REQUIRED, 'volume' as const].filter((field) =>
    usualNames(field, mapping).some((name) => plain.has(name)),
  );
  return among.length;
}

const isTickers = (cells: readonly string[], columns: number): boolean =>
  cells.length === columns &&
  columns > 2 &&
  LEVELS.has(plainName(cells[0]!)) &&
  cells.slice(1).every((cell) => pricedTickerOf(cell) !== null && !isNumber(cell));

const isIndexName = (cells: readonly string[]): boolean =>
  cells.length > 1 &&
  USUAL_NAMES.date.includes(plainName(cells[0]!)) &&
  cells.slice(1).every((cell) => cell === '');

const isNumber = (text: string): boolean => !Number.isNaN(writtenNumber(text));

/** Columns of a file that begins with a row: date, perhaps a clock, four prices, a volume. Null for anything else. */
function headlessColumns(cells: readonly string[]): readonly string[] | null {
  const read = timeReader('UTC', 'month-first');
  const isTime = (date: string, clock?: string): boolean =>
    !Number.isNaN(read(date, clock).day) || (numberedDate(date) !== null && clock === undefined);
  const [first = '', second = ''] = cells;
  if (!isTime(first) || !/[-/.: T]|^(\d{8}|\d{10}|\d{13}|\d{16}|\d{19})$/.test(first)) return null;
  const hasClock = /^\d{1,2}:\d\d|^\d{3,6}$/.test(second) && cells.length >= 7 && isTime(first, second);
  const names = ['date', ...(hasClock ? ['time'] : []), 'open', 'high', 'low', 'close', 'volume'];
  const values = cells.slice(hasClock ? 2 : 1);
  if (values.length < 4 || !values.every((value) => value === '' || isNumber(value))) return null;
  const [open, high, low, close] = values.map((value) => writtenNumber(value)) as [
    number,
    number,
    number,
    number,
  ];
  if (high < Math.max(open, low, close) || low > Math.min(open, close)) return null;
  return [...names, ...cells.slice(names.length).map(() => '')].slice(0, cells.length);
}

const CLOSE_FIRST = `no names of columns, and rows go on from the first price of the row before, as from a close: name them, e.g. ${choice('columns', 'date,close,open,high,low,volume')}`;
/** Fewer rows tell little of an order. */
const ORDER_ROWS_MIN = 10;
/** Rows within a share of this are out of order: the dates were misread. */
const DISORDER_MAX = 0.1;
/** A night moves a price less than two sessions and the night between them do. */
const NIGHT_TO_SESSIONS = 1.25;

/** Whether what stands where the open should goes before what stands where the close should. */
function beginsWithClose(rows: readonly (readonly string[])[], columns: readonly string[]): boolean {
  const read = timeReader('UTC', 'month-first');
  const [clock, open, close] = ['time', 'open', 'close'].map((name) => columns.indexOf(name)) as [
    number,
    number,
    number,
  ];
  const bars = rows.map((cells) => ({
    time: read(cells[0] ?? '', cells[clock] ?? '').instant,
    open: writtenNumber(cells[open] ?? ''),
    close: writtenNumber(cells[close] ?? ''),
  }));
  const pairs = bars.slice(1).map((bar, at) => [bars[at]!, bar] as const);
  const back = pairs.filter(([one, next]) => next.time < one.time).length;
  const forward = pairs.filter(([one, next]) => next.time > one.time).length;
  if (bars.length < ORDER_ROWS_MIN || Math.min(back, forward) > DISORDER_MAX * pairs.length) return false;
  let [asNamed, swapped] = [0, 0];
  for (const pair of pairs) {
    const [before, after] = forward >= back ? pair : pair.toReversed();
    asNamed += Math.abs(after!.open - before!.close);
    swapped += Math.abs(after!.close - before!.open);
  }
  return swapped * NIGHT_TO_SESSIONS < asNamed;
}

const textOf = ({ bytes }: SampleLine): string => fieldText(bytes, 0, bytes.length);

/** `('Close', 'AAPL')`, `Close AAPL`, `AAPL.Close`, `AAPL_Close`: what becomes of two levels of columns in one line. */
const FLAT_NAMES = [
  /^\('(?<field>[^']+)', '(?<ticker>[^']+)'\)$/,
  /^(?<field>open|high|low|close|adj close|volume)[ _.|](?<ticker>[A-Z^][A-Z0-9.^-]*)$/i,
  /^(?<ticker>[A-Z^][A-Z0-9^-]*)[ _.|](?<field>open|high|low|close|adj close|adjusted|volume)$/i,
];
const PRICE_SIDES = /^(?:ask|bid|mid|adj)$/i;

/** The two levels of names that each hold a field and a symbol; null of any other head. */
function flattened(cells: readonly string[]) {
  const [first = '', ...others] = cells;
  if (first !== '' && fieldOf(first) !== 'date') return null;
  const parts = others.map((cell) => FLAT_NAMES.map((form) => form.exec(cell)?.groups).find(Boolean));
  const isSymbol = (text = ''): boolean =>
    text === text.toUpperCase() && !PRICE_SIDES.test(text) && pricedTickerOf(text) !== null;
  if (others.length < REQUIRED.length || !parts.every((part) => isSymbol(part?.ticker))) return null;
  return {
    names: [first || 'date', ...parts.map((part) => part!.field!)],
    tickers: ['', ...parts.map((part) => part!.ticker!)],
  };
}

function missingColumns(firstLine: string, mapping: HeadOptions['mapping']): string {
  const names = firstLine.split(delimiterOf(firstLine)).map((name) => name.trim());
  if (fieldOf(names[0]!) === 'date' && names.slice(1).every((name) => pricedTickerOf(name) === name))
    return 'a table of one price for each symbol: bars need open, high, low, close and volume';
  const index = columnIndices(names, mapping);
  return typeof index === 'string' ? index : 'the file has no line of column names';
}

function named(
  names: readonly string[],
  tickers: readonly string[],
  lastHeadLine: number,
  delimiter: string,
  mapping: HeadOptions['mapping'],
): TableHead | string {
  const ofFile = { delimiter, lastHeadLine, columns: names.length, names };
  const symbols = new Set(tickers.slice(1));
  if (symbols.size === 0) {
    const columnIndex = columnIndices(names, mapping);
    return typeof columnIndex === 'string'
      ? columnIndex
      : { ...ofFile, series: [{ symbol: null, columnIndex }] };
  }
  const series = [];
  for (const symbol of symbols) {
    // Columns of other symbols have no name here.
    const own = names.map((name, column) => (column === 0 || tickers[column] === symbol ? name : ''));
    const columnIndex = columnIndices(own, mapping);
    if (typeof columnIndex === 'string') return `${columnIndex} of ${symbol}`;
    series.push({ symbol, columnIndex });
  }
  return { ...ofFile, series };
}

/** The column of each field, or a sentence that names the missing column. */
function columnIndices(names: readonly string[], mapping: HeadOptions['mapping'] = {}): ColumnIndex | string {
  const plain = names.map(plainName);
  const columnIndex = {} as Record<CsvField, number>;
  for (const field of CSV_FIELDS) {
    // A heading may be empty, as of an index column: it names no field.
    columnIndex[field] = usualNames(field, mapping).reduce(
      (found, name) => (found < 0 && name !== '' ? plain.indexOf(name) : found),
      -1,
    );
    const wanted = mapping[field];
    if (wanted !== undefined && columnIndex[field] < 0) return `no column ${wanted} among ${listOf(names)}`;
  }
  // A clock column counts only beside a pure date; `timestamp` and the like hold both.
  if (columnIndex.time < 0 && /^(trade_)?date$/.test(plain[columnIndex.date] ?? ''))
    columnIndex.time = plain.indexOf('time');
  if (columnIndex.time === columnIndex.date) columnIndex.time = -1;
  // A data frame saved with its index has no name over its dates.
  if (columnIndex.date < 0 && plain[0] === '' && mapping.date === undefined) columnIndex.date = 0;
  const missing = REQUIRED.filter((field) => columnIndex[field] < 0);
  if (missing.length === 0) return columnIndex;
  return `no column for ${missing.join(', ')} among ${listOf(names)}`;
}

const listOf = (names: readonly string[]): string => names.map((name) => name || "''").join(', ');

/** Whether a row is a remark at the end of a file, such as who wrote it and when: one field of words. */
export const isRemark = (cells: readonly string[]): boolean => {
  const filled = cells.filter((cell) => !isAbsent(cell));
  return filled.length === 1 && /[a-z]{3}/i.test(filled[0]!) && /\s/.test(filled[0]!);
};
