import { LRUCache } from 'lru-cache';
import type { Embedder } from '../../base/embedder.ts';

/** A query as a model reads it. */
export interface QueryVector {
  readonly model: string;
  readonly vector: Float32Array;
}

export interface QueryVectorOptions {
  /** How long an answer waits for the provider. */
  readonly waitMs: number;
  /** How long a provider that failed is not asked. */
  readonly pauseMs?: number;
}

const PAUSE_MS = 30_000;
const CACHED_MAX = 200;

/**
 * Vectors of queries from the embeddings provider, the last ones cached. A provider that is slow or down is reported once,
 * until it has answered again, and left alone for a while: queries are then answered without vectors.
 */
export class QueryVectors {
  readonly #embedder: Embedder | null;
  readonly #onFailure: (error: Error) => void;
  readonly #waitMs: number;
  readonly #pauseMs: number;
  readonly #vectors = new LRUCache<string, Float32Array>({ max: CACHED_MAX });
  #hasFailed = false;
  #pausedUntil = Number.NEGATIVE_INFINITY;

  /** @param embedder null where no provider is configured */
  constructor(
    embedder: Embedder | null,
    onFailure: (error: Error) => void,
    { waitMs, pauseMs = PAUSE_MS }: QueryVectorOptions,
  ) {
    this.#embedder = embedder;
    this.#onFailure = onFailure;
    this.#waitMs = waitMs;
    this.#pauseMs = pauseMs;
  }

  /** Never rejects: null where there is no vector for now. */
  async of(query: string): Promise<QueryVector | null> {
    const embedder = this.#embedder;
    if (embedder === null) return null;
    const cached = this.#vectors.get(query);
    if (cached !== undefined) return named(embedder, cached);
    if (performance.now() < this.#pausedUntil) return null;
    const signal = AbortSignal.timeout(this.#waitMs);
    try {
      const [vector] = await embedder.embed([query], { signal });
      this.#hasFailed = false;
      this.#vectors.set(query, vector!);
      return named(embedder, vector!);
    } catch (error) {
      this.#pausedUntil = performance.now() + this.#pauseMs;
      const late = `The embeddings provider did not answer within ${this.#waitMs} ms.`;
      if (!this.#hasFailed) this.#onFailure(signal.aborted ? new Error(late) : (error as Error));
      this.#hasFailed = true;
      return null;
    }
  }
}

/** Null for a vector of zeros, which has no direction and is near to nothing. */
const named = ({ model }: Embedder, vector: Float32Array): QueryVector | null =>
  vector.some((value) => value !== 0) ? { model, vector } : null;
