import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type SessionState, sessionEvents } from '../../../src/analysis/session-events.ts';
import { forAll, wholeBetween } from '../../support/for-all.ts';

/** What events two states make, each threshold from both sides. */

const QUIET: SessionState = {
  tradeDate: '2024-03-12',
  lastPrice: 100,
  halted: false,
  levels: { pdh: 105, pdl: 95, vwap: 100.5 },
  openingRanges: [{ minutes: 15, status: 'inside', high: 102, low: 98 }],
  tiers: { bullish_tier: { word: 'GOOD', figureName: 'bullish_confluence', figure: 72 } },
  biases: {
    directional_bias: { word: 'neutral', figureName: 'net_confluence', figure: 4 },
    orb_directional_bias: { word: 'neutral', figureName: null, figure: null },
  },
};

const state = (parts: Partial<SessionState> = {}): SessionState => ({ ...QUIET, ...parts });
const priced = (lastPrice: number | null, level: number | null): SessionState =>
  state({ lastPrice, levels: { pdh: level } });
const ranged = (status: string | null): SessionState =>
  state({ openingRanges: [{ minutes: 15, status, high: 102, low: 98 }] });

describe('levels', () => {
  it.each([
    [104.99, 105.01, 'up'],
    // A price on a level has not passed it.
    [105, 105.01, 'up'],
    [104.99, 105, null],
    [105.01, 105, null],
    [105.01, 104.99, 'down'],
    [105, 104.99, 'down'],
    [105, 105, null],
    [105.01, 106, null],
    [104, 104.99, null],
  ])('from %s to %s across 105: %s', (from, to, direction) => {
    const [before, after] = [from, to].map((last_price) => ({ last_price, level: 105 }));
    const broken = { type: 'level_broken', subject: 'pdh', direction, before, after };
    expect(sessionEvents(priced(from, 105), priced(to, 105))).toEqual(direction === null ? [] : [broken]);
  });

  it('compares each price with the level of the same moment', () => {
    // The level went up with the price and stayed above it.
    expect(sessionEvents(priced(104, 105), priced(106, 107))).toEqual([]);
    // The price did not move and the level came down through it.
    expect(sessionEvents(priced(104, 105), priced(104, 103))).toMatchObject([
      { direction: 'up', before: { level: 105 }, after: { level: 103 } },
    ]);
  });

  it.each([
    [priced(null, 105), priced(106, 105)],
    [priced(104, null), priced(106, 105)],
    [priced(104, 105), priced(null, 105)],
    [priced(104, 105), priced(106, null)],
    [state({ lastPrice: 104, levels: {} }), priced(106, 105)],
  ])('says nothing of what is not known on both sides', (before, after) => {
    expect(sessionEvents(before, after)).toEqual([]);
  });

  it('are those of one session', () => {
    const next = { ...priced(106, 105), tradeDate: '2024-03-13' };
    expect(sessionEvents(priced(104, 105), next)).toEqual([]);
    expect(sessionEvents(ranged('inside'), { ...ranged('breakout_up'), tradeDate: '2024-03-13' })).toEqual(
      [],
    );
  });
});

describe('opening ranges', () => {
  it.each([
    ['inside', 'breakout_up', 'orb_broken', 'up'],
    ['inside', 'breakout_down', 'orb_broken', 'down'],
    ['breakout_up', 'failed_breakout_up', 'orb_failed', 'down'],
    ['breakout_down', 'failed_breakout_down', 'orb_failed', 'up'],
    ['failed_breakout_up', 'breakout_down', 'orb_broken', 'down'],
    ['breakout_up', 'breakout_down', 'orb_broken', 'down'],
    ['inside', 'failed_breakout_up', 'orb_failed', 'down'],
  ])('%s, then %s: %s %s', (from, to, type, direction) => {
    const [before, after] = [from, to].map((status) => ({ status, high: 102, low: 98, last_price: 100 }));
    const broken = { type, subject: 'orb_15m', direction, before, after };
    expect(sessionEvents(ranged(from), ranged(to))).toEqual([broken]);
  });

  it.each([
    [null, 'inside'],
    [null, 'breakout_up'],
    ['breakout_up', null],
    ['breakout_up', 'breakout_up'],
    ['breakout_up', 'inside'],
  ])('%s, then %s: nothing', (from, to) => {
    expect(sessionEvents(ranged(from), ranged(to))).toEqual([]);
  });
});

describe('tiers and biases', () => {
  const tiered = (word: string | null, figure: number | null): SessionState =>
    state({ tiers: { bullish_tier: { word, figureName: 'bullish_confluence', figure } } });

  it('are reported with the score that they band', () => {
    expect(sessionEvents(tiered('GOOD', 72), tiered('MODERATE', 69))).toEqual([
      {
        type: 'tier_crossed',
        subject: 'bullish_tier',
        direction: 'down',
        before: { bullish_tier: 'GOOD', bullish_confluence: 72 },
        after: { bullish_tier: 'MODERATE', bullish_confluence: 69 },
      },
    ]);
    expect(sessionEvents(tiered('GOOD', 72), tiered('EXCELLENT', 86))).toMatchObject([{ direction: 'up' }]);
  });

  it('are not reported when the word stays, appears or disappears', () => {
    expect(sessionEvents(tiered('GOOD', 72), tiered('GOOD', 84))).toEqual([]);
    expect(sessionEvents(tiered(null, null), tiered('GOOD', 72))).toEqual([]);
    expect(sessionEvents(tiered('GOOD', 72), tiered(null, null))).toEqual([]);
  });

  it('name a bias without a figure too', () => {
    const after = state({
      biases: { orb_directional_bias: { word: 'bullish', figureName: null, figure: null } },
    });
    expect(sessionEvents(QUIET, after)).toEqual([
      {
        type: 'bias_changed',
        subject: 'orb_directional_bias',
        direction: null,
        before: { orb_directional_bias: 'neutral' },
        after: { orb_directional_bias: 'bullish' },
      },
    ]);
  });
});

describe('halts', () => {
  it('begin and end', () => {
    const halted = state({ halted: true });
    expect(sessionEvents(QUIET, halted)).toMatchObject([
      { type: 'halted', subject: null, before: { halted: false, last_price: 100 }, after: { halted: true } },
    ]);
    expect(sessionEvents(halted, QUIET)).toMatchObject([{ type: 'resumed' }]);
    expect(sessionEvents(halted, halted)).toEqual([]);
  });
});

describe('laws', () => {
  const price = fc.option(wholeBetween(90, 110), { nil: null });
  const states = fc
    .record({ lastPrice: price, pdh: price, vwap: price })
    .map(({ lastPrice, pdh, vwap }) => state({ lastPrice, levels: { pdh, vwap } }));

  it('nothing happens between a state and itself', () => {
    forAll([states], (one) => {
      expect(sessionEvents(one, one)).toEqual([]);
    });
  });

  it('what is broken one way is broken the other way in the mirror of prices', () => {
    const mirror = ({ lastPrice, levels }: SessionState): SessionState => {
      const turned = (value: number | null): number | null => (value === null ? null : -value);
      const names = Object.entries(levels).map(([name, value]) => [name, turned(value)]);
      return state({ lastPrice: turned(lastPrice), levels: Object.fromEntries(names) });
    };
    const ways = (before: SessionState, after: SessionState) =>
      sessionEvents(before, after).map(({ subject, direction }) => `${subject} ${direction}`);
    forAll([states, states], (before, after) => {
      const turned = ways(mirror(before), mirror(after)).map((way) =>
        way.endsWith('up') ? way.replace(/up$/, 'down') : way.replace(/down$/, 'up'),
      );
      expect(turned).toEqual(ways(before, after));
    });
  });
});
