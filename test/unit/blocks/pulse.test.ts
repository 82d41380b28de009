import { describe, expect, it } from 'vitest';
import { hundredths } from '../../../src/analysis/scoring/ledger.ts';
import { PULSE_WEIGHTS } from '../../../src/analysis/scoring/pulse.ts';
import { dayContext } from '../../../src/blocks/day-context.ts';
import { orderFlow } from '../../../src/blocks/order-flow.ts';
import { pulseV5 } from '../../../src/blocks/pulse-v5.ts';
import type { StockView } from '../../../src/market/stock-view.ts';
import { derived } from '../../support/derived.ts';
import { minuteOf, rowsOf, swingingSession } from '../../support/session-path.ts';
import { dailyFromCloses, flatMinutes, viewOf } from '../../support/views.ts';
import { expectLedgers } from './expect-ledgers.ts';

const pulse = (view: StockView) => derived(pulseV5, view);
const NOTHING = {
  pulse_bull: null,
  pulse_bear: null,
  pulse_net: null,
  pulse_bias: null,
  pulse_computed_at: null,
};

/** Thirty days from 99 to 101 that close at 100: ATR 2. */
const CALM = dailyFromCloses(Array(30).fill(100));

describe('pulse_v5', () => {
  it('is that of a day by hand', () => {
    // An hour at 101, then 101.4, twice the shares of yesterday. VWAP (60 x 101 + 60 x 101.4) / 120 = 101.2, 0.1 ATR
    // below the price; 0.7 ATR up on the day, 0.2 ATR since the open; all opening ranges broken up.
    const view = viewOf({
      at: '11:30',
      daily: CALM,
      intraday: [...flatMinutes('9:30', 60, 101), ...flatMinutes('10:30', 60, 101.4)],
      priorIntraday: flatMinutes('9:30', 390, 100, 50),
    });
    const trend = derived(dayContext, view).nested!.trend_score;
    const dayType = Math.min(10, (10 * trend) / 0.6);
    const { nested, flat } = pulse(view);
    // vwap 2, return 7, ranges 10, participation 1 x 0.4: 4; no prints, and a balance of one price has no width.
    const points = 2 * 2 + 1.5 * 7 + 1.5 * 10 + 4 + dayType;
    expect(nested!.weight_available).toBeCloseTo(0.7, 12);
    expect(flat.pulse_bull).toBe(hundredths(points / 0.7));
    expect(flat.pulse_bear).toBe(0);
    expect(flat.pulse_bias).toBe('STRONG_LONG');
    expect(flat.pulse_computed_at).toBe(new Date(view.asOf).toISOString());
    const lines = Object.fromEntries(nested!.bull_ledger.map((line) => [line.component, line]));
    expect(lines.vwap!.inputs.vwap_atr).toBeCloseTo(0.1, 9);
    expect(lines.participation!.inputs.volume_pace).toBeCloseTo(2, 12);
    expect(lines.order_flow).toMatchObject({
      status: 'missing',
      score: null,
      note: 'without CVD, CVD drift',
    });
    expect(lines.initial_balance).toMatchObject({
      status: 'missing',
      weight: 0,
      note: 'without IB extension',
    });
  });

  it('is what its ledgers say', () => {
    const { nested, flat } = pulse(swingingSession(1));
    expect(nested!.weight_available).toBeCloseTo(1, 12);
    expect([nested!.bull, nested!.bear, nested!.net, nested!.bias, nested!.computed_at]).toEqual([
      flat.pulse_bull,
      flat.pulse_bear,
      flat.pulse_net,
      flat.pulse_bias,
      flat.pulse_computed_at,
    ]);
    expect(flat.pulse_net).toBe(hundredths(flat.pulse_bull! - flat.pulse_bear!));
    expectLedgers(nested!, PULSE_WEIGHTS);
  });

  it('reads the prints since the open', () => {
    const view = swingingSession(1);
    const line = pulse(view).nested!.bull_ledger.find(({ component }) => component === 'order_flow')!;
    expect(line.inputs.cvd_pct).toBe(derived(orderFlow, view).flat.cvd_pct);
    expect(line.inputs.cvd_drift).toBeGreaterThan(2);
    const { bull_ledger: without } = pulse(swingingSession(1, { flow: [] })).nested!;
    expect(without.find(({ component }) => component === 'order_flow')!.status).toBe('missing');
  });

  it('changes sides in a log mirror of the path', () => {
    for (const at of ['9:40', '10:20', '11:00', '13:00', '15:30', '20:00']) {
      const [one, other] = [pulse(swingingSession(1, { at })).flat, pulse(swingingSession(-1, { at })).flat];
      // Distances of prices are not distances of their logarithms: two points of a hundred.
      expect(Math.abs(one.pulse_bull! - other.pulse_bear!), at).toBeLessThan(2);
      expect(Math.abs(one.pulse_bear! - other.pulse_bull!), at).toBeLessThan(2);
    }
    expect(Math.abs(pulse(swingingSession(1)).flat.pulse_net!)).toBeGreaterThan(10);
  });

  it('begins at 9:35', () => {
    expect(pulse(swingingSession(1, { at: '9:34' }))).toEqual({ nested: null, flat: NOTHING });
    expect(pulse(swingingSession(1, { at: '9:35' })).flat.pulse_net).not.toBeNull();
  });

  it('stays what it was at the close, and says that it is of the close', () => {
    const { close } = swingingSession(1).session;
    const afterHours = flatMinutes('16:00', 60, 150);
    const at = (clock: string) => {
      const rows = rowsOf(swingingSession(1, { at: '16:00' }).intraday, minuteOf);
      return pulse(swingingSession(1, { at: clock, intraday: [...rows, ...afterHours] }));
    };
    expect(at('20:00')).toEqual(at('16:00'));
    expect(at('20:00').flat.pulse_computed_at).toBe(new Date(close).toISOString());
    expect(at('15:59')).not.toEqual(at('16:00'));
  });

  it('is null without a day of bars, and of a fragment of one that is over', () => {
    expect(pulse(viewOf({ daily: CALM }))).toEqual({ nested: null, flat: NOTHING });
    expect(pulse(viewOf())).toEqual({ nested: null, flat: NOTHING });
    const fragment = swingingSession(1, { at: '20:00', intradayWhole: false });
    expect(pulse(fragment)).toEqual({ nested: null, flat: NOTHING });
  });

  it('has ledgers without scores below half of its weights', () => {
    // No history, so no daily range: only the opening range and the day can be read.
    const { nested, flat } = pulse(viewOf({ at: '11:30', intraday: flatMinutes('9:30', 120, 100) }));
    expect(flat).toMatchObject({ pulse_bull: null, pulse_net: null, pulse_bias: null });
    expect(flat.pulse_computed_at).not.toBeNull();
    expect(nested!.weight_available).toBeLessThan(0.5);
    expect(nested!.bull_ledger.some(({ status }) => status === 'scored')).toBe(true);
    expect(nested!.bull_ledger.every(({ contribution }) => contribution === 0)).toBe(true);
  });
});
