import type { Database, Queryable } from '../../database/database.ts';
import type { Embedder } from '../../base/embedder.ts';
import { isCoded } from '../../base/errors.ts';
import {
  NEAREST_MAX,
  nearestNews,
  nearestPlaybooks,
  type NearNews,
  readNewsVector,
} from '../../graph/nearest-texts.ts';
import { findTextModel, type TextModel, wholeTextModel } from '../../graph/text-models.ts';
import type { NewsQuestion, RelatedNews, RelatedText } from './related-texts.ts';

/** What is needed of the world. */
export interface TextSearchContext {
  readonly database: Database;
  readonly embedder: Embedder | null;
}

/** Facts of a stock that are looked at for what mentions it; the newest. */
const MENTIONS_MAX = 5_000;

interface Question {
  readonly model: TextModel;
  readonly vector: Float32Array;
  /** The item of the question, which is no answer. */
  readonly key: string | null;
}

/**
 * News that lies nearest to a text or to another news item, of what could be quoted at an instant; nearest first.
 *
 * Null where texts have no vectors: no embedder, none that answers, vectors of its model not whole yet, or an item that
 * has none or could not be quoted by then. While a new model takes over, items are still compared by the old one.
 */
export async function relatedNews(
  { database, embedder }: TextSearchContext,
  question: NewsQuestion,
  signal?: AbortSignal,
): Promise<RelatedNews[] | null> {
  if (embedder === null) return null;
  const options = signal === undefined ? {} : { signal };
  const { before, limit, notSymbol } = question;
  const query =
    'newsKey' in question
      ? await aboutNews(database, embedder, question.newsKey, before, options)
      : await aboutText(database, embedder, question.text, options);
  if (query === null) return null;
  const { model, vector, key } = query;
  const count = notSymbol === undefined ? limit + 1 : NEAREST_MAX;
  const near = await nearestNews(database, model, vector, before, count, options);
  const others = near.filter((item) => item.key !== key);
  const left =
    notSymbol === undefined ? others : await notAbout(database, notSymbol, before, others, options);
  return left.slice(0, limit).map(({ knownAt: _, ...item }) => item);
}

/** Every playbook by how near its text lies to another, nearest first; null where texts have no vectors. */
export async function rankPlaybooks(
  { database, embedder }: TextSearchContext,
  text: string,
  signal?: AbortSignal,
): Promise<RelatedText[] | null> {
  if (embedder === null) return null;
  const options = signal === undefined ? {} : { signal };
  const query = await aboutText(database, embedder, text, options);
  return query === null ? null : nearestPlaybooks(database, query.model, query.vector, options);
}

interface Options {
  readonly signal?: AbortSignal;
}

async function aboutText(
  database: Queryable,
  embedder: Embedder,
  text: string,
  options: Options,
): Promise<Question | null> {
  const model = await findTextModel(database, embedder.model, options);
  if (model === null || !model.isWhole) return null;
  const vector = await vectorOf(embedder, text, options);
  if (vector === null || vector.length !== model.dimensions) return null;
  return { model, vector, key: null };
}

/** Null for a text of which the model knows no word, which is near to nothing, and while the model is not to be had. */
async function vectorOf(embedder: Embedder, text: string, options: Options): Promise<Float32Array | null> {
  try {
    const [vector] = await embedder.embed([text], options);
    return vector!.some((value) => value !== 0) ? vector! : null;
  } catch (error) {
    if (isCoded(error, 'embedder_unavailable') || isCoded(error, 'overloaded')) return null;
    throw error;
  }
}

async function aboutNews(
  database: Queryable,
  embedder: Embedder,
  key: string,
  before: number,
  options: Options,
): Promise<Question | null> {
  const own = await findTextModel(database, embedder.model, options);
  const model = own?.isWhole ? own : await wholeTextModel(database, options);
  const item = model === null ? null : await readNewsVector(database, model, key, options);
  if (model === null || item === null || item.knownAt > before) return null;
  return { model, vector: item.vector, key };
}

/**
 * The items without those that were published about the stock by the instant, under the same headline on the same day.
 * Edges of the graph do not say since when they hold.
 */
async function notAbout(
  database: Queryable,
  symbol: string,
  before: number,
  items: readonly NearNews[],
  options: Options,
): Promise<NearNews[]> {
  if (items.length === 0) return [];
  const rows = await database.query<{ place: number }>(
    `with mentioned as materialized (
       select lower(trim(value ->> 'headline')) as title, (value ->> 'publishedAt')::bigint / 86400000 as day
       from reported_fact where symbol = $1 and kind = 'news' and known_at <= $2::timestamptz
       order by known_at desc limit ${MENTIONS_MAX})
     select candidate.place from unnest($3::integer[], $4::text[], $5::timestamptz[]) as candidate (place, headline, published)
     where exists (select from mentioned where mentioned.title = lower(trim(candidate.headline))
       and mentioned.day = floor(extract(epoch from candidate.published) / 86400))`,
    [
      symbol,
      new Date(before).toISOString(),
      items.map((_, place) => place),
      items.map(({ headline }) => headline),
      items.map(({ publishedAt }) => publishedAt),
    ],
    options,
  );
  const mentioned = new Set(rows.map(({ place }) => place));
  return items.filter((_, place) => !mentioned.has(place));
}
