import { LRUCache } from 'lru-cache';
import type { Embedder } from '../base/embedder.ts';

/** Vectors of single texts that are kept, and the longest text that is: about 2 MB with the longest vectors. */
const KEPT = 256;
const TEXT_MAX = 2_000;

/** The same embedder, which remembers the single texts it was asked for last: questions repeat, and many are waited for. */
export function withRecentVectors(embedder: Embedder): Embedder {
  const recent = new LRUCache<string, Float32Array>({ max: KEPT });
  return {
    model: embedder.model,
    get dimensions() {
      return embedder.dimensions;
    },
    async embed(texts, options) {
      const [text] = texts;
      if (text === undefined || texts.length > 1 || text.length > TEXT_MAX)
        return embedder.embed(texts, options);
      const known = recent.get(text);
      const vector = known ?? (await embedder.embed(texts, options))[0]!;
      if (known === undefined) recent.set(text, vector);
      return [vector];
    },
    warm: async () => embedder.warm?.(),
    close: () => embedder.close(),
  };
}
