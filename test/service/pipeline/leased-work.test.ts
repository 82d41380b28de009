import { describe, expect, it, onTestFinished } from 'vitest';
import { untilAborted } from '../../../src/base/abortable.ts';
import { Scope } from '../../../src/base/scope.ts';
import { SteppedTimers } from '../../../src/base/timers.ts';
import { fileLeases, type Leases, rowLeases } from '../../../src/database/leases.ts';
import { whileLeased } from '../../../src/pipeline/leased-work.ts';
import { freshStore } from '../../support/app.ts';
import { testsRunOn } from '../../support/database.ts';

/** Processes whose time the test steps, and what they write when their work begins and when it is stopped. */
function processes() {
  const timers = new SteppedTimers();
  const all = new Scope('processes', timers);
  onTestFinished(() => all.close());
  const entries: string[] = [];
  return {
    entries,
    async start(name: string, leases: Leases): Promise<Scope> {
      const scope = all.child(name);
      whileLeased(
        scope,
        leases,
        'scheduler',
        async ({ token }, _held, { signal, waits }) => {
          entries.push(`${name} begins${token === null ? '' : ` with ${token}`}`);
          await waits(untilAborted(signal));
          entries.push(`${name} ends`);
        },
        (error) => {
          throw error;
        },
      );
      await all.idle();
      return scope;
    },
    idle: () => all.idle(),
    advance: (ms: number) => timers.advance(ms, () => all.idle()),
  };
}

describe('work that one process does at a time', () => {
  it.runIf(testsRunOn === 'embedded')('passes on within one data directory', async () => {
    const store = await freshStore();
    const leases = () => fileLeases(store.options.dataDirectory);
    const { entries, start, advance } = processes();
    const one = await start('one', leases());
    const other = await start('other', leases());
    expect(entries).toEqual(['one begins']);
    await one.close();
    expect(entries).toEqual(['one begins', 'one ends']);
    await advance(1_000);
    await other.close();
    expect(entries).toEqual(['one begins', 'one ends', 'other begins', 'other ends']);
  });

  it.runIf(testsRunOn === 'postgres')('stops where another process has taken its lease', async () => {
    const store = await freshStore();
    const database = await store.open();
    const { entries, start, advance } = processes();
    await start('one', rowLeases(database, 'one'));
    // As the other process does once the lease has not been renewed in time.
    await database.query(`update lease set expires_at = now() - interval '1 ms'`);
    const other = await rowLeases(database, 'other').take('scheduler');
    expect(other?.token).toBe(2);
    expect(entries).toEqual(['one begins with 1']);
    await advance(2_000);
    expect(entries).toEqual(['one begins with 1', 'one ends']);
    await advance(5_000);
    expect(entries).toHaveLength(2);
    await other!.release();
    await advance(1_000);
    expect(entries).toEqual(['one begins with 1', 'one ends', 'one begins with 3']);
  });
});
