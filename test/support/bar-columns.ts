import type { BarColumns } from '../../src/market/observations.ts';

type Name = keyof BarColumns;
const NAMES: readonly Name[] = ['time', 'open', 'high', 'low', 'close', 'volume'];

/** Columns of bars, each made by its name and its place. */
export const columnsFrom = (make: (name: Name, at: number) => Float64Array): BarColumns =>
  Object.fromEntries(NAMES.map((name, at) => [name, make(name, at)])) as unknown as BarColumns;

export const mapColumns = (
  bars: BarColumns,
  change: (column: Float64Array, name: Name) => Float64Array,
): BarColumns => columnsFrom((name) => change(bars[name], name));

/** Bars with changed prices, and the times and the volume that they had. */
export const mapPrices = (bars: BarColumns, change: (column: Float64Array) => Float64Array): BarColumns =>
  mapColumns(bars, (column, name) => (name === 'time' || name === 'volume' ? column : change(column)));

/** Rows `from` up to but not including `to`, as copies, so that nothing around them can be read. */
export const window = (bars: BarColumns, from: number, to: number): BarColumns =>
  mapColumns(bars, (column) => column.slice(from, to));

/** The first `rows` rows, as copies. */
export const prefix = (bars: BarColumns, rows: number): BarColumns => window(bars, 0, rows);

/** The path upside down: every price p becomes `about` - p, so that tops are bottoms. */
export function mirrored(bars: BarColumns, about: number): BarColumns {
  const { high, low, ...rest } = mapPrices(bars, (column) => column.map((price) => about - price));
  return { ...rest, high: low, low: high };
}
