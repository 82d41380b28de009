import { DAY_MS, HOUR_MS } from '../../base/dates.ts';
import type { Known } from '../../market/known-bars.ts';
import { INTERVAL_MS, type Interval } from '../../market/observations.ts';
import { choice } from '../choices.ts';
import { type Finding, isRefused, type NoReading, open, type SampleRow } from '../findings.ts';
import type { TableHead } from '../table-head.ts';
import { wallClock } from '../times.ts';
import { modeOf } from './bar-length.ts';
import type { CsvOptions, Stamps } from './csv-options.ts';
import { shareAgreeing } from './known-bars.ts';
import {
  type ClockedRows,
  type EndedHours,
  type Fit,
  fitOf,
  type Season,
  startOfHour,
} from './session-edges.ts';

export const DEFAULT_ZONE = 'America/New_York';
/** Clocks that vendors write without saying so; any other is named by the caller. */
const LIKELY_ZONES = [DEFAULT_ZONE, 'UTC', 'America/Chicago'];
/** Each time names its own clock. */
export const WRITTEN = 'as written';

interface Clock {
  readonly zone: Finding;
  readonly stamps: Finding<Stamps>;
}

/** Names of columns whose vendors say that they are the beginning of a bar. */
const STARTS = /^(window_start|ts_event)$/i;
/** Days that must show the session's edges, and those that another reading may show by chance. */
const SHOWN = 0.6;
const CHANCE = 0.3;
const OUTSIDE_MAX = 0.05;
/** Rows by which two ways to read are told from each other. */
const COMPARED_ROWS = 100;

/** The zone that an option, the times or the head of a file name; null for none. */
function statedZone(
  rows: readonly SampleRow[],
  written: boolean,
  head: TableHead,
  option: string | undefined,
) {
  if (written) return { zone: 'UTC', by: 'the times name it' };
  if (option === undefined) return zoneInHead(head);
  const overruled = rows.some((row) => row.hasZone) ? ', in place of what the times name' : '';
  return { zone: option, by: `${choice('time_zone')}${overruled}` };
}

export function clockFinding(
  series: readonly (readonly SampleRow[])[],
  interval: Interval,
  head: TableHead,
  showsSeasons: boolean,
  known: readonly Known[],
  options: CsvOptions,
): Clock | NoReading {
  const { timeZone, calendar } = options;
  const rows = series.flat();
  const written = timeZone === undefined && rows.length > 0 && rows.every((row) => row.hasZone);
  const stated = statedZone(rows, written, head, timeZone);
  const zones = stated === null ? LIKELY_ZONES : [stated.zone];
  const dateName = head.names[head.series[0]!.columnIndex.date] ?? '';
  const stampsStated = options.stamps ?? (STARTS.test(dateName) ? 'start' : undefined);
  const zoneFinding = (value: string, evidence: string): Finding => ({
    value: written ? WRITTEN : value,
    evidence: stated?.by ?? evidence,
    sure: stated === null ? 'seen' : 'stated',
  });
  const clocked = series.map((own) => clockedRows(own.filter((row) => row.isWhole)));
  const stampings: readonly Stamps[] = stampsStated === undefined ? ['start', 'end'] : [stampsStated];
  const misplaced =
    stated === null || interval === '1h'
      ? null
      : misplacedSessions(clocked, stampings, written, stated, INTERVAL_MS[interval], calendar);
  if (misplaced !== null) return misplaced;
  if (stampsStated !== undefined && zones.length === 1) {
    const evidence = options.stamps === undefined ? `column ${dateName}` : choice('stamps');
    return { zone: zoneFinding(zones[0]!, ''), stamps: { value: stampsStated, evidence, sure: 'stated' } };
  }
  const outsideMax = tradesAllNight(rows) ? 1 : OUTSIDE_MAX;
  // A clock that is an hour behind and hours that carry their end come to the same: that is one way to read.
  const starts = new Set<string>();
  const ways = zones.flatMap((zone) => {
    const toUtc = written ? (time: number) => time : wallClock(zone);
    return stampings.flatMap((stamps) => {
      const shift = stamps === 'end' ? INTERVAL_MS[interval] : 0;
      if (
        interval === '1h' &&
        !areHours(
          rows.map(({ time }) => toUtc(time)),
          stamps,
          calendar,
        )
      )
        return [];
      const hours = interval === '1h' && stamps === 'end' ? endedHours(rows, toUtc, options) : null;
      const toStart = (time: number): number =>
        hours === null || isRefused(hours) ? toUtc(time) - shift : startOfHour(toUtc(time), hours, calendar);
      const read = String(rows.slice(0, COMPARED_ROWS).map(({ time }) => toStart(time)));
      if (starts.has(read)) return [];
      starts.add(read);
      return [
        {
          zone,
          stamps,
          toStart,
          fit: fitOf(clocked, toUtc, stamps, INTERVAL_MS[interval], calendar),
        },
      ];
    });
  });
  const shown = ways.filter(
    ({ fit }) => fit.opens >= SHOWN && fit.opensInSeason > CHANCE && fit.outside <= outsideMax,
  );
  const merit = ({ fit }: { readonly fit: Fit }): number => fit.opens + fit.closes;
  const [best, next] = shown.toSorted((one, other) => merit(other) - merit(one));
  const byTape = (doubt: NoReading): Clock | NoReading => {
    const [agreeing, other] = ways
      .map((way) => ({ way, share: agreementOf(series, known, way.toStart) }))
      .toSorted((one, two) => two.share - one.share);
    if (agreeing === undefined || !(agreeing.share - (other?.share ?? 0) >= AGREEING)) return doubt;
    const evidence = `${Math.round(agreeing.share * 100)} % of the prices are those that the tape has of the same time`;
    return {
      zone: zoneFinding(agreeing.way.zone, evidence),
      stamps: { value: agreeing.way.stamps, evidence, sure: 'seen' },
    };
  };
  /** Where no session is seen to begin: what the source says of its times, and a session that is seen to end. */
  const byLayoutOrTape = (): Clock | NoReading => {
    const layout = stampsStated === undefined ? layoutOf(head) : null;
    const likely = ways.filter(
      ({ stamps, fit }) => fit.outside <= outsideMax && (layout === null || stamps === layout.stamps),
    );
    const ending = isOnePage(series, interval)
      ? likely.filter(({ toStart }) =>
          series.every((own) => endsWithSession(own, toStart, interval, calendar)),
        )
      : [];
    const [found] = zones.length === 1 && layout !== null ? likely : ending;
    const others = ways.filter((way) => way !== found && way.fit.opens + way.fit.closes > CHANCE);
    if (found === undefined || (layout === null && others.length > 0) || ending.length > 1)
      return byTape(unclear(rows, zones, written, stampsStated));
    const evidence = 'the session of the rows ends at the close';
    const stampsFinding: Finding<Stamps> =
      layout === null
        ? { value: found.stamps, evidence, sure: 'seen' }
        : { value: found.stamps, evidence: `columns of ${layout.source}`, sure: 'stated' };
    return { zone: zoneFinding(found.zone, evidence), stamps: stampsFinding };
  };
  if (best === undefined) return byLayoutOrTape();
  if (next !== undefined && merit(best) - merit(next) < SHOWN) return byLayoutOrTape();
  const rival = ways.find(
    (way) => way !== best && !shown.includes(way) && way.fit.opens > CHANCE && way.fit.outside <= outsideMax,
  );
  if (rival !== undefined && merit(best) - merit(rival) < SHOWN) return byLayoutOrTape();
  // The edges of a few days whose minutes often lack are chance.
  if (isSparse(series, interval)) return byLayoutOrTape();
  if (best.zone !== DEFAULT_ZONE && zones.length > 1 && !showsSeasons)
    return byTape(
      open(
        `the clock of the first rows is that of ${best.zone}, and in another season that of other places; a packed file shows no others: ${choice('time_zone')} decides`,
      ),
    );
  const { fit } = best;
  const edges = `sessions begin at 09:30 New York on ${Math.round(fit.opens * 100)} % of the days and end at the close on ${Math.round(fit.closes * 100)} %`;
  return {
    zone: zoneFinding(best.zone, edges),
    stamps: {
      value: best.stamps,
      evidence:
        options.stamps !== undefined
          ? choice('stamps')
          : stampsStated === undefined
            ? edges
            : `column ${dateName}`,
      sure: stampsStated === undefined ? 'seen' : 'stated',
    },
  };
}

/** Hours of the clock in which a stock has rows that is traded day and night. */
const HOURS_OF_NIGHT = 22;

/** Whether rows lie in nearly every hour of the clock: then those of the night say nothing against a way to read. */
const tradesAllNight = (rows: readonly SampleRow[]): boolean =>
  new Set(rows.map(({ time }) => Math.floor(time / HOUR_MS) % 24)).size >= HOURS_OF_NIGHT;

/** Half hours by which a clock may be beside the one that is named. */
const BESIDE = Array.from({ length: 57 }, (_, at) => (at - 28) * (HOUR_MS / 2)).filter((ms) => ms !== 0);
/** Days that show by both edges where sessions lie, beside rows of extended hours. */
const EXTENDED_DAYS_MIN = 3;

const isPlaced = ({ days, whole, extended }: Season): boolean =>
  whole >= SHOWN * days && (extended === 0 || days >= EXTENDED_DAYS_MIN);

/**
 * Sessions that are seen to begin and end beside where they do by the clock that is named, in some season at least: that
 * clock is written wrong. Null where none are, or where the rows show no session.
 */
function misplacedSessions(
  clocked: readonly ClockedRows[],
  stampings: readonly Stamps[],
  written: boolean,
  { zone, by }: { readonly zone: string; readonly by: string },
  length: number,
  calendar: CsvOptions['calendar'],
): NoReading | null {
  const toUtc = written ? (time: number) => time : wallClock(zone);
  const seasonsOf = (beside: number): readonly (readonly Season[])[] =>
    stampings.map(
      (stamps) => fitOf(clocked, (time) => toUtc(time) + beside, stamps, length, calendar).seasons,
    );
  const placed = seasonsOf(0);
  const isSeen = (from: string, besideHours: boolean): boolean =>
    placed.some((seasons) =>
      seasons.some(
        (season) =>
          season.from === from &&
          (season.whole >= SHOWN * season.days || (besideHours && season.opens >= SHOWN * season.days)),
      ),
    );
  const dates = new Set(placed.flatMap((seasons) => seasons.map(({ from }) => from)));
  if (dates.size > 0 && [...dates].every((from) => isSeen(from, false))) return null;
  for (const beside of BESIDE) {
    const found = seasonsOf(beside)
      .flat()
      .find((season) => isPlaced(season) && !isSeen(season.from, season.extended > 0));
    if (found === undefined) continue;
    const begins = new Date(Date.UTC(2000, 0, 1, 9, 30) - beside).toISOString().slice(11, 16);
    return open(
      `by ${written ? 'the zone that the times name' : by}, sessions from ${found.from} on would begin at ${begins} New York: ${written ? '' : 'another '}${choice('time_zone')} (the clock that was written) decides`,
    );
  }
  return null;
}

/** The clock that the name of a column tells, as `time (UTC)` and `Gmt time` do; null without. */
function zoneInHead({ names, series }: TableHead) {
  const { date, time } = series[0]!.columnIndex;
  for (const column of [date, time]) {
    const name = names[column] ?? '';
    const zone = ZONE_NAMES.find(([form]) => form.test(name))?.[1];
    if (zone !== undefined) return { zone, by: `column ${name}` };
  }
  return null;
}

const ZONE_NAMES: readonly (readonly [RegExp, string])[] = [
  [/\b(?:utc|gmt)\b/i, 'UTC'],
  [/\b(?:et|est|edt)\b|eastern|new.york/i, DEFAULT_ZONE],
  [/\b(?:ct|cst|cdt)\b|central|chicago/i, 'America/Chicago'],
];

/** Sources that document what their times are, by the columns that they write. */
const LAYOUTS: readonly { readonly source: string; readonly stamps: Stamps; readonly columns: string }[] = [
  { source: 'Alpaca and Massive', stamps: 'start', columns: 't o h l c v vw' },
  { source: 'alpaca-py', stamps: 'start', columns: 'timestamp open high low close volume trade_count vwap' },
  {
    source: 'Interactive Brokers',
    stamps: 'start',
    columns: 'date open high low close volume average barCount',
  },
  {
    source: 'yfinance',
    stamps: 'start',
    columns: 'Datetime Open High Low Close Volume Dividends Stock_Splits',
  },
];

const TWELVE_DATA = { source: 'Twelve Data', stamps: 'start' as Stamps };

function layoutOf({ names, delimiter }: TableHead) {
  const written = names.map((name) => name.trim().replace(' ', '_'));
  const listed = written.filter((name) => !/^(?:symbol|currency)$/.test(name)).join(' ');
  const isTwelveData = delimiter === ';' || written.includes('currency');
  if (isTwelveData && listed === 'datetime open high low close volume') return TWELVE_DATA;
  return LAYOUTS.find(({ columns }) => columns.split(' ').every((name) => written.includes(name))) ?? null;
}

/** Share of neighbours that are a bar apart, days, and hours a day, below which edges may be seen by chance. */
const DENSE = 0.6;
const SPARSE_DAYS_MIN = 20;
const FEW_HOURS_MS = 3 * HOUR_MS;
/** Of fewer gaps no share is taken. */
const GAPS_MIN = 4;
/** A page of a session: rows enough, and hardly one missing. */
const PAGE_ROWS_MIN = 20;
const PAGE_DENSE = 0.8;

/** The share of neighbours within a day that are one bar apart; 1 of too few to say. */
function densityOf(rows: readonly SampleRow[], interval: Interval): number {
  const gaps = rows
    .slice(1)
    .flatMap(({ time, day }, at) => (day === rows[at]!.day ? [time - rows[at]!.time] : []));
  return gaps.length < GAPS_MIN ? 1 : gaps.filter((gap) => gap <= INTERVAL_MS[interval]).length / gaps.length;
}

const isSparse = (series: readonly (readonly SampleRow[])[], interval: Interval): boolean =>
  series.every((rows) => {
    const days = new Set(rows.map(({ day }) => day)).size;
    const areFewHours = interval === '1h' && days > 2 && rows.length * HOUR_MS < days * FEW_HOURS_MS;
    return days < SPARSE_DAYS_MIN && (areFewHours || densityOf(rows, interval) < DENSE);
  });

const isOnePage = (series: readonly (readonly SampleRow[])[], interval: Interval): boolean =>
  series.every(
    (rows) =>
      rows.length >= PAGE_ROWS_MIN &&
      rows[0]!.day === rows.at(-1)!.day &&
      densityOf(rows, interval) >= PAGE_DENSE,
  );

/** Rows by whose medians the trade before a close is told from that behind it, and how much more it is. */
const EDGE_ROWS = 10;
const EDGE_DROP = 4;

/** Whether rows of one day reach the close of its session, and none comes behind it or next to nothing is traded there. */
function endsWithSession(
  rows: readonly SampleRow[],
  toStart: (time: number) => number,
  interval: Interval,
  calendar: CsvOptions['calendar'],
): boolean {
  const starts = rows.map(({ time }) => toStart(time));
  const session = calendar.sessionHolding(starts[0]!);
  if (session === null) return false;
  const last = starts.findLastIndex((start) => start < session.close);
  if (last < 0 || starts[last]! + INTERVAL_MS[interval] !== session.close) return false;
  const volumes = rows.map(({ volume }) => volume);
  const behind = volumes.slice(last + 1, last + 1 + EDGE_ROWS);
  const before = volumes.slice(Math.max(last + 1 - EDGE_ROWS, 0), last + 1);
  if (behind.length === 0) return true;
  const [inside, outside] = [
    Math.min(medianOf(before), volumes[last]!),
    Math.max(medianOf(behind), behind[0]!),
  ];
  return inside > EDGE_DROP * outside;
}

export const medianOf = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;

function clockedRows(rows: readonly SampleRow[]): ClockedRows {
  return {
    time: Float64Array.from(rows, (row) => row.time),
    volume: Float64Array.from(rows, (row) => row.volume),
  };
}

function unclear(
  rows: readonly SampleRow[],
  zones: readonly string[],
  written: boolean,
  stamps: Stamps | undefined,
): NoReading {
  const clocks = rows.map(({ time }) => ((time % DAY_MS) + DAY_MS) % DAY_MS);
  const clock = (ms: number): string => new Date(ms).toISOString().slice(11, 16);
  const range = `times from ${clock(clocks.reduce((a, b) => Math.min(a, b), DAY_MS))} to ${clock(clocks.reduce((a, b) => Math.max(a, b), 0))}`;
  const choices = [];
  if (!written && zones.length > 1)
    choices.push(`${choice('time_zone')} (the clock, e.g. America/New_York or UTC)`);
  if (stamps === undefined) choices.push(`${choice('stamps', 'start|end')} (what a time is of its bar)`);
  return open(
    `${range}${written ? ' UTC' : ''} do not show where a session begins: state ${choices.join(' and ')}`,
  );
}

/**
 * Whether times may be the starts or ends of hours: all on one grid but for the edges of a session, or those of a session
 * counted from its open and the others on one grid.
 */
function areHours(times: readonly number[], stamps: Stamps, calendar: CsvOptions['calendar']): boolean {
  const placed = times.map((time) => {
    const session = calendar.sessionHolding(stamps === 'end' ? time - 1 : time);
    const isEdge = session === null || time === session.open || time === session.close;
    const isWithin = session !== null && time > session.open && time < session.close;
    return {
      grid: time % HOUR_MS,
      isEdge,
      isCounted: isWithin && (time - session.open) % HOUR_MS === 0,
      isWithin,
    };
  });
  const gridsOf = (rows: typeof placed): number => new Set(rows.map(({ grid }) => grid)).size;
  const inner = placed.filter(({ isEdge }) => !isEdge);
  if (gridsOf(inner) <= 1) return true;
  return (
    gridsOf(inner.filter(({ isWithin }) => !isWithin)) <= 1 &&
    inner.every((row) => !row.isWithin || row.isCounted)
  );
}

export function endedHours(
  rows: readonly SampleRow[],
  toUtc: (time: number) => number,
  { calendar }: CsvOptions,
): EndedHours | NoReading {
  const ends = rows.map(({ time }) => toUtc(time));
  const grid = modeOf(ends.map((end) => end % HOUR_MS));
  const isRegular = ends.every((end) => {
    const session = calendar.sessionHolding(end - 1);
    return session === null || (end > session.open && end - HOUR_MS < session.close);
  });
  if (grid === 0 || isRegular) return { grid, isRegular };
  const example =
    'hours of the extended session that end between the hours: export regular hours, or times of the start';
  return { reason: 'unknown_format', example };
}

/** By what share of the prices one way to read must agree with the tape better than any other. */
const AGREEING = 0.7;

/** The share of the rows that agree with the tape when read so; 0 where it has none of them. */
function agreementOf(
  series: readonly (readonly SampleRow[])[],
  known: readonly Known[],
  toStart: (time: number) => number,
): number {
  const shares = known.map((one, at) =>
    shareAgreeing(
      series[at]!.map(({ time, close }) => ({ time: toStart(time), close })),
      one,
    ),
  );
  const counted = shares.filter((value) => !Number.isNaN(value));
  return counted.length === 0 ? 0 : counted.reduce((sum, value) => sum + value, 0) / counted.length;
}
