import type { Bar, BarColumns } from '../../src/market/observations.ts';
import { mulberry32 } from '../../src/records/estimate/superior.ts';
import { columnsFrom, mapPrices } from './bar-columns.ts';

const DAY_MS = 86_400_000;
const FIRST_DAY = Date.UTC(2024, 0, 2);

/** A row and the close that the path passes there. */
export type Waypoint = readonly [row: number, close: number];

export type Candle = Omit<Bar, 'time'>;

/** Daily columns of the candles, one calendar day apart. */
export function barsOf(candles: readonly Candle[]): BarColumns {
  return columnsFrom((name) =>
    Float64Array.from(candles, (candle, row) => (name === 'time' ? FIRST_DAY + row * DAY_MS : candle[name])),
  );
}

/** Closes that run straight from waypoint to waypoint. */
export function closesThrough(waypoints: readonly Waypoint[]): number[] {
  const closes: number[] = [];
  for (let leg = 1; leg < waypoints.length; leg++) {
    const [from, start] = waypoints[leg - 1]!;
    const [to, end] = waypoints[leg]!;
    for (let row = from; row < to; row++) closes.push(start + ((end - start) * (row - from)) / (to - from));
  }
  closes.push(waypoints.at(-1)![1]);
  return closes;
}

/**
 * Bars whose closes run straight from waypoint to waypoint; each opens at the close before and reaches `wick` beyond
 * its body on both sides. So on a leg of one dollar a row with a wick of 0.25 the true range is 1.5 everywhere.
 */
export function pathThrough(
  waypoints: readonly Waypoint[],
  wick = 0.25,
  volume: (row: number) => number = () => 1_000_000,
): BarColumns {
  const closes = closesThrough(waypoints);
  return barsOf(
    closes.map((close, row) => {
      const open = closes[row - 1] ?? close;
      return {
        open,
        close,
        high: Math.max(open, close) + wick,
        low: Math.min(open, close) - wick,
        volume: volume(row),
      };
    }),
  );
}

export const scaled = (bars: BarColumns, factor: number): BarColumns =>
  mapPrices(bars, (column) => column.map((price) => price * factor));

/**
 * A random walk with calm and wild stretches, swings and drifts, the same for the same seed. Prices are multiples of
 * 1/64, so that mirroring them loses no digit.
 */
export function randomWalk(seed: number, rows: number): BarColumns {
  const random = mulberry32(seed);
  const candles: Candle[] = [];
  let price = 200;
  let drift = 0;
  let size = 2;
  for (let row = 0; row < rows; row++) {
    if (random() < 0.08) drift = (random() - 0.5) * 2;
    if (random() < 0.03) size = 0.5 + 3 * random();
    const open = Math.max(20, onGrid(price + (random() - 0.5) * size * 0.5));
    const close = Math.max(20, onGrid(open + (random() + random() - 1 + 0.6 * drift) * size));
    const high = Math.max(open, close) + onGrid(random() * size * 0.5);
    const low = Math.min(open, close) - onGrid(random() * size * 0.5);
    candles.push({
      open,
      high,
      low,
      close,
      volume: Math.round(1_000_000 * (0.4 + random() + 3 * random() ** 8)),
    });
    price = close;
  }
  return barsOf(candles);
}

function onGrid(price: number): number {
  return Math.round(price * 64) / 64;
}
