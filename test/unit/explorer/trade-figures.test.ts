import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { binsOfR, equalWords, exitWords } from '../../../explorer/src/backtest/trade-figures.ts';
import type { RunCell } from '../../../explorer/src/shared/api/queries.ts';
import { forAll, wholeBetween } from '../../support/for-all.ts';

const cell = (stop: number, target: number, totalR: number, trades = 5): RunCell => ({
  parameter_set: { stop_atr: stop, target_atr: target },
  total_trades: trades,
  win_rate: 0.5,
  avg_rr_ratio: totalR / 5,
  sharpe_ratio: 1,
  profit_factor: 1,
  max_drawdown: 1,
  total_r: totalR,
  ambiguous_share: 0,
});

describe('equal cells', () => {
  it('are said with the nearest target that no trade reached', () => {
    const cells = [0.5, 1].flatMap((stop) => [
      cell(stop, 4, 2 / stop),
      cell(stop, 1, 1 / stop),
      cell(stop, 2, 2 / stop),
      cell(stop, 3, 2 / stop),
    ]);
    expect(equalWords(cells)).toBe(
      'Targets 2, 3 and 4 ATR have equal figures: no trade reached 2 ATR, so each ended at its stop or at the close.',
    );
  });

  it('are not said of cells that differ with one stop, nor of cells without a trade', () => {
    expect(equalWords([cell(1, 1, 1), cell(1, 2, 1), cell(2, 1, 1), cell(2, 2, 3)])).toBeNull();
    expect(equalWords([cell(1, 1, 0, 0), cell(1, 2, 0, 0)])).toBeNull();
  });
});

describe('the distribution of R', () => {
  it('has each trade in one bin, between its edges, and zero as an edge', () => {
    forAll(
      [fc.array(wholeBetween(-3_000, 9_000), { minLength: 1, maxLength: 60 })],
      { numRuns: 200 },
      (drawn) => {
        const rs = drawn.map((one) => one / 200);
        const bins = binsOfR(rs);
        expect(bins.length).toBeLessThanOrEqual(24);
        expect(bins.reduce((sum, { trades }) => sum + trades, 0)).toBe(rs.length);
        for (const { from, to, trades } of bins) {
          expect(rs.filter((r) => r >= from && r < to)).toHaveLength(trades);
          expect(from < 0 && to > 0).toBe(false);
        }
      },
    );
    expect(binsOfR([])).toEqual([]);
  });

  it('says how trades ended', () => {
    const trade = (exit_reason: 'stop' | 'target' | 'close', ambiguous = false) => ({
      exit_reason,
      ambiguous,
    });
    expect(exitWords([trade('stop', true), trade('target'), trade('close'), trade('stop')])).toBe(
      '2 stopped, 1 at the target, 1 at the close; 1 ambiguous bar',
    );
    expect(exitWords([trade('close')])).toBe('0 stopped, 0 at the target, 1 at the close');
  });
});
