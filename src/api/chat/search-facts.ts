import type { Database } from '../../database/database.ts';
import { type FoundEntry, searchLibrary } from '../../graph/search-library.ts';
import type { AppContext } from '../context/app-context.ts';
import type { Fact } from '../facts/fact.ts';
import type { TextQuery } from './search-texts.ts';

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
