import { Field, Float64, Schema, TimestampMillisecond } from 'apache-arrow';
import { BufferRegion, FieldNode, Message, RecordBatch } from 'apache-arrow/ipc/metadata/message';
import { encodeTime } from '../tape/write-segment.ts';

/** Messages and buffers of a stream start at multiples of this many bytes. */
const ALIGNMENT = 8;
const VALUE_BYTES = Float64Array.BYTES_PER_ELEMENT;
const padded = (bytes: number): number => Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;

/** Begins a message; with a length of 0 the stream ends. */
const MARK = -1;
const END = new Uint8Array(Int32Array.of(MARK, 0).buffer);

/**
 * An Arrow IPC stream of one record batch, whose columns are written once, at their places in the stream.
 *
 * @param metadata of the schema
 * @param time epoch milliseconds
 * @param values columns by name, as long as `time`; NaN becomes null
 * @param written makes of a value what the stream has; NaN stays
 */
export function arrowStream(
  metadata: ReadonlyMap<string, string>,
  time: Float64Array,
  values: ReadonlyMap<string, Float64Array>,
  written: (value: number) => number,
): Uint8Array<ArrayBuffer> {
  const { length } = time;
  const fields = [
    new Field('time', new TimestampMillisecond('UTC'), false),
    ...Array.from(values.keys(), (name) => new Field(name, new Float64(), true)),
  ];
  const nodes = [new FieldNode(length, 0)];
  const regions: BufferRegion[] = [];
  let bodyBytes = 0;
  const place = (bytes: number): number => {
    const at = bodyBytes;
    regions.push(new BufferRegion(at, bytes));
    bodyBytes += padded(bytes);
    return at;
  };
  place(0);
  place(length * VALUE_BYTES);
  const placed = Array.from(values.values(), (column) => {
    const nullCount = column.includes(Number.NaN) ? countOfNaN(column) : 0;
    nodes.push(new FieldNode(length, nullCount));
    const known = place(nullCount === 0 ? 0 : Math.ceil(length / 8));
    return { column, nullCount, known, at: place(length * VALUE_BYTES) };
  });
  const schema = framed(Message.from(new Schema(fields, new Map(metadata))));
  const batch = framed(Message.from(new RecordBatch(length, nodes, regions, null), bodyBytes));
  const body = schema.length + batch.length;
  const stream = new Uint8Array(body + bodyBytes + END.length);
  stream.set(schema);
  stream.set(batch, schema.length);
  stream.set(new Uint8Array(encodeTime(time).buffer), body);
  for (const { column, nullCount, known, at } of placed) {
    const target = new Float64Array(stream.buffer, body + at, length);
    for (let row = 0; row < length; row++) target[row] = written(column[row]!);
    if (nullCount > 0) markKnown(column, stream.subarray(body + known));
  }
  stream.set(END, body + bodyBytes);
  return stream;
}

/** A message without its body as it lies in a stream. */
function framed(message: Message): Uint8Array {
  const metadata = Message.encode(message);
  const prefix = 2 * Int32Array.BYTES_PER_ELEMENT;
  const frame = new Uint8Array(padded(prefix + metadata.length));
  new Int32Array(frame.buffer, 0, 2).set([MARK, frame.length - prefix]);
  frame.set(metadata, prefix);
  return frame;
}

function countOfNaN(column: Float64Array): number {
  let count = 0;
  for (let row = 0; row < column.length; row++) if (Number.isNaN(column[row])) count++;
  return count;
}

function markKnown(column: Float64Array, bitmap: Uint8Array): void {
  for (let row = 0; row < column.length; row++) {
    if (!Number.isNaN(column[row])) bitmap[row >> 3]! |= 1 << (row & 7);
  }
}
