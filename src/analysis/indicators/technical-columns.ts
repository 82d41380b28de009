import { emaRows, sma } from './averages.ts';
import { bollinger } from './bollinger.ts';
import { trendStrength } from './directional.ts';
import { macdRows } from './macd.ts';
import { rsi } from './rsi.ts';
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
  rsi(close, 14, into.rsi14);
  trendStrength(high, low, close, 14, into.adx14, into.atr14);
  exponentialColumns(close, into);
  bollinger(close, 20, 2, { upper: into.bollingerUpper, middle: into.sma20, lower: into.bollingerLower });
  sma(close, 50, into.sma50);
  sma(close, 200, into.sma200);
  return into;
}

/** The figures of one row, e.g. of the last completed session; all NaN for a row outside the columns. */
export function technicalValues(columns: TechnicalColumns, row: number): TechnicalValues {
  return Object.fromEntries(NAMES.map((name) => [name, columns[name][row] ?? Number.NaN])) as TechnicalValues;
}

/** EMA 9, EMA 20 and MACD: five recurrences whose waits overlap when they share a loop. */
function exponentialColumns(close: Float64Array, into: TechnicalColumns): void {
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
  if (rows === head) return;
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
}
