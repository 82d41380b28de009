import { describe, expect, it } from 'vitest';
import { asOfInstant, tradeDateHolding, wholeMinute } from '../../../src/base/as-of.ts';
import { newYorkCalendar } from '../../../src/base/calendar.ts';
import { fixedClock, replayClock, steppingClock, systemClock } from '../../../src/base/clock.ts';
import { SteppedTimers } from '../../../src/base/timers.ts';

const NOON = Date.parse('2024-03-05T17:00:00Z');

/** Whether a promise is kept by the event loop's next turn. */
const isKept = (promise: Promise<void>): Promise<boolean> =>
  Promise.race([promise.then(() => true), new Promise<boolean>((resolve) => setImmediate(resolve, false))]);

describe('clocks', () => {
  it('a stepping clock is at once where it is waited for, and never goes back', async () => {
    const clock = steppingClock(NOON);
    await clock.until(NOON + 60_000);
    await clock.until(NOON);
    expect(clock.now()).toBe(NOON + 60_000);
  });

  it('a replayed clock starts at its instant and runs as many times as fast', async () => {
    const timers = new SteppedTimers();
    const clock = replayClock({ from: NOON, speed: 60_000, timers });
    expect(clock.now()).toBe(NOON);
    // Ten replayed minutes are ten milliseconds.
    const reached = clock.until(NOON + 600_000);
    await timers.advance(9);
    expect(await isKept(reached)).toBe(false);
    await timers.advance(1);
    await reached;
    expect(clock.now()).toBe(NOON + 600_000);
  });

  it('a fixed clock never reaches a later instant, until nobody waits any more', async () => {
    const clock = fixedClock(NOON);
    expect(await isKept(clock.until(NOON))).toBe(true);
    const left = new AbortController();
    const waiting = clock.until(NOON + 1, left.signal);
    expect(await isKept(waiting)).toBe(false);
    left.abort();
    await waiting;
    expect(await isKept(clock.until(NOON + 1, left.signal))).toBe(true);
  });

  it.each([
    ['the machine’s', () => systemClock],
    ['a replayed', () => replayClock({ from: NOON, speed: 1 })],
  ])('%s clock stops waiting when the signal aborts', async (_name, make) => {
    const clock = make();
    const left = new AbortController();
    const waiting = clock.until(clock.now() + 3_600_000, left.signal);
    expect(await isKept(waiting)).toBe(false);
    left.abort();
    await waiting;
    expect(await isKept(clock.until(clock.now() - 1))).toBe(true);
  });
});

describe('the as-of instant of a running session', () => {
  const session = newYorkCalendar().session('2024-03-05')!;

  it.each([
    ['on the minute', 0, 0],
    ['just before the next', 59_999, 0],
    ['on the next', 60_000, 60_000],
  ])('%s', (_name, past, expected) => {
    expect(wholeMinute(NOON + past)).toBe(NOON + expected);
    expect(asOfInstant(session, NOON + past)).toBe(NOON + expected);
    expect(asOfInstant(session, NOON + past - 900_000)).toBe(NOON + expected - 900_000);
  });

  it('does not begin before the pre-market, and ends with the pre-market of the next session', () => {
    expect(asOfInstant(session, session.preOpen - 1)).toBeNull();
    expect(asOfInstant(session, session.preOpen)).toBe(session.preOpen);
    expect(asOfInstant(session, session.postClose + 59_999)).toBe(session.postClose);
    expect(asOfInstant(session, session.end + 59_999)).toBe(session.end);
  });

  it.each([
    ['in the pre-market', '2026-11-27T09:00:01Z', '2026-11-27'],
    ['in the evening after an early close', '2026-11-27T22:46:00Z', '2026-11-27'],
    ['on the weekend', '2026-11-29T15:00:00Z', '2026-11-27'],
    ['when the next pre-market begins', '2026-11-30T09:00:00Z', '2026-11-27'],
    ['a moment later', '2026-11-30T09:00:00.001Z', '2026-11-30'],
    ['at night', '2026-11-27T08:59:00Z', '2026-11-25'],
  ])('news %s belongs to the trade date', (_when, instant, tradeDate) => {
    expect(tradeDateHolding(newYorkCalendar(), Date.parse(instant))).toBe(tradeDate);
  });
});
