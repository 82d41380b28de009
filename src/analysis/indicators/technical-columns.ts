import type { BarColumns } from '../../market/observations.ts';
import { emaRows, nextEma, nextSma, sma } from './averages.ts';
import { bollingerRows, nextBandWidth } from './bollinger.ts';
import { nextAdx, type TrendSums, trendStrength } from './directional.ts';
import { macdRows } from './macd.ts';
import { nextRsi, type RsiSums, rsiRows } from './rsi.ts';
import { nextAtr } from './true-range.ts';
import { FIRST_ROW, undefinedBefore } from './warm-up.ts';

const NAMES = [
  'rsi14',
  'macd',
  'macdSignal',
  'macdHistogram',
  'adx14',
  'atr14',
  'bollingerUpper',
  'bollingerLower',
  'ema9',
  'ema20',
  'sma20',
  'sma50',
  'sma200',
] as const;
type TechnicalName = (typeof NAMES)[number];

/**
 * The daily technical indicators of one stock, each column as long as its bars and NaN before its own first row. RSI and
 * ADX are 0-100, the rest is in the unit of the prices. The middle Bollinger band is `sma20`.
 */
export type TechnicalColumns = Readonly<Record<TechnicalName, Float64Array>>;

/** One row of `TechnicalColumns`; NaN where an indicator is not defined there. */
export type TechnicalValues = Readonly<Record<TechnicalName, number>>;

/** Empty columns for `rows` bars, which a caller may fill for one stock after the other. */
export function technicalRoom(rows: number): TechnicalColumns {
  return Object.fromEntries(NAMES.map((name) => [name, new Float64Array(rows)])) as TechnicalColumns;
}

/**
 * RSI(14), MACD(12, 26, 9), ADX(14), ATR(14), Bollinger(20, 2), EMA 9 and 20, SMA 20, 50 and 200 of one stock
 * in as few walks over its bars as is fastest. The figures are those of the single functions to the last bit.
 *
 * @param into room from `technicalRoom` for exactly as many rows; every row of it is overwritten
 */
export function technicalColumns(
  high: Float64Array,
  low: Float64Array,
  close: Float64Array,
  into: TechnicalColumns = technicalRoom(close.length),
): TechnicalColumns {
  if (into.rsi14.length !== close.length) {
    throw new RangeError(`room for ${into.rsi14.length} rows cannot take ${close.length} bars`);
  }
  fill(high, low, close, into);
  return into;
}

/** What the recurrences of the columns carry from the last row to the next beside its values. */
interface Carried {
  readonly movement: RsiSums;
  readonly trend: TrendSums;
  /** The two averages of MACD. */
  readonly fast: number;
  readonly slow: number;
  /** Squared deviations in the window of the bands. */
  readonly squares: number;
}

function fill(high: Float64Array, low: Float64Array, close: Float64Array, into: TechnicalColumns): Carried {
  const movement = rsiRows(close, 14, into.rsi14);
  const trend = trendStrength(high, low, close, 14, into.adx14, into.atr14);
  const { fast, slow } = exponentialColumns(close, into);
  const bands = { upper: into.bollingerUpper, middle: into.sma20, lower: into.bollingerLower };
  const squares = bollingerRows(close, 20, 2, bands);
  sma(close, 50, into.sma50);
  sma(close, 200, into.sma200);
  return { movement, trend, fast, slow, squares };
}

/** Where the columns of some bars end: what is read of a stock's completed sessions, without the columns. */
export interface TechnicalEnd {
  readonly last: TechnicalValues;
  readonly beforeLast: TechnicalValues;
  readonly carried: Carried;
}

type HighLowClose = Pick<BarColumns, 'high' | 'low' | 'close'>;

export function technicalEnd({ high, low, close }: HighLowClose): TechnicalEnd {
  const columns = technicalRoom(close.length);
  const carried = fill(high, low, close, columns);
  const last = close.length - 1;
  return { last: technicalValues(columns, last), beforeLast: technicalValues(columns, last - 1), carried };
}

/** From so many rows on no indicator has a case of its own. */
const WARM_ROWS = 200;

/**
 * The figures of the last row of some bars, to the last bit those of the columns.
 *
 * @param end of the same bars without their last row
 */
export function nextTechnical({ last, carried }: TechnicalEnd, bars: HighLowClose): TechnicalValues {
  const { high, low, close } = bars;
  const row = close.length - 1;
  if (row < WARM_ROWS) return technicalEnd(bars).last;
  const price = close[row]!;
  const priorClose = close[row - 1]!;
  const macd = nextEma(carried.fast, price, 12) - nextEma(carried.slow, price, 26);
  const macdSignal = nextEma(last.macdSignal, macd, 9);
  const sma20 = nextSma(last.sma20, close, 20);
  const width = nextBandWidth(carried.squares, last.sma20, sma20, close);
  return {
    rsi14: nextRsi(carried.movement, price - priorClose),
    macd,
    macdSignal,
    macdHistogram: macd - macdSignal,
    adx14: nextAdx(carried.trend, high, low),
    atr14: nextAtr(last.atr14, high[row]!, low[row]!, priorClose),
    bollingerUpper: sma20 + width,
    bollingerLower: sma20 - width,
    ema9: nextEma(last.ema9, price, 9),
    ema20: nextEma(last.ema20, price, 20),
    sma20,
    sma50: nextSma(last.sma50, close, 50),
    sma200: nextSma(last.sma200, close, 200),
  };
}

/** The figures of one row, e.g. of the last completed session; all NaN for a row outside the columns. */
export function technicalValues(columns: TechnicalColumns, row: number): TechnicalValues {
  const values = {} as Record<TechnicalName, number>;
  for (const name of NAMES) values[name] = columns[name][row] ?? Number.NaN;
  return values;
}

/**
 * EMA 9, EMA 20 and MACD: five recurrences whose waits overlap when they share a loop.
 *
 * @returns the two averages of MACD at the last row
 */
function exponentialColumns(close: Float64Array, into: TechnicalColumns): { fast: number; slow: number } {
  const { ema9, ema20, macd: line, macdSignal: signal, macdHistogram: histogram } = into;
  const rows = close.length;
  // The single functions write the head; beyond it every recurrence runs without a case.
  const head = Math.min(rows, FIRST_ROW.macd(26, 9) + 1);
  undefinedBefore(FIRST_ROW.ema(9), ema9);
  undefinedBefore(FIRST_ROW.ema(20), ema20);
  emaRows(close, 9, 0, head, ema9);
  emaRows(close, 20, 0, head, ema20);
  let { fast, slow } = macdRows(close, 12, 26, 9, head, { line, signal, histogram });
  undefinedBefore(FIRST_ROW.macd(26, 9), line);
  undefinedBefore(FIRST_ROW.macd(26, 9), signal);
  undefinedBefore(FIRST_ROW.macd(26, 9), histogram);
  if (rows === head) return { fast, slow };
  const weight9 = 2 / 10;
  const weight20 = 2 / 21;
  const weight12 = 2 / 13;
  const weight26 = 2 / 27;
  let average9 = ema9[head - 1]!;
  let average20 = ema20[head - 1]!;
  let smooth = signal[head - 1]!;
  for (let row = head; row < rows; row++) {
    const price = close[row]!;
    average9 += weight9 * (price - average9);
    average20 += weight20 * (price - average20);
    fast += weight12 * (price - fast);
    slow += weight26 * (price - slow);
    const ahead = fast - slow;
    smooth += weight9 * (ahead - smooth);
    ema9[row] = average9;
    ema20[row] = average20;
    line[row] = ahead;
    signal[row] = smooth;
    histogram[row] = ahead - smooth;
  }
  return { fast, slow };
}
