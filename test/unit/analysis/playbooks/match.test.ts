import { describe, expect, it } from 'vitest';
import type { PlaybookInputs } from '../../../../src/analysis/playbooks/inputs.ts';
import { PLAYBOOKS as LIBRARY } from '../../../../src/analysis/playbooks/library.ts';
import { matchPlaybooks, rewardRiskAt } from '../../../../src/analysis/playbooks/match.ts';

/** Those that no backtest signal enters; `signals.test.ts` has the others. */
const PLAYBOOKS = LIBRARY.filter(({ signal }) => signal === null);

/** Nothing is known. */
const UNKNOWN = Object.fromEntries(
  [
    ...new Set(PLAYBOOKS.flatMap(({ conditions }) => conditions.flatMap(({ inputs }) => inputs))),
    ...(['vwap', 'ema_9', 'support', 'resistance'] as const),
  ].map((name) => [name, Number.NaN]),
) as unknown as PlaybookInputs;

const matches = (parts: Partial<PlaybookInputs>) => matchPlaybooks({ ...UNKNOWN, ...parts });

const BREAKOUT: Partial<PlaybookInputs> = {
  price: 102.3,
  orb_high: 102,
  orb_low: 100,
  orb_lean: 1,
  vwap_atr: 0.5,
  volume_pace: 1.3,
  intraday_return_atr: 0.6,
  atr: 4,
};

/** Back at its averages in an uptrend. */
const PULLBACK: Partial<PlaybookInputs> = {
  price: 100,
  atr: 4,
  ema_9: 101,
  ema_20: 99,
  sma_50: 95,
  sma_200: 90,
  adx_14: 25,
  rsi_14: 50,
};

describe('matchPlaybooks', () => {
  it('has playbooks whose names and conditions all differ', () => {
    expect(new Set(PLAYBOOKS.map(({ strategy }) => strategy)).size).toBe(PLAYBOOKS.length);
    for (const { conditions } of PLAYBOOKS) {
      expect(new Set(conditions.map(({ name }) => name)).size).toBe(conditions.length);
    }
  });

  it('matches nothing where nothing is known', () => expect(matches({})).toEqual([]));

  it('names a breakout of the opening range with its prices', () => {
    const [first] = matches(BREAKOUT);
    expect(first).toMatchObject({
      score: 100,
      missed: [],
      trigger: 102,
      stop: 101,
      target: 104,
      rewardRisk: 2,
    });
    expect(first!.playbook).toMatchObject({ strategy: 'orb_breakout_long', direction: 'bullish' });
  });

  it('offers R 1 and more alone', () => {
    // From 101 down to 95 are 6 dollars.
    expect(matches({ ...PULLBACK, range_3d_high: 107 })).toMatchObject([{ rewardRisk: 1 }]);
    expect(matches({ ...PULLBACK, range_3d_high: 106.99 })).toEqual([]);
    expect(matches(PULLBACK)).toEqual([]);
  });

  it('offers no setup that the price has left: R 1 and more from where it is', () => {
    // From 102.5 the target at 104 is as far as the stop at 101.
    expect(matches({ ...BREAKOUT, price: 102.5 })).toHaveLength(1);
    expect(matches({ ...BREAKOUT, price: 102.51 })).toEqual([]);
    const [match] = matches(BREAKOUT);
    expect(rewardRiskAt(match!, 102)).toBe(match!.rewardRisk);
    expect(rewardRiskAt(match!, 101)).toBeNaN();
    expect(rewardRiskAt(match!, 104)).toBeNaN();
  });

  it('offers no stop within the noise of 0.1 ATR', () => {
    // From 102 to the middle of the range is 1 dollar.
    expect(matches({ ...BREAKOUT, atr: 10 })).toHaveLength(1);
    expect(matches({ ...BREAKOUT, atr: 10.01 })).toEqual([]);
    expect(matches({ ...BREAKOUT, atr: Number.NaN })).toEqual([]);
    // A stock that does not move: the range has no height.
    expect(matches({ ...BREAKOUT, orb_high: 102, orb_low: 102, atr: 0 })).toEqual([]);
  });

  it('names what is missed, and what cannot be known is missed', () => {
    const [first] = matches({ ...BREAKOUT, volume_pace: Number.NaN, intraday_return_atr: 0.1 });
    expect(first!.score).toBeCloseTo(60, 12);
    expect(first!.missed.map(({ name }) => name)).toEqual(['volume_brisk', 'day_moves_along']);
  });

  it('leaves out what meets less than 60 %, and what lacks its first condition', () => {
    expect(matches({ ...BREAKOUT, volume_pace: 1, intraday_return_atr: 0, vwap_atr: -1 })).toEqual([]);
    expect(matches({ ...BREAKOUT, orb_lean: 0 })).toEqual([]);
  });

  it('matches shorts in the mirror', () => {
    const [first] = matches({
      ...BREAKOUT,
      price: 99.7,
      orb_lean: -1,
      vwap_atr: -0.5,
      intraday_return_atr: -0.6,
    });
    expect(first).toMatchObject({ score: 100, trigger: 100, stop: 101, target: 98 });
    expect(first!.playbook.strategy).toBe('orb_breakout_short');
  });

  it.each<[string, Partial<PlaybookInputs>]>([
    [
      'vwap_hold_long',
      { vwap: 100, atr: 4, price: 100.5, vwap_atr: 0.125, trend_score: 0.5, sma_20: 98, orb_lean: 0.5 },
    ],
    ['trend_pullback_long', { ...PULLBACK, range_3d_high: 107 }],
    [
      'range_fade_short',
      {
        price: 100,
        atr: 4,
        resistance: 100.4,
        vwap: 98.4,
        rotation_score: 0.6,
        trend_score: 0.1,
        support_atr: 1,
        resistance_atr: 0.1,
        vwap_atr: 0.4,
        adx_14: 15,
        rsi_14: 45,
      },
    ],
    [
      'earnings_drift_long',
      {
        surprise_pct: 8,
        days_since_earnings: 10,
        price: 105,
        atr: 4,
        sma_20: 100,
        range_3d_high: 106,
        rel_vol_5d: 1.2,
        days_to_earnings: 60,
      },
    ],
    [
      'squeeze_breakout',
      {
        narrow_session: 1,
        atr_compression_ratio: 0.8,
        price: 100,
        range_3d_high: 102,
        range_3d_low: 98,
        days_to_earnings: 30,
      },
    ],
  ])('matches %s in full', (strategy, parts) => {
    const found = matches(parts).find(({ playbook }) => playbook.strategy === strategy);
    expect(found?.score).toBe(100);
  });

  it('puts the best first', () => {
    const found = matches({
      ...BREAKOUT,
      narrow_session: 1,
      atr_compression_ratio: 0.8,
      range_3d_high: 102,
      range_3d_low: 98,
      days_to_earnings: 30,
    });
    expect(found.map(({ score }) => score)).toEqual([100, 75]);
  });
});
