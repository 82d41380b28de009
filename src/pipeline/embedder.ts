import { join } from 'node:path';
import { abortable } from '../base/abortable.ts';
import type { Embedder } from '../base/embedder.ts';
import { CodedError, isCoded } from '../base/errors.ts';
import type { EmbedWorkerData } from './embed-worker.ts';
import { httpEmbedder } from '../graph/http-embedder.ts';
import { withRecentVectors } from '../graph/recent-vectors.ts';
import { findWinkPackage, WINK_PACKAGE, winkDimensions, winkModel } from '../graph/wink-package.ts';
import { openThreadPool } from '../workers/pool.ts';

/** Texts are embedded in well under a millisecond; that many calls waiting means that something is wrong. */
const WAITING_MAX = 1_000;

/** What the operator has said of vectors of texts. */
export interface EmbeddingSettings {
  readonly embeddings: string;
  readonly embeddingsUrl?: string | undefined;
  readonly embeddingsModel?: string | undefined;
  readonly embeddingsApiKey?: string | undefined;
  readonly embeddingsDimensions?: number | undefined;
  readonly dataDirectory: string;
}

/** The embedder of the settings, or why there is none. */
export type ChosenEmbedder =
  | { readonly embedder: Embedder; readonly absence: null }
  | { readonly embedder: null; readonly absence: string };

/** Loads nothing: the first text does. */
export function chooseEmbedder(config: EmbeddingSettings): ChosenEmbedder {
  if (config.embeddings === 'off') {
    return { embedder: null, absence: 'Text vectors are switched off (TIGRAPH_EMBEDDINGS=off).' };
  }
  const embedder = config.embeddings === 'http' ? httpOf(config) : winkEmbedder(config.dataDirectory);
  if (embedder !== null) return { embedder: withRecentVectors(embedder), absence: null };
  return {
    embedder: null,
    absence: `There are no text vectors: the optional package ${WINK_PACKAGE} is not installed.`,
  };
}

/** `checkEmbeddings` of the settings has seen to address and model. */
const httpOf = (config: EmbeddingSettings): Embedder =>
  httpEmbedder({
    url: config.embeddingsUrl!,
    model: config.embeddingsModel!,
    apiKey: config.embeddingsApiKey,
    dimensions: config.embeddingsDimensions,
  });

/**
 * Word vectors of the npm package, in a thread of their own that starts with the first text and lasts: its table is 10 MB,
 * and an answer should not wait for it twice. Null where the package is not installed.
 */
export function winkEmbedder(dataDirectory: string): Embedder | null {
  const found = findWinkPackage();
  if (found === null) return null;
  const thread = openThreadPool<readonly string[], Float32Array[]>(
    new URL('./embed-worker.ts', import.meta.url),
    {
      threads: 1,
      threadsMin: 0,
      waitingMax: WAITING_MAX,
      idleMs: Number.POSITIVE_INFINITY,
      data: { tableFile: join(dataDirectory, 'embedding', 'words.bin') } satisfies EmbedWorkerData,
    },
  );
  return {
    model: winkModel(found),
    dimensions: winkDimensions,
    async embed(texts, { signal } = {}) {
      signal?.throwIfAborted();
      if (texts.length === 0) return [];
      // Only the waiting is given up: a thread that is ended would load its table again.
      return abortable(thread.run(texts).catch(unavailable), signal);
    },
    async warm() {
      await thread.run([]).catch(unavailable);
    },
    close: () => thread.close(),
  };
}

function unavailable(cause: unknown): never {
  if (isCoded(cause)) throw cause;
  throw new CodedError(
    'embedder_unavailable',
    `The word vectors cannot be read: ${(cause as Error).message}`,
    {
      cause,
    },
  );
}
