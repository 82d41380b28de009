import { DAY_MS, midnightUtcOf } from '../base/dates.ts';
import { newYorkDay, zonedToUtc } from '../base/time-zone.ts';
import { NO_BREAK_SPACES } from './numbers.ts';

/** The order of day and month in dates such as 03/04/2024, which nothing in the date itself decides. */
export type DateOrder = 'month-first' | 'day-first';

/** The time of a row. One object that every reading overwrites. */
export interface WrittenTime {
  /** Midnight UTC of the date as written, of an instant with a time of day its date in New York; NaN when it cannot be read. */
  day: number;
  /** The instant, epoch milliseconds; NaN when it cannot be read or no clock ever showed it. */
  instant: number;
  /** The clock as written, as if it were UTC; of a count since 1970 the instant. */
  wall: number;
  /** Whether a time of day other than 00:00 was written. */
  hasClock: boolean;
  /** Whether the text itself tells the clock: a zone, or a count since 1970. */
  hasZone: boolean;
}

/** @param clock the text of a clock column, empty where there is none */
export type ReadTime = (date: string, clock?: string) => WrittenTime;

/** Seconds, milliseconds, microseconds or nanoseconds since 1970, by the count of digits; a fraction may follow. */
const EPOCH = /^(?<whole>\d{9,10}|\d{13}|\d{16}|\d{19})(?:\.\d+)?$/;

/** The usual form by itself, because files have millions of rows of it. */
const USUAL = /^(\d{4})-(\d\d)-(\d\d)(?:[ T](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{3})\d*)?)?(Z|[+-]\d\d:\d\d)?)?$/;

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const MONTH = `(?<name>${MONTHS.join('|')})[a-z]*\\.?`;
const WEEKDAY = '(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*\\.?,? +)?';
const YEAR_FIRST = /^(?<year>\d{4})(?<mark>[-/.]?)(?<month>\d{2})\k<mark>(?<day>\d{2})/;
const YEAR_FIRST_SHORT = /^(?<year>\d{4})(?<mark>[-/.])(?<month>\d{1,2})\k<mark>(?<day>\d{1,2})(?!\d)/;
const NAMED = [
  new RegExp(`^${WEEKDAY}${MONTH} +(?<day>\\d{1,2})(?:st|nd|rd|th)?,? +(?:at +)?(?<year>\\d{4})`, 'i'),
  new RegExp(`^${WEEKDAY}(?<day>\\d{1,2})[ -]${MONTH}[ ,-]+(?<year>\\d{4}|\\d{2})(?!\\d)`, 'i'),
];
const NUMBERED = /^(?<first>\d{1,2})(?<mark>[-/.])(?<second>\d{1,2})\k<mark>(?<year>\d{4}|\d{2})(?!\d)/;

/** `930` and `93000` in a column of clocks: numbers have no zero in front. */
const WITHOUT_ZERO = /^(?:\d{3}|\d{5})$/;
/** `9:30`, `09:30:00.123456`, `0930`, `093000`, `5:28 p.m.`, and behind it whatever names the zone. */
const CLOCK =
  /^(?:(\d{1,2}):(\d\d)(?::(\d\d))?|(\d\d)(\d\d)(\d\d)?|(\d{1,2})(?= ?[ap]\.?m))([.,]\d+)? ?(?:([ap])(?:m\b|\.m\.))?(?: *(.*))?$/i;
const OFFSET = /^(?:(?:UTC|GMT)?([+-])(\d\d?)(?::?(\d\d))?|z|utc|gmt)(?: ?\(.*\))?$/i;
/** Abbreviations of American clocks: with S or D a fixed offset, with neither the zone. */
const CLOCKS: Readonly<Record<string, readonly [zone: string, hoursBehind: number]>> = {
  E: ['America/New_York', 5],
  C: ['America/Chicago', 6],
  M: ['America/Denver', 7],
  P: ['America/Los_Angeles', 8],
};

/** A date's parts with the mark that orders are told by; null when the text begins with no date. */
function dateIn(text: string, order: DateOrder | null) {
  const match =
    YEAR_FIRST.exec(text) ??
    YEAR_FIRST_SHORT.exec(text) ??
    NAMED[0]!.exec(text) ??
    NAMED[1]!.exec(text) ??
    NUMBERED.exec(text);
  if (match === null) return null;
  const { year, month, day, name, first, second } = match.groups as Record<string, string | undefined>;
  const isMonthFirst = order === 'month-first';
  if (first !== undefined && order === null) return null;
  const months = name === undefined ? undefined : MONTHS.indexOf(name.toLowerCase()) + 1;
  return {
    length: match[0].length,
    // Two digits are of this century: nobody trades on a chart of 1924.
    year: Number(year) + (year!.length === 2 ? 2000 : 0),
    month: months ?? Number(month ?? (isMonthFirst ? first : second)),
    day: Number(day ?? (isMonthFirst ? second : first)),
  };
}

/** The first two numbers of a date whose order is open, null of any other text. */
export function numberedDate(text: string): readonly [first: number, second: number] | null {
  const trimmed = text.trim();
  if (YEAR_FIRST.test(trimmed)) return null;
  const groups = NUMBERED.exec(trimmed)?.groups;
  return groups === undefined ? null : [Number(groups.first), Number(groups.second)];
}

type ToUtc = ReturnType<typeof zonedToUtc>;
type Zone = { readonly toUtc: ToUtc } | { readonly offset: number };

const zones = new Map<string, Zone | null>();

/** The clock that a text behind a time names, null when nobody knows it. */
function zoneNamed(text: string): Zone | null {
  return zones.getOrInsertComputed(text, () => {
    const offset = OFFSET.exec(text);
    if (offset !== null) {
      const minutes = Number(offset[2] ?? 0) * 60 + Number(offset[3] ?? 0);
      return { offset: (offset[1] === '-' ? -minutes : minutes) * 60_000 };
    }
    const clock = /^([ECMP])([SD]?)T$/i.exec(text);
    if (clock !== null) {
      const [zone, behind] = CLOCKS[clock[1]!.toUpperCase()]!;
      const kind = clock[2]!.toUpperCase();
      return kind === ''
        ? { toUtc: zonedToUtc(zone) }
        : { offset: -(behind - (kind === 'D' ? 1 : 0)) * 3_600_000 };
    }
    if (!/^[A-Z]\w+\/[\w/+-]+$/i.test(text)) return null;
    try {
      return { toUtc: zonedToUtc(text) };
    } catch {
      return null;
    }
  });
}

/**
 * A reader of times as vendors write them: dates with the year first, with the month's name, or with day and month in a
 * stated order; clocks of 24 or of 12 hours; zones as offsets, abbreviations or IANA names; counts since 1970.
 *
 * @param timeZone IANA name of the clock for times without a zone of their own
 * @param order of day and month in dates that leave it open; null reads none of them
 */
export function timeReader(timeZone: string, order: DateOrder | null = null): ReadTime {
  const toUtc = zonedToUtc(timeZone);
  const out: WrittenTime = {
    day: Number.NaN,
    instant: Number.NaN,
    wall: Number.NaN,
    hasClock: false,
    hasZone: false,
  };

  const set = (zone: Zone | null, date: readonly number[], clock: readonly number[], rest = 0): void => {
    const [year, month, day] = date as [number, number, number];
    const [hour, minute, second] = clock as [number, number, number];
    const midnight = midnightUtcOf(year, month, day);
    out.hasClock = hour + minute + second + rest > 0;
    out.hasZone = zone !== null;
    out.wall = midnight + ((hour * 60 + minute) * 60 + second) * 1000 + rest;
    if (zone !== null && 'offset' in zone) {
      out.instant = out.wall - zone.offset;
    } else out.instant = (zone?.toUtc ?? toUtc)(year, month, day, hour, minute, second, rest);
    // A midnight that is written is a date, by whatever clock: as an instant it may lie on the day before.
    out.day = zone === null || !out.hasClock || Number.isNaN(out.instant) ? midnight : dayOf(out.instant);
  };

  return (date, clock = '') => {
    out.day = Number.NaN;
    out.instant = Number.NaN;
    out.wall = Number.NaN;
    out.hasClock = false;
    out.hasZone = false;
    const written = date.trim();
    if (clock !== '' || !(takeUsual(written) || takeEpoch(written))) takeParts(written, clock);
    return out;
  };

  function takeUsual(written: string): boolean {
    const usual = USUAL.exec(written);
    if (usual === null) return false;
    const [, year, month, day, hours = 0, minutes = 0, seconds = 0, ms = 0, zone] = usual;
    const [hour, minute, second] = [Number(hours), Number(minutes), Number(seconds)];
    if (hour < 24 && minute < 60 && second < 60) {
      const date = [Number(year), Number(month), Number(day)];
      set(zone === undefined ? null : zoneNamed(zone), date, [hour, minute, second], Number(ms));
    }
    return true;
  }

  function takeEpoch(written: string): boolean {
    const epoch = EPOCH.exec(written)?.groups?.whole;
    if (epoch === undefined) return false;
    // Digits, because a product of nanoseconds may round to the millisecond before.
    out.instant = epoch.length < 13 ? Math.floor(Number(`${written}e3`)) : Number(epoch.slice(0, 13));
    out.wall = out.instant;
    out.day = dayOf(out.instant);
    out.hasClock = out.instant !== out.day;
    out.hasZone = true;
    return true;
  }

  function takeParts(written: string, clock: string): void {
    const spaced = written.replace(NO_BREAK_SPACES, ' ');
    const found = dateIn(spaced, order);
    if (found === null) return;
    const rest = spaced.slice(found.length).replace(/^(?:[T,;]|-(?=\d\d:?\d\d)| at )? */i, '');
    // A date column may carry an empty clock (`2024-01-31 00:00:00`) beside the real one.
    const ofColumn = clock.trim().replace(NO_BREAK_SPACES, ' ').replace(WITHOUT_ZERO, '0$&');
    const parts = CLOCK.exec([ofColumn, rest, '00:00'].find((text) => text !== '')!);
    if (parts === null) return;
    const [, h1, m1, s1, h2, m2, s2, h3, fraction = '', half, zoneName = ''] = parts;
    const zone = zoneName === '' ? null : zoneNamed(zoneName);
    const hour = hourOfDay(Number(h1 ?? h2 ?? h3), half?.toLowerCase());
    const minute = Number(m1 ?? m2 ?? 0);
    const second = Number(s1 ?? s2 ?? 0);
    if ((zone === null && zoneName !== '') || minute > 59 || second > 59 || Number.isNaN(hour)) return;
    const ms = Math.floor(Number(`0${fraction.replace(',', '.')}`) * 1000);
    set(zone, [found.year, found.month, found.day], [hour, minute, second], ms);
  }
}

/** @param half `a` or `p` of an hour from 1 to 12; NaN for no hour */
function hourOfDay(hour: number, half: string | undefined): number {
  if (half === undefined) return hour > 23 ? Number.NaN : hour;
  return hour < 1 || hour > 12 ? Number.NaN : (hour % 12) + (half === 'p' ? 12 : 0);
}

/** A reader whose instants are those of a stated clock, whatever clock the times name. */
export function overruledReader(read: ReadTime, timeZone: string): ReadTime {
  const toUtc = wallClock(timeZone);
  return (date, clock) => {
    const time = read(date, clock);
    time.instant = toUtc(time.wall);
    return time;
  };
}

/** The instant of a wall clock that was read as if it were UTC. */
export function wallClock(zone: string): (wall: number) => number {
  const toUtc = zonedToUtc(zone);
  return (wall) => {
    const at = new Date(wall);
    const [year, month, day] = [at.getUTCFullYear(), at.getUTCMonth() + 1, at.getUTCDate()];
    return toUtc(
      year,
      month,
      day,
      at.getUTCHours(),
      at.getUTCMinutes(),
      at.getUTCSeconds(),
      at.getUTCMilliseconds(),
    );
  };
}

/** The date that an instant stands for: at midnight UTC that of UTC, else that of New York. */
const dayOf = (instant: number): number => (instant % DAY_MS === 0 ? instant : newYorkDay(instant));

const readUtc = timeReader('UTC');
/** A time of more than three decimals of a second, or a count since 1970 in finer steps than milliseconds. */
const FINER_THAN_MS = /(?:\.\d{3}|^\d{13}(?=(?:\d{3}){1,2}$))0*[1-9]/;

/**
 * Epoch milliseconds of a written instant, the first whole one that is not before it; NaN when it is none.
 *
 * @param isUtc whether a time of day without a zone is of UTC; else it is no instant
 */
export function instantOf(text: string, isUtc = false): number {
  const { instant, hasZone } = readUtc(text);
  if (!hasZone && !(isUtc && /\d:\d/.test(text))) return Number.NaN;
  return FINER_THAN_MS.test(text) ? instant + 1 : instant;
}
