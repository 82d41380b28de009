import { DAY_MS, dateOf, midnightUtc, midnightUtcOf } from '../../base/dates.ts';
import type { EarningsDate, EarningsReport, ReportTime } from '../facts.ts';
import { endOfDayNewYork } from './fact-times.ts';
import type { RefusalTally } from './refusal-tally.ts';
import type { Place } from './reference-fact-gatherer.ts';
import {
  type JsonObject,
  jsonList,
  numberIn,
  provenFiles,
  type Row,
  type SourceFile,
  symbolOf,
  tableRows,
  textIn,
} from './reference-source.ts';
import type { SplitFactor } from './reference-splits.ts';

/** What one file says of results: those that are out, and those that are awaited. */
export interface ToldResults {
  readonly reports: readonly ToldReport[];
  readonly awaited: readonly AwaitedReport[];
}

export interface ToldReport {
  readonly symbol: string;
  readonly report: EarningsReport;
  readonly place: Place;
}

export interface AwaitedReport {
  readonly symbol: string;
  readonly knownAt: number;
  readonly expected: EarningsDate;
  readonly place: Place;
}

type ReadResults = (source: SourceFile, tally: RefusalTally) => Promise<ToldResults>;

/** A quarter's revenue above this is not in dollars: no company has had a third of it. */
const REVENUE_MAX = 1e12;

const EPS_HISTORY = ['symbol', 'date', 'eps_est', 'eps', 'release_time'];
/**
 * The share basis of `eps_history_2012_2018`, which bears no date: the splits of ROL (2018-12-11) and before are in its
 * figures, that of CNC (2019-02-07) and after are not.
 */
export const EPS_HISTORY_BASIS = '2019-01-01';

/**
 * `eps_history_*.csv`: dates as m/d/yy; the column of quarters is mangled by a spreadsheet and not read. Figures of
 * before a known split are brought back to the shares of their day and count as `repaired`.
 */
export async function readEpsHistory(
  source: SourceFile,
  tally: RefusalTally,
  splitFactor: SplitFactor,
): Promise<ToldResults> {
  const reports: ToldReport[] = [];
  for (const row of await tableRows(source, EPS_HISTORY, tally)) {
    const symbol = row.text('symbol');
    const report = reportOf(spreadsheetDate(row.text('date')), timeOf(row.text('release_time')));
    const factor = splitFactor(symbol ?? '', report.date, EPS_HISTORY_BASIS);
    if (factor !== 1) tally.note('repaired', row.where, row.example);
    const epsEstimate = asReported(row.number('eps_est'), factor);
    const epsActual = asReported(row.number('eps'), factor);
    takeReport(reports, symbol, { ...report, epsEstimate, epsActual }, row, tally);
  }
  return { reports, awaited: [] };
}

/** Dollars a share before the split, without the noise of the multiplication. */
function asReported(eps: number | null, factor: number): number | null {
  return eps === null || factor === 1 ? eps : Number((eps * factor).toPrecision(12));
}

const QUARTERLY = [
  'ticker',
  'quarter_end',
  'announce_date',
  'eps_estimate',
  'eps_actual',
  'revenue_estimate',
  'revenue_actual',
];

/**
 * `earnings_history_quarterly.csv`: rows without an actual are awaited. The file bears no date; since none of the
 * awaited results is in it, they are taken to be known from the eve of the first of them.
 */
export const readQuarterlyHistory: ReadResults = async (source, tally) => {
  const reports: ToldReport[] = [];
  const awaited: AwaitedReport[] = [];
  const rows = await tableRows(source, QUARTERLY, tally);
  const knownAt = endOfDayNewYork(eveOf(firstAwaited(rows)));
  for (const row of rows) {
    const ticker = row.text('ticker');
    const found = symbolOf(ticker);
    // Before the figures, which in a foreign listing are of another currency.
    if ('reason' in found) {
      tally.note(found.reason, row.where, row.example);
      continue;
    }
    const report = {
      ...reportOf(row.text('announce_date'), 'unknown'),
      periodEnd: row.text('quarter_end'),
      epsEstimate: row.number('eps_estimate'),
      epsActual: row.number('eps_actual'),
      revenueEstimate: revenueOf(row, 'revenue_estimate', tally),
      revenueActual: revenueOf(row, 'revenue_actual', tally),
    };
    if (report.epsActual !== null) takeReport(reports, ticker, report, row, tally);
    else takeAwaited(awaited, ticker, knownAt, expectedOf(report, false), row, tally);
  }
  return { reports, awaited };
};

function firstAwaited(rows: readonly Row[]): string {
  const dates = rows
    .filter((row) => row.text('eps_actual') === null)
    .map((row) => row.text('announce_date') ?? '');
  return dates.sort()[0] ?? '';
}

const RECENT = ['symbol', 'report_date', 'eps_estimate', 'eps_actual'];

/** `eps_recent_*.csv`: reports without their time of day. */
export const readRecentEps: ReadResults = async (source, tally) => {
  const reports: ToldReport[] = [];
  for (const row of await tableRows(source, RECENT, tally)) {
    const report = {
      ...reportOf(row.text('report_date'), 'unknown'),
      epsEstimate: row.number('eps_estimate'),
      epsActual: row.number('eps_actual'),
    };
    takeReport(reports, row.text('symbol'), report, row, tally);
  }
  return { reports, awaited: [] };
};

const CALENDAR = [...RECENT, 'session', 'revenue_estimate', 'revenue_actual', 'date_check'];

/**
 * `earnings_calendar_YYYY-MM-DD.csv`: the date in its name is the day on which it was taken. Rows after it are awaited,
 * confirmed where two sources agree; a row before it without an actual tells nothing that happened.
 */
export const readCalendar: ReadResults = async (source, tally) => {
  const reports: ToldReport[] = [];
  const awaited: AwaitedReport[] = [];
  const taken = /\d{4}-\d{2}-\d{2}/.exec(source.key)?.[0] ?? '';
  for (const row of await tableRows(source, CALENDAR, tally)) {
    const report = {
      ...reportOf(row.text('report_date'), timeOf(row.text('session'))),
      epsEstimate: row.number('eps_estimate'),
      epsActual: row.number('eps_actual'),
      revenueEstimate: revenueOf(row, 'revenue_estimate', tally),
      revenueActual: revenueOf(row, 'revenue_actual', tally),
    };
    const symbol = row.text('symbol');
    if (report.date > taken) {
      const expected = expectedOf(report, row.text('date_check') === 'both');
      takeAwaited(awaited, symbol, endOfDayNewYork(taken), expected, row, tally);
    } else if (report.epsActual === null) tally.note('missing_value', row.where, row.example);
    else takeReport(reports, symbol, report, row, tally);
  }
  return { reports, awaited };
};

/**
 * `earnings_calendar_YYYY-MM.json`: a week of events, taken on the newest day that has an actual. Events after it are
 * awaited; one on or before it without an actual tells nothing that happened.
 */
export const readCalendarJson: ReadResults = async (source, tally) => {
  const reports: ToldReport[] = [];
  const awaited: AwaitedReport[] = [];
  for await (const file of provenFiles(source, tally)) {
    const events = await jsonList(file, tally);
    const taken = newestActual(events);
    for (const [index, event] of events.entries()) {
      const place = { where: `${file.where}:${index + 1}`, example: JSON.stringify(event) };
      const report = reportOfEvent(event);
      const symbol = textIn(event, 'symbol');
      if (report.date > taken) {
        takeAwaited(awaited, symbol, endOfDayNewYork(taken), expectedOf(report, false), place, tally);
      } else if (report.epsActual === null) tally.note('missing_value', place.where, place.example);
      else takeReport(reports, symbol, report, place, tally);
    }
  }
  return { reports, awaited };
};

function newestActual(events: readonly JsonObject[]): string {
  const out = events.filter((event) => numberIn(event, 'eps') !== null);
  return (
    out
      .map((event) => textIn(event, 'date') ?? '')
      .sort()
      .at(-1) ?? ''
  );
}

function reportOfEvent(event: JsonObject): EarningsReport {
  return {
    ...reportOf(textIn(event, 'date'), timeOf(textIn(event, 'time'))),
    periodEnd: textIn(event, 'fiscalDateEnding'),
    epsEstimate: numberIn(event, 'epsEstimated'),
    epsActual: numberIn(event, 'eps'),
    revenueEstimate: numberIn(event, 'revenueEstimated'),
    revenueActual: numberIn(event, 'revenue'),
  };
}

/** `sec_8k_item202_dates.csv`: that results were filed on a day, and no figure. */
export const readResultsFilings: ReadResults = async (source, tally) => {
  const reports: ToldReport[] = [];
  for (const row of await tableRows(source, ['symbol', 'filing_date'], tally)) {
    takeReport(reports, row.text('symbol'), reportOf(row.text('filing_date'), 'unknown'), row, tally);
  }
  return { reports, awaited: [] };
};

/** A row of `finnhub_surprise_earnings_*.csv`, which names a period and no announcement. */
export interface PeriodSurprise {
  readonly symbol: string;
  readonly period: string;
  readonly epsEstimate: number | null;
  readonly epsActual: number | null;
  readonly place: Place;
}

export async function readSurprises(source: SourceFile, tally: RefusalTally): Promise<PeriodSurprise[]> {
  const surprises: PeriodSurprise[] = [];
  for (const row of await tableRows(source, ['symbol', 'period', 'actual', 'estimate'], tally)) {
    const found = symbolOf(row.text('symbol'));
    const period = row.text('period') ?? '';
    if ('reason' in found) tally.note(found.reason, row.where, row.example);
    else if (Number.isNaN(midnightUtc(period))) tally.note('bad_time', row.where, row.example);
    else {
      const place = { where: row.where, example: row.example };
      const [epsEstimate, epsActual] = [row.number('estimate'), row.number('actual')];
      surprises.push({ symbol: found.symbol, period, epsEstimate, epsActual, place });
    }
  }
  return surprises;
}

/** A report of which only date and time are known; a date that is none stays and is refused. */
export function reportOf(date: string | null, time: ReportTime): EarningsReport {
  return {
    date: date ?? '',
    time,
    periodEnd: null,
    epsEstimate: null,
    epsActual: null,
    revenueEstimate: null,
    revenueActual: null,
  };
}

function takeReport(
  reports: ToldReport[],
  ticker: string | null,
  report: EarningsReport,
  { where, example }: Place,
  tally: RefusalTally,
): void {
  const found = symbolOf(ticker);
  if ('reason' in found) tally.note(found.reason, where, example);
  // The date orders reports before any door sees them.
  else if (Number.isNaN(midnightUtc(report.date))) tally.note('bad_time', where, example);
  else reports.push({ symbol: found.symbol, report, place: { where, example } });
}

function takeAwaited(
  awaited: AwaitedReport[],
  ticker: string | null,
  knownAt: number,
  expected: EarningsDate,
  { where, example }: Place,
  tally: RefusalTally,
): void {
  const found = symbolOf(ticker);
  if ('reason' in found) tally.note(found.reason, where, example);
  else awaited.push({ symbol: found.symbol, knownAt, expected, place: { where, example } });
}

function expectedOf(report: EarningsReport, confirmed: boolean): EarningsDate {
  const { date, time, epsEstimate, revenueEstimate } = report;
  return { date, time, status: confirmed ? 'confirmed' : 'projected', epsEstimate, revenueEstimate };
}

function timeOf(word: string | null): ReportTime {
  if (word === 'pre' || word === 'bmo') return 'pre_market';
  return word === 'post' || word === 'amc' ? 'post_market' : 'unknown';
}

/** Revenue in dollars; null, counted as `repaired`, where the figure shows that it is in another currency. */
function revenueOf(row: Row, column: string, tally: RefusalTally): number | null {
  const revenue = row.number(column);
  if (revenue === null || !(revenue > REVENUE_MAX)) return revenue;
  tally.note('repaired', row.where, row.example);
  return null;
}

/** `7/16/12` as 2012-07-16; what is written otherwise stays as it is. */
function spreadsheetDate(text: string | null): string | null {
  const [month, day, year] = text?.match(/^\d{1,2}\/\d{1,2}\/\d{2}$/) ? text.split('/').map(Number) : [];
  const midnight = midnightUtcOf(2000 + (year ?? Number.NaN), month ?? Number.NaN, day ?? Number.NaN);
  return Number.isNaN(midnight) ? text : dateOf(midnight);
}

function eveOf(date: string): string {
  const midnight = midnightUtc(date);
  return Number.isNaN(midnight) ? '' : dateOf(midnight - DAY_MS);
}
