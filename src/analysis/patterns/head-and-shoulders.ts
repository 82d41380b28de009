import { oneSided, type SwingReader } from './finding.ts';
import { fitBetween, lineThrough, priceAt } from './lines.ts';

const HEIGHT_MIN = 3;
const ROWS_MIN = 15;
const ROWS_MAX = 160;
/** Shares of the height (head above the neckline). */
const HEAD_ABOVE_SHOULDERS = 0.2;
const SHOULDER_TOLERANCE = 0.35;
const SHOULDER_ABOVE_NECKLINE = 0.25;
const NECKLINE_RISE = 0.4;
/** The longer side of the head in rows may be this many times the shorter. */
const TIME_TOLERANCE = 3;

/**
 * Head and shoulders (inverse mirrored): three peaks, the middle one the highest by at least a fifth of its height
 * above the neckline; shoulders within 35 % of that height of each other and at least 25 % above the neckline; the two
 * valleys make the neckline, which may slope by 40 % of the height between them; the sides differ in length at most
 * threefold; 15 to 160 sessions; an advance of half a height leads in. A close beyond the neckline confirms; the
 * target is the height beyond it; the stop is the right shoulder, a close above the head says no.
 *
 * Confidence: mean of evenness of the shoulders, evenness in time, levelness of the neckline, height (3 to 6 mean true
 * ranges).
 * Source: Edwards and Magee, "Technical Analysis of Stock Trends"; Lo, Mamaysky and Wang, "Foundations of Technical
 * Analysis", Journal of Finance 55 (2000), for stating it in five alternating extremes.
 */
export const headAndShoulders: SwingReader = (swings, count, scan) => {
  if (count < 6) return null;
  const before = swings[count - 6]!;
  const left = swings[count - 5]!;
  const leftValley = swings[count - 4]!;
  const head = swings[count - 3]!;
  const rightValley = swings[count - 2]!;
  const right = swings[count - 1]!;
  const side = right.kind === 'high' ? 1 : -1;
  const headRoom = side * head.price - Math.max(side * left.price, side * right.price);
  if (headRoom <= 0) return null;
  const rows = right.row - left.row;
  if (rows < ROWS_MIN || rows > ROWS_MAX) return null;
  const neckline = lineThrough(leftValley, rightValley);
  const height = side * (head.price - priceAt(neckline, head.row));
  const unit = scan.range[scan.row]!;
  if (height < HEIGHT_MIN * unit) return null;
  const shoulderGap = Math.abs(left.price - right.price);
  const necklineRise = Math.abs(leftValley.price - rightValley.price);
  const shoulderRoom = Math.min(
    side * (left.price - priceAt(neckline, left.row)),
    side * (right.price - priceAt(neckline, right.row)),
  );
  const hasRoom =
    headRoom >= HEAD_ABOVE_SHOULDERS * height && shoulderRoom >= SHOULDER_ABOVE_NECKLINE * height;
  const isLevel = shoulderGap <= SHOULDER_TOLERANCE * height && necklineRise <= NECKLINE_RISE * height;
  if (!(hasRoom && isLevel)) return null;
  if (side * (left.price - before.price) < height / 2) return null;
  const leftRows = head.row - left.row;
  const rightRows = right.row - head.row;
  const unevenness = Math.max(leftRows / rightRows, rightRows / leftRows);
  if (unevenness > TIME_TOLERANCE) return null;
  const fits =
    fitBetween(shoulderGap, SHOULDER_TOLERANCE * height, 0) +
    fitBetween(unevenness, TIME_TOLERANCE, 1) +
    fitBetween(necklineRise, NECKLINE_RISE * height, 0) +
    fitBetween(height, HEIGHT_MIN * unit, 2 * HEIGHT_MIN * unit);
  return oneSided(side > 0 ? -1 : 1, right.price, {
    type: side > 0 ? 'head_and_shoulders' : 'inverse_head_and_shoulders',
    pivots: [left, leftValley, head, rightValley, right],
    trigger: neckline,
    invalidation: head.price,
    height,
    expiresRow: right.row + Math.max(Math.round(rows / 2), 20),
    confidence: fits / 4,
  });
};
