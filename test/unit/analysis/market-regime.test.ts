import { describe, expect, it } from 'vitest';
import { MARKET_RULES, type MarketRegimeInputs, marketRegime } from '../../../src/analysis/market-regime.ts';

/** The market on a good day, rule by rule on the side of a trend up; each test moves one thing. */
const GOOD: MarketRegimeInputs = {
  indexSymbol: 'SPY',
  index: { price: 110, sma50: 105, sma200: 100, slopePct: 20 },
  vix: 'NORMAL',
  vixLevel: 15,
  aboveSma50Pct: 70,
  advancers: 300,
  decliners: 100,
  newHighs: 30,
  newLows: 3,
};
const DOWN = { price: 90, sma50: 95, sma200: 100, slopePct: -20 };
const SIDEWAYS = { price: 101, sma50: 100, sma200: 102, slopePct: 0 };
const UNKNOWN = { price: Number.NaN, sma50: Number.NaN, sma200: Number.NaN, slopePct: Number.NaN };

const reading = (parts: Partial<MarketRegimeInputs>) => marketRegime({ ...GOOD, ...parts });
const rulesOf = (parts: Partial<MarketRegimeInputs>): string[] =>
  reading(parts).rulesFired.map(({ rule }) => rule);
const withIndex = (part: Partial<MarketRegimeInputs['index']>) => ({ index: { ...GOOD.index, ...part } });

describe('each rule, on both sides of its threshold', () => {
  it.each<[string, Partial<MarketRegimeInputs>, Partial<MarketRegimeInputs>]>([
    ['index_above_sma_50', withIndex({ price: 105.01 }), withIndex({ price: 105 })],
    ['index_below_sma_50', withIndex({ price: 104.99 }), withIndex({ price: 105 })],
    ['sma_50_above_sma_200', withIndex({ sma200: 104.99 }), withIndex({ sma200: 105 })],
    ['sma_50_below_sma_200', withIndex({ sma200: 105.01 }), withIndex({ sma200: 105 })],
    ['slope_rising', withIndex({ slopePct: 10.01 }), withIndex({ slopePct: 10 })],
    ['slope_falling', withIndex({ slopePct: -10.01 }), withIndex({ slopePct: -10 })],
    ['slope_flat', withIndex({ slopePct: 10 }), withIndex({ slopePct: 10.01 })],
    ['slope_flat', withIndex({ slopePct: -10 }), withIndex({ slopePct: -10.01 })],
    ['index_up', withIndex({ slopePct: 10 }), withIndex({ slopePct: 10, price: 105 })],
    ['index_down', { index: { ...DOWN, slopePct: 0 } }, { index: { ...DOWN, sma200: 95, slopePct: 0 } }],
    ['index_sideways', { index: SIDEWAYS }, { index: { ...SIDEWAYS, sma200: 99 } }],
    ['vix_complacent', { vix: 'COMPLACENT' }, { vix: 'NORMAL' }],
    ['vix_normal', { vix: 'NORMAL' }, { vix: 'ELEVATED' }],
    ['vix_elevated', { vix: 'ELEVATED' }, { vix: 'EXTREME_FEAR' }],
    ['vix_extreme_fear', { vix: 'EXTREME_FEAR' }, { vix: 'ELEVATED' }],
    ['breadth_strong', { aboveSma50Pct: 60 }, { aboveSma50Pct: 59.99 }],
    ['breadth_mixed', { aboveSma50Pct: 59.99 }, { aboveSma50Pct: 60 }],
    ['breadth_mixed', { aboveSma50Pct: 40.01 }, { aboveSma50Pct: 40 }],
    ['breadth_weak', { aboveSma50Pct: 40 }, { aboveSma50Pct: 40.01 }],
    ['advancers_lead', { advancers: 200, decliners: 100 }, { advancers: 199, decliners: 100 }],
    ['decliners_lead', { advancers: 100, decliners: 200 }, { advancers: 100, decliners: 199 }],
    ['new_highs_lead', { newHighs: 4, newLows: 3 }, { newHighs: 3, newLows: 3 }],
    ['new_lows_lead', { newHighs: 3, newLows: 4 }, { newHighs: 3, newLows: 3 }],
    ['narrow_advance', { aboveSma50Pct: 40 }, { aboveSma50Pct: 40.01 }],
    ['narrow_decline', { index: DOWN, aboveSma50Pct: 60 }, { index: DOWN, aboveSma50Pct: 59.99 }],
  ])('%s', (rule, fires, fails) => {
    expect(rulesOf(fires)).toContain(rule);
    expect(rulesOf(fails)).not.toContain(rule);
  });

  it('has each of them above', () => expect(MARKET_RULES).toHaveLength(23));

  it('says nothing of a day on which nothing moved', () => {
    const quiet = { advancers: 0, decliners: 0, newHighs: 0, newLows: 0 };
    expect(rulesOf(quiet).filter((rule) => rule.includes('lead'))).toEqual([]);
  });
});

describe('the regime', () => {
  it.each([
    ['trend_up', ['index_up'], {}],
    ['trend_up', ['index_up'], { vix: 'ELEVATED' }],
    ['trend_up', ['index_up'], { vix: null, aboveSma50Pct: Number.NaN }],
    ['transition', ['index_up', 'narrow_advance'], { aboveSma50Pct: 40 }],
    ['trend_down', ['index_down'], { index: DOWN, aboveSma50Pct: 30 }],
    ['transition', ['index_down', 'narrow_decline'], { index: DOWN }],
    ['volatile', ['vix_extreme_fear'], { vix: 'EXTREME_FEAR' }],
    ['volatile', ['vix_extreme_fear'], { index: UNKNOWN, vix: 'EXTREME_FEAR' }],
    ['range', ['index_sideways', 'vix_normal'], { index: SIDEWAYS }],
    ['range', ['index_sideways', 'vix_complacent'], { index: SIDEWAYS, vix: 'COMPLACENT' }],
    ['transition', ['index_sideways', 'vix_elevated'], { index: SIDEWAYS, vix: 'ELEVATED' }],
    [null, [], { index: SIDEWAYS, vix: null }],
    [null, [], { index: UNKNOWN }],
  ] as [string | null, string[], Partial<MarketRegimeInputs>][])(
    'is %s by %j',
    (regime, decidedBy, parts) => {
      expect(reading(parts)).toMatchObject({ regime, decidedBy });
    },
  );

  it('says what the rules looked at, in their order, and how many of them agree', () => {
    const { rulesFired, confidence, indexTrend } = reading({ vix: 'ELEVATED', vixLevel: 21.456 });
    expect(indexTrend).toBe('up');
    expect(rulesFired.map(({ says }) => says)).toEqual([
      'SPY at 110.00 is above its SMA50 of 105.00.',
      'The SMA50 of SPY, 105.00, is above its SMA200 of 100.00.',
      'SPY has been rising over the last month.',
      'Price, averages and slope together put SPY in an uptrend.',
      'The VIX at 21.46 is elevated.',
      'Breadth is strong: 70 % of stocks are above their SMA50.',
      'Buyers had the day: 300 stocks rose and 100 fell.',
      'More stocks made a high of the year than a low: 30 against 3.',
    ]);
    expect(rulesFired[2]!.figures).toEqual([
      { field: 'index.slope_20_pct', value: 20, unit: 'percent a year' },
    ]);
    expect(rulesFired[4]!.figures).toEqual([{ field: 'vix.level', value: 21.456, unit: 'index points' }]);
    // All but the VIX speak for a trend up.
    expect(confidence).toBeCloseTo(7 / 8, 12);
  });

  it('quotes no number that is not among its figures', () => {
    for (const parts of [GOOD, { index: DOWN, vix: 'EXTREME_FEAR' as const }, { index: SIDEWAYS }]) {
      for (const { says, figures } of reading(parts).rulesFired) {
        const numbers = says.match(/(?<![A-Z\d])-?\d+(\.\d+)?/g) ?? [];
        expect(
          figures.map(({ value }) => value),
          says,
        ).toEqual(expect.arrayContaining(numbers.map(Number)));
      }
    }
  });

  it('fires no rule of which it knows nothing', () => {
    const nothing = marketRegime({
      indexSymbol: '',
      index: UNKNOWN,
      vix: null,
      vixLevel: Number.NaN,
      aboveSma50Pct: Number.NaN,
      advancers: Number.NaN,
      decliners: Number.NaN,
      newHighs: Number.NaN,
      newLows: Number.NaN,
    });
    expect(nothing).toMatchObject({ regime: null, indexTrend: null, rulesFired: [] });
    expect(nothing.confidence).toBeNaN();
  });
});
