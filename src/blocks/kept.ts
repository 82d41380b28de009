import { LRUCache } from 'lru-cache';
import { DevelopingProfile } from '../analysis/developing-profile.ts';
import type { BarColumns } from '../market/observations.ts';

/** Sessions whose profile is kept: 31 KB each, so that every symbol of a running session has a place. */
const SESSIONS_MAX = 512;
/** Minutes of a regular session. */
const SESSION_MINUTES = 390;

/** What a thread keeps from one derivation for the next. It follows from what they read, so that it is lost without harm. */
export class Kept {
  readonly #profiles = new LRUCache<string, DevelopingProfile>({ max: SESSIONS_MAX });

  /**
   * The developing profile of a session; it has the given bars, or more.
   *
   * @param session names stock and date
   */
  developingProfile(session: string, bars: BarColumns): DevelopingProfile {
    const kept = this.#profiles.get(session);
    if (kept?.takes(bars)) return kept;
    const { high, low, volume } = bars;
    const own = { high: high.slice(), low: low.slice(), volume: volume.slice() };
    const profile = new DevelopingProfile(own, Math.max(SESSION_MINUTES, high.length));
    this.#profiles.set(session, profile);
    return profile;
  }
}
