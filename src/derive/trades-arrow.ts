import {
  type Data,
  type DataType,
  Dictionary,
  Field,
  Int32,
  makeData,
  RecordBatch,
  Schema,
  Struct,
  Table,
  tableToIPC,
  Utf8,
  vectorFromArray,
} from 'apache-arrow';
import { DAY_MS } from '../base/calendar.ts';
import { valuesData } from './panel-arrow.ts';
import type { TradeColumn } from './trade-fields.ts';

/** Columns as an Arrow IPC stream of one record batch; words are dictionaries. */
export function columnsAsArrow(
  columns: readonly TradeColumn[],
  length: number,
  metadata: Readonly<Record<string, string | boolean>>,
): Uint8Array<ArrayBuffer> {
  const children = columns.map(dataOf);
  const fields = columns.map(({ name, unit = '', description, isNullable = false }, at) => {
    const about = new Map(Object.entries({ description, unit }).filter(([, text]) => text !== ''));
    return new Field(name, children[at]!.type as DataType, isNullable, about);
  });
  const schema = new Schema(
    fields,
    new Map(Object.entries(metadata).map(([name, value]) => [name, `${value}`])),
  );
  const batch = new RecordBatch(schema, makeData({ type: new Struct(fields), length, children }));
  return tableToIPC(new Table(schema, length === 0 ? [] : [batch]), 'stream') as Uint8Array<ArrayBuffer>;
}

function dataOf({ type, values, words, isNullable = false }: TradeColumn): Data {
  if (type === 'date')
    return valuesData(
      type,
      values.map((value) => value / DAY_MS),
      false,
    );
  if (type !== 'words') return valuesData(type, values, isNullable);
  const dictionary = vectorFromArray(words!.length === 0 ? [''] : words!, new Utf8());
  const of = new Dictionary(new Utf8(), new Int32());
  return makeData({
    type: of,
    length: values.length,
    nullCount: 0,
    data: new Int32Array(values),
    dictionary,
  });
}
