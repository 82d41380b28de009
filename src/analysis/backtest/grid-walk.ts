import { type EntryTables, NEVER } from './first-touch.ts';
import { FIGURE_COUNT, FIGURES } from './partial.ts';

const { wins, gains, losses, lost, ambiguous } = FIGURES;

/** Where the trades of one direction in a session are added: one row of cells in each array. */
export interface CellRows {
  /** `FIGURE_COUNT` figures a cell, from place `figuresFrom` on. */
  readonly figures: Float64Array;
  readonly figuresFrom: number;
  /** Sum of R, from place `dayFrom` on. */
  readonly dayR: Float64Array;
  readonly dayFrom: number;
}

/**
 * The trades of every cell in one session and signal type. A cell takes the first entry. It exits at its stop or
 * target, whichever comes first (at the stop when one bar reaches both, counted as ambiguous), or at the last close. It
 * then takes the next entry whose signal fires after the bar of that exit: one position at a time.
 *
 * @param inverseStops 1 / multiple of each stop: R is gain over ATR times it
 * @param exitBar scratch: the bar at which each cell has no position again
 */
export function walkCells(
  tables: EntryTables,
  inverseStops: Float64Array,
  exitBar: Int32Array,
  longs: CellRows,
  shorts: CellRows,
): void {
  // Before any bar: an own entry at the open has none before it.
  exitBar.fill(-2);
  for (let at = 0; at < tables.count; at++) {
    takeEntry(tables, at, inverseStops, exitBar, tables.isLong[at] === 1 ? longs : shorts);
  }
}

/**
 * One entry in every cell without a position when its signal fires. Levels are reached in their order, so along the
 * cells of one stop the trade exits at the target up to some target, and beyond it at the stop with the same R: two
 * plain loops.
 */
function takeEntry(
  { signalBar, stopBar, stopGain, targetBar, targetGain, endGain }: EntryTables,
  at: number,
  inverseStops: Float64Array,
  exitBar: Int32Array,
  { figures, figuresFrom, dayR, dayFrom }: CellRows,
): void {
  const stops = inverseStops.length;
  const targets = exitBar.length / stops;
  const signal = signalBar[at]!;
  const stopFrom = at * stops;
  const targetFrom = at * targets;
  let reached = 0;
  for (let stop = 0; stop < stops; stop++) {
    const perR = inverseStops[stop]!;
    const stopped = stopBar[stopFrom + stop]!;
    while (reached < targets && targetBar[targetFrom + reached]! < stopped) reached++;
    let cell = stop * targets;
    for (let target = 0; target < reached; target++, cell++) {
      if (signal <= exitBar[cell]!) continue;
      const r = targetGain[targetFrom + target]! * perR;
      const place = figuresFrom + cell * FIGURE_COUNT;
      exitBar[cell] = targetBar[targetFrom + target]!;
      dayR[dayFrom + cell]! += r;
      if (r > 0) {
        figures[place + wins]! += 1;
        figures[place + gains]! += r;
      } else {
        // Costs can exceed the gain of a near target.
        figures[place + losses]! += 1;
        figures[place + lost]! -= r;
      }
    }
    const r = (stopped === NEVER ? endGain[at]! : stopGain[stopFrom + stop]!) * perR;
    const count = r > 0 ? wins : losses;
    const sum = r > 0 ? gains : lost;
    const size = Math.abs(r);
    for (let target = reached; target < targets; target++, cell++) {
      if (signal <= exitBar[cell]!) continue;
      const place = figuresFrom + cell * FIGURE_COUNT;
      exitBar[cell] = stopped;
      dayR[dayFrom + cell]! += r;
      figures[place + count]! += 1;
      figures[place + sum]! += size;
      if (stopped !== NEVER && targetBar[targetFrom + target] === stopped) figures[place + ambiguous]! += 1;
    }
  }
}
