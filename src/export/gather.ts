import { DataType, tableFromIPC, type Vector } from 'apache-arrow';
import { DAY_MS } from '../base/dates.ts';
import type { ExportColumn, RowBatch, RowSource } from './column.ts';

/** Values by column: numbers with NaN, texts with null where absent. Dates are days and instants ms since 1970-01-01. */
export interface Gathered {
  readonly rows: number;
  readonly numbers: ReadonlyMap<string, Float64Array>;
  readonly texts: ReadonlyMap<string, (string | null)[]>;
}

/** Where a source puts its values: from a row of the batch on. */
interface Target {
  readonly from: number;
  readonly order: Int32Array | null;
}

/** Puts the rows of a batch into columns, in the order of the file. */
export function gather(columns: readonly ExportColumn[], { sources, isSorted }: RowBatch): Gathered {
  const opened = sources.map(openSource);
  const rows = opened.reduce((sum, source) => sum + source.rows, 0);
  const read = (some: readonly ExportColumn[], order: Int32Array | null): Gathered => {
    const isText = ({ type }: ExportColumn): boolean => type === 'text';
    const numbers = new Map(
      some
        .filter((column) => !isText(column))
        .map(({ name }) => [name, new Float64Array(rows).fill(Number.NaN)]),
    );
    const texts = new Map(
      some.filter(isText).map(({ name }) => [name, new Array<string | null>(rows).fill(null)]),
    );
    let from = 0;
    for (const source of opened) {
      for (const column of some)
        source.read(column, (numbers.get(column.name) ?? texts.get(column.name))!, { from, order });
      from += source.rows;
    }
    return { rows, numbers, texts };
  };
  return read(columns, isSorted ? orderOf(columns, read, rows) : null);
}

/** By row of the sources its row in the file. */
function orderOf(
  columns: readonly ExportColumn[],
  read: (some: readonly ExportColumn[], order: null) => Gathered,
  rows: number,
): Int32Array {
  const { numbers, texts } = read(columns.slice(0, 2), null);
  const [days, symbols] = [numbers.get(columns[0]!.name)!, texts.get(columns[1]!.name)!];
  const compare = (one: number, other: number): number =>
    days[one]! - days[other]! || (symbols[one]! < symbols[other]! ? -1 : +(symbols[one] !== symbols[other]));
  const sorted = Int32Array.from({ length: rows }, (_, row) => row).sort(compare);
  const order = new Int32Array(rows);
  for (let row = 0; row < rows; row++) order[sorted[row]!] = row;
  return order;
}

type Column = Float64Array | (string | null)[];

interface OpenSource {
  readonly rows: number;
  read(column: ExportColumn, into: Column, target: Target): void;
}

function openSource(source: RowSource): OpenSource {
  const { same = {} } = source;
  const { rows, read } = 'arrow' in source ? openArrow(source.arrow) : openJson(source.json, source.at);
  return {
    rows,
    read(column, into, target) {
      const value = same[column.path];
      if (value === undefined) read(column, into, target);
      else put(into, target, rows, () => cellOf(column, value));
    },
  };
}

function put(
  into: Column,
  { from, order }: Target,
  rows: number,
  value: (row: number) => number | string | null,
): void {
  const column = into as (number | string | null)[];
  for (let row = 0; row < rows; row++) column[order === null ? from + row : order[from + row]!] = value(row);
}

/** A value of JSON as it is in a column. */
function cellOf({ type }: ExportColumn, value: unknown): number | string | null {
  if (type === 'text') return typeof value === 'string' ? value : null;
  if (type === 'instant') return typeof value === 'string' ? Date.parse(value) : Number.NaN;
  if (type === 'date')
    return typeof value === 'string' ? Date.parse(`${value}T00:00:00Z`) / DAY_MS : Number.NaN;
  return typeof value === 'number' || typeof value === 'boolean' ? Number(value) : Number.NaN;
}

function openJson(json: string, at: readonly string[]): OpenSource {
  const inside = (value: unknown, name: string): unknown =>
    (value as Record<string, unknown> | null)?.[name] ?? null;
  const list = (at.reduce(inside, JSON.parse(json)) ?? []) as readonly unknown[];
  return {
    rows: list.length,
    read(column, into, target) {
      const names = column.path.split('.');
      put(into, target, list.length, (row) => cellOf(column, names.reduce(inside, list[row])));
    },
  };
}

function openArrow(bytes: Uint8Array): OpenSource {
  const table = tableFromIPC(bytes);
  return {
    rows: table.numRows,
    read({ path, type }, into, { from, order }) {
      let start = from;
      for (const data of table.getChild(path)!.data) {
        put(into, { from: start, order }, data.length, readerOf(data, type));
        start += data.length;
      }
    },
  };
}

type Chunk = Vector['data'][number];

/** Reads a chunk by its memory: a look-up of the library for each value takes ten times as long. */
function readerOf(data: Chunk, type: ExportColumn['type']): (row: number) => number | string | null {
  const { nullBitmap, nullCount, offset, type: of, values } = data;
  const isNull =
    nullCount === 0
      ? () => false
      : (row: number) => (nullBitmap[(offset + row) >> 3]! & (1 << ((offset + row) & 7))) === 0;
  if (type === 'text') return textReader(data, isNull);
  const read = DataType.isBool(of)
    ? (row: number) => (values[(offset + row) >> 3]! >> ((offset + row) & 7)) & 1
    : (row: number) => Number(values[row]);
  // An instant in a column of dates is the midnight of UTC that begins one.
  const scale = type === 'date' && DataType.isTimestamp(of) ? DAY_MS : 1;
  return (row) => (isNull(row) ? Number.NaN : read(row) / scale);
}

/** Equal texts follow one another often: each is decoded once. */
function textReader(
  { valueOffsets, values }: Chunk,
  isNull: (row: number) => boolean,
): (row: number) => string | null {
  const known = new Map<number, string>();
  const bytes = Buffer.from(values.buffer, values.byteOffset, values.byteLength);
  return (row) => {
    if (isNull(row)) return null;
    const [start, end] = [valueOffsets[row]!, valueOffsets[row + 1]!];
    // An empty text begins where the next one does.
    return start === end ? '' : known.getOrInsertComputed(start, () => bytes.toString('utf8', start, end));
  };
}
