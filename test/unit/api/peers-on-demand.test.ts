import { describe, expect, it } from 'vitest';
import { peersOnDemand } from '../../../src/api/context/peers-on-demand.ts';
import { Scope } from '../../../src/base/scope.ts';

/** Measurements that end when a test lets them. */
function measuring() {
  const scope = new Scope('process');
  const batches: { readonly dates: readonly string[]; end(error?: Error): void }[] = [];
  const faults: unknown[] = [];
  const ask = peersOnDemand(
    scope,
    (dates) =>
      new Promise((resolve, reject) => {
        batches.push({ dates, end: (error) => (error === undefined ? resolve() : reject(error)) });
      }),
    (error) => faults.push(error),
  );
  return { scope, ask, batches, faults };
}

describe('peers on demand', () => {
  it('are measured in batches: what is asked meanwhile goes together, each session once', async () => {
    const { scope, ask, batches } = measuring();
    ask('2024-03-05');
    ask('2024-03-06', '2024-03-05');
    ask('2024-03-07', '2024-03-06');
    expect(batches.map(({ dates }) => dates)).toEqual([['2024-03-05']]);
    const idle = scope.idle();
    batches[0]!.end();
    // Once the first has ended, and before the scope is idle.
    await Promise.race([idle, new Promise(setImmediate)]);
    expect(batches[1]!.dates).toEqual(['2024-03-06', '2024-03-07']);
    batches[1]!.end();
    await idle;
    expect(batches).toHaveLength(2);
    await scope.close();
  });

  it('may be asked again after a failure, and drop what is too much', async () => {
    const { scope, ask, batches, faults } = measuring();
    for (let day = 1; day <= 320; day++) ask(`day ${day}`);
    const gone = new Error('the store is away');
    batches[0]!.end(gone);
    await new Promise(setImmediate);
    expect(faults).toEqual([gone]);
    ask('day 1');
    for (let at = 1; at < batches.length; at++) {
      expect(batches[at]!.dates.length).toBeLessThanOrEqual(16);
      batches[at]!.end();
      await new Promise(setImmediate);
    }
    const asked = batches.slice(1).flatMap(({ dates }) => dates);
    expect(asked).toHaveLength(300);
    expect(asked.slice(-2)).toEqual(['day 300', 'day 1']);
    await scope.close();
  });

  it('are a task that the end of the process waits for, and none after it', async () => {
    const { scope, ask, batches } = measuring();
    ask('2024-03-05');
    expect(scope.running()).toEqual(['measuring peers']);
    const closed = scope.close();
    batches[0]!.end();
    await closed;
    ask('2024-03-06');
    expect(batches).toHaveLength(1);
  });
});
