import type { AnalystGrade, AnyFact } from '../facts.ts';
import { factOf } from '../fact-keys.ts';
import type { QuarterBooks } from './simulated-books.ts';
import { fundamentalsOf, rowAt } from './simulated-earnings.ts';
import {
  bellOf,
  clamp,
  HOUR_MS,
  type Life,
  meanCloseBefore,
  MINUTE_MS,
  returnBefore,
  rounded,
  streamOf,
  traitOf,
} from './simulated-life.ts';
import type { Report } from './simulated-report-dates.ts';

const FIRMS = [
  'Quillmar Research',
  'Ondevane Securities',
  'Braxo Partners',
  'Thilu & Co.',
  'Elasque Capital',
  'Phembi Markets',
  'Glundra Brothers',
  'Zerisk Advisory',
].map((name) => `${name} (simulated)`);
const GRADES = ['Sell', 'Underperform', 'Hold', 'Buy', 'Strong Buy'];

/** Opinions lag: they look at the mean close of so many sessions. */
const LAG_SESSIONS = 40;
/** Sessions from a report to the second look of the quarter. */
const SECOND_LOOK_SESSIONS = 28;
/** Chance of a firm's word on an ordinary morning, and on that after a report. */
const GRADE_CHANCE = 0.012;
const GRADE_CHANCE_AFTER_REPORT = 0.3;

/** How many analysts follow the company: more follow the large ones. */
const analystsOf = ({ company }: Life): number =>
  Math.round(clamp(4 + 3.2 * Math.log(1 + (company.firstShares * company.firstPrice) / 2e9), 3, 45));

/** Consensus after every report and once more in the quarter, and on the morning of a split, when all is per new share. */
export function consensusFacts(
  life: Life,
  books: ReadonlyMap<number, QuarterBooks>,
  reports: readonly Report[],
): AnyFact[] {
  const { schedule, path } = life;
  const looks = reports.flatMap(({ session }) => [session + 1, session + SECOND_LOOK_SESSIONS]);
  const facts = looks.flatMap((session) => {
    const row = session - path.firstSession;
    if (row >= path.rows) return [];
    const knownAt = schedule.sessions[session]!.preOpen + 4 * HOUR_MS;
    return [recommendation(life, row, knownAt), priceTarget(life, row, knownAt)];
  });
  facts.push(
    ...reports.flatMap((report) => {
      const session = schedule.sessions[report.session + 1];
      return session === undefined ? [] : estimates(life, books, report, session.preOpen + 4 * HOUR_MS);
    }),
  );
  for (const { session, kind } of path.actions) {
    if (kind !== 'split') continue;
    const knownAt = schedule.sessions[session]!.preOpen;
    facts.push(priceTarget(life, session - path.firstSession, knownAt));
    const last = reports.findLast(({ filedAt }) => filedAt < knownAt);
    if (last !== undefined) facts.push(...estimates(life, books, last, knownAt));
  }
  return facts;
}

/** 0 all sell to 1 all buy: the company's standing, and what its price has done of late. */
function opinion(life: Life, row: number): number {
  return clamp(0.55 + 0.12 * bellOf(life, 'standing') + 0.7 * returnBefore(life, row, 60), 0.05, 0.95);
}

function recommendation(life: Life, row: number, knownAt: number): AnyFact {
  const analysts = analystsOf(life);
  const share = opinion(life, row);
  const buyers = Math.round(share * analysts);
  const strongBuy = Math.floor(0.4 * buyers);
  const sellers = Math.floor(0.35 * (analysts - buyers));
  const strongSell = Math.floor(0.3 * sellers);
  const buy = buyers - strongBuy;
  const hold = analysts - buyers - sellers;
  const sell = sellers - strongSell;
  const mean = (5 * strongBuy + 4 * buy + 3 * hold + 2 * sell + strongSell) / analysts;
  return factOf('recommendations', knownAt, {
    strongBuy,
    buy,
    hold,
    sell,
    strongSell,
    mean: rounded(mean, 2),
    analysts,
  });
}

function priceTarget(life: Life, row: number, knownAt: number): AnyFact {
  const fair = meanCloseBefore(life, row, LAG_SESSIONS) * (1.02 + 0.16 * opinion(life, row));
  const spread = 0.12 + 0.12 * traitOf(life, 'target spread');
  return factOf('price_target', knownAt, {
    mean: rounded(fair, 2),
    high: rounded(fair * (1 + 1.6 * spread), 2),
    low: rounded(fair * (1 - spread), 2),
    analysts: analystsOf(life),
  });
}

/** This and the next fiscal year as expected from the last twelve months: nothing of a quarter that is not reported. */
function estimates(
  life: Life,
  books: ReadonlyMap<number, QuarterBooks>,
  report: Report,
  knownAt: number,
): AnyFact[] {
  const row = rowAt(life, knownAt);
  const known = row === null ? null : fundamentalsOf(life, books, report, row);
  if (known === null) return [];
  const noise = streamOf(life, 'estimates')(report.session);
  const growth = 0.06 + 0.03 * bellOf(life, 'growth') + 0.02 * report.shock + 0.01 * noise.normal();
  // Of the year that holds the announcement, the quarters up to the reported one are known.
  const year = Math.floor((report.quarter + 1) / 4);
  const quartersToGo = 4 * year + 3 - report.quarter;
  const spread = 0.06 + 0.06 * traitOf(life, 'estimate spread');
  const analysts = analystsOf(life);
  return (['current_year', 'next_year'] as const).map((which) => {
    const years = quartersToGo / 4 + (which === 'next_year' ? 1 : 0);
    const eps = known.epsTtm! + Math.abs(known.epsTtm!) * growth * years;
    const halfRange = Math.max(0.02, spread * years * Math.abs(eps));
    return factOf('analyst_estimates', knownAt, {
      year: which,
      epsAverage: rounded(eps, 2),
      epsHigh: rounded(eps + halfRange, 2),
      epsLow: rounded(eps - halfRange, 2),
      revenueAverage: Math.round(known.revenueTtm! * (1 + growth * years)),
      analysts,
    });
  });
}

/** Words of single firms, most of them on the morning after a report, from a session on. */
export function gradeFacts(life: Life, reports: readonly Report[], fromSession: number): AnyFact[] {
  const { schedule, path } = life;
  const afterReport = new Set(reports.map(({ session }) => session + 1));
  const stream = streamOf(life, 'grades');
  const facts: AnyFact[] = [];
  for (
    let session = Math.max(fromSession, path.firstSession + 1);
    session < path.firstSession + path.rows;
    session++
  ) {
    const drawn = stream(schedule.day[session]!);
    const chance = afterReport.has(session) ? GRADE_CHANCE_AFTER_REPORT : GRADE_CHANCE;
    if (drawn.uniform() >= chance) continue;
    const { preOpen, tradeDate } = schedule.sessions[session]!;
    const knownAt = preOpen + 3 * HOUR_MS + Math.floor(90 * drawn.uniform()) * MINUTE_MS;
    facts.push(
      factOf('analyst_grade', knownAt, {
        date: tradeDate,
        ...gradeOf(life, session - path.firstSession, drawn.uniform(), drawn.uniform(), drawn.normal()),
      }),
    );
  }
  return facts;
}

function gradeOf(
  life: Life,
  row: number,
  firm: number,
  share: number,
  mood: number,
): Omit<AnalystGrade, 'date'> {
  const trend = returnBefore(life, row, LAG_SESSIONS) + 0.05 * mood;
  const level = Math.round(clamp(1 + 3 * opinion(life, row) + 0.5 * mood, 0, 4));
  const action =
    share < 0.06
      ? 'initiate'
      : trend > 0.1
        ? 'upgrade'
        : trend < -0.1
          ? 'downgrade'
          : share < 0.5
            ? 'maintain'
            : 'reiterate';
  const from = action === 'upgrade' ? level - 1 : action === 'downgrade' ? level + 1 : level;
  const target = meanCloseBefore(life, row, LAG_SESSIONS) * (1.08 + 0.08 * mood);
  // A grade at the end of the scale cannot have come from beyond it.
  const to = action === 'upgrade' ? Math.max(1, level) : action === 'downgrade' ? Math.min(3, level) : level;
  return {
    firm: FIRMS[Math.floor(firm * FIRMS.length)]!,
    action,
    from: action === 'initiate' ? null : GRADES[from + to - level]!,
    to: GRADES[to]!,
    target: rounded(Math.max(0.5, target), target < 20 ? 1 : 0),
  };
}
