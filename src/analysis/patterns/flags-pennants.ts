import { windowMean } from '../statistics.ts';
import { oneSided, type PatternLine, type PatternReading, type Scan } from './finding.ts';
import { envelopeLine, fitBetween, meanFit, slopeOf, volumeFit } from './lines.ts';

const POLE_ROWS_MAX = 10;
/** Least height of the pole in mean true ranges of the row it starts from. */
const POLE_MIN = 4;
/** Net move over the path of closes: a pole is a straight thing. */
const DIRECTNESS_MIN = 0.7;
const FLAG_ROWS_MIN = 5;
const FLAG_ROWS_MAX = 15;
const PATIENCE_ROWS_MAX = 20;
/** The flag gives back at most half of the pole, and its range is at most that. */
const RETRACE_MAX = 0.5;
/** In poles per row: a flag drifts against the pole or sideways, not on with it. */
const DRIFT_MAX = 0.01;
const PENNANT_NARROWING = 0.6;
/** A flag's lines run side by side: the end is between these shares of the start. */
const FLAG_NARROWING = 0.6;
const FLAG_WIDENING = 1.5;

const NAMES = { flag: ['bull_flag', 'bear_flag'], pennant: ['bull_pennant', 'bear_pennant'] } as const;

/** A pole whose flag may still be seen. */
export interface Pole {
  readonly side: 1 | -1;
  readonly baseRow: number;
  readonly topRow: number;
  /** Dollars, positive. */
  readonly height: number;
  readonly directness: number;
}

/**
 * A pole of one side (1 up, -1 down) that ended five rows before `scan.row`: within ten rows a move of at least 4 mean
 * true ranges, direct, to an extreme that no row since has passed.
 */
export function pole(scan: Scan, side: 1 | -1): Pole | null {
  const topRow = scan.row - FLAG_ROWS_MIN;
  if (topRow < POLE_ROWS_MAX) return null;
  const tops = side > 0 ? scan.bars.high : scan.bars.low;
  const bases = side > 0 ? scan.bars.low : scan.bars.high;
  const top = tops[topRow]!;
  for (let row = topRow + 1; row <= scan.row; row++) if (side * (tops[row]! - top) > 0) return null;
  let baseRow = topRow - 1;
  for (let row = topRow - 1; row >= topRow - POLE_ROWS_MAX; row--) {
    if (side * (tops[row]! - top) >= 0) return null;
    if (side * (bases[row]! - bases[baseRow]!) < 0) baseRow = row;
  }
  const height = side * (top - bases[baseRow]!);
  if (!(height >= POLE_MIN * scan.range[baseRow]!)) return null;
  const directness = directnessOf(scan, baseRow, topRow, side);
  return directness < DIRECTNESS_MIN ? null : { side, baseRow, topRow, height, directness };
}

function directnessOf(scan: Scan, from: number, to: number, side: 1 | -1): number {
  const { close } = scan.bars;
  let path = 0;
  for (let row = from + 1; row <= to; row++) path += Math.abs(close[row]! - close[row - 1]!);
  return path === 0 ? 0 : (side * (close[to]! - close[from]!)) / path;
}

/** True while a flag may still follow: not too long ago, not passed, not half given back. */
export function isFlagPossible(at: Pole, scan: Scan): boolean {
  const { high, low } = scan.bars;
  if (scan.row - at.topRow > FLAG_ROWS_MAX) return false;
  const tops = at.side > 0 ? high : low;
  const backs = at.side > 0 ? low : high;
  const top = tops[at.topRow]!;
  if (at.side * (tops[scan.row]! - top) > 0) return false;
  return at.side * (top - backs[scan.row]!) <= RETRACE_MAX * at.height;
}

/**
 * Bull and bear flag and pennant: after a pole, 5 to 15 sessions between two lines drawn along the extremes that give
 * back at most half of it. Flag: the lines run side by side, against the pole or sideways. Pennant: they converge to
 * 60 % or less, one falling, one rising. A close beyond the line on the pole's side confirms; the target is the length
 * of the pole from there; the stop is the extreme of the flag; a close that gives back half the pole says no. It
 * expires 20 sessions after the pole.
 *
 * Confidence: mean of the pole's height (4 to 8 mean true ranges of its first row), its directness (0.7 to 1),
 * shallowness of the retracement (0.5 to 0.2 of the pole) and fall of volume in the flag (1 to 0.6 of the pole's mean).
 * Source: Edwards and Magee for shape and measure; Bulkowski for less than three weeks and half of the pole.
 */
export function flagOrPennant(at: Pole, scan: Scan): PatternReading | null {
  const { side } = at;
  const from = at.topRow + 1;
  const upper = envelopeLine(scan.bars.high, from, scan.row, 1);
  const lower = envelopeLine(scan.bars.low, from, scan.row, -1);
  const shape = shapeOf(at, upper, lower);
  if (shape === null) return null;
  const tops = side > 0 ? scan.bars.high : scan.bars.low;
  const backs = side > 0 ? scan.bars.low : scan.bars.high;
  const top = tops[at.topRow]!;
  let backRow = from;
  for (let row = from; row <= scan.row; row++) if (side * (backs[row]! - backs[backRow]!) < 0) backRow = row;
  const back = backs[backRow]!;
  const retrace = (side * (top - back)) / at.height;
  const confidence = meanFit(
    fitBetween(at.height / scan.range[at.baseRow]!, POLE_MIN, 2 * POLE_MIN),
    fitBetween(at.directness, DIRECTNESS_MIN, 1),
    fitBetween(retrace, RETRACE_MAX, 0.2),
    volumeFit(meanVolume(scan, from, scan.row), meanVolume(scan, at.baseRow + 1, at.topRow), 1, 0.6),
  );
  const kind = (high: boolean) => (high ? 'high' : 'low');
  const seen = scan.row;
  return oneSided(
    side,
    back,
    {
      type: NAMES[shape][side > 0 ? 0 : 1],
      pivots: [
        { row: at.baseRow, price: backs[at.baseRow]!, kind: kind(side < 0), confirmedRow: seen },
        { row: at.topRow, price: top, kind: kind(side > 0), confirmedRow: seen },
        { row: backRow, price: back, kind: kind(side < 0), confirmedRow: seen },
      ],
      trigger: side > 0 ? upper : lower,
      invalidation: top - side * RETRACE_MAX * at.height,
      height: at.height,
      expiresRow: at.topRow + PATIENCE_ROWS_MAX,
      confidence,
    },
    true,
  );
}

function shapeOf(at: Pole, upper: PatternLine, lower: PatternLine): 'flag' | 'pennant' | null {
  const first = upper.fromPrice - lower.fromPrice;
  const last = upper.toPrice - lower.toPrice;
  if (!(first > 0) || first > RETRACE_MAX * at.height) return null;
  const narrowing = last / first;
  const upperSlope = slopeOf(upper);
  const lowerSlope = slopeOf(lower);
  if (narrowing > 0 && narrowing <= PENNANT_NARROWING && upperSlope < 0 && lowerSlope > 0) return 'pennant';
  const drift = (at.side * (upperSlope + lowerSlope)) / 2;
  const sideBySide = narrowing > FLAG_NARROWING && narrowing <= FLAG_WIDENING;
  return sideBySide && drift <= DRIFT_MAX * at.height ? 'flag' : null;
}

function meanVolume(scan: Scan, from: number, to: number): number {
  return windowMean(scan.bars.volume, from, to - from + 1);
}
