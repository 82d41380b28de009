import { afinn165FinancialMarketNews } from 'afinn-165-financialmarketnews';
import { newsTone, TRADE_VALENCE, toneOf, toneWords } from '../analysis/news-sentiment.ts';
import { DAY_MS, dateOf } from '../base/dates.ts';
import {
  dateTime,
  integer,
  listOf,
  nullableDateTime,
  nullableNumber,
  nullableOneOf,
  nullableString,
  record,
  string,
} from '../base/schema.ts';
import type { Static } from 'typebox';
import type { NewsItem as ReportedNews } from '../market/facts.ts';
import { defineBlock } from './block.ts';
import { instantOrNull } from './wire.ts';

const SENTIMENTS = ['positive', 'negative', 'neutral'] as const;

const NewsItem = record('NewsItem', 'One news event that mentions the stock.', {
  id: string(
    'Identity of the event: its UTC date and its headline in lower case; reports of the same event share it.',
  ),
  headline: string('Headline.'),
  summary: nullableString('Short summary.'),
  source: nullableString('Publisher.'),
  url: nullableString('URL of the report.'),
  published_at: dateTime('When it was published.'),
  event_type: nullableString('Kind of event, e.g. earnings, guidance, merger, regulatory, product.'),
  sentiment: nullableOneOf(SENTIMENTS, 'Tone for the stock.'),
  sentiment_score: nullableNumber('Tone from -1 (negative) to 1 (positive).', { minimum: -1, maximum: 1 }),
  sentiment_source: nullableOneOf(
    ['vendor', 'lexicon'],
    'Who scored the tone: the vendor of the news, or a list of rated words (AFINN-165 for market news).',
  ),
  relevance: nullableNumber('How much the event is about this stock, 0-1.', { minimum: 0, maximum: 1 }),
});

export type NewsItem = Static<typeof NewsItem>;

const News = record('News', 'Summary of the news events known at the instant.', {
  count_24h: integer('Events published in the last 24 hours.', { minimum: 0 }),
  count_7d: integer('Events published in the last 7 days.', { minimum: 0 }),
  latest_published_at: nullableDateTime('When the newest event was published.'),
  sentiment: nullableOneOf(SENTIMENTS, 'Tone of the last 24 hours, weighted by relevance.'),
  sentiment_score: nullableNumber('Relevance-weighted mean tone of the last 24 hours, -1 to 1.', {
    minimum: -1,
    maximum: 1,
  }),
  burst: nullableNumber(
    'Events of the last 24 hours over the daily mean of the last 30 days; null with fewer than 10 in 30 days.',
    {
      minimum: 0,
    },
  ),
  items: listOf(NewsItem, 'The events of the last 30 days, the newest 50, newest first.'),
});

const WORDS = toneWords({ ...afinn165FinancialMarketNews, ...TRADE_VALENCE });

const WINDOW_MS = 30 * DAY_MS;
const WEEK_MS = 7 * DAY_MS;

/** What a chart or an agent can show; older items are behind the days before. */
const MOST_ITEMS = 50;

/** A daily mean of fewer events in 30 days is no measure of a burst: one more would be ten times the usual. */
const LEAST_FOR_BURST = 10;

/** News of the last 30 days that mentions the stock. Null when there is none, since silence and no feed look alike. */
export const news = defineBlock({
  name: 'news',
  include: 'news',
  schema: News,
  flat: {},
  reads: [],
  derive({ facts, asOf }) {
    const events = eventsOf(facts.news, asOf);
    if (events.length === 0) return { nested: null, flat: {} };
    const lastDay = events.slice(0, countSince(events, asOf - DAY_MS));
    const scored = events.slice(0, Math.max(MOST_ITEMS, lastDay.length)).map(wireItem);
    const score = weightedTone(scored.slice(0, lastDay.length));
    return {
      nested: {
        count_24h: lastDay.length,
        count_7d: countSince(events, asOf - WEEK_MS),
        latest_published_at: instantOrNull(events[0]!.publishedAt),
        sentiment: score === null ? null : toneOf(score),
        sentiment_score: score,
        burst: events.length < LEAST_FOR_BURST ? null : (lastDay.length * 30) / events.length,
        items: scored.slice(0, MOST_ITEMS),
      },
      flat: {},
    };
  },
  // Of the day's own news alone, so that every item hangs on one day of the stock and not on thirty.
  relate: ({ items }, { priorSession }) =>
    items
      .filter(({ published_at }) => Date.parse(published_at) > priorSession.postClose)
      .map(({ id, headline, published_at, source, url, ...item }) => ({
        type: 'MENTIONED_IN',
        label: 'News',
        key: id,
        props: { headline, published_at, source, url },
        edgeProps: {
          sentiment: item.sentiment,
          sentiment_score: item.sentiment_score,
          relevance: item.relevance,
        },
      })),
});

/** Events of the window, newest first; of reports with one headline on one day the first to appear stands for all. */
function eventsOf(items: readonly ReportedNews[], asOf: number): readonly ReportedNews[] {
  const dayOf = new Map<string, number>();
  return items
    .filter(({ publishedAt }) => publishedAt <= asOf && publishedAt > asOf - WINDOW_MS)
    .sort((one, other) => one.publishedAt - other.publishedAt)
    .filter(({ headline, publishedAt }) => {
      const title = titleOf(headline);
      const day = Math.floor(publishedAt / DAY_MS);
      if (dayOf.get(title) === day) return false;
      dayOf.set(title, day);
      return true;
    })
    .reverse();
}

function titleOf(headline: string): string {
  return headline.trim().toLowerCase();
}

function eventId({ publishedAt, headline }: ReportedNews): string {
  return `${dateOf(publishedAt)} ${titleOf(headline)}`;
}

/** How many of the events, newest first, were published after an instant. */
function countSince(events: readonly ReportedNews[], instant: number): number {
  const older = events.findIndex(({ publishedAt }) => publishedAt <= instant);
  return older < 0 ? events.length : older;
}

/** A reported item as the block serves it. */
export function wireItem(item: ReportedNews): NewsItem {
  const { score, source } = toneOfItem(item);
  return {
    id: eventId(item),
    headline: item.headline,
    summary: item.summary,
    source: item.source,
    url: item.url,
    published_at: new Date(item.publishedAt).toISOString(),
    event_type: item.eventType,
    sentiment: score === null ? null : toneOf(score),
    sentiment_score: score,
    sentiment_source: source,
    relevance: item.relevance,
  };
}

/** The vendor's word, which knows the stock; else the headline's tone, and the summary's where the headline has none. */
function toneOfItem(item: ReportedNews): { score: number | null; source: 'vendor' | 'lexicon' | null } {
  if (item.sentiment !== null) return { score: item.sentiment, source: 'vendor' };
  const headline = newsTone(item.headline, WORDS);
  const tone = headline === 0 && item.summary !== null ? newsTone(item.summary, WORDS) : headline;
  if (Number.isNaN(tone)) return { score: null, source: null };
  return { score: tone, source: 'lexicon' };
}

/** Mean tone weighted by relevance, an item of unknown relevance in full; null when nothing with weight has a tone. */
function weightedTone(items: readonly { sentiment_score: number | null; relevance: number | null }[]) {
  let sum = 0;
  let weight = 0;
  for (const { sentiment_score: score, relevance } of items) {
    if (score === null) continue;
    sum += score * (relevance ?? 1);
    weight += relevance ?? 1;
  }
  return weight > 0 ? sum / weight : null;
}
