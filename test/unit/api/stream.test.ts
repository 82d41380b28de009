import { setImmediate as breathe } from 'node:timers/promises';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { changedFields, topLevelFields } from '../../../src/api/stream/fields.ts';
import { History } from '../../../src/api/stream/history.ts';
import { RefreshQueue } from '../../../src/api/stream/refresh-queue.ts';

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
    const answers = fc.tuple(...names.map(() => value)).map((values) => {
      return Object.fromEntries(names.map((key, place) => [key, values[place]]));
    });
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

  it('of nothing are none', () => {
    expect(topLevelFields('')).toEqual(new Map());
  });
});

describe('a history', () => {
  const told = (seq: number, bytes: number) => ({ seq, frame: Buffer.alloc(bytes) });
  const numbers = (history: History, after: number) => history.after(after)?.map(({ seq }) => seq) ?? null;

  it('knows all that came after a number, and of none from before it began', () => {
    const history = new History(5);
    for (const seq of [6, 9, 10]) history.push(told(seq, 10), 10_000);
    expect(numbers(history, 5)).toEqual([6, 9, 10]);
    expect(numbers(history, 6)).toEqual([9, 10]);
    expect(numbers(history, 7)).toEqual([9, 10]);
    expect(numbers(history, 10)).toEqual([]);
    expect(numbers(history, 4)).toBeNull();
  });

  it('forgets the oldest first, and says so', () => {
    const history = new History(0);
    // Each entry counts 64 bytes beside its own.
    for (const seq of [1, 2, 3]) history.push(told(seq, 36), 200);
    expect(history.bytes).toBe(200);
    expect(numbers(history, 0)).toBeNull();
    expect(numbers(history, 1)).toEqual([2, 3]);
    history.push(told(4, 1_000), 200);
    expect([history.bytes, numbers(history, 3), numbers(history, 4)]).toEqual([0, null, []]);
  });
});

describe('looks', () => {
  /** Looks that end when the test says so. */
  function slowLooks(looksAtOnce: number, lookedAtTogether = 1) {
    const begun: string[] = [];
    const ends = new Map<string, () => void>();
    const looks = new RefreshQueue<string>({ looksAtOnce, lookedAtTogether }, (things) => {
      begun.push(things.join('+'));
      return new Promise((resolve) => ends.set(things.join('+'), resolve));
    });
    return { looks, begun, end: (things: string) => ends.get(things)!() };
  }

  it('are taken so many at a time, and at each thing once however often it is asked for', async () => {
    const { looks, begun, end } = slowLooks(2);
    for (const thing of ['a', 'b', 'c', 'c', 'c']) looks.ask(thing);
    await breathe();
    expect(begun).toEqual(['a', 'b']);
    end('a');
    await breathe();
    expect(begun).toEqual(['a', 'b', 'c']);
    end('b');
    end('c');
    await looks.settled();
    expect(begun).toEqual(['a', 'b', 'c']);
  });

  it('take in together what was asked for together', async () => {
    const { looks, begun, end } = slowLooks(1, 3);
    for (const thing of ['a', 'b', 'c', 'd']) looks.ask(thing);
    await breathe();
    expect(begun).toEqual(['a+b+c']);
    looks.ask('e');
    end('a+b+c');
    await breathe();
    expect(begun).toEqual(['a+b+c', 'd+e']);
  });

  it('are taken again when something was asked for meanwhile, and never two at one thing', async () => {
    const { looks, begun, end } = slowLooks(8);
    looks.ask('a');
    await breathe();
    looks.ask('a');
    looks.ask('a');
    await breathe();
    expect(begun).toEqual(['a']);
    end('a');
    await breathe();
    expect(begun).toEqual(['a', 'a']);
    end('a');
    await looks.settled();
    expect(begun).toEqual(['a', 'a']);
  });

  it('are settled at once where there are none, and else when the last has ended', async () => {
    const { looks, end } = slowLooks(1);
    await looks.settled();
    looks.ask('a');
    looks.ask('b');
    await breathe();
    let settled = false;
    const settling = looks.settled().then(() => {
      settled = true;
    });
    end('a');
    await breathe();
    expect(settled).toBe(false);
    end('b');
    await settling;
  });

  it('leave out what is forgotten before its turn', async () => {
    const { looks, begun, end } = slowLooks(1);
    looks.ask('a');
    looks.ask('b');
    looks.forget('b');
    await breathe();
    end('a');
    await looks.settled();
    expect(begun).toEqual(['a']);
  });
});
