import { type EntryTables, NEVER } from './first-touch.ts';
import { FIGURE_COUNT } from './partial.ts';

/** Where one direction's trades of a session go: each row has a place for every cell. */
export interface CellRows {
  /** `FIGURE_COUNT` figures a cell, added to. */
  readonly figures: Float64Array;
  readonly figuresFrom: number;
  /** Sum of R, written. */
  readonly dayR: Float64Array;
  readonly dayFrom: number;
}

/**
 * Every cell's trades of one session and signal type. A cell takes the first entry, leaves it at whichever of its stop
 * and target is reached first (the stop when one bar reaches both, which is counted as ambiguous) or at the last close,
 * and takes the next entry whose signal fires after the bar of that exit: one position at a time, told for each cell
 * from its own exits.
 *
 * @param inverseStops 1 / multiple of each stop: R is gain over ATR times it
 * @param targets how many
 */
export function walkCells(
  tables: EntryTables,
  inverseStops: Float64Array,
  targets: number,
  longs: CellRows,
  shorts: CellRows,
): void {
  const { room, count, signalBar, isLong, stopBar, stopGain, targetBar, targetGain, endGain } = tables;
  const longFigures = longs.figures;
  const shortFigures = shorts.figures;
  const longR = longs.dayR;
  const shortR = shorts.dayR;
  for (let stop = 0; stop < inverseStops.length; stop++) {
    const perR = inverseStops[stop]!;
    const stopRow = stop * room;
    for (let target = 0; target < targets; target++) {
      const targetRow = target * room;
      const cell = stop * targets + target;
      let exitBar = -1;
      let longTrades = 0;
      let longWins = 0;
      let longGain = 0;
      let longLoss = 0;
      let longBoth = 0;
      let shortTrades = 0;
      let shortWins = 0;
      let shortGain = 0;
      let shortLoss = 0;
      let shortBoth = 0;
      for (let at = 0; at < count; at++) {
        if (signalBar[at]! <= exitBar) continue;
        const stopped = stopBar[stopRow + at]!;
        const reached = targetBar[targetRow + at]!;
        let gain: number;
        let both = 0;
        if (stopped <= reached) {
          exitBar = stopped;
          gain = stopped === NEVER ? endGain[at]! : stopGain[stopRow + at]!;
          both = stopped === reached && stopped !== NEVER ? 1 : 0;
        } else {
          exitBar = reached;
          gain = targetGain[targetRow + at]!;
        }
        const r = gain * perR;
        if (isLong[at] === 1) {
          longTrades++;
          longBoth += both;
          if (r > 0) {
            longWins++;
            longGain += r;
          } else longLoss -= r;
        } else {
          shortTrades++;
          shortBoth += both;
          if (r > 0) {
            shortWins++;
            shortGain += r;
          } else shortLoss -= r;
        }
      }
      if (longTrades > 0) {
        const place = longs.figuresFrom + cell * FIGURE_COUNT;
        longFigures[place]! += longTrades;
        longFigures[place + 1]! += longWins;
        longFigures[place + 2]! += longGain;
        longFigures[place + 3]! += longLoss;
        longFigures[place + 4]! += longBoth;
        longR[longs.dayFrom + cell] = longGain - longLoss;
      }
      if (shortTrades > 0) {
        const place = shorts.figuresFrom + cell * FIGURE_COUNT;
        shortFigures[place]! += shortTrades;
        shortFigures[place + 1]! += shortWins;
        shortFigures[place + 2]! += shortGain;
        shortFigures[place + 3]! += shortLoss;
        shortFigures[place + 4]! += shortBoth;
        shortR[shorts.dayFrom + cell] = shortGain - shortLoss;
      }
    }
  }
}
