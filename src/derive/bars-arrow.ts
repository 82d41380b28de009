import {
  Field,
  Float64,
  makeData,
  RecordBatch,
  RecordBatchStreamWriter,
  Schema,
  Struct,
  TimestampMillisecond,
} from 'apache-arrow';
import { encodeTime } from '../tape/write-segment.ts';

/**
 * An Arrow IPC stream of one record batch.
 *
 * @param metadata of the schema
 * @param time epoch milliseconds
 * @param values columns by name, as long as `time`; NaN becomes null
 */
export function arrowStream(
  metadata: ReadonlyMap<string, string>,
  time: Float64Array,
  values: ReadonlyMap<string, Float64Array>,
): Uint8Array {
  const { length } = time;
  const timestamp = new TimestampMillisecond('UTC');
  const fields = [
    new Field('time', timestamp, false),
    ...Array.from(values.keys(), (name) => new Field(name, new Float64(), true)),
  ];
  const schema = new Schema(fields, new Map(metadata));
  const children = [
    makeData({ type: timestamp, length, nullCount: 0, data: encodeTime(time) }),
    ...Array.from(values.values(), (data) =>
      makeData({ type: new Float64(), length, data, ...validityOf(data) }),
    ),
  ];
  const writer = new RecordBatchStreamWriter();
  writer.write(
    new RecordBatch(schema, makeData({ type: new Struct(fields), length, nullCount: 0, children })),
  );
  return writer.finish().toUint8Array(true);
}

/** Arrow's bitmap of the values that are known; none where all are. */
function validityOf(column: Float64Array): { nullCount: number; nullBitmap?: Uint8Array } {
  let nullCount = 0;
  for (let row = 0; row < column.length; row++) if (Number.isNaN(column[row])) nullCount++;
  if (nullCount === 0) return { nullCount };
  const nullBitmap = new Uint8Array(Math.ceil(column.length / 64) * 8);
  for (let row = 0; row < column.length; row++) {
    if (!Number.isNaN(column[row])) nullBitmap[row >> 3]! |= 1 << (row & 7);
  }
  return { nullCount, nullBitmap };
}
