import { type Calendar, DAY_MS } from '../../base/calendar.ts';
import type { BarColumns } from '../observations.ts';
import { adjustForSplits, HOLE_SESSIONS_MAX, sessionsMissing } from './read-view.ts';
import type { SegmentReader } from './segment-reader.ts';
import { asBars, sliceRows } from './series.ts';
import type { SymbolTape } from './symbol-tape.ts';

/**
 * The whole daily history of a symbol up to and including a day, on the basis of that day, cut at holes: each piece is a
 * stretch of sessions of which no more than a few in a row are missing, oldest first.
 *
 * @param lastDay days since 1970-01-01
 */
export function readDailyHistory(
  reader: SegmentReader,
  tape: SymbolTape,
  calendar: Calendar,
  lastDay: number,
): BarColumns[] {
  const rows = reader.rows(tape, 'bars-1d', Number.NEGATIVE_INFINITY, lastDay);
  const splits = tape.actions.filter((action) => action.kind === 'split');
  const pieces: BarColumns[] = [];
  let first = 0;
  for (let row = 1; row <= rows.time.length; row++) {
    if (row < rows.time.length && !liesBeforeHole(calendar, rows.time[row - 1]!, rows.time[row]!)) continue;
    if (row > first) pieces.push(adjustForSplits(asBars(sliceRows(rows, first, row)), splits, lastDay));
    first = row;
  }
  return pieces;
}

/** Seven calendar days cannot hide more than five sessions, so the calendar is asked only about wider gaps. */
function liesBeforeHole(calendar: Calendar, time: number, nextTime: number): boolean {
  const [day, nextDay] = [time / DAY_MS, nextTime / DAY_MS];
  return nextDay - day > 7 && sessionsMissing(calendar, day, nextDay) > HOLE_SESSIONS_MAX;
}
