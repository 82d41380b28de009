import { describe, expect, it } from 'vitest';
import { feedAge, spanOf } from '../../../explorer/src/shared/feed-words.ts';

type Feed = Parameters<typeof feedAge>[0];

const feed = (parts: Partial<Feed>): Feed => ({
  feed: 'alpaca-iex',
  state: 'live',
  behind_seconds: 3,
  says: null,
  ...parts,
});

describe('what is said of the feed beside a price', () => {
  it.each<[string, Partial<Feed>, number, ReturnType<typeof feedAge>]>([
    ['a row that came', {}, 0, { words: 'IEX, 3 s behind', isOld: false }],
    ['the seconds since the answer', {}, 4.4, { words: 'IEX, 7 s behind', isOld: false }],
    [
      'rows that stay away',
      { state: 'late', behind_seconds: 240 },
      0,
      { words: 'IEX, 4 min behind', isOld: true },
    ],
    [
      'an evening without trades',
      { state: 'quiet', behind_seconds: 900 },
      0,
      { words: 'IEX, 15 min behind', isOld: false },
    ],
    ['a cut', { state: 'disconnected' }, 0, { words: 'IEX disconnected, 3 s behind', isOld: true }],
    [
      'a process that has died',
      { state: 'silent' },
      0,
      { words: 'IEX not heard of, 3 s behind', isOld: true },
    ],
    ['no row so far', { behind_seconds: null }, 0, { words: 'IEX, no row yet', isOld: false }],
    [
      'a back-fill',
      { state: 'filling', says: 'back-fill of minute bars, 40 %' },
      0,
      { words: 'IEX: back-fill of minute bars, 40 %', isOld: false },
    ],
    ['a night', { state: 'waiting' }, 0, null],
    [
      'another vendor',
      { feed: 'massive-delayed' },
      0,
      { words: 'Massive, delayed, 3 s behind', isOld: false },
    ],
    ['a feed without a name', { feed: 'simulated' }, 0, { words: 'simulated, 3 s behind', isOld: false }],
  ])('is told of %s', (_, parts, sinceS, told) => expect(feedAge(feed(parts), sinceS)).toEqual(told));

  it.each([
    [119, '119 s'],
    [7_199, '120 min'],
    [15_000, '4 h 10 min'],
    [259_200, '3 d'],
  ])('says %i seconds as %s', (seconds, words) => expect(spanOf(seconds)).toBe(words));
});
