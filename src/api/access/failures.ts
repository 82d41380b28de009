import { isIPv6 } from 'node:net';
import { LRUCache } from 'lru-cache';

/** How many failures in a row are free, and how long the blocks after them last. */
export interface FailureRules {
  /** The failure with this number begins the first block. */
  readonly blocksFrom: number;
  readonly blockFirstMs: number;
  /** Each further failure doubles the block up to this. */
  readonly blockMaxMs: number;
  /** A key that has not failed for this long starts anew. */
  readonly forgetMs: number;
  /** Keys that are remembered; beyond them the one that failed longest ago is forgotten. */
  readonly keysMax: number;
}

interface Account {
  readonly failures: number;
  readonly blockedUntil: number;
  readonly failedAt: number;
}

/** Failures by key, and for how long each key is turned away after them. */
export class FailureLimit {
  readonly #rules: FailureRules;
  /** In order of the last failure, the oldest first. */
  readonly #accounts: LRUCache<string, Account>;

  constructor(rules: FailureRules) {
    this.#rules = rules;
    this.#accounts = new LRUCache({ max: rules.keysMax });
  }

  get size(): number {
    return this.#accounts.size;
  }

  /** Milliseconds until the key may try again; 0 for now. */
  blockedForMs(key: string, now: number): number {
    return Math.max(0, (this.#accounts.peek(key)?.blockedUntil ?? 0) - now);
  }

  noteFailure(key: string, now: number): void {
    const { blocksFrom, blockFirstMs, blockMaxMs, forgetMs } = this.#rules;
    const earlier = this.#accounts.get(key);
    const counts = earlier !== undefined && now - earlier.failedAt < forgetMs;
    const failures = counts ? earlier.failures + 1 : 1;
    const beyond = failures - blocksFrom;
    const blockMs = beyond < 0 ? 0 : Math.min(blockFirstMs * 2 ** beyond, blockMaxMs);
    this.#accounts.set(key, { failures, blockedUntil: now + blockMs, failedAt: now });
  }

  forgive(key: string): void {
    this.#accounts.delete(key);
  }
}

/**
 * Who an address belongs to, as far as can be told: an IPv4 address itself, an IPv6 address by the /64 that one
 * subscriber has the whole of.
 */
export function networkOf(address: string): string {
  const ipv4 = /^(?:::ffff:)?(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (ipv4 !== undefined) return ipv4;
  const [plain] = address.split('%', 1);
  if (!isIPv6(plain!)) return address;
  const [head, tail] = plain!.split('::').map((side) => (side === '' ? [] : side.split(':')));
  const zeros = tail === undefined ? 0 : 8 - head!.length - tail.length;
  const groups = [...head!, ...Array<string>(Math.max(0, zeros)).fill('0'), ...(tail ?? [])];
  const prefix = groups.slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16));
  return `${prefix.join(':')}::/64`;
}
