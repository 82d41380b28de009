import { MINUTE_MS } from '../base/dates.ts';

/** Hours of a day in which nothing is delivered, `22:00` to `07:00` over midnight. */
export interface Quiet {
  readonly from: string;
  readonly to: string;
  /** An IANA name. */
  readonly time_zone: string;
}

const minuteOf = (clock: string): number => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3));

/** When the quiet hours that hold at an instant end, epoch milliseconds; null outside of them. */
export function quietUntil({ from, to, time_zone }: Quiet, now: number): number | null {
  const there = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(time_zone);
  const minute = there.hour * 60 + there.minute;
  const [begin, end] = [minuteOf(from), minuteOf(to)];
  const isQuiet = begin <= end ? minute >= begin && minute < end : minute >= begin || minute < end;
  if (!isQuiet) return null;
  const left = (end - minute + 1_440) % 1_440;
  return now - (now % MINUTE_MS) + left * MINUTE_MS;
}

/** Whether a name is one of a time zone. */
export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
