import type { Calendar, Session } from '../../base/calendar.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../base/dates.ts';
import { zonedToUtc } from '../../base/time-zone.ts';
import type { Stamps } from './csv-options.ts';

/** Rows of one symbol in ascending time. */
export interface ClockedRows {
  /** Epoch milliseconds, or the wall clock as if it were UTC. */
  readonly time: Float64Array;
  readonly volume: Float64Array;
}

/** How well a way to read the times fits the sessions of the exchange. */
export interface Fit {
  /** Share of the days whose regular session is seen to begin where it does. */
  readonly opens: number;
  /** Share of the days whose regular session is seen to end where it does. */
  readonly closes: number;
  /** The least such share of beginnings of any season: clocks of other countries agree with New York's in one alone. */
  readonly opensInSeason: number;
  /** Share of the rows in no session at all. */
  readonly outside: number;
  readonly seasons: readonly Season[];
}

/** Days between two changes of the clocks of New York and of Europe. */
export interface Season {
  /** The first of them, YYYY-MM-DD. */
  readonly from: string;
  days: number;
  /** Days whose regular session is seen to begin where it does, and those seen to begin and end so. */
  opens: number;
  whole: number;
  /** Rows before and after the regular sessions. */
  extended: number;
}

/** Hours that carry the time of their end. */
export interface EndedHours {
  /** What an hour's end is after a whole hour of the clock, milliseconds; the last of a session may end earlier. */
  readonly grid: number;
  /** Whether the rows are of regular sessions alone, so that the first hour by the clock begins at the open. */
  readonly isRegular: boolean;
}

/** Where an hour begins that carries its end: a whole hour before, or later at the session's edge. */
export function startOfHour(
  end: number,
  { grid, isRegular }: EndedHours,
  calendar: Pick<Calendar, 'sessionHolding'>,
): number {
  const start = Math.floor((end - 1 - grid) / HOUR_MS) * HOUR_MS + grid;
  const session = isRegular ? calendar.sessionHolding(end - 1) : null;
  return session === null ? start : Math.max(start, session.open);
}

/** What tells a session's edge from any other minute: twice the shares of the quiet side. */
const EDGE_RATIO = 2;
/** Rows nearer than this are neighbours of the edge. */
const NEAR_MS = 60 * MINUTE_MS;

/**
 * Reads the rows by one clock and one meaning of their stamps. A session's beginning is seen where a bar holds the open and
 * either nothing was traded in the hour before it, or no more than half of what the bar has; its end likewise.
 *
 * @param toUtc the instant of a row's time
 * @param length of a bar, milliseconds
 */
export function fitOf(
  series: readonly ClockedRows[],
  toUtc: (time: number) => number,
  stamps: Stamps,
  length: number,
  calendar: Pick<Calendar, 'sessionHolding'>,
): Fit {
  let rows = 0;
  let outside = 0;
  let opens = 0;
  let closes = 0;
  let days = 0;
  const seasons = new Map<string, Season>();
  for (const { time, volume } of series) {
    let session = null as Session | null;
    let from = 0;
    const starts = time.map((value) => toUtc(value) - (stamps === 'end' ? length : 0));
    const endDay = (to: number): void => {
      if (session === null) return;
      const { open, close } = session;
      let first = from;
      // A bar ends where the next one begins, at the latest.
      while (first < to && Math.min(starts[first]! + length, starts[first + 1] ?? Infinity) <= open) first++;
      let last = to - 1;
      while (last >= from && starts[last]! >= close) last--;
      // A day of nothing but the hours around the session says nothing of its edges.
      if (first > last) return;
      days++;
      const { tradeDate } = session;
      const season = seasons.getOrInsertComputed(seasonOf(session), () => {
        return { from: tradeDate, days: 0, opens: 0, whole: 0, extended: 0 };
      });
      season.days++;
      season.extended += first - from + (to - 1 - last);
      const ends = starts[last]! + length >= close && isEdge(starts, volume, last, last + 1, from, to);
      const begins = starts[first]! <= open && isEdge(starts, volume, first, first - 1, from, to);
      if (ends) closes++;
      // A bar that holds more than the open, as hours by the clock do, shows nothing by itself.
      if (begins && (starts[first]! === open || ends)) {
        opens++;
        season.opens++;
        if (ends) season.whole++;
      }
    };
    for (let row = 0; row < starts.length; row++) {
      const at = starts[row]!;
      rows++;
      const held = Number.isNaN(at) ? null : calendar.sessionHolding(at);
      if (held === null) outside++;
      if (held?.tradeDate === session?.tradeDate) continue;
      endDay(row);
      session = held;
      from = row;
    }
    endDay(starts.length);
  }
  return {
    opens: days === 0 ? 0 : opens / days,
    closes: days === 0 ? 0 : closes / days,
    opensInSeason: Math.min(...[...seasons.values()].map((season) => season.opens / season.days), 1),
    outside: rows === 0 ? 0 : outside / rows,
    seasons: [...seasons.values()],
  };
}

const inLondon = zonedToUtc('Europe/London');

/** What the clocks of New York and of Europe are at on the day of a session. */
function seasonOf({ tradeDate, open }: Session): string {
  const [year, month, day] = tradeDate.split('-').map(Number);
  return `${open % DAY_MS} ${inLondon(year!, month!, day!, 0, 0, 0, 0) % DAY_MS}`;
}

function isEdge(
  starts: Float64Array,
  volume: Float64Array,
  inner: number,
  outer: number,
  from: number,
  to: number,
): boolean {
  if (outer < from || outer >= to || Math.abs(starts[outer]! - starts[inner]!) > NEAR_MS) return true;
  return volume[inner]! > EDGE_RATIO * volume[outer]!;
}
