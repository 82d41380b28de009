import { describe, expect, it } from 'vitest';
import { readGraphSearch } from '../../../explorer/src/graph/graph-search.ts';
import {
  atMinute,
  minuteOf,
  minuteOfDay,
  readClock,
  readInstant,
  wordsOf,
} from '../../../explorer/src/shared/instant.ts';

describe('an instant', () => {
  it.each([
    ['2025-03-07', '2025-03-07T14:30:00Z', 'Fri, Mar 7, 2025, 09:30 ET'],
    ['2025-03-10', '2025-03-10T13:30:00Z', 'Mon, Mar 10, 2025, 09:30 ET'],
    ['2025-11-03', '2025-11-03T14:30:00Z', 'Mon, Nov 3, 2025, 09:30 ET'],
  ])('is the half past nine of %s in New York, summer and winter', (date, as_of, words) => {
    const instant = atMinute(date, 9 * 60 + 30);
    expect(minuteOf(instant)).toBe(as_of);
    expect(minuteOfDay(instant)).toBe(570);
    expect(wordsOf(instant)).toBe(words);
  });

  it.each([
    'yesterday',
    '2025-03-10',
    '2025-13-10T14:30:00Z',
    '2025-03-10T14:30',
    '1700-01-01T00:00:00Z',
    '2100-01-01T00:00:00Z',
    5,
    null,
    undefined,
  ])('is not %j', (value) => {
    expect(readInstant(value)).toBeUndefined();
    expect(readGraphSearch({ as_of: value })).toEqual({});
  });

  it.each([
    ['10:17', 617],
    ['1017', 617],
    [' 9.31 ET', 571],
    ['3:05 pm', 905],
    ['12:00 am', 0],
    ['12:01PM', 721],
    ['20:00', 1200],
    ['24:00', null],
    ['10:60', null],
    ['13:00 pm', null],
    ['10', null],
    ['noon', null],
    ['', null],
  ])('has the minute that %j names', (text, minute) => expect(readClock(text)).toBe(minute));

  it('may have any zone', () => expect(readInstant('2025-03-10T09:30-04:00')).toBe('2025-03-10T09:30-04:00'));
});
