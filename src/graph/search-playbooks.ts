import type { Queryable, QueryOptions } from '../database/database.ts';
import { ANY_WORD, EVERY_WORD } from './search-news.ts';
import type { TextModel } from './text-models.ts';
import { vectorText } from './text-vectors.ts';

/** A playbook and how well a query finds it; a higher score is better, and scores of one answer compare. */
export interface FoundPlaybook {
  readonly key: string;
  readonly score: number;
}

/**
 * The playbooks of a library that have all words of a text, or some of them in their name, best first. The library is data
 * of the program, so it travels with the query.
 */
export function searchPlaybooks(
  database: Queryable,
  text: string,
  library: readonly { readonly key: string; readonly name: string; readonly text: string }[],
  options: QueryOptions = {},
): Promise<FoundPlaybook[]> {
  return database.query<FoundPlaybook>(
    `with book as materialized (
       select key, to_tsvector('english', name) as name,
         setweight(to_tsvector('english', name), 'A') || setweight(to_tsvector('english', body), 'B') as document
       from unnest($2::text[], $3::text[], $4::text[]) as library (key, name, body))
     select key, (document @@ ${EVERY_WORD})::integer * 1000 + ts_rank_cd(document, ${ANY_WORD}) as score
     from book where document @@ ${EVERY_WORD} or name @@ ${ANY_WORD} order by score desc, key`,
    [
      text,
      library.map(({ key }) => key),
      library.map(({ name }) => name),
      library.map((playbook) => playbook.text),
    ],
    options,
  );
}

/** All playbooks of which a model has a vector, nearest first. */
export function nearestPlaybooks(
  database: Queryable,
  { id }: TextModel,
  vector: Float32Array,
  options: QueryOptions = {},
): Promise<FoundPlaybook[]> {
  return database.query<FoundPlaybook>(
    `select n.key, 1 - (v.vector <=> $2::vector) as score
     from text_vector v join node n on n.id = v.node_id
     where v.model_id = $1 and v.label = 'Playbook' and v.vector is not null order by score desc, n.key`,
    [id, vectorText(vector)],
    options,
  );
}
