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
import { defineBlock } from './block.ts';
import { absent } from './wire.ts';

const SENTIMENTS = ['positive', 'negative', 'neutral'] as const;

const NewsItem = record('NewsItem', 'One news event that mentions the stock.', {
  id: string('Identity of the event; reports of the same event share it.'),
  headline: string('Headline.'),
  summary: nullableString('Short summary.'),
  source: nullableString('Publisher.'),
  url: nullableString('URL of the report.'),
  published_at: dateTime('When it was published.'),
  event_type: nullableString('Kind of event, e.g. earnings, guidance, merger, regulatory, product.'),
  sentiment: nullableOneOf(SENTIMENTS, 'Tone for the stock.'),
  sentiment_score: nullableNumber('Tone from -1 (negative) to 1 (positive).', { minimum: -1, maximum: 1 }),
  relevance: nullableNumber('How much the event is about this stock, 0-1.', { minimum: 0, maximum: 1 }),
});

const News = record('News', 'Summary of the news events known at the instant.', {
  count_24h: integer('Events published in the last 24 hours.', { minimum: 0 }),
  count_7d: integer('Events published in the last 7 days.', { minimum: 0 }),
  latest_published_at: nullableDateTime('When the newest event was published.'),
  sentiment: nullableOneOf(SENTIMENTS, 'Tone of the last 24 hours, weighted by relevance.'),
  sentiment_score: nullableNumber('Relevance-weighted mean tone of the last 24 hours, -1 to 1.', {
    minimum: -1,
    maximum: 1,
  }),
  burst: nullableNumber('Events of the last 24 hours over the daily mean of the last 30 days.', {
    minimum: 0,
  }),
  items: listOf(NewsItem, 'The events, newest first.'),
});

/** News that mentions the stock. No feed brings it yet. */
export const news = defineBlock({
  name: 'news',
  include: 'news',
  schema: News,
  flat: {},
  reads: [],
  derive: () => absent({}),
});
