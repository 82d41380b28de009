import { describe, expect, it } from 'vitest';
import { callerLeft, forCaller, SharedWork } from '../../../src/base/caller.ts';
import { Scope } from '../../../src/base/scope.ts';

const newCallers = (count: number) => Array.from({ length: count }, () => new AbortController());
const join = <Value>(shared: SharedWork<Value>, { signal }: AbortController): Promise<Value> =>
  forCaller(signal, () => shared.join());

describe('shared work', () => {
  it('goes on for those who stay, and is abandoned when the last has left', async () => {
    const [first, second] = newCallers(2) as [AbortController, AbortController];
    let ended = false;
    const shared = new SharedWork((abandoned) => {
      abandoned.addEventListener('abort', () => {
        ended = true;
      });
      return new Promise<never>(() => {});
    });
    const [one, other] = [join(shared, first), join(shared, second)];
    first.abort();
    await expect(one).rejects.toBe(first.signal.reason);
    expect([ended, shared.isAbandoned]).toEqual([false, false]);
    second.abort();
    await expect(other).rejects.toBe(second.signal.reason);
    expect([ended, shared.isAbandoned]).toEqual([true, true]);
  });

  it('belongs to all its callers: what it shares in turn does not end with the first of them', async () => {
    const [first, second] = newCallers(2) as [AbortController, AbortController];
    const { promise, resolve } = Promise.withResolvers<string>();
    const inner = new SharedWork(() => promise);
    const outer = forCaller(first.signal, () => new SharedWork(() => inner.join()));
    const [one, other] = [join(outer, first), join(outer, second)];
    first.abort();
    await expect(one).rejects.toBe(first.signal.reason);
    resolve('made');
    expect(await other).toBe('made');
  });

  it('never ends early for the process itself', async () => {
    const [caller] = newCallers(1) as [AbortController];
    const { promise, resolve } = Promise.withResolvers<string>();
    const shared = new SharedWork(() => promise);
    const [own, called] = [shared.join(), join(shared, caller)];
    caller.abort();
    await expect(called).rejects.toBe(caller.signal.reason);
    resolve('made');
    expect([await own, shared.isAbandoned]).toEqual(['made', false]);
  });
});

describe('a task of a scope', () => {
  it('has no caller, whoever began it', async () => {
    const scope = new Scope('app');
    const [caller] = newCallers(1) as [AbortController];
    const seen = await forCaller(caller.signal, async () => [
      callerLeft(),
      await scope.run('task', async () => callerLeft()),
    ]);
    expect(seen).toEqual([caller.signal, undefined]);
    await scope.close();
  });
});
