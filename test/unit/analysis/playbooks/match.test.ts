import { describe, expect, it } from 'vitest';
import { matchPlaybooks, rewardRiskAt } from '../../../../src/analysis/playbooks/match.ts';
import { HAND_MADE, inputsOf, type PlaybookParts } from './hand-made.ts';

const matches = (parts: PlaybookParts) => matchPlaybooks(inputsOf(parts));
const fitting = (strategy: string): PlaybookParts =>
  HAND_MADE.find((made) => made.strategy === strategy)!.fits;

const BREAKOUT: PlaybookParts = { ...fitting('orb_breakout_long'), price: 102.3 };
/** Back at its averages in an uptrend. */
const PULLBACK = fitting('trend_pullback_long');

describe('matchPlaybooks', () => {
  it('matches nothing where nothing is known', () => expect(matches({})).toEqual([]));

  it('offers R 1 and more alone', () => {
    // From 101 down to 95 are 6 dollars.
    expect(matches({ ...PULLBACK, range_3d_high: 107 })).toMatchObject([{ rewardRisk: 1 }]);
    for (const range_3d_high of [106.99, Number.NaN]) {
      expect(matches({ ...PULLBACK, range_3d_high })).toEqual([]);
    }
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

  it('puts the best first', () => {
    const squeezed = { ...fitting('squeeze_breakout'), ...BREAKOUT };
    expect(matches(squeezed).map(({ score }) => score)).toEqual([100, 75]);
  });
});
