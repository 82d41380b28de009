import { factOf } from '../fact-keys.ts';
import type { AnyFact } from '../facts.ts';
import type { Books } from './simulated-books.ts';
import { nightNews } from './simulated-company-path.ts';
import data from './simulated-data.json' with { type: 'json' };
import { type Report, resultsOf } from './simulated-earnings.ts';
import {
  clamp,
  HOUR_MS,
  type Life,
  MINUTE_MS,
  rounded,
  sessionsFrom,
  streamOf,
  traitOf,
} from './simulated-life.ts';
import { ORDINARY_MARKET_SIGMA } from './simulated-market-path.ts';
import { SECTORS } from './simulated-sectors.ts';

/** A vendor scores the tone of two items in three; the words of the rest have to do. */
const SCORED = 2 / 3;
/** Chance of an item about the business in a session: some six a year. */
const BUSINESS_CHANCE = 0.025;
/** A session's return that is worth an item, as a multiple of what is ordinary for the company. */
const LARGE_MOVE = 3.2;

/** What an item says before a vendor has put numbers to it. */
interface Story {
  readonly eventType: string;
  readonly publishedAt: number;
  readonly headline: string;
  readonly summary: string;
  /** -1 to 1: what it means for the company. */
  readonly tone: number;
}

/** News of the sessions from one on, and of every report; at most one item of each sort a session. */
export function newsFacts(
  life: Life,
  books: Books,
  reports: readonly Report[],
  fromSession: number,
): AnyFact[] {
  const reporting = new Set(reports.map(({ session }) => session));
  const business = streamOf(life, 'business news');
  const stories = reports.flatMap((report) => reportStory(life, books, report));
  for (const session of sessionsFrom(life, fromSession)) {
    if (!reporting.has(session)) stories.push(...jumpStory(life, session), ...moveStory(life, session));
    const { preOpen } = life.schedule.sessions[session]!;
    const drawn = business(life.schedule.day[session]!);
    if (drawn.uniform() >= BUSINESS_CHANCE) continue;
    const { text, eventType, tone } =
      data.news.business[Math.floor(drawn.uniform() * data.news.business.length)]!;
    const publishedAt = preOpen + Math.floor(8 * 60 * drawn.uniform()) * MINUTE_MS;
    stories.push({ eventType, publishedAt, headline: text, summary: 'Terms were not disclosed.', tone });
  }
  return stories.map((story) => newsFact(life, story));
}

/** The item as a vendor delivers it. */
function newsFact(life: Life, { eventType, publishedAt, headline, summary, tone }: Story): AnyFact {
  const { symbol } = life.company;
  const drawn = streamOf(life, `vendor's score of ${eventType}`)(Math.floor(publishedAt / MINUTE_MS));
  const scored = drawn.uniform() < SCORED;
  const sentiment = rounded(clamp(tone + 0.12 * drawn.normal(), -1, 1), 2);
  // Every headline bears the mark of the model at its end, not in the name.
  const name = life.companyName.replace(' (simulated)', '');
  return factOf('news', publishedAt + Math.floor(50 * drawn.uniform()) * 1000, {
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

/** Twelve minutes after the results, in the words of the surprise. */
function reportStory(life: Life, books: Books, report: Report): Story[] {
  const results = resultsOf(life, books, report, report.knownAt);
  if (results === null) return [];
  const { epsActual, epsEstimate } = results;
  const surprise = (epsActual - epsEstimate) / Math.max(0.05, Math.abs(epsEstimate));
  const verb = surprise > 0.01 ? 'beats' : surprise < -0.01 ? 'misses' : 'meets';
  return [
    {
      eventType: 'earnings',
      publishedAt: report.knownAt + 12 * MINUTE_MS,
      headline: `${verb} estimates with quarterly earnings of ${dollars(epsActual)} a share`,
      summary: `Analysts had expected ${dollars(epsEstimate)} for the quarter.`,
      tone: clamp(6 * surprise, -0.9, 0.9),
    },
  ];
}

const dollars = (amount: number): string => `${amount < 0 ? '-' : ''}$${Math.abs(amount).toFixed(2)}`;

/** What the price jumps on, out before the open. */
function jumpStory(life: Life, session: number): Story[] {
  const { jump, shock } = nightNews(life.seed, life.company.symbol, life.schedule.day[session]!);
  if (!jump) return [];
  const texts = shock > 0 ? data.news.good : data.news.bad;
  return [
    {
      eventType: 'company',
      publishedAt: life.schedule.sessions[session]!.preOpen + 3 * HOUR_MS,
      headline: texts[Math.floor(Math.abs(shock) * 1000) % texts.length]!,
      summary: 'The company said so before the market opened.',
      tone: clamp(0.5 * shock, -0.95, 0.95),
    },
  ];
}

/** A large move of the whole session, published after its close. */
function moveStory({ path, company, schedule }: Life, session: number): Story[] {
  const row = session - path.firstSession;
  const move = Math.log(path.close[row]! / path.priorClose[row]!);
  const marketPart = company.beta * ORDINARY_MARKET_SIGMA;
  const ordinary = Math.sqrt(company.ownSigma * company.ownSigma + marketPart * marketPart);
  if (Math.abs(move) < LARGE_MOVE * ordinary) return [];
  const percent = `${(100 * Math.abs(Math.exp(move) - 1)).toFixed(1)} %`;
  return [
    {
      eventType: 'price_move',
      publishedAt: schedule.sessions[session]!.close + 20 * MINUTE_MS,
      headline: `shares ${move > 0 ? 'surge' : 'plunge'} ${percent}`,
      summary: `The session's volume was ${path.volume[row]!.toLocaleString('en-US')} shares.`,
      tone: clamp(8 * move, -0.8, 0.8),
    },
  ];
}

/** Of the themes that its sector has to do with, a company shares this part. */
const THEME_SHARE = 0.45;

/** Exposures to themes from the company's first day on. */
export function themeFacts(life: Life): AnyFact[] {
  const sector = SECTORS[life.company.sector]!.name;
  const { preOpen, tradeDate: validFrom } = life.schedule.sessions[life.path.firstSession]!;
  return data.themes.flatMap(({ theme, name, gains, suffers }) => {
    const gaining = gains.includes(sector);
    if ((!gaining && !suffers.includes(sector)) || traitOf(life, `theme ${theme}`) >= THEME_SHARE) return [];
    const mixed = traitOf(life, `theme ${theme} mixed`) < 0.15;
    const value = {
      theme,
      themeName: `${name} (simulated)`,
      direction: mixed ? 'mixed' : gaining ? 'positive' : 'negative',
      magnitude: rounded(0.15 + 0.75 * traitOf(life, `theme ${theme} size`), 2),
      rationale: `A simulated company of the sector ${sector}, which this theme ${gaining ? 'serves' : 'burdens'}.`,
      validFrom,
    } as const;
    return [factOf('theme_exposure', preOpen, value)];
  });
}
