import { describe, expect, it } from 'vitest';
import { ENTRY_WEIGHTS } from '../../../src/analysis/scoring/entry.ts';
import { hundredths } from '../../../src/analysis/scoring/ledger.ts';
import { entryV2 } from '../../../src/blocks/entry-v2.ts';
import { pulseV5 } from '../../../src/blocks/pulse-v5.ts';
import type { MarketView } from '../../../src/market/market-view.ts';
import type { StockView } from '../../../src/market/stock-view.ts';
import { derived } from '../../support/derived.ts';
import { indexWith } from '../../support/reported.ts';
import { clockOf, swingingSession } from '../../support/session-path.ts';
import { absent, words } from '../../support/tables.ts';
import {
  dailyFromCloses,
  type FlowRow,
  fact,
  flatMinutes,
  instant,
  marketOf,
  TRADE_DATE,
  type ViewParts,
  viewOf,
} from '../../support/views.ts';
import { expectLedgers } from './expect-ledgers.ts';

const entry = (view: StockView, market?: MarketView) => derived(entryV2, view, market);
const NOTHING = absent`
  bullish_entry_score bearish_entry_score net_entry_score entry_score_completeness entry_gates_passed
  entry_failed_gates entry_gex_modifier entry_score_computed_at`;

/** Thirty days from 99 to 101 that close at 100 and trade 600,000 shares: ATR 2, pivots at every dollar from 97 to 103. */
const CALM = dailyFromCloses(Array(30).fill(100), 600_000);

/** An hour at 100.9, half an hour at 101.6, ten minutes at 101.1 and then at 101.2. */
const RISEN: ViewParts = {
  at: '11:30',
  daily: CALM,
  intraday: [
    ...flatMinutes('9:30', 60, 100.9),
    ...flatMinutes('10:30', 40, 101.6),
    ...flatMinutes('11:10', 15, 101.1),
    ...flatMinutes('11:25', 5, 101.2),
  ],
};

describe('entry_v2', () => {
  it('is that of a day by hand', () => {
    const view = viewOf(RISEN);
    const { nested, flat } = entry(view);
    const lines = Object.fromEntries(nested!.bull_ledger.map((line) => [line.component, line]));
    // VWAP (60 x 100.9 + 40 x 101.6 + 15 x 101.1 + 5 x 101.2) / 120 = 101.17083 is the nearest level below, R2 = 102
    // the nearest above.
    const below = (101.2 - 101.170_833_333) / 2;
    expect(lines.level!.inputs.level_below_atr).toBeCloseTo(below, 6);
    expect(lines.room!.inputs.level_above_atr).toBeCloseTo(0.4, 9);
    expect(lines.pullback!.inputs.off_high_atr).toBeCloseTo(0.2, 9);
    expect(lines.pullback!.inputs.off_low_atr).toBeCloseTo(0.15, 9);
    expect(lines.turn!.inputs.turn_atr).toBeCloseTo(0.05, 9);
    const pulse = derived(pulseV5, view).flat.pulse_bull!;
    // Level 10 x (1 - below / 0.1), room whole, no advance to pull back from, turn 10 / 3, no prints.
    const points = 25 * (1 - below / 0.1) + 20 + 0 + 5 + 0.15 * pulse;
    expect(flat.entry_score_completeness).toBeCloseTo(0.9, 12);
    expect(flat.bullish_entry_score).toBe(hundredths(points / 0.9));
    expect(flat.net_entry_score).toBe(hundredths(flat.bullish_entry_score! - flat.bearish_entry_score!));
    expect(flat.entry_score_computed_at).toBe(new Date(view.asOf).toISOString());
    expect(flat.entry_gex_modifier).toBeNull();
    expect(lines.flow_turn).toMatchObject({
      status: 'missing',
      note: 'without recent CVD, CVD divergence',
    });
  });

  it('is what its ledgers say', () => {
    const { nested, flat } = entry(swingingSession(1));
    expect([nested!.bull, nested!.bear, nested!.net, nested!.computed_at]).toEqual([
      flat.bullish_entry_score,
      flat.bearish_entry_score,
      flat.net_entry_score,
      flat.entry_score_computed_at,
    ]);
    expectLedgers(nested!, ENTRY_WEIGHTS);
    expect(flat.entry_score_completeness).toBeCloseTo(1, 12);
  });

  it('reads the prints of the last 15 minutes', () => {
    // Sellers until 11:15, buyers from then on.
    const flow = Array.from({ length: 120 }, (_, m): FlowRow => {
      const [buyByQuote, sellByQuote] = m < 105 ? [100, 300] : [300, 200];
      return [clockOf(570 + m), { buyByQuote, sellByQuote }];
    });
    const { nested } = entry(viewOf({ ...RISEN, flow }));
    const line = nested!.bull_ledger.find(({ component }) => component === 'flow_turn')!;
    expect(line.inputs.recent_cvd_pct).toBeCloseTo(20, 9);
    expect(line.score).toBe(10);
  });

  it('changes sides in a log mirror of the path, but for levels, which are sums of prices', () => {
    for (const at of ['9:50', '11:00', '13:00', '15:30']) {
      const [one, other] = [swingingSession(1, { at }), swingingSession(-1, { at })].map(
        (view) => entry(view).nested!,
      );
      for (const part of ['pullback', 'turn', 'flow_turn', 'pulse']) {
        const score = (ledger: typeof one) =>
          ledger!.bull_ledger.find(({ component }) => component === part)!.score!;
        const mirrored = other!.bear_ledger.find(({ component }) => component === part)!.score!;
        // Ranges of prices are not those of their logarithms: a tenth.
        expect(Math.abs(score(one) - mirrored), `${at} ${part}`).toBeLessThan(1);
      }
    }
  });

  it('is null while there is nothing to enter', () => {
    for (const at of ['9:20', '9:30', '16:00', '20:00']) {
      expect(entry(swingingSession(1, { at })), at).toEqual({ nested: null, flat: NOTHING });
    }
    for (const at of ['9:31', '15:59']) expect(entry(swingingSession(1, { at })).nested, at).not.toBeNull();
    expect(entry(viewOf({ at: '11:00', daily: CALM }))).toEqual({ nested: null, flat: NOTHING });
  });

  it('has gates even where it has no scores', () => {
    const { nested, flat } = entry(viewOf({ at: '9:33', intraday: flatMinutes('9:30', 3, 100) }));
    expect(flat).toMatchObject({ bullish_entry_score: null, net_entry_score: null });
    expect(flat.entry_score_completeness).toBeLessThan(0.5);
    const statuses = words`unknown passed failed unknown passed unknown`;
    expect(nested!.gates.map(({ status }) => status)).toEqual(statuses);
    expect(flat.entry_failed_gates).toEqual(['session_window']);
    expect(flat.entry_gates_passed).toBe(false);
  });

  it('is open while a gate could not be judged', () => {
    const { flat } = entry(viewOf(RISEN));
    expect(flat.entry_failed_gates).toEqual([]);
    expect(flat.entry_gates_passed).toBeNull();
  });

  it('names the gates that fail', () => {
    const halt = { from: instant(TRADE_DATE, '11:20'), to: null, reason: null };
    const failed = (parts: ViewParts, market: Partial<MarketView> = {}) => {
      const view = viewOf({ ...RISEN, ...parts });
      return entry(view, marketOf(view, market)).flat.entry_failed_gates;
    };
    expect(failed({ facts: [fact('halt', halt.from, halt)] })).toEqual(['not_halted']);
    expect(failed({ daily: dailyFromCloses(Array(30).fill(100), 499_999) })).toEqual(['liquidity']);
    expect(failed({ at: '11:35' })).toEqual([]);
    expect(failed({ at: '11:36' })).toEqual(['data_fresh']);
    expect(failed({ intraday: flatMinutes('9:30', 120, 95) })).toEqual(['circuit_breaker']);
    const index = indexWith({ last: 93, return1dPct: -7 });
    expect(failed({}, { index })).toEqual(['circuit_breaker']);
  });

  it('ends its window ten minutes before the close of a half day', () => {
    const tradeDate = '2024-11-29';
    const daily = dailyFromCloses(Array(30).fill(100), 600_000, tradeDate);
    const failed = (at: string) => {
      const [hours, minutes] = at.split(':').map(Number);
      const soFar = hours! * 60 + minutes! - 570;
      const view = viewOf({ tradeDate, at, daily, intraday: flatMinutes('9:30', soFar, 100) });
      return entry(view).flat.entry_failed_gates;
    };
    expect(failed('12:49')).toEqual([]);
    expect(failed('12:50')).toEqual(['session_window']);
    expect(failed('13:00')).toBeNull();
  });

  it('works on five-minute bars', () => {
    const five = (view: StockView) => {
      const { intraday } = view;
      const rows = Array.from({ length: intraday.time.length / 5 }, (_, bar) => {
        const at = (column: Float64Array) => column.subarray(5 * bar, 5 * bar + 5);
        return [
          clockOf(570 + 5 * bar),
          at(intraday.open)[0]!,
          Math.max(...at(intraday.high)),
          Math.min(...at(intraday.low)),
          at(intraday.close)[4]!,
          at(intraday.volume).reduce((sum, shares) => sum + shares, 0),
        ] as const;
      });
      return swingingSession(1, { interval: '5m', intraday: rows, priorIntraday: [] });
    };
    const minutes = entry(swingingSession(1, { priorIntraday: [] })).nested!;
    const fives = entry(five(swingingSession(1))).nested!;
    for (const part of ['pullback', 'turn', 'flow_turn']) {
      const score = ({ bull_ledger: lines }: typeof minutes) =>
        lines.find(({ component }) => component === part)!.score;
      expect(score(fives), part).toBeCloseTo(score(minutes)!, 9);
    }
  });
});
