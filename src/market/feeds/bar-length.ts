import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../base/dates.ts';
import { INTERVAL_MS, type Interval } from '../observations.ts';
import type { CsvOptions } from './csv-options.ts';
import { type Finding, type NoReading, open, type SampleRow } from './findings.ts';

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
  if (interval !== undefined) return { value: interval, evidence: '--interval', sure: 'stated' };
  const hasClock = series.some((rows) => rows.some((row) => row.hasClock));
  const gaps: number[] = [];
  const inner: number[] = [];
  for (const rows of series) {
    let session: number[] = [];
    const endSession = (): void => {
      // A session's first and last bar may be shorter: hours by the clock begin at half past nine.
      inner.push(...(session.length > FEW_GAPS ? session.slice(1, -1) : session));
      session = [];
    };
    for (let row = 1; row < rows.length; row++) {
      const gap = Math.abs(rows[row]!.time - rows[row - 1]!.time);
      if (gap === 0) continue;
      gaps.push(gap);
      if (gap < OVERNIGHT_MS) session.push(gap);
      else endSession();
    }
    endSession();
  }
  if (gaps.length === 0) {
    if (!hasClock) return { value: '1d', evidence: 'a date without a clock', sure: 'seen' };
    return open('one row does not tell the length of a bar: --interval decides');
  }
  if (inner.length === 0) {
    // Clocks that differ within a day are of no days.
    const hasTwoOfDay = series.some((rows) =>
      rows.some(({ day }, at) => at > 0 && day === rows[at - 1]!.day),
    );
    if (hasClock && hasTwoOfDay) return open('rows of one day are hours apart: --interval decides');
    return dailyInterval(gaps);
  }
  const usual = modeOf(inner);
  const divisor = inner.reduce(commonDivisor);
  const odd = inner.filter((gap) => gap % usual !== 0).length / inner.length;
  const length = odd <= ODD_GAPS_MAX ? usual : divisor;
  if (!inner.includes(length))
    return open(
      `rows ${span(divisor)} to ${span(usual)} apart do not tell the length of a bar: --interval decides`,
    );
  const known = LENGTHS.get(length);
  const evidence = `${share(inner.filter((gap) => gap === length).length, inner.length)} of neighbours are ${span(length)} apart`;
  if (known !== undefined && inner.length < RARE_GAPS_MIN && RARE.has(known))
    return open(
      `${inner.length} rows ${span(length)} apart may be minutes of a stock that seldom trades: --interval decides`,
    );
  if (known !== undefined) return { value: known, evidence, sure: 'seen' };
  const why = length > HOUR_MS ? ', since they do not end with the session; shorter ones make them' : '';
  return {
    reason: 'unknown_format',
    example: `bars of ${span(length)} are not read${why}: bring those of ${Object.keys(INTERVAL_MS).join(', ')}`,
  };
}

function dailyInterval(gaps: readonly number[]): Finding<Interval> | NoReading {
  const counts = DAILY_KINDS.map(
    ({ from, to }) => gaps.filter((gap) => gap / DAY_MS >= from && gap / DAY_MS < to).length,
  );
  const most = Math.max(...counts);
  const kind = DAILY_KINDS[counts.indexOf(most)]!;
  const evidence = `${share(most, gaps.length)} of neighbours are ${kind.name} apart`;
  if (most < gaps.length / 2) return open(`rows that are days, weeks and months apart: --interval decides`);
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

const share = (part: number, whole: number): string =>
  `${part.toLocaleString('en')} of ${whole.toLocaleString('en')}`;

function span(ms: number): string {
  const [count, word] = ms % HOUR_MS === 0 ? [ms / HOUR_MS, 'hour'] : [ms / MINUTE_MS, 'minute'];
  return `${Number(count.toFixed(2))} ${word}${count === 1 ? '' : 's'}`;
}
