import { DAY_MS, dateOf, MINUTE_MS, midnightUtc, parseDate } from '../../base/dates.ts';
import { newYorkMidnightOf, tradeDateOf, zonedToUtc } from '../../base/time-zone.ts';
import type { FactKind, FactValues, ReportTime } from '../../market/facts.ts';
import { instantOf, type WrittenTime } from '../times.ts';

/**
 * Instants of facts whose source names a date only: always the latest that the source allows. A late fact costs an
 * answer a detail; an early one lets a backtest see the future.
 */

/** New York wall clock by which results announced at that time of day are out; null: only the day's end is sure. */
const OUT_BY: Readonly<Record<ReportTime, readonly [hour: number, minute: number] | null>> = {
  pre_market: [9, 30],
  during_market: [16, 0],
  post_market: [20, 0],
  unknown: null,
};

/** The midnight that ends a date, YYYY-MM-DD, in New York; epoch milliseconds, NaN for what is no date. */
export function endOfDayNewYork(date: string): number {
  return newYorkMidnightOf(midnightUtc(date) + DAY_MS);
}

/**
 * When results of a trade date and time of day may be quoted, in New York: from 09:30 when announced before the
 * open, from 16:00 during the session, from 20:00 after the close, else from the end of the day. Epoch
 * milliseconds, NaN for what is no date.
 */
export function announcementKnownAt(date: string, time: ReportTime): number {
  const clock = OUT_BY[time];
  const midnight = midnightUtc(date);
  if (clock === null || Number.isNaN(midnight)) return endOfDayNewYork(date);
  const [year, month, day] = dateOf(midnight).split('-').map(Number);
  return newYorkWallClock(year!, month!, day!, clock[0], clock[1], 0, 0);
}

const newYorkWallClock = zonedToUtc('America/New_York');

/** Minutes of a day at which clocks that are ahead of UTC, or behind it, have their midnight by UTC. */
const AHEAD = new Set(
  [
    ...Array.from({ length: 13 }, (_, hour) => 60 * (hour + 1)),
    210,
    270,
    330,
    345,
    390,
    525,
    570,
    630,
    765,
    825,
  ].map((minutes) => 24 * 60 - minutes),
);
const BEHIND = new Set([...Array.from({ length: 12 }, (_, hour) => 60 * (hour + 1)), 150, 210, 570]);

/**
 * The date, midnight UTC, of a date field that holds an instant: the latest on which a clock that has its midnight then
 * would put it, else that of New York. A time of day that is stated beside it decides nothing: the midnight two hours east
 * of Greenwich is six in the evening in New York.
 */
export function dateOfField({ day, instant, hasClock, hasZone }: WrittenTime): number {
  if (!hasClock || !hasZone) return day;
  const clock = ((instant % DAY_MS) + DAY_MS) % DAY_MS;
  const midnight = instant - clock;
  if (AHEAD.has(clock / MINUTE_MS)) return midnight + DAY_MS;
  return BEHIND.has(clock / MINUTE_MS) ? Math.max(midnight, day) : day;
}

/** The instant from which a fact without `known_at` may be quoted; null if nothing implies it. */
export function impliedKnownAt(kind: FactKind, value: FactValues[FactKind]): number | null {
  switch (kind) {
    case 'earnings_report': {
      const { date, time } = value as FactValues['earnings_report'];
      return announcementKnownAt(date, time);
    }
    case 'analyst_grade':
      return endOfDayNewYork((value as FactValues['analyst_grade']).date);
    case 'news':
      return (value as FactValues['news']).publishedAt;
    default:
      return null;
  }
}

/** What a program makes of a date that it takes for an instant. */
const AT_MIDNIGHT = /^(\d{4}-\d{2}-\d{2})[T ]00:00(?::00(?:\.0+)?)?\s*(?:Z|[+-]\d{2}:?\d{2})$/i;

/**
 * An instant as it is; a date alone, also one that is written as a midnight with its zone, means its end in New York. NaN
 * when it is neither.
 *
 * @param outAt when the fact itself says that it is out, epoch milliseconds: a midnight from then on is the instant that it
 *   says, as 20:00 in New York is one by UTC in summer
 */
export function knownAtOf(written: unknown, outAt: number | null = null): number {
  if (typeof written !== 'string') return Number.NaN;
  const text = written.trim();
  const date = AT_MIDNIGHT.exec(text)?.[1] ?? text;
  const instant = instantOf(text);
  if (parseDate(date) === null || (date !== text && outAt !== null && instant >= outAt)) return instant;
  return endOfDayNewYork(date);
}

/** The New York date of a stated instant, or the stated date. */
export const dayOfKnown = (stated: string): string => parseDate(stated) ?? tradeDateOf(instantOf(stated));
