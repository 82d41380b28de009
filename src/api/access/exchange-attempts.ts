import { LRUCache } from 'lru-cache';
import { networkOf } from '../../base/client-network.ts';
import { MINUTE_MS } from '../../base/dates.ts';
import { CodedError } from '../../base/errors.ts';

/** When failures block a key, and for how long. */
export interface FailureRules {
  /** The failure with this number begins the first block. */
  readonly blocksFrom: number;
  readonly blockFirstMs: number;
  /** Each further failure doubles the block up to this. */
  readonly blockMaxMs: number;
  /** A key without a failure for this long starts over. */
  readonly forgetMs: number;
  /** Keys in memory; beyond it the one with the oldest failure goes. */
  readonly keysMax: number;
}

type FailureCount = Readonly<Record<'failures' | 'blockedUntil' | 'failedAt', number>>;

/** Counts failures by key and blocks keys with too many. */
export class FailureLimit {
  readonly #rules: FailureRules;
  readonly #counts: LRUCache<string, FailureCount>;

  constructor(rules: FailureRules) {
    this.#rules = rules;
    this.#counts = new LRUCache({ max: rules.keysMax });
  }

  get size(): number {
    return this.#counts.size;
  }

  /** Milliseconds until the key may try again; 0 for now. */
  blockedForMs(key: string, now: number): number {
    return Math.max(0, (this.#counts.peek(key)?.blockedUntil ?? 0) - now);
  }

  noteFailure(key: string, now: number): void {
    const { blocksFrom, blockFirstMs, blockMaxMs, forgetMs } = this.#rules;
    const earlier = this.#counts.get(key);
    const isRecent = earlier !== undefined && now - earlier.failedAt < forgetMs;
    const failures = isRecent ? earlier.failures + 1 : 1;
    const beyond = failures - blocksFrom;
    const blockMs = beyond < 0 ? 0 : Math.min(blockFirstMs * 2 ** beyond, blockMaxMs);
    this.#counts.set(key, { failures, blockedUntil: now + blockMs, failedAt: now });
  }

  forgive(key: string): void {
    this.#counts.delete(key);
  }
}

const SECOND_MS = 1_000;
const KEYS_MAX = 10_000;

const CLIENT_RULES: FailureRules = {
  blocksFrom: 5,
  blockFirstMs: SECOND_MS,
  blockMaxMs: MINUTE_MS,
  forgetMs: 15 * MINUTE_MS,
  keysMax: KEYS_MAX,
};
const NETWORK_RULES: FailureRules = { ...CLIENT_RULES, blocksFrom: 10, blockMaxMs: 5 * MINUTE_MS };

/** Limits failed token exchanges. Secrets are too long to guess; the limit saves the processor time of hashing. */
export class ExchangeAttempts {
  readonly #clients = new FailureLimit(CLIENT_RULES);
  readonly #networks = new FailureLimit(NETWORK_RULES);
  /** Pairs of client and network that have succeeded: a stranger's failures do not block the client there. */
  readonly #trusted = new LRUCache<string, true>({ max: KEYS_MAX });

  /** @throws CodedError too_many_failures, with `retryAfterS` among its facts */
  refuseIfBlocked(clientId: string, address: string, now: number): void {
    const network = networkOf(address);
    const clientMs = this.#trusted.has(pair(clientId, network))
      ? 0
      : this.#clients.blockedForMs(clientId, now);
    const waitMs = Math.max(clientMs, this.#networks.blockedForMs(network, now));
    if (waitMs === 0) return;
    const retryAfterS = Math.ceil(waitMs / SECOND_MS);
    throw new CodedError('too_many_failures', `Too many failures; try again in ${retryAfterS} s.`, {
      facts: { retryAfterS },
    });
  }

  noteFailure(clientId: string, address: string, now: number): void {
    const network = networkOf(address);
    this.#clients.noteFailure(clientId, now);
    this.#networks.noteFailure(network, now);
    this.#trusted.delete(pair(clientId, network));
  }

  /** Forgives the client but not the network: else the holder of one good secret could try others without end. */
  noteSuccess(clientId: string, address: string): void {
    this.#clients.forgive(clientId);
    this.#trusted.set(pair(clientId, networkOf(address)), true);
  }
}

const pair = (clientId: string, network: string): string => `${network} ${clientId}`;
