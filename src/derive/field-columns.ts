import { PACKED_FIELDS, rowReader, SCREEN_CATALOGUE, TEXT_FIELDS } from './projection.ts';
import type { ScreenRow } from './stock-day.ts';

const ownReader = rowReader(SCREEN_CATALOGUE.fields);

/** Columns of some fields, which rows of screens are put into. */
export class FieldColumns {
  readonly numbers: ReadonlyMap<string, Float64Array>;
  readonly texts: ReadonlyMap<string, (string | null)[]>;
  readonly #numbers: readonly (Float64Array | undefined)[];

  constructor(fields: readonly string[], rows: number) {
    const wanted = new Set(fields);
    const numbers = PACKED_FIELDS.filter(({ path }) => wanted.has(path));
    const texts = TEXT_FIELDS.filter(({ path }) => wanted.has(path));
    this.numbers = new Map(numbers.map(({ path }) => [path, new Float64Array(rows).fill(Number.NaN)]));
    this.texts = new Map(texts.map(({ path }) => [path, new Array<string | null>(rows).fill(null)]));
    this.#numbers = PACKED_FIELDS.map(({ path }) => this.numbers.get(path));
  }

  /** @param read of the row's catalogue, where that is not of this program */
  put(row: number, { packed, texts }: Pick<ScreenRow, 'packed' | 'texts'>, read = ownReader): void {
    read.numbers(packed, (field, value) => {
      const column = this.#numbers[field];
      if (column !== undefined) column[row] = value;
    });
    if (this.texts.size === 0) return;
    const known = read.texts(texts);
    for (const [field, { path }] of TEXT_FIELDS.entries()) {
      const column = this.texts.get(path);
      if (column !== undefined) column[row] = known[field]!;
    }
  }
}
