import type { Clock } from '../../base/clock.ts';
import { DAY_MS, HOUR_MS } from '../../base/dates.ts';
import type { Scope } from '../../base/scope.ts';
import { Semaphore } from '../../base/semaphore.ts';
import type { Database } from '../../database/database.ts';
import { AuditTrail } from './audit-trail.ts';
import { Budgets } from './budgets.ts';
import { onAccessChange } from './changes.ts';
import { ExchangeAttempts } from './exchange-attempts.ts';
import { SigningKeys } from './signing-keys.ts';
import { VerifiedTokens } from './verified-tokens.ts';

/** Authentication, call budgets and the audit trail of a running service. */
export type Access = Awaited<ReturnType<typeof openAccess>>;

/** Hashes that run at once; each takes 19 MiB and a thread of the pool that file reads need too. */
const HASHES_AT_ONCE = 2;
/** Hashes that may wait: at 10-20 ms each, the last runs within half a second. */
const HASHES_WAITING_MAX = 50;

/**
 * @param clock true time of day, also where market data is replayed
 * @param delayMs age of market data for callers without the real-time feed
 */
export async function openAccess({
  database,
  clock,
  delayMs,
  scope,
}: {
  readonly database: Database;
  readonly clock: Clock;
  readonly delayMs: number;
  readonly scope: Scope;
}) {
  const keys = new SigningKeys(database, clock);
  const budgets = new Budgets(database, clock);
  const trail = new AuditTrail(database, clock);
  const tokens = new VerifiedTokens(database, clock, keys, budgets, delayMs);
  const stopListening = await onAccessChange(database, () => {
    keys.forget();
    tokens.forget();
  });
  const usage = flushUsage(database, clock, trail, budgets, scope);
  return {
    database,
    clock,
    keys,
    tokens,
    budgets,
    trail,
    attempts: new ExchangeAttempts(),
    hashing: new Semaphore(
      HASHES_AT_ONCE,
      HASHES_WAITING_MAX,
      'Too many secrets are being checked already; try again in a moment.',
    ),
    save: usage.save,
    /** Stops listening and writes for the last time. */
    async close() {
      stopListening();
      await usage.close();
    },
  };
}

/** A killed process loses at most this much usage. */
const FLUSH_INTERVAL_MS = 1_000;
const AUDIT_RETENTION_MS = 90 * DAY_MS;
const USAGE_RETENTION_MS = 2 * DAY_MS;

/** Writes audit rows and spent budgets every second, and deletes old ones every hour. */
export function flushUsage(
  database: Database,
  clock: Clock,
  trail: AuditTrail,
  budgets: Budgets,
  scope: Scope,
) {
  let deletedAt = clock.now();
  let last = Promise.resolve();

  /** Writes usage and audit rows now: after a write that is under way, which may lack the newest calls. */
  function save(): Promise<void> {
    const saved = last.then(write);
    last = saved.catch(() => {});
    return saved;
  }

  async function write(): Promise<void> {
    await trail.save();
    await budgets.save();
    if (clock.now() - deletedAt < HOUR_MS) return;
    deletedAt = clock.now();
    await deleteOld(database, deletedAt);
  }

  const endFlushing = scope.every(FLUSH_INTERVAL_MS, 'writing usage', async () => {
    // After a failure the rows stay in memory for the next flush.
    if (trail.waiting > 0 || budgets.hasUnsaved) await save().catch(() => {});
  });

  return {
    save,
    async close() {
      endFlushing();
      await save().catch(() => {});
    },
  };
}

async function deleteOld(database: Database, now: number): Promise<void> {
  await database.write('delete from access_audit where last_at < $1', [new Date(now - AUDIT_RETENTION_MS)]);
  await database.write('delete from access_usage where begins_at < $1', [new Date(now - USAGE_RETENTION_MS)]);
}
