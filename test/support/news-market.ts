import type { App } from '../../src/app.ts';
import { factOf } from '../../src/market/fact-keys.ts';
import type { Delivery } from '../../src/market/feed.ts';
import { syncGraph } from '../../src/pipeline/graph-sync.ts';
import { importFeed } from '../../src/pipeline/ingest.ts';
import { feedOf } from './app.ts';
import { dailyBars } from './market.ts';

/** A news item: of whom, published when, told how much later (a second unless said). */
export interface NewsRow {
  readonly symbol: string;
  readonly at: string;
  readonly headline: string;
  readonly afterMs?: number;
}

const newsDelivery = ({ symbol, at, headline, afterMs = 1_000 }: NewsRow): Delivery => {
  const publishedAt = Date.parse(at);
  const value = {
    publishedAt,
    headline,
    summary: null,
    source: 'Wire',
    url: null,
    symbols: [symbol],
    eventType: null,
    sentiment: null,
    relevance: null,
  };
  return { kind: 'facts', symbol, facts: [factOf('news', publishedAt + afterMs, value)] };
};

/** Key of an item's node. */
export const newsKey = ({ at, headline }: NewsRow): string => `${at.slice(0, 10)} ${headline.toLowerCase()}`;

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
  await importFeed(app.context, feedOf({ news: news.map(newsDelivery) }, name));
  await syncGraph(app.context, { kind: 'range', from: '2024-02-27', to: '2024-03-05' });
}
