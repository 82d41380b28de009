import type { BarColumns } from '../../market/observations.ts';
import { layOut } from './feature.ts';
import { FEAR_FEATURES, INDEX_FEATURES, type MarketPart } from './market-features.ts';
import { STOCK_FEATURES, stockColumns } from './stock-features.ts';

/** The numbers of a state in their order: the stock's first, then the market's. */
export const STATE_FEATURES: readonly { readonly name: string; readonly scale: number | null }[] = [
  ...STOCK_FEATURES,
  ...INDEX_FEATURES,
  ...FEAR_FEATURES,
];
export const STATE_WIDTH = STATE_FEATURES.length;
/** The first row of a history that has a state: a year of sessions lies behind it. */
export const STATE_FIRST_ROW = 252;

/** States of a history, day by day. */
export interface StateColumns {
  /** `STATE_WIDTH` numbers a row, each about -1 to 1; NaN before row `STATE_FIRST_ROW`. */
  readonly states: Float32Array;
  /** Log return of each row on the one before; NaN at row 0. */
  readonly logReturn: Float64Array;
}

/**
 * The state of each day of a stock as a vector in which near means alike: its moves, trend, range, volume and position
 * in its year, and the state of the market, each relative to what was ordinary by then. A row depends on nothing after
 * it, and on prices and volumes only through quotients, so neither a later split nor a later day changes it.
 *
 * @param bars daily bars without holes on one basis, oldest first
 * @param market the market's part by trade date; missing parts are 0, the ordinary
 */
export function marketStates(bars: BarColumns, market: MarketPart): StateColumns {
  const rows = bars.time.length;
  const states = new Float32Array(rows * STATE_WIDTH);
  const columns = stockColumns(bars);
  layOut(STOCK_FEATURES, columns, states, { firstRow: STATE_FIRST_ROW, width: STATE_WIDTH });
  for (let row = STATE_FIRST_ROW; row < rows; row++) {
    const part = market.get(bars.time[row]!);
    if (part !== undefined) states.set(part, row * STATE_WIDTH + STOCK_FEATURES.length);
  }
  states.fill(Number.NaN, 0, Math.min(rows, STATE_FIRST_ROW) * STATE_WIDTH);
  return { states, logReturn: columns.logReturn };
}
