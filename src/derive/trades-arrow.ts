import {
  Bool,
  type Data,
  type DataType,
  DateDay,
  Dictionary,
  Field,
  Float64,
  Int32,
  Int64,
  makeData,
  RecordBatch,
  Schema,
  Struct,
  Table,
  TimestampMillisecond,
  tableToIPC,
  Utf8,
  vectorFromArray,
} from 'apache-arrow';
import { DAY_MS } from '../base/calendar.ts';
import { encodeTime } from '../tape/write-segment.ts';
import { bitmapOf } from './panel-arrow.ts';
import type { TradeColumn } from './trades-answer.ts';

/** Columns as an Arrow IPC stream of one record batch; words are dictionaries. */
export function columnsAsArrow(
  columns: readonly TradeColumn[],
  rows: number,
  metadata: Readonly<Record<string, string | boolean>>,
): Uint8Array<ArrayBuffer> {
  const data = columns.map((column) => dataOf(column, rows));
  const schema = new Schema(
    columns.map(({ name, unit, description, isNullable = false }, at) => {
      const about = new Map([
        ['description', description],
        ...(unit === undefined ? [] : [['unit', unit]]),
      ] as [string, string][]);
      return new Field(name, data[at]!.type as DataType, isNullable, about);
    }),
    new Map(Object.entries(metadata).map(([name, value]) => [name, `${value}`])),
  );
  const batch = new RecordBatch(
    schema,
    makeData({ type: new Struct(schema.fields), length: rows, children: data }),
  );
  return tableToIPC(new Table(schema, rows === 0 ? [] : [batch]), 'stream') as Uint8Array<ArrayBuffer>;
}

function dataOf({ type, values, words }: TradeColumn, length: number): Data {
  if (type === 'date') {
    const days = Int32Array.from(values, (value) => value / DAY_MS);
    return makeData({ type: new DateDay(), length, nullCount: 0, data: days });
  }
  if (type === 'instant') {
    return makeData({
      type: new TimestampMillisecond('UTC'),
      length,
      nullCount: 0,
      data: encodeTime(values),
    });
  }
  if (type === 'words') {
    const dictionary = vectorFromArray(words!.length === 0 ? [''] : words!, new Utf8());
    const of = new Dictionary(new Utf8(), new Int32());
    return makeData({ type: of, length, nullCount: 0, data: Int32Array.from(values), dictionary });
  }
  if (type === 'integer') {
    const wide = BigInt64Array.from(values, (value) => BigInt(value));
    return makeData({ type: new Int64(), length, nullCount: 0, data: wide });
  }
  const known = knownOf(values);
  if (type === 'flag') {
    return makeData({ type: new Bool(), length, ...known, data: bitmapOf(values, (value) => value === 1) });
  }
  return makeData({ type: new Float64(), length, ...known, data: values });
}

function knownOf(values: Float64Array): { nullCount: number; nullBitmap?: Uint8Array } {
  let nullCount = 0;
  for (let row = 0; row < values.length; row++) if (Number.isNaN(values[row])) nullCount++;
  if (nullCount === 0) return { nullCount };
  return { nullCount, nullBitmap: bitmapOf(values, (value) => !Number.isNaN(value)) };
}
