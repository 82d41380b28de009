import { PLAYBOOKS } from '../../analysis/playbooks/library.ts';
import { textOf } from '../../analysis/playbooks/playbook.ts';
import { type NewsItem, wireItem } from '../../blocks/news.ts';
import type { Database } from '../../database/database.ts';
import { type FoundEntry, nearestPlaybooks, searchLibrary } from '../../graph/search-library.ts';
import {
  type NewsKey,
  type NewsScope,
  nearestNews,
  readNewsRevisions,
  searchNews,
} from '../../graph/search-news.ts';
import { findTextModel } from '../../graph/text-models.ts';
import type { NewsItem as ReportedNews } from '../../market/facts.ts';
import { revised } from '../../market/known-facts.ts';
import type { QueryVector } from '../context/query-vectors.ts';

/** A news item that a query found, as stock detail serves it. */
export interface FoundNews {
  /** A stock that it mentions. */
  readonly symbol: string;
  readonly item: NewsItem;
}

/** What a query finds, best first; empty where nothing matches. */
export interface FoundTexts {
  readonly news: readonly FoundNews[];
  readonly playbooks: readonly FoundEntry[];
}

export interface TextQuery {
  readonly text: string;
  /** Null to search by words. */
  readonly vector: QueryVector | null;
  readonly scope: NewsScope;
  readonly newsMax: number;
}

const LIBRARY = PLAYBOOKS.map((playbook) => ({
  key: playbook.strategy,
  // Traders also know a playbook by its short name, such as ORB long.
  name: `${playbook.name} ${playbook.strategy.replaceAll('_', ' ')}`,
  text: textOf(playbook),
}));

/**
 * News and playbooks that a query finds: by vectors where the query has one and every text has one of the same model, else,
 * and where vectors find nothing, by PostgreSQL full-text search.
 */
export async function searchTexts(
  database: Database,
  { text, vector: query, scope, newsMax }: TextQuery,
  signal: AbortSignal,
): Promise<FoundTexts> {
  const options = { signal };
  const known = query === null ? null : await findTextModel(database, query.model, options);
  const model = known?.isWhole && known.dimensions === query!.vector.length ? known : null;
  const nearNews =
    model === null ? [] : await nearestNews(database, model, query!.vector, scope, newsMax, options);
  const keys = nearNews.length > 0 ? nearNews : await searchNews(database, text, scope, newsMax, options);
  const nearBooks = model === null ? [] : await nearestPlaybooks(database, model, query!.vector, options);
  return {
    news: await readNews(database, keys, scope.asOf, signal),
    playbooks: nearBooks.length > 0 ? nearBooks : await searchLibrary(database, text, LIBRARY, options),
  };
}

async function readNews(
  database: Database,
  keys: readonly NewsKey[],
  asOf: number,
  signal: AbortSignal,
): Promise<FoundNews[]> {
  const words = await readNewsRevisions(database, keys, asOf, { signal });
  return keys.map(({ symbol }, place) => {
    const value = words[place]!.reduce((earlier, later) => revised(earlier, later));
    return { symbol, item: wireItem(value as unknown as ReportedNews) };
  });
}
