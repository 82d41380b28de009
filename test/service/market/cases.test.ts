import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { App } from '../../../src/app.ts';
import { anyFiles } from '../../../src/files/any-file.ts';
import { csvFeed } from '../../../src/files/bars/csv.ts';
import { factsFeed } from '../../../src/files/facts/feed.ts';
import { importFeed } from '../../../src/tape/ingest.ts';
import { freshApp, serverOf } from '../../support/app.ts';
import { casesDirectory } from '../../support/cases.ts';

/**
 * The recorded cases, each as its folder has it; what is right was worked out beside them with pandas and TA-Lib. Inputs of
 * the same kinds with own values are in bars-import.test.ts, and in the unit tests of downloads, layouts, numbers and times.
 */
describe.skipIf(casesDirectory === null)('a case of a file', () => {
  let app: App;
  let server: Awaited<ReturnType<App['server']>>;
  beforeAll(async () => {
    ({ app } = await freshApp({ TIGRAPH_NOW: '2026-11-25T22:00:00Z' }));
    server = await serverOf(app);
  });

  /** Imports files of a case with no option; what was refused. */
  async function bring(caseName: string, ...files: string[]) {
    const { calendar } = app.context;
    const now = app.context.clock.now();
    const paths = files.map((file) => join(casesDirectory!, caseName, file));
    const refused = [];
    for (const feed of (await anyFiles(paths, { calendar, now })).feeds)
      refused.push(...(await importFeed(app.context, feed)).refusals);
    await app.idle();
    return refused.map(({ reason, rows }) => `${rows} ${reason}`);
  }

  const stock = async (symbol: string, date: string, include = '') =>
    (
      await server.inject(`/api/graph/v1/stocks/${symbol}?date=${date}${include && `&include=${include}`}`)
    ).json();
  const bars = async (symbol: string, query: string) =>
    (await server.inject(`/api/graph/v1/stocks/${symbol}/bars?${query}`)).json();
  const days = async (symbol: string) =>
    (await bars(symbol, 'interval=1d&from=2024-05-01&to=2024-07-31&adjusted=false')).time.length;

  it('of lengths: weeks are refused, quarter hours kept', async () => {
    expect(await bring('bar-length-guessed', 'QATB.csv', 'QAED_15min.csv')).toEqual(['1 unknown_format']);
    expect((await server.inject('/api/graph/v1/stocks/QATB')).statusCode).toBe(404);
    expect((await bars('QAED', 'interval=15m&from=2024-06-12&to=2024-06-12')).time).toHaveLength(26);
    expect((await bars('QAED', 'interval=1d&from=2024-06-12&to=2024-06-13')).open[0]).toBe(100);
  });

  it('of bars that carry the time of their end', async () => {
    expect(await bring('bars-stamped-at-their-end', 'QBFA_1min.csv')).toEqual([]);
    const { price } = await stock('QBFA', '2024-06-12', 'levels');
    expect(price.regular).toMatchObject({ open: 170, close: 169.68, volume: 7_476_784 });
    expect(price.after_hours).toBeNull();
    const five = await bars('QBFA', 'interval=5m&from=2024-06-12&to=2024-06-12');
    const opening = five.time.indexOf('2024-06-12T13:30:00.000Z');
    expect([five.high[opening], five.low[opening]]).toEqual([170.56, 169.69]);
  });

  it('of the closing auction in prints', async () => {
    expect(await bring('closing-auction', 'QBGA_trades.csv', 'QBGA_quotes.csv')).toEqual([]);
    const { price } = await stock('QBGA', '2024-06-12');
    expect(price.regular).toMatchObject({ close: 20.06, volume: 205_400 });
    expect(price.after_hours).toMatchObject({ open: 20.03, volume: 500 });
  });

  it('of numbers as sites write them', async () => {
    expect(await bring('number-forms', 'QABA.csv', 'QABB Historical Data.csv')).toEqual([]);
    expect([await days('QABA'), await days('QABB')]).toEqual([60, 60]);
    const { close, volume } = await bars('QABB', 'interval=1d&from=2024-07-26&to=2024-07-26&adjusted=false');
    expect([close, volume]).toEqual([[100.55], [6_710_000]]);
  });

  it('of option chains as exchange and broker deliver them', async () => {
    const taken = async (file: string) => {
      const { calendar } = app.context;
      const { feeds } = await anyFiles([join(casesDirectory!, 'option-chain-downloads', file)], {
        calendar,
        now: app.context.clock.now(),
      });
      const { rowsKept, refusals } = await importFeed(app.context, feeds[0]!);
      return [rowsKept, refusals.filter(({ reason }) => reason !== 'repaired').length];
    };
    expect(await taken('qoba_quotedata.csv')).toEqual([26, 0]);
    // Two contracts a strike.
    expect((await taken('QOCA.json'))[1]).toBe(0);
    expect(await taken('QOFA.json')).toEqual([62, 0]);
  });

  it('of a day that runs', async () => {
    const path = join(casesDirectory!, 'running-day-as-final', 'QAUA.csv');
    const now = Date.parse('2026-11-25T17:00:00Z');
    const { refusals } = await importFeed(
      app.context,
      csvFeed({ paths: [path], calendar: app.context.calendar, now }),
    );
    await app.idle();
    expect(refusals.map(({ reason, rows }) => [reason, rows])).toEqual([['not_final', 1]]);
    const { time } = await bars('QAUA', 'interval=1d&from=2026-11-01&to=2026-11-25');
    expect(time.at(-1)).toBe('2026-11-24');
  });

  it('of prices adjusted for splits beside a column of them', async () => {
    expect(await bring('split-adjusted-prices', 'QANA.csv')).toEqual([]);
    const { price, technical } = await stock('QANA', '2024-06-21');
    expect(price.previous_close).toBeCloseTo(49.56, 6);
    expect(price.change_pct).toBeCloseTo(-1.07, 2);
    expect(technical.rsi_14).toBeCloseTo(40.73, 2);
    expect(technical.atr_14).toBeCloseTo(0.5457, 4);
  });

  it('of rows in which nothing traded', async () => {
    const files = ['QQZA_1min.csv', 'QQZB_1min.csv', 'QQPA.csv', 'QQPB.csv'];
    expect(await bring('rows-without-trades', ...files)).toEqual(['6 untraded']);
    const blocks =
      'confluence_components,level_ladder,levels,patterns,price_events,strategies,volume_profile';
    const twins = [
      ['QQZA', 'QQZB', '2024-06-12'],
      ['QQPA', 'QQPB', '2020-11-09'],
    ] as const;
    for (const [own, twin, date] of twins) {
      const [answer, expected] = await Promise.all(
        [own, twin].map(async (symbol) =>
          JSON.parse(JSON.stringify(await stock(symbol, date, blocks)).replaceAll(symbol, 'QQ')),
        ),
      );
      expect(answer).toEqual(expected);
    }
    const minutes = await stock('QQZA', '2024-06-12', 'levels');
    expect(minutes.price.regular).toMatchObject({ open: 53.56, low: 52.76 });
    expect(minutes.price.gap_pct).toBeCloseTo(5, 1);
    expect(minutes.levels).toMatchObject({
      opening_from: '2024-06-12T13:35:00.000Z',
      orb_5m_high: null,
      ib_low: 52.83,
    });
    const { levels, rel_volume } = await stock('QQPA', '2020-11-09', 'levels');
    expect(levels).toMatchObject({ prior_date: '2020-11-05', pdh: 297.66, pdl: 292.07, pivot_r1: 297.55 });
    expect(rel_volume).toBe(1);
  });

  it('of splits beside their fall, on a holiday, and of no ratio', async () => {
    const files = ['QQYA.csv', 'QQUB.csv', 'QQRD.csv'];
    const refused = await bring('split-beside-its-day', ...files);
    expect(refused.toSorted()).toEqual(['1 ambiguous', '1 bad_action', '1 outside_session']);
    expect((await server.inject('/api/graph/v1/stocks/QQYA')).statusCode).toBe(404);
    const { close } = await bars('QQUB', 'interval=1d&from=2024-04-01&to=2024-06-12');
    expect([Math.min(...close) > 9.9, Math.max(...close) < 10.6, close.length]).toEqual([true, true, 52]);
    const { close: kept } = await bars('QQRD', 'interval=1d&from=2024-05-01&to=2024-06-12');
    expect([kept.length, kept[0], kept.at(-1)]).toEqual([30, 40.01, 38.66]);
  });

  it('of calls and puts in two files', async () => {
    const files = ['QQYF-bars.csv', 'QQYF_calls.csv', 'QQYF_puts.csv'];
    expect(await bring('chain-in-two-files', 'QQYF_puts.csv')).toEqual(['13 missing_value']);
    const refused = await bring('chain-in-two-files', ...files);
    expect(refused.filter((text) => !text.endsWith('repaired'))).toEqual([]);
    const exposure = (await server.inject('/api/graph/v1/options/QQYF/exposure?date=2024-06-12')).json();
    const { call_open_interest: calls, put_open_interest: puts, net_gamma: net } = exposure.total;
    expect([calls, puts]).toEqual([7200, 4500]);
    // 4.85 with the volatility of what is in the money, up to 34 %; with the smile's 20 % there, by SciPy, 4.75.
    expect(net / 1e6).toBeCloseTo(4.75, 2);
  });

  it('of symbols in names of files', async () => {
    expect(
      await bring('symbol-from-file-name', 'BATS_QBEA, 1D.csv', 'BATS_QBEB, 1D.csv', 'qbec.us.txt'),
    ).toEqual([]);
    expect(await Promise.all(['QBEA', 'QBEB', 'QBEC'].map(days))).toEqual([40, 40, 40]);
    for (const none of ['BATS', 'US'])
      expect((await server.inject(`/api/graph/v1/stocks/${none}`)).statusCode).toBe(404);
    expect((await bars('QBEA', 'interval=1d&from=2024-05-01&to=2024-05-01')).close).toEqual([395.4]);
    expect((await bars('QBEB', 'interval=1d&from=2024-05-01&to=2024-05-01')).close).toEqual([494.25]);
    expect((await bars('QBEC', 'interval=1d&from=2024-05-01&to=2024-05-01')).close).toEqual([98.85]);
  });

  it('of a price that stands still', async () => {
    expect(await bring('price-that-stands-still', 'QQFA.csv')).toEqual([]);
    const { technical, extreme_rsi_warning } = await stock('QQFA', '2024-06-12');
    expect(technical).toMatchObject({ rsi_14: null, adx_14: null, atr_14: 0, range_vs_atr_14: null });
    expect([technical.bollinger.percent_b, extreme_rsi_warning]).toEqual([null, false]);
    const chat = await server.inject(
      '/api/graph/v1/chat/context?page_type=stock_detail&symbol=QQFA&date=2024-06-12',
    );
    expect(chat.statusCode).toBe(200);
    expect(chat.body).not.toMatch(/RSI 0|oversold/);
  });

  it('of open interest that is not stated', async () => {
    expect(await bring('open-interest-unknown', 'QCPC-bars.csv', 'QCPC.json')).toEqual([]);
    const ask = async (path: string) =>
      (await server.inject(`/api/graph/v1/options/QCPC/${path}date=2024-06-12`)).json();
    const { total, regime, call_wall, gamma_flip, coverage, ...rest } = await ask('exposure?');
    expect(total).toMatchObject({ call_gamma: null, net_gamma: null, delta: null, call_open_interest: null });
    expect(total.put_gamma).toBeGreaterThan(0);
    expect([regime, call_wall, gamma_flip, rest.availability]).toEqual([null, null, null, 'partial']);
    expect(coverage).toBeLessThan(0.5);
    expect(rest.availability_qualifier).toMatch(
      /^Open interest is not known of all \d+ calls\. What needs that of the calls is left out\./,
    );
    expect(rest.by_strike.every(({ net_gamma }: { net_gamma: unknown }) => net_gamma === null)).toBe(true);
    const scores = await ask('dte-scores?timeframe=swing&direction=bullish&');
    expect(scores.expirations.map(({ dealer_flow }: { dealer_flow: unknown }) => dealer_flow)).not.toContain(
      0,
    );
    expect(scores.expirations[0].dealer_flow_detail).toContain('Open interest is not known well enough');
    const { gex_regime, gex_gamma_flip, options } = await stock('QCPC', '2024-06-12');
    expect([gex_regime, gex_gamma_flip, options.chain_total_oi]).toEqual([null, null, null]);
  });

  it('of heads of tables', async () => {
    expect(await bring('table-heads', 'QAYB.csv', 'QAAA_daily.csv')).toEqual([]);
    expect([await days('QAYB'), await days('QAAA')]).toEqual([60, 60]);
  });

  it('of times as vendors write them', async () => {
    const files = ['2024-06-12.csv', 'QAFB_1min.csv', 'QAFC_1min.csv', 'xnas-itch-20240612.ohlcv-1m.csv'];
    expect(await bring('time-forms', ...files)).toEqual([]);
    for (const symbol of ['BRK.B', 'QAFB', 'QAFC', 'QAHA']) {
      const { time } = await bars(symbol, 'interval=1m&from=2024-06-12&to=2024-06-12');
      expect([time[0], time.at(-1), time.length], symbol).toEqual([
        '2024-06-12T13:30:00.000Z',
        '2024-06-12T14:29:00.000Z',
        60,
      ]);
    }
  });

  it('of midnights of other clocks, in bars and facts', async () => {
    expect(await bring('midnight-of-another-clock', 'QQMD.csv', 'QQMA.csv', 'QQMG.csv')).toEqual([]);
    const [dates, ...others] = await Promise.all(
      ['QQMD', 'QQMA', 'QQMG'].map((symbol) => bars(symbol, 'interval=1d&from=2024-01-01&to=2024-07-31')),
    );
    for (const other of others) expect({ ...other, symbol: dates.symbol }).toEqual(dates);
    const path = join(casesDirectory!, 'midnight-of-another-clock', 'midnight-facts.csv');
    await importFeed(
      app.context,
      factsFeed({ paths: [path], kind: 'earnings_report', calendar: app.context.calendar }),
    );
    const known = await app.context.database.query(
      `select distinct known_at from reported_fact where symbol in ('QQMC', 'QQMD', 'QQMF')`,
    );
    expect(known).toEqual([{ known_at: new Date('2024-05-03T04:00:00Z') }]);
  });

  it('of clocks that say what they are not, and of a day of trading round the clock', async () => {
    const path = join(casesDirectory!, 'clock-written-wrong', 'QQEC_1m.csv');
    const { calendar } = app.context;
    for (const stamps of [undefined, 'start'] as const) {
      const { refusals, rowsKept } = await importFeed(
        app.context,
        csvFeed({ paths: [path], calendar, stamps }),
      );
      expect(rowsKept).toBe(0);
      expect(refusals[0]!.example).toMatch(/sessions from 2024-03-11 on would begin at 10:30 New York/);
    }
    const stated = csvFeed({ paths: [path], calendar, timeZone: 'America/New_York' });
    expect((await importFeed(app.context, stated)).rowsKept).toBe(780);
    expect(await bring('clock-written-wrong', 'QQOA_1min.csv')).toEqual(['480 outside_session']);
    const { time } = await bars('QQEC', 'interval=1m&from=2024-03-11&to=2024-03-11');
    expect([time[0], time.length]).toEqual(['2024-03-11T13:30:00.000Z', 390]);
  });

  it('of volumes that are none, and of one in two columns', async () => {
    expect(await bring('volume-that-is-none', 'QQCV_1min.csv', 'QQMU_Daily.csv')).toEqual(['1 ambiguous']);
    expect((await server.inject('/api/graph/v1/stocks/QQCV')).statusCode).toBe(404);
    const { close, volume } = await bars('QQMU', 'interval=1d&from=2024-04-01&to=2024-04-01');
    expect([close, volume]).toEqual([[39.83], [null]]);
    expect(await bring('volume-in-two-columns', 'QQTS.txt')).toEqual([]);
    const minutes = await bars('QQTS', 'interval=1m&from=2024-06-10&to=2024-06-10');
    expect(minutes.volume.slice(0, 3)).toEqual([9_000, 2_187, 1_616]);
  });
});
