import { LRUCache } from 'lru-cache';
import { DevelopingProfile } from '../analysis/developing-profile.ts';
import type { BarColumns } from '../market/observations.ts';

/** What a block keeps by names of what it follows from, and how much of it: entries, or bytes. */
export interface Keeping<Value> {
  readonly max?: number;
  readonly maxSize?: number;
  readonly sizeCalculation?: (value: Value) => number;
}

/** Sessions whose profile is kept: 31 KB each, so that every symbol of a running session has a place. */
const PROFILES: Keeping<DevelopingProfile> = { max: 512 };
/** Minutes of a regular session. */
const SESSION_MINUTES = 390;

/** What a thread keeps from one derivation for the next. It follows from what they read, so that it is lost without harm. */
export class Kept {
  readonly #values = new Map<object, LRUCache<string, object>>();

  of<Value extends object>(keeping: Keeping<Value>): LRUCache<string, Value> {
    const make = () => new LRUCache<string, Value>(keeping as LRUCache.Options<string, Value, unknown>);
    return this.#values.getOrInsertComputed(keeping, make as never) as never;
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
