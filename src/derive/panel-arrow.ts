import {
  Bool,
  type Data,
  type DataType,
  DateDay,
  Field,
  Float64,
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
import { encodeTime } from '../tape/write-segment.ts';
import type { FieldColumns } from './field-columns.ts';
import type { ScalarField } from './scalar-fields.ts';

/** Rows of a panel by column: those of a stock follow one another, each by date. */
export interface PanelColumns {
  /** By row. */
  readonly symbols: readonly string[];
  /** Days since 1970-01-01, by row. */
  readonly days: Int32Array;
  readonly fields: readonly ScalarField[];
  readonly columns: FieldColumns;
}

/** A schema message says its length in bytes 4 to 8; an empty message ends a stream. */
const PREFIX_BYTES = 8;
const END_BYTES = 8;

const DAY = new DateDay();
const TEXT = new Utf8();

/**
 * Rows of a panel as messages of an Arrow IPC stream: with metadata the schema, and a record batch where there are rows.
 * Parts of one panel follow one another; `ARROW_END` ends the stream.
 *
 * @param metadata of the schema; null for a part that follows another
 */
export function arrowMessages(
  { symbols, days, fields, columns }: PanelColumns,
  metadata: Readonly<Record<string, string>> | null,
): Uint8Array<ArrayBuffer> {
  const schema = new Schema(
    [
      new Field('trade_date', DAY, false, new Map([['description', 'The session.']])),
      new Field('symbol', TEXT, false, new Map([['description', 'Ticker symbol.']])),
      ...fields.map(fieldOf),
    ],
    new Map(Object.entries(metadata ?? {})),
  );
  const data = [
    makeData({ type: DAY, data: days, length: days.length }),
    symbolData(symbols),
    ...fields.map((field) => dataOf(field, columns)),
  ];
  const { length } = days;
  const batch = new RecordBatch(
    schema,
    makeData({ type: new Struct(schema.fields), length, children: data }),
  );
  const bytes = tableToIPC(new Table(schema, length === 0 ? [] : [batch]), 'stream');
  const schemaBytes = PREFIX_BYTES + new DataView(bytes.buffer, bytes.byteOffset).getInt32(4, true);
  return bytes.slice(
    metadata === null ? schemaBytes : 0,
    bytes.length - END_BYTES,
  ) as Uint8Array<ArrayBuffer>;
}

const TYPES: Readonly<Record<ScalarField['type'], DataType>> = {
  number: new Float64(),
  integer: new Int64(),
  boolean: new Bool(),
  text: TEXT,
  date: DAY,
  instant: new TimestampMillisecond('UTC'),
};

function fieldOf({ path, type, unit, description }: ScalarField): Field {
  const about = Object.entries({ path, unit: unit ?? '', description }).filter(([, text]) => text !== '');
  return new Field(path, TYPES[type], true, new Map(about));
}

const textData = (texts: readonly (string | null)[]): Data =>
  texts.length === 0 ? makeData({ type: TEXT }) : vectorFromArray(texts, TEXT).data[0]!;

/** Rows of a stock follow one another, so that each name is encoded once. */
function symbolData(symbols: readonly string[]): Data {
  const offsets = new Int32Array(symbols.length + 1);
  const names: Uint8Array[] = [];
  for (let row = 0; row < symbols.length; row++) {
    names.push(symbols[row] === symbols[row - 1] ? names.at(-1)! : Buffer.from(symbols[row]!));
    offsets[row + 1] = offsets[row]! + names.at(-1)!.length;
  }
  return makeData({ type: TEXT, length: symbols.length, valueOffsets: offsets, data: Buffer.concat(names) });
}

const dataOf = ({ path, type }: ScalarField, { numbers, texts }: PanelColumns['columns']): Data =>
  type === 'text' ? textData(texts.get(path)!) : valuesData(type, numbers.get(path)!);

/**
 * @param values dates as days since 1970-01-01, instants as epoch milliseconds, flags as 1 and 0; NaN for null
 * @param isNullable false where there is no NaN
 */
export function valuesData(
  type: Exclude<ScalarField['type'], 'text'>,
  values: Float64Array,
  isNullable = true,
): Data {
  const { length } = values;
  let nullCount = 0;
  if (isNullable) for (let row = 0; row < length; row++) if (Number.isNaN(values[row])) nullCount++;
  const nullBitmap = nullCount === 0 ? null : bitmapOf(values, (value) => !Number.isNaN(value));
  const known = { length, nullBitmap, nullCount };
  if (type === 'boolean')
    return makeData({ type: new Bool(), ...known, data: bitmapOf(values, (value) => value === 1) });
  if (type === 'number') return makeData({ type: new Float64(), ...known, data: values });
  // NaN becomes 0.
  if (type === 'date') return makeData({ type: DAY, ...known, data: new Int32Array(values) });
  const wide = encodeTime(isNullable ? values.map((value) => Math.round(orZero(value))) : values);
  return makeData({ type: TYPES[type] as Int64, ...known, data: wide });
}

const orZero = (value: number): number => (Number.isNaN(value) ? 0 : value);

function bitmapOf(values: Float64Array, isSet: (value: number) => boolean): Uint8Array {
  const bitmap = new Uint8Array((values.length + 7) >> 3);
  for (let row = 0; row < values.length; row++) if (isSet(values[row]!)) bitmap[row >> 3]! |= 1 << (row & 7);
  return bitmap;
}
