import type { Database, Queryable } from '../database/database.ts';
import { nodeId } from './identity.ts';
import { indexedType, type TextModel } from './text-models.ts';
import { vectorText } from './text-vectors.ts';

/** News as its node tells it, and how near it is to what was asked about. */
export interface NearNews {
  readonly key: string;
  readonly headline: string;
  readonly publishedAt: string;
  readonly source: string | null;
  readonly url: string | null;
  /** From which instant it may be quoted, epoch milliseconds. */
  readonly knownAt: number;
  /** Cosine of the angle between the two, -1 to 1. */
  readonly similarity: number;
}

interface Options {
  readonly signal?: AbortSignal;
}

/** News that is compared one by one where a search must not know what came later; the newest of them. */
const COMPARED_MAX = 20_000;
/** Candidates that the index keeps while it searches; also the most that it can find. */
export const NEAREST_MAX = 200;

/**
 * The news nearest to a vector that could be quoted at an instant, nearest first. What came later has no say: where the
 * store has any, the newest 20,000 up to the instant are compared one by one, since the way through an index leads over
 * all that it holds. Otherwise the index is asked.
 *
 * @param limit 1 to 200
 */
export async function nearestNews(
  database: Database,
  model: TextModel,
  vector: Float32Array,
  before: number,
  limit: number,
  options: Options = {},
): Promise<NearNews[]> {
  const newest = await newestKnown(database, model, options);
  if (newest === null) return [];
  const type = newest <= before ? indexedType(model) : null;
  if (type === null) return compareNews(database, model, vector, before, limit, options);
  return database.transaction(async (transaction) => {
    await transaction.query(`set local hnsw.ef_search = ${NEAREST_MAX}`);
    return transaction.query<NearNews>(newsByIndex(model, type), [vectorText(vector), limit], options);
  });
}

/** Exported for the test that it is answered by the index: `$1` the vector as text, `$2` how many. */
export const newsByIndex = ({ id }: TextModel, type: string): string =>
  `with near as materialized (
     select node_id, known_at, vector::${type} <=> $1::${type} as distance from text_vector
     where model_id = ${Math.trunc(id)} and label = 'News' order by vector::${type} <=> $1::${type} limit $2)
   ${NEWS_OF} near.distance, n.key`;

const NEWS_OF = `select n.key, n.props ->> 'headline' as headline, n.props ->> 'published_at' as "publishedAt",
     n.props ->> 'source' as source, n.props ->> 'url' as url,
     (extract(epoch from near.known_at) * 1000)::bigint as "knownAt", 1 - near.distance as similarity
   from near join node n on n.id = near.node_id where near.distance is not null order by`;

function compareNews(
  database: Queryable,
  { id }: TextModel,
  vector: Float32Array,
  before: number,
  limit: number,
  options: Options,
): Promise<NearNews[]> {
  return database.query<NearNews>(
    `with known as materialized (
       select node_id, known_at, vector from text_vector
       where model_id = $1 and label = 'News' and known_at <= $2::timestamptz order by known_at desc limit ${COMPARED_MAX}),
     near as materialized (
       select node_id, known_at, vector <=> $3::vector as distance from known where vector is not null
       order by distance limit $4)
     ${NEWS_OF} near.distance, n.key`,
    [id, new Date(before).toISOString(), vectorText(vector), limit],
    options,
  );
}

async function newestKnown(database: Queryable, { id }: TextModel, options: Options): Promise<number | null> {
  const [row] = await database.query<{ at: number | null }>(
    `select (extract(epoch from max(known_at)) * 1000)::bigint as at from text_vector where model_id = $1 and label = 'News'`,
    [id],
    options,
  );
  return row?.at ?? null;
}

/** The vector of a news item and from when on it may be quoted; null where the model has none of it. */
export async function readNewsVector(
  database: Queryable,
  { id }: TextModel,
  key: string,
  options: Options = {},
): Promise<{ readonly vector: Float32Array; readonly knownAt: number } | null> {
  const [row] = await database.query<{ vector: string; knownAt: number }>(
    `select vector::text as vector, (extract(epoch from known_at) * 1000)::bigint as "knownAt" from text_vector
     where model_id = $1 and node_id = $2::uuid and vector is not null`,
    [id, nodeId('News', key)],
    options,
  );
  if (row === undefined) return null;
  return { vector: Float32Array.from(JSON.parse(row.vector) as number[]), knownAt: row.knownAt };
}

/** All playbooks of which a model has a vector, nearest first. */
export async function nearestPlaybooks(
  database: Queryable,
  { id }: TextModel,
  vector: Float32Array,
  options: Options = {},
): Promise<{ readonly key: string; readonly similarity: number }[]> {
  return database.query(
    `select n.key, 1 - (v.vector <=> $2::vector) as similarity
     from text_vector v join node n on n.id = v.node_id
     where v.model_id = $1 and v.label = 'Playbook' and v.vector is not null order by similarity desc, n.key`,
    [id, vectorText(vector)],
    options,
  );
}
