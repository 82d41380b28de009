import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../base/dates.ts';
import { INTERVAL_MS, type Interval } from '../../market/observations.ts';
import { choice } from '../choices.ts';
import { type Finding, type NoReading, open, type SampleRow } from '../findings.ts';
import type { CsvOptions } from './csv-options.ts';

const LENGTHS: ReadonlyMap<number, Interval> = new Map(
  Object.entries(INTERVAL_MS).map(([interval, length]) => [length, interval as Interval]),
);

/** Longer than the gap between neighbours of one session. */
const OVERNIGHT_MS = 6 * HOUR_MS;
/** Of so few gaps every one is needed. */
const FEW_GAPS = 2;
/** Lengths that a few gaps between single minutes may look like. */
const RARE: ReadonlySet<Interval> = new Set(['2m', '3m', '10m', '15m', '30m']);
const RARE_GAPS_MIN = 5;
/** Share of the gaps that may be of another length: an early close, a halt, a row that lacks. */
const ODD_GAPS_MAX = 0.02;
const DAILY_KINDS = [
  { name: 'days', from: 0, to: 4.5 },
  { name: 'weeks', from: 4.5, to: 12 },
  { name: 'months', from: 20, to: 45 },
  { name: 'quarters', from: 70, to: 110 },
];

export function intervalFinding(
  series: readonly (readonly SampleRow[])[],
  { interval }: CsvOptions,
): Finding<Interval> | NoReading {
  if (interval !== undefined) return { value: interval, evidence: choice('interval'), sure: 'stated' };
  const hasClock = series.some((rows) => rows.some((row) => row.hasClock));
  const sessions = series.flatMap(sessionsOf);
  const gaps = series.flatMap((rows) =>
    rows.slice(1).flatMap(({ time }, at) => (time === rows[at]!.time ? [] : [time - rows[at]!.time])),
  );
  if (gaps.length === 0) {
    if (!hasClock) return { value: '1d', evidence: 'a date without a clock', sure: 'seen' };
    return open(`one row does not tell the length of a bar: ${choice('interval')} decides`);
  }
  // A session's first and last bar may be shorter: hours by the clock begin at half past nine.
  const inner = sessions.flatMap((session) => (session.length > FEW_GAPS ? session.slice(1, -1) : session));
  if (inner.length === 0) {
    // Clocks that differ within a day are of no days.
    const hasTwoOfDay = series.some((rows) =>
      rows.some(({ day }, at) => at > 0 && day === rows[at - 1]!.day),
    );
    if (hasClock && hasTwoOfDay)
      return open(`rows of one day are hours apart: ${choice('interval')} decides`);
    return dailyInterval(gaps);
  }
  const lengths = inner.map(({ gap }) => gap);
  const usual = modeOf(lengths);
  const other = otherLength(sessions, usual);
  if (other !== null)
    return open(
      `days of bars ${span(usual)} apart and days of bars ${span(other)} apart: part the file, one length each`,
    );
  const divisor = lengths.reduce(commonDivisor);
  const odd = lengths.filter((gap) => gap % usual !== 0).length / lengths.length;
  const length = odd <= ODD_GAPS_MAX || areHoursOfSessions(sessions, usual) ? usual : divisor;
  if (!lengths.includes(length))
    return open(
      `rows ${span(divisor)} to ${span(usual)} apart do not tell the length of a bar: ${choice('interval')} decides`,
    );
  const known = LENGTHS.get(length);
  const same = lengths.filter((gap) => gap === length).length;
  if (known !== undefined && same < RARE_GAPS_MIN && RARE.has(known))
    return open(
      `${same} of ${lengths.length + 1} rows ${span(length)} apart may be minutes of a stock that seldom trades: ${choice('interval')} decides`,
    );
  const evidence = `${share(same, lengths.length)} of neighbours are ${span(length)} apart`;
  if (known !== undefined) return { value: known, evidence, sure: 'seen' };
  return {
    reason: 'unknown_format',
    example: `${notRead(length)}: bring those of ${Object.keys(INTERVAL_MS).join(', ')}`,
  };
}

/** The row that comes after a gap. */
interface Gap {
  readonly gap: number;
  readonly time: number;
}

/** Gaps between the rows of each day and the night after it, as long as they are shorter than a night. */
function sessionsOf(rows: readonly SampleRow[]): Gap[][] {
  const sessions: Gap[][] = [[]];
  for (const [at, { time }] of rows.entries()) {
    const gap = at === 0 ? 0 : Math.abs(time - rows[at - 1]!.time);
    if (gap >= OVERNIGHT_MS) sessions.push([]);
    else if (gap > 0) sessions.at(-1)!.push({ gap, time });
  }
  return sessions.filter((session) => session.length > 0);
}

/** A day with so many bars of one length, and none of another, is of that length. */
const LENGTH_ROWS_MIN = 12;

/** Another length than the usual one, of which some days are throughout; null without. */
function otherLength(sessions: readonly (readonly Gap[])[], usual: number): number | null {
  for (const session of sessions) {
    const [first] = session;
    if (session.length < LENGTH_ROWS_MIN || first!.gap === usual) continue;
    if (session.every(({ gap }) => gap === first!.gap)) return first!.gap;
  }
  return null;
}

/** From the open to the close of a day, and of a half day. */
const SESSION_LENGTHS = [6.5 * HOUR_MS, 3.5 * HOUR_MS];

/** Whether bars are hours of the clock but for the regular session, whose hours begin with it at half past nine. */
function areHoursOfSessions(sessions: readonly (readonly Gap[])[], usual: number): boolean {
  if (usual !== HOUR_MS) return false;
  const edges = sessions.map((session) => session.filter(({ gap }) => gap % usual !== 0));
  const whole = edges.filter((own) => own.length === 2);
  return (
    whole.length > 0 &&
    edges.every((own) => own.length <= 2 && own.every(({ gap }) => gap === HOUR_MS / 2)) &&
    whole.every(([open, close]) => SESSION_LENGTHS.includes(Math.abs(close!.time - open!.time)))
  );
}

function dailyInterval(gaps: readonly number[]): Finding<Interval> | NoReading {
  const counts = DAILY_KINDS.map(
    ({ from, to }) => gaps.filter((gap) => gap / DAY_MS >= from && gap / DAY_MS < to).length,
  );
  const most = Math.max(...counts);
  const kind = DAILY_KINDS[counts.indexOf(most)]!;
  const evidence = `${share(most, gaps.length)} of neighbours are ${kind.name} apart`;
  if (most < gaps.length / 2)
    return open(`rows that are days, weeks and months apart: ${choice('interval')} decides`);
  if (kind.name === 'days') return { value: '1d', evidence, sure: 'seen' };
  return {
    reason: 'unknown_format',
    example: `bars of ${kind.name} (${evidence}) are not read: they are worked out from daily bars, which to import instead`,
  };
}

export function modeOf(values: readonly number[]): number {
  const counts = new Map<number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].reduce((best, next) =>
    next[1] > best[1] || (next[1] === best[1] && next[0] < best[0]) ? next : best,
  )[0];
}

const commonDivisor = (a: number, b: number): number => (b === 0 ? a : commonDivisor(b, a % b));

const { format: counted } = new Intl.NumberFormat('en');
const share = (part: number, whole: number): string => `${counted(part)} of ${counted(whole)}`;

function span(ms: number): string {
  const [count, word] =
    ms % HOUR_MS === 0
      ? [ms / HOUR_MS, 'hour']
      : ms < MINUTE_MS
        ? [ms / 1000, 'second']
        : [ms / MINUTE_MS, 'minute'];
  return `${Number(count.toFixed(2))} ${word}${count === 1 ? '' : 's'}`;
}

const notRead = (length: number): string =>
  length > HOUR_MS
    ? 'bars of more than an hour are not read, since they do not end with the session; shorter ones make them'
    : `bars of ${span(length)} are not read`;
