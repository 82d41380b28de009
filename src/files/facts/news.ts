import { isMembers, type Members, memberAt, textOf } from '../json.ts';
import { type FactDescription, type FactLayout, firstOf, tickersIn } from './layout.ts';

/** News as the APIs of sources answer it. An item counts from its newest time: who edits it may change its headline. */

type Columns = FactDescription['columns'];

const news = (symbol: string, columns: Columns): readonly FactDescription[] => [
  { kind: 'news', symbol, columns: { symbols: (item) => tickersIn(memberAt(item, symbol)), ...columns } },
];

/** A list of objects under a name, or the file itself, whose first has some members. */
const listed =
  (path: string, ...members: readonly string[]) =>
  (file: unknown): readonly unknown[] | null => {
    const items = path === '' ? file : memberAt(file, path);
    const first = Array.isArray(items) ? items.find(isMembers) : undefined;
    return first !== undefined && members.every((name) => name in first) ? (items as unknown[]) : null;
  };

/** Times without a zone, or counts since 1970, as texts that tell their clock. */
const inUtc =
  (path: string) =>
  (item: Members): unknown =>
    textOf(memberAt(item, path)).replace(/^(\d{8}T\d{4,6})$/, '$1Z');

export const alpacaNews: FactLayout = {
  itemsIn: listed('news', 'headline', 'created_at', 'symbols'),
  facts: news('symbols', {
    published_at: 'created_at',
    known_at: firstOf('updated_at', 'created_at'),
    headline: 'headline',
    summary: 'summary',
    source: 'source',
    url: 'url',
  }),
};

/** Massive, formerly Polygon. The tone that it adds later is left out: nothing says since when. */
export const massiveNews: FactLayout = {
  itemsIn: listed('results', 'published_utc', 'tickers', 'title'),
  facts: news('tickers', {
    published_at: 'published_utc',
    headline: 'title',
    summary: 'description',
    source: 'publisher.name',
    url: 'article_url',
  }),
};

export const finnhubNews: FactLayout = {
  itemsIn: listed('', 'datetime', 'headline', 'related'),
  facts: news('related', {
    published_at: inUtc('datetime'),
    headline: 'headline',
    summary: 'summary',
    source: 'source',
    url: 'url',
  }),
};

const sentimentOf =
  (name: string) =>
  (item: Members, symbol: string): unknown => {
    const said = Array.isArray(item.ticker_sentiment) ? item.ticker_sentiment.filter(isMembers) : [];
    return said.find(({ ticker }) => tickersIn(textOf(ticker)).includes(symbol))?.[name];
  };

/**
 * Alpha Vantage's `NEWS_SENTIMENT`. Users take its times for UTC, its documentation names no clock: an item is published at
 * that time of UTC, and counts from the later one that the time is in New York.
 */
export const alphaVantageNews: FactLayout = {
  itemsIn: listed('feed', 'time_published', 'title', 'ticker_sentiment'),
  facts: news('ticker_sentiment', {
    published_at: inUtc('time_published'),
    known_at: (item) => `${textOf(item.time_published)} America/New_York`,
    headline: 'title',
    summary: 'summary',
    source: 'source',
    url: 'url',
    sentiment: sentimentOf('ticker_sentiment_score'),
    relevance: sentimentOf('relevance_score'),
  }),
};

/** yfinance until 2024; what it writes since then names no ticker. */
export const yfinanceNews: FactLayout = {
  itemsIn: listed('', 'providerPublishTime', 'title'),
  facts: news('relatedTickers', {
    published_at: inUtc('providerPublishTime'),
    headline: 'title',
    source: 'publisher',
    url: 'link',
  }),
};
