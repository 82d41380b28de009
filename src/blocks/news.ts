import { afinn165FinancialMarketNews } from 'afinn-165-financialmarketnews';
import type { Static } from 'typebox';
import { newsTone, TRADE_VALENCE, toneOf, toneWords } from '../analysis/news-sentiment.ts';
import { DAY_MS, dateOf } from '../base/dates.ts';
import { onceFor } from '../base/once-for.ts';
import * as wire from '../base/schema.ts';
import { instantOrNull } from '../base/wire.ts';
import type { NewsItem as ReportedNews } from '../market/facts.ts';
import { nestedBlock } from './block.ts';

const SENTIMENTS = ['positive', 'negative', 'neutral'] as const;

export const NewsItem = wire.record('NewsItem', 'One news event that mentions the stock.', {
  id: wire.string(
    'Identity of the event: its UTC date and its headline in lower case; reports of the same event share it.',
  ),
  headline: wire.string('Headline.'),
  summary: wire.nullableString('Short summary.'),
  source: wire.nullableString('Publisher.'),
  url: wire.nullableString('URL of the report.'),
  published_at: wire.dateTime('When it was published.'),
  event_type: wire.nullableString('Kind of event, e.g. earnings, guidance, merger, regulatory, product.'),
  sentiment: wire.nullableOneOf(SENTIMENTS, 'Tone for the stock.'),
  sentiment_score: wire.nullableNumber('Tone from -1 (negative) to 1 (positive).', wire.SIGNED_UNIT),
  sentiment_source: wire.nullableOneOf(
    ['vendor', 'lexicon'],
    'Who scored the tone: the vendor of the news, or a list of rated words (AFINN-165 for market news).',
  ),
  relevance: wire.nullableNumber('How much the event is about this stock, 0-1.', wire.FRACTION),
});

export type NewsItem = Static<typeof NewsItem>;

const News = wire.record('News', 'Summary of the news events known at the instant.', {
  count_24h: wire.integer('Events published in the last 24 hours.', wire.NOT_NEGATIVE),
  count_7d: wire.integer('Events published in the last 7 days.', wire.NOT_NEGATIVE),
  latest_published_at: wire.nullableDateTime('When the newest event was published.'),
  sentiment: wire.nullableOneOf(SENTIMENTS, 'Tone of the last 24 hours, weighted by relevance.'),
  sentiment_score: wire.nullableNumber(
    'Relevance-weighted mean tone of the last 24 hours, -1 to 1.',
    wire.SIGNED_UNIT,
  ),
  burst: wire.nullableNumber(
    'Events of the last 24 hours over the daily mean of the last 30 days; null with fewer than 10 in 30 days.',
    wire.NOT_NEGATIVE,
  ),
  items: wire.listOf(NewsItem, 'The events of the last 30 days, the newest 50, newest first.'),
});

const WORDS = toneWords({ ...afinn165FinancialMarketNews, ...TRADE_VALENCE });

export const WINDOW_MS = 30 * DAY_MS;
const WEEK_MS = 7 * DAY_MS;

export const ITEMS_MAX = 50;

/** With fewer events in 30 days one more would be ten times the mean. */
export const EVENTS_FOR_BURST_MIN = 10;

/** News of the last 30 days about the stock. Null without any, since silence and a missing feed look alike. */
export const news = nestedBlock({
  name: 'news',
  include: 'news',
  schema: News,
  derive({ facts, asOf }) {
    const items = byTime(facts.news);
    const until = (instant: number): number =>
      items.findLastIndex(({ publishedAt }) => publishedAt <= instant) + 1;
    return newsOf(items, until(asOf - WINDOW_MS), until(asOf - WEEK_MS), until(asOf - DAY_MS), until(asOf));
  },
  // Only the day's news, so that an item is related to one day of the stock and not to thirty.
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

const byTime = onceFor((items: readonly ReportedNews[]) =>
  items.toSorted((one, other) => one.publishedAt - other.publishedAt),
);

/** Of items by time those of the window, of its last week and of its last day, which begin and end at rows of the list. */
const newsOf = onceFor(
  (items: readonly ReportedNews[], from: number, weekFrom: number, dayFrom: number, to: number) => {
    const events = eventsOf(items.slice(from, to));
    if (events.length === 0) return null;
    const lastDay = events.slice(0, countSince(events, items[dayFrom]));
    const scored = events.slice(0, Math.max(ITEMS_MAX, lastDay.length)).map(wireItem);
    const score = weightedTone(scored.slice(0, lastDay.length));
    return {
      count_24h: lastDay.length,
      count_7d: countSince(events, items[weekFrom]),
      latest_published_at: instantOrNull(events[0]!.publishedAt),
      sentiment: score === null ? null : toneOf(score),
      sentiment_score: score,
      burst: events.length < EVENTS_FOR_BURST_MIN ? null : (lastDay.length * 30) / events.length,
      items: scored.slice(0, ITEMS_MAX),
    };
  },
);

/** Events of items by time, newest first; of reports with one headline on one day the first counts. */
function eventsOf(items: readonly ReportedNews[]): readonly ReportedNews[] {
  const dayOf = new Map<string, number>();
  return items
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

/** Number of events since the first item of a span, none without one; the events are newest first. */
const countSince = (events: readonly ReportedNews[], first: ReportedNews | undefined): number =>
  first === undefined ? 0 : events.findLastIndex(({ publishedAt }) => publishedAt >= first.publishedAt) + 1;

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

/** The vendor's score, which knows the stock; else the headline's tone, or the summary's when the headline has none. */
function toneOfItem(item: ReportedNews): { score: number | null; source: 'vendor' | 'lexicon' | null } {
  if (item.sentiment !== null) return { score: item.sentiment, source: 'vendor' };
  const headline = newsTone(item.headline, WORDS);
  const tone = headline === 0 && item.summary !== null ? newsTone(item.summary, WORDS) : headline;
  if (Number.isNaN(tone)) return { score: null, source: null };
  return { score: tone, source: 'lexicon' };
}

/** Mean tone weighted by relevance (1 when unknown); null without a weighted tone. */
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
