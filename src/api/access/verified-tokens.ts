import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../base/clock.ts';
import { CodedError } from '../../base/errors.ts';
import { canonicalSymbol } from '../../base/symbols.ts';
import type { Database } from '../../database/database.ts';
import type { Budgets } from './budgets.ts';
import { type Grant, readGrantStatus, validGrant } from './clients.ts';
import { REALTIME_SCOPE } from './scopes.ts';
import type { SigningKeys } from './signing-keys.ts';
import { readToken, type TokenClaims } from './tokens.ts';
import type { Caller } from './viewer.ts';

const TOKENS_MAX = 10_000;
/** A token is verified again after this long, in case the notice of a revocation was lost. */
const RECHECK_MS = 30_000;

interface Verified {
  readonly caller: Caller;
  /** Epoch milliseconds of the next check. */
  readonly until: number;
}

/** Verifies tokens and caches their callers until something may have changed. */
export class VerifiedTokens {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #keys: SigningKeys;
  readonly #budgets: Budgets;
  readonly #delayMs: number;
  /** By hash, so that memory holds no token longer than its request. */
  readonly #verified: LRUCache<string, Verified, string>;

  constructor(database: Database, clock: Clock, keys: SigningKeys, budgets: Budgets, delayMs: number) {
    this.#database = database;
    this.#clock = clock;
    this.#keys = keys;
    this.#budgets = budgets;
    this.#delayMs = delayMs;
    this.#verified = new LRUCache({
      max: TOKENS_MAX,
      fetchMethod: (_hash, _expired, { context: token }) => this.#check(token),
      // After a change meanwhile a caller is good for the calls that wait, and is not kept.
      ignoreFetchAbort: true,
    });
  }

  get size(): number {
    return this.#verified.size;
  }

  /** The cached caller of a token, or null. Synchronous, for hot answers. */
  peek(token: string): Caller | null {
    const known = this.#verified.peek(hashOf(token));
    return known === undefined || this.#clock.now() >= known.until ? null : known.caller;
  }

  /**
   * The caller of a token. Concurrent calls with a new token share one verification.
   *
   * @throws CodedError invalid_token, database_unavailable
   */
  async callerOf(token: string): Promise<Caller> {
    const known = this.peek(token);
    if (known !== null) return known;
    return (await this.#verified.forceFetch(hashOf(token), { context: token, forceRefresh: true })).caller;
  }

  forget(): void {
    this.#verified.clear();
  }

  async #check(token: string): Promise<Verified> {
    const claims = await readToken(token, this.#keys, this.#clock.now());
    const status = await readGrantStatus(this.#database, claims.clientId, claims.grantId);
    const now = this.#clock.now();
    const grant = validGrant(status, now);
    if (grant === null || claims.expiresAt * 1_000 <= now) throw new CodedError('invalid_token');
    const caller = callerWith(claims, grant, this.#delayMs);
    await this.#budgets.load(caller.holder!);
    return { caller, until: untilOf(claims, grant, now) };
  }
}

const hashOf = (token: string): string => hash('sha256', token);

const untilOf = ({ expiresAt }: TokenClaims, grant: Grant, now: number): number =>
  Math.min(expiresAt * 1_000, grant.expiresAt?.getTime() ?? Number.POSITIVE_INFINITY, now + RECHECK_MS);

/** Real-time data takes both a grant with the feed and a token with the scope. */
function callerWith(claims: TokenClaims, grant: Grant, delayMs: number): Caller {
  const isRealtime = grant.feed !== 'delayed' && claims.scopes.includes(REALTIME_SCOPE);
  return {
    source: isRealtime ? grant.feed : 'delayed',
    delayMs: isRealtime ? 0 : delayMs,
    holder: {
      clientId: claims.clientId,
      grantId: grant.id,
      agentId: claims.agentId,
      callsPerMinute: grant.callsPerMinute,
      callsPerDay: grant.callsPerDay,
    },
    scopes: new Set(claims.scopes),
    symbols: grant.symbols === null ? null : new Set(grant.symbols.map(canonicalSymbol)),
  };
}
