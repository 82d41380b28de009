import { crc32 } from 'node:zlib';
import {
  type Columns,
  columnsInOrder,
  isTimestamp,
  SEGMENT_COLUMNS,
  type SegmentKind,
  type SeriesKind,
} from '../market/series.ts';

/**
 * Segment files are Arrow IPC files, one record batch a symbol (of option chains, a snapshot): what pyarrow, pandas and Polars open as they are is
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

/** Fills `target` with the bytes of a segment file from a position on. */
export type ReadBytes = (target: Uint8Array, position: number) => void;

/** Buffers of an Arrow body start at multiples of this many bytes. */
const ALIGNMENT = 8;
/** Bytes that a buffer of an Arrow body takes. */
const padded = (bytes: number): number => Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;

/** Bytes of the body of a batch: its columns, and four bytes a row that name its symbol. */
export function bodyLength(kind: SegmentKind, rows: number): number {
  return SEGMENT_COLUMNS[kind].length * padded(rows * 8) + padded(rows * 4);
}

/** Rows `from` to `to` (exclusive) of a batch: a small batch in one read, of a large one only the requested rows. */
export function readRows(
  read: ReadBytes,
  kind: SeriesKind,
  placement: Pick<Placement, 'bodyOffset' | 'rows'>,
  from: number,
  to: number,
): Columns {
  return columnsInOrder(kind, readColumns(read, kind, placement, from, to));
}

/** As `readRows`, for any segment: columns in the order of `SEGMENT_COLUMNS`. */
export function readColumns(
  read: ReadBytes,
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
    read(new Uint8Array(memory), placement.bodyOffset);
  } else {
    for (let column = 0; column < columns; column++) {
      const target = new Uint8Array(memory, column * rows * 8, rows * 8);
      read(target, placement.bodyOffset + column * stride + from * 8);
    }
  }
  return SEGMENT_COLUMNS[kind].map((name, index) =>
    isTimestamp(name)
      ? decodeTime(memory, index * rows * 8, rows)
      : new Float64Array(memory, index * rows * 8, rows),
  );
}

/** What a checksum reads at a time: it stays in the processor's cache, and megabytes need no memory. */
const PIECE = new Uint8Array(131_072);

/** CRC-32 of a batch's body as it lies in the file. */
export function bodyChecksum(
  read: ReadBytes,
  kind: SegmentKind,
  { bodyOffset, rows }: Pick<Placement, 'bodyOffset' | 'rows'>,
): number {
  const end = bodyOffset + bodyLength(kind, rows);
  let checksum = 0;
  for (let at = bodyOffset; at < end; at += PIECE.length) {
    const piece = PIECE.subarray(0, end - at);
    read(piece, at);
    checksum = crc32(piece, checksum);
  }
  return checksum;
}

/** In the place of the timestamps. */
function decodeTime(memory: ArrayBuffer, offset: number, rows: number): Float64Array {
  const halves = new Int32Array(memory, offset, rows * 2);
  const time = new Float64Array(memory, offset, rows);
  for (let row = 0; row < rows; row++)
    time[row] = halves[row * 2 + 1]! * 4_294_967_296 + (halves[row * 2]! >>> 0);
  return time;
}
