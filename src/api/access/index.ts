import type { Clock } from '../../base/clock.ts';
import type { Database } from '../../database/database.ts';
import { AuditTrail } from './audit-trail.ts';
import { Budgets } from './budgets.ts';
import { onAccessChange } from './changes.ts';
import { ExchangeAttempts } from './exchange-attempts.ts';
import { Semaphore } from './semaphore.ts';
import { keepBooks } from './keep-books.ts';
import { SigningKeys } from './signing-keys.ts';
import { VerifiedTokens } from './verified-tokens.ts';

export type { Caller, Holder } from './caller.ts';
export { anonymousCaller, requireSymbols } from './caller.ts';
export { INTERNAL_SCOPE, SCOPES, type Scope } from './scopes.ts';

/** What a running service needs to know who asks. */
export interface Access {
  readonly database: Database;
  readonly clock: Clock;
  readonly keys: SigningKeys;
  readonly tokens: VerifiedTokens;
  readonly budgets: Budgets;
  readonly trail: AuditTrail;
  readonly attempts: ExchangeAttempts;
  readonly hashing: Semaphore;
  /** Writes down what waits in memory. */
  save(): Promise<void>;
  /** Stops listening and writes down what waits. */
  close(): Promise<void>;
}

export interface AccessOptions {
  readonly database: Database;
  /** The time of day that tokens live by: the true one also where market data is replayed. */
  readonly clock: Clock;
  /** Age of market data for callers without the real-time entitlement. */
  readonly delayMs: number;
}

export async function openAccess({ database, clock, delayMs }: AccessOptions): Promise<Access> {
  const keys = new SigningKeys(database, clock);
  const budgets = new Budgets(database, clock);
  const trail = new AuditTrail(database, clock);
  const tokens = new VerifiedTokens(database, clock, keys, budgets, delayMs);
  const stopListening = await onAccessChange(database, () => {
    keys.forget();
    tokens.forget();
  });
  const books = keepBooks(database, clock, trail, budgets);
  return {
    database,
    clock,
    keys,
    tokens,
    budgets,
    trail,
    attempts: new ExchangeAttempts(),
    hashing: new Semaphore(),
    save: books.save,
    async close() {
      stopListening();
      await books.close();
    },
  };
}
