import { createHash } from 'node:crypto';
import { readdirSync, readSync, rmSync, statSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { DAY_MS } from '../../base/dates.ts';
import { CodedError } from '../../base/errors.ts';
import type { Queryable } from '../../database/database.ts';
import {
  type Columns,
  columnsOf,
  isTimestamp,
  SEGMENT_COLUMNS,
  type SegmentKind,
  type SeriesKind,
} from './series.ts';

/**
 * Segment files are Arrow IPC files, one record batch a symbol (of option chains, a snapshot): what pandas, Polars and DuckDB open as they are is
 * also, at a known offset, the very columns that the engine computes on. Reading a session of one symbol out of a file
 * of hundreds of megabytes is one read of a few kilobytes.
 */

/** Where a batch lies in its file. `bodyOffset` is the byte at which its first column starts. */
export interface Placement {
  readonly symbol: string;
  readonly bodyOffset: number;
  readonly rows: number;
  /** CRC-32 of the batch's body. */
  readonly checksum: number;
}

/** Buffers of an Arrow body start at multiples of this many bytes. */
const ALIGNMENT = 8;
/** Bytes that a buffer of an Arrow body takes. */
const padded = (bytes: number): number => Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;

/** Bytes of the body of a batch: its columns, and four bytes a row that name its symbol. */
export function bodyLength(kind: SegmentKind, rows: number): number {
  return SEGMENT_COLUMNS[kind].length * padded(rows * 8) + padded(rows * 4);
}

/**
 * Rows `from` (inclusive) to `to` (exclusive) of a batch. A small batch comes in one read; of a large one only the
 * requested rows of each column are touched.
 */
export function readRows(
  file: number,
  kind: SeriesKind,
  placement: Pick<Placement, 'bodyOffset' | 'rows'>,
  from: number,
  to: number,
): Columns {
  const columns = readColumns(file, kind, placement, from, to);
  return columnsOf(kind, (_, index) => columns[index]!);
}

/** As `readRows`, for any segment: columns in the order of `SEGMENT_COLUMNS`. */
export function readColumns(
  file: number,
  kind: SegmentKind,
  placement: Pick<Placement, 'bodyOffset' | 'rows'>,
  from: number,
  to: number,
): Float64Array[] {
  const rows = to - from;
  const stride = padded(placement.rows * 8);
  const columns = SEGMENT_COLUMNS[kind].length;
  const memory = new ArrayBuffer(columns * rows * 8);
  if (rows === placement.rows) {
    readFully(file, new Uint8Array(memory), placement.bodyOffset);
  } else {
    for (let column = 0; column < columns; column++) {
      const target = new Uint8Array(memory, column * rows * 8, rows * 8);
      readFully(file, target, placement.bodyOffset + column * stride + from * 8);
    }
  }
  return SEGMENT_COLUMNS[kind].map((name, index) =>
    isTimestamp(name)
      ? decodeTime(memory, index * rows * 8, rows)
      : new Float64Array(memory, index * rows * 8, rows),
  );
}

/** CRC-32 of a batch's body as it lies in the file. */
export function bodyChecksum(
  file: number,
  kind: SegmentKind,
  placement: Pick<Placement, 'bodyOffset' | 'rows'>,
): number {
  const body = new Uint8Array(bodyLength(kind, placement.rows));
  readFully(file, body, placement.bodyOffset);
  return crc32(body);
}

function readFully(file: number, target: Uint8Array, position: number): void {
  for (let at = 0; at < target.length; ) {
    const read = readSync(file, target, at, target.length - at, position + at);
    if (read === 0) {
      throw new CodedError('tape_damaged', `A segment file ends ${target.length - at} bytes early`);
    }
    at += read;
  }
}

function decodeTime(memory: ArrayBuffer, offset: number, rows: number): Float64Array {
  const halves = new Int32Array(memory, offset, rows * 2);
  const time = new Float64Array(rows);
  for (let row = 0; row < rows; row++)
    time[row] = halves[row * 2 + 1]! * 4_294_967_296 + (halves[row * 2]! >>> 0);
  return time;
}

/** A file of another machine that no manifest row names for this long was left behind by a crash. */
const FOREIGN_ORPHAN_MS = DAY_MS;

const machine = createHash('sha256').update(hostname()).digest('hex').slice(0, 8);

/**
 * File names begin with machine and process, so a later start can distinguish leftovers of a crash from work in
 * progress.
 */
export const ownFilePrefix = (): string => `${machine}-${process.pid}`;

/**
 * Removes segment files that a crash left between the rename and the manifest's commit, or unfinished.
 *
 * @returns how many files were removed
 */
export async function removeOrphans(database: Queryable, directory: string, now: number): Promise<number> {
  const files = readdirSync(directory).filter((file) => /\.arrow(\.unfinished)?$/.test(file));
  if (files.length === 0) return 0;
  const rows = await database.query<{ file: string }>('select file from tape_segment where file = any($1)', [
    files,
  ]);
  const known = new Set(rows.map((row) => row.file));
  const orphans = files.filter((file) => !known.has(file) && isAbandoned(directory, file, now));
  for (const file of orphans) rmSync(join(directory, file), { force: true });
  return orphans.length;
}

function isAbandoned(directory: string, file: string, now: number): boolean {
  const [writer, pid] = file.split('-');
  if (writer === machine) return Number(pid) !== process.pid && !isAlive(Number(pid));
  const modified = statSync(join(directory, file), { throwIfNoEntry: false })?.mtimeMs;
  return modified !== undefined && now - modified > FOREIGN_ORPHAN_MS;
}

/** Whether a process of this machine runs. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
