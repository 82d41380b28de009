import type { BarColumns } from '../../market/observations.ts';
import { oneSided, type PatternReading, type Scan, type SwingPoint } from './finding.ts';
import { fitBetween, flatLine } from './lines.ts';

const CUP_ROWS_MIN = 35;
/** O'Neil allows 65 weeks; fifty keep cup, lead-in and handle inside two years of history. */
const CUP_ROWS_MAX = 250;
const DEPTH_MIN = 0.12;
const DEPTH_MAX = 0.5;
const ADVANCE_MIN = 0.3;
const ADVANCE_ROWS = 120;
/** The rims differ by at most this share of the depth. */
const RIM_TOLERANCE = 0.2;
/** Share of the cup's closes in its lowest third: a V has a third of them there, a parabola 58 %. */
const ROUNDNESS_MIN = 0.4;
const HANDLE_ROWS_MIN = 5;
const HANDLE_ROWS_MAX = 25;

/** A finished cup whose handle is not yet long enough to be seen; `readyRow` is when it will be. */
export interface CupWithoutHandle {
  readonly reading: PatternReading;
  readonly readyRow: number;
  readonly rightRim: SwingPoint;
}

/**
 * A cup that ends at the swing high just confirmed: from a left rim, reached by an advance of 30 % within 120 sessions,
 * a decline of 12 to 50 % and a rise back to within a fifth of the depth, in 35 to 250 sessions, rounded at the bottom.
 * The left rim is the latest earlier swing high that reaches that far up.
 */
export function cup(swings: readonly SwingPoint[], count: number, scan: Scan): CupWithoutHandle | null {
  const right = swings[count - 1]!;
  if (right.kind !== 'high') return null;
  let bottom = right;
  for (let at = count - 2; at > 0; at -= 2) {
    const low = swings[at]!;
    const left = swings[at - 1]!;
    if (right.row - left.row > CUP_ROWS_MAX) return null;
    if (low.price < bottom.price) bottom = low;
    const depth = Math.max(left.price, right.price) - bottom.price;
    // Price has been above both rims, or back at them, in between: this is not one cup.
    if (left.price < right.price - RIM_TOLERANCE * depth) continue;
    if (left.price > right.price + RIM_TOLERANCE * depth) return null;
    return cupBetween(left, bottom, right, depth, scan);
  }
  return null;
}

function cupBetween(
  left: SwingPoint,
  bottom: SwingPoint,
  right: SwingPoint,
  depth: number,
  scan: Scan,
): CupWithoutHandle | null {
  const rows = right.row - left.row;
  const share = depth / left.price;
  if (rows < CUP_ROWS_MIN || share < DEPTH_MIN || share > DEPTH_MAX) return null;
  const roundness = shareOfClosesBelow(scan.bars, left.row, right.row, bottom.price + depth / 3);
  if (roundness < ROUNDNESS_MIN) return null;
  const advance =
    left.price / lowestLow(scan.bars, Math.max(scan.first, left.row - ADVANCE_ROWS), left.row) - 1;
  if (advance < ADVANCE_MIN) return null;
  const position = (bottom.row - left.row) / rows;
  const fits =
    fitBetween(Math.abs(left.price - right.price), RIM_TOLERANCE * depth, 0) +
    fitBetween(roundness, ROUNDNESS_MIN, 0.6) +
    fitBetween(Math.abs(position - 0.5), 0.5, 0.1) +
    fitBetween(advance, ADVANCE_MIN, 2 * ADVANCE_MIN);
  return {
    rightRim: right,
    readyRow: Math.max(right.confirmedRow, right.row + HANDLE_ROWS_MIN),
    reading: oneSided(
      1,
      right.price,
      {
        type: 'cup_and_handle',
        pivots: [left, bottom, right],
        trigger: flatLine(left.row, right.row, right.price),
        invalidation: right.price - depth / 2,
        height: depth,
        expiresRow: right.row + HANDLE_ROWS_MAX,
        confidence: fits / 4,
      },
      true,
    ),
  };
}

/**
 * Cup and handle: the cup with a handle of 5 to 25 sessions that stays in the cup's upper half and below its right
 * rim. A close above the right rim confirms; the target is the depth above it; the stop is the low of the handle; a
 * close in the lower half of the cup says no. Null when price left that space before the handle was long enough.
 *
 * Confidence: mean of evenness of the rims, roundness (40 to 60 % of closes in the lowest third), bottom in the middle,
 * advance before (30 to 60 %).
 * Source: William J. O'Neil, "How to Make Money in Stocks".
 */
export function cupAndHandle(waiting: CupWithoutHandle, scan: Scan): PatternReading | null {
  const { reading, rightRim } = waiting;
  const { low, close } = scan.bars;
  let handleLow = rightRim.price;
  for (let row = rightRim.row + 1; row <= scan.row; row++) {
    if (close[row]! < reading.invalidation) return null;
    if (row < scan.row && close[row]! > rightRim.price) return null;
    if (low[row]! < handleLow) handleLow = low[row]!;
  }
  return { ...reading, stopLong: handleLow };
}

function shareOfClosesBelow(bars: BarColumns, from: number, to: number, price: number): number {
  let below = 0;
  for (let row = from; row <= to; row++) if (bars.close[row]! < price) below++;
  return below / (to - from + 1);
}

function lowestLow(bars: BarColumns, from: number, to: number): number {
  let lowest = bars.low[from]!;
  for (let row = from + 1; row <= to; row++) if (bars.low[row]! < lowest) lowest = bars.low[row]!;
  return lowest;
}
