import type { Time, UTCTimestamp } from 'lightweight-charts';

/**
 * The chart library divides its axis by days of UTC. It gets the clock of New York as if that were UTC, so that its
 * days are trade dates.
 */

const FORMAT = new Intl.DateTimeFormat('en-US', { timeZone: 'America/New_York', timeZoneName: 'longOffset' });
const offsets = new Map<number, number>();
const HOUR_MS = 3_600_000;

/** Offset of New York from UTC, in milliseconds. Clocks change on the hour. */
function offsetAt(instantMs: number): number {
  const hour = Math.floor(instantMs / HOUR_MS);
  let offset = offsets.get(hour);
  if (offset === undefined) {
    const zone = FORMAT.formatToParts(instantMs).find(({ type }) => type === 'timeZoneName')!.value;
    const [, sign, hours, minutes] = /GMT([+-])(\d\d):(\d\d)/.exec(zone) ?? ['', '+', '0', '0'];
    offset = (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
    offsets.set(hour, offset);
  }
  return offset;
}

/** Chart time of an instant. */
export const chartTime = (instantMs: number): UTCTimestamp =>
  ((instantMs + offsetAt(instantMs)) / 1000) as UTCTimestamp;

/** Chart time of a bar: an instant, or the date of a daily bar. */
export const barTime = (time: string): UTCTimestamp =>
  time.length === 10 ? startOfDate(time) : chartTime(Date.parse(time));

/** The instant at a chart time of an intraday chart. */
export function instantAt(time: Time): number {
  const wallMs = Number(time) * 1000;
  const nearby = wallMs - offsetAt(wallMs);
  return wallMs - offsetAt(nearby);
}

const partsOf = (options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', hourCycle: 'h23', ...options });
const clock = partsOf({ hour: '2-digit', minute: '2-digit' });
const day = partsOf({ month: 'short', day: 'numeric' });
const weekday = partsOf({ weekday: 'short', month: 'short', day: 'numeric' });
const month = partsOf({ month: 'short' });
const year = partsOf({ year: 'numeric' });
const fullDay = partsOf({ weekday: 'short', month: 'short', day: 'numeric', year: 'numeric' });

/** Label of a tick: 0 year, 1 month, 2 day, 3 and 4 time. */
export function tickLabel(time: Time, type: number): string {
  const wallMs = Number(time) * 1000;
  return [year, month, day, clock, clock][type]!.format(wallMs);
}

/** Label of the crosshair. */
export const crosshairLabel = (time: Time, isIntraday: boolean): string => {
  const wallMs = Number(time) * 1000;
  return isIntraday ? `${weekday.format(wallMs)} ${clock.format(wallMs)} ET` : fullDay.format(wallMs);
};

/** Seconds since midnight of a chart time. */
export const secondOfDay = (time: number): number => time % 86_400;

/** Chart time at which a day begins. */
export const startOfDate = (date: string): UTCTimestamp =>
  (Date.parse(`${date}T00:00:00Z`) / 1000) as UTCTimestamp;
