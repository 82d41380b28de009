import { LRUCache } from 'lru-cache';
import { CodedError } from '../../base/errors.ts';
import { FailureLimit, networkOf } from './failures.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const KEYS_MAX = 10_000;

/** A client mends a wrong secret in a minute; an address that fails and fails waits longer. */
const CLIENT_RULES = {
  blocksFrom: 5,
  blockFirstMs: SECOND_MS,
  blockMaxMs: MINUTE_MS,
  forgetMs: 15 * MINUTE_MS,
  keysMax: KEYS_MAX,
};
const ADDRESS_RULES = { ...CLIENT_RULES, blocksFrom: 10, blockMaxMs: 5 * MINUTE_MS };

/**
 * Who may try to exchange a secret now. Secrets are too long to be guessed; what is kept from those who try is the
 * processor time of hashing.
 */
export class ExchangeAttempts {
  readonly #clients = new FailureLimit(CLIENT_RULES);
  readonly #networks = new FailureLimit(ADDRESS_RULES);
  /** Pairs of client and network that have succeeded: a stranger's failures in a client's name do not shut it out. */
  readonly #familiar = new LRUCache<string, true>({ max: KEYS_MAX });

  /** @throws CodedError too_many_failures, with `retryAfterS` among its facts */
  refuseIfBlocked(clientId: string, address: string, now: number): void {
    const network = networkOf(address);
    const ofClient = this.#familiar.has(pair(clientId, network))
      ? 0
      : this.#clients.blockedForMs(clientId, now);
    const waitMs = Math.max(ofClient, this.#networks.blockedForMs(network, now));
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
    this.#familiar.delete(pair(clientId, network));
  }

  /** Forgives the client and not the address: whoever holds one good secret could else try others without end. */
  noteSuccess(clientId: string, address: string): void {
    this.#clients.forgive(clientId);
    this.#familiar.set(pair(clientId, networkOf(address)), true);
  }
}

const pair = (clientId: string, network: string): string => `${network} ${clientId}`;
