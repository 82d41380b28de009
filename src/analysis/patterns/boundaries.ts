import type { PatternLine, Scan, SwingPoint } from './finding.ts';
import { fitBetween, lineThrough, lineThroughThree, priceAt, slopeOf } from './lines.ts';

const WIDTH_MIN = 2.5;
const ROWS_MIN = 10;
const ROWS_MAX = 130;
/** The middle of three touches may miss its line by this share of the width. */
const TOUCH_TOLERANCE = 0.15;
/** One leg may take at most this share of the rows: a slide that ends in a huddle is not price between two lines. */
const LEG_MAX = 0.5;
/** A close may poke through a line by this share of the width, and one close in ten may do worse. */
const POKE = 0.1;
const OUTSIDE_MAX = 0.1;

/** Two lines along the last five swings, three touches on one side and two on the other. */
export type Boundaries = Readonly<NonNullable<ReturnType<typeof boundaries>>>;

/**
 * The boundaries that triangles, wedges and rectangles share, or null when the last five swings do not lie along two
 * lines: at least 2.5 mean true ranges wide at the start, 10 to 130 sessions long, no leg longer than half of that, the
 * touches within 15 % of the width.
 *
 * Source: Bulkowski, "Encyclopedia of Chart Patterns": at least five touches, three on one line and two on the other;
 * price must fill the space between the lines.
 */
export function boundaries(swings: readonly SwingPoint[], count: number, scan: Scan) {
  if (count < 5) return null;
  const first = swings[count - 5]!;
  const last = swings[count - 1]!;
  const rows = last.row - first.row;
  if (rows < ROWS_MIN || rows > ROWS_MAX) return null;
  for (let at = count - 4; at < count; at++) {
    if (swings[at]!.row - swings[at - 1]!.row > LEG_MAX * rows) return null;
  }
  const middle = swings[count - 3]!;
  const threeSide = lineThroughThree(first, middle, last);
  const twoSide = lineThrough(swings[count - 4]!, swings[count - 2]!);
  const upper = last.kind === 'high' ? threeSide : twoSide;
  const lower = last.kind === 'high' ? twoSide : threeSide;
  const width = priceAt(upper, first.row) - priceAt(lower, first.row);
  const unit = scan.range[scan.row]!;
  if (!(width >= WIDTH_MIN * unit)) return null;
  const miss =
    Math.max(
      Math.abs(first.price - threeSide.fromPrice),
      Math.abs(middle.price - priceAt(threeSide, middle.row)),
      Math.abs(last.price - threeSide.toPrice),
    ) / width;
  if (miss > TOUCH_TOLERANCE) return null;
  const narrowing = (priceAt(upper, last.row) - priceAt(lower, last.row)) / width;
  if (narrowing <= 0) return null;
  return {
    pivots: swings.slice(count - 5, count),
    upper,
    lower,
    /** Width at the first swing, dollars. */
    width,
    /** Change of each line from the first swing to the last, in widths. */
    upperRise: (slopeOf(upper) * rows) / width,
    lowerRise: (slopeOf(lower) * rows) / width,
    /** Width at the last swing over width at the first. */
    narrowing,
    firstRow: first.row,
    lastRow: last.row,
    /** Newest swing on either side: the stops. */
    lastHigh: last.kind === 'high' ? last.price : swings[count - 2]!.price,
    lastLow: last.kind === 'low' ? last.price : swings[count - 2]!.price,
    /** Fit measures: how near the touches are, how well closes keep inside, how wide in mean true ranges (2.5 to 6). */
    touchFit: fitBetween(miss, TOUCH_TOLERANCE, 0),
    insideFit: fitBetween(shareOutside(upper, lower, width, first.row, last.row, scan), OUTSIDE_MAX, 0),
    widthFit: fitBetween(width, WIDTH_MIN * unit, 6 * unit),
  };
}

function shareOutside(
  upper: PatternLine,
  lower: PatternLine,
  width: number,
  firstRow: number,
  lastRow: number,
  scan: Scan,
): number {
  const { close } = scan.bars;
  const upperSlope = slopeOf(upper);
  const lowerSlope = slopeOf(lower);
  const slack = POKE * width;
  let top = priceAt(upper, firstRow) + slack;
  let bottom = priceAt(lower, firstRow) - slack;
  let outside = 0;
  for (let row = firstRow; row <= lastRow; row++) {
    if (close[row]! > top || close[row]! < bottom) outside++;
    top += upperSlope;
    bottom += lowerSlope;
  }
  return outside / (lastRow - firstRow + 1);
}

/** Row before the lines meet, at most one length of the pattern (20 rows at least) after its last swing. */
export function lastTradableRow(lines: Boundaries): number {
  const rows = lines.lastRow - lines.firstRow;
  const patience = lines.lastRow + Math.max(rows, 20);
  const closing = slopeOf(lines.lower) - slopeOf(lines.upper);
  if (closing <= 0) return patience;
  const rowsToApex = Math.ceil((lines.width * lines.narrowing) / closing);
  return Math.min(patience, lines.lastRow + rowsToApex - 1);
}
