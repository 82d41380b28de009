import type { Clock } from '../../base/clock.ts';
import type { Database } from '../../database/database.ts';
import type { AuditTrail } from './audit-trail.ts';
import type { Budgets } from './budgets.ts';

/** What is in memory is written down this often: what a killed process can forget at most. */
const SAVE_EVERY_MS = 1_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
const AUDIT_KEPT_MS = 90 * DAY_MS;
const USAGE_KEPT_MS = 2 * DAY_MS;

export interface Books {
  save(): Promise<void>;
  /** Saves for the last time. */
  close(): Promise<void>;
}

/** Writes calls and spent budgets into the store every moment, beside the answers, and clears what is old. */
export function keepBooks(database: Database, clock: Clock, trail: AuditTrail, budgets: Budgets): Books {
  let clearedAt = clock.now();
  let saving: Promise<void> | null = null;

  function save(): Promise<void> {
    saving ??= write().finally(() => {
      saving = null;
    });
    return saving;
  }

  async function write(): Promise<void> {
    await trail.save();
    await budgets.save();
    if (clock.now() - clearedAt < HOUR_MS) return;
    clearedAt = clock.now();
    await clearOld(database, clearedAt);
  }

  const timer = setInterval(() => {
    // A store that does not answer now is asked again in a moment; what waits is bounded, and what is dropped counted.
    if (trail.waiting > 0 || budgets.hasUnsaved) save().catch(() => {});
  }, SAVE_EVERY_MS);
  timer.unref();

  return {
    save,
    async close() {
      clearInterval(timer);
      await saving?.catch(() => {});
      await save().catch(() => {});
    },
  };
}

async function clearOld(database: Database, now: number): Promise<void> {
  await database.query('delete from access_audit where last_at < $1', [new Date(now - AUDIT_KEPT_MS)]);
  await database.query('delete from access_usage where begins_at < $1', [new Date(now - USAGE_KEPT_MS)]);
}
