import { describe, expect, it } from 'vitest';
import { cvdAtBars, volumeDelta } from '../../../../src/analysis/order-flow/cvd.ts';
import { flowSums } from '../../../../src/analysis/order-flow/flow-sums.ts';
import { rowsBetween } from '../../../../src/analysis/sessions.ts';
import type { FlowMinuteColumns } from '../../../../src/market/observations.ts';
import { figures } from '../../../support/tables.ts';

const MINUTE = 60_000;
const column = (...values: number[]): Float64Array => Float64Array.from(values);

/** Five minutes, the fourth of which is missing. */
const flow: FlowMinuteColumns = {
  time: column(0, MINUTE, 2 * MINUTE, 4 * MINUTE, 5 * MINUTE),
  trades: column(2, 3, 1, 4, 1),
  volume: column(100, 200, 50, 400, 10),
  notional: column(1000, 2000, 500, 4000, 100),
  offExchangeVolume: column(40, 0, 50, 100, 0),
  blockTrades: column(0, 1, 0, 2, 0),
  blockVolume: column(0, 150, 0, 300, 0),
  buyByQuote: column(60, 20, 0, 100, 0),
  sellByQuote: column(10, 100, 0, 0, 10),
  buyByTick: column(0, 5, 50, 0, 0),
  sellByTick: column(20, 5, 0, 200, 0),
  lockedVolume: column(0, 10, 0, 0, 0),
};

describe('sums of flow', () => {
  it('are of the minutes that start inside', () => {
    expect(rowsBetween(flow, MINUTE, 4 * MINUTE)).toEqual({ from: 1, to: 3 });
    expect(flowSums(flow, { from: 1, to: 3 })).toEqual(figures`
      trades 4, volume 250, notional 2500, offExchange 50, blockTrades 1, blockVolume 150, buy 75,
      sell 105, byQuote 120, byTick 60, unclassified 70, locked 10`);
    expect(flowSums(flow, { from: 2, to: 2 }).volume).toBe(0);
  });
});

describe('cumulative volume delta', () => {
  it('adds bought less sold, minute by minute', () => {
    // 60 - 30; 25 - 105; 50; 100 - 200; -10
    expect([...volumeDelta(flow, { from: 0, to: 5 })]).toEqual([30, -80, 50, -100, -10]);
  });

  it('is the sum at the end of each bar, and continues through bars without a print', () => {
    const minutes = column(0, MINUTE, 2 * MINUTE, 3 * MINUTE, 4 * MINUTE);
    expect([...cvdAtBars(flow, { from: 0, to: 5 }, minutes, MINUTE)]).toEqual([30, -50, 0, 0, -100]);
    expect([...cvdAtBars(flow, { from: 0, to: 5 }, column(0, 5 * MINUTE), 5 * MINUTE)]).toEqual([-100, -110]);
    expect([...cvdAtBars(flow, { from: 1, to: 5 }, minutes, MINUTE)]).toEqual([0, -80, -30, -30, -130]);
  });

  it('on a prefix of the bars is the prefix', () => {
    const minutes = column(0, MINUTE, 2 * MINUTE, 3 * MINUTE, 4 * MINUTE, 5 * MINUTE);
    const whole = cvdAtBars(flow, { from: 0, to: 5 }, minutes, MINUTE);
    for (let bars = 0; bars <= 6; bars++) {
      // What had printed by the end of those bars is all that may count.
      const rows = rowsBetween(flow, 0, bars * MINUTE);
      expect(cvdAtBars(flow, rows, minutes.slice(0, bars), MINUTE)).toEqual(whole.slice(0, bars));
    }
  });
});
