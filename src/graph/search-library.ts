import type { Queryable, QueryOptions } from '../database/database.ts';
import { columns } from './columns.ts';
import { ANY_WORD, EVERY_WORD } from './search-news.ts';
import type { TextModel } from './text-models.ts';
import { vectorText } from './text-vectors.ts';

/** An entry of a library and how well a query finds it; a higher score is better, and scores of one answer compare. */
export interface FoundEntry {
  readonly key: string;
  readonly score: number;
}

/** What words find: all of them anywhere in an entry, or some of them in its name. */
export interface LibraryEntry {
  readonly key: string;
  readonly name: string;
  readonly text: string;
}

/**
 * The entries of a library that have all words of a text, or some of them in their name, best first. The library is data
 * of the program, so it travels with the query.
 */
export function searchLibrary(
  database: Queryable,
  text: string,
  library: readonly LibraryEntry[],
  options: QueryOptions = {},
): Promise<FoundEntry[]> {
  return database.query<FoundEntry>(
    `with entry as materialized (
       select key, setweight(to_tsvector('english', name), 'A') as name, setweight(to_tsvector('english', body), 'B') as body
       from unnest($2::text[], $3::text[], $4::text[]) as library (key, name, body))
     select key, (name || body @@ ${EVERY_WORD})::integer * 1000 + ts_rank_cd(name || body, ${ANY_WORD}) as score
     from entry where name @@ ${ANY_WORD} or name || body @@ ${EVERY_WORD} order by score desc, key`,
    [text, ...columns(library, ['key', 'name', 'text'])],
    options,
  );
}

/** All playbooks of which a model has a vector, nearest first. */
export function nearestPlaybooks(
  database: Queryable,
  { id }: TextModel,
  vector: Float32Array,
  options: QueryOptions = {},
): Promise<FoundEntry[]> {
  return database.query<FoundEntry>(
    `select n.key, 1 - (v.vector <=> $2::vector) as score
     from text_vector v join node n on n.id = v.node_id
     where v.model_id = $1 and v.label = 'Playbook' and v.vector is not null order by score desc, n.key`,
    [id, vectorText(vector)],
    options,
  );
}
