import { chunks } from '../base/chunks.ts';
import { CodedError, isCoded } from '../base/errors.ts';
import type { Scope } from '../base/scope.ts';
import { PLAYBOOK_TEXTS } from '../blocks/strategies.ts';
import type { Database } from '../database/database.ts';
import type { Embedder } from '../graph/embedder.ts';
import { findTextModel, markTextModelClean, type TextModel, useTextModel } from '../graph/text-models.ts';
import {
  type DueText,
  dueNews,
  duePlaybooks,
  writePlaybooks,
  writeTextVectors,
} from '../graph/text-vectors.ts';
import { keepPassing, type PassTimes } from './background-pass.ts';
import { type PassWatching, passMeter } from './pass-metrics.ts';

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
 * A pass that gives every news item and playbook of the graph its vector by the embedder's model. Once all have one,
 * the vectors of older models go. Running it again changes nothing, and an interrupted pass is gone on with. A provider
 * that fails is counted and never thrown. Where a newer model has taken the place of the process's own, it embeds no
 * more.
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

    async function embedAll(embedder: Embedder, texts: readonly DueText[]): Promise<void> {
      for (const batch of chunks(texts, TEXTS_AT_ONCE)) {
        if (failures === FAILURES_MAX) return;
        signal?.throwIfAborted();
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
    await embedAll(embedder, playbooks);
    for await (const due of dueNews(database, () => model?.id ?? null)) {
      await embedAll(embedder, due);
      if (failures === FAILURES_MAX) break;
    }
    wasKnown ||= model !== null;
    if (model !== null && report.failed === 0) await markTextModelClean(database, model);
    return report;
  };
}

/** @returns the model; the first vector gives its dimensions */
async function embedBatch(
  database: Database,
  embedder: Embedder,
  known: TextModel | null,
  texts: readonly DueText[],
  signal: AbortSignal | undefined,
): Promise<TextModel> {
  const words = texts.map(({ text }) => text.replace(SIMULATED_MARK, ''));
  const vectors = await embedder.embed(words, signal === undefined ? {} : { signal });
  const model = known ?? (await useTextModel(database, embedder.model, vectors[0]!.length));
  if (vectors.some((vector) => vector.length !== model.dimensions)) {
    const sentence = `${embedder.model} makes vectors of ${vectors[0]!.length} dimensions and made ${model.dimensions} before: it is another model, and needs another name.`;
    throw new CodedError('embedder_unavailable', sentence);
  }
  await writeTextVectors(
    database,
    model,
    texts.map(({ nodeId, label, digest }, at) => {
      const vector = vectors[at]!;
      return { nodeId, label, digest, vector: vector.some((value) => value !== 0) ? vector : null };
    }),
  );
  return model;
}

/** Stock-days are written in bursts; their texts follow. What failed, or came during a pass, is embedded by a later one. */
const TIMES: PassTimes = { quietMs: 3_000, pollIntervalMs: 300_000 };

/**
 * Gives new texts their vectors while the service runs, whatever wrote them. A failure is reported once, and again only
 * after a pass without one.
 *
 * @param onFailure receives why texts have no vectors for now
 */
export async function keepTextsEmbedded(
  scope: Scope,
  context: TextPassContext & PassWatching,
  onFailure: (error: unknown) => void,
  onEmbedded: (report: TextReport) => void = () => {},
  times: PassTimes = TIMES,
): Promise<void> {
  if (context.embedder === null) return;
  const run = openTextPass(context);
  const metered = passMeter(context, 'texts');
  let hasFailed = false;
  const report = (error: unknown): void => {
    if (!hasFailed) onFailure(error);
    hasFailed = true;
  };
  await keepPassing(scope, 'text pass', context.database, times, async (signal) => {
    try {
      const pass = await metered(
        () => run(signal),
        ({ embedded, failed }) => ({ written: embedded, failed }),
      );
      if (pass.embedded > 0) onEmbedded(pass);
      if (pass.failed > 0) report(new Error(`${pass.failed} texts have no vectors yet: ${pass.message}`));
      else hasFailed = false;
    } catch (error) {
      if (!signal.aborted) report(error);
    }
  });
}
