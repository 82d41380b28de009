import type { Calendar } from '../../base/calendar.ts';
import { dateOf, midnightUtcOf } from '../../base/dates.ts';
import { newYorkMidnightOf } from '../../base/time-zone.ts';
import { digitsAt } from './fields.ts';

/** Equity prices are written as whole ten-thousandths of a dollar. */
export const PRICE_SCALE = 10_000;

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

/** Midnight UTC of a date written YYYYMMDD; NaN when it is written otherwise or does not exist. */
export function dayWritten(text: string): number {
  const bytes = Buffer.from(text);
  return bytes.length === 8 ? dayAt(bytes, 0) : Number.NaN;
}

/** As `dayWritten`, for the eight bytes from `at`. */
export function dayAt(bytes: Uint8Array, at: number): number {
  return midnightUtcOf(
    digitsAt(bytes, at, at + 4),
    digitsAt(bytes, at + 4, at + 6),
    digitsAt(bytes, at + 6, at + 8),
  );
}

/** A time of the daily and hour files, `YYYYMMDD HH:MM` in New York, with what the exchange's calendar says of it. */
export interface LongBarTime {
  /** Midnight UTC of the trade date; NaN when the field cannot be read. */
  day: number;
  /** Time of the bar in our terms: the day itself for daily bars, the instant of the start for hour bars. */
  time: number;
  inSession: boolean;
}

/** Reads the first field of a daily or hour row; the answer is one object that every call overwrites. */
export function longBarClock(interval: '1d' | '1h', calendar: Calendar) {
  const clock: LongBarTime = { day: Number.NaN, time: Number.NaN, inSession: false };
  return (bytes: Uint8Array, start: number, end: number): LongBarTime => {
    const day = end - start === 14 ? dayAt(bytes, start) : Number.NaN;
    const sinceMidnight =
      digitsAt(bytes, start + 9, start + 11) * HOUR_MS + digitsAt(bytes, start + 12, end) * MINUTE_MS;
    clock.day = sinceMidnight < 24 * HOUR_MS ? day : Number.NaN;
    if (interval === '1d') {
      clock.time = clock.day;
      clock.inSession = !Number.isNaN(clock.day) && calendar.isSession(dateOf(clock.day));
    } else {
      clock.time = newYorkMidnightOf(clock.day) + sinceMidnight;
      clock.inSession = calendar.sessionHolding(clock.time) !== null;
    }
    return clock;
  };
}
