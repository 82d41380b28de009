import { describe, expect, it } from 'vitest';
import { patterns } from '../../../src/blocks/patterns.ts';
import { derived } from '../../support/derived.ts';
import { type DailyRow, dailyFromCloses, sessionsBefore, TRADE_DATE, viewOf } from '../../support/views.ts';

/** Nineteen falling sessions and one that swallows the last of them whole: a bullish engulfing. */
function engulfing(): DailyRow[] {
  const dates = sessionsBefore(TRADE_DATE, 20);
  const falling = dates.slice(0, 19).map((date, at): DailyRow => {
    const open = 120 - at;
    return [date, open, open + 0.25, open - 1, open - 0.75, 1000];
  });
  return [...falling, [dates[19]!, 100.75, 102.75, 100.5, 102.5, 1000]];
}

const engulfingIn = (daily: readonly DailyRow[], at = '20:00') =>
  derived(patterns, viewOf({ at, daily })).nested!.find(({ type }) => type === 'bullish_engulfing');

describe('patterns', () => {
  it('dates a pattern by sessions and knows it from their closes', () => {
    expect(engulfingIn(engulfing(), '9:00')).toEqual({
      type: 'bullish_engulfing',
      family: 'candlestick',
      direction: 'bullish',
      timeframe: '1d',
      status: 'forming',
      pivots: [
        { date: '2024-03-12', price: 102.75, kind: 'high', confirmed_at: '2024-03-12T20:00:00.000Z' },
        { date: '2024-03-12', price: 100.5, kind: 'low', confirmed_at: '2024-03-12T20:00:00.000Z' },
      ],
      // Its far end; the target lies its height of 2.25 beyond.
      trigger: 102.75,
      trigger_line: { from_date: '2024-03-12', from_price: 102.75, to_date: '2024-03-12', to_price: 102.75 },
      counter_trigger: null,
      counter_line: null,
      target: 105,
      stop: 100.5,
      invalidation_price: 100.5,
      height: 2.25,
      first_seen_at: '2024-03-12T20:00:00.000Z',
      confirmed_at: null,
      failed_at: null,
      failure: null,
      target_reached_at: null,
      confidence: expect.any(Number),
    });
  });

  it('confirms at the close that breaks the trigger', () => {
    const confirmed = engulfingIn([...engulfing(), ['2024-03-13', 102.5, 106, 102, 104, 1000]]);
    expect(confirmed).toMatchObject({
      status: 'confirmed',
      confirmed_at: '2024-03-13T20:00:00.000Z',
      target_reached_at: '2024-03-13T20:00:00.000Z',
      failed_at: null,
    });
  });

  it('does not let a running session confirm, because its close may yet take it back', () => {
    const running = viewOf({
      at: '12:00',
      daily: engulfing(),
      intraday: [['9:30', 102.5, 106, 102, 104, 1000]],
    });
    const found = derived(patterns, running).nested!.find(({ type }) => type === 'bullish_engulfing');
    expect(found).toMatchObject({ status: 'forming', confirmed_at: null });
  });

  it('distinguishes no patterns from no history', () => {
    expect(derived(patterns, viewOf({ daily: dailyFromCloses([10]) })).nested).toEqual([]);
    expect(derived(patterns, viewOf()).nested).toBeNull();
  });
});
