import type { BarColumns } from '../../src/market/observations.ts';
import { mulberry32 } from '../../src/records/estimate/superior.ts';

export { mulberry32 };

/**
 * Daily bars of a random walk in cents. Only + - * / and comparisons, so that a program in any language makes
 * the same bars and may be asked what it thinks of them. `time` counts whole days from the epoch.
 */
export function dailyRecipe(seed: number, rows: number): BarColumns {
  const draw = mulberry32(seed);
  const bars = emptyBars(rows);
  let close = cents(20 + 480 * draw());
  const sigma = 0.01 + 0.02 * draw();
  for (let row = 0; row < rows; row++) {
    const open = cents(close * (1 + 0.3 * sigma * gauss(draw)));
    close = cents(open * (1 + sigma * gauss(draw)));
    bars.time[row] = row * 86_400_000;
    bars.open[row] = open;
    bars.close[row] = close;
    bars.high[row] = cents(Math.max(open, close) * (1 + 0.5 * sigma * draw()));
    bars.low[row] = cents(Math.min(open, close) * (1 - 0.5 * sigma * draw()));
    bars.volume[row] = Math.floor(1e6 * (0.5 + draw()));
  }
  return bars;
}

/** Bars of a price that never moves. */
export function standingBars(price: number, rows: number): BarColumns {
  const bars = emptyBars(rows);
  for (let row = 0; row < rows; row++) bars.time[row] = row * 86_400_000;
  for (const column of [bars.open, bars.high, bars.low, bars.close]) column.fill(price);
  bars.volume.fill(1000);
  return bars;
}

function emptyBars(rows: number): BarColumns {
  const column = (): Float64Array => new Float64Array(rows);
  return { time: column(), open: column(), high: column(), low: column(), close: column(), volume: column() };
}

/** Near a normal deviate: twelve uniforms less six. */
function gauss(draw: () => number): number {
  let sum = 0;
  for (let count = 0; count < 12; count++) sum += draw();
  return sum - 6;
}

function cents(price: number): number {
  return Math.max(1, Math.floor(price * 100 + 0.5) / 100);
}
