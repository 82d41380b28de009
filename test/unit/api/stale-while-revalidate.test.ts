import { describe, expect, it } from 'vitest';
import { StaleWhileRevalidate } from '../../../src/api/context/stale-while-revalidate.ts';
import { Scope } from '../../../src/base/scope.ts';
import { SteppedTimers } from '../../../src/base/timers.ts';

/** A value in a scope whose time the test steps. */
function keeping<T>(make: (former: T | null) => Promise<T>) {
  const timers = new SteppedTimers();
  const scope = new Scope('test', timers);
  const kept = new StaleWhileRevalidate(scope, 'making', make);
  return { kept, idle: () => scope.idle(), advance: (ms: number) => timers.advance(ms, () => scope.idle()) };
}

describe('a value that is served while it is made again', () => {
  it('is made once for all who ask meanwhile, and again after a change', async () => {
    let made = 0;
    const { kept, advance } = keeping<number>(async (former) => {
      made++;
      return (former ?? 0) + 1;
    });
    expect(await Promise.all([kept.get(), kept.get()])).toEqual([1, 1]);
    expect([await kept.get(), made]).toEqual([1, 1]);
    kept.change();
    // Changes come many at a time.
    expect([await kept.get(), made]).toEqual([1, 1]);
    await advance(249);
    expect([await kept.get(), made]).toEqual([1, 1]);
    await advance(1);
    expect([await kept.get(), made]).toEqual([2, 2]);
    await advance(60_000);
    expect([await kept.get(), made]).toEqual([2, 2]);
  });

  it('is the former one while making it takes long, and hears of changes meanwhile', async () => {
    const gates = Array.from({ length: 3 }, () => Promise.withResolvers<string>());
    let made = 0;
    const { kept, advance, idle } = keeping(() => gates[made++]!.promise);
    gates[0]!.resolve('first');
    expect(await kept.get()).toBe('first');
    kept.change();
    const advanced = advance(250);
    await advanced;
    const waiting = kept.get();
    expect(made).toBe(2);
    // Nobody waits longer than this for the new one; time passes while it is made.
    const late = Promise.withResolvers<string>();
    void waiting.then(late.resolve);
    kept.change();
    gates[1]!.resolve('second');
    await idle();
    expect(await late.promise).toBe('second');
    gates[2]!.resolve('third');
    await advance(250);
    expect(await kept.get()).toBe('third');
    expect(made).toBe(3);
  });

  it('is answered as it was to who has waited long enough', async () => {
    const gate = Promise.withResolvers<string>();
    let made = 0;
    const timers = new SteppedTimers();
    const kept = new StaleWhileRevalidate(new Scope('test', timers), 'making', () =>
      made++ === 0 ? Promise.resolve('first') : gate.promise,
    );
    expect(await kept.get()).toBe('first');
    kept.change();
    await timers.advance(250);
    const waiting = kept.get();
    await timers.advance(15);
    expect(await waiting).toBe('first');
    gate.resolve('second');
    await timers.advance(0);
    expect(await kept.get()).toBe('second');
  });

  it('is not older than five seconds, however long making it takes', async () => {
    const gate = Promise.withResolvers<string>();
    let made = 0;
    const timers = new SteppedTimers();
    const kept = new StaleWhileRevalidate(new Scope('test', timers), 'making', () =>
      made++ === 0 ? Promise.resolve('first') : gate.promise,
    );
    await kept.get();
    kept.change();
    await timers.advance(5_000);
    const waiting = kept.get();
    await timers.advance(60_000);
    gate.resolve('second');
    expect(await waiting).toBe('second');
  });

  it('stays when making it again fails, which is tried again', async () => {
    let fails = false;
    let made = 0;
    const { kept, advance } = keeping(async () => {
      if (fails) throw new Error('away');
      return ++made;
    });
    await kept.get();
    fails = true;
    kept.change();
    await advance(250);
    expect(await kept.get()).toBe(1);
    fails = false;
    expect(await kept.get()).toBe(2);
  });

  it('passes a failure on where there is nothing to answer instead', async () => {
    const { kept } = keeping(() => Promise.reject(new Error('away')));
    await expect(kept.get()).rejects.toThrow('away');
  });
});
