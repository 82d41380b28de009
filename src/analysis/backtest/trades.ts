import type { EntryLog } from './entry-log.ts';
import { costOf } from './first-touch.ts';
import { metricsOf } from './metrics.ts';
import { FIGURE_COUNT, FIGURES } from './partial.ts';
import type { Metrics } from './result.ts';
import type { BacktestSpec } from './spec.ts';

export const EXIT_REASONS = ['stop', 'target', 'close'] as const;

/**
 * Of a trade, in the order of the log: its row there, the start of the bar of its exit, fill and levels in dollars, the
 * index of its reason in `EXIT_REASONS`, whether its last bar is ambiguous, costs in dollars a share, and R.
 */
const TRADE_COLUMNS = [
  'entry',
  'exitTime',
  'exit',
  'stop',
  'target',
  'reason',
  'isAmbiguous',
  'costs',
  'r',
] as const;

/** Trades as columns. */
export type TradeColumns = Readonly<Record<(typeof TRADE_COLUMNS)[number], Float64Array>>;

export const tradeColumns = (rows: number): TradeColumns =>
  Object.fromEntries(TRADE_COLUMNS.map((name) => [name, new Float64Array(rows)])) as unknown as TradeColumns;

/**
 * Trades of a cell: as the grid walk has them, one position at a time for each session and signal type.
 *
 * @param untilDay index of the first trade day that does not count
 * @param into takes them from row `from` on; without it they are counted alone
 * @returns how many there are
 */
export function tradesOf(
  log: EntryLog,
  spec: BacktestSpec,
  cell: number,
  untilDay: number,
  into: TradeColumns | null = null,
  from = 0,
): number {
  const { stops, targets } = spec;
  const stopAt = Math.floor(cell / targets.length);
  const targetAt = cell % targets.length;
  const inverseStop = 1 / stops[stopAt]!;
  const { day, type, priorBar, stopTime, targetTime, endTime } = log;
  let at = from;
  let busyUntil = Number.NEGATIVE_INFINITY;
  for (let row = 0; row < log.count && day[row]! < untilDay; row++) {
    if (day[row] !== day[row - 1] || type[row] !== type[row - 1]) {
      busyUntil = Number.NEGATIVE_INFINITY;
    } else if (priorBar[row]! <= busyUntil) continue;
    const stopPlace = row * stops.length + stopAt;
    const targetPlace = row * targets.length + targetAt;
    const stopped = stopTime[stopPlace]!;
    const reached = targetTime[targetPlace]!;
    const atTarget = reached < stopped;
    const atStop = !atTarget && stopped < Number.POSITIVE_INFINITY;
    busyUntil = atTarget ? reached : atStop ? stopped : endTime[row]!;
    if (into !== null) {
      const exit = atTarget
        ? log.targetFill[targetPlace]!
        : atStop
          ? log.stopFill[stopPlace]!
          : log.end[row]!;
      const exitSpread = atTarget
        ? 0
        : atStop
          ? (log.stopHalfSpread[stopPlace] ?? 0)
          : log.endHalfSpread[row]!;
      const side = log.isLong[row] === 1 ? 1 : -1;
      // Upside down for a short, so that every bit is that of the walk.
      const entry = side * log.entry[row]!;
      const atr = log.dailyAtr[row]!;
      const costs = costOf(entry, spec, atTarget ? 1 : 2, log.halfSpread[row]! + exitSpread);
      into.entry[at] = row;
      into.exitTime[at] = busyUntil;
      into.exit[at] = exit;
      into.stop[at] = side * (entry - stops[stopAt]! * atr);
      into.target[at] = side * (entry + targets[targetAt]! * atr);
      into.reason[at] = atTarget ? 1 : atStop ? 0 : 2;
      into.isAmbiguous[at] = atStop && reached === stopped ? 1 : 0;
      into.costs[at] = costs;
      into.r[at] = ((side * exit - entry) / atr - costs / atr) * inverseStop;
    }
    at++;
  }
  return at - from;
}

/** A cell by session. */
interface CellSeries {
  readonly r: Float64Array;
  readonly trades: Uint32Array;
  readonly metrics: Metrics;
}

/**
 * R and trades of a cell by session, and the figures of all its trades.
 *
 * @param symbols the log of each symbol, with the rows of its trades
 * @param places row of each trade day among the processed sessions
 */
export function seriesOfTrades(
  of: TradeColumns,
  symbols: readonly { readonly log: EntryLog; readonly from: number; readonly to: number }[],
  places: Int32Array,
  sessions: number,
): CellSeries {
  const r = new Float64Array(sessions);
  const trades = new Uint32Array(sessions);
  const figures = new Float64Array(FIGURE_COUNT);
  for (const { log, from, to } of symbols) {
    for (let at = from; at < to; at++) {
      const place = places[log.day[of.entry[at]!]!]!;
      const own = of.r[at]!;
      r[place]! += own;
      trades[place]! += 1;
      figures[own > 0 ? FIGURES.wins : FIGURES.losses]! += 1;
      figures[own > 0 ? FIGURES.gains : FIGURES.lost]! += Math.abs(own);
      figures[FIGURES.ambiguous]! += of.isAmbiguous[at]!;
    }
  }
  return { r, trades, metrics: metricsOf(r, figures) };
}
