import { describe, expect, it } from 'vitest';
import { scoreTable } from '../../../src/analysis/scoring/components.ts';
import { nearestFlip } from '../../../src/analysis/scoring/flip.ts';
import { FAST_INPUTS, type FastInputs, INPUT_NAMES } from '../../../src/analysis/scoring/inputs.ts';
import { hundredths, twoSided } from '../../../src/analysis/scoring/ledger.ts';
import { fastInputs, priceAt } from '../../../src/analysis/scoring/session.ts';
import { bias } from '../../../src/analysis/scoring/tiers.ts';
import { V3_WEIGHTS, V5_WEIGHTS, V45_WEIGHTS } from '../../../src/analysis/scoring/weights.ts';
import { componentScores } from '../../../src/blocks/component-scores.ts';
import { confluence } from '../../../src/blocks/confluence.ts';
import { confluenceComponents } from '../../../src/blocks/confluence-components.ts';
import { confluenceV5 } from '../../../src/blocks/confluence-v5.ts';
import { convictionV5 } from '../../../src/blocks/conviction-v5.ts';
import { dayContext } from '../../../src/blocks/day-context.ts';
import { levels } from '../../../src/blocks/levels.ts';
import { momentumHealthV5 } from '../../../src/blocks/momentum-health-v5.ts';
import { regimeV5 } from '../../../src/blocks/regime-v5.ts';
import { scoreInputs } from '../../../src/blocks/score-inputs.ts';
import { strategies } from '../../../src/blocks/strategies.ts';
import type { Breadth } from '../../../src/market/market-view.ts';
import type { StockView } from '../../../src/market/stock-view.ts';
import { derived } from '../../support/derived.ts';
import { indexWith, reportWith } from '../../support/reported.ts';
import { logBar, minuteOf, rowsOf } from '../../support/session-path.ts';
import { expectClose, figures, words } from '../../support/tables.ts';
import {
  type DailyRow,
  dailyFromCloses,
  fact,
  flatMinutes,
  type IntradayRow,
  instant,
  marketOf,
  sessionsBefore,
  TRADE_DATE,
  type ViewParts,
  viewOf,
} from '../../support/views.ts';
import { expectLedgers } from './expect-ledgers.ts';

const MINUTE = 60_000;

/** Two years of days and two days of minutes of a stock that swings; `sign` -1 is the same in a log mirror about 100. */
function swinging(sign = 1, parts: ViewParts = {}): StockView {
  const day = (row: number): number =>
    0.025 * Math.sin(row / 17) + 0.01 * Math.sin(row / 5) + 0.004 * Math.sin(2 * row);
  const daily = sessionsBefore(TRADE_DATE, 500).map((date, row): DailyRow => {
    const bar = logBar(sign, day(row - 1), day(row), 0.004);
    return [date, ...bar, 1_000_000 + 300_000 * Math.sin(row)];
  });
  const path = (start: number, m: number): number =>
    start + 0.008 * Math.sin(m / 60) + 0.002 * Math.sin(m / 7);
  const minutesFrom = (start: number): IntradayRow[] =>
    Array.from({ length: 390 }, (_, m) => {
      const bar = logBar(sign, path(start, m - 1), path(start, m), 0.0003);
      return [minuteOf(m), ...bar, 2000 + 500 * Math.cos(m / 30)];
    });
  return viewOf({
    at: '15:47',
    daily,
    intraday: minutesFrom(day(500)),
    priorIntraday: minutesFrom(day(499)),
    ...parts,
  });
}

/** Thirty days from 99 to 101 that close at 100: ATR 2. */
const CALM = dailyFromCloses(Array(30).fill(100));

const stateOf = (view: StockView) => derived(scoreInputs, view).nested!;
const scoresOf = (view: StockView) => derived(confluence, view).flat;

describe('score_inputs', () => {
  it('are those of a day by hand', () => {
    // 30 days from 99 to 101 that close at 100: ATR 2. An hour at 101 and an hour at 103, yesterday at half the volume.
    const view = viewOf({
      at: '11:30',
      daily: CALM,
      intraday: [...flatMinutes('9:30', 60, 101), ...flatMinutes('10:30', 60, 103)],
      priorIntraday: flatMinutes('9:30', 390, 100, 50),
    });
    const { inputs } = stateOf(view);
    // R3 = 101 + 2 x (100 - 99) is the price; nothing lies above it.
    const expected = figures`
      intraday_return_atr 1.5, vwap_atr 0.5, volume_pace 2, orb_lean 1, orb_high_atr 1, orb_low_atr 1,
      support_atr 0, resistance_atr 2, resistance_strength 0`;
    expectClose(inputs, expected, 12);
    expect(inputs.momentum_blend).toBeNaN();
    expect(inputs.vix).toBeNaN();
  });

  it('of the instant are those of the same view', () => {
    for (const at of ['9:20', '9:33', '9:52', '10:10', '13:00', '15:59', '18:00']) {
      const view = swinging(1, { at });
      const { inputs } = stateOf(view);
      expect(inputs.trend_score, at).toBe(derived(dayContext, view).nested?.trend_score ?? Number.NaN);
      const bands = derived(levels, view).nested!;
      expect(Number.isNaN(inputs.vwap_atr), at).toBe(bands.vwap === null);
      expect(Number.isNaN(inputs.orb_lean), at).toBe(bands.orb_5m_status === null);
    }
  });

  it('of an earlier instant are what a view cut off there has, while the session runs and after it', () => {
    const closed: DailyRow = [TRADE_DATE, 100, 130, 70, 90, 9_000_000];
    const dates = sessionsBefore(TRADE_DATE, 500);
    const rows = rowsOf(swinging().daily, (row) => dates[row]!);
    for (const now of [swinging(), swinging(1, { at: '20:00', daily: [...rows, closed] })]) {
      const { path } = stateOf(now);
      for (const at of ['9:31', '9:35', '9:59', '10:00', '10:45', '12:30', '15:47']) {
        const cut = stateOf(swinging(1, { at })).inputs;
        const time = instant(TRADE_DATE, at);
        const then: FastInputs = fastInputs(path, time, priceAt(path, time));
        for (const name of FAST_INPUTS) expect(then[name], `${at} ${name}`).toBe(cut[name]);
      }
    }
  });

  it('of an earlier instant are those of the cut view on five-minute bars too', () => {
    const steps = Array.from({ length: 78 }, (_, step): IntradayRow => {
      const price = 100 + Math.sin(step / 6);
      return [minuteOf(5 * step), price, price + 0.2, price - 0.2, price + 0.1, 1000 + step];
    });
    const at = (clock: string) =>
      stateOf(swinging(1, { at: clock, interval: '5m', intraday: steps, priorIntraday: steps }));
    const { path } = at('15:00');
    for (const clock of ['9:35', '9:48', '10:30', '14:59']) {
      const time = instant(TRADE_DATE, clock);
      const cut = at(clock).inputs;
      const then: FastInputs = fastInputs(path, time, priceAt(path, time));
      for (const name of FAST_INPUTS) expect(then[name], `${clock} ${name}`).toBe(cut[name]);
      expect(cut.volume_pace, clock).toBeCloseTo(1, 12);
    }
  });

  it('are held or fast, and every one of them is gathered', () => {
    expect(Object.keys(stateOf(swinging()).inputs).sort()).toEqual([...INPUT_NAMES].sort());
    const known = Object.entries(stateOf(swinging()).inputs).filter(([, value]) => !Number.isNaN(value));
    expect(known.length).toBeGreaterThan(22);
  });

  it('of a fragment of a finished session have no volume, no VWAP and no trend', () => {
    const { inputs } = stateOf(swinging(1, { at: '20:00', intradayWhole: false }));
    expect([inputs.vwap_atr, inputs.volume_pace, inputs.trend_score, inputs.orb_lean]).toEqual(
      Array(4).fill(Number.NaN),
    );
    expect(inputs.intraday_return_atr).not.toBeNaN();
  });
});

describe('component_scores', () => {
  it('are the table, null where an input is missing', () => {
    const view = swinging();
    const { table } = stateOf(view);
    const { flat } = derived(componentScores, view);
    expect(flat.proximity_bull).toBe(table.proximity!.bull);
    expect(flat.momentum_trend_bear).toBe(table.momentum_trend!.bear);
    expect(flat.orb_structure_bull).toBe(table.orb_structure!.bull);
    for (const field of words`iv_bull iv_bear pricing_edge_bull greek_alignment_bear vix_regime_bull`) {
      expect(flat[field as keyof typeof flat], field).toBeNull();
    }
    expect(Object.keys(flat)).toHaveLength(28);
  });

  it('change sides in a log mirror of the path', () => {
    const one = derived(componentScores, swinging()).flat as Record<string, number | null>;
    const other = derived(componentScores, swinging(-1)).flat as Record<string, number | null>;
    // Averages and ranges of prices are not averages and ranges of their logarithms: half a point of ten. The
    // levels of proximity are sums of prices, and no pattern is asked to have a mirror image.
    const SYMMETRIC = words`volatility volume day_type momentum_trend orb_structure orb_proximity intraday_return`;
    for (const name of SYMMETRIC) {
      expect(Math.abs(one[`${name}_bull`]! - other[`${name}_bear`]!), name).toBeLessThan(0.5);
      expect(Math.abs(one[`${name}_bear`]! - other[`${name}_bull`]!), name).toBeLessThan(0.5);
    }
    const leaning = SYMMETRIC.filter((name) => Math.abs(one[`${name}_bull`]! - one[`${name}_bear`]!) > 1);
    expect(leaning.length).toBeGreaterThan(3);
  });
});

describe('confluence', () => {
  it('is what its ledgers say', () => {
    const view = swinging();
    const { table, inputs } = stateOf(view);
    const flat = scoresOf(view);
    const v3 = twoSided(table, V3_WEIGHTS);
    expect(flat.confluence_score).toBe(Math.max(v3.bull.score, v3.bear.score));
    expect(flat.scoring_version).toBe('v5');
    expect(flat.confluence_computed_at).toBe(new Date(view.asOf).toISOString());
    expect(flat.net_confluence).toBe(hundredths(flat.bullish_confluence! - flat.bearish_confluence!));
    expect(flat.conviction_max_v5).toBe(Math.max(flat.bullish_confluence!, flat.bearish_confluence!));
    expect(flat.conflict_min_v5).toBe(Math.min(flat.bullish_confluence!, flat.bearish_confluence!));
    expect(flat.score_warnings).toEqual([]);
    const block = derived(confluenceV5, view).nested!;
    expect([block.bull, block.bear, block.net]).toEqual([
      flat.bullish_confluence,
      flat.bearish_confluence,
      flat.net_confluence,
    ]);
    expect(block.directional_bias).toBe(flat.directional_bias_v5);
    expectLedgers(block, V5_WEIGHTS);
    const iv = block.bull_ledger.find((line) => line.component === 'iv');
    expect(iv).toMatchObject({
      status: 'missing',
      weight: 0,
      contribution: 0,
      score: null,
      note: 'without IV rank, IV skew',
    });
    const flip = nearestFlip(inputs, table, V5_WEIGHTS, twoSided(table, V5_WEIGHTS))!;
    expect(block.nearest_flip).toMatchObject({ input: flip.input, label_to: flip.labelTo });
    // Rounded to four places, on in its direction.
    const onward = (block.nearest_flip!.to - flip.to) * Math.sign(flip.to - flip.from);
    expect(onward).toBeGreaterThanOrEqual(0);
    expect(onward).toBeLessThan(1e-4);
  });

  it('has eight pairs in v4.5', () => {
    const view = swinging();
    const { nested } = derived(confluenceComponents, view);
    expect(nested!.components.map((pair) => pair.component)).toEqual(V45_WEIGHTS.map(([name]) => name));
    const sum = nested!.components.reduce((total, pair) => total + pair.bear_contribution, 0);
    expect(Math.abs(sum - nested!.bearish_score!)).toBeLessThan(1e-9);
    expect(nested!.components[0]!.note).toMatch(
      /^support [\d.]+ ATR, support strength [\d.]+, resistance [\d.]+ ATR/,
    );
    expect(nested!.components[4]!.note).toBe('without IV rank, IV skew');
  });

  it('works on daily bars alone', () => {
    const view = viewOf({
      daily: dailyFromCloses(Array.from({ length: 300 }, (_, row) => 100 + 0.2 * row + Math.sin(row))),
    });
    const flat = scoresOf(view);
    expect(flat.bullish_confluence).not.toBeNull();
    expect(flat.directional_bias).toBe('bullish');
    expect(derived(convictionV5, view).nested).toBeNull();
  });

  it('is null below half of its weights, and the ledger is served all the same', () => {
    const view = viewOf({
      daily: dailyFromCloses(Array.from({ length: 25 }, (_, row) => 100 + Math.sin(row))),
    });
    const flat = scoresOf(view);
    expect(flat.bullish_confluence).toBeNull();
    expect(flat.directional_bias).toBeNull();
    expect(flat.bullish_tier).toBeNull();
    const { nested } = derived(confluenceV5, view);
    expect(nested).toMatchObject({ bull: null, bear: null, net: null, nearest_flip: null });
    expect(nested!.weight_available).toBeLessThan(0.5);
    expect(nested!.bull_ledger.some((line) => line.status === 'scored')).toBe(true);
    expect(nested!.bull_ledger.every((line) => line.contribution === 0)).toBe(true);
  });

  it('reads the VIX of the market and the results of the company', () => {
    const reported = reportWith({ date: '2024-03-08', epsEstimate: 1, epsActual: 1.2, time: 'post_market' });
    const view = swinging(1, { facts: [fact('earnings_report', instant('2024-03-08', '16:30'), reported)] });
    const market = marketOf(view, {
      vix: { symbol: '^VIX', level: 30, change1dPct: null, percentile252: null },
    });
    const { flat } = derived(componentScores, view, market);
    expect([flat.vix_regime_bull, flat.vix_regime_bear]).toEqual([0, 10]);
    expect([flat.event_proximity_bull, flat.event_proximity_bear]).toEqual([10, 0]);
  });

  // A stock whose close has never moved has an RSI of 0 by TA-Lib's convention.
  it.each([
    [
      'a severe decline',
      flatMinutes('9:30', 120, 95),
      words`intraday_decline_severe extreme_rsi circuit_breaker_active`,
    ],
    ['what has gone stale', flatMinutes('9:30', 89, 100), words`score_stale conviction_stale feed_stale`],
  ])('warns of %s', (_, intraday, warnings) => {
    expect(scoresOf(viewOf({ at: '11:30', daily: CALM, intraday })).score_warnings).toEqual(warnings);
  });
});

describe('conviction_v5', () => {
  const view = swinging();
  const state = stateOf(view);
  /** The canonical net score with the fast inputs of a view that is cut off at the clock. */
  const netOf = (clock: string): number => {
    const cut = stateOf(swinging(1, { at: clock })).inputs;
    const fast = Object.fromEntries(FAST_INPUTS.map((name) => [name, cut[name]])) as unknown as FastInputs;
    const { bull, bear } = twoSided(scoreTable({ ...state.inputs, ...fast }), V5_WEIGHTS);
    return bull.score - bear.score;
  };
  const clocks = words`9:35 10:0 10:30 11:0 11:30 12:0 12:30 13:0 13:30 14:0 14:30 14:47 15:0 15:30 15:47`;
  const nets = clocks.map(netOf);

  it('follows the net score through the session', () => {
    const { nested, flat } = derived(convictionV5, view);
    expect(nested!.observations).toBe(clocks.length);
    expect(nested!.current).toBeCloseTo(scoresOf(view).net_confluence!, 9);
    expect(nested!.session_high).toBeCloseTo(Math.max(...nets), 9);
    expect(nested!.session_low).toBeCloseTo(Math.min(...nets), 9);
    expect(nested!.session_change).toBeCloseTo(nets.at(-1)! - nets[0]!, 9);
    expect(flat.conviction_v5_session_open).toBeCloseTo(nets[0]!, 9);
    expect(flat.conviction_v5_lookback).toBeCloseTo(netOf('14:47'), 9);
    expect(flat.conviction_v5_lookback_minutes).toBe(60);
    expect(flat.conviction_v5_velocity).toBeCloseTo(nets.at(-1)! - netOf('14:47'), 9);
    expect(flat.conviction_v5_delta_valid).toBe(true);
    const mean = nets.reduce((sum, net) => sum + net, 0) / nets.length;
    const deviation = Math.sqrt(nets.reduce((sum, net) => sum + (net - mean) ** 2, 0) / nets.length);
    expect(flat.conviction_v5_stability).toBeCloseTo(Math.max(0, 1 - deviation / 25), 9);
  });

  it('counts the minutes of the side that leads, and says whether another led within the lookback', () => {
    const { nested, flat } = derived(convictionV5, view);
    const sides = nets.map((net) => bias(net));
    const start = sides.findLastIndex((side) => side !== sides.at(-1)) + 1;
    const minutes = (instant(TRADE_DATE, '15:47') - instant(TRADE_DATE, clocks[start]!)) / MINUTE;
    expect(new Set(sides).size, 'the day has to change sides').toBeGreaterThan(1);
    expect(flat.conviction_v5_direction_minutes).toBe(minutes);
    expect(flat.conviction_v5_direction_flip).toBe(minutes < 60);
    expect(nested!.direction).toBe({ bullish: 'bull', bearish: 'bear', neutral: 'mixed' }[sides.at(-1)!]);
  });

  it('looks back less far in the first hour, and starts at 9:35', () => {
    expect(derived(convictionV5, swinging(1, { at: '9:34' })).nested).toBeNull();
    const first = derived(convictionV5, swinging(1, { at: '9:35' }));
    expect(first.nested!.observations).toBe(1);
    expect(first.flat).toMatchObject({
      conviction_v5_lookback_minutes: 0,
      conviction_v5_velocity: null,
      conviction_v5_stability: null,
      conviction_v5_delta_valid: false,
    });
    const early = derived(convictionV5, swinging(1, { at: '10:05' })).flat;
    expect(early.conviction_v5_lookback_minutes).toBe(30);
    const { current } = derived(convictionV5, swinging(1, { at: '10:05' })).nested!;
    expect(early.conviction_v5_velocity).toBeCloseTo(2 * (current! - early.conviction_v5_lookback!), 9);
  });

  it('does not change after the close', () => {
    const at = (clock: string) => derived(convictionV5, swinging(1, { at: clock }));
    const { computed_at: _, ...close } = at('16:00').nested!;
    const { computed_at: __, ...evening } = at('19:00').nested!;
    expect(evening).toEqual(close);
    expect(at('19:00').flat).toEqual(at('16:00').flat);
  });

  it('is no delta on bars that are older than 15 minutes', () => {
    const rows = rowsOf(swinging().intraday, minuteOf);
    // Bars to 15:32 at 15:47 are 15 minutes old, to 15:31 they are 16.
    const until = (last: number) =>
      derived(convictionV5, swinging(1, { intraday: rows.slice(0, last) })).flat;
    expect(until(362).conviction_v5_delta_valid).toBe(true);
    expect(until(361).conviction_v5_delta_valid).toBe(false);
  });

  it('is null without regular intraday bars', () => {
    expect(derived(convictionV5, swinging(1, { intraday: [] })).nested).toBeNull();
    expect(derived(convictionV5, swinging(1, { at: '20:00', intradayWhole: false })).nested).toBeNull();
  });
});

describe('an index', () => {
  const view = { ...swinging(), symbol: '^VIX' };

  it('has no score of any kind, and says why', () => {
    expect(derived(confluence, swinging()).flat.bullish_confluence).not.toBeNull();
    const { score_warnings: warnings, ...scores } = derived(confluence, view).flat;
    expect(warnings[0]).toBe('index_not_scored');
    for (const [name, score] of Object.entries(scores)) expect(score, name).toBeNull();
    for (const [name, score] of Object.entries(derived(componentScores, view).flat)) {
      expect(score, name).toBeNull();
    }
    expect(derived(confluenceComponents, view).nested).toBeNull();
    expect(derived(confluenceV5, view).nested).toBeNull();
    expect(derived(convictionV5, view).nested).toBeNull();
    expect(derived(momentumHealthV5, view).nested).toBeNull();
    expect(derived(strategies, view).nested).toEqual([]);
  });
});

describe('regime_v5', () => {
  it('serves the stock without a market', () => {
    const { nested } = derived(regimeV5, swinging());
    expect(nested).toMatchObject({ vix: null, vix_regime: null, breadth: null, index_trend: null });
    expect(nested!.trend_regime).not.toBeNull();
    expect(nested!.volatility_regime).not.toBeNull();
  });

  it('serves the market beside it', () => {
    const view = swinging();
    const index = indexWith(figures`
      last 500, return1dPct 0, return5dPct 0, return20dPct 0, sma50 490, sma200 450, slope20Pct 15`);
    const breadth = figures<Breadth>`
      stocks 10, advancers 6, decliners 4, aboveSma50 0.7, aboveSma200 0.6, newHighs252 1, newLows252 0`;
    const vix = { symbol: '^VIX', level: 31, change1dPct: 3, percentile252: 96 };
    const { nested } = derived(regimeV5, view, marketOf(view, { index, breadth, vix }));
    expect(nested).toMatchObject({
      regime: 'volatile',
      vix: 31,
      vix_regime: 'EXTREME_FEAR',
      vix_percentile: 96,
      breadth: 0.7,
      index_trend: 'up',
    });
    expect(nested!.rules_fired).toContain('vix_extreme_fear');
    expect(nested!.rules_fired).toContain('breadth_strong');
  });
});

describe('momentum_health_v5', () => {
  it('sums to its score', () => {
    const climb = dailyFromCloses(
      Array.from({ length: 300 }, (_, row) => 100 + 0.3 * row + 2 * Math.sin(row)),
    );
    const { nested } = derived(momentumHealthV5, viewOf({ daily: climb }));
    expect(nested!.direction).toBe('up');
    const sum = nested!.ledger.reduce((total, line) => total + line.contribution, 0);
    expect(Math.abs(sum - nested!.score!)).toBeLessThan(1e-9);
    expect(nested!.ledger.map((line) => line.component)).toEqual(
      words`pace acceleration room rsi_room participation`,
    );
  });
});

describe('strategies', () => {
  it('are [] when none fits, and quote their inputs when one does', () => {
    const still = viewOf({
      at: '11:30',
      daily: CALM,
      intraday: flatMinutes('9:30', 120, 100),
    });
    expect(derived(strategies, still).nested).toEqual([]);
    const rising = viewOf({
      at: '11:30',
      daily: CALM,
      intraday: [
        ...flatMinutes('9:30', 1, 100),
        ...flatMinutes('9:31', 59, 101.5),
        ...flatMinutes('10:30', 60, 101.8),
      ],
      priorIntraday: flatMinutes('9:30', 390, 100, 50),
    });
    const [first] = derived(strategies, rising).nested!;
    expect(first).toMatchObject({
      strategy: 'orb_breakout_long',
      match_score: 100,
      trigger: 101.5,
      stop: 100.75,
      target: 103,
      rr_ratio: 2,
    });
    // From 101.8 to 103 over from 101.8 to 100.75.
    expect(first!.r_now).toBeCloseTo(1.2 / 1.05, 9);
    expect(first!.rationale).toBe(
      'All 5 conditions hold: ORB lean 1, price 101.80, ORB high 101.50, ORB low 100.00, VWAP 0.08 ATR, volume pace 2, intraday return 0.9 ATR.',
    );
  });
});
