import { describe, expect, it } from 'vitest';
import { nextTurn } from '../../../src/base/timers.ts';
import { HeardSequence } from '../../../src/database/subscriptions.ts';

/** Whether a promise is kept by the event loop's next turn. */
const isKept = (promise: Promise<void>): Promise<boolean> =>
  Promise.race([promise.then(() => true), nextTurn().then(() => false)]);

describe('what a process has heard', () => {
  it('is everything while it listens to nothing: there is nothing to act on', async () => {
    expect(await isKept(new HeardSequence().until(7))).toBe(true);
  });

  it('is all up to a number, in whatever order they arrive', async () => {
    const heard = new HeardSequence();
    heard.begin(3);
    const [fourth, sixth] = [heard.until(4), heard.until(6)];
    expect(await isKept(heard.until(3))).toBe(true);
    heard.note(6);
    heard.note(5);
    expect(await isKept(fourth)).toBe(false);
    heard.note(4);
    expect([await isKept(fourth), await isKept(sixth)]).toEqual([true, true]);
    expect(await isKept(heard.until(7))).toBe(false);
  });

  it('counts what arrived before it was known where the numbers begin', async () => {
    const heard = new HeardSequence();
    heard.note(5);
    heard.begin(4);
    expect(await isKept(heard.until(5))).toBe(true);
  });

  it('goes on from a later number after some were lost, and never back', async () => {
    const heard = new HeardSequence();
    heard.begin(1);
    const lost = heard.until(9);
    heard.note(4);
    heard.begin(9);
    expect(await isKept(lost)).toBe(true);
    heard.begin(2);
    expect(await isKept(heard.until(9))).toBe(true);
    heard.note(3);
    heard.note(10);
    expect(await isKept(heard.until(10))).toBe(true);
  });

  it('is no longer waited for once the signal aborts', async () => {
    const heard = new HeardSequence();
    heard.begin(0);
    const caller = new AbortController();
    const waiting = heard.until(1, caller.signal);
    caller.abort(new Error('gone'));
    await expect(waiting).rejects.toThrow('gone');
  });
});
