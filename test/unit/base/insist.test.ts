import { describe, expect, it } from 'vitest';
import { insist } from '../../../src/base/insist.ts';
import { SteppedTimers } from '../../../src/base/timers.ts';

describe('insisting', () => {
  it('waits twice as long after each failure, up to the longest pause', async () => {
    const timers = new SteppedTimers();
    const at: number[] = [];
    const done = insist(
      async () => {
        at.push(timers.monotonic());
        if (at.length < 6) throw new Error('not yet');
        return 'done';
      },
      { firstMs: 100, maxMs: 500, signal: new AbortController().signal, timers },
    );
    await timers.advance(10_000);
    expect(await done).toBe('done');
    expect(at).toEqual([0, 100, 300, 700, 1_200, 1_700]);
  });

  it('ends with the reason of its signal, in the middle of a pause too', async () => {
    const timers = new SteppedTimers();
    const caller = new AbortController();
    let tries = 0;
    const failing = insist(
      async () => {
        tries++;
        throw new Error('never');
      },
      { firstMs: 100, maxMs: 100, signal: caller.signal, timers },
    );
    await timers.advance(250);
    caller.abort(new Error('the caller has gone'));
    await expect(failing).rejects.toThrow('the caller has gone');
    await timers.advance(1_000);
    expect(tries).toBe(3);
  });

  it('ends with what the failure’s hearer throws', async () => {
    const failing = insist(() => Promise.reject(new Error('broken')), {
      firstMs: 100,
      maxMs: 100,
      signal: new AbortController().signal,
      timers: new SteppedTimers(),
      onFailure(error) {
        throw error;
      },
    });
    await expect(failing).rejects.toThrow('broken');
  });
});
