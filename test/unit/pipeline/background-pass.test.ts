import { describe, expect, it } from 'vitest';
import { Scope } from '../../../src/base/scope.ts';
import { SteppedTimers } from '../../../src/base/timers.ts';
import type { Database } from '../../../src/database/database.ts';
import { keepPassing } from '../../../src/pipeline/background-pass.ts';

const TIMES = { quietMs: 2_000, pollIntervalMs: 60_000 };

/** A pass that is kept going, and a store whose announcements a test makes. */
async function passing(pass: () => Promise<void> = async () => {}) {
  const timers = new SteppedTimers();
  const scope = new Scope('process', timers);
  let hear = (_payload: string): void => {};
  const database = {
    async listen(_channel: string, handler: (payload: string) => void) {
      hear = handler;
      return () => {
        hear = () => {};
      };
    },
  } as unknown as Database;
  const at: number[] = [];
  const faults: string[] = [];
  await keepPassing(
    scope,
    'a pass',
    database,
    TIMES,
    async () => {
      at.push(timers.monotonic());
      await pass();
    },
    (error) => faults.push((error as Error).message),
  );
  return {
    scope,
    at,
    faults,
    advance: (ms: number) => timers.advance(ms, () => scope.idle()),
    announce: (origin?: string) => hear(origin === undefined ? 'ACME' : `@${origin} ACME`),
  };
}

describe('a pass that is kept going', () => {
  it('runs once things have been quiet, and at intervals', async () => {
    const { scope, at, advance, announce } = await passing();
    await advance(2_000);
    expect(at).toEqual([2_000]);
    await advance(10_000);
    for (let second = 0; second < 5; second++) {
      announce();
      await advance(1_000);
    }
    expect(at).toEqual([2_000]);
    await advance(1_000);
    expect(at).toEqual([2_000, 18_000]);
    await advance(60_000);
    expect(at).toEqual([2_000, 18_000, 78_000]);
    await scope.close();
  });

  it('is not begun by its own announcements, nor by those of a running session', async () => {
    let announceOwn = (): void => {};
    const { scope, at, advance, announce } = await passing(async () => announceOwn());
    announceOwn = announce;
    await advance(2_000);
    announce('live');
    await advance(59_999);
    expect(at).toEqual([2_000]);
    await scope.close();
  });

  it('goes on after a failure, and ends with its scope', async () => {
    const { scope, at, faults, advance, announce } = await passing(() =>
      Promise.reject(new Error('no store')),
    );
    await advance(62_000);
    expect([at, faults]).toEqual([
      [2_000, 62_000],
      ['no store', 'no store'],
    ]);
    await scope.close();
    announce();
    await advance(120_000);
    expect(at).toHaveLength(2);
  });
});
