import { DAY_MS, dateOf, midnightUtc, midnightUtcOf } from './dates.ts';

/**
 * Conversions of one time zone, 1900-2099, else NaN. `Temporal` gives the transitions once; then a conversion is a
 * comparison and a subtraction, because importers convert a time on every row.
 */
type Zone = ReturnType<typeof zoneOf>;

/** The instants that can be converted; the second is excluded. */
export const FIRST_INSTANT = Date.UTC(1900, 0, 1);
export const END_INSTANT = Date.UTC(2100, 0, 1);
const zones = new Map<string, Zone>();

/**
 * Conversion for an IANA time zone such as `America/Chicago`: wall-clock fields (month 1-12, hour 0-23) to epoch
 * milliseconds. NaN for times that do not exist: a field out of range, an invalid date, an hour skipped in spring. Of an
 * hour repeated in autumn, the first.
 *
 * @throws RangeError for an unknown zone
 */
export function zonedToUtc(timeZone: string) {
  const zone = zoneNamed(timeZone);
  return (
    year: number,
    month: number,
    day: number,
    hour: number,
    minute: number,
    second: number,
    millisecond: number,
  ): number => {
    if (!(hour >= 0 && hour < 24 && minute >= 0 && minute < 60)) return Number.NaN;
    if (!(second >= 0 && second < 60 && millisecond >= 0 && millisecond < 1000)) return Number.NaN;
    const midnight = midnightUtcOf(year, month, day);
    return zone.toUtc(midnight + hour * 3_600_000 + minute * 60_000 + second * 1000 + millisecond);
  };
}

/**
 * Midnight in New York, epoch milliseconds, to which vendors' milliseconds since local midnight are added; NaN for an
 * invalid date. On the two Sundays of a clock change the sum is an hour off after 02:00; no session is on a Sunday.
 */
export function newYorkMidnight(date: string): number {
  return newYork().toUtc(midnightUtc(date));
}

/** As `newYorkMidnight`, for a date given as midnight UTC. */
export const newYorkMidnightOf = (midnightUtcMs: number): number => newYork().toUtc(midnightUtcMs);

/** The New York calendar date of an instant, as midnight UTC. */
export const newYorkDay = (instant: number): number =>
  Math.floor(newYork().toLocal(instant) / DAY_MS) * DAY_MS;

/**
 * The calendar date, midnight UTC, that an instant has by the clock of an IANA time zone.
 *
 * @throws RangeError for an unknown zone
 */
export function zonedDay(timeZone: string): (instant: number) => number {
  const zone = zoneNamed(timeZone);
  return (instant) => Math.floor(zone.toLocal(instant) / DAY_MS) * DAY_MS;
}

/** The New York calendar date of an instant, YYYY-MM-DD. */
export const tradeDateOf = (instant: number): string => dateOf(newYorkDay(instant));

/** The New York wall clock at an instant, HH:MM. */
export const newYorkClock = (instant: number): string =>
  new Date(newYork().toLocal(instant)).toISOString().slice(11, 16);

let newYorkZone: Zone | undefined;

function newYork(): Zone {
  newYorkZone ??= zoneNamed('America/New_York');
  return newYorkZone;
}

const zoneNamed = (timeZone: string): Zone =>
  zones.getOrInsertComputed(timeZone, () => zoneOf(offsetSpans(timeZone)));

/** Spans of constant offset: span i starts at `start[i]` and is `offset[i]` milliseconds ahead of UTC. */
function offsetSpans(timeZone: string) {
  const start = [Number.NEGATIVE_INFINITY];
  let at: Temporal.ZonedDateTime | null = firstMoment(timeZone);
  const offset = [at.offsetNanoseconds / 1e6];
  for (;;) {
    at = at.getTimeZoneTransition('next');
    if (at === null || at.epochMilliseconds >= END_INSTANT) break;
    start.push(at.epochMilliseconds);
    offset.push(at.offsetNanoseconds / 1e6);
  }
  return { start: Float64Array.from(start), offset: Float64Array.from(offset) };
}

function firstMoment(timeZone: string): Temporal.ZonedDateTime {
  try {
    return Temporal.Instant.fromEpochMilliseconds(FIRST_INSTANT).toZonedDateTimeISO(timeZone);
  } catch (cause) {
    throw new RangeError(`unknown time zone "${timeZone}"`, { cause });
  }
}

function zoneOf({ start, offset }: ReturnType<typeof offsetSpans>) {
  const spans = start.length;
  const end = new Float64Array(spans).fill(Number.POSITIVE_INFINITY);
  end.set(start.subarray(1));
  // The wall-clock end of each span on its own clock: the first span that has not ended by `local` shows it first.
  const localEnd = end.map((instant, span) => instant + offset[span]!);
  // Rows arrive in order of time, so the last span nearly always fits again.
  let localSpan = 0;
  let instantSpan = 0;
  return {
    /** The instant of a wall-clock time that is written as if it were UTC; see `zonedToUtc`. */
    toUtc(local: number): number {
      if (!(local < localEnd[localSpan]! && (localSpan === 0 || local >= localEnd[localSpan - 1]!))) {
        localSpan = firstAfter(localEnd, local);
      }
      const instant = local - offset[localSpan]!;
      return instant >= start[localSpan]! ? known(instant) : Number.NaN;
    },
    /** The wall-clock time of an instant, written as if it were UTC. */
    toLocal(instant: number): number {
      if (!(instant < end[instantSpan]! && instant >= start[instantSpan]!))
        instantSpan = firstAfter(end, instant);
      // The first hours that can be asked for are of the date before, which has a clock as well.
      return known(instant, FIRST_INSTANT - DAY_MS) + offset[instantSpan]!;
    },
  };
}

/** A day more than can be asked for, so that the last date has an end. */
function known(instant: number, first = FIRST_INSTANT): number {
  return instant >= first && instant < END_INSTANT + DAY_MS ? instant : Number.NaN;
}

/** Index of the first end after `time`; the last index for NaN. */
function firstAfter(ends: Float64Array, time: number): number {
  let low = 0;
  let high = ends.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ends[middle]! > time) high = middle;
    else low = middle + 1;
  }
  return low;
}
