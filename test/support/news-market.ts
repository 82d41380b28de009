import type { App } from '../../src/app.ts';
import type { Delivery } from '../../src/market/feed.ts';
import { factOf } from '../../src/market/validate-fact.ts';
import { syncGraph } from '../../src/pipeline/graph-sync.ts';
import { importFeed } from '../../src/tape/ingest.ts';
import { feedOf } from './app.ts';
import { dailyBars } from './market.ts';
import { factsOf, newsWith } from './reported.ts';

/** A news item: its stock, its publication, and how much later it was reported (a second unless given). */
export interface NewsRow {
  readonly symbol: string;
  readonly at: string;
  readonly headline: string;
  readonly summary?: string;
  readonly afterMs?: number;
}

/** @param key by default that of a first report */
export function newsDelivery(
  { symbol, at, headline, summary, afterMs = 1_000 }: NewsRow,
  key?: string,
): Delivery {
  const publishedAt = Date.parse(at);
  const value = newsWith({
    publishedAt,
    headline,
    summary: summary ?? null,
    source: 'Wire',
    symbols: [symbol],
  });
  const fact = factOf('news', publishedAt + afterMs, value);
  return factsOf(symbol, key === undefined ? fact : { ...fact, key });
}

/** Key of an item's node. */
export const newsKey = ({ at, headline }: NewsRow): string => `${at.slice(0, 10)} ${headline.toLowerCase()}`;

/** Items of one minute over four stocks; a stock-day holds 50 items at most. */
export const manyNews = (count: number): NewsRow[] =>
  Array.from({ length: count }, (_, at) => ({
    symbol: ['ACME', 'BETA', 'GAMA', 'DELT'][Math.floor(at / 40)]!,
    at: '2024-03-04T15:00:00Z',
    headline: `Item number ${at}`,
  }));

/** A market whose stocks have these news; the sessions of a week are derived, so that each item is a node. */
export async function syncNews(app: App, news: readonly NewsRow[], name = 'news'): Promise<void> {
  const symbols = [...new Set(news.map(({ symbol }) => symbol))];
  await importFeed(
    app.context,
    feedOf(
      { bars: symbols.map((symbol) => dailyBars(symbol, '2024-01-02', '2024-03-05')) },
      `bars of ${name}`,
    ),
  );
  await importFeed(app.context, feedOf({ news: news.map((row) => newsDelivery(row)) }, name));
  await syncGraph(app.context, { kind: 'range', from: '2024-02-27', to: '2024-03-05' });
}
