import { type CloseColumns, marketPart } from '../src/analysis/similarity/market-features.ts';
import { marketStates, STATE_FIRST_ROW, STATE_WIDTH } from '../src/analysis/similarity/states.ts';
import { DAY_MS, dateOf, midnightUtc, newYorkCalendar } from '../src/base/calendar.ts';
import { STATE_PARTS, type StateYearDays } from '../src/derive/stock-state.ts';
import type { BarColumns } from '../src/market/observations.ts';
import { mulberry32 } from '../test/support/daily-recipe.ts';

/** States of stock-days side by side; row by row the same stock, oldest first. */
export interface StateTable {
  readonly rows: number;
  readonly symbol: readonly string[];
  /** Days since 1970-01-01. */
  readonly day: Int32Array;
  readonly logReturn: Float64Array;
  readonly states: Float32Array;
  /** Microseconds that the states of a bar took. */
  readonly microsPerBar: number;
}

/** Prices that walk at random, as many as are wanted. */
export function madeUpStates(rows: number): StateTable {
  const sessions = 1_000;
  const dates = newYorkCalendar().sessionsBetween('2016-01-04', '2019-12-31').slice(0, sessions);
  const time = Float64Array.from(dates, midnightUtc);
  const stocks = Math.ceil(rows / (time.length - STATE_FIRST_ROW));
  const histories = Array.from({ length: stocks }, (_, at): [string, BarColumns] => [
    `S${String(at).padStart(5, '0')}`,
    randomWalk(time, at + 1),
  ]);
  return tableOf(histories, [randomWalk(time, 1_000_001)], [randomWalk(time, 1_000_002)]);
}

function tableOf(
  histories: readonly (readonly [string, BarColumns])[],
  indices: readonly CloseColumns[],
  volatilityIndices: readonly CloseColumns[],
): StateTable {
  const market = marketPart(indices, volatilityIndices);
  const stocks = histories.filter(([, bars]) => bars.time.length > STATE_FIRST_ROW);
  const rows = stocks.reduce((sum, [, bars]) => sum + bars.time.length - STATE_FIRST_ROW, 0);
  const symbol: string[] = [];
  const day = new Int32Array(rows);
  const logReturn = new Float64Array(rows);
  const states = new Float32Array(rows * STATE_WIDTH);
  let bars = 0;
  const started = performance.now();
  for (const [name, history] of stocks) {
    const of = marketStates(history, market);
    states.set(of.states.subarray(STATE_FIRST_ROW * STATE_WIDTH), symbol.length * STATE_WIDTH);
    for (let row = STATE_FIRST_ROW; row < history.time.length; row++) {
      day[symbol.length] = history.time[row]! / DAY_MS;
      logReturn[symbol.length] = of.logReturn[row]!;
      symbol.push(name);
    }
    bars += history.time.length;
  }
  const microsPerBar = ((performance.now() - started) * 1000) / bars;
  return { rows, symbol, day, logReturn, states, microsPerBar };
}

/** The first rows as the store takes them, year by year of a stock. */
export function stateYears({ rows, symbol, day, logReturn, states }: StateTable): StateYearDays[] {
  const names = Array.from({ length: rows }, (_, row) => row);
  const years = Map.groupBy(names, (row) => `${symbol[row]} ${dateOf(day[row]! * DAY_MS).slice(0, 4)}`);
  return Array.from(years, ([name, own]) => {
    const [first, end] = [own[0]!, own.at(-1)! + 1];
    return {
      symbol: name.slice(0, -5),
      year: Number(name.slice(-4)),
      digest: name,
      days: day.slice(first, end),
      logReturns: logReturn.slice(first, end),
      states: wholeNumbers(states.subarray(first * STATE_WIDTH, end * STATE_WIDTH)),
    };
  });
}

/** Numbers of states as they are kept. */
export const wholeNumbers = (states: Float32Array): Int16Array =>
  Int16Array.from(states, (value) => Math.round(value * STATE_PARTS));

/**
 * The nearest rows by comparing every one whose day is not after `lastDay`: squared distances into `into`, answered are
 * the rows, nearest first.
 */
export function scanNearest(
  { rows, day, states }: StateTable,
  query: number,
  lastDay: number,
  count: number,
): { row: number; distance: number }[] {
  const own = states.subarray(query * STATE_WIDTH, (query + 1) * STATE_WIDTH);
  const best: { row: number; distance: number }[] = [];
  let worst = Number.POSITIVE_INFINITY;
  for (let row = 0; row < rows; row++) {
    if (day[row]! > lastDay) continue;
    let sum = 0;
    for (let at = 0, from = row * STATE_WIDTH; at < STATE_WIDTH; at++) {
      const apart = own[at]! - states[from + at]!;
      sum += apart * apart;
    }
    if (sum >= worst) continue;
    let place = best.length;
    while (place > 0 && best[place - 1]!.distance > sum) place--;
    best.splice(place, 0, { row, distance: sum });
    if (best.length > count) best.pop();
    if (best.length === count) worst = best[count - 1]!.distance;
  }
  return best.map(({ row, distance }) => ({ row, distance: Math.sqrt(distance) }));
}

function randomWalk(time: Float64Array, seed: number): BarColumns {
  const draw = mulberry32(seed);
  const bell = (): number => draw() + draw() + draw() + draw() + draw() + draw() - 3;
  const column = (): Float64Array => new Float64Array(time.length);
  const bars = { time, open: column(), high: column(), low: column(), close: column(), volume: column() };
  let close = 50;
  for (let row = 0; row < time.length; row++) {
    const open = close * Math.exp(0.006 * bell());
    close = open * Math.exp(0.02 * bell());
    bars.open[row] = open;
    bars.close[row] = close;
    bars.high[row] = Math.max(open, close) * (1 + 0.008 * draw());
    bars.low[row] = Math.min(open, close) * (1 - 0.008 * draw());
    bars.volume[row] = Math.round(1e6 * (0.4 + draw()));
  }
  return bars;
}
