import type { Database, Queryable } from '../database/database.ts';
import type { Embedder } from '../base/embedder.ts';
import { CodedError, isCoded } from '../base/errors.ts';
import { PLAYBOOK_TEXTS } from '../blocks/playbook-texts.ts';
import { findTextModel, markTextModelClean, type TextModel, useTextModel } from '../graph/text-models.ts';
import {
  type DueNews,
  type DueText,
  dueNews,
  duePlaybooks,
  writePlaybooks,
  writeTextVectors,
} from '../graph/text-vectors.ts';

export interface TextPassContext {
  readonly database: Database;
  /** Null where texts have no vectors. */
  readonly embedder: Embedder | null;
}

export interface TextReport {
  readonly embedded: number;
  /** Texts whose vectors did not come; the next pass tries again. */
  readonly failed: number;
  /** Why the first of them failed. */
  readonly message: string | null;
}

/** Texts that are embedded and written together; what an interruption loses. */
const TEXTS_AT_ONCE = 64;
/** A provider that fails so often in a row is left alone until the next pass. */
const FAILURES_MAX = 3;
/** Every simulated headline ends with it, and it would make all of them alike. */
const SIMULATED_MARK = / \(simulated\)$/;

/**
 * A pass that gives every news item and every playbook of the graph its vector: those that the embedder's model has none
 * of, or one of a former text. Once all have one, the vectors of older models go. Running it again changes nothing, and
 * an interrupted pass is gone on with. A provider that fails is counted and never thrown.
 *
 * One function for each process: where a newer model has taken the place of its own, it embeds no more.
 */
export function openTextPass({
  database,
  embedder,
}: TextPassContext): (signal?: AbortSignal) => Promise<TextReport> {
  let wasKnown = false;
  return async (signal) => {
    const report = { embedded: 0, failed: 0, message: null as string | null };
    if (embedder === null) return report;
    let model = await findTextModel(database, embedder.model);
    if (model === null && wasKnown) return report;
    let failures = 0;

    async function embedAll(embedder: Embedder, texts: readonly KnownText[]): Promise<void> {
      for (let at = 0; at < texts.length && failures < FAILURES_MAX; at += TEXTS_AT_ONCE) {
        signal?.throwIfAborted();
        const batch = texts.slice(at, at + TEXTS_AT_ONCE);
        try {
          model = await embedBatch(database, embedder, model, batch, signal);
          report.embedded += batch.length;
          failures = 0;
        } catch (error) {
          if (!isCoded(error, 'embedder_unavailable') && !isCoded(error, 'overloaded')) throw error;
          report.failed += batch.length;
          report.message ??= error.message;
          failures++;
        }
      }
    }

    await writePlaybooks(database, PLAYBOOK_TEXTS);
    const playbooks = await duePlaybooks(database, model?.id ?? null, PLAYBOOK_TEXTS);
    await embedAll(
      embedder,
      playbooks.map((due) => ({ due, knownAt: null })),
    );
    for await (const due of dueNews(database, () => model?.id ?? null)) {
      await embedAll(embedder, await withKnownAt(database, due));
      if (failures === FAILURES_MAX) break;
    }
    wasKnown ||= model !== null;
    if (model !== null && report.failed === 0) await markTextModelClean(database, model);
    return report;
  };
}

interface KnownText {
  readonly due: DueText;
  readonly knownAt: number | null;
}

/** @returns the model, which is told by its first vector */
async function embedBatch(
  database: Database,
  embedder: Embedder,
  known: TextModel | null,
  texts: readonly KnownText[],
  signal: AbortSignal | undefined,
): Promise<TextModel> {
  const words = texts.map(({ due }) => due.text.replace(SIMULATED_MARK, ''));
  const vectors = await embedder.embed(words, signal === undefined ? {} : { signal });
  const model = known ?? (await useTextModel(database, embedder.model, vectors[0]!.length));
  if (vectors.some((vector) => vector.length !== model.dimensions)) {
    const sentence = `${embedder.model} makes vectors of ${vectors[0]!.length} dimensions and made ${model.dimensions} before: it is another model, and needs another name.`;
    throw new CodedError('embedder_unavailable', sentence);
  }
  await writeTextVectors(
    database,
    model,
    texts.map(({ due: { nodeId, label, digest }, knownAt }, at) => {
      const vector = vectors[at]!;
      return { nodeId, label, digest, knownAt, vector: vector.some((value) => value !== 0) ? vector : null };
    }),
  );
  return model;
}

/**
 * The news with the instant from which each may be quoted: when a stock that it mentions was first told of it; where no
 * fact bears its headline any longer, the end of the first stock-day that mentions it. What no day leads to is left out.
 */
async function withKnownAt(database: Queryable, news: readonly DueNews[]): Promise<KnownText[]> {
  const rows = await database.query<{ nodeId: string; knownAt: number | null }>(
    `select wanted.id as "nodeId", (extract(epoch from coalesce(min(told.at), min(day.as_of))) * 1000)::bigint as "knownAt"
     from unnest($1::uuid[], $2::text[], $3::bigint[]) as wanted (id, headline, published)
     cross join lateral (
       select d.symbol, d.as_of from edge e
       join node n on n.id = e.source
       join stock_day d on d.symbol = n.props ->> 'symbol' and d.trade_date = (n.props ->> 'trade_date')::date
       where e.target = wanted.id and e.type = 'MENTIONED_IN' order by d.trade_date, d.symbol limit 16) as day
     left join lateral (
       select min(f.known_at) as at from reported_fact f
       where f.symbol = day.symbol and f.kind = 'news' and f.known_at >= to_timestamp(wanted.published / 1000.0)
         and f.known_at < to_timestamp(wanted.published / 1000.0) + interval '31 days'
         and f.value ->> 'headline' = wanted.headline
         and (f.value ->> 'publishedAt')::bigint / 86400000 = wanted.published / 86400000) as told on true
     group by wanted.id`,
    [news.map((due) => due.nodeId), news.map((due) => due.text), news.map((due) => due.publishedAt)],
  );
  const instants = new Map(rows.map(({ nodeId, knownAt }) => [nodeId, knownAt]));
  return news.flatMap((due) => {
    const knownAt = instants.get(due.nodeId) ?? null;
    return knownAt === null ? [] : { due, knownAt };
  });
}
