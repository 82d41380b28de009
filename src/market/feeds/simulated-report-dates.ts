import type { ReportTime } from '../facts.ts';
import { nightNews } from './simulated-company-path.ts';
import { HOUR_MS, type Life, MINUTE_MS, streamOf, traitOf } from './simulated-life.ts';
import { quarterEnd } from './simulated-schedule.ts';

/** One quarterly report: what is announced of it beforehand, when it comes, and what the price makes of it. */
export interface Report {
  /** The session that opens on the results. */
  readonly session: number;
  /** The session on whose date they are announced: the same before its open, the one before after its close. */
  readonly announced: number;
  readonly time: ReportTime;
  readonly date: string;
  /** When the results are out. */
  readonly knownAt: number;
  /** When the statements are filed: after the close of `session`. */
  readonly filedAt: number;
  /** The fiscal quarter that is reported, and its last date. */
  readonly quarter: number;
  readonly periodEnd: string;
  /** From when on the company says the date, two weeks before it. */
  readonly confirmedAt: number;
  /** From when on a vendor guesses the date, and its guess. */
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
  const afterClose = traitOf(life, 'report time') < AFTER_CLOSE_CHANCE;
  const guess = streamOf(life, 'report date guess');
  const minutes = streamOf(life, 'report minute');
  const reports: Report[] = [];
  const first = path.firstSession;
  // Its first report comes when a company has been listed for two weeks at least.
  for (let session = first + CONFIRMED_SESSIONS_BEFORE; session < schedule.day.length; session++) {
    const day = schedule.day[session]!;
    if (day >= company.delistingDay) break;
    if (schedule.sessionOfQuarter[session] !== company.reportSession) continue;
    const announced = afterClose ? session - 1 : session;
    const off = Math.floor(guess(day).uniform() * (2 * GUESS_OFF_SESSIONS + 1)) - GUESS_OFF_SESSIONS;
    const { open, close, tradeDate } = schedule.sessions[announced]!;
    const minute = Math.floor(20 * minutes(day).uniform());
    const quarter = schedule.quarter[session]! - 1;
    reports.push({
      session,
      announced,
      time: afterClose ? 'post_market' : 'pre_market',
      date: tradeDate,
      knownAt: afterClose ? close + (5 + minute) * MINUTE_MS : open - (150 - 5 * minute) * MINUTE_MS,
      filedAt: schedule.sessions[session]!.close + 35 * MINUTE_MS,
      quarter,
      periodEnd: quarterEnd(quarter),
      confirmedAt: schedule.sessions[session - CONFIRMED_SESSIONS_BEFORE]!.preOpen + 3 * HOUR_MS,
      projectedAt: reports.at(-1)?.filedAt ?? schedule.sessions[first]!.preOpen,
      projectedDate: schedule.sessions[Math.min(announced + off, schedule.day.length - 1)]!.tradeDate,
      shock: nightNews(life.seed, company.symbol, day).shock,
    });
  }
  return reports;
}
