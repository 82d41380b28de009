import { describe, expect, it } from 'vitest';
import { type Answer, AnswerCache } from '../../../src/api/context/answer-cache.ts';

const answer = (text: string): Answer => ({ body: Buffer.from(text), etag: `"${text}"` });
const FOREVER = Number.POSITIVE_INFINITY;

describe('the cache of answers', () => {
  it('keeps what fits, and evicts the least recently used', () => {
    const cache = new AnswerCache(3 * (512 + 100));
    const body = 'x'.repeat(100);
    for (const key of ['a', 'b', 'c']) cache.put(key, key, answer(body), FOREVER, cache.keptUntil(key));
    cache.get('a', 0);
    cache.put('d', 'd', answer(body), FOREVER, cache.keptUntil('d'));
    expect(['a', 'b', 'c', 'd'].map((key) => cache.get(key, 0) !== null)).toEqual([true, false, true, true]);
    expect(cache.bytes).toBe(3 * (512 + 100));
  });

  it('counts a compressed copy once for all keys of its answer, and lets it go with the last of them', () => {
    const cache = new AnswerCache(1e6);
    const one = answer('one');
    const copy = Buffer.from('copy');
    const entryBytes = 512 + one.body.length;
    cache.put('a', 'SPY', one, FOREVER, cache.keptUntil('SPY'));
    cache.put('b', 'SPY', one, FOREVER, cache.keptUntil('SPY'));
    cache.keepCopy(one.body, 'br', copy);
    cache.keepCopy(one.body, 'br', Buffer.from('made twice'));
    expect([cache.copyOf(one.body, 'br'), cache.copyOf(one.body, 'gzip')]).toEqual([copy, undefined]);
    expect(cache.bytes).toBe(2 * entryBytes + copy.length);
    cache.put('a', 'SPY', answer('two'), FOREVER, cache.keptUntil('SPY'));
    expect(cache.copyOf(one.body, 'br')).toBe(copy);
    cache.put('b', 'SPY', answer('two'), FOREVER, cache.keptUntil('SPY'));
    expect([cache.copyOf(one.body, 'br'), cache.bytes]).toEqual([undefined, 2 * entryBytes]);
    cache.keepCopy(one.body, 'br', copy);
    expect(cache.bytes).toBe(2 * entryBytes);
  });

  it('makes room for compressed copies', () => {
    const cache = new AnswerCache(2 * (512 + 3) + 10);
    const [one, two] = [answer('one'), answer('two')];
    cache.put('a', 'SPY', one, FOREVER, cache.keptUntil('SPY'));
    cache.put('b', 'SPY', two, FOREVER, cache.keptUntil('SPY'));
    cache.keepCopy(two.body, 'br', Buffer.alloc(11));
    expect([cache.get('a', 0), cache.get('b', 0)?.etag]).toEqual([null, '"two"']);
  });

  it('forgets the answers about a symbol, and no others', () => {
    const cache = new AnswerCache(1e6);
    cache.put('SPY', 'SPY', answer('1'), FOREVER, cache.keptUntil('SPY'));
    cache.put('SPY|levels', 'SPY', answer('2'), FOREVER, cache.keptUntil('SPY'));
    cache.put('IBM', 'IBM', answer('3'), FOREVER, cache.keptUntil('IBM'));
    cache.forget(['SPY']);
    expect(['SPY', 'SPY|levels', 'IBM'].map((key) => cache.get(key, 0)?.etag)).toEqual([
      undefined,
      undefined,
      '"3"',
    ]);
    cache.forget(null);
    expect(cache.bytes).toBe(0);
  });

  it.each([[['SPY', 'IBM']], [null]])(
    'of facts of some dates forgets what depends on them: %s',
    (symbols) => {
      const cache = new AnswerCache(1e6);
      const put = (key: string, ...date: string[]): void => {
        const dependsOn = (dates: readonly string[]): boolean => date.some((each) => dates.includes(each));
        cache.put(key, 'SPY', answer(key), FOREVER, cache.keptUntil('SPY'), dependsOn);
      };
      put('friday', '2024-06-21');
      put('thursday', '2024-06-20');
      cache.put('whole', 'SPY', answer('whole'), FOREVER, cache.keptUntil('SPY'));
      const isCurrent = cache.keptUntil('SPY');
      cache.forget(symbols, ['2024-06-19', '2024-06-20']);
      expect(['friday', 'thursday', 'whole'].map((key) => cache.get(key, 0) !== null)).toEqual([
        true,
        false,
        false,
      ]);
      cache.put('thursday', 'SPY', answer('old'), FOREVER, isCurrent);
      expect(cache.get('thursday', 0)).toBeNull();
    },
  );

  it('does not keep an answer whose making began before a change of its symbol', () => {
    const cache = new AnswerCache(1e6);
    const [spy, ibm] = [cache.keptUntil('SPY'), cache.keptUntil('IBM')];
    cache.forget(['SPY']);
    cache.put('SPY', 'SPY', answer('old'), FOREVER, spy);
    cache.put('IBM', 'IBM', answer('good'), FOREVER, ibm);
    expect([cache.get('SPY', 0), cache.get('IBM', 0)?.etag]).toEqual([null, '"good"']);
  });

  it('expires', () => {
    const cache = new AnswerCache(1e6);
    cache.put('SPY', 'SPY', answer('1'), 100, cache.keptUntil('SPY'));
    expect([cache.get('SPY', 99) !== null, cache.get('SPY', 100)]).toEqual([true, null]);
  });

  it('forgets what it was told of a future when the clock goes back, not when it is set a little', () => {
    const cache = new AnswerCache(1e6);
    expect(cache.get('SPY', 10_000)).toBeNull();
    cache.put('SPY', 'SPY', answer('1'), 15_000, cache.keptUntil('SPY'));
    expect(cache.get('SPY', 9_000)?.etag).toBe('"1"');
    expect(cache.get('SPY', 8_999)).toBeNull();
    cache.put('SPY', 'SPY', answer('2'), 15_000, cache.keptUntil('SPY'));
    expect(cache.get('SPY', 8_999)?.etag).toBe('"2"');
  });

  it('makes one answer for callers who ask the same at once, and another after a change', async () => {
    const cache = new AnswerCache(1e6);
    let made = 0;
    const make = async (): Promise<Answer> => {
      made++;
      await Promise.resolve();
      return answer(String(made));
    };
    const first = [cache.share('SPY', 'SPY', make), cache.share('SPY', 'SPY', make)];
    cache.forget(['SPY']);
    const later = cache.share('SPY', 'SPY', make);
    expect((await Promise.all(first)).length).toBe(2);
    await later;
    expect(made).toBe(2);
    await cache.share('SPY', 'SPY', make);
    expect(made).toBe(3);
  });
});
