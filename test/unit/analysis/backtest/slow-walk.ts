import assert from 'node:assert/strict';
import type { Metrics } from '../../../../src/analysis/backtest/result.ts';

/**
 * The backtest once more, the slow and obvious way: one cell at a time, bar by bar, long and short written out, every
 * trade a row of a list and every figure a walk over that list.
 */

export interface WalkBars {
  readonly open: Float64Array;
  readonly high: Float64Array;
  readonly low: Float64Array;
  readonly close: Float64Array;
}

export interface Costs {
  readonly commissionPerShare: number;
  readonly slippageBps: number;
}

export interface Trade {
  readonly long: boolean;
  readonly entryBar: number;
  readonly exitBar: number;
  readonly r: number;
  readonly ambiguous: boolean;
}

export function slowTrades(
  bars: WalkBars,
  sides: Int8Array,
  dailyAtr: number,
  stop: number,
  target: number,
  { commissionPerShare, slippageBps }: Costs,
): Trade[] {
  const trades: Trade[] = [];
  const last = bars.close.length - 1;
  let bar = 0;
  while (bar < last) {
    if (sides[bar] === 0) {
      bar++;
      continue;
    }
    const long = sides[bar] === 1;
    const entry = bars.open[bar + 1]!;
    const stopPrice = long ? entry - stop * dailyAtr : entry + stop * dailyAtr;
    const targetPrice = long ? entry + target * dailyAtr : entry - target * dailyAtr;
    let exit = Number.NaN;
    let atTarget = false;
    let ambiguous = false;
    let at = bar + 1;
    for (; at <= last; at++) {
      const stopped = long ? bars.low[at]! <= stopPrice : bars.high[at]! >= stopPrice;
      const reached = long ? bars.high[at]! >= targetPrice : bars.low[at]! <= targetPrice;
      if (stopped) {
        exit = long ? Math.min(bars.open[at]!, stopPrice) : Math.max(bars.open[at]!, stopPrice);
        ambiguous = reached;
        break;
      }
      if (reached) {
        exit = long ? Math.max(bars.open[at]!, targetPrice) : Math.min(bars.open[at]!, targetPrice);
        atTarget = true;
        break;
      }
      if (at === last) {
        exit = bars.close[at]!;
        break;
      }
    }
    const slippage = (entry * slippageBps) / 10_000;
    const cost = 2 * commissionPerShare + (atTarget ? slippage : 2 * slippage);
    const profit = (long ? exit - entry : entry - exit) - cost;
    trades.push({ long, entryBar: bar + 1, exitBar: at, r: profit / (stop * dailyAtr), ambiguous });
    bar = at + 1;
  }
  return trades;
}

/** @param sessions trades of each session */
export function slowMetrics(sessions: readonly (readonly Pick<Trade, 'r' | 'ambiguous'>[])[]): Metrics {
  const trades = sessions.flat();
  const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
  const rs = trades.map(({ r }) => r);
  const daily = sessions.map((session) => sum(session.map(({ r }) => r)));
  const mean = sum(daily) / daily.length;
  const deviation = Math.sqrt(sum(daily.map((r) => (r - mean) ** 2)) / (daily.length - 1));
  const curve = daily.map((_, at) => sum(daily.slice(0, at + 1)));
  const falls = curve.map((value, at) => Math.max(0, ...curve.slice(0, at + 1)) - value);
  const loss = -sum(rs.filter((r) => r <= 0));
  const isIdle = daily.every((r) => r === daily[0]);
  return {
    totalTrades: trades.length,
    winRate: trades.length === 0 ? null : rs.filter((r) => r > 0).length / trades.length,
    avgRrRatio: trades.length === 0 ? null : sum(rs) / trades.length,
    sharpeRatio: daily.length < 2 || isIdle ? null : (mean / deviation) * Math.sqrt(252),
    profitFactor: loss > 0 ? sum(rs.filter((r) => r > 0)) / loss : null,
    maxDrawdown: trades.length === 0 ? null : Math.max(...falls),
    totalR: sum(rs),
    ambiguousShare:
      trades.length === 0 ? null : trades.filter(({ ambiguous }) => ambiguous).length / trades.length,
  };
}

/** Figures within a billionth, and nothing where nothing is expected. */
export function expectMetrics(found: object, expected: object): void {
  for (const [name, value] of Object.entries(expected)) {
    const other = (found as Record<string, unknown>)[name];
    if (typeof value !== 'number' || typeof other !== 'number') assert.equal(other, value, name);
    else assert(Math.abs(other - value) < 1e-9, name);
  }
}
