import type { BarColumns } from '../../market/observations.ts';

export const CHART_PATTERN_TYPES = [
  'double_top',
  'double_bottom',
  'triple_top',
  'triple_bottom',
  'head_and_shoulders',
  'inverse_head_and_shoulders',
  'ascending_triangle',
  'descending_triangle',
  'symmetrical_triangle',
  'rising_wedge',
  'falling_wedge',
  'bull_flag',
  'bear_flag',
  'bull_pennant',
  'bear_pennant',
  'rectangle',
  'cup_and_handle',
  'volatility_contraction',
] as const;

export const CANDLESTICK_TYPES = [
  'bullish_engulfing',
  'bearish_engulfing',
  'hammer',
  'hanging_man',
  'inverted_hammer',
  'shooting_star',
  'doji',
  'dragonfly_doji',
  'gravestone_doji',
  'long_legged_doji',
  'morning_star',
  'evening_star',
  'morning_doji_star',
  'evening_doji_star',
  'bullish_harami',
  'bearish_harami',
  'bullish_harami_cross',
  'bearish_harami_cross',
  'piercing_line',
  'dark_cloud_cover',
  'three_white_soldiers',
  'three_black_crows',
  'bullish_marubozu',
  'bearish_marubozu',
  'spinning_top',
] as const;

export type ChartPatternType = (typeof CHART_PATTERN_TYPES)[number];
export type CandlestickType = (typeof CANDLESTICK_TYPES)[number];
export type PatternType = ChartPatternType | CandlestickType;
export type PatternFamily = 'chart' | 'candlestick';
export type PatternDirection = 'bullish' | 'bearish' | 'neutral';
export type PatternStatus = 'forming' | 'confirmed' | 'failed';

/** A turn of price at `row`, known since the close of `confirmedRow`. */
export interface SwingPoint {
  readonly row: number;
  readonly price: number;
  readonly kind: 'high' | 'low';
  readonly confirmedRow: number;
}

/** A straight line on the chart through two points; it goes on beyond both. */
export interface PatternLine {
  readonly fromRow: number;
  readonly fromPrice: number;
  readonly toRow: number;
  readonly toPrice: number;
}

/**
 * One pattern as of the last row. Rows are rows of the given columns, prices are on their basis.
 *
 * Prices of a forming pattern are those of the last row, because a sloping line moves; from `confirmedRow` on they are
 * frozen. NaN is a price that is not defined: a neutral pattern has no target or stop until it picks a side, and no
 * target exists where the measured fall exceeds the price.
 */
export interface PatternFinding {
  readonly type: PatternType;
  readonly family: PatternFamily;
  /** Two-way patterns are neutral while they form and take the side of the close that confirms them. */
  readonly direction: PatternDirection;
  readonly status: PatternStatus;
  readonly pivots: readonly SwingPoint[];
  /** Price whose close beyond it confirms: above for bullish and neutral, below for bearish. */
  readonly trigger: number;
  readonly triggerLine: PatternLine;
  /** The other boundary of a pattern that lies between two lines; NaN and null for the rest. */
  readonly counterTrigger: number;
  readonly counterLine: PatternLine | null;
  /** Measured move, dollars per share. */
  readonly target: number;
  readonly stop: number;
  /** A close beyond it says that the reading was wrong; never nearer to the trigger than `stop`. */
  readonly invalidation: number;
  /** What the measured move measures, dollars: neckline to peak, width at the start, flagpole, depth of the cup. */
  readonly height: number;
  readonly firstSeenRow: number;
  readonly confirmedRow: number | null;
  readonly failedRow: number | null;
  /** `invalidated`: closed beyond the invalidation price; `expired`: never triggered in the time it had. */
  readonly failure: 'invalidated' | 'expired' | null;
  /** First row from the confirmation on whose range touched the target. */
  readonly targetRow: number | null;
  /** Mean of the type's fit measures, 0-1: how well the drawing fits the textbook, not a chance of profit. */
  readonly confidence: number;
}

/** What a reader finds in the swings at one row: everything except the pattern's later life. */
export interface PatternReading {
  readonly type: PatternType;
  readonly direction: PatternDirection;
  readonly pivots: readonly SwingPoint[];
  /** For a neutral reading the upper boundary. */
  readonly trigger: PatternLine;
  /** For a neutral reading the lower boundary. */
  readonly counter: PatternLine | null;
  /** Stop when it confirms upward and downward; NaN where it cannot confirm that way. */
  readonly stopLong: number;
  readonly stopShort: number;
  /** Fixed invalidation price, or NaN: the counter line is the invalidation. */
  readonly invalidation: number;
  /** Fixed target, or NaN: the height beyond the trigger. */
  readonly target: number;
  readonly height: number;
  /** Last row on which it may still be triggered. */
  readonly expiresRow: number;
  /** The stop follows the extreme of the rows until the confirmation (handles, flags). */
  readonly trailingStop: boolean;
  readonly confidence: number;
}

/** What is known at the close of `row` of the history from `first` on; no other row of these columns may be read. */
export interface Scan {
  readonly bars: BarColumns;
  /** Mean true range by row, dollars: the unit in which shapes are measured. */
  readonly range: Float64Array;
  readonly first: number;
  readonly row: number;
}

/** Detects a pattern in the first `count` swings, the last confirmed at `scan.row`, from a fixed number of swings. */
export type SwingReader = (swings: readonly SwingPoint[], count: number, scan: Scan) => PatternReading | null;

/** What a reader of a one-sided pattern states; the rest follows from the side. */
type OneSidedReading = Omit<
  PatternReading,
  'direction' | 'counter' | 'stopLong' | 'stopShort' | 'target' | 'trailingStop'
>;

/** A reading that only one side can confirm, 1 bullish or -1 bearish, with its height as the measured move. */
export function oneSided(
  side: 1 | -1,
  stop: number,
  reading: OneSidedReading,
  trailingStop = false,
): PatternReading {
  return {
    ...reading,
    direction: side > 0 ? 'bullish' : 'bearish',
    counter: null,
    stopLong: side > 0 ? stop : Number.NaN,
    stopShort: side > 0 ? Number.NaN : stop,
    target: Number.NaN,
    trailingStop,
  };
}
