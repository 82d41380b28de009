import { HOUR_MS, MINUTE_MS } from '../base/dates.ts';
import type { AnyFact, FactValues } from '../market/facts.ts';
import { factOf } from '../market/validate-fact.ts';
import { inventedName } from './companies.ts';
import data from './data.json' with { type: 'json' };
import { fundamentalsOf, type Report, type ReportingCompany } from './earnings.ts';
import { type CompanyHistory, meanCloseBefore, occasions, returnBefore, rowOf } from './history.ts';
import { clamp, rounded, type Stream } from './random.ts';

const { analystFirms: FIRMS, analystGrades: GRADES, insiderTitles: TITLES } = data;

/** Opinions lag: they follow the mean close of so many sessions. */
const LAG_SESSIONS = 40;
/** Chance of a firm's grade on an ordinary morning, and on that after a report. */
const GRADE_CHANCE = 0.012;
const GRADE_CHANCE_AFTER_REPORT = 0.3;
/** Chance of an insider's transaction in a session: some six a year. */
const TRANSACTION_CHANCE = 0.024;
/** A Form 4 is due on the second business day after the transaction. */
const FILED_SESSIONS_AFTER = 2;
/** Cumulated chances of the codes in an ordinary time: sale, grant, exercise, withheld for tax, purchase. */
const CODES = { S: 0.42, A: 0.6, M: 0.73, F: 0.87, P: Number.POSITIVE_INFINITY };

/** How many analysts follow the company: more follow the large ones. */
const analystsOf = ({ company }: CompanyHistory): number =>
  Math.round(clamp(4 + 3.2 * Math.log(1 + (company.firstShares * company.firstPrice) / 2e9), 3, 45));

/** The consensus on the morning after every report, and per new share on that of a split. */
export function consensusFacts(of: ReportingCompany): AnyFact[] {
  const { sessions } = of.schedule;
  const afterReports = of.reports.map((report) => ({ report, session: report.session + 1, hours: 4 }));
  const afterSplits = of.path.actions
    .filter(({ kind }) => kind === 'split')
    .map(({ session }) => {
      const report = of.reports.findLast(({ filedAt }) => filedAt < sessions[session]!.preOpen);
      return { report, session, hours: 0 };
    });
  return [...afterReports, ...afterSplits].flatMap(({ report, session, hours }) => {
    const row = rowOf(of, session);
    if (report === undefined || row === null) return [];
    const knownAt = sessions[session]!.preOpen + hours * HOUR_MS;
    const consensus = [recommendation(of, row, knownAt), priceTarget(of, row, knownAt)];
    return [...consensus, ...estimates(of, report, row, knownAt)];
  });
}

/** 0 all sell to 1 all buy: a part that is fixed for the company, and its recent return. */
const opinion = (of: CompanyHistory, row: number): number =>
  clamp(0.55 + 0.12 * of.traits.normal('standing') + 0.7 * returnBefore(of, row, 60), 0.05, 0.95);

function recommendation(of: CompanyHistory, row: number, knownAt: number): AnyFact {
  const analysts = analystsOf(of);
  const buyers = Math.round(opinion(of, row) * analysts);
  const sellers = Math.floor(0.35 * (analysts - buyers));
  const strongBuy = Math.floor(0.4 * buyers);
  const strongSell = Math.floor(0.3 * sellers);
  const [buy, sell, hold] = [buyers - strongBuy, sellers - strongSell, analysts - buyers - sellers];
  const mean = rounded((5 * strongBuy + 4 * buy + 3 * hold + 2 * sell + strongSell) / analysts, 2);
  return factOf('recommendations', knownAt, { strongBuy, buy, hold, sell, strongSell, mean, analysts });
}

function priceTarget(of: CompanyHistory, row: number, knownAt: number): AnyFact {
  const fair = meanCloseBefore(of, row, LAG_SESSIONS) * (1.02 + 0.16 * opinion(of, row));
  const spread = 0.12 + 0.12 * of.traits.uniform('target spread');
  return factOf('price_target', knownAt, {
    mean: rounded(fair, 2),
    high: rounded(fair * (1 + 1.6 * spread), 2),
    low: rounded(fair * (1 - spread), 2),
    analysts: analystsOf(of),
  });
}

/** This and the next fiscal year as expected from the last twelve reported months. */
function estimates(of: ReportingCompany, report: Report, row: number, knownAt: number): AnyFact[] {
  const { quarter, session, shock } = report;
  const known = fundamentalsOf(of, quarter, row);
  if (known === null) return [];
  const noise = of.stream('estimates')(session);
  const growth = 0.06 + 0.03 * of.traits.normal('growth') + 0.02 * shock + 0.01 * noise.normal();
  // The quarters of the announcement's year up to the reported one are known.
  const quartersToGo = 4 * Math.floor((quarter + 1) / 4) + 3 - quarter;
  const spread = 0.06 + 0.06 * of.traits.uniform('estimate spread');
  return (['current_year', 'next_year'] as const).map((year) => {
    const years = quartersToGo / 4 + (year === 'next_year' ? 1 : 0);
    const eps = known.epsTtm! + Math.abs(known.epsTtm!) * growth * years;
    const halfRange = Math.max(0.02, spread * years * Math.abs(eps));
    return factOf('analyst_estimates', knownAt, {
      year,
      epsAverage: rounded(eps, 2),
      epsHigh: rounded(eps + halfRange, 2),
      epsLow: rounded(eps - halfRange, 2),
      revenueAverage: Math.round(known.revenueTtm! * (1 + growth * years)),
      analysts: analystsOf(of),
    });
  });
}

/** Grades of single firms from a session on, most of them on the morning after a report. */
export function gradeFacts(of: ReportingCompany, fromSession: number): AnyFact[] {
  const afterReport = new Set(of.reports.map(({ session }) => session + 1));
  const chance = (session: number): number =>
    afterReport.has(session) ? GRADE_CHANCE_AFTER_REPORT : GRADE_CHANCE;
  return Array.from(occasions(of, 'grades', fromSession, chance), ({ session, drawn }) => {
    const { preOpen, tradeDate: date } = of.schedule.sessions[session]!;
    const knownAt = preOpen + 3 * HOUR_MS + Math.floor(90 * drawn.uniform()) * MINUTE_MS;
    return factOf('analyst_grade', knownAt, { date, ...gradeOf(of, session - of.path.firstSession, drawn) });
  });
}

function gradeOf(of: CompanyHistory, row: number, drawn: Stream) {
  const firm = FIRMS[Math.floor(drawn.uniform() * FIRMS.length)]!;
  const share = drawn.uniform();
  const mood = drawn.normal();
  const trend = returnBefore(of, row, LAG_SESSIONS) + 0.05 * mood;
  const isFirst = share < 0.06;
  const step = isFirst || Math.abs(trend) < 0.1 ? 0 : Math.sign(trend);
  const unchanged = isFirst ? 'initiate' : share < 0.5 ? 'maintain' : 'reiterate';
  const level = Math.round(clamp(1 + 3 * opinion(of, row) + 0.5 * mood, 0, 4));
  // The grade before an upgrade or a downgrade lies on the scale too.
  const to = clamp(level, Math.max(0, step), Math.min(4, 4 + step));
  const target = Math.max(0.5, meanCloseBefore(of, row, LAG_SESSIONS) * (1.08 + 0.08 * mood));
  return {
    firm: `${firm} (simulated)`,
    action: step > 0 ? 'upgrade' : step < 0 ? 'downgrade' : unchanged,
    from: isFirst ? null : GRADES[to - step]!,
    to: GRADES[to]!,
    target: rounded(target, target < 20 ? 1 : 0),
  } as const;
}

/** Transactions of five insiders from a session on; they buy more after falls and sell more after rises. */
export function insiderFacts(of: CompanyHistory, fromSession: number): AnyFact[] {
  const facts: AnyFact[] = [];
  for (const { session, drawn } of occasions(of, 'insiders', fromSession, () => TRANSACTION_CHANCE)) {
    const filed = of.schedule.sessions[session + FILED_SESSIONS_AFTER];
    if (filed === undefined) continue;
    const knownAt = filed.close + Math.floor(30 + 150 * drawn.uniform()) * MINUTE_MS;
    facts.push(factOf('insider_transaction', knownAt, transaction(of, session, drawn)));
  }
  return facts;
}

function transaction(of: CompanyHistory, session: number, drawn: Stream): FactValues['insider_transaction'] {
  const row = session - of.path.firstSession;
  const insider = Math.floor(drawn.uniform() * TITLES.length);
  // A fall moves chance from sales to purchases, a rise the other way.
  const share = drawn.uniform() - 0.6 * clamp(returnBefore(of, row, 60), -0.25, 0.25);
  const code = Object.entries(CODES).find(([, upTo]) => share < upTo)![0];
  const close = of.path.close[row]! / 100;
  const dollars = 40_000 * Math.exp(1.2 * drawn.normal()) * (code === 'P' ? 1 : 3);
  const paid = code === 'M' ? 0.6 * close : close * (1 + 0.002 * drawn.normal());
  const name = (part: string): string => inventedName(of.traits, `insider ${insider} ${part}`);
  return {
    date: of.schedule.sessions[session]!.tradeDate,
    owner: `${name('given')} ${name('family')} (simulated)`,
    title: TITLES[insider]!,
    code,
    shares: Math.max(10, Math.round(dollars / close)),
    price: code === 'A' ? null : rounded(paid, 2),
    direction: code === 'S' || code === 'F' ? 'disposed' : 'acquired',
  };
}
