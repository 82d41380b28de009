import { DAY_MS } from '../../base/calendar.ts';
import { factOf } from '../fact-keys.ts';
import { type AnyFact, FACT_SCHEMAS, type FactKind } from '../facts.ts';
import { booksOf } from './simulated-books.ts';
import { earningsFacts, reportsOf, sharesFact } from './simulated-earnings.ts';
import { type Life, MINUTE_MS, splitFactors } from './simulated-life.ts';
import { missingFrom, type SimulatedMarket, type SimulatedSymbol } from './simulated-market.ts';
import { newsFacts, themeFacts } from './simulated-news.ts';
import { consensusFacts, gradeFacts, insiderFacts } from './simulated-opinions.ts';

/** What happens may be known some days later; its session is asked for from that much earlier on. */
const DAYS_TO_FILE = 8;

/**
 * Everything reported of a symbol that can matter from a session of the timeline on, in the order of `knownAt`: the
 * facts of the window, and before it as many as a view of its first day looks back on. No fact is known after the last
 * session of the market.
 */
export function reportedFacts(market: SimulatedMarket, of: SimulatedSymbol, fromSession: number): AnyFact[] {
  const { sessions, day } = market.timeline;
  const start = sessions[Math.max(fromSession, of.path.firstSession)]!.preOpen;
  const end = sessions.at(-1)!.postClose;
  const window = (kind: FactKind): number => FACT_SCHEMAS[kind].windowDays;
  /** The first session of which a fact of this kind can still be seen. */
  const since = (kind: FactKind): number => {
    const first = start / DAY_MS - window(kind) - DAYS_TO_FILE;
    const session = day.findIndex((candidate) => candidate >= first);
    return Math.max(0, session);
  };
  const profile = factOf('profile', sessions[of.path.firstSession]!.preOpen, of.profile);
  const facts = [profile, ...haltFacts(market, of, since('halt')), ...companyFacts(market, of, since)];
  return facts
    .filter(({ kind, knownAt }) => knownAt <= end && knownAt > start - window(kind) * DAY_MS)
    .sort((a, b) => a.knownAt - b.knownAt);
}

/** Halts as the exchange reports them: a fact when one begins, and another when it ends. */
function haltFacts(market: SimulatedMarket, of: SimulatedSymbol, fromSession: number): AnyFact[] {
  const { firstSession, rows } = of.path;
  const facts: AnyFact[] = [];
  for (let session = Math.max(fromSession, firstSession); session < firstSession + rows; session++) {
    const { haltFrom, haltTo } = missingFrom(market, of, session);
    if (haltTo <= haltFrom) continue;
    const { open } = market.timeline.sessions[session]!;
    const from = open + haltFrom * MINUTE_MS;
    const to = open + haltTo * MINUTE_MS;
    const reason = 'Volatility pause (simulated)';
    facts.push(factOf('halt', from, { from, to: null, reason }), factOf('halt', to, { from, to, reason }));
  }
  return facts;
}

/** Statements, opinions, transactions, news and themes; none of an index or a fund. */
function companyFacts(
  { seed, schedule }: SimulatedMarket,
  { company, path, profile }: SimulatedSymbol,
  since: (kind: FactKind) => number,
): AnyFact[] {
  if (company === null || company.sector < 0) return [];
  const companyName = profile.companyName!;
  const life: Life = { seed, company, companyName, path, schedule, splitFactor: splitFactors(path) };
  const books = booksOf(life);
  const reports = reportsOf(life);
  // Share counts that no report brings: that of the first day, and those of the mornings of splits.
  const splits = path.actions.filter(({ kind }) => kind === 'split').map(({ session }) => session);
  return [
    ...[path.firstSession, ...splits].map((session) =>
      sharesFact(life, session - path.firstSession, schedule.sessions[session]!.preOpen),
    ),
    ...earningsFacts(life, books, reports),
    ...consensusFacts(life, books, reports),
    ...gradeFacts(life, reports, since('analyst_grade')),
    ...insiderFacts(life, since('insider_transaction')),
    ...newsFacts(life, books, reports, since('news')),
    ...themeFacts(life),
  ];
}
