import { DAY_MS, midnightUtcOf } from '../../base/dates.ts';
import { zonedToUtc } from '../../base/time-zone.ts';
import { digitsAt } from './fields.ts';
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

export type ReadTime = (
  bytes: Uint8Array,
  start: number,
  end: number,
  clockStart: number,
  clockEnd: number,
) => WrittenTime;

const DASH = 45;
const SLASH = 47;
const COLON = 58;
const POINT = 46;
const SPACE = 32;
const PLUS = 43;
const LETTER_T = 84;
const LETTER_Z = 90;
const EPOCH_SECONDS_DIGITS = 10;
const EPOCH_MS_DIGITS = 13;

/**
 * A reader of times as vendors write them; see `DATE_FORMATS`. It works on bytes, because every row has one.
 *
 * @param timeZone IANA name of the clock for times without a zone of their own
 */
export function timeReader(format: DateFormat, timeZone: string): ReadTime {
  const toUtc = zonedToUtc(timeZone);
  const out: WrittenTime = { day: Number.NaN, instant: Number.NaN, hasClock: false };
  const clock = clockReader();
  let year = 0;
  let month = 0;
  let day = 0;

  /** Reads the date and answers where it ends, or -1. */
  const readDate = (bytes: Uint8Array, start: number, end: number): number => {
    if (format !== 'auto') return readShortDate(bytes, start, end);
    const mark = bytes[start + 4];
    const isParted = mark === DASH || mark === SLASH;
    if (isParted && bytes[start + 7] !== mark) return -1;
    const length = isParted ? 10 : 8;
    if (end - start < length) return -1;
    year = digitsAt(bytes, start, start + 4);
    month = isParted ? digitsAt(bytes, start + 5, start + 7) : digitsAt(bytes, start + 4, start + 6);
    day = isParted ? digitsAt(bytes, start + 8, start + 10) : digitsAt(bytes, start + 6, start + 8);
    return start + length;
  };
  /** `1/31/2024` or `31.1.2024`, one or two digits each. */
  const readShortDate = (bytes: Uint8Array, start: number, end: number): number => {
    const first = digitsEnd(bytes, start, end);
    const second = digitsEnd(bytes, first + 1, end);
    const third = second + 5;
    if (first - start > 2 || second - first > 3 || third > end) return -1;
    if (!isDateMark(bytes[first]) || bytes[second] !== bytes[first]) return -1;
    const one = digitsAt(bytes, start, first);
    const two = digitsAt(bytes, first + 1, second);
    month = format === 'month-first' ? one : two;
    day = format === 'month-first' ? two : one;
    year = digitsAt(bytes, second + 1, third);
    return third;
  };
  const setFrom = (sinceMidnightMs: number, offsetMs: number): void => {
    out.day = midnightUtcOf(year, month, day);
    out.hasClock = sinceMidnightMs > 0;
    out.instant = Number.isNaN(offsetMs) ? zoned(sinceMidnightMs) : out.day + sinceMidnightMs - offsetMs;
  };
  const zoned = (ms: number): number =>
    toUtc(
      year,
      month,
      day,
      Math.floor(ms / 3_600_000),
      Math.floor(ms / 60_000) % 60,
      Math.floor(ms / 1000) % 60,
      ms % 1000,
    );

  return (bytes, from, to, clockStart, clockEnd) => {
    out.day = Number.NaN;
    out.instant = Number.NaN;
    let start = from;
    let end = to;
    while (start < end && bytes[start] === SPACE) start++;
    while (end > start && bytes[end - 1] === SPACE) end--;
    if (format === 'auto' && readEpoch(bytes, start, end, out)) return out;
    const dateEnd = readDate(bytes, start, end);
    if (dateEnd < 0) return out;
    if (clockEnd > clockStart) {
      // A date column may carry an empty clock (`2024-01-31 00:00:00`) beside the real one.
      if (clock.read(bytes, clockStart, clockEnd)) setFrom(clock.sinceMidnightMs, clock.offsetMs);
    } else if (dateEnd === end) setFrom(0, Number.NaN);
    else if (bytes[dateEnd] === SPACE || bytes[dateEnd] === LETTER_T) {
      if (clock.read(bytes, dateEnd + 1, end)) setFrom(clock.sinceMidnightMs, clock.offsetMs);
    }
    return out;
  };
}

/** Epoch seconds or milliseconds, told by their number of digits; false when the field is no such number. */
function readEpoch(bytes: Uint8Array, start: number, end: number, out: WrittenTime): boolean {
  const digits = end - start;
  if (digits !== EPOCH_SECONDS_DIGITS && digits !== EPOCH_MS_DIGITS) return false;
  const value = digitsAt(bytes, start, end);
  if (Number.isNaN(value)) return false;
  out.instant = digits === EPOCH_SECONDS_DIGITS ? value * 1000 : value;
  out.day = Math.floor(out.instant / DAY_MS) * DAY_MS;
  out.hasClock = out.instant !== out.day;
  return true;
}

/** Reads `9:30`, `09:30:00`, `09:30:00.123456`, `0930`, `093000`, each with an optional `Z`, `-05:00`, `+0530`. */
function clockReader() {
  const clock = {
    sinceMidnightMs: Number.NaN,
    /** Milliseconds ahead of UTC; NaN when no zone is written. */
    offsetMs: Number.NaN,
    read(bytes: Uint8Array, start: number, end: number): boolean {
      const hourEnd = digitsEnd(bytes, start, end);
      let at: number;
      let seconds: number;
      if (bytes[hourEnd] === COLON && hourEnd - start <= 2) {
        seconds = digitsAt(bytes, start, hourEnd) * 3600 + fieldBelow60(bytes, hourEnd + 1, end) * 60;
        at = hourEnd + 3;
        if (at < end && bytes[at] === COLON) {
          seconds += fieldBelow60(bytes, at + 1, end);
          at += 3;
        }
      } else {
        if (hourEnd - start !== 4 && hourEnd - start !== 6) return false;
        seconds = digitsAt(bytes, start, start + 2) * 3600 + fieldBelow60(bytes, start + 2, end) * 60;
        if (hourEnd - start === 6) seconds += fieldBelow60(bytes, start + 4, end);
        at = hourEnd;
      }
      let ms = 0;
      if (at < end && bytes[at] === POINT) {
        const fractionEnd = digitsEnd(bytes, at + 1, end);
        ms = Math.floor((digitsAt(bytes, at + 1, fractionEnd) / 10 ** (fractionEnd - at - 1)) * 1000);
        at = fractionEnd;
      }
      clock.sinceMidnightMs = seconds * 1000 + ms;
      clock.offsetMs = at === end ? Number.NaN : zoneOffset(bytes, at, end);
      return clock.sinceMidnightMs < DAY_MS && (at === end || !Number.isNaN(clock.offsetMs));
    },
  };
  return clock;
}

/** Milliseconds ahead of UTC that `Z`, `+05`, `-0500` or `-05:00` name; NaN when it is none of them. */
function zoneOffset(bytes: Uint8Array, start: number, end: number): number {
  if (bytes[start] === LETTER_Z) return start + 1 === end ? 0 : Number.NaN;
  if (bytes[start] !== PLUS && bytes[start] !== DASH) return Number.NaN;
  const minutesAt = bytes[start + 3] === COLON ? start + 4 : start + 3;
  if (end !== start + 3 && end !== minutesAt + 2) return Number.NaN;
  const minutes = end === start + 3 ? 0 : digitsAt(bytes, minutesAt, end);
  const offsetMs = digitsAt(bytes, start + 1, start + 3) * 3_600_000 + minutes * 60_000;
  return bytes[start] === DASH ? -offsetMs : offsetMs;
}

function fieldBelow60(bytes: Uint8Array, start: number, end: number): number {
  const value = start + 2 <= end ? digitsAt(bytes, start, start + 2) : Number.NaN;
  return value < 60 ? value : Number.NaN;
}

function digitsEnd(bytes: Uint8Array, start: number, end: number): number {
  let at = start;
  while (at < end && bytes[at]! >= 48 && bytes[at]! <= 57) at++;
  return at;
}

function isDateMark(byte: number | undefined): boolean {
  return byte === SLASH || byte === DASH || byte === POINT;
}
