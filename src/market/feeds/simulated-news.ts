import type { AnyFact } from '../facts.ts';
import { factOf } from '../fact-keys.ts';
import { nightNews } from './simulated-company-path.ts';
import { ORDINARY_MARKET_SIGMA } from './simulated-market-path.ts';
import type { Stream } from './simulated-random.ts';
import { SECTORS } from './simulated-sectors.ts';
import type { QuarterBooks } from './simulated-books.ts';
import { resultsOf, rowAt } from './simulated-earnings.ts';
import { clamp, HOUR_MS, type Life, MINUTE_MS, rounded, streamOf } from './simulated-life.ts';
import type { Report } from './simulated-report-dates.ts';

/** A vendor scores the tone of two items in three; the words of the rest have to do. */
const SCORED = 2 / 3;
/** Chance of an item about the business in a session: some six a year. */
const BUSINESS_CHANCE = 0.025;
/** A session's return that is worth an item, as a multiple of what is ordinary for the company. */
const LARGE_MOVE = 3.2;
/** The same of a sector's move, and the chance that the item names this company. */
const LARGE_SECTOR_MOVE = 2.6;
const SECTOR_ITEM_CHANCE = 0.5;

/** What an item says before a vendor has put numbers to it. */
interface Story {
  readonly what: string;
  readonly eventType: string;
  readonly publishedAt: number;
  readonly headline: string;
  readonly summary: string;
  /** -1 to 1: what it means for the company. */
  readonly tone: number;
}

const GOOD_NEWS = [
  'wins a record order',
  'raises its outlook on strong demand',
  'gains approval for a new product',
  'announces a share buyback',
];
const BAD_NEWS = [
  'warns of weak demand',
  'cuts its outlook',
  'faces a lawsuit over product defects',
  'recalls a product after losses',
];
const BUSINESS: readonly (readonly [text: string, eventType: string, tone: number])[] = [
  ['signs a supply agreement', 'contract', 0.3],
  ['opens a new plant', 'operations', 0.2],
  ['names a new head of finance', 'management', 0],
  ['presents its plans at a conference', 'event', 0],
  ['loses a customer to a rival', 'contract', -0.4],
  ['settles a dispute over patents', 'legal', 0.1],
  ['delays a product launch', 'product', -0.35],
  ['expands into a new region', 'operations', 0.35],
];

/** News of the sessions from one on, and of every report; at most one item of each sort a session. */
export function newsFacts(
  life: Life,
  books: ReadonlyMap<number, QuarterBooks>,
  reports: readonly Report[],
  fromSession: number,
): AnyFact[] {
  const { path, schedule } = life;
  const stories = reports.flatMap((report) => reportStory(life, books, report));
  const business = streamOf(life, 'business news');
  const sectorNews = streamOf(life, 'sector news');
  const reporting = new Set(reports.map(({ session }) => session));
  const splits = new Map(
    path.actions.flatMap(({ session, kind, value }) => (kind === 'split' ? [[session, value]] : [])),
  );
  for (
    let session = Math.max(fromSession, path.firstSession);
    session < path.firstSession + path.rows;
    session++
  ) {
    const day = schedule.day[session]!;
    if (!reporting.has(session)) stories.push(...jumpStory(life, session), ...moveStory(life, session));
    const ratio = splits.get(session);
    if (ratio !== undefined) stories.push(splitStory(life, session, ratio));
    stories.push(
      ...sectorStory(life, session, sectorNews(day)),
      ...businessStory(life, session, business(day)),
    );
  }
  return stories.map((story) => newsFact(life, story));
}

/** The item as a vendor delivers it. */
function newsFact(life: Life, { what, eventType, publishedAt, headline, summary, tone }: Story): AnyFact {
  const { symbol } = life.company;
  const drawn = streamOf(life, `vendor's score of ${what}`)(Math.floor(publishedAt / MINUTE_MS));
  const scored = drawn.uniform() < SCORED;
  const sentiment = rounded(clamp(tone + 0.12 * drawn.normal(), -1, 1), 2);
  return factOf('news', publishedAt + Math.floor(50 * drawn.uniform()) * 1000, {
    publishedAt,
    headline: `${headline} (simulated)`,
    summary: `${summary} (simulated)`,
    source: 'Simulated Wire',
    url: `https://news.example/${symbol.toLowerCase()}/${publishedAt}-${what}`,
    symbols: [symbol],
    eventType,
    sentiment: scored ? sentiment : null,
    relevance: scored ? rounded(eventType === 'sector' ? 0.3 : 0.75 + 0.25 * drawn.uniform(), 2) : null,
  });
}

/** The company's name without the mark, which every headline bears at its end. */
const nameOf = ({ companyName }: Life): string => companyName.replace(' (simulated)', '');

/** Twelve minutes after the results, in the words of the surprise. */
function reportStory(life: Life, books: ReadonlyMap<number, QuarterBooks>, report: Report): Story[] {
  const row = rowAt(life, report.knownAt);
  const results = row === null ? null : resultsOf(life, books, report, row);
  if (results === null) return [];
  const { epsActual, epsEstimate } = results;
  const surprise = (epsActual - epsEstimate) / Math.max(0.05, Math.abs(epsEstimate));
  const verb = surprise > 0.01 ? 'beats' : surprise < -0.01 ? 'misses' : 'meets';
  return [
    {
      what: 'results',
      eventType: 'earnings',
      publishedAt: report.knownAt + 12 * MINUTE_MS,
      headline: `${nameOf(life)} ${verb} estimates with quarterly earnings of ${dollars(epsActual)} a share`,
      summary: `Analysts had expected ${dollars(epsEstimate)} for the quarter to ${report.periodEnd}.`,
      tone: clamp(6 * surprise, -0.9, 0.9),
    },
  ];
}

const dollars = (amount: number): string => `${amount < 0 ? '-' : ''}$${Math.abs(amount).toFixed(2)}`;

/** What the price jumps on, out before the open. */
function jumpStory(life: Life, session: number): Story[] {
  const { jump, shock } = nightNews(life.seed, life.company.symbol, life.schedule.day[session]!);
  if (!jump || session === life.path.firstSession) return [];
  const texts = shock > 0 ? GOOD_NEWS : BAD_NEWS;
  const text = texts[Math.floor(Math.abs(shock) * 1000) % texts.length]!;
  return [
    {
      what: 'announcement',
      eventType: 'company',
      publishedAt: life.schedule.sessions[session]!.preOpen + 3 * HOUR_MS,
      headline: `${nameOf(life)} ${text}`,
      summary: `The company said so before the market opened.`,
      tone: clamp(0.5 * shock, -0.95, 0.95),
    },
  ];
}

/** A large move of the whole session, told after its close. */
function moveStory(life: Life, session: number): Story[] {
  const { path, company, schedule } = life;
  const row = session - path.firstSession;
  const move = Math.log(path.close[row]! / path.priorClose[row]!);
  const marketPart = company.beta * ORDINARY_MARKET_SIGMA;
  const ordinary = Math.sqrt(company.ownSigma * company.ownSigma + marketPart * marketPart);
  if (Math.abs(move) < LARGE_MOVE * ordinary) return [];
  const percent = `${(100 * Math.abs(Math.exp(move) - 1)).toFixed(1)} %`;
  return [
    {
      what: 'move',
      eventType: 'price_move',
      publishedAt: schedule.sessions[session]!.close + 20 * MINUTE_MS,
      headline: `${nameOf(life)} shares ${move > 0 ? 'surge' : 'plunge'} ${percent}`,
      summary: `The session's volume was ${path.volume[row]!.toLocaleString('en-US')} shares.`,
      tone: clamp(8 * move, -0.8, 0.8),
    },
  ];
}

function splitStory(life: Life, session: number, ratio: number): Story {
  const terms = ratio >= 1 ? `${ratio} for 1` : `1 for ${Math.round(1 / ratio)}`;
  return {
    what: 'split',
    eventType: 'split',
    publishedAt: life.schedule.sessions[session]!.preOpen + HOUR_MS,
    headline: `${nameOf(life)} shares trade ${terms} after a ${ratio >= 1 ? '' : 'reverse '}split`,
    summary: 'Prices of the days before are on the old basis.',
    tone: ratio >= 1 ? 0.15 : -0.3,
  };
}

/** A day on which the whole sector moved, told after its close by an item on some of its companies. */
function sectorStory(life: Life, session: number, drawn: Stream): Story[] {
  const sector = SECTORS[life.company.sector]!;
  const move = life.sectorMove(session);
  if (Math.abs(move) < LARGE_SECTOR_MOVE * sector.sigma || drawn.uniform() >= SECTOR_ITEM_CHANCE) return [];
  return [
    {
      what: 'sector',
      eventType: 'sector',
      publishedAt: life.schedule.sessions[session]!.close + 45 * MINUTE_MS,
      headline: `${sector.name} stocks ${move > 0 ? 'rally' : 'slump'}; ${nameOf(life)} among them`,
      summary: `The sector ${move > 0 ? 'gained on' : 'lost to'} the market.`,
      tone: clamp(12 * move, -0.6, 0.6),
    },
  ];
}

function businessStory(life: Life, session: number, drawn: Stream): Story[] {
  if (drawn.uniform() >= BUSINESS_CHANCE) return [];
  const [text, eventType, tone] = BUSINESS[Math.floor(drawn.uniform() * BUSINESS.length)]!;
  const { preOpen } = life.schedule.sessions[session]!;
  return [
    {
      what: 'business',
      eventType,
      publishedAt: preOpen + Math.floor(8 * 60 * drawn.uniform()) * MINUTE_MS,
      headline: `${nameOf(life)} ${text}`,
      summary: 'Terms were not disclosed.',
      tone,
    },
  ];
}
