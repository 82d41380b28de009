import { windowMean } from '../statistics.ts';
import { CANDLESTICK_SHAPES, type Candles, SHAPE_WARM_UP } from './candlestick-shapes.ts';
import {
  CANDLESTICK_TYPES,
  type CandlestickType,
  type PatternDirection,
  type PatternReading,
  type Scan,
  type SwingPoint,
} from './finding.ts';
import { type LivePattern, livePattern, SERVED_ROWS } from './lifecycle.ts';
import { fitBetween, flatLine, meanFit, volumeFit } from './lines.ts';

/** Sessions that a candlestick has to be followed through. */
const FOLLOW_ROWS = 3;
const TREND_ROWS = 10;
const VOLUME_ROWS = 20;

/** What a shape says, and the trend before it that it needs to say so (1 up, -1 down, 0 any). */
interface Meaning {
  readonly direction: PatternDirection;
  readonly trend: 1 | -1 | 0;
}

const BOTTOM: Meaning = { direction: 'bullish', trend: -1 };
const TOP: Meaning = { direction: 'bearish', trend: 1 };
const PAUSE: Meaning = { direction: 'neutral', trend: 0 };

const MEANINGS: Readonly<Record<CandlestickType, Meaning>> = {
  bullish_engulfing: BOTTOM,
  bearish_engulfing: TOP,
  hammer: BOTTOM,
  hanging_man: TOP,
  inverted_hammer: BOTTOM,
  shooting_star: TOP,
  doji: PAUSE,
  dragonfly_doji: BOTTOM,
  gravestone_doji: TOP,
  long_legged_doji: PAUSE,
  morning_star: BOTTOM,
  evening_star: TOP,
  morning_doji_star: BOTTOM,
  evening_doji_star: TOP,
  bullish_harami: BOTTOM,
  bearish_harami: TOP,
  bullish_harami_cross: BOTTOM,
  bearish_harami_cross: TOP,
  piercing_line: BOTTOM,
  dark_cloud_cover: TOP,
  three_white_soldiers: BOTTOM,
  three_black_crows: TOP,
  bullish_marubozu: { direction: 'bullish', trend: 0 },
  bearish_marubozu: { direction: 'bearish', trend: 0 },
  spinning_top: PAUSE,
};

/** The more telling name where a candle has several: the general one is left out. */
const GENERAL_NAMES: Readonly<Partial<Record<CandlestickType, readonly CandlestickType[]>>> = {
  dragonfly_doji: ['doji', 'long_legged_doji', 'spinning_top', 'hammer', 'hanging_man'],
  gravestone_doji: ['doji', 'long_legged_doji', 'spinning_top', 'inverted_hammer', 'shooting_star'],
  long_legged_doji: ['doji', 'spinning_top'],
  doji: ['spinning_top'],
  morning_doji_star: ['morning_star'],
  evening_doji_star: ['evening_star'],
  bullish_harami_cross: ['bullish_harami', 'doji', 'long_legged_doji', 'spinning_top'],
  bearish_harami_cross: ['bearish_harami', 'doji', 'long_legged_doji', 'spinning_top'],
};

/** Rows that a candlestick needs before it, and rows since its last one after which none is served. */
export const CANDLESTICK_WARM_UP = Math.max(SHAPE_WARM_UP, TREND_ROWS + 4);
export const CANDLESTICK_LIFE_ROWS =
  FOLLOW_ROWS + Math.max(SERVED_ROWS.candlestick.confirmedRows, SERVED_ROWS.candlestick.failedRows);

/**
 * The candlesticks that end at `scan.row`: the shape (TA-Lib's definitions) after the trend that gives it
 * its meaning, which is up when the close before its first candle lies above the mean of the ten closes up to there.
 * A candlestick forms at its last row, is confirmed by a close beyond its far end (its highest high for a bullish one)
 * within three sessions, fails by a close beyond the other end, else expires. Dojis and spinning tops are neutral and
 * take the side of that close. The target is the height of the candles beyond the trigger.
 *
 * Confidence: mean of the trend before (its distance from the mean of ten, 0 to 1.5 mean true ranges; not for neutral
 * ones and marubozu), the height of the candles (0.5 to 2 mean true ranges) and the last row's volume (0.7 to 1.5 of
 * the 20-session mean before).
 * Source: Nison, "Japanese Candlestick Charting Techniques" (prior trend, confirmation); Bulkowski, "Encyclopedia of
 * Candlestick Charts" (measure by height); Morris, "Candlestick Charting Explained" (trend by a 10-session average).
 */
export function candlesticks(of: Candles, scan: Scan): LivePattern[] {
  return namesAt(of, scan.row).flatMap(
    (type) => livePattern(reading(type, of, scan), 'candlestick', scan.bars, scan.row) ?? [],
  );
}

/** What `namesAt` asks of every type at every row. */
const ASKED = CANDLESTICK_TYPES.map((type) => {
  const { rows, holds } = CANDLESTICK_SHAPES[type];
  return { type, rows, holds, trend: MEANINGS[type].trend };
});

/** Names of the candlesticks that end at the row, with the trend they need, without the general names of one. */
function namesAt(of: Candles, row: number): CandlestickType[] {
  let names: CandlestickType[] = [];
  for (const { type, rows, holds, trend } of ASKED) {
    if (!holds(of, row)) continue;
    if (trend === 0 || trend * stretch(of, row - rows) > 0) names.push(type);
  }
  for (const name of names) {
    const general = GENERAL_NAMES[name];
    if (general !== undefined) names = names.filter((other) => !general.includes(other));
  }
  return names;
}

/** Distance of the close from the mean of the ten closes up to it, dollars: above 0 the trend is up. */
function stretch(of: Candles, row: number): number {
  const { close } = of.bars;
  return close[row]! - windowMean(close, row - TREND_ROWS + 1, TREND_ROWS);
}

function reading(type: CandlestickType, of: Candles, { range, row }: Scan): PatternReading {
  const { direction, trend } = MEANINGS[type];
  const first = row - CANDLESTICK_SHAPES[type].rows + 1;
  const top = extreme(of.bars.high, first, row, 1);
  const bottom = extreme(of.bars.low, first, row, -1);
  const upper = flatLine(top.row, row, top.price);
  const lower = flatLine(bottom.row, row, bottom.price);
  const isBearish = direction === 'bearish';
  const height = top.price - bottom.price;
  const unit = range[row]!;
  const fits = [
    fitBetween(height / unit, 0.5, 2),
    volumeFit(of.bars.volume[row]!, volumeBefore(of, row), 0.7, 1.5),
  ];
  if (trend !== 0) fits.push(fitBetween((trend * stretch(of, first - 1)) / unit, 0, 1.5));
  return {
    type,
    direction,
    pivots: top.row <= bottom.row ? [top, bottom] : [bottom, top],
    trigger: isBearish ? lower : upper,
    counter: direction === 'neutral' ? lower : null,
    stopLong: bottom.price,
    stopShort: top.price,
    invalidation: direction === 'neutral' ? Number.NaN : isBearish ? top.price : bottom.price,
    target: Number.NaN,
    height,
    expiresRow: row + FOLLOW_ROWS,
    trailingStop: false,
    confidence: meanFit(...fits),
  };
}

function extreme(column: Float64Array, first: number, last: number, side: 1 | -1): SwingPoint {
  let row = first;
  for (let at = first + 1; at <= last; at++) if (side * (column[at]! - column[row]!) > 0) row = at;
  return { row, price: column[row]!, kind: side > 0 ? 'high' : 'low', confirmedRow: last };
}

function volumeBefore(of: Candles, row: number): number {
  const rows = Math.min(VOLUME_ROWS, row);
  return windowMean(of.bars.volume, row - rows, rows);
}
