import type { BarColumns } from '../../market/observations.ts';
import { windowMean } from '../statistics.ts';
import { oneSided, type Scan, type SwingPoint, type SwingReader } from './finding.ts';
import { fitBetween, flatLine, meanFit, volumeFit } from './lines.ts';

export const TREND_ROWS = 150;
export const TREND_SLOPE_ROWS = 20;
const CONTRACTIONS_MAX = 6;
const FIRST_DEPTH_MAX = 0.35;
/** Highs of the base may differ by this share of the deepest contraction. */
const HIGH_TOLERANCE = 0.35;
const PATIENCE_ROWS = 30;

/**
 * True when the close is above its 150-session mean and that mean is higher than 20 sessions before; false for fewer
 * than 170 rows. A shorter mean would flatten during the very base that is looked for.
 *
 * Source: Minervini's trend template (price above the 150-day average, the long average rising for a month).
 */
export function isUptrend(bars: BarColumns, row: number, first = 0): boolean {
  if (row - first < TREND_ROWS + TREND_SLOPE_ROWS - 1) return false;
  const { close } = bars;
  const from = row - TREND_ROWS + 1;
  const now = windowMean(close, from, TREND_ROWS);
  return close[row]! > now && now > windowMean(close, from - TREND_SLOPE_ROWS, TREND_ROWS);
}

/** Depth of the decline from the swing high before swing low `at`, as a fraction of the high. */
function depthOf(swings: readonly SwingPoint[], at: number): number {
  const high = swings[at - 1]!.price;
  return (high - swings[at]!.price) / high;
}

/**
 * How many of the latest finished declines in a row are each shallower (in percent) than the one before, counted back
 * from the newest confirmed swing low among the first `count` swings and stopped by a deeper one. One decline alone
 * contracts against nothing: 0. At most `most`.
 */
export function contractions(swings: readonly SwingPoint[], count: number, max: number): number {
  let at = count - 1;
  if (at >= 0 && swings[at]!.kind === 'high') at--;
  if (at < 1) return 0;
  let found = 1;
  for (; at >= 3 && found < max; at -= 2) {
    if (depthOf(swings, at) >= depthOf(swings, at - 2)) break;
    found++;
  }
  return found > 1 ? found : 0;
}

/**
 * Volatility contraction pattern: in an uptrend (see `isUptrend`) two to six declines, each shallower than the last,
 * the first at most 35 % deep, with lows that do not fall and highs near one another. A close above the last high
 * confirms; the target is the first contraction's size above it; the last low is both stop and invalidation. A further
 * contraction replaces the reading as long as it is forming.
 *
 * Confidence: mean of the number of contractions (one to four), tightness of the last against the first (0.8 to 0.3)
 * and volume in the last contraction against the first (1 to 0.6).
 * Source: Mark Minervini, "Trade Like a Stock Market Wizard".
 */
export const volatilityContraction: SwingReader = (swings, count, scan) => {
  const low = swings[count - 1]!;
  if (low.kind !== 'low') return null;
  const found = tightBase(swings, count, contractions(swings, count, CONTRACTIONS_MAX));
  if (found < 2 || !isUptrend(scan.bars, scan.row, scan.first)) return null;
  const from = count - 2 * found;
  const firstDepth = depthOf(swings, from + 1);
  if (firstDepth > FIRST_DEPTH_MAX) return null;
  const firstHigh = swings[from]!;
  const lastHigh = swings[count - 2]!;
  const confidence = meanFit(
    fitBetween(found, 1, 4),
    fitBetween(depthOf(swings, count - 1) / firstDepth, 0.8, 0.3),
    volumeFit(volumeBetween(scan, lastHigh, low), volumeBetween(scan, firstHigh, swings[from + 1]!), 1, 0.6),
  );
  return oneSided(1, low.price, {
    type: 'volatility_contraction',
    pivots: swings.slice(from, count),
    trigger: flatLine(lastHigh.row, low.row, lastHigh.price),
    invalidation: low.price,
    height: firstHigh.price - swings[from + 1]!.price,
    expiresRow: low.row + PATIENCE_ROWS,
    confidence,
  });
};

/** Of `most` contractions, how many of the newest form one base: lows not falling, highs near each other. */
function tightBase(swings: readonly SwingPoint[], count: number, max: number): number {
  let found = 1;
  let deepest = 0;
  for (let at = count - 1; found < max; at -= 2) {
    const earlierHigh = swings[at - 3]!;
    const earlierLow = swings[at - 2]!;
    deepest = earlierHigh.price - earlierLow.price;
    const step = Math.abs(swings[at - 1]!.price - earlierHigh.price);
    if (earlierLow.price > swings[at]!.price || step > HIGH_TOLERANCE * deepest) break;
    found++;
  }
  return max === 0 ? 0 : found;
}

/** Mean volume of the rows after `from` up to `to`. */
function volumeBetween(scan: Scan, from: SwingPoint, to: SwingPoint): number {
  return windowMean(scan.bars.volume, from.row + 1, to.row - from.row);
}
