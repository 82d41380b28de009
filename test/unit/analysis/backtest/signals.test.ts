import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  confluenceZones,
  mirrored,
  priorDailyAtr,
  regularMinutes,
  type SessionColumns,
  sessionColumns,
} from '../../../../src/analysis/backtest/session-columns.ts';
import { returnsTo, SETUPS, signalSides } from '../../../../src/analysis/backtest/signals.ts';
import { SIGNAL_TYPES } from '../../../../src/analysis/backtest/spec.ts';
import type { PriceRange } from '../../../../src/analysis/sessions.ts';
import { prefix, mirrored as upsideDown } from '../../../support/bar-columns.ts';
import { mulberry32 } from '../../../support/daily-recipe.ts';
import { forAll } from '../../../support/for-all.ts';
import { numbers } from '../../../support/tables.ts';
import { barsFrom, closesFrom, DAY, type Row, summerSession } from '../made-up-days.ts';
import { FIRST_DAY, randomMinutes, randomSessions } from './made-up-market.ts';

const session = summerSession(FIRST_DAY);
const { open } = session;

/** A session of closes, one a minute, each bar from the close before; the daily ATR is 10 dollars. */
function dayOf(closes: readonly number[], zones: readonly PriceRange[] = []): SessionColumns {
  return sessionColumns(closesFrom(open, closes), open, 10, zones);
}

/** The same with a lower low of one bar, the last unless it is named. */
function dipped(
  closes: readonly number[],
  to: number,
  bar = closes.length - 1,
  zones: readonly PriceRange[] = [],
) {
  const bars = closesFrom(open, closes);
  return sessionColumns({ ...bars, low: bars.low.with(bar, to) }, open, 10, zones);
}

/** From one price to the next in even steps, the last of them reached. */
function path(...legs: readonly (readonly [to: number, bars: number])[]): number[] {
  const closes = [legs[0]![0]];
  for (const [to, bars] of legs.slice(1)) {
    const from = closes.at(-1)!;
    for (let bar = 1; bar <= bars; bar++) closes.push(from + ((to - from) * bar) / bars);
  }
  return closes;
}

const firing = (setups: ArrayLike<number>): number[] =>
  Array.from(setups).flatMap((fires, bar) => (fires === 0 ? [] : [bar]));

/** Rows with lows that differ from their closes. */
function rowsOf(rows: readonly (readonly [low: number, close: number])[]): SessionColumns {
  const bars = rows.map(([low, close], at): Row => [at, close, close + 0.5, low, close, 100]);
  return sessionColumns(barsFrom(open, bars), open, 10, []);
}

describe('a return to a line', () => {
  const line = new Float64Array(8).fill(100);
  const returns = (rows: readonly (readonly [number, number])[]): number[] =>
    firing(returnsTo(line, 1, rowsOf(rows)));

  it('needs a close away from it, then a low at it with a close above', () => {
    expect(returns(numbers`100.5 101, 100 100.1`)).toEqual([1]);
    // A cent less far away, a cent too high, and a close on the line itself.
    expect(returns(numbers`100.5 100.99, 100 100.1`)).toEqual([]);
    expect(returns(numbers`100.5 101, 100.01 100.1`)).toEqual([]);
    expect(returns(numbers`100.5 101, 100 100`)).toEqual([]);
  });

  it('needs another close away before the next', () => {
    expect(returns(numbers`101 101, 100 100.1, 99 100.2, 101 101, 100 100.1`)).toEqual([1, 4]);
  });

  it('is over with a close at the line or below', () => {
    expect(returns(numbers`101 101, 99 99, 99 100.2, 100 100.2`)).toEqual([]);
  });

  it('does not count a line that is not there yet', () => {
    const late = Float64Array.from([Number.NaN, Number.NaN, 100, 100, 100]);
    const rows = rowsOf(numbers`101 102, 101 102, 100 100.1, 101 101, 100 100.1`);
    expect(firing(returnsTo(late, 1, rows))).toEqual([4]);
  });
});

describe('vwap_touch', () => {
  // A steady rise, a pullback of growing pace until it meets VWAP near 105, and a close above it.
  const rise = path([100, 1], [110, 60]);

  it('fires where a trend comes back to VWAP and closes above', () => {
    // One share each, so that the last bars do not move VWAP; the last dips to it with its low alone.
    const day = dipped([...rise, 108, 108], dayOf([...rise, 108]).vwap.at(-1)! - 0.5);
    expect(firing(SETUPS.vwap_touch(day))).toEqual([rise.length + 1]);
  });

  // The first bar closes on VWAP, the bars after it above; the touch is itself the last of them.
  it.each([
    [31, 1],
    [30, 1],
    [29, 0],
  ])('after %i closes above it fires %i times', (bars, fires) => {
    const day = dipped([...path([100, 1], [104, bars - 1]), 104], 100);
    expect(firing(SETUPS.vwap_touch(day))).toHaveLength(fires);
  });

  it('does not after a rise of less than 0.15 daily ATR above it', () => {
    const day = dipped([...path([100, 1], [102.8, 60]), 102.8], 100);
    expect(firing(SETUPS.vwap_touch(day))).toEqual([]);
  });
});

// The first hour swings between 99 and 101.
const hour = path([100, 1], [101, 15], [99, 30], [100, 14]);

describe('ib_breakout', () => {
  it('fires with the first close beyond the first hour, and not again', () => {
    expect(hour.length).toBe(60);
    const day = dayOf([...hour, 101, 101.01, 100, 102]);
    expect(firing(SETUPS.ib_breakout(day))).toEqual([61]);
    expect(firing(SETUPS.ib_breakout(mirrored(day)))).toEqual([]);
  });

  it('fires once on each side', () => {
    const day = dayOf([...hour, 102, 100, 98, 103]);
    expect(Array.from(signalSides('ib_breakout', day)).slice(60)).toEqual([1, 0, -1, 0]);
  });

  it('does not fire within the first hour, however it moves', () => {
    expect(firing(SETUPS.ib_breakout(dayOf(path([100, 1], [120, 59]))))).toEqual([]);
  });
});

describe('ib_retest', () => {
  // Broken to 102 (0.1 daily ATR beyond 101), back to the edge and away; and when the break went less far.
  it.each([
    [102, [62]],
    [101.99, []],
  ])('after a break to %d fires at %j', (broken, fires) => {
    expect(firing(SETUPS.ib_retest(dipped([...hour, broken, 101.5, 101.2], 101, 62)))).toEqual(fires);
  });
});

describe('or_hold', () => {
  const quarter = path([100, 1], [101, 7], [100, 7]);
  const held = (after: readonly number[]): number[] =>
    firing(SETUPS.or_hold(dipped([...quarter, 102, 101.5, ...after], 101, 16)));

  it('fires with the fifth close in a row beyond the range', () => {
    expect(quarter.length).toBe(15);
    expect(held([101.4, 101.4, 101.4, 101.4, 101.4])).toEqual([20]);
  });

  it('does not when one of the five is back inside, or the session ends before', () => {
    expect(held([101.4, 101.4, 101.4, 101, 101.4])).toEqual([]);
    expect(held([101.4, 101.4, 101.4])).toEqual([]);
  });
});

describe('level_confluence', () => {
  const zone = { high: 100, low: 99.5 };

  it('fires where price comes down to a zone and closes above it', () => {
    const day = (zones: readonly PriceRange[]) => dipped(path([101.5, 1], [100.2, 5]), 99.9, 5, zones);
    expect(firing(SETUPS.level_confluence(day([zone])))).toEqual([5]);
    expect(firing(SETUPS.level_confluence(day([])))).toEqual([]);
    expect(firing(SETUPS.level_confluence(day([{ high: 99.8, low: 99.5 }])))).toEqual([]);
  });

  it('takes bars that turn at two zones, one on either side, for neither', () => {
    const bars = barsFrom(open, numbers`0 102 102 102 102 100, 1 102 104 100 102 100`);
    const both = sessionColumns(bars, open, 10, [zone, { high: 104.5, low: 104 }]);
    expect(Array.from(signalSides('level_confluence', both))).toEqual([0, 0]);
    expect(Array.from(signalSides('level_confluence', sessionColumns(bars, open, 10, [zone])))).toEqual([
      0, 1,
    ]);
  });

  it('knows zones of two families within 0.25 daily ATR, from before the open', () => {
    const [day] = randomSessions(5, 1);
    const dailyAtr = priorDailyAtr(day!);
    const zones = confluenceZones(day!, null, dailyAtr);
    expect(zones.length).toBeGreaterThan(0);
    for (const { high, low } of zones) expect(high - low).toBeLessThanOrEqual(0.25 * dailyAtr + 1e-9);
    const other = { ...day!, intraday: randomMinutes(mulberry32(99), day!.session, 200) };
    expect(confluenceZones(other, null, dailyAtr)).toEqual(zones);
  });
});

describe('trend_continuation', () => {
  const rise = path([100, 1], [112, 80]);

  const toAverage = (closes: readonly number[]) => dipped(closes, dayOf(closes).ema20.at(-1)! - 0.01);

  it('fires where a stacked trend dips to EMA 20 and closes above', () => {
    const day = toAverage([...rise, 111.8]);
    expect(firing(SETUPS.trend_continuation(day))).toEqual([rise.length]);
    expect(firing(SETUPS.trend_continuation(mirrored(day)))).toEqual([]);
  });

  it('does not before EMA 50 has a slope', () => {
    const bars = (count: number): number[] => path([100, 1], [100 + 0.2 * (count - 1), count - 1]);
    // EMA 50 begins with bar 49, its slope over ten bars with bar 59.
    expect(firing(SETUPS.trend_continuation(toAverage(bars(60))))).toEqual([59]);
    expect(firing(SETUPS.trend_continuation(toAverage(bars(59))))).toEqual([]);
  });

  it('does not without a close 0.1 daily ATR above EMA 20', () => {
    const slow = path([100, 1], [103, 80]);
    expect(firing(SETUPS.trend_continuation(toAverage([...slow, 102.99])))).toEqual([]);
  });
});

describe('every signal', () => {
  const minutes = fc.integer().map((seed) => randomMinutes(mulberry32(seed), session, 100));

  it('on the bars so far says what it will always have said', () => {
    let fired = 0;
    forAll([minutes, fc.nat()], { numRuns: 60 }, (bars, cut) => {
      const rows = 1 + (cut % bars.time.length);
      const zones = [
        { high: 100, low: 99.5 },
        { high: 97, low: 96.5 },
      ];
      const whole = sessionColumns(bars, open, 4, zones);
      const part = sessionColumns(prefix(bars, rows), open, 4, zones);
      for (const type of SIGNAL_TYPES) {
        const sides = signalSides(type, whole);
        fired += firing(sides).length;
        expect(signalSides(type, part), type).toEqual(sides.slice(0, rows));
      }
    });
    expect(fired).toBeGreaterThan(100);
  });

  it('fires on each side somewhere in 60 random sessions', () => {
    const found = new Map(SIGNAL_TYPES.map((type) => [type, new Set<number>()]));
    for (const day of randomSessions(3, 60)) {
      const bars = regularMinutes(day.intraday, day.intradayInterval, day.session)!;
      const zones = confluenceZones(day, null, priorDailyAtr(day));
      const columns = sessionColumns(bars, day.session.open, priorDailyAtr(day), zones);
      for (const type of SIGNAL_TYPES) {
        for (const side of signalSides(type, columns)) if (side !== 0) found.get(type)!.add(side);
      }
    }
    for (const [type, sides] of found) expect([...sides].sort(), type).toEqual([-1, 1]);
  });

  it('mirrors: a session turned upside down about a price exchanges its sides', () => {
    forAll([minutes], { numRuns: 60 }, (bars) => {
      // The zones of a profile have no exact mirror; those given by hand have.
      const turned = upsideDown(bars, 256);
      const up = sessionColumns(bars, open, 4, [{ high: 100, low: 99.5 }]);
      const down = sessionColumns(turned, open, 4, [{ high: 156.5, low: 156 }]);
      for (const type of SIGNAL_TYPES) {
        const sides = signalSides(type, up);
        expect(signalSides(type, down), type).toEqual(sides.map((side) => -side || 0));
      }
    });
  });
});

describe('what a session is read from', () => {
  it('takes one-minute bars of the regular session alone', () => {
    const bars = closesFrom(session.preOpen, new Array(900).fill(50));
    const regular = regularMinutes(bars, '1m', session)!;
    expect(regular.time.length).toBe(390);
    expect(regular.time[0]).toBe(session.open);
    expect(regularMinutes(bars, '5m', session)).toBeNull();
    expect(regularMinutes(bars, '1m', summerSession(FIRST_DAY + DAY))).toBeNull();
  });

  it('freezes the daily ATR at the session before', () => {
    const [day] = randomSessions(8, 1);
    // Wilder's average of the 15 ranges of 16 days: 14 for the seed and one step.
    const { high, low, close } = day!.daily;
    const ranges = Array.from(
      { length: 15 },
      (_, at) => Math.max(high[at + 1]!, close[at]!) - Math.min(low[at + 1]!, close[at]!),
    );
    const seed = ranges.slice(0, 14).reduce((sum, range) => sum + range, 0) / 14;
    expect(priorDailyAtr(day!)).toBeCloseTo((13 * seed + ranges[14]!) / 14, 10);
    expect(priorDailyAtr({ ...day!, priorRow: 14 })).toBeCloseTo(seed, 10);
    expect(priorDailyAtr({ ...day!, priorRow: 13 })).toBeNaN();
    expect(priorDailyAtr({ ...day!, priorRow: -1 })).toBeNaN();
  });

  it('cuts its first minutes at the minute and not at a count of bars', () => {
    const bars = barsFrom(
      open,
      numbers`
      0 100 101 99 100 1, 14 100 103 98 100 1, 15 100 109 91 100 1, 59 100 110 90 100 1,
      60 100 120 80 100 1`,
    );
    const day = sessionColumns(bars, open, 1, []);
    expect(day.openingRange).toEqual({ high: 103, low: 98, knownFrom: 2 });
    expect(day.initialBalance).toEqual({ high: 110, low: 90, knownFrom: 4 });
  });
});
