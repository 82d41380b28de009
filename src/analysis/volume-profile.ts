import type { BarColumns } from '../market/observations.ts';
import type { RowRange } from './sessions.ts';
import { clamp } from './statistics.ts';

/** Share of the volume that the value area holds at least. */
export const VALUE_AREA_SHARE = 0.7;
export const MAX_ROWS = 500;
/** Rows finer than this share of the price split one quote into several rows. */
export const FINEST_ROW = 0.0001;
/** A node must stand out from both its valleys by this share of the highest smoothed row. */
const NODE_PROMINENCE = 0.15;
/** Sums of the same volumes in another order differ by dust; rows closer than this are equal. */
export const DUST = 1e-9;

/** Lower and upper edge of the value area, dollars. */
export interface ValueArea {
  readonly val: number;
  readonly vah: number;
}

/** A price with how much traded in its row, shares. */
export interface VolumeNode {
  readonly price: number;
  readonly volume: number;
}

/** Volume by price of a stretch of bars. Prices in dollars, volumes in shares. */
export interface VolumeProfile extends ValueArea {
  /** How volume was put on prices: each bar's, evenly over the rows between its low and high. */
  readonly method: 'bar_range_even';
  /** Height of a row, a multiple of the tick. */
  readonly rowSize: number;
  /** Lowest price of the lowest row; row k begins `k * rowSize` above it. */
  readonly base: number;
  /** Shares per row from the lowest to the highest price traded; empty rows in between are zeros. */
  readonly rows: Float64Array;
  readonly totalVolume: number;
  /** Middle of the row with most volume. */
  readonly poc: number;
  readonly valueAreaVolume: number;
  /** Prices that the market accepted and those that it hurried through, ascending. */
  readonly highVolumeNodes: readonly VolumeNode[];
  readonly lowVolumeNodes: readonly VolumeNode[];
}

/** Price steps in a dollar: cents from a dollar on, hundredths of a cent below (SEC Rule 612). */
export function ticksPerDollar(price: number): number {
  return price < 1 ? 10_000 : 100;
}

/** Row height, dollars: the least of 1, 2, 5, 10 … ticks that is a basis point of the low and leaves 500 rows. */
export function profileRowSize(low: number, high: number): number {
  const ticks = ticksPerDollar(low);
  // Two rows are spare: the lowest and the highest may be cut into by the grid.
  const atLeast = Math.max(low * FINEST_ROW, (high - low) / (MAX_ROWS - 2)) * ticks - DUST;
  let decade = 1;
  while (decade * 5 < atLeast) decade *= 10;
  const step = decade >= atLeast ? 1 : decade * 2 >= atLeast ? 2 : 5;
  return (decade * step) / ticks;
}

/**
 * Volume profile of the rows; null when they hold no volume.
 *
 * Prices are put on the tick grid; a row is `rowSize` worth of neighbouring ticks, counted from zero dollars, so that
 * profiles of two days stand on one grid when their row sizes agree. A bar gives each row that it touches the same
 * share of its volume. The value area runs from the lowest tick of its lowest row to the highest of its highest; point
 * of control and nodes are the middle of their rows. Source: market profile practice for bars without ticks.
 *
 * @param rowSize dollars, rounded to whole ticks; default `profileRowSize` of the bars with volume
 */
export function volumeProfile(
  columns: BarColumns,
  range: RowRange | null,
  rowSize?: number,
): VolumeProfile | null {
  const traded = range === null ? null : tradedRange(columns, range);
  if (range === null || traded === null) return null;
  const grid = rowGrid(traded.low, rowSize ?? profileRowSize(traded.low, traded.high));
  const bottom = rowOf(traded.low, grid);
  const rows = new Float64Array(rowOf(traded.high, grid) - bottom + 1);
  const totalVolume = spread(columns, range, grid, bottom, rows);
  const poc = pointOfControl(rows);
  const area = valueAreaRows(rows, poc, totalVolume);
  const nodes = volumeNodes(rows);
  const price = (row: number, offset = 0): number => priceIn(traded, grid, bottom + row, offset);
  const node = (row: number): VolumeNode => ({ price: price(row), volume: rows[row]! });
  return {
    method: 'bar_range_even',
    rowSize: grid.perRow / grid.ticksPerDollar,
    base: (bottom * grid.perRow) / grid.ticksPerDollar,
    rows,
    totalVolume,
    poc: price(poc),
    val: price(area.from, -half(grid)),
    vah: price(area.to, half(grid)),
    valueAreaVolume: area.volume,
    highVolumeNodes: nodes.high.map(node),
    lowVolumeNodes: nodes.low.map(node),
  };
}

export const half = ({ perRow }: RowGrid): number => (perRow - 1) / 2;

/** Price of the middle of a row, or ticks from it. The outermost rows may reach over what traded; no price does. */
export function priceIn(traded: TradedRange, grid: RowGrid, row: number, offsetTicks = 0): number {
  // What traded need not lie on a tick either.
  const tick = row * grid.perRow + half(grid) + offsetTicks;
  return clamp(tick / grid.ticksPerDollar, traded.low, traded.high);
}

/** A row is `perRow` neighbouring ticks; row 0 begins at zero dollars. */
export interface RowGrid {
  readonly ticksPerDollar: number;
  readonly perRow: number;
}

export function rowGrid(low: number, rowSize: number): RowGrid {
  const ticks = ticksPerDollar(low);
  return { ticksPerDollar: ticks, perRow: Math.max(1, Math.round(rowSize * ticks)) };
}

export function rowOf(price: number, grid: RowGrid): number {
  return Math.floor(Math.round(price * grid.ticksPerDollar) / grid.perRow);
}

export interface TradedRange {
  readonly low: number;
  readonly high: number;
}

/** Range of the bars that have volume: a bar without any puts nothing on the profile. Null where one is not known. */
function tradedRange(columns: BarColumns, range: RowRange): TradedRange | null {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (let row = range.from; row < range.to; row++) {
    if (Number.isNaN(columns.volume[row])) return null;
    if (columns.volume[row] === 0) continue;
    if (columns.low[row]! < low) low = columns.low[row]!;
    if (columns.high[row]! > high) high = columns.high[row]!;
  }
  return low <= high ? { low, high } : null;
}

/** Puts every bar's volume on `rows` and returns the sum. */
export function spread(
  columns: Pick<BarColumns, 'high' | 'low' | 'volume'>,
  range: RowRange,
  grid: RowGrid,
  bottom: number,
  rows: Float64Array,
): number {
  const { high, low, volume } = columns;
  let total = 0;
  for (let bar = range.from; bar < range.to; bar++) {
    const shares = volume[bar]!;
    if (!(shares > 0)) continue;
    const first = rowOf(low[bar]!, grid) - bottom;
    const last = rowOf(high[bar]!, grid) - bottom;
    const each = shares / (last - first + 1);
    for (let row = first; row <= last; row++) rows[row]! += each;
    total += shares;
  }
  return total;
}

/** The row with most volume; of equals the one nearest the profile's middle, then the lower. */
export const pointOfControl = (rows: Float64Array): number => controlOf(rows, 0, rows.length - 1).row;

/** The point of control among some rows, how many rows equal it, and its volume. */
export interface Control {
  readonly row: number;
  readonly equals: number;
  readonly max: number;
}

export function controlOf(
  rows: Float64Array,
  from: number,
  to: number,
  max = highest(rows, from, to),
): Control {
  const middle = (rows.length - 1) / 2;
  const least = max * (1 - DUST);
  let best = -1;
  let equals = 0;
  for (let row = from; row <= to; row++) {
    if (rows[row]! < least) continue;
    equals++;
    if (best === -1 || Math.abs(row - middle) < Math.abs(best - middle)) best = row;
  }
  return { row: best, equals, max };
}

function highest(rows: Float64Array, from: number, to: number): number {
  let max = 0;
  for (let row = from; row <= to; row++) if (rows[row]! > max) max = rows[row]!;
  return max;
}

/**
 * First and last row of the value area, both within, and what they hold.
 *
 * Grows from the point of control by pairs: the sum of the two rows above against the sum of the two below, the
 * larger pair joins, until 70 % of the volume is inside. Empty rows count as rows; of equal pairs the upper joins;
 * at an edge of the profile a pair is what is left, and a side without rows has lost.
 *
 * Source: J. Dalton, E. Jones, R. Dalton, "Mind over Markets", appendix 1; the tie as in the DVATool of mypivots.com.
 */
export function valueAreaRows(rows: Float64Array, poc: number, totalVolume: number) {
  const target = valueAreaTarget(totalVolume);
  const last = rows.length - 1;
  let from = poc;
  let to = poc;
  let volume = rows[poc]!;
  let above = pairAbove(rows, to, last);
  let below = pairBelow(rows, from);
  while (volume < target && (from > 0 || to < last)) {
    if (to < last && (from === 0 || above >= below - DUST * totalVolume)) {
      to = Math.min(last, to + 2);
      volume += above;
      above = pairAbove(rows, to, last);
    } else {
      from = Math.max(0, from - 2);
      volume += below;
      below = pairBelow(rows, from);
    }
  }
  return { from, to, volume };
}

/** The volume that the value area has to reach. */
export const valueAreaTarget = (totalVolume: number): number => VALUE_AREA_SHARE * totalVolume * (1 - 1e-12);

const pairAbove = (rows: Float64Array, row: number, last: number): number =>
  row + 2 <= last ? rows[row + 1]! + rows[row + 2]! : row < last ? rows[last]! : 0;

const pairBelow = (rows: Float64Array, row: number): number =>
  row >= 2 ? rows[row - 1]! + rows[row - 2]! : row === 1 ? rows[0]! : 0;

/**
 * High-volume nodes: peaks of the smoothed profile that rise above the valleys on both sides by at least 15 % of its
 * highest row. Low-volume nodes: the lowest row between two of them. Smoothing: two passes of a centred mean over
 * 2h + 1 rows, h = 2 % of the rows and at least 1, with nothing beyond the profile's ends. A flat top or bottom is
 * its middle row, the lower of two.
 */
export function volumeNodes(rows: Float64Array): { high: number[]; low: number[] } {
  const half = Math.max(1, Math.round(rows.length * 0.02));
  const smooth = centredMean(centredMean(rows, half), half);
  let peak = 0;
  for (let row = 0; row < smooth.length; row++) if (smooth[row]! > peak) peak = smooth[row]!;
  return turningRows(smooth, NODE_PROMINENCE * peak, DUST * peak);
}

function centredMean(rows: Float64Array, half: number): Float64Array {
  const out = new Float64Array(rows.length);
  for (let row = 0; row < rows.length; row++) {
    const to = Math.min(rows.length - 1, row + half);
    let sum = 0;
    for (let near = Math.max(0, row - half); near <= to; near++) sum += rows[near]!;
    out[row] = sum / (2 * half + 1);
  }
  return out;
}

/**
 * Peaks and the valleys between them that differ from their neighbours by at least `swing`, in one walk from below:
 * a peak is certain once the curve has fallen by `swing` from it, a valley once it has risen by as much. The ground
 * before the first row and after the last is zero.
 */
function turningRows(curve: Float64Array, swing: number, dust: number): { high: number[]; low: number[] } {
  const high: number[] = [];
  const low: number[] = [];
  let climbing = true;
  let extreme = 0;
  let first = 0;
  let last = 0;
  for (let row = 0; row <= curve.length; row++) {
    const value = curve[row] ?? 0;
    const beyond = climbing ? value - extreme : extreme - value;
    if (beyond > dust) {
      extreme = value;
      first = row;
      last = row;
    } else if (beyond >= -dust) {
      if (last === row - 1) last = row;
    } else if (-beyond >= swing) {
      (climbing ? high : low).push(Math.floor((first + last) / 2));
      climbing = !climbing;
      extreme = value;
      first = row;
      last = row;
    }
  }
  return { high, low };
}
