import { LRUCache } from 'lru-cache';
import { DevelopingProfile } from '../analysis/developing-profile.ts';
import type { BarColumns } from '../market/observations.ts';

/** What a block keeps by names of what it follows from, and how much of it: entries, or bytes. */
export interface Keeping<Value> {
  readonly max?: number;
  readonly maxSize?: number;
  readonly sizeCalculation?: (value: Value) => number;
  /** Whether the next process is to find it again. */
  readonly onShelf?: boolean;
}

/** Where values lie that are found again by their names in another process. */
export interface Shelf {
  read(take: (name: string, value: object) => void): void;
  add(name: string, value: object): void;
}

/** Sessions whose profile is kept: 31 KB each, so that every symbol of a running session has a place. */
const PROFILES: Keeping<DevelopingProfile> = { max: 512 };
/** Minutes of a regular session. */
const SESSION_MINUTES = 390;

/** What a thread keeps from one derivation for the next. It follows from what they read, so that it is lost without harm. */
export class Kept {
  readonly #values = new Map<object, LRUCache<string, object>>();
  readonly #shelf: Shelf | null;

  constructor(shelf: Shelf | null = null) {
    this.#shelf = shelf;
  }

  of<Value extends object>(keeping: Keeping<Value>): LRUCache<string, Value> {
    return this.#values.getOrInsertComputed(keeping, () => this.#open(keeping) as never) as never;
  }

  #open<Value extends object>({ onShelf, ...limits }: Keeping<Value>): LRUCache<string, Value> {
    const shelf = onShelf === true ? this.#shelf : null;
    let isOpen = false;
    const onInsert = (value: Value, name: string): void => {
      if (isOpen) shelf?.add(name, value);
    };
    const values = new LRUCache<string, Value>({ ...limits, onInsert } as LRUCache.Options<
      string,
      Value,
      unknown
    >);
    shelf?.read((name, value) => values.set(name, value as Value));
    isOpen = true;
    return values;
  }

  /**
   * The developing profile of a session; it has the given bars, or more.
   *
   * @param session names stock and date
   */
  developingProfile(session: string, bars: BarColumns): DevelopingProfile {
    const profiles = this.of(PROFILES);
    const kept = profiles.get(session);
    if (kept?.takes(bars)) return kept;
    const { high, low, volume } = bars;
    const own = { high: high.slice(), low: low.slice(), volume: volume.slice() };
    const profile = new DevelopingProfile(own, Math.max(SESSION_MINUTES, high.length));
    profiles.set(session, profile);
    return profile;
  }
}
