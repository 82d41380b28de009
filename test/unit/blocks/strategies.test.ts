import { describe, expect, it } from 'vitest';
import {
  confluenceZones,
  priorDailyAtr,
  regularMinutes,
  sessionColumns,
} from '../../../src/analysis/backtest/session-columns.ts';
import { signalSides } from '../../../src/analysis/backtest/signals.ts';
import { SIGNAL_TYPES, type SignalType } from '../../../src/analysis/backtest/spec.ts';
import { ema } from '../../../src/analysis/indicators/averages.ts';
import { playbookOf } from '../../../src/analysis/playbooks/library.ts';
import { strategies } from '../../../src/blocks/strategies.ts';
import type { StockView } from '../../../src/market/stock-view.ts';
import { derived } from '../../support/derived.ts';
import { dailyFromCloses, type IntradayRow, viewOf } from '../../support/views.ts';

/** Open, high, low, close of a minute. */
type Minute = readonly [open: number, high: number, low: number, close: number];

/** From one price to the next in even steps, a minute each, the last of them reached. */
function along(from: number, ...legs: readonly (readonly [to: number, minutes: number])[]): Minute[] {
  const closes = [from];
  for (const [to, minutes] of legs) {
    const start = closes.at(-1)!;
    for (let step = 1; step <= minutes; step++) closes.push(start + ((to - start) * step) / minutes);
  }
  return closes.map((close, at) => {
    const open = closes[at - 1] ?? close;
    return [open, Math.max(open, close), Math.min(open, close), close];
  });
}

const CENTS = 0.03;

/** A last minute that dips just below a line and closes just above it. */
const dipOnto = (minutes: readonly Minute[], line: number): Minute[] => {
  const open = minutes.at(-1)![3];
  return [...minutes, [open, Math.max(open, line + CENTS), line - CENTS, line + CENTS]];
};

const highOf = (minutes: readonly Minute[], first: number): number =>
  Math.max(...minutes.slice(0, first).map(([, high]) => high));
const meanPrice = (minutes: readonly Minute[]): number =>
  minutes.reduce((sum, [, high, low, close]) => sum + (high + low + close) / 3, 0) / minutes.length;

const clockOf = (minute: number): string => `${Math.floor((570 + minute) / 60)}:${(570 + minute) % 60}`;

/**
 * The session so far of a stock whose days before went from 99 to 101 and closed at 100: an ATR of 2, and prior day, week
 * and month with R1 at 101, S1 at 99. `sign` -1 is the same day upside down.
 */
function viewAfter(minutes: readonly Minute[], sign = 1): StockView {
  const turn = (price: number): number => (sign === 1 ? price : 200 - price);
  return viewOf({
    at: clockOf(minutes.length),
    daily: dailyFromCloses(Array(60).fill(100)),
    intraday: minutes.map(([open, high, low, close], at): IntradayRow => {
      const ends = [turn(high), turn(low)];
      return [clockOf(at), turn(open), Math.max(...ends), Math.min(...ends), turn(close), 100];
    }),
    priorIntraday: along(100, [100, 389]).map(
      ([open, high, low, close], at): IntradayRow => [clockOf(at), open, high, low, close, 50],
    ),
  });
}

/** For each signal a session whose last minute fires it long, and how many minutes earlier nothing was at hand. */
const FIRING: Readonly<Record<SignalType, () => Minute[]>> = {
  vwap_touch() {
    const rise = along(101, [103, 60], [102.3, 12]);
    return dipOnto(rise, meanPrice(rise));
  },
  ib_breakout: () => along(100.2, [100.8, 30], [100.3, 30], [100.82, 25]),
  ib_retest() {
    const out = along(100, [101, 59], [101.4, 20], [101.1, 10]);
    return dipOnto(out, highOf(out, 60));
  },
  or_hold() {
    const out = along(100, [100.6, 14], [101.1, 20], [100.7, 10]);
    const line = highOf(out, 15);
    return [...dipOnto(out, line), ...along(line + CENTS, [line + 0.1, 4]).slice(1)];
  },
  level_confluence() {
    const back = along(101.6, [102.2, 30], [101.4, 30], [102.2, 30], [101.1, 30]);
    return [...back, [101.1, 101.1, 101, 101 + CENTS]];
  },
  trend_continuation() {
    const rise = along(100, [101.5, 80], [103, 10]);
    const closes = Float64Array.from(rise, ([, , , close]) => close);
    return dipOnto(rise, ema(closes, 20).at(-1)!);
  },
};

const sideAt = (type: SignalType, view: StockView): number => {
  const atr = priorDailyAtr(view);
  const bars = regularMinutes(view.intraday, view.intradayInterval, view.session)!;
  return signalSides(type, sessionColumns(bars, view.session.open, atr, confluenceZones(view, null, atr))).at(
    -1,
  )!;
};
const matchesOf = (view: StockView) => derived(strategies, view).nested!;
const found = (view: StockView, strategy: string) =>
  matchesOf(view).find((match) => match.strategy === strategy);

describe.each(SIGNAL_TYPES)('at the minute at which %s fires', (type) => {
  it('long, its long is among the strategies and its short is not', () => {
    const view = viewAfter(FIRING[type]());
    expect(sideAt(type, view)).toBe(1);
    expect(found(view, `${type}_long`)!.match_score).toBeGreaterThanOrEqual(80);
    expect(found(view, `${type}_short`)).toBeUndefined();
  });

  it('short, it is the other way round, at prices that are turned too', () => {
    const minutes = FIRING[type]();
    const [long, short] = [viewAfter(minutes), viewAfter(minutes, -1)];
    expect(sideAt(type, short)).toBe(-1);
    expect(found(short, `${type}_long`)).toBeUndefined();
    const [one, other] = [found(long, `${type}_long`)!, found(short, `${type}_short`)!];
    expect(other.match_score).toBe(one.match_score);
    for (const price of ['trigger', 'stop', 'target'] as const) {
      expect(other[price]! + one[price]!, price).toBeCloseTo(200, 9);
    }
    expect(one.stop!).toBeLessThan(one.trigger!);
    expect(one.target!).toBeGreaterThan(one.trigger!);
  });

  it('a quarter of an hour before, its first condition is missed', () => {
    const minutes = FIRING[type]();
    const before = viewAfter(minutes.slice(0, type === 'ib_breakout' ? -3 : -12));
    expect(sideAt(type, before)).toBe(0);
    expect(found(before, `${type}_long`)).toBeUndefined();
  });
});

describe('a stock-day', () => {
  it('leads to the playbooks that fit it, which are the same nodes for every stock', () => {
    const view = viewAfter(FIRING.ib_retest());
    const matches = matchesOf(view);
    expect(matches.length).toBeGreaterThan(1);
    const relations = strategies.relate!(matches, view);
    expect(relations.map(({ key }) => key)).toEqual(matches.map(({ strategy }) => strategy));
    const { strategy, match_score, direction, trigger, stop, target, rr_ratio, r_now, opposed_by } = found(
      view,
      'ib_retest_long',
    )!;
    const { name, summary } = playbookOf(strategy)!;
    expect(relations.find(({ key }) => key === strategy)).toEqual({
      type: 'MATCHES',
      label: 'Playbook',
      key: 'ib_retest_long',
      props: { name, direction: 'bullish', timeframe: 'intraday', signal: 'ib_retest', summary },
      edgeProps: { match_score, direction, trigger, stop, target, rr_ratio, r_now, opposed_by },
    });
  });

  it('before half past ten knows no initial balance', () => {
    const minutes = FIRING.ib_retest();
    const early = matchesOf(viewAfter(minutes.slice(0, 59)));
    expect(early.filter(({ strategy }) => strategy.startsWith('ib_'))).toEqual([]);
  });

  it('without minutes of its session fits no intraday playbook', () => {
    const view = viewOf({
      at: '11:30',
      daily: dailyFromCloses(Array.from({ length: 260 }, (_, row) => 100 + row / 10)),
    });
    const matches = matchesOf(view);
    expect(matches.map(({ strategy }) => playbookOf(strategy)!.timeframe)).not.toContain('intraday');
  });
});
