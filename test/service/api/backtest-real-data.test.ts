import { describe, expect, it } from 'vitest';
import { csvFeed } from '../../../src/files/bars/csv.ts';
import { importFeed } from '../../../src/tape/ingest.ts';
import { postRun, runOver } from '../../support/backtests.ts';
import { realDataDirectory, recordedDailies } from '../../support/real-data.ts';
import { onRealData } from '../../support/recorded-app.ts';
import { words } from '../../support/tables.ts';

const ELEVEN = ['COIN', 'META', 'NFLX', 'NKE', 'NVDA', 'ORCL', 'QQQ', 'SLB', 'SPY', 'XLF', 'XLK'];
const { app, server } = await onRealData(
  async (app) => {
    const { calendar } = app.context;
    const paths = (name: string): string[] => [`${realDataDirectory}/${name}`];
    const daily = [await recordedDailies(new Set(ELEVEN))];
    const year = paths('intraday/spy_1min_2024-03_2024-12.csv.gz');
    const minutes = ELEVEN.flatMap((symbol) => paths(`intraday/1min/${symbol}_1min.csv.gz`));
    await importFeed(app.context, csvFeed({ paths: daily, calendar, interval: '1d', symbolFrom: 'column' }));
    await importFeed(app.context, csvFeed({ paths: year, calendar, interval: '1m', symbol: 'SPY' }));
    await importFeed(
      app.context,
      csvFeed({ paths: minutes, calendar, interval: '1m', symbolFrom: 'file-name' }),
    );
  },
  { TIGRAPH_NOW: '2026-03-31T22:00:00Z' },
);

/** Optimisations over recorded minute bars, from pending to completed, over HTTP. */
describe.skipIf(realDataDirectory === null)('recorded minute bars', () => {
  const SIGNALS = words`vwap_touch ib_breakout ib_retest or_hold level_confluence trend_continuation`;

  const COSTS = { commission_per_share: 0.005, slippage_bps: 1 };

  async function completed(body: object) {
    const response = await postRun(server, body);
    expect(response.json(), response.body).toMatchObject({ status: 'pending', progress_pct: 0, results: [] });
    const run = await runOver({ app, server }, response.json().id);
    expect(run.error_message).toBeNull();
    expect([run.status, run.progress_pct]).toEqual(['completed', 100]);
    return run;
  }

  /** All that there is of 2024 in the file. */
  const YEAR = { symbols: ['SPY'], start_date: '2024-03-26', end_date: '2024-12-31' };

  it('SPY over the 194 sessions of 2024, the last 179 of them with an ATR', async () => {
    const run = await completed({ ...YEAR, signal_types: SIGNALS, ...COSTS });
    const { analysis, results, grid } = run;
    const { overfitting } = analysis;
    expect(analysis.symbol_sessions).toEqual({
      walked: 179,
      no_minute_bars: 0,
      fragment: 0,
      no_daily_atr: 15,
      no_quotes: 0,
    });
    expect([grid.length, overfitting.trials]).toEqual([20, 20]);
    expect(results).toHaveLength(10);
    // Seven months of every signal at once are no proof of an edge, and the answer does not call it one.
    expect(overfitting.verdict).not.toBe('robust');
    const [best] = results;
    expect(best.ambiguous_share).toBeLessThan(0.01);
    for (const parts of [best.by_signal_type, best.by_direction, best.by_day_type]) {
      const sum = (name: string) =>
        parts.reduce((all: number, part: Record<string, number>) => all + part[name]!, 0);
      expect(sum('total_trades')).toBe(best.total_trades);
      expect(sum('total_r')).toBeCloseTo(best.total_r, 4);
    }
  });

  it('SPY from April 2024 on is tested on sessions that the choice did not see', async () => {
    const run = await completed({ ...YEAR, start_date: '2024-04-17', signal_types: SIGNALS, ...COSTS });
    const { analysis, results } = run;
    expect(analysis.symbol_sessions).toEqual({
      walked: 179,
      no_minute_bars: 0,
      fragment: 0,
      no_daily_atr: 0,
      no_quotes: 0,
    });
    const { in_sample: before, out_of_sample: after, total_trades: all } = results[0];
    expect(before.total_trades + after.total_trades).toBe(all);
    expect(analysis.out_of_sample.test_from > '2024-10-01').toBe(true);
    expect(analysis.walk_forward).toHaveLength(4);
    expect(analysis.overfitting.halvings).toBe(924);
    expect(analysis.overfitting.probability_of_overfitting).toBeGreaterThan(0);
  });

  /**
   * Worked out by some sixty lines of Python that know none of this project: minute bars of 09:30-16:00 (13:00 on the
   * three early closes), Wilder's ATR(14) of the session before, the first close beyond the first hour's range either
   * way, in at the next open.
   */
  it.each([
    [
      0.5, 1, 179, 0.5363128491620112, 0.12971488652262475, 2.6302605557951124, 1.5200894957400821,
      5.739045713660515,
    ],
    [
      1, 1, 176, 0.5511363636363636, 0.06373645505873358, 2.4168030909712055, 1.4859726111703768,
      2.143822099754342,
    ],
    [
      1, 2, 176, 0.5454545454545454, 0.04655192632329792, 1.8434569633642475, 1.346068206200907,
      2.266206747180281,
    ],
  ])(
    'ib_breakout of SPY, stop %d, target %d',
    async (stop, target, trades, wins, meanR, sharpe, factor, drawdown) => {
      const run = await completed({
        ...YEAR,
        signal_types: ['ib_breakout'],
        stop_atr_range: [stop],
        target_atr_range: [target],
      });
      const [cell] = run.grid;
      expect([cell.total_trades, cell.ambiguous_share]).toEqual([trades, 0]);
      for (const [name, figure] of [
        ['win_rate', wins],
        ['avg_rr_ratio', meanR],
        ['sharpe_ratio', sharpe],
        ['profit_factor', factor],
        ['max_drawdown', drawdown],
      ] as const) {
        // Figures are rounded to six places.
        expect(Math.abs(cell[name] - figure), name).toBeLessThan(1e-6);
      }
    },
  );

  it('eleven symbols from September 2025 to February 2026', async () => {
    const run = await completed({
      symbols: ELEVEN,
      start_date: '2025-09-01',
      end_date: '2026-02-27',
      signal_types: SIGNALS,
      ...COSTS,
    });
    const { analysis, results, grid } = run;
    expect([grid.length, results.length]).toEqual([20, 10]);
    expect(analysis.symbol_sessions).toMatchObject({ walked: 1_087, fragment: 0, no_daily_atr: 0 });
    expect(results[0].by_signal_type).toHaveLength(SIGNALS.length);
    expect(analysis.overfitting.verdict).toBe('unprofitable');
    expect(results[0].sharpe_ratio).toBeLessThan(0);
  });
});
