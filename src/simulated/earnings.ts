import { HOUR_MS, MINUTE_MS } from '../base/dates.ts';
import type { AnyFact, Fundamentals } from '../market/facts.ts';
import { factOf } from '../market/validate-fact.ts';
import { SECTORS, type SectorFinancials } from './companies.ts';
import { drawShocks } from './company-path.ts';
import { type CompanyHistory, rowOf, sharesOn } from './history.ts';
import { clamp, rounded } from './random.ts';
import { quarterEnd } from './timeline.ts';

/** Flows of one fiscal quarter, under the names of their twelve-month sums, and balances at its end, in dollars. */
type QuarterlyStatement = ReturnType<typeof quarterlyStatement>;
type FlowName = keyof QuarterlyStatement['flows'];
export type Report = ReturnType<typeof reportsOf>[number];

export type ReportingCompany = ReturnType<typeof reportingCompany>;

/** A company with its statements, by fiscal quarter, and its reports as far as its path reaches. */
export const reportingCompany = (of: CompanyHistory) => ({
  ...of,
  statements: quarterlyStatements(of),
  reports: reportsOf(of),
});

/** Quarters before the first session: the first statement needs its twelve months and those of a year before. */
const QUARTERS_BEFORE = 9;
/** Revenue follows market value slowly: the part of the old value that a quarter keeps. */
const VALUE_MEMORY = 0.8;
const INTEREST_A_YEAR = 0.045;
const TAX_RATE = 0.21;
/** Sales of the quarters of a year, relative to their mean. */
const SEASONS = [0.96, 0.99, 0.99, 1.06];

/**
 * Statements of the quarters that have ended. Sales grow where the market value has grown, about a year later; margins
 * wander around the sector's. Each quarter follows from prices up to its end.
 */
function quarterlyStatements(of: CompanyHistory): Map<number, QuarterlyStatement> {
  const { schedule, path, company, traits } = of;
  const financials = companyFinancials(of);
  const stream = of.stream('books');
  const quarterAt = (row: number): number => schedule.quarter[path.firstSession + row]!;
  const lastRows = new Map<number, number>();
  for (let row = 0; row < path.rows; row++) {
    if (quarterAt(row + 1) > quarterAt(row)) lastRows.set(quarterAt(row), row);
  }
  const dividendsIn = (quarter: number): number =>
    path.actions
      .filter(({ kind, session }) => kind === 'dividend' && schedule.quarter[session]! === quarter)
      .reduce((sum, { session, value }) => sum + value * sharesOn(of, session - path.firstSession), 0);
  const first = quarterAt(0);
  const growth = 0.05 + 0.03 * traits.normal('growth');
  const statements = new Map<number, QuarterlyStatement>();
  let value = (path.priorClose[0]! / 100) * sharesOn(of, 0) * Math.exp((-growth * QUARTERS_BEFORE) / 4);
  let margin = 0;
  for (let quarter = first - QUARTERS_BEFORE; quarter < first || lastRows.has(quarter); quarter++) {
    const row = lastRows.get(quarter);
    if (row === undefined) value *= Math.exp(growth / 4);
    else value = VALUE_MEMORY * value + (1 - VALUE_MEMORY) * (path.close[row]! / 100) * sharesOn(of, row);
    const noise = stream(quarter);
    margin = 0.7 * margin + 0.012 * noise.normal();
    const season = SEASONS[quarter % 4]! * Math.exp(0.015 * noise.normal());
    const revenue = (financials.revenueOfValue / 4) * value * season;
    const dividends = quarter < first ? (company.dividendYield / 4) * value : dividendsIn(quarter);
    statements.set(quarter, quarterlyStatement(financials, revenue, margin, dividends));
  }
  return statements;
}

/** The sector's financials with the company's own strengths; one company in thirty loses money. */
function companyFinancials({ company, traits }: CompanyHistory): SectorFinancials {
  const base = SECTORS[company.sector]!.financials;
  const strength = 0.75 + 0.5 * traits.uniform('margin');
  const burns = traits.uniform('burns money') < 1 / 30;
  return {
    ...base,
    revenueOfValue: base.revenueOfValue * Math.exp(0.3 * traits.normal('sales')) * (burns ? 0.25 : 1),
    grossMargin: base.grossMargin === null ? null : Math.min(0.9, base.grossMargin * Math.sqrt(strength)),
    operatingMargin: burns ? -0.6 : base.operatingMargin * strength,
    debt: base.debt * (0.4 + 1.2 * traits.uniform('debt')),
    cash: base.cash * (0.5 + traits.uniform('cash')),
  };
}

function quarterlyStatement(base: SectorFinancials, revenue: number, margin: number, dividends: number) {
  const { grossMargin } = base;
  const assets = (4 * revenue) / base.assetTurnover;
  const debt = base.debt * assets;
  const cash = base.cash * assets;
  const otherLiabilities = (grossMargin === null ? 0.78 : 0.22) * assets;
  const operatingIncome = revenue * (base.operatingMargin + margin);
  const depreciation = base.depreciation * revenue;
  const pretaxIncome = operatingIncome - (INTEREST_A_YEAR / 4) * debt;
  const tax = Math.max(0, TAX_RATE * pretaxIncome);
  const netIncome = pretaxIncome - tax;
  const operatingCashFlow = netIncome + depreciation;
  const flows = {
    revenueTtm: revenue,
    grossProfitTtm:
      grossMargin === null ? null : Math.max(revenue * clamp(grossMargin + margin, 0, 0.95), operatingIncome),
    operatingIncomeTtm: operatingIncome,
    netIncomeTtm: netIncome,
    ebitdaTtm: operatingIncome + depreciation,
    operatingCashFlowTtm: operatingCashFlow,
    freeCashFlowTtm: operatingCashFlow - base.capex * revenue,
    dividendsPaidTtm: dividends,
    pretaxIncomeTtm: pretaxIncome,
    taxTtm: tax,
  };
  const balances = {
    totalAssets: assets,
    totalEquity: assets - debt - otherLiabilities,
    // Two months' sales as receivables and inventories; banks have no current assets.
    currentAssets: grossMargin === null ? null : Math.min(assets, cash + (2 / 3) * revenue),
    currentLiabilities: grossMargin === null ? null : 0.6 * otherLiabilities + 0.1 * debt,
    cashAndEquivalents: cash,
    totalDebt: debt,
  };
  return { flows, balances };
}

/** The statement of a quarter, per share on the basis of a row; null without the quarters of two years. */
export function fundamentalsOf(of: ReportingCompany, quarter: number, row: number): Fundamentals | null {
  const quarters = Array.from({ length: 8 }, (_, back) => of.statements.get(quarter - back));
  if (!quarters.every((one) => one !== undefined)) return null;
  const shares = sharesOn(of, row);
  const sum = (from: number, flow: FlowName): number | null => {
    const parts = quarters.slice(from, from + 4).map(({ flows }) => flows[flow]);
    return parts.includes(null) ? null : parts.reduce<number>((total, part) => total + part!, 0);
  };
  const { flows, balances } = quarters[0]!;
  const twelveMonths = Object.keys(flows).map((flow) => [flow, whole(sum(0, flow as FlowName))]);
  return {
    periodEnd: quarterEnd(quarter),
    ...(Object.fromEntries(twelveMonths) as QuarterlyStatement['flows']),
    epsTtm: rounded(sum(0, 'netIncomeTtm')! / shares, 4),
    epsTtmPriorYear: rounded(sum(4, 'netIncomeTtm')! / shares, 4),
    revenueTtmPriorYear: whole(sum(4, 'revenueTtm')),
    ...(Object.fromEntries(
      Object.entries(balances).map(([name, value]) => [name, whole(value)]),
    ) as QuarterlyStatement['balances']),
    dividendPerShare: rounded(sum(0, 'dividendsPaidTtm')! / shares, 4),
    // A vendor's estimate of what the model knows exactly.
    stated: { beta: rounded(clamp(of.company.beta + 0.08 * of.traits.normal('stated beta'), 0, 3), 2) },
  };
}

const whole = (dollars: number | null): number | null => (dollars === null ? null : Math.round(dollars));

const CONFIRMED_SESSIONS_BEFORE = 10;
/** A vendor's projection is off by up to so many sessions. */
const PROJECTION_ERROR_SESSIONS = 3;
const AFTER_CLOSE_CHANCE = 0.55;

/** Every report of the company in the schedule, the coming one included, in the order of time. */
function reportsOf({ company, schedule, path, traits, stream }: CompanyHistory) {
  const { sessions, day } = schedule;
  const isAfterClose = traits.uniform('report time') < AFTER_CLOSE_CHANCE;
  const minute = Math.floor(20 * traits.uniform('report minute'));
  const daily = stream('daily');
  const projection = stream('report date guess');
  // A company reports two weeks after its listing at the soonest.
  const found = Array.from(day.keys()).filter(
    (s) =>
      s >= path.firstSession + CONFIRMED_SESSIONS_BEFORE &&
      day[s]! < company.delistingDay &&
      schedule.sessionOfQuarter[s] === company.reportSession,
  );
  return found.map((s, at) => {
    const before = found[at - 1];
    const announced = isAfterClose ? s - 1 : s;
    const { open, close, tradeDate } = sessions[announced]!;
    const error = Math.round((2 * projection(day[s]!).uniform() - 1) * PROJECTION_ERROR_SESSIONS);
    const filedAfter = (session: number): number => sessions[session]!.close + 35 * MINUTE_MS;
    return {
      /** The session that opens on the results. */
      session: s,
      announced,
      /** The fiscal quarter that is reported. */
      quarter: schedule.quarter[s]! - 1,
      /** The date of the announcement: that of `session` before its open, the one before after its close. */
      date: tradeDate,
      time: isAfterClose ? ('post_market' as const) : ('pre_market' as const),
      /** The instant of the results, and of the statements, after the close of `session`. */
      knownAt: isAfterClose ? close + (5 + minute) * MINUTE_MS : open - (150 - 5 * minute) * MINUTE_MS,
      filedAt: filedAfter(s),
      /** The instant from which the company confirms the date, and from which a vendor projects it. */
      confirmedAt: sessions[s - CONFIRMED_SESSIONS_BEFORE]!.preOpen + 3 * HOUR_MS,
      projectedIn: before ?? path.firstSession,
      projectedAt: before === undefined ? sessions[path.firstSession]!.preOpen : filedAfter(before),
      projectedDate: sessions[Math.min(announced + error, day.length - 1)]!.tradeDate,
      /** Standard normal: the surprise that also moves the price. */
      shock: drawShocks(daily(day[s]!)).newsShock,
    };
  });
}

/**
 * Expected and reported results on the share basis of a session; null while they lie beyond the path. A surprise has
 * a part that is fixed for the company, so that its beats and misses cluster, and a part that moves the price.
 */
export function resultsOf(of: ReportingCompany, report: Report, session: number) {
  const flows = of.statements.get(report.quarter)?.flows;
  const row = rowOf(of, session);
  if (flows === undefined || row === null) return null;
  const { revenueTtm: revenue, netIncomeTtm: netIncome } = flows;
  const shares = sharesOn(of, row);
  const eps = netIncome / shares;
  const noise = of.stream('surprise')(report.session);
  const bias = 0.04 * of.traits.normal('surprise bias');
  const surprise = 0.025 + bias + 0.04 * report.shock + 0.02 * noise.normal();
  // A percentage of a result near zero means nothing: surprises are at least a part of the sales.
  const scale = Math.max(Math.abs(eps), (0.02 * revenue) / shares);
  const revenueSurprise = 0.3 * surprise + 0.006 * noise.normal();
  return {
    epsActual: rounded(eps, 2),
    epsEstimate: rounded(eps - surprise * scale, 2),
    revenueActual: Math.round(revenue),
    revenueEstimate: Math.round(revenue / (1 + revenueSurprise)),
  };
}

/** Dates, results, statements and share counts of every report, and the share counts of the first day and of splits. */
export function earningsFacts(of: ReportingCompany): AnyFact[] {
  const { path, schedule } = of;
  const splits = path.actions.filter(({ kind }) => kind === 'split').map(({ session }) => session);
  const facts = [path.firstSession, ...splits].map((session) =>
    sharesFact(of, session - path.firstSession, schedule.sessions[session]!.preOpen),
  );
  for (const report of of.reports) {
    const { date, time, projectedAt, projectedDate, confirmedAt, knownAt, filedAt, quarter } = report;
    const projected = { ...projectedResults(of, report), time, status: 'projected' } as const;
    facts.push(factOf('earnings_date', projectedAt, { ...projected, date: projectedDate }));
    const confirmedIn = report.session - CONFIRMED_SESSIONS_BEFORE;
    if (rowOf(of, confirmedIn) !== null) {
      const { epsEstimate = null, revenueEstimate = null } = resultsOf(of, report, confirmedIn) ?? {};
      const confirmed = { epsEstimate, revenueEstimate, time, status: 'confirmed' } as const;
      facts.push(factOf('earnings_date', confirmedAt, { ...confirmed, date }));
    }
    const results = resultsOf(of, report, report.announced);
    if (results !== null) {
      const periodEnd = quarterEnd(quarter);
      facts.push(factOf('earnings_report', knownAt, { date, time, periodEnd, ...results }));
    }
    const row = rowOf(of, report.session);
    const statement = row === null ? null : fundamentalsOf(of, quarter, row);
    if (statement !== null)
      facts.push(factOf('fundamentals', filedAt, statement), sharesFact(of, row!, filedAt));
  }
  return facts;
}

/** While the quarter runs, the estimate is last year's result with the company's growth. */
function projectedResults(of: ReportingCompany, { quarter, projectedIn }: Report) {
  const row = rowOf(of, projectedIn);
  const yearAgo = of.statements.get(quarter - 4)?.flows;
  if (row === null || yearAgo === undefined) return { epsEstimate: null, revenueEstimate: null };
  const growth = 1.05 + 0.03 * of.traits.normal('growth');
  return {
    epsEstimate: rounded((growth * yearAgo.netIncomeTtm) / sharesOn(of, row), 2),
    revenueEstimate: Math.round(growth * yearAgo.revenueTtm),
  };
}

/** The share count of a row, and the part of it that insiders do not hold. */
function sharesFact(of: CompanyHistory, row: number, knownAt: number): AnyFact {
  const outstanding = sharesOn(of, row);
  const float = Math.round(outstanding * (0.72 + 0.27 * of.traits.uniform('float')));
  return factOf('shares', knownAt, { outstanding, float });
}
