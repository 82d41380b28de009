import { describe, expect, it, vi } from 'vitest';
import type { ChainRequest, WorkOptions } from '../../../src/derive/deriver.ts';
import type { SymbolTape } from '../../../src/tape/index.ts';
import type { DeriveThreadData } from '../../../src/workers/derive-worker.ts';
import { createDeriver } from '../../../src/workers/deriver.ts';
import type { OpenPool } from '../../../src/workers/pool.ts';

/** A deriver whose tasks end one by one when the test says so. */
function heldDeriver(threads = 1) {
  const begun: string[] = [];
  let end = Promise.withResolvers<void>();
  let nowMs = 0;
  const levels: Record<string, string> = {};
  const openPool: OpenPool = (_worker, { data }) => ({
    async run(task) {
      const name = (task as unknown as ChainRequest).tradeDate;
      begun.push(name);
      levels[name] = (data as DeriveThreadData).level;
      await end.promise;
      nowMs += name.startsWith('year') ? 120 : 10;
      return undefined as never;
    },
    async close() {},
  });
  const deriver = createDeriver({ segments: {} as never, calendarPath: null, shelf: '' }, threads, openPool, {
    now: () => nowMs,
  });
  const asked: Promise<unknown>[] = [];
  return {
    begun,
    levels,
    noteCaller: deriver.noteCaller,
    reading: deriver.reading,
    /** Asks for work by its name. */
    ask(name: string, options: WorkOptions = {}): Promise<unknown> {
      const request = { tape: {} as SymbolTape, tradeDate: name, asOf: 0, chainAt: 0 };
      const answer = deriver.chain({ ...request, question: { kind: 'exposure' } }, options);
      asked.push(answer.catch(() => {}));
      return answer;
    },
    /** Lets everything end, one after the other. */
    async finish(): Promise<void> {
      end.resolve();
      await Promise.all(asked);
      end = Promise.withResolvers();
    },
  };
}

const SIGNAL = new AbortController().signal;
const CALLER = { signal: SIGNAL };
const BULK = { signal: SIGNAL, isBulk: true };

describe('derivation threads', () => {
  it('serve callers before bulk work', async () => {
    const { begun, ask, finish } = heldDeriver();
    void ask('running', BULK);
    for (const name of ['year 1', 'year 2', 'year 3']) void ask(name, BULK);
    void ask('stock', CALLER);
    await finish();
    expect(begun).toEqual(['running', 'stock', 'year 1', 'year 2', 'year 3']);
  });

  it('give bulk work a share of their time however many callers wait', async () => {
    const { begun, ask, finish } = heldDeriver();
    void ask('running', CALLER);
    for (const year of [1, 2]) void ask(`year ${year}`, BULK);
    for (let stock = 0; stock < 48; stock++) void ask(`stock ${stock}`, CALLER);
    await finish();
    // A turn is a third of what 31 stocks take.
    expect(begun.indexOf('year 1')).toBe(31);
    expect(begun.slice(-1)).toEqual(['year 2']);
  });

  it('refuse bulk work that is too much and go on to take what callers ask for', async () => {
    const { ask, finish } = heldDeriver();
    const years = Array.from({ length: 60 }, (_, at) => ask(`year ${at}`, BULK));
    const stock = ask('stock', CALLER);
    await finish();
    const refused = (await Promise.allSettled(years)).filter(({ status }) => status === 'rejected');
    // One runs and 48 wait.
    expect(refused).toHaveLength(11);
    await expect(years.at(-1)).rejects.toMatchObject({ code: 'overloaded' });
    await stock;
  });

  it('are others for passes than for callers, and of a lower priority', async () => {
    const { begun, levels, ask, finish } = heldDeriver(2);
    for (const name of ['pass 1', 'pass 2', 'pass 3']) void ask(name);
    for (const name of ['stock 1', 'stock 2']) void ask(name, CALLER);
    void ask('year', BULK);
    expect(begun).toEqual(['pass 1', 'pass 2', 'stock 1', 'stock 2']);
    await finish();
    expect(begun.slice(4)).toEqual(['pass 3', 'year']);
    expect(levels).toEqual({
      'pass 1': 'behind_derivations',
      'pass 2': 'behind_derivations',
      'pass 3': 'behind_derivations',
      'stock 1': 'behind_answers',
      'stock 2': 'behind_answers',
      year: 'behind_answers',
    });
  });

  it('keep a place for a caller who reads what he comes with, and read nothing for whom they would refuse', async () => {
    const { ask, finish, reading } = heldDeriver();
    void ask('running', CALLER);
    for (let stock = 0; stock < 47; stock++) void ask(`stock ${stock}`, CALLER);
    const read = Promise.withResolvers<void>();
    const place = reading(() => read.promise);
    const refused = vi.fn();
    await expect(reading(refused)).rejects.toMatchObject({ code: 'overloaded' });
    read.resolve();
    await place;
    const last = ask('last', CALLER);
    await expect(reading(refused)).rejects.toMatchObject({ code: 'overloaded' });
    expect(refused).not.toHaveBeenCalled();
    await finish();
    await last;
    await expect(reading(() => Promise.reject(new Error('torn')))).rejects.toThrow('torn');
    await reading(async () => {});
  });

  it('leave a processor to whoever is answered from what is stored, and to whom he brings', async () => {
    const { begun, ask, finish, noteCaller } = heldDeriver(2);
    noteCaller();
    // The last takes longer than callers stay.
    for (const name of ['pass 1', 'pass 2', 'year-long pass']) void ask(name);
    expect(begun).toEqual(['pass 1']);
    await finish();
    expect(begun).toEqual(['pass 1', 'pass 2', 'year-long pass']);
    for (const name of ['pass 3', 'pass 4']) void ask(name);
    expect(begun.slice(3)).toEqual(['pass 3', 'pass 4']);
    await finish();
  });

  it('drop what its caller has left before its turn', async () => {
    const { begun, ask, finish } = heldDeriver();
    const caller = new AbortController();
    void ask('running', CALLER);
    const left = ask('left', { signal: caller.signal });
    caller.abort();
    await expect(left).rejects.toBe(caller.signal.reason);
    await finish();
    expect(begun).toEqual(['running']);
  });
});
