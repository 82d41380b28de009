import { readFile } from 'node:fs/promises';
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import readWorkbook from 'read-excel-file/node';
import { contentOf, lineOf } from './content-of.ts';
import type { NoReading } from './findings.ts';

/** Tables of binary files as delimited text, a line each row, so that the readers of text serve them too. */

/** Unpacked bytes of a file, and of what of it is unpacked at one time. */
const PARQUET_BYTES_MAX = 4 * 2 ** 30;
const GROUP_BYTES_MAX = 512 * 2 ** 20;
/** Rows of Parquet that are text at one time. */
const STEP_ROWS = 20_000;
/** A row of bars as text, about. */
const ROW_BYTES = 60;
/** Cells that the first row of a table has at the least; a note beside it has fewer. */
const TABLE_CELLS_MIN = 3;
const DAY_MS = 86_400_000;
/** The dates that a workbook has for a time without one are before it. */
const FIRST_DATE = Date.UTC(1900, 0, 2);

/** A day or wall clock, to the second where it has no fraction. */
function timeText(date: Date, hasClock: boolean): string {
  const text = date.toISOString();
  return hasClock
    ? text
        .slice(0, 23)
        .replace('T', ' ')
        .replace(/\.000$/, '')
    : text.slice(0, 10);
}

const isMidnight = (value: unknown): boolean => !(value instanceof Date) || value.getTime() % DAY_MS === 0;

/** A table as text, in chunks or, as `TextFile` has it, from a place on. */
interface TableText {
  chunks(): AsyncIterable<Uint8Array>;
  piece(place: number, bytes: number): Promise<Uint8Array>;
}

/** The one table of a workbook as text. */
export async function workbookText(path: string): Promise<TableText | NoReading> {
  const sheets = (await readWorkbook(await readFile(path))).map(({ sheet, data }) => ({
    sheet,
    rows: data.filter((row) => row.some((cell) => cell !== null)),
  }));
  const tables = sheets.filter(({ rows }) => {
    const cells = rows.slice(0, 8).map((row) => row.filter((cell) => cell !== null).length);
    return rows.length > 1 && Math.max(...cells) >= TABLE_CELLS_MIN;
  });
  const [table] = tables;
  if (table === undefined)
    return {
      reason: 'unknown_format',
      example: 'a workbook without a table: save the sheet that has it as CSV',
    };
  if (tables.length > 1) {
    const names = tables.map(({ sheet }) => sheet).join(', ');
    const example = `a workbook with tables on ${tables.length} sheets (${names}): save the one that is meant as CSV, or in a workbook of its own`;
    return { reason: 'ambiguous', example };
  }
  // A spreadsheet's fraction of a day is a second, but for its rounding.
  const rows = table.rows.map((row) =>
    row.map((cell) => (cell instanceof Date ? new Date(Math.round(cell.getTime() / 1000) * 1000) : cell)),
  );
  const width = rows.reduce((most, row) => Math.max(most, row.length), 0);
  const hasClock = Array.from(
    { length: width },
    (_, column) => !rows.every((row) => isMidnight(row[column])),
  );
  const textOf = (cell: unknown, column: number): string =>
    cell instanceof Date
      ? cell.getTime() < FIRST_DATE
        ? cell.toISOString().slice(11, 19)
        : timeText(cell, hasClock[column]!)
      : cell === null || cell === undefined
        ? ''
        : String(cell);
  const text = Buffer.from(
    rows
      .map((row) => lineOf(Array.from({ length: width }, (_, column) => textOf(row[column], column))))
      .join(''),
  );
  return contentOf(text);
}

/** The shortest decimal that is a number of 32 bits. */
function singleText(value: number): string {
  for (let digits = 6; digits < 9; digits++) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === value) return String(short);
  }
  return String(value);
}

/** The table of a Parquet file as text, a step of rows at a time; or why it is not read. */
export async function parquetText(path: string): Promise<TableText | NoReading> {
  const file = await asyncBufferFromFile(path);
  const metadata = await parquetMetadataAsync(file);
  const sizes = metadata.row_groups.map(({ columns }) =>
    columns.reduce((sum, { meta_data: data }) => sum + Number(data?.total_uncompressed_size ?? 0), 0),
  );
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  if (bytes > PARQUET_BYTES_MAX || sizes.some((size) => size > GROUP_BYTES_MAX))
    return { reason: 'too_large', example: `Parquet of ${bytes} unpacked bytes: part it` };
  const count = Number(metadata.num_rows);
  const columns = metadata.schema.slice(1).filter(({ num_children: children }) => !children);
  const isTime = ({ logical_type: logical, converted_type: converted, type }: (typeof columns)[number]) =>
    logical?.type === 'TIMESTAMP' || type === 'INT96' || /^TIMESTAMP/.test(converted ?? '');
  const isUtc = ({ logical_type: logical }: (typeof columns)[number]): boolean =>
    logical?.type === 'TIMESTAMP' && logical.isAdjustedToUTC;
  async function* rowsOf(names: string[], from = 0, to = count): AsyncGenerator<Record<string, unknown>[]> {
    for (let rowStart = from; rowStart < to; rowStart += STEP_ROWS) {
      const rowEnd = Math.min(rowStart + STEP_ROWS, to);
      yield await parquetReadObjects({ file, metadata, compressors, columns: names, rowStart, rowEnd });
    }
  }
  const clocks = new Set(columns.filter(isUtc).map(({ name }) => name));
  const open = columns.filter((column) => isTime(column) && !isUtc(column)).map(({ name }) => name);
  if (open.length > 0)
    for await (const rows of rowsOf(open))
      for (const row of rows) for (const name of open) if (!isMidnight(row[name])) clocks.add(name);
  const textOf = (value: unknown, column: (typeof columns)[number]): string => {
    if (value === null || value === undefined || Number.isNaN(value)) return '';
    if (value instanceof Date)
      return timeText(value, clocks.has(column.name)) + (isUtc(column) ? '+00:00' : '');
    if (typeof value === 'number' && column.type === 'FLOAT') return singleText(value);
    return typeof value === 'object' ? '' : String(value);
  };
  // An index of pandas without a name is the time of its rows.
  const nameOf = (column: (typeof columns)[number]): string =>
    /^__index_level_\d+__$/.test(column.name)
      ? isTime(column) || column.logical_type?.type === 'DATE'
        ? 'date'
        : ''
      : column.name;
  const head = lineOf(columns.map(nameOf));
  const linesFrom = async function* (from: number, to: number): AsyncGenerator<string> {
    const names = columns.map(({ name }) => name);
    for await (const rows of rowsOf(names, from, to))
      yield rows.map((row) => lineOf(columns.map((column) => textOf(row[column.name], column)))).join('');
  };
  return {
    async *chunks() {
      yield Buffer.from(head);
      for await (const lines of linesFrom(0, count)) yield Buffer.from(lines);
    },
    // Whole rows behind a line that stands for the one that a piece of text cuts.
    async piece(place, length) {
      const wanted = Math.min(count, Math.ceil(length / ROW_BYTES));
      const from = Math.floor((count - wanted) * place);
      const lines = await Array.fromAsync(linesFrom(from, from + wanted));
      return Buffer.from(head + lines.join(''));
    },
  };
}
