import { oneSided, type SwingReader } from './finding.ts';
import { fitBetween, flatLine } from './lines.ts';

/** Peaks may differ by this share of the height. */
const PEAK_TOLERANCE = 0.2;
/** Least height in mean true ranges: below it the two peaks are noise of one top. */
const HEIGHT_MIN = 3;
const ROWS_MIN = 8;
const ROWS_MAX = 130;
/** The advance into the first peak starts at least this share of the height below the valley. */
const ADVANCE_MIN = 0.25;

/**
 * Double top (double bottom mirrored): after an advance two peaks at nearly one price, 8 to 130 sessions apart, with a
 * valley at least 3 mean true ranges deep between them. A close below the valley confirms; the target is the height
 * below it; the stop is the second peak, a close above the higher one says no.
 *
 * Confidence: mean of evenness of the peaks, height (3 to 6 mean true ranges) and the advance before (0.25 to 1 heights).
 * Source: Bulkowski, "Encyclopedia of Chart Patterns", double tops and bottoms; Edwards and Magee, "Technical Analysis
 * of Stock Trends". Their percents are stated here as shares of the height, so that the rule is the same at any price.
 */
export const doubleTopOrBottom: SwingReader = (swings, count, scan) => {
  if (count < 4) return null;
  const before = swings[count - 4]!;
  const first = swings[count - 3]!;
  const valley = swings[count - 2]!;
  const last = swings[count - 1]!;
  const rows = last.row - first.row;
  if (rows < ROWS_MIN || rows > ROWS_MAX) return null;
  const side = last.kind === 'high' ? 1 : -1;
  const peak = side * Math.max(side * first.price, side * last.price);
  const height = side * (peak - valley.price);
  const gap = Math.abs(first.price - last.price);
  const advance = side * (valley.price - before.price);
  const unit = scan.range[scan.row]!;
  if (height < HEIGHT_MIN * unit || gap > PEAK_TOLERANCE * height || advance < ADVANCE_MIN * height) {
    return null;
  }
  const fits =
    fitBetween(gap, PEAK_TOLERANCE * height, 0) +
    fitBetween(height, HEIGHT_MIN * unit, 2 * HEIGHT_MIN * unit) +
    fitBetween(advance, ADVANCE_MIN * height, height);
  return oneSided(side > 0 ? -1 : 1, last.price, {
    type: side > 0 ? 'double_top' : 'double_bottom',
    pivots: [first, valley, last],
    trigger: flatLine(valley.row, last.row, valley.price),
    invalidation: peak,
    height,
    expiresRow: last.row + Math.max(rows, 20),
    confidence: fits / 3,
  });
};

/**
 * Triple top (triple bottom mirrored): as the double top with a third peak; all three within a fifth of the height,
 * the deeper of the two valleys is the trigger and the shallower reaches at least half as deep.
 *
 * Confidence: mean of evenness of the peaks, evenness of the valleys, height (3 to 6 mean true ranges).
 * Source: Bulkowski, triple tops and bottoms.
 */
export const tripleTopOrBottom: SwingReader = (swings, count, scan) => {
  if (count < 6) return null;
  const before = swings[count - 6]!;
  const peaks = [swings[count - 5]!, swings[count - 3]!, swings[count - 1]!] as const;
  const valleys = [swings[count - 4]!, swings[count - 2]!] as const;
  const [first, , last] = peaks;
  const rows = last.row - first.row;
  if (rows < 2 * ROWS_MIN || rows > 1.5 * ROWS_MAX) return null;
  const side = last.kind === 'high' ? 1 : -1;
  const top = Math.max(side * peaks[0].price, side * peaks[1].price, side * peaks[2].price);
  const lowestPeak = Math.min(side * peaks[0].price, side * peaks[1].price, side * peaks[2].price);
  const deep = side * valleys[0].price < side * valleys[1].price ? valleys[0] : valleys[1];
  const height = top - side * deep.price;
  const valleyGap = Math.abs(valleys[0].price - valleys[1].price);
  const gap = top - lowestPeak;
  const unit = scan.range[scan.row]!;
  if (height < HEIGHT_MIN * unit || gap > PEAK_TOLERANCE * height || valleyGap > height / 2) return null;
  if (side * (deep.price - before.price) < ADVANCE_MIN * height) return null;
  const fits =
    fitBetween(gap, PEAK_TOLERANCE * height, 0) +
    fitBetween(valleyGap, height / 2, 0) +
    fitBetween(height, HEIGHT_MIN * unit, 2 * HEIGHT_MIN * unit);
  return oneSided(side > 0 ? -1 : 1, last.price, {
    type: side > 0 ? 'triple_top' : 'triple_bottom',
    pivots: [peaks[0], valleys[0], peaks[1], valleys[1], peaks[2]],
    trigger: flatLine(deep.row, last.row, deep.price),
    invalidation: side * top,
    height,
    expiresRow: last.row + Math.max(Math.round(rows / 2), 20),
    confidence: fits / 3,
  });
};
