import { DAY_MS, midnightUtc } from '../../base/dates.ts';
import type { RefusalTally } from './refusal-tally.ts';
import { type PeriodSurprise, reportOf, type ToldReport } from './reference-told-results.ts';

/**
 * Filings of results on Form 8-K, item 2.02: the one list that reaches over all years, but of filings and not of
 * quarters. Pre-announcements, corrections and monthly sales are filed under the same item.
 */

/** Two announcements closer than this are of the same quarter: quarters are reported 60 to 125 days apart. */
export const SAME_QUARTER_DAYS = 45;
/** One report's dates in two files differ by at most this: a filing follows its release by days. */
export const SAME_REPORT_DAYS = 7;

/** The newest date that the files of the origin of `finnhub_*_2023` bear. */
const SURPRISES_TAKEN = '2023-07-28';
/** The newest results of a company that still reports are no older than a quarter and its lateness. */
const NEWEST_WITHIN_DAYS = 100;
/** A quarter is announced within this after its end. */
const ANNOUNCED_WITHIN_DAYS = 75;
const BETWEEN_QUARTERS = { min: 60, max: 125 };

/**
 * Filings that stand for a quarter's results, oldest first. Of filings closer together than `SAME_QUARTER_DAYS` the
 * last is the report and those before it announced it; a longer chain of them is a company that files every month,
 * of which nobody can tell the quarters, and all of it is refused. What is left out counts as `duplicate`.
 *
 * @param filings of one symbol, in ascending date
 */
export function quarterlyFilings(filings: readonly ToldReport[], tally: RefusalTally): ToldReport[] {
  const kept: ToldReport[] = [];
  let chain: ToldReport[] = [];
  const finish = (): void => {
    const last = chain.at(-1);
    const isOneQuarter = last !== undefined && daysBetween(chain[0]!, last) < SAME_QUARTER_DAYS;
    for (const filing of isOneQuarter ? chain.slice(0, -1) : chain) refuse(filing, tally);
    if (isOneQuarter) kept.push(last);
    chain = [];
  };
  for (const filing of filings) {
    if (chain.length > 0 && daysBetween(chain.at(-1)!, filing) >= SAME_QUARTER_DAYS) finish();
    chain.push(filing);
  }
  finish();
  return kept;
}

/**
 * Surprises of one symbol as reports on the dates of their filings. The vendor's period is the quarter's end for
 * companies whose year is the calendar's; for the others it is a label, fiscal year and quarter written as a calendar
 * quarter, and lies up to eleven months after the true end (NVDA's quarter to April 2023 is `2024-03-31`). Hence:
 *
 * - the newest period has a filing after it: the periods are true, and each takes the filing that follows it;
 * - no filing lies after the newest period: labels run ahead, and rows and filings pair off backwards from the newest,
 *   as long as the filings lie a quarter apart.
 *
 * A row without a filing is refused as `missing_value`: results of which nobody knows the day are of no use.
 *
 * @param filings quarterly ones, ascending
 */
export function datedSurprises(
  surprises: readonly PeriodSurprise[],
  filings: readonly ToldReport[],
  tally: RefusalTally,
): ToldReport[] {
  const newestFirst = surprises.toSorted((a, b) => (a.period < b.period ? 1 : -1));
  const dates = filings.map(({ report }) => report.date).filter((date) => date <= SURPRISES_TAKEN);
  const dateOfRow = announcements(newestFirst, dates.reverse());
  return newestFirst.flatMap(({ symbol, epsEstimate, epsActual, place }, index) => {
    const date = dateOfRow[index] ?? null;
    if (date === null) {
      tally.note('missing_value', place.where, place.example);
      return [];
    }
    return [{ symbol, report: { ...reportOf(date, 'unknown'), epsEstimate, epsActual }, place }];
  });
}

/** For each row, newest first, its announcement, or nothing. `dates` newest first. */
function announcements(rows: readonly PeriodSurprise[], dates: readonly string[]): (string | null)[] {
  const newest = dates[0];
  const period = rows[0]?.period;
  if (newest === undefined || period === undefined) return [];
  if (days(newest, SURPRISES_TAKEN) > NEWEST_WITHIN_DAYS) return [];
  if (newest > period) return rows.map((row) => announcedAfter(row.period, dates));
  const unbroken = dates.findIndex((date, index) => {
    const apart = index === 0 ? BETWEEN_QUARTERS.min : days(date, dates[index - 1]!);
    return apart < BETWEEN_QUARTERS.min || apart > BETWEEN_QUARTERS.max;
  });
  return dates.slice(0, unbroken < 0 ? dates.length : unbroken);
}

function announcedAfter(period: string, dates: readonly string[]): string | null {
  return dates.find((date) => date > period && days(period, date) <= ANNOUNCED_WITHIN_DAYS) ?? null;
}

const refuse = ({ place }: ToldReport, tally: RefusalTally): void =>
  tally.note('duplicate', place.where, place.example);

export const daysBetween = (earlier: ToldReport, later: ToldReport): number =>
  days(earlier.report.date, later.report.date);

const days = (from: string, to: string): number => (midnightUtc(to) - midnightUtc(from)) / DAY_MS;
