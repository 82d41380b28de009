import type { BarColumns } from '../../src/market/observations.ts';
import type { StockView } from '../../src/market/stock-view.ts';
import {
  type DailyRow,
  type FlowRow,
  type IntradayRow,
  sessionsBefore,
  TRADE_DATE,
  type ViewParts,
  viewOf,
} from './views.ts';

/** A New York wall clock, minutes after midnight. */
export const clockOf = (minute: number): string =>
  `${Math.floor(minute / 60)}:${String(minute % 60).padStart(2, '0')}`;

/** Bars as rows of a view, each under its date or clock. */
export const rowsOf = (bars: BarColumns, nameOf: (row: number) => string): DailyRow[] =>
  Array.from(bars.time, (_, row) => {
    const at = (column: Float64Array): number => column[row]!;
    return [nameOf(row), at(bars.open), at(bars.high), at(bars.low), at(bars.close), at(bars.volume)];
  });

/** The clock of the minute so many rows after 09:30. */
export const minuteOf = (row: number): string => clockOf(570 + row);

/** A bar between two prices with a wick on both ends, in logarithms about 100; `sign` -1 is its mirror. */
export function logBar(
  sign: number,
  from: number,
  to: number,
  wick: number,
): [number, number, number, number] {
  const at = (exponent: number): number => 100 * Math.exp(sign * exponent);
  const ends = [at(Math.max(from, to) + wick), at(Math.min(from, to) - wick)];
  return [at(from), Math.max(...ends), Math.min(...ends), at(to)];
}

/**
 * Sixty days, the minutes of two sessions and the prints of the second, of a stock that swings: up, half way back, up
 * again. With `sign` -1 the same in a log mirror, buyers for sellers.
 */
export function swingingSession(sign: number, parts: ViewParts = {}): StockView {
  const day = (row: number): number => 0.02 * Math.sin(row / 9) + 0.005 * Math.sin(2 * row);
  const daily = sessionsBefore(TRADE_DATE, 60).map(
    (date, row): DailyRow => [date, ...logBar(sign, day(row - 1), day(row), 0.004), 2_000_000],
  );
  const path = (start: number, m: number): number =>
    start + 0.006 * Math.sin(m / 70) + 0.003 * Math.sin(m / 23) + 0.00002 * m;
  const minutes = (start: number, shares: number): IntradayRow[] =>
    Array.from({ length: 390 }, (_, m) => [
      minuteOf(m),
      ...logBar(sign, path(start, m - 1), path(start, m), 0.0002),
      shares + 400 * Math.cos(m / 30),
    ]);
  const flow = Array.from({ length: 390 }, (_, m): FlowRow => {
    const [more, less] = [600 + 300 * Math.sin(m / 40), 450];
    return [
      minuteOf(m),
      sign > 0 ? { buyByQuote: more, sellByQuote: less } : { buyByQuote: less, sellByQuote: more },
    ];
  });
  return viewOf({
    at: '13:00',
    daily,
    intraday: minutes(day(60), 2500),
    priorIntraday: minutes(day(59), 2200),
    flow,
    ...parts,
  });
}
