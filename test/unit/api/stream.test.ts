import { setImmediate as breathe } from 'node:timers/promises';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { History } from '../../../src/api/stream/channel.ts';
import { changedFields, topLevelFields } from '../../../src/api/stream/fields.ts';
import { RefreshQueue } from '../../../src/api/stream/refresh-queue.ts';
import { Scope } from '../../../src/base/scope.ts';

/** What streams are made of, each part for itself. */

describe('fields of an answer', () => {
  const value = fc.oneof(
    fc.jsonValue(),
    fc.string(),
    fc.constantFrom('"', '\\', '\\"', '}', '[,]', '":"', '\n', '\\\\', ',"a":1'),
  );
  const name = fc.stringMatching(/^[a-z][a-z0-9_]{0,20}$/);

  it('are those that a parser finds, each as its own text', () => {
    fc.assert(
      fc.property(fc.dictionary(name, value), (answer) => {
        const fields = topLevelFields(JSON.stringify(answer).slice(1, -1));
        const parsed = Object.fromEntries(Array.from(fields, ([key, text]) => [key, JSON.parse(text)]));
        expect(JSON.stringify(parsed)).toBe(JSON.stringify(answer));
        for (const [key, text] of fields) expect(text).toBe(JSON.stringify(answer[key]));
      }),
    );
  });

  it('that changed, laid over the ones before, are the ones after', () => {
    const names = ['a', 'b', 'c', 'd'];
    const answers = fc
      .tuple(...names.map(() => value))
      .map((values) => Object.fromEntries(names.map((key, place) => [key, values[place]])));
    fc.assert(
      fc.property(answers, answers, fc.subarray(names), (before, other, kept) => {
        const after = { ...other, ...Object.fromEntries(kept.map((key) => [key, before[key]])) };
        const [one, two] = [before, after].map((answer) =>
          topLevelFields(JSON.stringify(answer).slice(1, -1)),
        );
        const changed = JSON.parse(`{${changedFields(one!, two!)}}`);
        expect(JSON.stringify({ ...before, ...changed })).toBe(JSON.stringify(after));
        for (const key of kept) expect(changed).not.toHaveProperty(key);
      }),
    );
  });

  it('of nothing are none', () => expect(topLevelFields('')).toEqual(new Map()));
});

describe('a history', () => {
  const sent = (seq: number, bytes: number) => ({ seq, frame: Buffer.alloc(bytes) });
  const numbers = (history: History, after: number) => history.after(after)?.map(({ seq }) => seq) ?? null;

  it('knows all that came after a number, and of none from before it began', () => {
    const history = new History(5);
    for (const seq of [6, 9, 10]) history.push(sent(seq, 10), 10_000);
    expect(numbers(history, 5)).toEqual([6, 9, 10]);
    expect(numbers(history, 6)).toEqual([9, 10]);
    expect(numbers(history, 7)).toEqual([9, 10]);
    expect(numbers(history, 10)).toEqual([]);
    expect(numbers(history, 4)).toBeNull();
  });

  it('forgets the oldest first, and says so', () => {
    const history = new History(0);
    // Each entry counts 64 bytes beside its own.
    for (const seq of [1, 2, 3]) history.push(sent(seq, 36), 200);
    expect(history.bytes).toBe(200);
    expect(numbers(history, 0)).toBeNull();
    expect(numbers(history, 1)).toEqual([2, 3]);
    history.push(sent(4, 1_000), 200);
    expect([history.bytes, numbers(history, 3), numbers(history, 4)]).toEqual([0, null, []]);
  });
});

describe('a refresh queue', () => {
  /** Refreshes that end when the test says so. */
  function slowRefreshes(refreshesAtOnce: number, batchMax = 1) {
    const begun: string[] = [];
    const ends = new Map<string, () => void>();
    const scope = new Scope('refreshes');
    const queue = new RefreshQueue<string>(scope, { refreshesAtOnce, batchMax }, (things) => {
      begun.push(things.join('+'));
      return new Promise((resolve) => ends.set(things.join('+'), resolve));
    });
    return { queue, begun, end: (things: string) => ends.get(things)!(), idle: () => scope.idle() };
  }

  it('runs so many refreshes at a time, and of each item one however often it is added', async () => {
    const { queue, begun, end, idle } = slowRefreshes(2);
    for (const thing of ['a', 'b', 'c', 'c', 'c']) queue.add(thing);
    await breathe();
    expect(begun).toEqual(['a', 'b']);
    end('a');
    await breathe();
    expect(begun).toEqual(['a', 'b', 'c']);
    end('b');
    end('c');
    await idle();
    expect(begun).toEqual(['a', 'b', 'c']);
  });

  it('refreshes together what was added together', async () => {
    const { queue, begun, end } = slowRefreshes(1, 3);
    for (const thing of ['a', 'b', 'c', 'd']) queue.add(thing);
    await breathe();
    expect(begun).toEqual(['a+b+c']);
    queue.add('e');
    end('a+b+c');
    await breathe();
    expect(begun).toEqual(['a+b+c', 'd+e']);
  });

  it('refreshes an item again that was added meanwhile, and never twice at a time', async () => {
    const { queue, begun, end, idle } = slowRefreshes(8);
    queue.add('a');
    await breathe();
    queue.add('a');
    queue.add('a');
    await breathe();
    expect(begun).toEqual(['a']);
    end('a');
    await breathe();
    expect(begun).toEqual(['a', 'a']);
    end('a');
    await idle();
    expect(begun).toEqual(['a', 'a']);
  });

  it('is idle at once where it is empty, and else when the last refresh has ended', async () => {
    const { queue, end, idle } = slowRefreshes(1);
    await idle();
    queue.add('a');
    queue.add('b');
    await breathe();
    let settled = false;
    const settling = idle().then(() => {
      settled = true;
    });
    end('a');
    await breathe();
    expect(settled).toBe(false);
    end('b');
    await settling;
  });

  it('leaves out what is forgotten before its turn', async () => {
    const { queue, begun, end, idle } = slowRefreshes(1);
    queue.add('a');
    queue.add('b');
    queue.forget('b');
    await breathe();
    end('a');
    await idle();
    expect(begun).toEqual(['a']);
  });
});
