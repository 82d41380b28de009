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
import type { Fact } from '../../texts/facts/fact-registry.ts';
import type { AppContext } from '../context/app-context.ts';
import type { QueryVector } from '../context/query-vectors.ts';

/** A news item that a query found, as stock detail serves it. */
export interface FoundNews {
  readonly symbol: string;
  readonly item: NewsItem;
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
 * News and playbooks that a query finds, best first: by vectors where the query has one and every text has one of the same model, else,
 * and where vectors find nothing, by PostgreSQL full-text search.
 */
export async function searchTexts(
  database: Database,
  { text, vector: query, scope, newsMax }: TextQuery,
  signal: AbortSignal,
) {
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

/** Facts that a query finds; further ones share little more than a word with it. */
const FOUND_MAX = 8;

/**
 * Ids of the facts whose names a query finds, best first: by vectors of their labels where the query has one and all
 * labels are known, else by PostgreSQL full-text search in label and id. What a fact says is not searched.
 */
export async function searchFacts(
  { database, queryVectors }: Pick<AppContext, 'database' | 'queryVectors'>,
  { text, vector }: Pick<TextQuery, 'text' | 'vector'>,
  facts: readonly Fact[],
  signal: AbortSignal,
): Promise<string[]> {
  const labels = facts.map(({ label }) => label);
  const near = vector === null ? null : queryVectors.similarities(vector, labels);
  const found =
    near?.map((score, at) => ({ key: facts[at]!.id, score })) ??
    (await byWords(database, text, facts, signal));
  const places = new Map(facts.map(({ id }, at) => [id, at]));
  return found
    .sort((one, other) => other.score - one.score || places.get(one.key)! - places.get(other.key)!)
    .slice(0, FOUND_MAX)
    .map(({ key }) => key);
}

/** A short name that has the words says more than a long one. */
async function byWords(
  database: Database,
  text: string,
  facts: readonly Fact[],
  signal: AbortSignal,
): Promise<FoundEntry[]> {
  const library = facts.map((fact) => ({ key: fact.id, name: nameOf(fact), text: '' }));
  const lengths = new Map(library.map(({ key, name }) => [key, name.split(' ').length]));
  const found = await searchLibrary(database, text, library, { signal });
  return found.map(({ key, score }) => ({ key, score: score / lengths.get(key)! }));
}

/** Field names are words too, `rsi` beside the label of it; that a fact is of the stock says nothing. */
const nameOf = ({ id, label }: Fact): string =>
  `${label} ${id.replace(/^stock\./, '').replaceAll(/[._]/g, ' ')}`;
