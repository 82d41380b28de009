import { readFileSync } from 'node:fs';
import { midnightUtc, weekdayOf } from './dates.ts';

/** Additions to the rules of `holidays.ts`; the shape of calendar-data.json, which an operator may replace. */
export interface CalendarData {
  readonly about?: string;
  /** First and last trade dates of the calendar, within 1990-2099: the rules are verified from 1990 on. */
  readonly first: string;
  readonly last: string;
  readonly closures: readonly Closure[];
  readonly hours: readonly UnusualHours[];
}

/** A weekday without a session beyond the regular holidays. */
interface Closure {
  readonly date: string;
  readonly name: string;
  /** When the exchange announced it; absent for the yearly notices. */
  readonly announced?: string;
}

/** A session whose hours differ from the rules; New York HH:MM, default 09:30 and 16:00. */
interface UnusualHours {
  readonly date: string;
  readonly open?: string;
  readonly close?: string;
  readonly name: string;
  /** See `Closure`. */
  readonly announced?: string;
}

/** Regular and extended hours, milliseconds since New York midnight. */
export const PRE_OPEN_MS = clockMs('04:00');
export const OPEN_MS = clockMs('09:30');
export const CLOSE_MS = clockMs('16:00');
export const POST_CLOSE_MS = clockMs('20:00');

/** @throws Error one sentence with the file and the first fault in it */
export function readCalendarData(file: string | URL): CalendarData {
  try {
    return parseCalendarData(JSON.parse(readFileSync(file, 'utf8')));
  } catch (cause) {
    const fault = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`the calendar data file ${file} cannot be used: ${fault}`, { cause });
  }
}

/** @throws Error one sentence with the first fault and its position */
export function parseCalendarData(value: unknown): CalendarData {
  const data = members(value, 'the file', ['about', 'first', 'last', 'closures', 'hours']);
  const first = dateAt(data.first, 'first');
  const last = dateAt(data.last, 'last');
  if (first < '1990-01-01')
    fault('first', `"${first}" lies before 1990-01-01, where the holiday rules begin`);
  if (last > '2099-12-31') fault('last', `"${last}" lies after 2099-12-31`);
  if (last < first) fault('last', `"${last}" lies before first, "${first}"`);
  const about = data.about === undefined ? {} : { about: textAt(data.about, 'about') };
  const closures = listAt(data.closures, 'closures').map(closureAt);
  const hours = listAt(data.hours, 'hours').map(hoursAt);
  checkDates([...entriesOf(closures, 'closures'), ...entriesOf(hours, 'hours')], first, last);
  return { ...about, first, last, closures, hours };
}

/** Milliseconds since midnight of HH:MM; NaN for any other text. */
export function clockMs(text: string): number {
  const match = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(text);
  return match === null ? Number.NaN : (Number(match[1]) * 60 + Number(match[2])) * 60_000;
}

function closureAt(value: unknown, index: number): Closure {
  const path = `closures[${index}]`;
  const entry = members(value, path, ['date', 'name', 'announced']);
  const date = dateAt(entry.date, `${path}.date`);
  return { date, name: textAt(entry.name, `${path}.name`), ...announcedAt(entry.announced, path, date) };
}

function hoursAt(value: unknown, index: number): UnusualHours {
  const path = `hours[${index}]`;
  const entry = members(value, path, ['date', 'open', 'close', 'name', 'announced']);
  const open = entry.open === undefined ? {} : { open: clockAt(entry.open, `${path}.open`) };
  const close = entry.close === undefined ? {} : { close: clockAt(entry.close, `${path}.close`) };
  const opensMs = open.open === undefined ? OPEN_MS : clockMs(open.open);
  const closesMs = close.close === undefined ? CLOSE_MS : clockMs(close.close);
  if (!(opensMs >= PRE_OPEN_MS && opensMs < closesMs && closesMs <= POST_CLOSE_MS)) {
    fault(path, 'the session must open before it closes, within 04:00-20:00');
  }
  const date = dateAt(entry.date, `${path}.date`);
  const name = textAt(entry.name, `${path}.name`);
  return { date, ...open, ...close, name, ...announcedAt(entry.announced, path, date) };
}

function announcedAt(value: unknown, path: string, date: string): { announced?: string } {
  if (value === undefined) return {};
  const announced = dateAt(value, `${path}.announced`);
  if (announced > date) fault(`${path}.announced`, `"${announced}" lies after "${date}"`);
  return { announced };
}

interface Entry {
  readonly path: string;
  readonly date: string;
}

function entriesOf(entries: readonly { readonly date: string }[], list: string): Entry[] {
  return entries.map(({ date }, index) => ({ path: `${list}[${index}].date`, date }));
}

// A weekend date, a date out of range or a date given twice is nearly always a typing error in the year or month.
function checkDates(entries: readonly Entry[], first: string, last: string): void {
  const seen = new Map<string, string>();
  for (const { path, date } of entries) {
    const weekday = weekdayOf(midnightUtc(date));
    if (weekday === 0 || weekday === 6)
      fault(path, `"${date}" is a ${weekday === 0 ? 'Sunday' : 'Saturday'}`);
    if (date < first || date > last) fault(path, `"${date}" lies outside ${first} to ${last}`);
    const earlier = seen.get(date);
    if (earlier !== undefined) fault(path, `"${date}" is already at ${earlier}`);
    seen.set(date, path);
  }
}

function members(value: unknown, path: string, allowed: readonly string[]): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) fault(path, 'is not an object');
  for (const key of Object.keys(value)) {
    if (!allowed.includes(key))
      fault(path, `has the unknown member "${key}"; known are ${allowed.join(', ')}`);
  }
  return { ...value };
}

function listAt(value: unknown, path: string): readonly unknown[] {
  return Array.isArray(value) ? value : fault(path, 'is not a list');
}

function textAt(value: unknown, path: string): string {
  return typeof value === 'string' && value.trim() !== '' ? value : fault(path, 'is not a text');
}

function dateAt(value: unknown, path: string): string {
  const text = textAt(value, path);
  return Number.isNaN(midnightUtc(text)) ? fault(path, `"${text}" is not a date (YYYY-MM-DD)`) : text;
}

function clockAt(value: unknown, path: string): string {
  const text = textAt(value, path);
  return Number.isNaN(clockMs(text)) ? fault(path, `"${text}" is not a time of day (HH:MM)`) : text;
}

function fault(path: string, what: string): never {
  throw new Error(`${path}: ${what}`);
}
