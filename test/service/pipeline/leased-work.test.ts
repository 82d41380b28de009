import { describe, expect, it, onTestFinished } from 'vitest';
import { fileLeases, type Lease, type Leases, rowLeases } from '../../../src/database/leases.ts';
import { whileLeased } from '../../../src/pipeline/leased-work.ts';
import { makeTestStore, testsRunOn } from '../../support/database.ts';

const refuse = (error: unknown): void => {
  throw error;
};

/** What happened, in order, and a wait for the next of it. */
function diary() {
  const entries: string[] = [];
  return {
    entries,
    until: (entry: string) => expect.poll(() => entries, { timeout: 10_000 }).toContain(entry),
  };
}

/** Work that writes when it begins and when it is stopped. */
const working = (leases: Leases, name: string, { entries }: ReturnType<typeof diary>) =>
  whileLeased(
    leases,
    'scheduler',
    async ({ token }: Lease, signal) => {
      entries.push(`${name} begins${token === null ? '' : ` with ${token}`}`);
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
      entries.push(`${name} ends`);
    },
    refuse,
  );

describe('work that one process does at a time', () => {
  it.runIf(testsRunOn === 'embedded')('passes on within one data directory', async () => {
    const store = await makeTestStore();
    onTestFinished(() => store.remove());
    const leases = () => fileLeases(store.options.dataDirectory);
    const seen = diary();
    const one = working(leases(), 'one', seen);
    await seen.until('one begins');
    const other = working(leases(), 'other', seen);
    await one.stop();
    await seen.until('other begins');
    await other.stop();
    expect(seen.entries).toEqual(['one begins', 'one ends', 'other begins', 'other ends']);
  });

  it.runIf(testsRunOn === 'postgres')('stops where another process has taken its lease', async () => {
    const store = await makeTestStore();
    onTestFinished(() => store.remove());
    const database = await store.open();
    const seen = diary();
    const one = working(rowLeases(database, 'one'), 'one', seen);
    await seen.until('one begins with 1');
    // As the other process does once the lease has not been renewed in time.
    await database.query(`update lease set expires_at = now() - interval '1 ms'`);
    const other = await rowLeases(database, 'other').take('scheduler');
    expect(other?.token).toBe(2);
    await seen.until('one ends');
    await other!.release();
    await seen.until('one begins with 3');
    await one.stop();
  });
});
