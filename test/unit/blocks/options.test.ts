import { describe, expect, it } from 'vitest';
import { binomialPrice } from '../../../src/analysis/options/binomial-tree.ts';
import { forecastVolatility, pricingEdge, thetaDrag } from '../../../src/analysis/options/pricing-edge.ts';
import { midnightUtc } from '../../../src/base/calendar.ts';
import { chainState } from '../../../src/blocks/chain-state.ts';
import { componentScores } from '../../../src/blocks/component-scores.ts';
import { gex } from '../../../src/blocks/gex.ts';
import { options } from '../../../src/blocks/options.ts';
import type { VolatilityColumns } from '../../../src/market/chains.ts';
import type { VixState } from '../../../src/market/market-view.ts';
import { derived } from '../../support/derived.ts';
import { forAll, wholeBetween } from '../../support/for-all.ts';
import { CHAIN_DATE, type MadeChain, madeChain, pricedMade, strikesOf } from '../../support/made-chain.ts';
import {
  type DailyRow,
  dailyFromCloses,
  flatMinutes,
  marketOf,
  sessionsBefore,
  type ViewParts,
  viewOf,
} from '../../support/views.ts';

/** A walk around 100 that ends on 100. */
const CLOSES = Array.from(
  { length: 260 },
  (_, row) => 100 + 3 * Math.sin((259 - row) / 7) * Math.min(1, (259 - row) / 10),
);

function history(volatilities: readonly number[], before = CHAIN_DATE): VolatilityColumns {
  const time = Float64Array.from(sessionsBefore(before, volatilities.length), midnightUtc);
  return { time, implied: Float64Array.from(volatilities), realised: time.map(() => Number.NaN) };
}

const daily: readonly DailyRow[] = dailyFromCloses(CLOSES, 1000, CHAIN_DATE);

const viewWith = (made: MadeChain | null, parts: ViewParts = {}) =>
  viewOf({
    tradeDate: CHAIN_DATE,
    at: '15:30',
    daily,
    ...(made === null ? {} : { chain: madeChain(made) }),
    ...parts,
  });

const volatility = (moneyness: number): number => 0.25 - 0.1 * moneyness;
const YEAR = Array.from({ length: 250 }, (_, day) => 0.2 + (day % 100) / 1000);

describe('options', () => {
  it('says what the chain says', () => {
    const { nested } = derived(options, viewWith({ volatility }, { volatility: history(YEAR) }));
    expect(nested).toMatchObject({
      // 74 contracts of 4 expirations, 1,000 open and 100 traded each.
      chain_total_oi: 296_000,
      chain_volume_1d: 29_600,
      put_call_ratio: 1,
      unusual_activity: false,
      refresh_timestamp: '2024-03-13T19:00:00.000Z',
      sessions_old: 0,
    });
    expect(nested!.iv_skew).toBeGreaterThan(0.005);
    // 30-day volatility 0.25 in a year from 0.200 to 0.299.
    expect(nested!.iv_rank).toBeCloseTo((0.05 / 0.099) * 100, 1);
    // 50 days of each hundred lie below 0.25, and of the last 50 all; three are 0.25 to rounding.
    expect(nested!.iv_percentile).toBeGreaterThanOrEqual(60);
    expect(nested!.iv_percentile).toBeLessThanOrEqual(61.2);
    expect(nested!.theta_drag_15d).toBeCloseTo(29.28, 1);
    const strategies = JSON.parse(nested!.strategy_scores_json!);
    expect(Object.keys(strategies)).toHaveLength(8);
    expect(strategies[nested!.best_options_strategy!].score).toBe(
      Math.max(...Object.values<{ score: number }>(strategies).map(({ score }) => score)),
    );
    for (const { score, reasons } of Object.values<{ score: number; reasons: string[] }>(strategies)) {
      expect(score).toBeGreaterThanOrEqual(0);
      expect(score).toBeLessThanOrEqual(100);
      expect(reasons).toHaveLength(5);
    }
  });

  it('is null without a chain and without a history', () => {
    expect(derived(options, viewWith(null)).nested).toBeNull();
  });

  it('places the volatility that a source states where there is no chain', () => {
    const { nested } = derived(options, viewWith(null, { volatility: history([...YEAR, 0.25]) }));
    expect(nested).toMatchObject({ chain_total_oi: null, refresh_timestamp: null, unusual_activity: false });
    expect(nested!.iv_rank).toBeCloseTo((0.05 / 0.099) * 100, 6);
    // 50 days of each hundred lie below; of the last 50 days all do.
    expect(nested!.iv_percentile).toBeCloseTo((150 / 250) * 100, 6);
  });

  it('has no rank with 59 days before and one with 60', () => {
    const rank = (days: number) =>
      derived(options, viewWith({ volatility }, { volatility: history(YEAR.slice(0, days)) })).nested!
        .iv_rank;
    expect(rank(59)).toBeNull();
    expect(rank(60)).not.toBeNull();
  });

  it('does not see the history of the trade date itself', () => {
    const later = history([...YEAR, 9], '2024-03-14');
    const seen = derived(options, viewWith({ volatility }, { volatility: later })).nested!;
    expect(seen.iv_rank).toBeGreaterThan(40);
  });

  it('does not see a chain from after the instant', () => {
    expect(derived(options, viewWith({ clock: '15:31' })).nested).toBeNull();
    expect(derived(options, viewWith({ clock: '15:30' })).nested).not.toBeNull();
  });

  it('keeps counts without a price of the underlying, and takes that of the same date where there is one', () => {
    const chain = { ...madeChain({ volatility }), underlyingPrice: Number.NaN };
    const base = { tradeDate: CHAIN_DATE, at: '15:30', daily, chain };
    const unpriced = derived(options, viewOf(base)).nested!;
    expect(unpriced.chain_total_oi).toBe(296_000);
    expect([unpriced.theta_drag_15d, unpriced.iv_skew, unpriced.strategy_scores_json]).toEqual([
      null,
      null,
      null,
    ]);
    const traded = derived(options, viewOf({ ...base, intraday: flatMinutes('15:00', 20, 100) })).nested!;
    expect(traded.theta_drag_15d).toBeCloseTo(29.28, 1);
  });
});

describe('the instant of a chain', () => {
  const pricedAt = (made: MadeChain, parts: ViewParts = {}) =>
    derived(chainState, viewWith(made, parts)).nested!.chain!.priced;
  const planted = { expirations: [CHAIN_DATE, '2024-03-15'], volatility: () => 0.19 };

  // SciPy 1.17.1, norm.pdf(d1) / (S x volatility x sqrt(T)): S 100, K 99.5, 100, 100.5, r 0.04, T to 16:00.
  it.each([
    ['04:01', 0, [0.4366263100731527, 0.5676648057390333, 0.4448287778001288]],
    ['09:00', 0, [0.4766602321434187, 0.7427510946642025, 0.48649065539050906]],
    ['12:00', 0, [0.45486709361897015, 0.9825830466943793, 0.46575931125304]],
    ['09:00', 1, [0.24861525421992833, 0.2649109486505775, 0.2527847949639119]],
  ])('is its own: gammas and volatilities of %s', (clock, place, gammas) => {
    const { chain } = pricedAt({ ...planted, clock, strikes: strikesOf(98, 102, 0.5) })!;
    const { from, to } = chain.expirations[place]!;
    const { strike, gamma, volatility } = chain.strikes;
    for (const [index, expected] of gammas.entries()) {
      const row = strike.subarray(from, to).indexOf(99.5 + index / 2);
      expect(gamma[from + row]! / expected).toBeCloseTo(1, 4);
      expect(volatility[from + row]).toBeCloseTo(0.19, 5);
    }
  });

  it('gives back the planted volatility at any minute from the pre-market to the close', () => {
    forAll([wholeBetween(4 * 60 + 1, 15 * 60 + 30)], { numRuns: 40 }, (minute) => {
      const clock = [Math.trunc(minute / 60), minute % 60]
        .map((part) => `${part}`.padStart(2, '0'))
        .join(':');
      const { smiles } = pricedAt({ ...planted, clock, strikes: strikesOf(99, 101, 0.1) })!;
      expect(smiles).toHaveLength(2);
      for (const { atTheMoney } of smiles) expect(atTheMoney).toBeCloseTo(0.19, 4);
    });
  });

  it('of the evening is the close, whose quotes it has', () => {
    const [evening, close] = ['19:00', '16:00'].map(
      (clock) => pricedAt({ date: '2024-03-12', clock, spot: 100, expirations: ['2024-03-15'] })!.chain,
    );
    expect(evening!.at).toBe(close!.at);
  });

  it('has the price of its own minute where it states none', () => {
    const chain = (clock: string) => ({ ...madeChain({ ...planted, clock }), underlyingPrice: Number.NaN });
    const intraday = [
      ...flatMinutes('08:50', 5, 99),
      ...flatMinutes('09:05', 5, 101),
      ...flatMinutes('15:00', 5, 90),
    ];
    const spot = (clock: string, minutes = intraday) =>
      derived(chainState, viewWith(null, { chain: chain(clock), intraday: minutes })).nested!.chain!.priced
        ?.chain.spot;
    expect([spot('09:00'), spot('09:20'), spot('08:50')]).toEqual([99, 101, undefined]);
    expect(spot('09:00', flatMinutes('15:00', 5, 90))).toBeUndefined();
  });
});

describe('the pricing edge', () => {
  // Worth by the tree at the forecast against planted middles.
  const edgeAt = (planted: number, forecast: number) =>
    pricingEdge(pricedMade({ volatility: () => planted, style: 'american' }), forecast);

  it('is fair where forecast and market agree, and has its sides', () => {
    const fair = edgeAt(0.25, 0.25);
    expect(fair.bull).toBeGreaterThan(4.7);
    expect(fair.bull).toBeLessThan(5.4);
    expect(edgeAt(0.25, 0.3).bull).toBeGreaterThan(fair.bull);
    expect(edgeAt(0.25, 0.2).bear).toBeLessThan(fair.bear);
    expect(edgeAt(0.25, 0.6).bull).toBe(10);
    expect(edgeAt(0.25, 0.05).bear).toBe(0);
    expect(edgeAt(0.25, Number.NaN).bull).toBeNaN();
  });

  it('is the value over the market of the contracts at 50 and 25 delta', () => {
    const chain = pricedMade({ volatility: () => 0.25, style: 'american' });
    const { forward, years, discount } = chain.expirations[2]!;
    const worth = [100, 105].map((strike) => binomialPrice(1, 100, forward, strike, years, 0.3, discount));
    const asked = [100, 105].map((strike) => binomialPrice(1, 100, forward, strike, years, 0.25, discount));
    const expected = worth[0]! + worth[1]!;
    const { calls } = pricingEdge(chain, 0.3);
    // Deltas of 100 and 105 are 0.54 and 0.30; 107.5 has 0.21.
    const at105 = expected / (asked[0]! + asked[1]!) - 1;
    expect(Math.abs(calls - at105)).toBeLessThan(0.06);
  });

  it('looks at expirations of 14 to 60 days', () => {
    const only = (...expirations: string[]) => pricingEdge(pricedMade({ expirations }), 0.25).bull;
    expect(only('2024-03-26')).toBeNaN();
    expect(only('2024-03-27')).not.toBeNaN();
    expect(only('2024-05-10')).not.toBeNaN();
    expect(only('2024-05-13')).toBeNaN();
  });
});

describe('forecastVolatility', () => {
  it('is the root of the mean of two variances', () => {
    // Steps of 1 % up and down for 63 returns, of 2 % in the last 21: variances a day 0.0004 and
    // (42 x 0.0001 + 21 x 0.0004) / 63 = 0.0002, a year x 252, mean 0.0756, root 0.274955.
    const closes = [100];
    for (let row = 0; row < 63; row++)
      closes.push(closes.at(-1)! * Math.exp((row % 2 ? 1 : -1) * (row >= 42 ? 0.02 : 0.01)));
    expect(forecastVolatility(Float64Array.from(closes))).toBeCloseTo(0.2749545416973504, 10);
    expect(forecastVolatility(Float64Array.from(closes.slice(1)))).toBeNaN();
  });
});

it('theta drag of 15 of 30 days is a little under 1 - sqrt(1/2) of the premium on a flat term structure', () => {
  // 1 - (2 N(s/2 sqrt(15/365)) - 1) / (2 N(s/2 sqrt(30/365)) - 1), Python's statistics module.
  expect(thetaDrag(0.25, 0.25)).toBeCloseTo(29.281754952784688, 9);
  expect(thetaDrag(Number.NaN, 0.25)).toBeNaN();
  expect(thetaDrag(0.25, Number.NaN)).toBeNaN();
});

it('theta drag is what the term structure has for the first half of the life', () => {
  // 30 x 0.3^2 - 15 x 0.4^2 = 0.3 of 2.7, 30 x 0.3^2 - 15 x 0.2^2 = 2.1 of 2.7, Python's statistics module.
  expect(thetaDrag(0.3, 0.4)).toBeCloseTo(66.65753424672954, 9);
  expect(thetaDrag(0.3, 0.2)).toBeCloseTo(11.802250220138689, 9);
  expect(thetaDrag(0.3, 0.43)).toBeNaN();
});

describe('gex', () => {
  it('has the side of the open interest and its flip', () => {
    const book = (strike: number, right: 1 | -1) =>
      right > 0 ? (strike >= 105 ? 2000 : 0) : strike <= 90 ? 1000 : 0;
    const { flat } = derived(gex, viewWith({ openInterest: book }));
    expect(flat.gex_regime).toBe('long_gamma');
    expect(flat.gex_gamma_flip).toBeGreaterThan(90);
    expect(flat.gex_gamma_flip).toBeLessThan(100);
  });

  it('is null without a chain, and where most of the open interest is not quoted', () => {
    const none = { gex_regime: null, gex_gamma_flip: null };
    expect(derived(gex, viewWith(null)).flat).toEqual({
      ...none,
      gex_source_time: null,
      gex_sessions_old: null,
    });
    const dark = viewWith({
      revise: (contract) => (contract.strike > 80 ? { ...contract, bid: 0 } : contract),
    });
    expect(derived(gex, dark).flat).toEqual({
      ...none,
      gex_source_time: '2024-03-13T19:00:00.000Z',
      gex_sessions_old: 0,
    });
  });
});

describe('component scores of a chain', () => {
  const VIX: VixState = { symbol: '^VIX', level: 15, change1dPct: null, percentile252: null };
  const scoresIn = (view: ReturnType<typeof viewWith>, vix: VixState | null) =>
    derived(componentScores, view, marketOf(view, { vix })).flat;

  it('are there with chain, history and VIX', () => {
    const flat = scoresIn(viewWith({ volatility }, { volatility: history(YEAR) }), VIX);
    for (const pair of ['iv', 'pricing_edge', 'greek_alignment'] as const) {
      for (const side of ['bull', 'bear'] as const) {
        const score = flat[`${pair}_${side}`];
        expect(score, `${pair}_${side}`).toBeGreaterThanOrEqual(0);
        expect(score, `${pair}_${side}`).toBeLessThanOrEqual(10);
      }
    }
  });

  it('greek_alignment is that of the regime, and null without the VIX', () => {
    const calls = viewWith({ openInterest: (_, right) => (right > 0 ? 3000 : 1000) });
    expect(scoresIn(calls, VIX).greek_alignment_bull).toBeGreaterThan(5);
    expect(scoresIn(calls, VIX).greek_alignment_bear).toBe(0);
    expect(scoresIn(calls, null).greek_alignment_bull).toBeNull();
    // Calls near the money, puts that hold delta but no gamma: fear weighs gamma more.
    const split = viewWith({
      openInterest: (strike, right) => (right > 0 ? (strike === 100 ? 4000 : 0) : strike >= 130 ? 700 : 0),
    });
    const calm = scoresIn(split, { ...VIX, level: 12 });
    const fear = scoresIn(split, { ...VIX, level: 35 });
    expect(calm.greek_alignment_bull! - calm.greek_alignment_bear!).toBeLessThan(
      fear.greek_alignment_bull! - fear.greek_alignment_bear!,
    );
  });
});
