import { onceFor } from '../base/once-for.ts';
import { PACKED_FIELDS, rowReader, SCREEN_CATALOGUE, TEXT_FIELDS } from './projection.ts';
import type { ScreenRow } from './stock-day.ts';

const ownReader = rowReader(SCREEN_CATALOGUE.fields);

interface FieldPlace {
  readonly path: string;
  /** The number of the field among those of its form. */
  readonly at: number;
}

/** Where rows have some fields. */
const placesOf = onceFor((fields: readonly string[]) => {
  const wanted = new Set(fields);
  const among = (all: readonly { readonly path: string }[]): FieldPlace[] =>
    all.flatMap(({ path }, at) => (wanted.has(path) ? [{ path, at }] : []));
  return { numbers: among(PACKED_FIELDS), texts: among(TEXT_FIELDS) };
});

/** Columns of some fields, which rows of screens are put into. */
export class FieldColumns {
  readonly numbers: ReadonlyMap<string, Float64Array>;
  readonly texts: ReadonlyMap<string, (string | null)[]>;
  /** By the number of a field in rows. */
  readonly #numbers: readonly (Float64Array | undefined)[];
  readonly #texts: readonly FieldPlace[];

  constructor(fields: readonly string[], rows: number) {
    const { numbers, texts } = placesOf(fields);
    const columns: Float64Array[] = [];
    for (const { at } of numbers) columns[at] = new Float64Array(rows).fill(Number.NaN);
    this.numbers = new Map(numbers.map(({ path, at }) => [path, columns[at]!]));
    this.#numbers = columns;
    this.texts = new Map(texts.map(({ path }) => [path, new Array<string | null>(rows).fill(null)]));
    this.#texts = texts;
  }

  /** @param read of the row's catalogue, where that is not of this program */
  put(row: number, { packed, texts }: Pick<ScreenRow, 'packed' | 'texts'>, read = ownReader): void {
    read.numbers(packed, (field, value) => {
      const column = this.#numbers[field];
      if (column !== undefined) column[row] = value;
    });
    if (this.texts.size === 0) return;
    const known = read.texts(texts);
    for (const { path, at } of this.#texts) this.texts.get(path)![row] = known[at]!;
  }
}
