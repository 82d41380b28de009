import { describe, expect, it } from 'vitest';
import type { Bars } from '../../../explorer/src/shared/api/queries.ts';
import { isExtendedHour } from '../../../explorer/src/shared/chart/draw-shading.ts';
import { barTime } from '../../../explorer/src/shared/chart/wall-clock.ts';
import { barQueries, joined, upTo } from '../../../explorer/src/stock/use-bars.ts';

/** Bars at instants, whose close says which answer they came from. */
const barsAt = (close: number, ...time: string[]): Bars => {
  const all = (value: number): number[] => time.map(() => value);
  return {
    symbol: 'SPY',
    time,
    open: all(1),
    high: all(1),
    low: all(1),
    close: all(close),
    volume: all(1),
  } as unknown as Bars;
};

const EVENING = '2024-03-08T20:55:00Z';
const [FIRST, SECOND, THIRD] = ['2024-03-11T13:30:00Z', '2024-03-11T13:35:00Z', '2024-03-11T13:40:00Z'];

describe('what a chart asks for', () => {
  const at = (interval: '1m' | '5m' | '1d' | '1w', instant: string) =>
    barQueries('SPY', interval, instant, Date.parse(instant));

  it('is what was known before the session, and the session so far', () => {
    const { before, during } = at('5m', '2024-03-11T15:00:00Z');
    expect(JSON.stringify(before.queryKey)).toContain('2024-03-11T08:00');
    expect(JSON.stringify(during?.queryKey)).toContain('2024-03-11T15:00');
  });

  it('shares the first answer among all minutes of a session', () => {
    const keys = ['2024-03-11T14:00:00Z', '2024-03-11T19:59:00Z'].map((instant) =>
      JSON.stringify(at('1m', instant).before.queryKey),
    );
    expect(keys[0]).toBe(keys[1]);
  });

  it('is one answer for weeks, and before the session has begun', () => {
    expect(at('1w', '2024-03-11T15:00:00Z').during).toBeNull();
    expect(at('5m', '2024-03-11T07:59:00Z').during).toBeNull();
  });
});

describe('two answers', () => {
  it('say together which sessions closed early: what follows is after hours', () => {
    const halfDay = { ...barsAt(1, '2024-11-29T17:55:00Z'), early_closes: ['2024-11-29T18:00:00Z'] };
    const { earlyCloses } = joined(halfDay, barsAt(2, '2024-12-02T14:30:00Z'));
    const isExtended = (...instants: string[]) =>
      instants.map((instant) => isExtendedHour(barTime(instant), earlyCloses));
    expect(isExtended('2024-11-29T14:29:00Z', '2024-11-29T18:00:00Z', '2024-11-29T20:59:00Z')).toEqual(
      Array(3).fill(true),
    );
    expect(isExtended('2024-11-29T14:30:00Z', '2024-11-29T17:59:00Z', '2024-12-02T20:59:00Z')).toEqual(
      Array(3).fill(false),
    );
  });

  it('become one line of bars, in which the session replaces what overlaps', () => {
    const { starts, close } = joined(barsAt(1, EVENING, FIRST), barsAt(2, FIRST, SECOND));
    expect(starts).toEqual([EVENING, FIRST, SECOND]);
    expect(close).toEqual([1, 2, 2]);
  });

  it('are the first alone where the session has no bar', () => {
    expect(joined(barsAt(1, EVENING), undefined).starts).toEqual([EVENING]);
    expect(joined(barsAt(1, EVENING), barsAt(2)).starts).toEqual([EVENING]);
  });

  it('end before the time handle: a bar that begins at it is not known yet', () => {
    const whole = joined(barsAt(1, EVENING), barsAt(2, FIRST, SECOND, THIRD));
    expect(upTo(whole, Date.parse(SECOND)).starts).toEqual([EVENING, FIRST]);
    expect(upTo(whole, Date.parse(SECOND) + 1).starts).toEqual([EVENING, FIRST, SECOND]);
    expect(upTo(whole, Date.parse(THIRD) + 1)).toBe(whole);
  });
});
