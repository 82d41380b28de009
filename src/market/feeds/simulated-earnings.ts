import type { AnyFact, Fundamentals } from '../facts.ts';
import { factOf } from '../fact-keys.ts';
import { type QuarterBooks, sumOf, trailingYear } from './simulated-books.ts';
import { bellOf, clamp, type Life, rounded, sharesOn, streamOf, traitOf } from './simulated-life.ts';
import type { Report } from './simulated-report-dates.ts';

/** What analysts expect of a quarter, and what came. */
export interface Results {
  readonly epsEstimate: number;
  readonly epsActual: number;
  readonly revenueEstimate: number;
  readonly revenueActual: number;
}

/**
 * The results of a report on the share basis of a row. Surprises have a part that stays with the company, so that its
 * beats and misses cluster, and a part that the price answers to on the day.
 */
export function resultsOf(
  life: Life,
  books: ReadonlyMap<number, QuarterBooks>,
  report: Report,
  row: number,
): Results | null {
  const quarter = books.get(report.quarter);
  if (quarter === undefined) return null;
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
export function earningsFacts(
  life: Life,
  books: ReadonlyMap<number, QuarterBooks>,
  reports: readonly Report[],
): AnyFact[] {
  return reports.flatMap((report) => [
    ...datesOf(life, books, report),
    ...resultsFacts(life, books, report),
    ...statementFacts(life, books, report),
  ]);
}

function datesOf(life: Life, books: ReadonlyMap<number, QuarterBooks>, report: Report): AnyFact[] {
  const { date, time, confirmedAt, projectedAt, projectedDate } = report;
  // While the quarter still runs, all that can be expected is last year's with the company's growth.
  const yearAgo = books.get(report.quarter - 4);
  const projectedRow = rowAt(life, projectedAt);
  const growth = 1.05 + 0.03 * bellOf(life, 'growth');
  const shares = projectedRow === null ? null : sharesOn(life, projectedRow);
  const facts = [
    factOf('earnings_date', projectedAt, {
      date: projectedDate,
      time,
      status: 'projected',
      epsEstimate:
        yearAgo === undefined || shares === null ? null : rounded((growth * yearAgo.netIncome) / shares, 2),
      revenueEstimate: yearAgo === undefined ? null : Math.round(growth * yearAgo.revenue),
    }),
  ];
  const confirmedRow = rowAt(life, confirmedAt);
  if (confirmedRow !== null) {
    const expected = resultsOf(life, books, report, confirmedRow);
    facts.push(
      factOf('earnings_date', confirmedAt, {
        date,
        time,
        status: 'confirmed',
        epsEstimate: expected?.epsEstimate ?? null,
        revenueEstimate: expected?.revenueEstimate ?? null,
      }),
    );
  }
  return facts;
}

function resultsFacts(life: Life, books: ReadonlyMap<number, QuarterBooks>, report: Report): AnyFact[] {
  const row = rowAt(life, report.knownAt);
  const results = row === null ? null : resultsOf(life, books, report, row);
  if (results === null) return [];
  const { date, time, periodEnd, knownAt } = report;
  return [factOf('earnings_report', knownAt, { date, time, periodEnd, ...results })];
}

function statementFacts(life: Life, books: ReadonlyMap<number, QuarterBooks>, report: Report): AnyFact[] {
  const row = rowAt(life, report.filedAt);
  const statement = row === null ? null : fundamentalsOf(life, books, report, row);
  if (row === null || statement === null) return [];
  const outstanding = sharesOn(life, row);
  const float = Math.round(outstanding * floatShare(life));
  return [
    factOf('fundamentals', report.filedAt, statement),
    factOf('shares', report.filedAt, { outstanding, float }),
  ];
}

/** Part of the shares that insiders do not hold. */
export const floatShare = (life: Life): number => 0.72 + 0.27 * traitOf(life, 'float');

/** The books at the end of the reported quarter, per share on the basis of the day that they are filed. */
export function fundamentalsOf(
  life: Life,
  books: ReadonlyMap<number, QuarterBooks>,
  { quarter, periodEnd }: Pick<Report, 'quarter' | 'periodEnd'>,
  row: number,
): Fundamentals | null {
  const year = trailingYear(books, quarter);
  const yearBefore = trailingYear(books, quarter - 4);
  if (year === null || yearBefore === null) return null;
  const end = year.at(-1)!;
  const shares = sharesOn(life, row);
  const flow = (of: (quarter: QuarterBooks) => number | null): number | null => wholeDollars(sumOf(year, of));
  const income = sumOf(year, ({ netIncome }) => netIncome)!;
  const dividends = sumOf(year, (one) => one.dividends)!;
  return {
    periodEnd,
    revenueTtm: flow(({ revenue }) => revenue),
    grossProfitTtm: flow(({ grossProfit }) => grossProfit),
    operatingIncomeTtm: flow(({ operatingIncome }) => operatingIncome),
    netIncomeTtm: wholeDollars(income),
    ebitdaTtm: flow(({ operatingIncome, depreciation }) => operatingIncome + depreciation),
    operatingCashFlowTtm: flow(({ operatingCashFlow }) => operatingCashFlow),
    freeCashFlowTtm: flow(({ operatingCashFlow, capex }) => operatingCashFlow - capex),
    dividendsPaidTtm: wholeDollars(dividends),
    epsTtm: rounded(income / shares, 4),
    epsTtmPriorYear: rounded(sumOf(yearBefore, ({ netIncome }) => netIncome)! / shares, 4),
    revenueTtmPriorYear: wholeDollars(sumOf(yearBefore, ({ revenue }) => revenue)),
    pretaxIncomeTtm: flow(({ pretaxIncome }) => pretaxIncome),
    taxTtm: flow(({ tax }) => tax),
    totalAssets: wholeDollars(end.assets),
    totalEquity: wholeDollars(end.equity),
    currentAssets: wholeDollars(end.currentAssets),
    currentLiabilities: wholeDollars(end.currentLiabilities),
    cashAndEquivalents: wholeDollars(end.cash),
    totalDebt: wholeDollars(end.debt),
    dividendPerShare: rounded(dividends / shares, 4),
    // A vendor's estimate of what the model knows exactly.
    stated: { beta: rounded(clamp(life.company.beta + 0.08 * bellOf(life, 'stated beta'), 0, 3), 2) },
  };
}

const wholeDollars = (dollars: number | null): number | null =>
  dollars === null ? null : Math.round(dollars);

/** The newest row that has begun by an instant, or null when it lies beyond the path. */
export function rowAt({ path, schedule }: Life, instant: number): number | null {
  let low = 0;
  let high = schedule.sessions.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (schedule.sessions[middle]!.preOpen <= instant) low = middle + 1;
    else high = middle;
  }
  const row = low - 1 - path.firstSession;
  return row >= 0 && row < path.rows ? row : null;
}
