import { hash } from 'node:crypto';
import type { Clock } from '../../base/clock.ts';
import type { Database } from '../../database/database.ts';
import { CodedError } from '../../base/errors.ts';
import { canonicalSymbol } from '../../base/symbols.ts';
import type { Budgets } from './budgets.ts';
import type { Caller } from './caller.ts';
import type { Grant } from './grants.ts';
import { REALTIME_SCOPE } from './scopes.ts';
import type { SigningKeys } from './signing-keys.ts';
import { validGrant, readGrantStatus } from './grant-status.ts';
import { readToken, type TokenClaims } from './tokens.ts';

/** Tokens that are remembered. They come in about the order in which they end, so the first in is the first out. */
const TOKENS_MAX = 10_000;
/** A verified token is looked at again after this long, so that even a lost notice of a revocation has an end. */
const RECHECK_MS = 30_000;

interface Verified {
  readonly caller: Caller;
  /** Epoch milliseconds until which nothing has to be checked. */
  readonly until: number;
}

/** Callers by their tokens: checked once, then remembered until something can have changed. */
export class VerifiedTokens {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #keys: SigningKeys;
  readonly #budgets: Budgets;
  readonly #delayMs: number;
  /** By hash, so that the memory of this process holds no token longer than the request that carried it. */
  readonly #verified = new Map<string, Verified>();
  readonly #underWay = new Map<string, Promise<Caller>>();
  #generation = 0;

  constructor(database: Database, clock: Clock, keys: SigningKeys, budgets: Budgets, delayMs: number) {
    this.#database = database;
    this.#clock = clock;
    this.#keys = keys;
    this.#budgets = budgets;
    this.#delayMs = delayMs;
  }

  get size(): number {
    return this.#verified.size;
  }

  /** The caller of a token that was verified a moment ago, or null. Synchronous, for hot answers. */
  peek(token: string): Caller | null {
    const known = this.#verified.get(hashOf(token));
    return known === undefined || this.#clock.now() >= known.until ? null : known.caller;
  }

  /**
   * The caller that a token stands for. A burst of calls with one new token costs one verification.
   *
   * @throws CodedError invalid_token, database_unavailable
   */
  async callerOf(token: string): Promise<Caller> {
    const known = this.peek(token);
    if (known !== null) return known;
    const key = hashOf(token);
    const earlier = this.#underWay.get(key);
    if (earlier !== undefined) return earlier;
    const checking = this.#check(token, key).finally(() => {
      if (this.#underWay.get(key) === checking) this.#underWay.delete(key);
    });
    this.#underWay.set(key, checking);
    return checking;
  }

  /** Has every token checked anew. */
  forget(): void {
    this.#generation++;
    this.#verified.clear();
    this.#underWay.clear();
  }

  async #check(token: string, key: string): Promise<Caller> {
    const generation = this.#generation;
    const claims = await readToken(token, this.#keys, this.#clock.now());
    const status = await readGrantStatus(this.#database, claims.clientId, claims.grantId);
    const now = this.#clock.now();
    const grant = validGrant(status, now);
    if (grant === null || claims.expiresAt * 1_000 <= now) throw new CodedError('invalid_token');
    const caller = callerWith(claims, grant, this.#delayMs);
    await this.#budgets.load(caller.holder!);
    // What was read before a change is good for this call and no longer.
    if (generation === this.#generation) this.#remember(key, caller, untilOf(claims, grant, now));
    return caller;
  }

  #remember(key: string, caller: Caller, until: number): void {
    this.#verified.delete(key);
    this.#verified.set(key, { caller, until });
    if (this.#verified.size > TOKENS_MAX) this.#verified.delete(this.#verified.keys().next().value!);
  }
}

const hashOf = (token: string): string => hash('sha256', token);

const untilOf = ({ expiresAt }: TokenClaims, grant: Grant, now: number): number =>
  Math.min(expiresAt * 1_000, grant.expiresAt?.getTime() ?? Number.POSITIVE_INFINITY, now + RECHECK_MS);

/** Real-time data takes both: a grant that carries the feed and a token that asked for it. Either alone is delayed. */
function callerWith(claims: TokenClaims, grant: Grant, delayMs: number): Caller {
  const isRealtime = grant.feed === 'realtime_sip' && claims.scopes.includes(REALTIME_SCOPE);
  return {
    source: isRealtime ? 'realtime_sip' : 'delayed',
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
