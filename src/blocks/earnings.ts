import type { Static } from 'typebox';
import {
  beatRate,
  consecutiveBeats,
  normalizedSurprise,
  outcome,
  type Result,
  SURPRISE_CATEGORIES,
  surpriseCategory,
  surprisePct,
  surpriseZscore,
} from '../analysis/earnings-surprise.ts';
import { ofReports } from '../analysis/reported-figures.ts';
import { DAY_MS, midnightUtc } from '../base/dates.ts';
import { onceFor } from '../base/once-for.ts';
import * as wire from '../base/schema.ts';
import { finiteOrNull } from '../base/wire.ts';
import type { EarningsReport } from '../market/facts.ts';
import type { StockView } from '../market/stock-view.ts';
import { nestedBlock } from './block.ts';

const Quarter = wire.record('EarningsQuarter', 'The announced results of one quarter.', {
  date: wire.date('Date of the announcement.'),
  eps_actual: wire.nullableNumber('Earnings a share, USD.'),
  eps_estimate: wire.nullableNumber('What analysts expected, USD; null without estimates.'),
  revenue_actual: wire.nullableNumber('Revenue, USD.'),
  revenue_estimate: wire.nullableNumber('What analysts expected, USD; null without estimates.'),
  surprise_pct: wire.nullableNumber('((actual - estimate) / abs(estimate)) * 100 of EPS, percent.'),
});

const Earnings = wire.record(
  'Earnings',
  'The earnings calendar and the record of surprises.',
  {
    days_until: wire.nullableInteger('Days to next earnings.'),
    cleared: wire.flag('True when more than 3 days past the most recent earnings.'),
    surprise_pct: wire.nullableNumber('((actual - estimate) / abs(estimate)) * 100, percent.'),
    surprise_zscore: wire.nullableNumber(
      'Latest surprise versus the distribution of the 8 quarters before it; null with fewer than 4 of them or no deviation.',
    ),
    consecutive_beats: wire.withDefault(wire.integer('Positive for beats, negative for misses.'), 0),
    beat_rate_8q: wire.nullableNumber(
      'Share of the last 8 quarters that beat the estimate; null with fewer than 4.',
      wire.FRACTION,
    ),
    surprise_category: wire.nullableOneOf(SURPRISE_CATEGORIES, 'Band of the latest surprise.'),
    normalized_surprise: wire.nullableString(
      'Band of the z-score: EXCEPTIONAL_BEAT, STRONG_BEAT, MODEST_BEAT, INLINE, MODEST_MISS, STRONG_MISS, EXCEPTIONAL_MISS.',
    ),
    revenue_eps_aligned: wire.flag('True when EPS and revenue both beat or both miss.'),
    quarters: wire.listOf(Quarter, 'The last eight quarters with results, oldest first.'),
  },
  [],
);

/** Days after results until the stock trades on other news. */
export const CLEARED_AFTER_DAYS = 3;

/** Two years, as the rate of beats. */
const QUARTERS_SHOWN = 8;

/** Results up to this many days before an expected date are the expected ones. */
const EARLY_DAYS = 45;

/** The next results and the record of past ones. Null when none are known, past or future. */
export const earnings = nestedBlock({
  name: 'earnings',
  schema: Earnings,
  derive: ofReports((view) => {
    const latest = announcedReports(view).at(-1) ?? null;
    const daysUntil = daysUntilNext(view, latest);
    if (latest === null && daysUntil === null) return null;
    const quarters = reportedQuarters(view);
    const eps = quarters.map(epsResult);
    const surprises = eps.map(surprisePct);
    const zscore = surpriseZscore(surprises);
    const surprise = surprises.at(-1) ?? Number.NaN;
    const newest = quarters.at(-1);
    return {
      days_until: daysUntil,
      cleared: latest !== null && daysBetween(latest.date, view.tradeDate) > CLEARED_AFTER_DAYS,
      surprise_pct: finiteOrNull(surprise),
      surprise_zscore: finiteOrNull(zscore),
      consecutive_beats: consecutiveBeats(eps),
      beat_rate_8q: finiteOrNull(beatRate(eps)),
      surprise_category: surpriseCategory(surprise),
      normalized_surprise: normalizedSurprise(zscore),
      revenue_eps_aligned: newest !== undefined && isAligned(newest),
      quarters: quarters.slice(-QUARTERS_SHOWN).map(wireQuarter),
    };
  }),
});

/** Of the block what changes from one date to the next, and the newest surprise. */
export function newestResults(view: Pick<StockView, 'facts' | 'tradeDate'>) {
  const newest = reportedQuarters(view).at(-1);
  return {
    days_until: daysUntilNext(view, announcedReports(view).at(-1) ?? null),
    surprise_pct: newest === undefined ? null : finiteOrNull(surprisePct(epsResult(newest))),
  };
}

function wireQuarter(report: KnownReport): Static<typeof Quarter> {
  const { date, epsActual, epsEstimate, revenueActual, revenueEstimate } = report;
  return {
    date,
    eps_actual: epsActual,
    eps_estimate: epsEstimate,
    revenue_actual: revenueActual,
    revenue_estimate: revenueEstimate,
    surprise_pct: finiteOrNull(surprisePct(epsResult(report))),
  };
}

/** Days from the trade date to the nearest expected date. */
function daysUntilNext(
  view: Pick<StockView, 'facts' | 'tradeDate'>,
  latest: KnownReport | null,
): number | null {
  const days = expectedResults(view, latest).map(({ date }) => daysBetween(view.tradeDate, date));
  return days.length === 0 ? null : Math.min(...days);
}

/** Results expected on the trade date or later that have not been announced early. */
export function expectedResults(
  { facts, tradeDate }: Pick<StockView, 'facts' | 'tradeDate'>,
  latest: KnownReport | null,
): StockView['facts']['earnings_date'] {
  return facts.earnings_date.filter(
    ({ date, knownAt }) => date >= tradeDate && (latest === null || !cameEarly(latest, date, knownAt)),
  );
}

function cameEarly(latest: KnownReport, expected: string, knownAt: number): boolean {
  const early = daysBetween(latest.date, expected);
  return knownAt <= latest.knownAt && early > 0 && early <= EARLY_DAYS;
}

function epsResult({ epsActual, epsEstimate }: KnownReport): Result {
  return { actual: epsActual ?? Number.NaN, estimate: epsEstimate ?? Number.NaN };
}

function revenueResult({ revenueActual, revenueEstimate }: KnownReport): Result {
  return { actual: revenueActual ?? Number.NaN, estimate: revenueEstimate ?? Number.NaN };
}

/** Both beat or both miss; an estimate met exactly is neither. */
function isAligned(report: KnownReport): boolean {
  const sides = outcome(epsResult(report)) * outcome(revenueResult(report));
  return sides === 1;
}

/** Calendar days from one date to another, YYYY-MM-DD; negative when the second is earlier. */
function daysBetween(from: string, to: string): number {
  return (midnightUtc(to) - midnightUtc(from)) / DAY_MS;
}

/** Two reports within fewer days are of the same quarter. */
export const TWIN_REPORT_DAYS = 45;

export type KnownReport = EarningsReport & { readonly knownAt: number };

/** Announced results up to the trade date, oldest first, one a quarter: the later of those with figures, if any. */
export function announcedReports({
  facts: { earnings_report: reports },
  tradeDate,
}: Pick<StockView, 'facts' | 'tradeDate'>): readonly KnownReport[] {
  const isLater = reports.some(({ date }) => date > tradeDate);
  return isLater ? onePerQuarter(reports.filter(({ date }) => date <= tradeDate)) : everyReport(reports);
}

function onePerQuarter(all: readonly KnownReport[]): KnownReport[] {
  const reports: KnownReport[] = [];
  for (const report of all.toSorted(byDate)) {
    const before = reports.at(-1);
    if (before === undefined || daysBetween(before.date, report.date) >= TWIN_REPORT_DAYS)
      reports.push(report);
    else if (tellsMore(report, before)) reports[reports.length - 1] = report;
  }
  return reports;
}

const everyReport = onceFor(onePerQuarter);

/** Announcements with earnings: a date alone is no result yet. */
export function reportedQuarters(view: Pick<StockView, 'facts' | 'tradeDate'>): KnownReport[] {
  return announcedReports(view).filter(({ epsActual }) => epsActual !== null);
}

function byDate(one: KnownReport, other: KnownReport): number {
  return one.date < other.date ? -1 : one.date > other.date ? 1 : 0;
}

function tellsMore(report: KnownReport, before: KnownReport): boolean {
  if ((report.epsActual === null) !== (before.epsActual === null)) return report.epsActual !== null;
  return report.knownAt >= before.knownAt;
}
