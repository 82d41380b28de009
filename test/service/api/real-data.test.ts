import { describe, expect, it } from 'vitest';
import { leanFeed } from '../../../src/files/lean/feed.ts';
import { importFeed, refusedRows } from '../../../src/tape/ingest.ts';
import { unitsOf } from '../../support/app.ts';
import { FULL, inFull } from '../../support/depth.ts';
import { realDataDirectory } from '../../support/real-data.ts';
import { onRealData } from '../../support/recorded-app.ts';

const { server } = await onRealData(async (app) => {
  const lean = leanFeed(`${realDataDirectory}/lean`, app.context.calendar);
  // The rest takes half a minute, and is in no answer below.
  const wanted = inFull(/./, /^equity\/usa\/(daily|minute|factor_files|map_files)/);
  const report = await importFeed(app.context, unitsOf(lean, wanted));
  if (!FULL) return;
  expect(report.rowsKept).toBeGreaterThan(150_000);
  // Rows of other companies under a reused ticker, quotes and quote bars at or after the very end of trading, contracts
  // without any price or already expired, and option files whose underlying is of a later session.
  expect(Object.fromEntries(report.refusals.map(({ reason, rows }) => [reason, rows]))).toEqual({
    missing_value: 4614,
    untraded: 3,
    foreign_listing: 1052,
    expired_contract: 172,
    not_read: 74,
    outside_session: 52,
    known_too_early: 2,
  });
  expect(refusedRows(report)).toBe(5_892);
});

/**
 * Recorded data in, whole answers out. The expected figures were worked out from the vendor's files by a few lines of
 * Python that know none of this project's code: sums, maxima and the formulas of a floor trader's card.
 */
describe.skipIf(realDataDirectory === null)('recorded data', () => {
  async function stock(symbol: string, date: string, include = '') {
    const response = await server.inject({
      url: `/api/graph/v1/stocks/${symbol}?date=${date}&include=${include}`,
    });
    expect(response.statusCode, response.body).toBe(200);
    return response.json();
  }

  describe('SPY on 2013-10-10', () => {
    it('has the levels of the day before, 166.20 / 164.53 / 165.57', async () => {
      const { levels } = await stock('SPY', '2013-10-10', 'levels');
      expect(levels).toMatchObject({ prior_date: '2013-10-09', pdh: 166.2, pdl: 164.53, pdc: 165.57 });
      const card = {
        pivot_pp: 165.43333333333334,
        pivot_r1: 166.33666666666667,
        pivot_s1: 164.66666666666669,
        pivot_r2: 167.10333333333332,
        pivot_s2: 163.76333333333335,
        pivot_r3: 168.00666666666666,
        pivot_s3: 162.9966666666667,
        cpr_bc: 165.365,
        cpr_tc: 165.50166666666667,
      };
      for (const [name, price] of Object.entries(card)) expect(levels[name], name).toBeCloseTo(price, 4);
    });

    it('has the ranges of the morning and of the night', async () => {
      const { levels } = await stock('SPY', '2013-10-10', 'levels');
      expect(levels).toMatchObject({
        ib_high: 167.97,
        ib_low: 167.23,
        orb_5m_high: 167.48,
        orb_5m_low: 167.23,
        orb_15m_high: 167.76,
        orb_30m_high: 167.9,
        overnight_high: 167.33,
        overnight_low: 165.28,
        ib_developing: false,
        orb_5m_status: 'breakout_up',
      });
      expect(levels.ib_1_5x_high).toBe(168.34);
      expect(levels.ib_2x_low).toBe(166.49);
      expect(levels.vwap).toBe(168.3026);
    });

    it('has volumes, sessions and freshness of the file', async () => {
      const answer = await stock('SPY', '2013-10-10');
      expect(answer).toMatchObject({
        source: 'delayed',
        volume: 157839488,
        last_price: 168.75,
        bar_daily_timestamp: '2013-10-10T20:00:00.000Z',
        updated_at: '2013-10-11T00:00:00.000Z',
      });
      expect(answer.rel_volume).toBe(1.4027);
      expect(answer.adv20_usd).toBeCloseTo(18_060_495_674.883495, 3);
      expect(answer.price.pre_market).toMatchObject({
        open: 166.43,
        high: 167.33,
        low: 165.57,
        volume: 6439515,
      });
      expect(answer.price.after_hours).toMatchObject({
        high: 169.24,
        low: 167.74,
        close: 168.75,
        volume: 26653676,
      });
      expect(answer.price.regular).toMatchObject({ open: 167.32, high: 169.24, low: 167.23, close: 169.24 });
    });

    it('has a profile whose rows hold the volume of the session', async () => {
      const { volume_profile: profile } = await stock('SPY', '2013-10-10', 'volume_profile');
      expect(profile.developing.total_volume).toBe(157_839_488);
      const sum = profile.developing.rows.reduce((total: number, row: number) => total + row, 0);
      expect(Math.abs(sum - 157_839_488)).toBeLessThan(0.005 * profile.developing.rows.length);
      expect(profile.developing.val).toBeLessThan(profile.developing.poc);
      expect(profile.developing.poc).toBeLessThan(profile.developing.vah);
    });
  });

  describe('AAPL across its 7:1 split of 2014-06-09', () => {
    it('has continuous indicators and levels in the prices of each day', async () => {
      const before = await stock('AAPL', '2014-06-06', 'levels');
      const after = await stock('AAPL', '2014-06-09', 'levels');
      expect(before.price.regular.close).toBeCloseTo(645.57, 2);
      expect(after.price.regular.close).toBeCloseTo(93.7, 1);
      // The prior close on the basis of the day: 645.57 / 7.
      expect(after.levels.pdc).toBeCloseTo(before.price.regular.close / 7, 4);
      // 93.70 at the close of the file's daily bar, a few cents more after hours, against 92.22.
      expect(after.price.change_pct).toBeGreaterThan(1.5);
      expect(after.price.change_pct).toBeLessThan(1.8);
      expect(Math.abs(after.technical.rsi_14 - before.technical.rsi_14)).toBeLessThan(8);
      const { technical } = before;
      for (const name of ['atr_14', 'daily_atr_live'] as const) {
        expect(after.technical[name] / (technical[name] / 7), name).toBeCloseTo(1, 0.8);
      }
      for (const name of ['ema_9', 'ema_20', 'sma_20', 'sma_50', 'sma_200'] as const) {
        const ratio = after.technical.moving_averages[name] / (technical.moving_averages[name] / 7);
        expect(Math.abs(ratio - 1), name).toBeLessThan(0.02);
      }
      expect(after.rel_volume).toBeGreaterThan(0.5);
      expect(after.rel_volume).toBeLessThan(2.5);
      expect(after.adv20_usd / before.adv20_usd).toBeCloseTo(1, 0.5);
    });

    it('leaves out the print on the old price that opens the morning', async () => {
      const { price, levels } = await stock('AAPL', '2014-06-09', 'levels');
      expect(price.bad_prints).toBe(1);
      expect(price.pre_market.high).toBeLessThan(95);
      expect(levels.overnight_high).toBeLessThan(95);
    });

    it('knows nothing of the split the day before', async () => {
      const before = await stock('AAPL', '2014-06-06', 'levels');
      expect(before.technical.moving_averages.sma_200).toBeGreaterThan(500);
      expect(before.levels.pdc).toBeGreaterThan(600);
    });
  });

  it.each([
    ['IBM', '2013-10-08'],
    ['BAC', '2013-10-04'],
    ['AAPL', '2014-06-05'],
    ['SPY', '2018-12-31'],
    ['SPY', '1998-01-02'],
  ])('answers for %s on %s', async (symbol, date) => {
    const answer = await stock(symbol, date, 'levels,volume_profile,patterns,level_ladder,price_events');
    expect(answer.price.trade_date).toBe(date);
    expect(answer.volume).toBeGreaterThan(0);
  });
});
