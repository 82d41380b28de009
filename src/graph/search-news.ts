import { DAY_MS } from '../base/dates.ts';
import type { Queryable, QueryOptions } from '../database/database.ts';
import { columns } from './columns.ts';
import { nodeId } from './identity.ts';
import type { TextModel } from './text-models.ts';
import { vectorText } from './text-vectors.ts';

/** Which news may be found: what was known at an instant, of some stocks or of all. */
export interface NewsScope {
  /** In capitals; null for all. */
  readonly symbols: readonly string[] | null;
  /** Epoch milliseconds, inclusive. */
  readonly asOf: number;
  /** How old the news may be, days; null for any age. */
  readonly ageDaysMax: number | null;
}

/** A reported news item of a stock. */
export interface NewsKey {
  readonly symbol: string;
  readonly key: string;
}

/** Matching news that is ranked; the newest of it. */
const RANKED_MAX = 500;
/** News whose vectors are compared; the newest of it. */
const COMPARED_MAX = 2_000;

/** The expression of the index `reported_fact_news_text`. */
const DOCUMENT = `(setweight(to_tsvector('english', r.value ->> 'headline'), 'A')
  || setweight(to_tsvector('english', coalesce(r.value ->> 'summary', '')), 'B'))`;

/** The query as PostgreSQL reads it: every word, `"a phrase"`, `or`, `-without`. */
export const EVERY_WORD = `websearch_to_tsquery('english', $1)`;
/** The same with any of the words, unless it excludes some: a negation in an alternative would match nearly everything. */
export const ANY_WORD = `(case when strpos(${EVERY_WORD}::text, '!') > 0 then ${EVERY_WORD}
  else replace(${EVERY_WORD}::text, ' & ', ' | ')::tsquery end)`;

/** Rows of `r` within a scope, whose parameters begin at a number; of each item its newest revision. */
const within = (first: number): string => {
  const [asOf, symbols, days] = [`$${first}::timestamptz`, `$${first + 1}::text[]`, `$${first + 2}::integer`];
  return `r.kind = 'news' and r.known_at <= ${asOf} and (${symbols} is null or r.symbol = any(${symbols}))
    and (${days} is null or r.known_at > ${asOf} - make_interval(days => ${days}))
    and not exists (select from reported_fact later where later.symbol = r.symbol and later.kind = 'news'
      and later.key = r.key and later.known_at > r.known_at and later.known_at <= ${asOf})`;
};

const scopeParameters = ({ symbols, asOf, ageDaysMax }: NewsScope): unknown[] => [
  new Date(asOf).toISOString(),
  symbols,
  ageDaysMax,
];

/** Exported for the test that the index answers it; `$1` text, `$2` to `$4` scope, `$5` how many. */
export const SEARCH_NEWS = `
  with hit as materialized (
    select r.symbol, r.key, r.known_at, r.value ->> 'headline' as headline,
      (r.value ->> 'publishedAt')::bigint as published, ${DOCUMENT} as document
    from reported_fact r where ${within(2)} and ${DOCUMENT} @@ ${ANY_WORD}
    order by r.known_at desc, r.symbol, r.key limit ${RANKED_MAX}),
  item as (
    select distinct on (headline, published / ${DAY_MS}) * from hit
    order by headline, published / ${DAY_MS}, published, known_at, symbol, key)
  select symbol, key from item
  order by document @@ ${EVERY_WORD} desc, ts_rank_cd(document, ${ANY_WORD}) desc, known_at desc, symbol, key
  limit $5`;

/**
 * The news that matches a text best: what has all its words before what has some, then by `ts_rank_cd`, then the newest.
 * The rank follows from the item alone, so later news cannot change it. A headline of one day is found once.
 */
export function searchNews(
  database: Queryable,
  text: string,
  scope: NewsScope,
  limit: number,
  options: QueryOptions = {},
): Promise<NewsKey[]> {
  return database.query<NewsKey>(SEARCH_NEWS, [text, ...scopeParameters(scope), limit], options);
}

interface Candidate extends NewsKey {
  readonly headline: string;
  readonly published: number;
}

/** The news nearest to a vector, of the newest 2,000 items of the scope; items without a vector are left out. */
export async function nearestNews(
  database: Queryable,
  { id }: TextModel,
  vector: Float32Array,
  scope: NewsScope,
  limit: number,
  options: QueryOptions = {},
): Promise<NewsKey[]> {
  const candidates = await database.query<Candidate>(
    `select r.symbol, r.key, r.value ->> 'headline' as headline, (r.value ->> 'publishedAt')::bigint as published
     from reported_fact r where ${within(1)}
     order by r.known_at desc, r.symbol, r.key limit ${COMPARED_MAX}`,
    scopeParameters(scope),
    options,
  );
  // Of reports of one event the first one stands for all, as in the news of a stock.
  const items = new Map(
    candidates
      .sort((one, other) => other.published - one.published)
      .map((candidate) => [nodeId('News', newsNodeKey(candidate)), candidate]),
  );
  const near = await database.query<{ id: string }>(
    `select node_id as id from text_vector
     where model_id = $1 and node_id = any($2::uuid[]) and vector is not null
     order by vector <=> $3::vector, node_id limit $4`,
    [id, [...items.keys()], vectorText(vector), limit],
    options,
  );
  return near.map((row) => items.get(row.id)!);
}

/** Key of the node of a news item, as the block `news` names it. */
const newsNodeKey = ({ published, headline }: Candidate): string =>
  `${new Date(published).toISOString().slice(0, 10)} ${headline.trim().toLowerCase()}`;

/** Everything that was said of each item by an instant, oldest first, in the order of the keys. */
export async function readNewsRevisions(
  database: Queryable,
  keys: readonly NewsKey[],
  asOf: number,
  options: QueryOptions = {},
): Promise<Readonly<Record<string, unknown>>[][]> {
  if (keys.length === 0) return [];
  const rows = await database.query<{ revisions: Readonly<Record<string, unknown>>[] }>(
    `select (select json_agg(r.value order by r.known_at) from reported_fact r
       where r.symbol = wanted.symbol and r.kind = 'news' and r.key = wanted.key and r.known_at <= $3::timestamptz) as revisions
     from unnest($1::text[], $2::text[]) with ordinality as wanted (symbol, key, place) order by wanted.place`,
    [...columns(keys, ['symbol', 'key']), new Date(asOf).toISOString()],
    options,
  );
  return rows.map(({ revisions }) => revisions);
}
