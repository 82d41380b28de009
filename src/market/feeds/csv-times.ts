import { DAY_MS, midnightUtcOf } from '../../base/dates.ts';
import { zonedToUtc } from '../../base/time-zone.ts';
import type { DateFormat } from './csv-options.ts';

/** What a date field, with or without a clock field beside it, says. One object that every reading overwrites. */
export interface WrittenTime {
  /** Midnight UTC of the date as written (of epoch numbers: of their UTC date); NaN when it cannot be read. */
  day: number;
  /** The instant, epoch milliseconds; NaN when it cannot be read or no clock ever showed it. */
  instant: number;
  /** Whether a time of day other than 00:00 was written. */
  hasClock: boolean;
}

/** @param clock the text of a clock column, empty where there is none */
type ReadTime = (date: string, clock: string) => WrittenTime;

const EPOCH = /^(?:\d{10}|\d{13})$/;
/** Year, month and day; in the short formats the order of the first two decides the format. */
const YEAR_FIRST = /^(?<year>\d{4})(?<mark>[-/]?)(?<month>\d{2})\k<mark>(?<day>\d{2})/;
const MONTH_FIRST = /^(?<month>\d{1,2})(?<mark>[-/.])(?<day>\d{1,2})\k<mark>(?<year>\d{4})/;
const DAY_FIRST = /^(?<day>\d{1,2})(?<mark>[-/.])(?<month>\d{1,2})\k<mark>(?<year>\d{4})/;
/** `9:30`, `09:30:00`, `09:30:00.123456`, `0930`, `093000`, each with an optional `Z`, `-05`, `-05:00`, `+0530`. */
const CLOCK =
  /^(?:(\d{1,2}):(\d\d)(?::(\d\d))?|(\d\d)(\d\d)(\d\d)?)(\.\d+)?(?:(Z)|([+-])(\d\d)(?::?(\d\d))?)?$/;

/**
 * A reader of times as vendors write them; see `DATE_FORMATS`.
 *
 * @param timeZone IANA name of the clock for times without a zone of their own
 */
export function timeReader(format: DateFormat, timeZone: string): ReadTime {
  const toUtc = zonedToUtc(timeZone);
  const pattern = format === 'auto' ? YEAR_FIRST : format === 'month-first' ? MONTH_FIRST : DAY_FIRST;
  const out: WrittenTime = { day: Number.NaN, instant: Number.NaN, hasClock: false };
  return (date, clock) => {
    out.day = Number.NaN;
    out.instant = Number.NaN;
    const written = date.trim();
    if (format === 'auto' && EPOCH.test(written)) {
      out.instant = Number(written) * (written.length === 10 ? 1000 : 1);
      out.day = Math.floor(out.instant / DAY_MS) * DAY_MS;
      out.hasClock = out.instant !== out.day;
      return out;
    }
    const found = pattern.exec(written);
    if (found === null) return out;
    const rest = written.slice(found[0].length);
    // A date column may carry an empty clock (`2024-01-31 00:00:00`) beside the real one.
    const time = clock !== '' ? clock : rest === '' ? '00:00' : /^[ T]/.test(rest) ? rest.slice(1) : '-';
    const parts = CLOCK.exec(time);
    if (parts === null) return out;
    const hour = Number(parts[1] ?? parts[4]);
    const minute = Number(parts[2] ?? parts[5]);
    const second = Number(parts[3] ?? parts[6] ?? 0);
    if (hour > 23 || minute > 59 || second > 59) return out;
    const ms = Math.floor(Number(parts[7] ?? 0) * 1000);
    const { year, month, day } = found.groups as Record<'year' | 'month' | 'day', string>;
    out.day = midnightUtcOf(Number(year), Number(month), Number(day));
    out.hasClock = hour + minute + second + ms > 0;
    const offset = offsetOf(parts[8], parts[9], parts[10], parts[11]);
    out.instant =
      offset === null
        ? toUtc(Number(year), Number(month), Number(day), hour, minute, second, ms)
        : out.day + ((hour * 60 + minute) * 60 + second) * 1000 + ms - offset;
    return out;
  };
}

/** Milliseconds ahead of UTC that a zone names, null where none is written. */
function offsetOf(utc?: string, sign?: string, hours?: string, minutes = '0'): number | null {
  if (utc !== undefined) return 0;
  if (sign === undefined) return null;
  const ms = (Number(hours) * 60 + Number(minutes)) * 60_000;
  return sign === '-' ? -ms : ms;
}
