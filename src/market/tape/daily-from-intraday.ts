import { type Calendar, DAY_MS, dateOf } from '../../base/calendar.ts';
import type { Bar } from '../observations.ts';
import { coversSession, regularBar } from './read-view.ts';
import type { SegmentReader } from './segment-reader.ts';
import { asBars, barSeries, type Columns, columnsOf, rowAtOrAfter } from './series.ts';
import type { SymbolTape } from './symbol-tape.ts';

/**
 * Daily bars of sessions of which the tape holds intraday bars from end to end but no daily bar, so that a symbol
 * known only by the minute has history too. A daily bar that is reported later replaces the summed one.
 *
 * @returns `bars-1d` columns, ascending; empty when nothing is missing
 */
export function missingDailyBars(reader: SegmentReader, tape: SymbolTape, calendar: Calendar): Columns {
  const known = reader.rows(tape, 'bars-1d', Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY).time;
  const isKnown = (day: number): boolean => known[rowAtOrAfter(known, day * DAY_MS)] === day * DAY_MS;
  const bars: Bar[] = [];
  for (const day of intradayDays(tape)) {
    if (isKnown(day)) continue;
    const bar = dailyBar(reader, tape, calendar, day);
    if (bar !== null) bars.push(bar);
  }
  return columnsOf('bars-1d', (name) => Float64Array.from(bars, (bar) => bar[name as keyof Bar]));
}

/** Trade dates with one- or five-minute bars, ascending. */
function intradayDays(tape: SymbolTape): number[] {
  const days = new Set<number>();
  for (const slice of tape.slices) {
    if (slice.kind === 'bars-1m' || slice.kind === 'bars-5m') for (const day of slice.days) days.add(day);
  }
  return [...days].sort((a, b) => a - b);
}

function dailyBar(reader: SegmentReader, tape: SymbolTape, calendar: Calendar, day: number): Bar | null {
  const session = calendar.session(dateOf(day * DAY_MS));
  if (session === null) return null;
  for (const interval of ['1m', '5m'] as const) {
    const bars = asBars(reader.rows(tape, barSeries(interval), day, day));
    if (coversSession(bars, session)) return regularBar(bars, session, day);
  }
  return null;
}
