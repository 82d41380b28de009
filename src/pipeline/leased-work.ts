import { untilAborted } from '../base/abortable.ts';
import { isCoded } from '../base/errors.ts';
import type { Scope, Task } from '../base/scope.ts';
import { LEASE_MS, type Lease, type LeaseName, type Leases } from '../database/leases.ts';

const RENEW_MS = 2_000;
/** Without a renewal for this long the work stops, before the lease ends. */
const HELD_MS = 8_000;
const RETRY_MS = 1_000;

/**
 * Work that one process of the installation does.
 *
 * @param held closes when the lease is lost, or the process stops
 */
export type LeasedWork = (lease: Lease, held: Scope, task: Task) => Promise<void>;

/**
 * Does work while this process has a lease, and waits for the lease otherwise, until the scope closes. Work whose lease is
 * lost is stopped and begins again with the next one.
 */
export function whileLeased(
  scope: Scope,
  leases: Leases,
  name: LeaseName,
  work: LeasedWork,
  onError: (error: unknown) => void,
): void {
  let hasFailed = false;
  const attempt = async (task: Task): Promise<void> => {
    const lease = await leases.take(name).catch((error) => {
      // Once, not every second while the database is away.
      if (!hasFailed) onError(error);
      hasFailed = true;
      return null;
    });
    if (lease !== null) {
      hasFailed = false;
      await hold(scope, lease, task, work, onError);
    }
    scope.after(RETRY_MS, `lease ${name}`, attempt);
  };
  void scope.run(`lease ${name}`, attempt);
}

async function hold(
  scope: Scope,
  lease: Lease,
  task: Task,
  work: LeasedWork,
  onError: (error: unknown) => void,
): Promise<void> {
  const held = scope.child(lease.name);
  const lost = Promise.withResolvers<void>();
  const { monotonic } = scope.timers;
  let renewedAt = monotonic();
  held.every(RENEW_MS, 'renewing the lease', async () => {
    // A process that was stopped notices here that its lease has ended.
    if (monotonic() - renewedAt > HELD_MS) lost.resolve();
    const asked = monotonic();
    // After a failure the next renewal tries again.
    const isHeld = await lease.renew().catch(() => null);
    if (isHeld === true) renewedAt = asked;
    if (isHeld === false) lost.resolve();
  });
  try {
    const working = held.run('work', (own) => work(lease, held, own));
    await task.waits(Promise.race([working, lost.promise, untilAborted(held.signal)]));
    working.catch(() => {});
    await held.close();
    await working;
  } catch (error) {
    if (!isCoded(error, 'lease_lost') && !isCoded(error, 'shutting_down')) onError(error);
  } finally {
    await lease.release().catch(() => {});
  }
}

if (RENEW_MS + HELD_MS > LEASE_MS) throw new Error('A lease must end after its work has stopped.');
