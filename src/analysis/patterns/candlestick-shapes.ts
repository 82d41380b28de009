import type { BarColumns } from '../../market/observations.ts';
import type { CandlestickType } from './finding.ts';

/** Rows that a shape needs before it: ten for the mean body before the first of three candles. */
export const SHAPE_WARM_UP = 13;

const BODY_ROWS = 10;
const NEAR_ROWS = 5;
const TINY = 0.1;
/** Shadows of a long-legged doji, in tenths of the mean range of ten. */
const LONG_SHADOW = 4;
const NEAR = 0.2;
const FAR = 0.6;
const STAR_PENETRATION = 0.3;
const PIERCING_PENETRATION = 0.5;

/** Candles with what is ordinary for them: means over the rows before each, from row `from` of the columns on. */
export interface Candles {
  readonly bars: BarColumns;
  readonly from: number;
  /** Mean body of the ten rows before: a longer one is long, a shorter one is short. */
  readonly body: Float64Array;
  /** A tenth of the mean high-low range of the ten rows before: bodies and shadows below it are hardly there. */
  readonly tiny: Float64Array;
  /** Mean high-low range of the five rows before. */
  readonly span: Float64Array;
}

export function candles(bars: BarColumns, from: number): Candles {
  const length = bars.close.length;
  const room = Math.max(0, length - from);
  const body = new Float64Array(room).fill(Number.NaN);
  const tiny = new Float64Array(room).fill(Number.NaN);
  const span = new Float64Array(room).fill(Number.NaN);
  const { open, high, low, close } = bars;
  for (let row = Math.max(from, BODY_ROWS); row < length; row++) {
    let bodies = 0;
    let ranges = 0;
    let near = 0;
    for (let at = row - BODY_ROWS; at < row; at++) {
      bodies += Math.abs(close[at]! - open[at]!);
      ranges += high[at]! - low[at]!;
      if (at >= row - NEAR_ROWS) near += high[at]! - low[at]!;
    }
    body[row - from] = bodies / BODY_ROWS;
    tiny[row - from] = TINY * (ranges / BODY_ROWS);
    span[row - from] = near / NEAR_ROWS;
  }
  return { bars, from, body, tiny, span };
}

/** A candlestick by shape alone: how many rows it takes and whether the one that ends at `row` has it. */
export interface CandlestickShape {
  readonly rows: number;
  readonly holds: (of: Candles, row: number) => boolean;
}

/**
 * The shapes, without regard to what came before them. Definitions and thresholds are those of TA-Lib's CDL functions
 * with their default settings (a body is long or short against the ten before it, a shadow "very short" below a tenth
 * of the mean range, "near" a fifth of it); TA-Lib's results of either sign count as the shape of that sign. One differs:
 * TA-Lib's long-legged doji asks only for a shadow longer than the all but absent body, which every doji has; here both
 * shadows are longer than two fifths of the mean range, after Nison ("long upper and lower shadows").
 */
export const CANDLESTICK_SHAPES: Readonly<Record<CandlestickType, CandlestickShape>> = {
  bullish_engulfing: { rows: 2, holds: (of, row) => isEngulfing(of, row, 1) },
  bearish_engulfing: { rows: 2, holds: (of, row) => isEngulfing(of, row, -1) },
  hammer: { rows: 1, holds: (of, row) => hasLongTail(of, row) && isNearLowBefore(of, row) },
  hanging_man: { rows: 1, holds: (of, row) => hasLongTail(of, row) && isNearHighBefore(of, row) },
  inverted_hammer: { rows: 1, holds: (of, row) => hasLongWick(of, row) && gapsDown(of, row) },
  shooting_star: { rows: 1, holds: (of, row) => hasLongWick(of, row) && gapsUp(of, row) },
  doji: { rows: 1, holds: isDoji },
  dragonfly_doji: {
    rows: 1,
    holds: (of, row) =>
      isDoji(of, row) && wick(of, row) < of.tiny[row - of.from]! && tail(of, row) > of.tiny[row - of.from]!,
  },
  gravestone_doji: {
    rows: 1,
    holds: (of, row) =>
      isDoji(of, row) && tail(of, row) < of.tiny[row - of.from]! && wick(of, row) > of.tiny[row - of.from]!,
  },
  long_legged_doji: {
    rows: 1,
    holds: (of, row) => {
      const long = LONG_SHADOW * of.tiny[row - of.from]!;
      return isDoji(of, row) && tail(of, row) > long && wick(of, row) > long;
    },
  },
  morning_star: { rows: 3, holds: (of, row) => isStar(of, row, 1, of.body[row - 1 - of.from]!) },
  evening_star: { rows: 3, holds: (of, row) => isStar(of, row, -1, of.body[row - 1 - of.from]!) },
  morning_doji_star: { rows: 3, holds: (of, row) => isStar(of, row, 1, of.tiny[row - 1 - of.from]!) },
  evening_doji_star: { rows: 3, holds: (of, row) => isStar(of, row, -1, of.tiny[row - 1 - of.from]!) },
  bullish_harami: { rows: 2, holds: (of, row) => isHarami(of, row, 1, of.body[row - of.from]!) },
  bearish_harami: { rows: 2, holds: (of, row) => isHarami(of, row, -1, of.body[row - of.from]!) },
  bullish_harami_cross: { rows: 2, holds: (of, row) => isHarami(of, row, 1, of.tiny[row - of.from]!) },
  bearish_harami_cross: { rows: 2, holds: (of, row) => isHarami(of, row, -1, of.tiny[row - of.from]!) },
  piercing_line: { rows: 2, holds: isPiercing },
  dark_cloud_cover: { rows: 2, holds: isDarkCloud },
  three_white_soldiers: { rows: 3, holds: areSoldiers },
  three_black_crows: { rows: 4, holds: areCrows },
  bullish_marubozu: { rows: 1, holds: (of, row) => isMarubozu(of, row) && colour(of, row) > 0 },
  bearish_marubozu: { rows: 1, holds: (of, row) => isMarubozu(of, row) && colour(of, row) < 0 },
  spinning_top: {
    rows: 1,
    holds: (of, row) =>
      body(of, row) < of.body[row - of.from]! &&
      wick(of, row) > body(of, row) &&
      tail(of, row) > body(of, row),
  },
};

function colour(of: Candles, row: number): 1 | -1 {
  return of.bars.close[row]! >= of.bars.open[row]! ? 1 : -1;
}

function body(of: Candles, row: number): number {
  return Math.abs(of.bars.close[row]! - of.bars.open[row]!);
}

function bodyTop(of: Candles, row: number): number {
  return Math.max(of.bars.close[row]!, of.bars.open[row]!);
}

function bodyBottom(of: Candles, row: number): number {
  return Math.min(of.bars.close[row]!, of.bars.open[row]!);
}

/** Upper shadow. */
function wick(of: Candles, row: number): number {
  return of.bars.high[row]! - bodyTop(of, row);
}

/** Lower shadow. */
function tail(of: Candles, row: number): number {
  return bodyBottom(of, row) - of.bars.low[row]!;
}

function isLong(of: Candles, row: number): boolean {
  return body(of, row) > of.body[row - of.from]!;
}

function isDoji(of: Candles, row: number): boolean {
  return body(of, row) <= of.tiny[row - of.from]!;
}

function gapsUp(of: Candles, row: number): boolean {
  return bodyBottom(of, row) > bodyTop(of, row - 1);
}

function gapsDown(of: Candles, row: number): boolean {
  return bodyTop(of, row) < bodyBottom(of, row - 1);
}

function hasLongTail(of: Candles, row: number): boolean {
  const at = row - of.from;
  return body(of, row) < of.body[at]! && tail(of, row) > body(of, row) && wick(of, row) < of.tiny[at]!;
}

function hasLongWick(of: Candles, row: number): boolean {
  const at = row - of.from;
  return body(of, row) < of.body[at]! && wick(of, row) > body(of, row) && tail(of, row) < of.tiny[at]!;
}

function isNearLowBefore(of: Candles, row: number): boolean {
  return bodyBottom(of, row) <= of.bars.low[row - 1]! + NEAR * of.span[row - 1 - of.from]!;
}

function isNearHighBefore(of: Candles, row: number): boolean {
  return bodyBottom(of, row) >= of.bars.high[row - 1]! - NEAR * of.span[row - 1 - of.from]!;
}

/** The second body covers the first, of the other colour; one end may be level. */
function isEngulfing(of: Candles, row: number, side: 1 | -1): boolean {
  if (colour(of, row) !== side || colour(of, row - 1) !== -side) return false;
  const over = bodyTop(of, row) - bodyTop(of, row - 1);
  const under = bodyBottom(of, row - 1) - bodyBottom(of, row);
  return over >= 0 && under >= 0 && over + under > 0;
}

function isMarubozu(of: Candles, row: number): boolean {
  const at = row - of.from;
  return isLong(of, row) && wick(of, row) < of.tiny[at]! && tail(of, row) < of.tiny[at]!;
}

/** Long body, small one that gaps on (at most `small`), body back into the first by 30 %. */
function isStar(of: Candles, row: number, side: 1 | -1, small: number): boolean {
  const { close } = of.bars;
  if (!isLong(of, row - 2) || colour(of, row - 2) !== -side || body(of, row - 1) > small) return false;
  if (!(side > 0 ? gapsDown(of, row - 1) : gapsUp(of, row - 1))) return false;
  if (!isLong(of, row) || colour(of, row) !== side) return false;
  return side * (close[row]! - close[row - 2]!) > body(of, row - 2) * STAR_PENETRATION;
}

/** A small body (at most `small`) inside the long one before it, which has the other colour's side. */
function isHarami(of: Candles, row: number, side: 1 | -1, small: number): boolean {
  if (!isLong(of, row - 1) || colour(of, row - 1) !== -side || body(of, row) > small) return false;
  return bodyTop(of, row) <= bodyTop(of, row - 1) && bodyBottom(of, row) >= bodyBottom(of, row - 1);
}

function isPiercing(of: Candles, row: number): boolean {
  const { open, low, close } = of.bars;
  if (colour(of, row - 1) > 0 || colour(of, row) < 0 || !isLong(of, row - 1) || !isLong(of, row))
    return false;
  const middle = close[row - 1]! + body(of, row - 1) * PIERCING_PENETRATION;
  return open[row]! < low[row - 1]! && close[row]! < open[row - 1]! && close[row]! > middle;
}

function isDarkCloud(of: Candles, row: number): boolean {
  const { open, high, close } = of.bars;
  if (colour(of, row - 1) < 0 || colour(of, row) > 0 || !isLong(of, row - 1)) return false;
  const middle = close[row - 1]! - body(of, row - 1) * PIERCING_PENETRATION;
  return open[row]! > high[row - 1]! && close[row]! > open[row - 1]! && close[row]! < middle;
}

/** Three white candles without upper shadow, each opening in or near the body before and not much shorter. */
function areSoldiers(of: Candles, row: number): boolean {
  const { open, close } = of.bars;
  for (let at = row - 2; at <= row; at++) {
    if (colour(of, at) < 0 || wick(of, at) >= of.tiny[at - of.from]!) return false;
  }
  for (let at = row - 1; at <= row; at++) {
    const span = of.span[at - 1 - of.from]!;
    if (close[at]! <= close[at - 1]! || open[at]! <= open[at - 1]!) return false;
    if (open[at]! > close[at - 1]! + NEAR * span || body(of, at) <= body(of, at - 1) - FAR * span)
      return false;
  }
  return isLong(of, row);
}

/** After a white candle three black ones without lower shadow, each opening inside the body before. */
function areCrows(of: Candles, row: number): boolean {
  const { open, high, close } = of.bars;
  if (colour(of, row - 3) < 0 || high[row - 3]! <= close[row - 2]!) return false;
  for (let at = row - 2; at <= row; at++) {
    if (colour(of, at) > 0 || tail(of, at) >= of.tiny[at - of.from]!) return false;
  }
  for (let at = row - 1; at <= row; at++) {
    if (open[at]! >= open[at - 1]! || open[at]! <= close[at - 1]! || close[at]! >= close[at - 1]!)
      return false;
  }
  return true;
}
