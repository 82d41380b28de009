import { rest } from '../base/abortable.ts';
import { isCoded } from '../base/errors.ts';
import { LEASE_MS, type Lease, type LeaseName, type Leases } from '../database/leases.ts';
import { type BackgroundWork, startBackground } from './background-pass.ts';

const RENEW_MS = 2_000;
/** Without a renewal for this long the work stops, before the lease ends. */
const HELD_MS = 8_000;
const RETRY_MS = 1_000;

/**
 * Does work while this process has a lease, and waits for the lease otherwise. Work whose lease is lost is stopped and
 * begins again with the next one.
 *
 * @param work runs until its signal aborts
 */
export const whileLeased = (
  leases: Leases,
  name: LeaseName,
  work: (lease: Lease, signal: AbortSignal) => Promise<void>,
  onError: (error: unknown) => void,
): BackgroundWork =>
  startBackground(async (stopping) => {
    let hasFailed = false;
    while (!stopping.aborted) {
      const lease = await leases.take(name).catch((error) => {
        // Once, not every second while the database is away.
        if (!hasFailed) onError(error);
        hasFailed = true;
        return null;
      });
      if (lease !== null) hasFailed = false;
      if (lease !== null) await hold(lease, work, stopping, onError);
      await rest(RETRY_MS, stopping);
    }
  }, onError);

async function hold(
  lease: Lease,
  work: (lease: Lease, signal: AbortSignal) => Promise<void>,
  stopping: AbortSignal,
  onError: (error: unknown) => void,
): Promise<void> {
  const lost = new AbortController();
  let heldSince = performance.now();
  const renewing = setInterval(() => {
    // A process that was stopped notices here that its lease has ended.
    if (performance.now() - heldSince > HELD_MS) lost.abort();
    const begun = performance.now();
    lease.renew().then(
      (isHeld) => {
        if (isHeld) heldSince = begun;
        else lost.abort();
      },
      // The next renewal tries again.
      () => {},
    );
  }, RENEW_MS);
  try {
    await work(lease, AbortSignal.any([stopping, lost.signal]));
  } catch (error) {
    if (!isCoded(error, 'lease_lost')) onError(error);
  } finally {
    clearInterval(renewing);
    await lease.release().catch(() => {});
  }
}

if (RENEW_MS + HELD_MS > LEASE_MS) throw new Error('A lease must end after its work has stopped.');
