/** The first row at which each indicator is defined, as in TA-Lib (its "lookback"); rows before it hold NaN. */
export const FIRST_ROW = {
  sma: (period: number): number => period - 1,
  ema: (period: number): number => period - 1,
  bollinger: (period: number): number => period - 1,
  atr: (period: number): number => period,
  rsi: (period: number): number => period,
  adx: (period: number): number => 2 * period - 1,
  macd: (slowPeriod: number, signalPeriod: number): number => slowPeriod + signalPeriod - 2,
} as const;

/** Below this TA-Lib takes a sum of moves or a variance for zero, and so do we. */
export const NOTHING = 1e-14;

/** Marks the rows before `firstRow` as not defined; a column that is too short stays undefined as a whole. */
export function undefinedBefore(firstRow: number, out: Float64Array): void {
  const end = Math.min(firstRow, out.length);
  // The heads are short: a plain loop beats the call into the runtime that `fill` costs.
  for (let row = 0; row < end; row++) out[row] = Number.NaN;
}
