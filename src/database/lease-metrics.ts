import type { Metrics } from '../base/metrics.ts';
import type { Lease, LeaseName, Leases } from './leases.ts';

/** Shows which of the leases that a process asks for are its own. */
export function watchLeases(metrics: Metrics, leases: Leases): Leases {
  const owned = new Map<LeaseName, boolean>();
  metrics.gauge(
    'tigraph_lease_owned',
    'Whether this process owns a lease, of those that it has asked for.',
    () => Array.from(owned, ([lease, isOwned]) => ({ labels: { lease }, value: Number(isOwned) })),
  );
  return {
    async take(name) {
      const lease = await leases.take(name);
      owned.set(name, lease !== null);
      return lease === null ? null : watched(lease, owned);
    },
  };
}

function watched(lease: Lease, owned: Map<LeaseName, boolean>): Lease {
  return {
    ...lease,
    async renew() {
      const isHeld = await lease.renew();
      owned.set(lease.name, isHeld);
      return isHeld;
    },
    async release() {
      owned.set(lease.name, false);
      await lease.release();
    },
  };
}
