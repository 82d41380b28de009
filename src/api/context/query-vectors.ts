import { LRUCache } from 'lru-cache';
import { realTimers, type Timers } from '../../base/timers.ts';
import type { Embedder } from '../../graph/embedder.ts';

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
  readonly timers?: Timers;
}

const PAUSE_MS = 30_000;
const CACHED_MAX = 200;
/** Labels that go with a query: few, so that its answer is not late for them. */
const LABELS_AT_ONCE = 31;
/** More than the program has. */
const LABELS_MAX = 4_000;

/**
 * Vectors of queries from the embeddings provider, the last ones cached. A provider that is slow or down is reported once,
 * until it has answered again, and left alone for a while: queries are then answered without vectors.
 *
 * @param embedder null where no provider is configured
 */
export function openQueryVectors(
  embedder: Embedder | null,
  onFailure: (error: Error) => void,
  { waitMs, pauseMs = PAUSE_MS, timers = realTimers }: QueryVectorOptions,
) {
  const vectors = new LRUCache<string, Float32Array>({ max: CACHED_MAX });
  const readLabels = new LRUCache<string, Float32Array>({ max: LABELS_MAX });
  let dueLabels: ReadonlySet<string> = new Set();
  let hasFailed = false;
  let pausedUntil = Number.NEGATIVE_INFINITY;
  return {
    /** Never rejects: null where there is no vector for now. */
    async of(query: string): Promise<QueryVector | null> {
      if (embedder === null) return null;
      const cached = vectors.get(query);
      if (cached !== undefined) return named(embedder, cached);
      if (timers.monotonic() < pausedUntil) return null;
      const signal = AbortSignal.timeout(waitMs);
      try {
        const labels = [...dueLabels].slice(0, LABELS_AT_ONCE);
        const [vector, ...read] = await embedder.embed([query, ...labels], { signal });
        hasFailed = false;
        vectors.set(query, vector!);
        for (const [at, label] of labels.entries()) readLabels.set(label, read[at]!);
        return named(embedder, vector!);
      } catch (error) {
        pausedUntil = timers.monotonic() + pauseMs;
        const late = `The embeddings provider did not answer within ${waitMs} ms.`;
        if (!hasFailed) onFailure(signal.aborted ? new Error(late) : (error as Error));
        hasFailed = true;
        return null;
      }
    },
    /**
     * Cosine of a query with each of some fixed labels; null until the model has read all of them. Labels that it has not
     * read go with the calls of later queries.
     */
    similarities({ vector }: QueryVector, labels: readonly string[]): number[] | null {
      const read = labels.map((label) => readLabels.get(label));
      dueLabels = new Set(labels.filter((_, at) => read[at] === undefined));
      return dueLabels.size > 0 ? null : read.map((label) => dot(vector, label!));
    },
  };
}

/** Null for a vector of zeros, which has no direction and is near to nothing. */
const named = ({ model }: Embedder, vector: Float32Array): QueryVector | null =>
  vector.some((value) => value !== 0) ? { model, vector } : null;

/** The cosine of vectors of unit length. */
const dot = (one: Float32Array, other: Float32Array): number =>
  one.reduce((sum, value, at) => sum + value * other[at]!, 0);
