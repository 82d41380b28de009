import { parse } from 'csv-parse/sync';
import type { Delivery } from '../feed.ts';
import { isTextFile, type TextFile, textFiles } from './archive.ts';
import type { RefusalTally } from './refusal-tally.ts';
import { tickerOf } from './ticker.ts';

/** A table or archive of reported facts has some megabytes; this is twenty times the largest. */
const TEXT_BYTES_MAX = 64 * 2 ** 20;
/** Endings by which these sources mark a listing outside of the United States: `005930_KS`, `RCI.B.TO`. */
const FOREIGN_LISTING = /_[A-Z]{2}$|\.[A-Z]{1,2}\.[A-Z]{1,2}$/;
/** `BFA, BFB`, `LEN, LEN.B`, `LLYVA/K`: several classes in one field. `N/A`: no symbol at all. */
const SEVERAL_CLASSES = /[,/]/;
/** The only words outside of JSON's grammar that these files hold, beside the strings, which must stay untouched. */
const STRING_OR_BARE_WORD = /"(?:[^"\\]|\\.)*"|-?\b(?:NaN|Infinity)\b/g;

/** Where a unit's file lies, and what messages call it. */
export interface SourceFile {
  readonly path: string;
  readonly key: string;
}

/** Reads a source file to the end as deliveries; refusals that it counts in the tally are delivered by the caller. */
export type ReadSource = (source: SourceFile, tally: RefusalTally) => AsyncIterable<Delivery>;

/** One row of a table with a header line. Fields are named as in the header. */
export interface Row {
  /** The row's place, `file:line`. */
  readonly where: string;
  /** The row as it stands, for the example of a refusal. */
  readonly example: string;
  /** Without spaces around it; null when the field is empty. */
  text(column: string): string | null;
  /** Null when the field is empty, NaN when it holds something that is no number. */
  number(column: string): number | null;
}

/** Every row of a table that has at least the given columns; anything else is counted. */
export async function tableRows(
  { path, key }: SourceFile,
  columns: readonly string[],
  tally: RefusalTally,
): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const file of provenFiles({ path, key }, tally)) {
    const text = await textOf(file, tally);
    // One at a time: a spread of sixty thousand rows overflows the stack.
    for (const row of text === null ? [] : rowsIn(text, file.where, columns, tally)) rows.push(row);
  }
  return rows;
}

/** The files inside a source file; what is wrong with it is counted. */
export async function* provenFiles({ path, key }: SourceFile, tally: RefusalTally): AsyncGenerator<TextFile> {
  for await (const file of textFiles(path, key)) {
    if (isTextFile(file)) yield file;
    else tally.note(file.reason, file.where, file.example);
  }
}

function rowsIn(text: string, where: string, columns: readonly string[], tally: RefusalTally): Row[] {
  const [header, ...records] = recordsIn(text, where, tally);
  const places = new Map(header?.fields.map((name, place) => [name.trim(), place]));
  const missing = columns.filter((column) => !places.has(column));
  if (missing.length > 0) {
    tally.note('wrong_columns', where, `no column ${missing.join(', ')}`);
    return [];
  }
  const rows: Row[] = [];
  for (const { line, fields } of records) {
    if (fields.length === header!.fields.length) rows.push(rowOf(fields, places, `${where}:${line}`));
    else tally.note('wrong_columns', `${where}:${line}`, fields.join(','));
  }
  return rows;
}

interface TableRecord {
  readonly line: number;
  readonly fields: readonly string[];
}

function recordsIn(text: string, where: string, tally: RefusalTally): TableRecord[] {
  const records = parse(text, {
    bom: true,
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    skip_records_with_error: true,
    on_skip: (error) => {
      tally.note('wrong_columns', `${where}:${error?.lines ?? 0}`, error?.message ?? '');
      return undefined;
    },
  }) as unknown as { info: { lines: number }; record: string[] }[];
  return records.map(({ info, record }) => ({ line: info.lines, fields: record }));
}

function rowOf(fields: readonly string[], places: ReadonlyMap<string, number>, where: string): Row {
  const text = (column: string): string | null => fields[places.get(column) ?? -1]?.trim() || null;
  return {
    where,
    get example() {
      return fields.join(',');
    },
    text,
    number(column) {
      const written = text(column);
      return written === null ? null : Number(written);
    },
  };
}

/** Text of a file, null (and counted) when it is larger than any such file can be. */
async function textOf(file: TextFile, tally: RefusalTally): Promise<string | null> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of file.chunks()) {
    bytes += chunk.length;
    if (bytes > TEXT_BYTES_MAX) {
      tally.note('too_large', file.where, `a file of more than ${TEXT_BYTES_MAX} bytes`);
      return null;
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/**
 * The members of a JSON object in a file, or null (and counted) when there is none. Bare `NaN` and `Infinity`, which
 * Python writes and JSON does not know, are read as null; each file with one counts as `repaired`.
 */
export async function jsonObject(file: TextFile, tally: RefusalTally): Promise<JsonObject | null> {
  const text = await textOf(file, tally);
  if (text === null) return null;
  const parsed = asJson(text) ?? repairedJson(text, file.where, tally);
  if (parsed === null) tally.note('unknown_format', file.where, text.slice(0, 80));
  return parsed;
}

/** As `jsonObject`, for a file that holds a list. */
export async function jsonList(file: TextFile, tally: RefusalTally): Promise<readonly JsonObject[]> {
  const text = await textOf(file, tally);
  const wrapped = text === null ? null : asJson(`{"list":${text}}`);
  if (text !== null && wrapped === null) tally.note('unknown_format', file.where, text.slice(0, 80));
  return objectsIn(wrapped?.list);
}

function repairedJson(text: string, where: string, tally: RefusalTally): JsonObject | null {
  let words = 0;
  const repaired = text.replace(STRING_OR_BARE_WORD, (found) => {
    if (found.startsWith('"')) return found;
    words++;
    return 'null';
  });
  const parsed = words === 0 ? null : asJson(repaired);
  if (parsed !== null) tally.note('repaired', where, `${words} bare NaN read as null`);
  return parsed;
}

export type JsonObject = Readonly<Record<string, unknown>>;

function asJson(text: string): JsonObject | null {
  try {
    return objectOf(JSON.parse(text));
  } catch {
    return null;
  }
}

export function objectOf(value: unknown): JsonObject | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : null;
}

export function objectsIn(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.map(objectOf).filter((member) => member !== null) : [];
}

export function textIn(members: JsonObject, name: string): string | null {
  const value = members[name];
  return (typeof value === 'string' && value.trim()) || null;
}

/** A number, also when it is written as a string; null for anything else. */
export function numberIn(members: JsonObject, name: string): number | null {
  const value = members[name];
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : null;
}

/** The symbol of a row, or the reason why it has none that this program keeps. */
export function symbolOf(
  text: string | null,
): { symbol: string } | { reason: 'bad_symbol' | 'foreign_listing' } {
  if (text === null || SEVERAL_CLASSES.test(text)) return { reason: 'bad_symbol' };
  if (FOREIGN_LISTING.test(text)) return { reason: 'foreign_listing' };
  const symbol = tickerOf(text);
  return symbol === null ? { reason: 'bad_symbol' } : { symbol };
}

/** Percent of a fraction: 0.27037 is 27.037. Rounded where a double's own noise begins. */
export function percentOf(fraction: number | null): number | null {
  return fraction === null ? null : Number((fraction * 100).toPrecision(12));
}
