import { factOf } from '../fact-keys.ts';
import type { AnyFact, ReportTime } from '../facts.ts';
import { type Books, fundamentalsOf } from './simulated-books.ts';
import { nightNews } from './simulated-company-path.ts';
import {
  bellOf,
  HOUR_MS,
  type Life,
  MINUTE_MS,
  rounded,
  rowAt,
  sharesOn,
  streamOf,
  traitOf,
} from './simulated-life.ts';
import { quarterEnd } from './simulated-timeline.ts';

/** One quarterly report: what is announced of it beforehand, when it comes, and what the price makes of it. */
export interface Report {
  /** The session that opens on the results. */
  readonly session: number;
  /** The fiscal quarter that is reported. */
  readonly quarter: number;
  /** The date of the announcement: that of `session` before its open, the one before after its close. */
  readonly date: string;
  readonly time: ReportTime;
  /** When the results are out, and when the statements are filed: after the close of `session`. */
  readonly knownAt: number;
  readonly filedAt: number;
  /** From when on the company says the date, and from when on a vendor guesses it. */
  readonly confirmedAt: number;
  readonly projectedAt: number;
  readonly projectedDate: string;
  /** Standard normal: the surprise that also moves the price. */
  readonly shock: number;
}

const CONFIRMED_SESSIONS_BEFORE = 10;
/** A vendor's guess is off by up to so many sessions. */
const GUESS_OFF_SESSIONS = 3;
const AFTER_CLOSE_CHANCE = 0.55;

/** Every report of the company that the schedule holds, the coming one included; in the order of time. */
export function reportsOf(life: Life): Report[] {
  const { company, schedule, path } = life;
  const { sessions, day } = schedule;
  const afterClose = traitOf(life, 'report time') < AFTER_CLOSE_CHANCE;
  const guess = streamOf(life, 'report date guess');
  const minutes = streamOf(life, 'report minute');
  const reports: Report[] = [];
  // Its first report comes when a company has been listed for two weeks at least.
  for (let s = path.firstSession + CONFIRMED_SESSIONS_BEFORE; s < day.length; s++) {
    if (day[s]! >= company.delistingDay) break;
    if (schedule.sessionOfQuarter[s] !== company.reportSession) continue;
    const announced = afterClose ? s - 1 : s;
    const off = Math.floor(guess(day[s]!).uniform() * (2 * GUESS_OFF_SESSIONS + 1)) - GUESS_OFF_SESSIONS;
    const { open, close, tradeDate } = sessions[announced]!;
    const minute = Math.floor(20 * minutes(day[s]!).uniform());
    reports.push({
      session: s,
      quarter: schedule.quarter[s]! - 1,
      date: tradeDate,
      time: afterClose ? 'post_market' : 'pre_market',
      knownAt: afterClose ? close + (5 + minute) * MINUTE_MS : open - (150 - 5 * minute) * MINUTE_MS,
      filedAt: sessions[s]!.close + 35 * MINUTE_MS,
      confirmedAt: sessions[s - CONFIRMED_SESSIONS_BEFORE]!.preOpen + 3 * HOUR_MS,
      projectedAt: reports.at(-1)?.filedAt ?? sessions[path.firstSession]!.preOpen,
      projectedDate: sessions[Math.min(announced + off, day.length - 1)]!.tradeDate,
      shock: nightNews(life.seed, company.symbol, day[s]!).shock,
    });
  }
  return reports;
}

/** What analysts expect of a quarter, and what came. */
export interface Results {
  readonly epsEstimate: number;
  readonly epsActual: number;
  readonly revenueEstimate: number;
  readonly revenueActual: number;
}

/**
 * The results of a report on the share basis of an instant; null while they lie beyond the path. Surprises have a part
 * that stays with the company, so that its beats and misses cluster, and a part that the price answers to on the day.
 */
export function resultsOf(life: Life, books: Books, report: Report, instant: number): Results | null {
  const quarter = books.get(report.quarter);
  const row = rowAt(life, instant);
  if (quarter === undefined || row === null) return null;
  const shares = sharesOn(life, row);
  const eps = quarter.netIncome / shares;
  const noise = streamOf(life, 'surprise')(report.session);
  const surprise = 0.025 + 0.04 * bellOf(life, 'surprise bias') + 0.04 * report.shock + 0.02 * noise.normal();
  // Of a result near zero a percentage says nothing; surprises are then measured by what the sales would carry.
  const scale = Math.max(Math.abs(eps), (0.02 * quarter.revenue) / shares);
  const revenueSurprise = 0.3 * surprise + 0.006 * noise.normal();
  return {
    epsActual: rounded(eps, 2),
    epsEstimate: rounded(eps - surprise * scale, 2),
    revenueActual: Math.round(quarter.revenue),
    revenueEstimate: Math.round(quarter.revenue / (1 + revenueSurprise)),
  };
}

/** Dates, results, statements and share counts of every report of the list. */
export function earningsFacts(life: Life, books: Books, reports: readonly Report[]): AnyFact[] {
  return reports.flatMap((report) => {
    const { date, time, confirmedAt, projectedAt, projectedDate, knownAt, filedAt, quarter } = report;
    const projectedRow = rowAt(life, projectedAt);
    // While the quarter still runs, all that can be expected is last year's with the company's growth.
    const growth = 1.05 + 0.03 * bellOf(life, 'growth');
    const yearAgo = projectedRow === null ? undefined : books.get(quarter - 4);
    const facts = [
      factOf('earnings_date', projectedAt, {
        date: projectedDate,
        time,
        status: 'projected',
        epsEstimate:
          yearAgo === undefined
            ? null
            : rounded((growth * yearAgo.netIncome) / sharesOn(life, projectedRow!), 2),
        revenueEstimate: yearAgo === undefined ? null : Math.round(growth * yearAgo.revenue),
      }),
    ];
    if (rowAt(life, confirmedAt) !== null) {
      const { epsEstimate = null, revenueEstimate = null } =
        resultsOf(life, books, report, confirmedAt) ?? {};
      const status = 'confirmed';
      facts.push(factOf('earnings_date', confirmedAt, { date, time, status, epsEstimate, revenueEstimate }));
    }
    const results = resultsOf(life, books, report, knownAt);
    if (results !== null) {
      const periodEnd = quarterEnd(quarter);
      facts.push(factOf('earnings_report', knownAt, { date, time, periodEnd, ...results }));
    }
    const row = rowAt(life, filedAt);
    const statement = row === null ? null : fundamentalsOf(life, books, quarter, row);
    if (row !== null && statement !== null) {
      facts.push(factOf('fundamentals', filedAt, statement), sharesFact(life, row, filedAt));
    }
    return facts;
  });
}

/** The share count of a row, and the part of it that insiders do not hold. */
export function sharesFact(life: Life, row: number, knownAt: number): AnyFact {
  const outstanding = sharesOn(life, row);
  const float = Math.round(outstanding * (0.72 + 0.27 * traitOf(life, 'float')));
  return factOf('shares', knownAt, { outstanding, float });
}
