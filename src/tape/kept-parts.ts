import { LRUCache } from 'lru-cache';

/** The daily bars, the session before, the chain and the facts of some hundred stocks. */
const BYTES_MAX = 64 * 1_048_576;
/** What no view of this long has had makes room for others. */
const UNUSED_MS = 600_000;

/** What a part takes with all that is worked out of it and stays as long: measured over stocks with chains and without. */
const FOLLOWING = 1.5;
/** Parts without room between two searches for what is out of date. */
const REFUSALS_OF_SEARCH = 1_000;
/** Of the list itself. */
const ENTRY_BYTES = 200;

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
  #refused = 0;

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
   * @param size what it takes, bytes, with all that follows from it
   */
  of<Part extends object>(
    symbol: string,
    name: string,
    source: string,
    read: () => Part,
    size = (part: Part): number => FOLLOWING * bytesOf(part),
  ): Part {
    const key = `${symbol} ${name}`;
    const known = this.#parts.get(key);
    if (known?.source === source) return known.part as Part;
    const part = read();
    const bytes = Math.ceil(size(part)) + source.length + key.length + ENTRY_BYTES;
    const isFull = known === undefined && this.#parts.calculatedSize + bytes > this.#parts.maxSize;
    // A search for what is out of date walks over all parts.
    if (isFull && (this.#refused++ % REFUSALS_OF_SEARCH > 0 || !this.#parts.purgeStale())) return part;
    this.#parts.set(key, { source, part, bytes });
    return part;
  }
}

/** Of an object, a view on columns or a string, beside what it holds; of a field or a boxed number. */
const [OBJECT_BYTES, VIEW_BYTES, STRING_BYTES, FIELD_BYTES] = [24, 120, 20, 16];

/** Of a part at any depth; memory that several of its columns share counts once. */
function bytesOf(part: unknown, counted = new Set<ArrayBufferLike>()): number {
  if (typeof part === 'string') return STRING_BYTES + part.length;
  if (typeof part !== 'object' || part === null) return FIELD_BYTES;
  if (!ArrayBuffer.isView(part)) {
    return Object.values(part).reduce<number>(
      (sum, each) => sum + FIELD_BYTES + bytesOf(each, counted),
      OBJECT_BYTES,
    );
  }
  const isKnown = counted.has(part.buffer);
  counted.add(part.buffer);
  return VIEW_BYTES + (isKnown ? 0 : part.buffer.byteLength);
}
