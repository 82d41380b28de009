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

/** Trades of one cell and symbol as columns. */
export type CellTrades = Readonly<Record<(typeof TRADE_COLUMNS)[number], Float64Array>> & {
  readonly count: number;
};

/**
 * Trades of a cell: as the grid walk has them, one position at a time for each session and signal type.
 *
 * @param untilDay index of the first trade day that does not count
 */
export function tradesOf(log: EntryLog, spec: BacktestSpec, cell: number, untilDay: number): CellTrades {
  const { stops, targets } = spec;
  const stopAt = Math.floor(cell / targets.length);
  const targetAt = cell % targets.length;
  const inverseStop = 1 / stops[stopAt]!;
  const of = Object.fromEntries(
    TRADE_COLUMNS.map((name) => [name, new Float64Array(log.count)]),
  ) as unknown as CellTrades;
  let count = 0;
  let busyUntil = Number.NEGATIVE_INFINITY;
  for (let row = 0; row < log.count && log.day[row]! < untilDay; row++) {
    if (log.day[row] !== log.day[row - 1] || log.type[row] !== log.type[row - 1]) {
      busyUntil = Number.NEGATIVE_INFINITY;
    } else if (log.priorBar[row]! <= busyUntil) continue;
    const stopPlace = row * stops.length + stopAt;
    const targetPlace = row * targets.length + targetAt;
    const stopped = log.stopTime[stopPlace]!;
    const reached = log.targetTime[targetPlace]!;
    const atTarget = reached < stopped;
    const atStop = !atTarget && stopped < Number.POSITIVE_INFINITY;
    const exit = atTarget ? log.targetFill[targetPlace]! : atStop ? log.stopFill[stopPlace]! : log.end[row]!;
    const exitSpread = atTarget ? 0 : atStop ? log.stopHalfSpread[stopPlace]! : log.endHalfSpread[row]!;
    const side = log.isLong[row] === 1 ? 1 : -1;
    // Upside down for a short, so that every bit is that of the walk.
    const entry = side * log.entry[row]!;
    const atr = log.dailyAtr[row]!;
    const costs = costOf(entry, spec, atTarget ? 1 : 2, log.halfSpread[row]! + exitSpread);
    const at = count++;
    busyUntil = atTarget ? reached : atStop ? stopped : log.endTime[row]!;
    of.entry[at] = row;
    of.exitTime[at] = busyUntil;
    of.exit[at] = exit;
    of.stop[at] = side * (entry - stops[stopAt]! * atr);
    of.target[at] = side * (entry + targets[targetAt]! * atr);
    of.reason[at] = atTarget ? 1 : atStop ? 0 : 2;
    of.isAmbiguous[at] = atStop && reached === stopped ? 1 : 0;
    of.costs[at] = costs;
    of.r[at] = ((side * exit - entry) / atr - costs / atr) * inverseStop;
  }
  const cut = TRADE_COLUMNS.map((name) => [name, of[name].subarray(0, count)]);
  return { ...Object.fromEntries(cut), count };
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
 * @param symbols trades of each symbol with their log
 * @param places row of each trade day among the processed sessions
 */
export function seriesOfTrades(
  symbols: readonly { readonly log: EntryLog; readonly trades: CellTrades }[],
  places: Int32Array,
  sessions: number,
): CellSeries {
  const r = new Float64Array(sessions);
  const trades = new Uint32Array(sessions);
  const figures = new Float64Array(FIGURE_COUNT);
  for (const { log, trades: of } of symbols) {
    for (let at = 0; at < of.count; at++) {
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
