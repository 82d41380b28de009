import { describe, expect, it } from 'vitest';
import { untilAborted } from '../../../src/base/abortable.ts';
import { Scope } from '../../../src/base/scope.ts';
import { SteppedTimers } from '../../../src/base/timers.ts';
import { LEASE_MS, type Leases } from '../../../src/database/leases.ts';
import { whileLeased } from '../../../src/pipeline/leased-work.ts';

/** A store of leases that can go away, and a process that works while it has one. */
async function working() {
  const timers = new SteppedTimers();
  const scope = new Scope('process', timers);
  const store = { isAway: false, takenAt: [] as number[], renewedAt: [] as number[], released: 0 };
  const leases: Leases = {
    async take(name) {
      if (store.isAway) throw new Error('the store is away');
      store.takenAt.push(timers.monotonic());
      return {
        name,
        token: store.takenAt.length,
        async renew() {
          if (store.isAway) throw new Error('the store is away');
          store.renewedAt.push(timers.monotonic());
          return true;
        },
        async release() {
          store.released++;
        },
      };
    },
  };
  const entries: string[] = [];
  const faults: string[] = [];
  whileLeased(
    scope,
    leases,
    'scheduler',
    async ({ token }, _held, { signal, waits }) => {
      entries.push(`${token} begins at ${timers.monotonic()}`);
      await waits(untilAborted(signal));
      entries.push(`${token} ends at ${timers.monotonic()}`);
    },
    (error) => faults.push((error as Error).message),
  );
  await scope.idle();
  return { scope, store, entries, faults, advance: (ms: number) => timers.advance(ms, () => scope.idle()) };
}

describe('work under a lease', () => {
  it('renews it every two seconds, and gives it back when it ends', async () => {
    const { scope, store, entries, advance } = await working();
    await advance(6_000);
    expect(store.renewedAt).toEqual([2_000, 4_000, 6_000]);
    await scope.close();
    expect(entries).toEqual(['1 begins at 0', '1 ends at 6000']);
    expect(store.released).toBe(1);
  });

  it('stops before a lease ends that cannot be renewed, and begins again when the store is back', async () => {
    const { scope, store, entries, faults, advance } = await working();
    await advance(2_000);
    store.isAway = true;
    await advance(8_000);
    expect(entries).toHaveLength(1);
    await advance(2_000);
    expect(entries).toEqual(['1 begins at 0', '1 ends at 12000']);
    // The last renewal was at 2,000.
    expect(12_000).toBeLessThanOrEqual(2_000 + LEASE_MS);
    await advance(3_000);
    // Said once, however often it is tried.
    expect(faults).toEqual(['the store is away']);
    store.isAway = false;
    await advance(1_000);
    expect(entries.at(-1)).toBe('2 begins at 16000');
    await scope.close();
  });
});
