import { describe, expect, it } from 'vitest';
import { peersOnDemand } from '../../../src/api/context/peers-on-demand.ts';
import { Scope } from '../../../src/base/scope.ts';
import { SteppedTimers } from '../../../src/base/timers.ts';
import type { PeersWaiting } from '../../../src/derive/peer-topology.ts';

const WAIT_MS = 1_000;
const turn = () => new Promise(setImmediate);

/** Measurements that end when a test lets them. */
function measuring() {
  const timers = new SteppedTimers();
  const scope = new Scope('process', timers);
  const batches: {
    readonly dates: readonly string[];
    readonly found: PeersWaiting['onMeasured'];
    end(error?: Error): void;
  }[] = [];
  const faults: unknown[] = [];
  const ask = peersOnDemand(
    scope,
    (dates, { onMeasured: found }) =>
      new Promise<void>((resolve, reject) => {
        batches.push({ dates, found, end: (error) => (error === undefined ? resolve() : reject(error)) });
      }),
    (error) => faults.push(error),
    WAIT_MS,
  );
  /** What has been waited for, in the order of its end. */
  const over: string[] = [];
  return {
    scope,
    timers,
    ask: (...dates: string[]) => void ask(dates).then(() => over.push(...dates)),
    askAll: ask,
    over,
    batches,
    faults,
  };
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
    await Promise.race([idle, turn()]);
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
    await turn();
    expect(faults).toEqual([gone]);
    expect(batches[1]!.dates).toContain('day 300');
    ask('day 1');
    for (let at = 1; at < batches.length; at++) {
      expect(batches[at]!.dates.length).toBeLessThanOrEqual(16);
      batches[at]!.end();
      await turn();
    }
    const asked = batches.slice(1).flatMap(({ dates }) => dates);
    expect(asked.toSorted()).toEqual(Array.from({ length: 300 }, (_, at) => `day ${at + 1}`).toSorted());
    expect(batches[2]!.dates).toContain('day 1');
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

  it('are waited for until they are measured, all that were asked for, or until the time is up', async () => {
    const { scope, timers, ask, askAll, over, batches } = measuring();
    ask('2024-03-05');
    ask('2024-03-06');
    await turn();
    expect(over).toEqual([]);
    batches[0]!.end();
    await turn();
    expect(over).toEqual(['2024-03-05']);
    await timers.advance(WAIT_MS - 1);
    expect(over).toEqual(['2024-03-05']);
    await timers.advance(1);
    await turn();
    expect(over).toEqual(['2024-03-05', '2024-03-06']);
    const both = askAll(['2024-03-06', '2024-03-07']).then(() => over.push('both'));
    batches[1]!.end();
    await turn();
    expect(over).not.toContain('both');
    batches[2]!.end();
    await both;
    await scope.close();
  });

  it('are there once they are measured, for all who ask until they are stored', async () => {
    const { scope, askAll, batches } = measuring();
    const first = askAll(['2024-03-05']);
    const divergences = new Map([['SIMX', '{}']]);
    batches[0]!.found('2024-03-05', divergences);
    const found = new Map([['2024-03-05', divergences]]);
    expect(await first).toEqual(found);
    expect(await askAll(['2024-03-05'])).toEqual(found);
    expect(scope.running()).toEqual(['measuring peers']);
    batches[0]!.end();
    await scope.idle();
    const again = askAll(['2024-03-05']);
    batches[1]!.end();
    expect(await again).toEqual(new Map());
    await scope.close();
  });

  it('are measured while those before are stored, which no more than one batch waits for', async () => {
    const { scope, ask, batches } = measuring();
    for (const [at, date] of ['2024-03-05', '2024-03-06', '2024-03-07'].entries()) {
      ask(date);
      await turn();
      expect(batches).toHaveLength(Math.min(at + 1, 2));
      batches[at]?.found(date, new Map());
    }
    batches[0]!.end();
    await turn();
    expect(batches[2]!.dates).toEqual(['2024-03-07']);
    for (const { end } of batches) end();
    await scope.idle();
    await scope.close();
  });

  it('are waited for no longer once the caller gives up, the measurement fails or the process ends', async () => {
    const { scope, ask, askAll, over, batches } = measuring();
    const caller = new AbortController();
    const asked = askAll(['2024-03-05'], caller.signal);
    caller.abort(new Error('too late'));
    await expect(asked).rejects.toThrow('too late');
    ask('2024-03-05');
    ask('2024-03-06');
    batches[0]!.end(new Error('the store is away'));
    await turn();
    expect(over).toEqual(['2024-03-05']);
    ask('2024-03-07');
    const closed = scope.close();
    batches[1]!.end();
    await closed;
    await turn();
    expect(over).toEqual(['2024-03-05', '2024-03-06', '2024-03-07']);
    expect(batches).toHaveLength(2);
  });
});
