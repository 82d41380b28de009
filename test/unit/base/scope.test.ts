import { describe, expect, it } from 'vitest';
import { Scope } from '../../../src/base/scope.ts';
import { nextTurn, SteppedTimers } from '../../../src/base/timers.ts';

/** Whether a promise is kept within a few turns of the event loop. */
async function isKept(promise: Promise<unknown>): Promise<boolean> {
  let kept = false;
  void promise.then(() => {
    kept = true;
  });
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
  return kept;
}

describe('a scope', () => {
  it('is idle when what it runs, and what that has started, has ended', async () => {
    const scope = new Scope('app');
    const first = Promise.withResolvers<void>();
    const second = Promise.withResolvers<void>();
    void scope.run('first', async () => {
      await first.promise;
      void scope.child('part').run('second', () => second.promise);
    });
    const idle = scope.idle();
    expect(scope.running()).toEqual(['first']);
    first.resolve();
    expect(await isKept(idle)).toBe(false);
    expect(scope.running()).toEqual(['part: second']);
    second.resolve();
    expect(await isKept(idle)).toBe(true);
    expect(scope.running()).toEqual([]);
  });

  it('is idle while its tasks wait for time or for others', async () => {
    const scope = new Scope('app');
    const message = Promise.withResolvers<string>();
    const work = Promise.withResolvers<void>();
    const done = scope.run('lane', async ({ waits }) => {
      const text = await waits(message.promise);
      await work.promise;
      return text;
    });
    expect(await isKept(scope.idle())).toBe(true);
    message.resolve('work');
    const idle = scope.idle();
    expect(await isKept(idle)).toBe(false);
    work.resolve();
    await idle;
    expect(await done).toBe('work');
  });

  it('gives whoever awaits a task its result or its failure', async () => {
    const scope = new Scope('app');
    expect(await scope.run('sum', async () => 3)).toBe(3);
    await expect(
      scope.run('broken', async () => {
        throw new Error('no such file');
      }),
    ).rejects.toThrow('no such file');
    await scope.idle();
  });

  it('aborts what runs when it closes, waits for it, and takes nothing more', async () => {
    const scope = new Scope('app');
    const ended: string[] = [];
    const untilAborted = (name: string) => (task: { readonly signal: AbortSignal }) =>
      new Promise<void>((resolve) => {
        task.signal.addEventListener('abort', () => {
          ended.push(name);
          resolve();
        });
      });
    void scope.run('one', untilAborted('one'));
    void scope.child('part').run('two', untilAborted('two'));
    await scope.close();
    expect(ended.sort()).toEqual(['one', 'two']);
    await expect(scope.run('three', async () => {})).rejects.toMatchObject({ code: 'shutting_down' });
    await expect(scope.child('late').run('four', async () => {})).rejects.toMatchObject({
      code: 'shutting_down',
    });
  });

  it('names what goes on after the deadline, and is not held by it', async () => {
    const scope = new Scope('app');
    const never = Promise.withResolvers<void>();
    void scope.child('peers').run('measuring 2024-03-05', () => never.promise);
    void scope.run('ends', async () => {});
    await expect(scope.close(5)).rejects.toThrow(
      'app: still running 0.005 s after the end: peers: measuring 2024-03-05',
    );
  });

  it('lets a part close alone', async () => {
    const scope = new Scope('app');
    const part = scope.child('part');
    await part.close();
    expect(part.signal.aborted).toBe(true);
    expect(scope.signal.aborted).toBe(false);
    await scope.close();
  });

  it('runs work later and at intervals, by its timers alone, until it closes', async () => {
    const timers = new SteppedTimers();
    const scope = new Scope('app', timers);
    const seen: string[] = [];
    const note = (name: string) => async () => {
      seen.push(`${name} ${timers.monotonic()}`);
    };
    scope.every(1_000, 'beat', note('beat'));
    scope.after(1_500, 'once', note('once'));
    const callOff = scope.after(2_500, 'called off', note('called off'));
    await timers.advance(2_000);
    callOff();
    await timers.advance(1_000);
    expect(seen).toEqual(['beat 1000', 'once 1500', 'beat 2000', 'beat 3000']);
    await scope.close();
    await timers.advance(10_000);
    expect(seen).toHaveLength(4);
  });

  it('leaves out a beat while the last one goes on', async () => {
    const timers = new SteppedTimers();
    const scope = new Scope('app', timers);
    let beats = 0;
    const slow = Promise.withResolvers<void>();
    scope.every(1_000, 'beat', () => {
      beats++;
      return slow.promise;
    });
    await timers.advance(5_000);
    expect(beats).toBe(1);
    slow.resolve();
    await scope.idle();
    await timers.advance(2_000);
    expect(beats).toBe(3);
    await scope.close();
  });
});

describe('stepped time', () => {
  it('calls what is due in order, and what that asks for meanwhile', async () => {
    const timers = new SteppedTimers(1_000_000);
    const seen: [string, number][] = [];
    timers.after(300, () => seen.push(['c', timers.now()]));
    timers.after(100, () => {
      seen.push(['a', timers.now()]);
      timers.after(100, () => seen.push(['b', timers.now()]));
    });
    timers.after(300, () => seen.push(['d', timers.now()]));
    timers.after(301, () => seen.push(['late', timers.now()]));
    await timers.advance(300);
    expect(seen).toEqual([
      ['a', 1_000_100],
      ['b', 1_000_200],
      ['c', 1_000_300],
      ['d', 1_000_300],
    ]);
    expect(timers.now()).toBe(1_000_300);
  });

  it('repeats at its own interval what asks for a shorter one', async () => {
    const timers = new SteppedTimers(0, 8_000);
    const seen: string[] = [];
    const note = (name: string) => () => void seen.push(`${name} ${timers.now()}`);
    timers.every(2_000, note('short'));
    timers.every(10_000, note('long'));
    timers.after(1_000, note('once'));
    await timers.advance(17_000);
    expect(seen).toEqual(['once 1000', 'short 8000', 'long 10000', 'short 16000']);
  });

  it('waits for what a callback has begun before the next', async () => {
    const timers = new SteppedTimers();
    const scope = new Scope('app', timers);
    const seen: string[] = [];
    scope.after(1, 'first', async () => {
      for (let turn = 0; turn < 5; turn++) await nextTurn();
      seen.push('first');
    });
    scope.after(2, 'second', async () => {
      seen.push('second');
    });
    await timers.advance(2, () => scope.idle());
    expect(seen).toEqual(['first', 'second']);
    await scope.close();
  });
});
