import { DAY_MS } from '../../base/calendar.ts';
import type { AnyFact, FactKind } from '../facts.ts';
import { factOf } from '../fact-keys.ts';
import { FACT_WINDOW_DAYS } from '../known-facts.ts';
import { missingFrom, type SimulatedMarket, type SimulatedSymbol } from './simulated-market.ts';
import { consensusFacts, gradeFacts } from './simulated-analysts.ts';
import { booksOf } from './simulated-books.ts';
import { earningsFacts, floatShare } from './simulated-earnings.ts';
import { haltFacts } from './simulated-halts.ts';
import { insiderFacts } from './simulated-insiders.ts';
import { type Life, sharesOn, splitFactors } from './simulated-life.ts';
import { newsFacts } from './simulated-news.ts';
import { reportsOf } from './simulated-report-dates.ts';
import { themeFacts } from './simulated-themes.ts';

/**
 * Everything reported of a symbol that can matter from a session of the timeline on, in the order of `knownAt`: the
 * facts of the window, and before it as many as a view of its first day looks back on. Nothing that is known after the
 * last session of the market is told.
 */
export function reportedFacts(market: SimulatedMarket, of: SimulatedSymbol, fromSession: number): AnyFact[] {
  const { sessions, day } = market.timeline;
  const start = sessions[Math.max(fromSession, of.path.firstSession)]!.preOpen;
  const end = sessions.at(-1)!.postClose;
  /** The first session of which a fact of this kind can still be seen. */
  const since = (kind: FactKind): number => {
    const first = start / DAY_MS - FACT_WINDOW_DAYS[kind] - DAYS_TO_FILE;
    return Math.max(
      0,
      day.findIndex((candidate) => candidate >= first),
    );
  };
  const profile = factOf('profile', sessions[of.path.firstSession]!.preOpen, of.profile);
  const facts = [profile, ...haltsOf(market, of, since('halt')), ...companyFacts(market, of, since)];
  return facts
    .filter(({ kind, knownAt }) => knownAt <= end && knownAt > start - FACT_WINDOW_DAYS[kind] * DAY_MS)
    .sort((a, b) => a.knownAt - b.knownAt);
}

/** What happens may be known some days later; its session is asked for from that much earlier on. */
const DAYS_TO_FILE = 8;

function haltsOf(market: SimulatedMarket, of: SimulatedSymbol, fromSession: number): AnyFact[] {
  const facts: AnyFact[] = [];
  const to = of.path.firstSession + of.path.rows;
  for (let session = Math.max(fromSession, of.path.firstSession); session < to; session++) {
    facts.push(...haltFacts(market.timeline.sessions[session]!, missingFrom(market, of, session)));
  }
  return facts;
}

/** Statements, opinions, transactions, news and themes; none of an index or a fund. */
function companyFacts(
  market: SimulatedMarket,
  of: SimulatedSymbol,
  since: (kind: FactKind) => number,
): AnyFact[] {
  if (of.company === null || of.company.sector < 0) return [];
  const sector = market.path.sectors[of.company.sector]!;
  const life: Life = {
    seed: market.seed,
    company: of.company,
    companyName: of.profile.companyName!,
    path: of.path,
    schedule: market.schedule,
    splitFactor: splitFactors(of.path),
    sectorMove: (session) => sector.overnight[session]! + sector.intraday[session]!,
  };
  const books = booksOf(life);
  const reports = reportsOf(life);
  return [
    ...shareFacts(life),
    ...earningsFacts(life, books, reports),
    ...consensusFacts(life, books, reports),
    ...gradeFacts(life, reports, since('analyst_grade')),
    ...insiderFacts(life, since('insider_transaction')),
    ...newsFacts(life, books, reports, since('news')),
    ...themeFacts(life),
  ];
}

/** Share counts that no report brings: that of the first day, and those of the mornings of splits. */
function shareFacts(life: Life): AnyFact[] {
  const { path, schedule } = life;
  const rows = [
    0,
    ...path.actions.flatMap((a) => (a.kind === 'split' ? [a.session - path.firstSession] : [])),
  ];
  return rows.map((row) => {
    const outstanding = sharesOn(life, row);
    return factOf('shares', schedule.sessions[path.firstSession + row]!.preOpen, {
      outstanding,
      float: Math.round(outstanding * floatShare(life)),
    });
  });
}
