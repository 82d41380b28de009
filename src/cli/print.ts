import { stopwatch } from '../base/timers.ts';

/** Numbers and tables for a terminal. */

const UNKNOWN = '-';

export const count = (value: number): string => value.toLocaleString('en-US');

export const number = (value: number | null, decimals: number): string =>
  value === null ? UNKNOWN : value.toFixed(decimals);

export const percent = (value: number | null, decimals: number): string =>
  value === null ? UNKNOWN : `${(100 * value).toFixed(decimals)} %`;

/** Seconds since an instant of the stopwatch. */
export const secondsSince = (started: number): string => `${((stopwatch() - started) / 1000).toFixed(1)} s`;

/**
 * Rows as lines with padded columns.
 *
 * @param isText true for a column that aligns to the left
 */
export function table(
  rows: readonly (readonly string[])[],
  isText: (column: number) => boolean = () => false,
): string[] {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows.map((row) =>
    row
      .map((cell, column) => (isText(column) ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!)))
      .join('  ')
      .trimEnd(),
  );
}
