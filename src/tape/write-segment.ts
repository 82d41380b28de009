import { crc32 } from 'node:zlib';
import {
  Dictionary,
  Field,
  Float64,
  Int32,
  makeData,
  RecordBatch,
  RecordBatchFileWriter,
  Schema,
  Struct,
  TimestampMillisecond,
  Utf8,
  type Vector,
  vectorFromArray,
} from 'apache-arrow';
import { Footer } from 'apache-arrow/ipc/metadata/file';
import { type Columns, isTimestamp, SEGMENT_COLUMNS, type SegmentKind, snakeCase } from '../market/series.ts';
import { bodyLength, type Placement } from './segment-file.ts';

/** What becomes one record batch, in the columns of its segment. */
export interface NamedBatch {
  readonly symbol: string;
  readonly columns: { readonly [name: string]: Float64Array };
}

/** One symbol's rows for a new segment, ascending in time. */
export interface Batch extends NamedBatch {
  readonly columns: Columns;
}

const MAGIC_LENGTH = 6;

/** Rows between two steps: about a millisecond. */
const STEP_ROWS = 5_000;

/** The bytes of a segment, worked out in steps between which other callers may have the thread. */
export function* segmentImage(
  kind: SegmentKind,
  batches: readonly NamedBatch[],
): Generator<void, { readonly image: Uint8Array; readonly placements: readonly Placement[] }> {
  const image = yield* arrowImage(kind, batches);
  return { image, placements: yield* placementsIn(image, kind, batches) };
}

/** The batches, with a step after some rows. */
function* inSteps(
  kind: SegmentKind,
  batches: readonly NamedBatch[],
  take: (batch: NamedBatch, at: number) => void,
) {
  let rows = 0;
  for (const [at, batch] of batches.entries()) {
    take(batch, at);
    rows += rowsOf(kind, batch);
    if (rows < STEP_ROWS) continue;
    rows = 0;
    yield;
  }
}

function* arrowImage(kind: SegmentKind, batches: readonly NamedBatch[]): Generator<void, Uint8Array> {
  // Each once: a category that is there twice is refused by readers that make one of every entry.
  const names = [...new Set(batches.map((batch) => batch.symbol))];
  const symbolIndex = new Map(names.map((name, index) => [name, index]));
  const symbols: Vector<Utf8> = vectorFromArray(names, new Utf8());
  const symbolType = new Dictionary(new Utf8(), new Int32(), 0);
  const fields = SEGMENT_COLUMNS[kind].map((name) => new Field(snakeCase(name), columnType(name), false));
  const schema = new Schema([...fields, new Field('symbol', symbolType, false)]);
  const writer = new RecordBatchFileWriter();
  yield* inSteps(kind, batches, (batch) => {
    const length = rowsOf(kind, batch);
    const children = SEGMENT_COLUMNS[kind].map((name) => columnData(name, batch.columns[name]!));
    const symbolData = makeData({
      type: symbolType,
      length,
      nullCount: 0,
      data: new Int32Array(length).fill(symbolIndex.get(batch.symbol)!),
      dictionary: symbols,
    });
    const data = makeData({
      type: new Struct(schema.fields),
      length,
      nullCount: 0,
      children: [...children, symbolData],
    });
    writer.write(new RecordBatch(schema, data));
  });
  return writer.finish().toUint8Array(true);
}

const rowsOf = (kind: SegmentKind, { columns }: NamedBatch): number =>
  columns[SEGMENT_COLUMNS[kind][0]!]!.length;

const columnType = (name: string): TimestampMillisecond | Float64 =>
  isTimestamp(name) ? new TimestampMillisecond('UTC') : new Float64();

function columnData(name: string, column: Float64Array) {
  if (!isTimestamp(name))
    return makeData({ type: new Float64(), length: column.length, nullCount: 0, data: column });
  const type = new TimestampMillisecond('UTC');
  return makeData({ type, length: column.length, nullCount: 0, data: encodeTime(column) });
}

/** Millisecond stamps fit 53 bits, so two 32-bit halves make the stored integer without a BigInt a row. */
export function encodeTime(time: Float64Array): BigInt64Array<ArrayBuffer> {
  const halves = new Int32Array(time.length * 2);
  for (let row = 0; row < time.length; row++) {
    const high = Math.floor(time[row]! / 4_294_967_296);
    halves[row * 2] = time[row]! - high * 4_294_967_296;
    halves[row * 2 + 1] = high;
  }
  return new BigInt64Array(halves.buffer);
}

function* placementsIn(
  image: Uint8Array,
  kind: SegmentKind,
  batches: readonly NamedBatch[],
): Generator<void, readonly Placement[]> {
  const view = new DataView(image.buffer, image.byteOffset, image.byteLength);
  const footerLength = view.getInt32(image.length - MAGIC_LENGTH - 4, true);
  const footerEnd = image.length - MAGIC_LENGTH - 4;
  const footer = Footer.decode(image.subarray(footerEnd - footerLength, footerEnd));
  const placements: Placement[] = [];
  yield* inSteps(kind, batches, (batch, index) => {
    const block = footer.getRecordBatch(index);
    if (block === null) throw new Error(`segment image holds no batch ${index}`);
    const rows = rowsOf(kind, batch);
    const expected = bodyLength(kind, rows);
    // The engine reads columns by arithmetic; a library that laid them out differently must be noticed here.
    if (block.bodyLength !== expected) {
      throw new Error(
        `batch of ${rows} rows takes ${block.bodyLength} bytes where ${expected} were expected`,
      );
    }
    const bodyOffset = block.offset + block.metaDataLength;
    const checksum = crc32(image.subarray(bodyOffset, bodyOffset + expected));
    placements.push({ symbol: batch.symbol, bodyOffset, rows, checksum });
  });
  return placements;
}
