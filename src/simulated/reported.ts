import { DAY_MS } from '../base/calendar.ts';
import { HOUR_MS, MINUTE_MS } from '../base/dates.ts';
import { type AnyFact, FACT_SCHEMAS, type FactKind, type NewsItem } from '../market/facts.ts';
import { factOf } from '../market/validate-fact.ts';
import { SECTORS } from './companies.ts';
import { drawShocks, ordinaryMoveOf } from './company-path.ts';
import data from './data.json' with { type: 'json' };
import {
  earningsFacts,
  type Report,
  type ReportingCompany,
  reportingCompany,
  resultsOf,
} from './earnings.ts';
import { type CompanyHistory, companyHistory, occasions, sessionsFrom } from './history.ts';
import { missingFrom, type SimulatedMarket, type SimulatedSymbol, sessionsOf } from './market.ts';
import { consensusFacts, gradeFacts, insiderFacts } from './opinions.ts';
import { clamp, rounded } from './random.ts';

/** A fact may be known some days after its session. */
const DAYS_TO_FILE = 8;

/**
 * Every fact of a symbol that can matter from a session of the timeline on, in the order of `knownAt`: the facts of
 * the window, and those before it that a view of its first day needs. No fact is known after the last session.
 */
export function reportedFacts(market: SimulatedMarket, of: SimulatedSymbol, fromSession: number): AnyFact[] {
  const { sessions, day } = market.timeline;
  const start = sessions[Math.max(fromSession, of.path.firstSession)]!.preOpen;
  const end = sessions.at(-1)!.postClose;
  const windowDays = (kind: FactKind): number => FACT_SCHEMAS[kind].windowDays;
  /** The first session whose facts of this kind can still be seen. */
  const since = (kind: FactKind): number => {
    const firstDay = start / DAY_MS - windowDays(kind) - DAYS_TO_FILE;
    return sessions.findIndex((_, session) => day[session]! >= firstDay);
  };
  const profile = factOf('profile', sessions[of.path.firstSession]!.preOpen, of.profile);
  const facts = [profile, ...haltFacts(market, of, since('halt')), ...companyFacts(market, of, since)];
  return facts
    .filter(({ kind, knownAt }) => knownAt <= end && knownAt > start - windowDays(kind) * DAY_MS)
    .sort((a, b) => a.knownAt - b.knownAt);
}

/** Halts as the exchange reports them: a fact at the beginning and another at the end. */
function haltFacts(market: SimulatedMarket, of: SimulatedSymbol, fromSession: number): AnyFact[] {
  const facts: AnyFact[] = [];
  for (const session of sessionsOf(of, fromSession)) {
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
  const of = reportingCompany(companyHistory(seed, company, profile.companyName!, path, schedule));
  return [
    ...earningsFacts(of),
    ...consensusFacts(of),
    ...gradeFacts(of, since('analyst_grade')),
    ...insiderFacts(of, since('insider_transaction')),
    ...newsFacts(of, since('news')),
    ...themeFacts(of),
  ];
}

/** A vendor scores the tone of two items in three. */
const SCORED = 2 / 3;
/** Chance of an item about the business in a session: some six a year. */
const BUSINESS_CHANCE = 0.025;
/** A session's return that is worth an item, as a multiple of what is ordinary for the company. */
const LARGE_MOVE = 3.2;

/** An item before a vendor has scored it; its tone from -1 to 1 is what it means for the company. */
type Story = Pick<NewsItem, 'eventType' | 'publishedAt' | 'headline' | 'summary'> & { readonly tone: number };

/** News of the sessions from one on, and of every report; at most one item of each sort a session. */
function newsFacts(of: ReportingCompany, fromSession: number): AnyFact[] {
  const { schedule, reports } = of;
  const reporting = new Set(reports.map(({ session }) => session));
  const stories: (Story | null)[] = reports.map((report) => reportStory(of, report));
  for (const session of sessionsFrom(of, fromSession)) {
    if (!reporting.has(session)) stories.push(jumpStory(of, session), moveStory(of, session));
  }
  for (const { session, drawn } of occasions(of, 'business news', fromSession, () => BUSINESS_CHANCE)) {
    const { business: items } = data.news;
    const { text: headline, eventType, tone } = items[Math.floor(drawn.uniform() * items.length)]!;
    const { preOpen } = schedule.sessions[session]!;
    const publishedAt = preOpen + Math.floor(8 * 60 * drawn.uniform()) * MINUTE_MS;
    stories.push({ eventType, publishedAt, headline, summary: 'Terms were not disclosed.', tone });
  }
  return stories.filter((story) => story !== null).map((story) => newsFact(of, story));
}

/** The item as a vendor delivers it. */
function newsFact(of: CompanyHistory, { eventType, publishedAt, headline, summary, tone }: Story): AnyFact {
  const { symbol } = of.company;
  const drawn = of.stream(`vendor's score of ${eventType}`)(Math.floor(publishedAt / MINUTE_MS));
  const scored = drawn.uniform() < SCORED;
  const sentiment = rounded(clamp(tone + 0.12 * drawn.normal(), -1, 1), 2);
  // Headlines are marked at their end, not in the name.
  const name = of.companyName.replace(' (simulated)', '');
  return factOf('news', publishedAt, {
    publishedAt,
    headline: `${name} ${headline} (simulated)`,
    summary: `${summary} (simulated)`,
    source: 'Simulated Wire',
    url: `https://news.example/${symbol.toLowerCase()}/${publishedAt}-${eventType}`,
    symbols: [symbol],
    eventType,
    sentiment: scored ? sentiment : null,
    relevance: scored ? rounded(0.75 + 0.25 * drawn.uniform(), 2) : null,
  });
}

/** Twelve minutes after the results. */
function reportStory(of: ReportingCompany, report: Report): Story | null {
  const results = resultsOf(of, report, report.announced);
  if (results === null) return null;
  const { epsActual, epsEstimate } = results;
  const surprise = (epsActual - epsEstimate) / Math.max(0.05, Math.abs(epsEstimate));
  const verb = surprise > 0.01 ? 'beats' : surprise < -0.01 ? 'misses' : 'meets';
  return {
    eventType: 'earnings',
    publishedAt: report.knownAt + 12 * MINUTE_MS,
    headline: `${verb} estimates with quarterly earnings of ${dollars(epsActual)} a share`,
    summary: `Analysts had expected ${dollars(epsEstimate)} for the quarter.`,
    tone: clamp(6 * surprise, -0.9, 0.9),
  };
}

const dollars = (amount: number): string => `${amount < 0 ? '-' : ''}$${Math.abs(amount).toFixed(2)}`;

/** News that the price jumps on, published before the open. */
function jumpStory({ schedule, stream }: CompanyHistory, session: number): Story | null {
  const { hasNews, newsShock: shock } = drawShocks(stream('daily')(schedule.day[session]!));
  if (!hasNews) return null;
  const texts = shock > 0 ? data.news.good : data.news.bad;
  return {
    eventType: 'company',
    publishedAt: schedule.sessions[session]!.preOpen + 3 * HOUR_MS,
    headline: texts[Math.floor(Math.abs(shock) * 1000) % texts.length]!,
    summary: 'The company said so before the market opened.',
    tone: clamp(0.5 * shock, -0.95, 0.95),
  };
}

/** One formatter for all: making it costs more than all else of a story. */
const SHARES = new Intl.NumberFormat('en-US');

/** A large move of the whole session, published after its close. */
function moveStory({ path, company, schedule }: CompanyHistory, session: number): Story | null {
  const row = session - path.firstSession;
  const move = Math.log(path.close[row]! / path.priorClose[row]!);
  if (Math.abs(move) < LARGE_MOVE * ordinaryMoveOf(company)) return null;
  const percent = `${(100 * Math.abs(Math.exp(move) - 1)).toFixed(1)} %`;
  return {
    eventType: 'price_move',
    publishedAt: schedule.sessions[session]!.close + 20 * MINUTE_MS,
    headline: `shares ${move > 0 ? 'surge' : 'plunge'} ${percent}`,
    summary: `The session's volume was ${SHARES.format(path.volume[row]!)} shares.`,
    tone: clamp(8 * move, -0.8, 0.8),
  };
}

/** Part of a sector's companies that one of its themes concerns. */
const THEME_SHARE = 0.45;

/** Exposures to themes from the company's first day on. */
function themeFacts({ company, schedule, path, traits }: CompanyHistory): AnyFact[] {
  const sector = SECTORS[company.sector]!.name;
  const { preOpen, tradeDate: validFrom } = schedule.sessions[path.firstSession]!;
  return data.themes.flatMap(({ theme, name, gains, suffers }) => {
    const gaining = gains.includes(sector);
    if (!gaining && !suffers.includes(sector)) return [];
    if (traits.uniform(`theme ${theme}`) >= THEME_SHARE) return [];
    const value = {
      theme,
      themeName: `${name} (simulated)`,
      direction: gaining ? 'positive' : 'negative',
      magnitude: rounded(0.15 + 0.75 * traits.uniform(`theme ${theme} size`), 2),
      rationale: `A simulated company of the sector ${sector}, which this theme ${gaining ? 'serves' : 'burdens'}.`,
      validFrom,
    } as const;
    return [factOf('theme_exposure', preOpen, value)];
  });
}
