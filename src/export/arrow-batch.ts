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
  TimestampMicrosecond,
  Utf8,
  type Vector,
  vectorFromArray,
} from 'apache-arrow';
import type { ExportColumn, FileHead } from './column.ts';
import type { Gathered } from './gather.ts';

const MICROSECONDS = 1_000n;

const TYPES: Readonly<Record<ExportColumn['type'], DataType>> = {
  number: new Float64(),
  integer: new Int64(),
  boolean: new Bool(),
  text: new Utf8(),
  date: new DateDay(),
  instant: new TimestampMicrosecond('UTC'),
};

interface Words {
  readonly vector: Vector;
  readonly places: ReadonlyMap<string, number>;
}

/** Makes record batches of one schema: columns with a closed vocabulary are dictionaries of it, the same in every batch. */
export function recordBatches({ columns, metadata }: Pick<FileHead, 'columns' | 'metadata'>) {
  const words = new Map<ExportColumn, Words>();
  const fields = columns.map((column, at) => {
    const { name, type, path, unit, description, isKnown } = column;
    const about = Object.entries({ path, unit: unit ?? '', description }).filter(([, text]) => text !== '');
    if (column.words !== null)
      words.set(column, {
        vector: vectorFromArray(column.words, new Utf8()),
        places: new Map(column.words.map((word, place) => [word, place])),
      });
    const of = column.words === null ? TYPES[type] : new Dictionary(new Utf8(), new Int32(), at);
    return new Field(name, of, isKnown !== true, new Map(about));
  });
  const schema = new Schema(fields, new Map(Object.entries(metadata)));
  return {
    schema,
    of(gathered: Gathered): RecordBatch {
      const children = columns.map((column, at) =>
        dataOf(fields[at]!.type, column, gathered, words.get(column)),
      );
      const length = gathered.rows;
      return new RecordBatch(schema, makeData({ type: new Struct(fields), length, nullCount: 0, children }));
    },
  };
}

function dataOf(
  type: DataType,
  column: ExportColumn,
  { rows: length, ...gathered }: Gathered,
  words?: Words,
): Data {
  if (column.type === 'text') {
    const texts = gathered.texts.get(column.name)!;
    if (words !== undefined) return wordData(type as Dictionary, column, texts, words);
    return length === 0 ? makeData({ type: new Utf8() }) : vectorFromArray(texts, new Utf8()).data[0]!;
  }
  const values = gathered.numbers.get(column.name)!;
  const known = { length, ...nulls(values, Number.isNaN) };
  const at = (row: number): number => (Number.isNaN(values[row]) ? 0 : values[row]!);
  switch (column.type) {
    case 'number':
      return makeData({ type: new Float64(), ...known, data: values });
    case 'boolean':
      return makeData({ type: new Bool(), ...known, data: bitmap(length, (row) => values[row] === 1) });
    case 'date':
      return makeData({
        type: new DateDay(),
        ...known,
        data: Int32Array.from({ length }, (_, row) => at(row)),
      });
    default: {
      const scale = column.type === 'instant' ? MICROSECONDS : 1n;
      const wide = BigInt64Array.from({ length }, (_, row) => BigInt(Math.round(at(row))) * scale);
      return makeData({ type: type as Int64, ...known, data: wide });
    }
  }
}

/** @throws Error for a word outside of the vocabulary, a defect of what declares it */
function wordData(
  type: Dictionary,
  { name }: ExportColumn,
  texts: readonly (string | null)[],
  { vector, places }: Words,
): Data {
  const data = Int32Array.from(texts, (text) => (text === null ? 0 : (places.get(text) ?? -1)));
  const unknown = data.indexOf(-1);
  if (unknown >= 0) throw new Error(`${name} has no word ${JSON.stringify(texts[unknown])}`);
  return makeData({
    type,
    length: texts.length,
    ...nulls(texts, (text) => text === null),
    data,
    dictionary: vector,
  });
}

function nulls<Value>(values: ArrayLike<Value>, isNull: (value: Value) => boolean) {
  let nullCount = 0;
  for (let row = 0; row < values.length; row++) if (isNull(values[row]!)) nullCount++;
  return nullCount === 0
    ? { nullCount }
    : { nullCount, nullBitmap: bitmap(values.length, (row) => !isNull(values[row]!)) };
}

function bitmap(length: number, isSet: (row: number) => boolean): Uint8Array {
  const bits = new Uint8Array((length + 7) >> 3);
  for (let row = 0; row < length; row++) if (isSet(row)) bits[row >> 3]! |= 1 << (row & 7);
  return bits;
}
