import { describe, expect, it } from 'vitest';
import { ema } from '../../../../src/analysis/indicators/averages.ts';
import { type SessionSoFar, sessionFigures } from '../../../../src/analysis/playbooks/session-figures.ts';
import { mulberry32 } from '../../../support/daily-recipe.ts';
import { FIRST_DAY } from '../backtest/made-up-market.ts';
import { closesFrom, summerSession } from '../made-up-days.ts';

const { open } = summerSession(FIRST_DAY);

/** A session of one-minute closes around a given VWAP; the daily ATR is 4 dollars. */
function sessionOf(
  closes: readonly number[],
  vwap: readonly number[],
  parts: Partial<SessionSoFar> = {},
): SessionSoFar {
  return {
    bars: closesFrom(open, closes),
    isMinutes: true,
    vwap: Float64Array.from(vwap),
    orbHigh: Number.NaN,
    orbLow: Number.NaN,
    dailyAtr: 4,
    ...parts,
  };
}

const flat = (price: number, bars: number): number[] => Array(bars).fill(price);

describe('sessionFigures', () => {
  it('knows nothing before the first bar', () => {
    expect(new Set(Object.values(sessionFigures(sessionOf([], []))))).toEqual(new Set([Number.NaN]));
  });

  it('counts the run beside VWAP and how far it went', () => {
    const vwap = flat(100, 5);
    const above = sessionFigures(sessionOf([99, 101, 102, 100.5, 101], vwap));
    expect(above).toMatchObject({ vwap_run: 4, vwap_excursion_atr: 0.5 });
    const below = sessionFigures(sessionOf([101, 99, 97, 99.5, 99.75], vwap));
    expect(below).toMatchObject({ vwap_run: -4, vwap_excursion_atr: -0.75 });
    const at = sessionFigures(sessionOf([101, 102, 103, 102, 100], vwap));
    expect(at).toMatchObject({ vwap_run: 0, vwap_excursion_atr: 0 });
    // A close on the line ends the run.
    expect(sessionFigures(sessionOf([101, 102, 100, 102, 101], vwap)).vwap_run).toBe(2);
  });

  it('counts closes beyond the opening range since a return to its edge', () => {
    // From 0.1 ATR beyond on, 0.4 dollars, coming back to the edge is a return.
    const range = { orbHigh: 102, orbLow: 98 };
    const runOf = (closes: readonly number[], parts: Partial<SessionSoFar> = range) =>
      sessionFigures(sessionOf(closes, flat(100, closes.length), parts)).orb_retest_run;
    const touchesOf = (line: number) => {
      const { bars, ...rest } = sessionOf([100, 102.4, 102.1, 102.2, 102.3], flat(100, 5), range);
      return sessionFigures({ ...rest, bars: { ...bars, low: bars.low.with(2, line) } }).orb_retest_run;
    };
    expect(touchesOf(102)).toBe(3);
    expect(touchesOf(102.01)).toBe(0);
    // A close back within ends it, and a break alone is no return.
    expect(runOf([100, 102.4, 102.3, 103, 104])).toBe(0);
    expect(runOf([100, 102.4, 101.9, 102.3])).toBe(0);
    const below = sessionOf([100, 97.6, 97.9, 97.8], flat(100, 4), range);
    expect(
      sessionFigures({ ...below, bars: { ...below.bars, high: below.bars.high.with(2, 98) } }).orb_retest_run,
    ).toBe(-2);
    expect(runOf([103, 104], {})).toBeNaN();
    expect(runOf([103, 104], { ...range, dailyAtr: Number.NaN })).toBeNaN();
  });

  it('looks 30 bars back at VWAP and 10 at the slow average', () => {
    const closes = Array.from({ length: 60 }, (_, bar) => 100 + bar / 8);
    const figures = sessionFigures(sessionOf(closes, closes));
    expect(figures.vwap_30m_ago).toBe(100 + 29 / 8);
    expect(sessionFigures(sessionOf(closes.slice(0, 30), closes.slice(0, 30))).vwap_30m_ago).toBeNaN();
    // On a straight line an EMA seeded by the mean trails by (period - 1) / 2 bars: 59, less 4, 9.5 and 24.5.
    expect(figures.session_ema_9).toBeCloseTo(100 + 55 / 8, 9);
    expect(figures.session_ema_20).toBeCloseTo(100 + 49.5 / 8, 9);
    expect(figures.session_ema_50).toBeCloseTo(100 + 34.5 / 8, 9);
    expect(figures.session_ema_50_10m_ago).toBeCloseTo(100 + 24.5 / 8, 9);
    expect(figures.session_ema_20_excursion_atr).toBeCloseTo(9.5 / 8 / 4, 9);
    expect(sessionFigures(sessionOf(closes.slice(0, 59), closes)).session_ema_50_10m_ago).toBeNaN();
  });

  it('has the extremes of bars of any length, and nothing that counts minutes from longer ones', () => {
    const closes = [100, 104, 97, 101, 102];
    const {
      session_high: high,
      session_low: low,
      ...rest
    } = sessionFigures(sessionOf(closes, flat(100, 5), { isMinutes: false, orbHigh: 101, orbLow: 99 }));
    const bars = closesFrom(open, closes);
    expect([high, low]).toEqual([Math.max(...bars.high), Math.min(...bars.low)]);
    expect(new Set(Object.values(rest))).toEqual(new Set([Number.NaN]));
  });

  it('measures nothing in an ATR that is not known', () => {
    for (const dailyAtr of [Number.NaN, 0]) {
      const { vwap_excursion_atr: excursion, vwap_run: run } = sessionFigures(
        sessionOf([101, 102], [100, 100], { dailyAtr }),
      );
      expect([excursion, run]).toEqual([Number.NaN, 2]);
    }
  });

  it('is that of the bars alone: the same run counted bar by bar on a random walk', () => {
    const random = mulberry32(7);
    let price = 100;
    const closes = Array.from({ length: 200 }, () => {
      price += (random() - 0.5) / 4;
      return Math.round(price * 16) / 16;
    });
    const vwap = closes.map((_, bar) => Math.round((100 + Math.sin(bar / 20) / 4) * 16) / 16);
    let [run, furthest] = [0, 0];
    for (let bar = 0; bar < closes.length; bar++) {
      const side = Math.sign(closes[bar]! - vwap[bar]!);
      const goesOn = side !== 0 && side === Math.sign(run);
      const distance = Math.abs(closes[bar]! - vwap[bar]!);
      run = goesOn ? run + side : side;
      furthest = goesOn ? Math.max(furthest, distance) : distance;
      const figures = sessionFigures(sessionOf(closes.slice(0, bar + 1), vwap.slice(0, bar + 1)));
      expect(figures.vwap_run).toBe(run);
      expect(Math.abs(figures.vwap_excursion_atr)).toBeCloseTo(furthest / 4, 12);
      expect(figures.session_ema_20).toBe(ema(Float64Array.from(closes), 20)[bar]);
    }
  });
});
