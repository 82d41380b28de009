import { kernelMemory, openKernels } from '../kernels/kernels.ts';

/** Columns multiplied together: two tiles of a year, 256 kB, stay in the cache of a core. */
const TILE = 64;

/**
 * The product of each column of a table with itself and with every column before it, by tiles without a matrix. Each is a
 * sum in the order of the rows.
 *
 * @param table `rows` rows of `columns` figures; or, `byColumn`, the columns one after the other
 */
export function eachProduct(
  table: Float64Array,
  rows: number,
  columns: number,
  byColumn: boolean,
  show: (one: number, other: number, product: number) => void,
): void {
  const bytes = rows * TILE * Float64Array.BYTES_PER_ELEMENT;
  const memory = kernelMemory(2 * bytes + TILE * TILE * Float64Array.BYTES_PER_ELEMENT);
  const kernels = openKernels(memory);
  const [one, other] = [0, bytes].map((from) => new Float64Array(memory.buffer, from, rows * TILE));
  const products = new Float64Array(memory.buffer, 2 * bytes, TILE * TILE);
  const [rowStep, columnStep] = byColumn ? [1, rows] : [columns, 1];
  /** Columns behind the last are those of another tile or 0; nobody reads their products. */
  const take = (into: Float64Array, from: number): void => {
    const width = Math.min(TILE, columns - from);
    for (let row = 0; row < rows; row++) {
      const begin = row * rowStep + from * columnStep;
      for (let at = 0; at < width; at++) into[row * TILE + at] = table[begin + at * columnStep]!;
    }
  };
  for (let left = 0; left < columns; left += TILE) {
    take(one!, left);
    for (let right = 0; right <= left; right += TILE) {
      take(other!, right);
      kernels.products(0, bytes, rows, 2 * bytes);
      for (let of = left; of < Math.min(columns, left + TILE); of++) {
        for (let by = right; by < Math.min(of + 1, right + TILE); by++) {
          show(of, by, products[(of - left) * TILE + by - right]!);
        }
      }
    }
  }
}
