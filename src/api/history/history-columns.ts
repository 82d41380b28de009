import { PACKED_FIELDS, type RowReader, rowReader, TEXT_FIELDS } from '../../derive/projection.ts';
import type { ScalarColumn } from '../../derive/scalar-columns.ts';
import type { ScalarField } from '../../derive/scalar-fields.ts';
import { valueText } from '../../derive/value-text.ts';
import type { RowValues } from '../context/history-rows.ts';

/** A stock-day in columns: its place in each. */
export interface CellsOfDay {
  readonly columns: ReadonlyMap<ScalarField, ScalarColumn>;
  readonly at: number;
}

/** A column under construction, and its place among packed or text fields. */
interface Column {
  readonly field: ScalarField;
  readonly packed: number;
  readonly text: number;
  readonly values: string[];
}

/** Collects fields of stock-days as columns of JSON. */
export class HistoryColumns {
  readonly #columns: readonly Column[];
  readonly #byPacked: ReadonlyMap<number, Column>;
  readonly #texts: readonly Column[];
  readonly #readers: ReadonlyMap<string, RowReader>;
  #rows = 0;

  /** @param catalogues text of every catalogue by digest; a row of an unknown one has no values */
  constructor(fields: readonly ScalarField[], catalogues: ReadonlyMap<string, string>) {
    this.#columns = fields.map((field) => ({
      field,
      packed: PACKED_FIELDS.indexOf(field),
      text: TEXT_FIELDS.indexOf(field),
      values: [],
    }));
    this.#byPacked = new Map(this.#columns.map((column) => [column.packed, column]));
    this.#texts = this.#columns.filter(({ text }) => text >= 0);
    this.#readers = new Map(Array.from(catalogues, ([digest, text]) => [digest, rowReader(text)]));
  }

  /** Adds the next row; null for one without values. */
  add(row: RowValues | CellsOfDay | null): void {
    const place = this.#rows++;
    for (const { values } of this.#columns) values.push('null');
    if (row !== null && 'columns' in row) {
      for (const { field, values } of this.#columns) values[place] = cellText(field, row);
      return;
    }
    const reader = row === null ? undefined : this.#readers.get(row.catalogue);
    if (row === null || reader === undefined) return;
    reader.numbers(row.packed, (packed, value) => {
      const column = this.#byPacked.get(packed);
      if (column !== undefined) column.values[place] = valueText(column.field.type, value, null);
    });
    if (this.#texts.length === 0) return;
    const texts = reader.texts(row.texts);
    for (const { text, values } of this.#texts) values[place] = JSON.stringify(texts[text]);
  }

  text(): string {
    const columns = this.#columns.map(
      ({ field, values }) => `${JSON.stringify(field.path)}:[${values.join()}]`,
    );
    return `{${columns.join()}}`;
  }
}

function cellText(field: ScalarField, { columns, at }: CellsOfDay): string {
  const value = columns.get(field)?.[at] ?? null;
  if (typeof value !== 'number') return JSON.stringify(value);
  return Number.isNaN(value) ? 'null' : valueText(field.type, value, null);
}
