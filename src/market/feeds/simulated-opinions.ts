import { factOf } from '../fact-keys.ts';
import type { AnyFact, FactValues } from '../facts.ts';
import { type Books, fundamentalsOf } from './simulated-books.ts';
import { inventedWord } from './simulated-company.ts';
import data from './simulated-data.json' with { type: 'json' };
import type { Report } from './simulated-earnings.ts';
import {
  bellOf,
  clamp,
  closeOn,
  HOUR_MS,
  type Life,
  meanCloseBefore,
  MINUTE_MS,
  returnBefore,
  rounded,
  rowAt,
  sessionsFrom,
  streamOf,
  traitOf,
} from './simulated-life.ts';
import type { Stream } from './simulated-random.ts';

const { analystFirms: FIRMS, analystGrades: GRADES, insiderTitles: TITLES } = data;

/** Opinions lag: they look at the mean close of so many sessions. */
const LAG_SESSIONS = 40;
/** Sessions from a report to the second look of the quarter. */
const SECOND_LOOK_SESSIONS = 28;
/** Chance of a firm's grade on an ordinary morning, and on that after a report. */
const GRADE_CHANCE = 0.012;
const GRADE_CHANCE_AFTER_REPORT = 0.3;
/** Chance of an insider's transaction in a session: some six a year. */
const TRANSACTION_CHANCE = 0.024;
/** A Form 4 is due on the second business day after the transaction. */
const FILED_SESSIONS_AFTER = 2;
/** Cumulated chances of the codes in an ordinary time: sale, grant, exercise, withheld for tax; the rest are purchases. */
const CODES: readonly (readonly [code: string, upTo: number])[] = [
  ['S', 0.42],
  ['A', 0.6],
  ['M', 0.73],
  ['F', 0.87],
  ['P', Number.POSITIVE_INFINITY],
];

/** How many analysts follow the company: more follow the large ones. */
const analystsOf = ({ company }: Life): number =>
  Math.round(clamp(4 + 3.2 * Math.log(1 + (company.firstShares * company.firstPrice) / 2e9), 3, 45));

/** Consensus after every report and once more in the quarter, and on the morning of a split, when all is per new share. */
export function consensusFacts(life: Life, books: Books, reports: readonly Report[]): AnyFact[] {
  const { schedule, path } = life;
  const { sessions } = schedule;
  const facts: AnyFact[] = [];
  for (const report of reports) {
    for (const session of [report.session + 1, report.session + SECOND_LOOK_SESSIONS]) {
      const row = session - path.firstSession;
      if (row >= path.rows) continue;
      const knownAt = sessions[session]!.preOpen + 4 * HOUR_MS;
      facts.push(recommendation(life, row, knownAt), priceTarget(life, row, knownAt));
    }
    const after = sessions[report.session + 1];
    if (after !== undefined) facts.push(...estimates(life, books, report, after.preOpen + 4 * HOUR_MS));
  }
  for (const { session, kind } of path.actions) {
    if (kind !== 'split') continue;
    const knownAt = sessions[session]!.preOpen;
    facts.push(priceTarget(life, session - path.firstSession, knownAt));
    const last = reports.findLast(({ filedAt }) => filedAt < knownAt);
    if (last !== undefined) facts.push(...estimates(life, books, last, knownAt));
  }
  return facts;
}

/** 0 all sell to 1 all buy: what stays with the company, and what its price has done of late. */
function opinion(life: Life, row: number): number {
  return clamp(0.55 + 0.12 * bellOf(life, 'standing') + 0.7 * returnBefore(life, row, 60), 0.05, 0.95);
}

function recommendation(life: Life, row: number, knownAt: number): AnyFact {
  const analysts = analystsOf(life);
  const buyers = Math.round(opinion(life, row) * analysts);
  const sellers = Math.floor(0.35 * (analysts - buyers));
  const strongBuy = Math.floor(0.4 * buyers);
  const strongSell = Math.floor(0.3 * sellers);
  const buy = buyers - strongBuy;
  const sell = sellers - strongSell;
  const hold = analysts - buyers - sellers;
  const mean = rounded((5 * strongBuy + 4 * buy + 3 * hold + 2 * sell + strongSell) / analysts, 2);
  return factOf('recommendations', knownAt, { strongBuy, buy, hold, sell, strongSell, mean, analysts });
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
  books: Books,
  { quarter, session, shock }: Report,
  knownAt: number,
): AnyFact[] {
  const row = rowAt(life, knownAt);
  const known = row === null ? null : fundamentalsOf(life, books, quarter, row);
  if (known === null) return [];
  const noise = streamOf(life, 'estimates')(session);
  const growth = 0.06 + 0.03 * bellOf(life, 'growth') + 0.02 * shock + 0.01 * noise.normal();
  // Of the year that holds the announcement, the quarters up to the reported one are known.
  const quartersToGo = 4 * Math.floor((quarter + 1) / 4) + 3 - quarter;
  const spread = 0.06 + 0.06 * traitOf(life, 'estimate spread');
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
      analysts: analystsOf(life),
    });
  });
}

/** Grades of single firms, most of them on the morning after a report, from a session on. */
export function gradeFacts(life: Life, reports: readonly Report[], fromSession: number): AnyFact[] {
  const { schedule, path } = life;
  const afterReport = new Set(reports.map(({ session }) => session + 1));
  const stream = streamOf(life, 'grades');
  const facts: AnyFact[] = [];
  for (const session of sessionsFrom(life, fromSession)) {
    const drawn = stream(schedule.day[session]!);
    if (drawn.uniform() >= (afterReport.has(session) ? GRADE_CHANCE_AFTER_REPORT : GRADE_CHANCE)) continue;
    const { preOpen, tradeDate: date } = schedule.sessions[session]!;
    const knownAt = preOpen + 3 * HOUR_MS + Math.floor(90 * drawn.uniform()) * MINUTE_MS;
    const grade = gradeOf(
      life,
      session - path.firstSession,
      drawn.uniform(),
      drawn.uniform(),
      drawn.normal(),
    );
    facts.push(factOf('analyst_grade', knownAt, { date, ...grade }));
  }
  return facts;
}

function gradeOf(life: Life, row: number, firm: number, share: number, mood: number) {
  const trend = returnBefore(life, row, LAG_SESSIONS) + 0.05 * mood;
  const step = share < 0.06 ? 0 : trend > 0.1 ? 1 : trend < -0.1 ? -1 : 0;
  const action =
    share < 0.06
      ? 'initiate'
      : step > 0
        ? 'upgrade'
        : step < 0
          ? 'downgrade'
          : share < 0.5
            ? 'maintain'
            : 'reiterate';
  const level = Math.round(clamp(1 + 3 * opinion(life, row) + 0.5 * mood, 0, 4));
  // A grade at the end of the scale cannot have come from beyond it.
  const to = clamp(level, Math.max(0, step), Math.min(4, 4 + step));
  const target = Math.max(0.5, meanCloseBefore(life, row, LAG_SESSIONS) * (1.08 + 0.08 * mood));
  return {
    firm: `${FIRMS[Math.floor(firm * FIRMS.length)]!} (simulated)`,
    action,
    from: action === 'initiate' ? null : GRADES[to - step]!,
    to: GRADES[to]!,
    target: rounded(target, target < 20 ? 1 : 0),
  } as const;
}

/** Transactions of five insiders from a session on; they buy more after falls and sell more after rises. */
export function insiderFacts(life: Life, fromSession: number): AnyFact[] {
  const { sessions, day } = life.schedule;
  const stream = streamOf(life, 'insiders');
  const facts: AnyFact[] = [];
  for (const session of sessionsFrom(life, fromSession)) {
    const drawn = stream(day[session]!);
    const filed = sessions[session + FILED_SESSIONS_AFTER];
    if (drawn.uniform() >= TRANSACTION_CHANCE || filed === undefined) continue;
    const knownAt = filed.close + Math.floor(30 + 150 * drawn.uniform()) * MINUTE_MS;
    facts.push(factOf('insider_transaction', knownAt, transaction(life, session, drawn)));
  }
  return facts;
}

function transaction(life: Life, session: number, drawn: Stream): FactValues['insider_transaction'] {
  const row = session - life.path.firstSession;
  const who = Math.floor(drawn.uniform() * TITLES.length);
  // A fall moves chance from sales to purchases, a rise the other way.
  const share = drawn.uniform() - 0.6 * clamp(returnBefore(life, row, 60), -0.25, 0.25);
  const code = CODES.find(([, upTo]) => share < upTo)![0];
  const close = closeOn(life, row, row);
  const dollars = 40_000 * Math.exp(1.2 * drawn.normal()) * (code === 'P' ? 1 : 3);
  const paid = code === 'M' ? 0.6 * close : close * (1 + 0.002 * drawn.normal());
  const name = (purpose: string): string =>
    inventedWord((part) => traitOf(life, part), `insider ${who} ${purpose}`);
  return {
    date: life.schedule.sessions[session]!.tradeDate,
    owner: `${name('given')} ${name('family')} (simulated)`,
    title: TITLES[who]!,
    code,
    shares: Math.max(10, Math.round(dollars / close)),
    price: code === 'A' ? null : rounded(paid, 2),
    direction: code === 'S' || code === 'F' ? 'disposed' : 'acquired',
  };
}
