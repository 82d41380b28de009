import { DAY_MS, dateOf, HOUR_MS } from '../../base/dates.ts';
import { zonedDay } from '../../base/time-zone.ts';
import { choice } from '../choices.ts';
import { type Finding, type NoReading, open, type SampleRow } from '../findings.ts';
import type { ReadTime, WrittenTime } from '../times.ts';
import type { CsvOptions } from './csv-options.ts';

/**
 * The dates of daily bars. Most are written as dates, or as the midnight of a clock that they name. An instant with a time of
 * day beside it is of the date on which it lies in UTC, or of the one that begins there: `2024-01-01T22:00:00Z` is the
 * midnight of 2 January two hours east of Greenwich.
 */
export type DatesBy = 'written' | 'same' | 'next' | { readonly zone: string };

/** Days of which the sessions tell how dates are meant, and the share that has to be sessions. */
const SESSIONS_SHARE = 0.9;
/** Summer and winter move a midnight by an hour. */
const SEASON_MS = HOUR_MS;

const isInstant = ({ hasClock, hasZone }: Pick<WrittenTime, 'hasClock' | 'hasZone'>): boolean =>
  hasClock && hasZone;

/** The date, midnight UTC, that a time of a daily bar stands for. */
export function dayBy(by: DatesBy): (time: Readonly<WrittenTime>) => number {
  if (by === 'written') return ({ day }) => day;
  const dayOf =
    by === 'same'
      ? (instant: number) => Math.floor(instant / DAY_MS) * DAY_MS
      : by === 'next'
        ? (instant: number) => Math.ceil(instant / DAY_MS) * DAY_MS
        : zonedDay(by.zone);
  return (time) => (isInstant(time) ? dayOf(time.instant) : time.day);
}

/** A reader whose days are those of daily bars. */
export function datedReader(read: ReadTime, by: DatesBy): ReadTime {
  if (by === 'written') return read;
  const dayOf = dayBy(by);
  return (date, clock) => {
    const time = read(date, clock);
    time.day = dayOf(time);
    return time;
  };
}

/** How the dates of a file of daily bars are meant; refused where its rows do not tell. */
export function datesFinding(
  rows: readonly SampleRow[],
  { timeZone, calendar }: CsvOptions,
): { readonly by: DatesBy; readonly finding: Finding } | NoReading {
  const instants = rows.filter(isInstant);
  const [first] = instants;
  if (first === undefined) {
    const evidence = 'dates need no clock';
    const stated = timeZone === undefined ? 'assumed' : 'stated';
    return shifted(rows) ?? { by: 'written', finding: { value: 'of the dates', evidence, sure: stated } };
  }
  const example = new Date(first.time).toISOString().replace('.000', '');
  const daysOf = (by: DatesBy): number[] => {
    const dayOf = dayBy(by);
    return rows.map((row) => dayOf({ ...row, instant: row.time }));
  };
  if (timeZone !== undefined) {
    const by = { zone: timeZone };
    const evidence = `${choice('time_zone')}, for times such as ${example}`;
    return shifted(rows, daysOf(by)) ?? { by, finding: { value: timeZone, evidence, sure: 'stated' } };
  }
  const isPossible = (by: DatesBy): boolean => {
    const days = [...new Set(daysOf(by))];
    const sessions = days.filter((day) => calendar.isSession(dateOf(day))).length;
    return sessions >= days.length * SESSIONS_SHARE && shifted(rows, days) === null;
  };
  // Only a time that is the same every day, but for summer, can be a midnight.
  const clocks = instants.map(({ time }) => time % DAY_MS);
  const areMidnights = spanOf(clocks) <= SEASON_MS;
  const ways = (areMidnights ? (['same', 'next'] as const) : (['written'] as const)).filter(isPossible);
  const [only] = ways;
  if (ways.length === 1) {
    const evidence = `only so are the dates of times such as ${example} sessions`;
    return { by: only!, finding: { value: WORDS[only!], evidence, sure: 'seen' } };
  }
  // A bar that carries the time of its open; hardly any clock has its midnight then.
  if (ways.length > 1 && instants.every(({ time }) => calendar.sessionHolding(time)?.open === time)) {
    const evidence = `times such as ${example} are those of the open in New York`;
    return { by: 'same', finding: { value: WORDS.same, evidence, sure: 'seen' } };
  }
  return open(
    `times such as ${example} of daily bars may be of the date in UTC or of the next one, and ${ways.length === 0 ? 'neither' : 'either'} makes the dates sessions: ${choice('time_zone')} (the clock whose midnights they are) decides`,
  );
}

const WORDS = {
  written: 'the date in New York',
  same: 'the date in UTC',
  next: 'the date after that in UTC',
} as const satisfies Record<string, string>;

const spanOf = (values: readonly number[]): number =>
  values.reduce((a, b) => Math.max(a, b)) - values.reduce((a, b) => Math.min(a, b));

/** Fewer days than these tell nothing of the weekdays that a file lacks. */
const WEEKDAYS_MIN = 4;
const SUNDAY = 0;
const MONDAY = 1;
const FRIDAY = 5;
const SATURDAY = 6;

/** Rows on Sundays and none on Fridays are a day early, on Saturdays and none on Mondays a day late. */
function shifted(rows: readonly SampleRow[], written?: readonly number[]): NoReading | null {
  const days = new Set(written ?? rows.map(({ day }) => day));
  const weekdays = Array<number>(7).fill(0);
  for (const day of days) weekdays[new Date(day).getUTCDay()]!++;
  if (days.size < WEEKDAYS_MIN) return null;
  const seen = (weekday: number): boolean => weekdays[weekday]! > 0;
  const refuse = (on: string, count: number, none: string, side: string): NoReading =>
    open(
      `rows on ${on} (${count} seen) and none on ${none}: the dates lie a day ${side}, as midnights of another clock do; write the date of each session`,
    );
  if (seen(SUNDAY) && !seen(FRIDAY) && !seen(SATURDAY))
    return refuse('Sundays', weekdays[SUNDAY]!, 'Fridays', 'early');
  return seen(SATURDAY) && !seen(SUNDAY) && !seen(MONDAY)
    ? refuse('Saturdays', weekdays[SATURDAY]!, 'Mondays', 'late')
    : null;
}
