import { LRUCache } from 'lru-cache';

/** The daily bars, the session before, the chain and the facts of some hundred stocks. */
const BYTES_MAX = 64 * 1_048_576;
/** What no view of this long has had makes room for others. */
const UNUSED_MS = 600_000;

interface Kept {
  /** Names all that the part was read from. */
  readonly source: string;
  readonly part: object;
  readonly bytes: number;
}

/**
 * Parts of stocks' views that stay as long as what they are read from: a view of the next minute gets the same objects, so
 * that what follows from one of them alone is worked out once. When there is no room a new part is not kept: stocks come
 * in turn, and each would take the place of the one that comes next.
 */
export class KeptParts {
  readonly #parts: LRUCache<string, Kept>;

  constructor(maxSize = BYTES_MAX) {
    this.#parts = new LRUCache({
      maxSize,
      sizeCalculation: ({ bytes }) => bytes,
      ttl: UNUSED_MS,
      ttlResolution: 1_000,
      updateAgeOnGet: true,
    });
  }

  get bytes(): number {
    return this.#parts.calculatedSize;
  }

  /**
   * @param name of the part, unique in its stock
   * @param source names all that the part is read from
   */
  of<Part extends object>(symbol: string, name: string, source: string, read: () => Part): Part {
    const key = `${symbol} ${name}`;
    const known = this.#parts.get(key);
    if (known?.source === source) return known.part as Part;
    const part = read();
    const bytes = bytesOf(part) + 2 * source.length + key.length;
    const isFull = known === undefined && this.#parts.calculatedSize + bytes > this.#parts.maxSize;
    if (isFull && !this.#parts.purgeStale()) return part;
    this.#parts.set(key, { source, part, bytes });
    return part;
  }
}

/** Of the columns of a part, at any depth. */
function bytesOf(part: unknown): number {
  if (ArrayBuffer.isView(part)) return part.byteLength;
  if (typeof part === 'string') return part.length;
  if (typeof part !== 'object' || part === null) return 8;
  return Object.values(part).reduce<number>((sum, each) => sum + bytesOf(each), 0);
}
