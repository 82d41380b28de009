import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newYorkCalendar } from '../../../src/base/calendar.ts';
import { dateOf } from '../../../src/base/dates.ts';
import { leanFeed } from '../../../src/files/lean/feed.ts';
import type { CorporateAction } from '../../../src/market/observations.ts';
import { ABSENT, realDataDirectory } from '../../support/real-data.ts';
import { words } from '../../support/tables.ts';
import {
  barsIn,
  deliveriesOf,
  refusalsIn,
  refusedByReason,
  rowsBySeries,
  temporaryFolder,
} from './feed-probe.ts';
import { zipOf } from './zip-of.ts';

const calendar = newYorkCalendar();
const root = temporaryFolder();
let folders = 0;

/** A data folder of the given files; texts for `.zip` paths are packed as their only entry. */
function leanFolder(files: Record<string, string | Buffer>): string {
  const folder = join(root, String(folders++));
  for (const [path, content] of Object.entries(files)) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    const packs = path.endsWith('.zip') && typeof content === 'string';
    writeFileSync(file, packs ? zipOf([{ name: 'rows.csv', data: content }]) : content);
  }
  return folder;
}

const read = (files: Record<string, string | Buffer>) => deliveriesOf(leanFeed(leanFolder(files), calendar));

const actionsIn = (deliveries: Awaited<ReturnType<typeof read>>): Record<string, CorporateAction[]> =>
  Object.fromEntries(
    deliveries
      .filter(({ kind }) => kind === 'actions')
      .map((it) => (it.kind === 'actions' ? [it.symbol, [...it.actions]] : [])),
  );

const written = (actions: readonly CorporateAction[] = []): string[] =>
  actions.map(({ kind, exDate, value }) => `${dateOf(exDate)} ${kind} ${value}`);

describe('bars', () => {
  it('reads daily bars as trade dates and prices in dollars', async () => {
    const deliveries = await read({
      'equity/usa/daily/xyz.zip':
        '20240102 00:00,1000000,1105000,995000,1100100,12345\n20240103 00:00,1100000,1100000,1100000,1100000,0',
    });
    expect(deliveries).toEqual([
      {
        kind: 'bars',
        symbol: 'XYZ',
        interval: '1d',
        columns: {
          time: Float64Array.of(Date.UTC(2024, 0, 2), Date.UTC(2024, 0, 3)),
          open: Float64Array.of(100, 110),
          high: Float64Array.of(110.5, 110),
          low: Float64Array.of(99.5, 110),
          close: Float64Array.of(110.01, 110),
          volume: Float64Array.of(12345, 0),
        },
      },
    ]);
  });

  it('places hour bars by the New York clock, winter and summer', async () => {
    const deliveries = await read({
      'equity/usa/hour/xyz.zip': '20240102 09:00,1,2,1,2,3\n20240702 09:00,1,2,1,2,3\n',
    });
    expect([...barsIn(deliveries)[0]!.columns.time]).toEqual([
      Date.parse('2024-01-02T09:00:00-05:00'),
      Date.parse('2024-07-02T09:00:00-04:00'),
    ]);
  });

  it('keeps 04:00 to 19:59 of a session and 04:00 to 16:59 of a half day', async () => {
    // 14,340,000 ms is 03:59; 14,400,000 is 04:00; 71,940,000 is 19:59; 72,000,000 is 20:00; 61,140,000 is 16:59.
    const rows = (...times: number[]) => times.map((time) => `${time},10000,10000,10000,10000,1`).join('\n');
    const full = await read({
      'equity/usa/minute/xyz/20240702_trade.zip': rows(
        14_340_000,
        14_400_000,
        57_600_000,
        71_940_000,
        72_000_000,
      ),
    });
    expect(barsIn(full)[0]!.columns.time.length).toBe(3);
    expect(refusedByReason(full)).toEqual({ outside_session: 2 });
    const half = await read({ 'equity/usa/minute/xyz/20240703_trade.zip': rows(61_140_000, 61_200_000) });
    expect(barsIn(half)[0]!.columns.time.length).toBe(1);
    expect(refusedByReason(half)).toEqual({ outside_session: 1 });
  });

  it('refuses a day without a session, with place, row and count', async () => {
    const deliveries = await read({
      'equity/usa/daily/xyz.zip':
        '20240102 00:00,1,1,1,1,1\n20240106 00:00,1,1,1,1,1\n20240107 00:00,1,1,1,1,1\n',
    });
    expect(refusalsIn(deliveries)).toEqual([
      {
        kind: 'refused',
        reason: 'outside_session',
        where: 'equity/usa/daily/xyz.zip:2',
        example: '20240106 00:00,1,1,1,1,1',
        count: 2,
      },
    ]);
  });

  it('refuses bad rows one by one and keeps the rest', async () => {
    const deliveries = await read({
      'equity/usa/daily/xyz.zip': [
        '20240102 00:00,10,12,9,11,5',
        '20240103 00:00,10,12,9', // too few columns
        '20240104 00:00,10,12,nine,11,5', // letters
        '20240105 00:00,10,8,9,11,5', // high under low
        '2024-01-08 00:00,10,12,9,11,5', // not how Lean writes a date
        '20240230 00:00,10,12,9,11,5', // no such date
        '20240108 00:00,0,12,0,11,5', // a zero price
        '20240109 00:00,10,12,9,11,-5', // negative volume
        '20240110 00:00,13,12,9,11,5', // open above the high
        '20240111 00:00,10,12,9,11,5',
        '20240111 00:00,10,12,9,11,5', // twice
        '20240103 00:00,10,12,9,11,5', // out of order
      ].join('\r\n'),
    });
    expect(refusedByReason(deliveries)).toEqual({
      wrong_columns: 1,
      not_a_number: 1,
      high_below_low: 1,
      bad_time: 2,
      price_not_positive: 1,
      volume_negative: 1,
      price_outside_range: 1,
      duplicate: 1,
      out_of_order: 1,
    });
    expect(rowsBySeries(deliveries)).toEqual({ 'bars 1d XYZ': 2 });
  });
});

describe('minute quotes', () => {
  it('reads both sides, with NaN for a side without a quote however it is written', async () => {
    const deliveries = await read({
      'equity/usa/minute/xyz/20240702_quote.zip': [
        '34200000,100000,110000,90000,105000,300,106000,120000,106000,110000,500',
        '34260000,,,,,,106000,106000,106000,106000,500',
        '34320000,100000,100000,100000,100000,300,,,,,0',
      ].join('\n'),
    });
    const quotes = deliveries.find(({ kind }) => kind === 'quotes');
    expect(quotes).toMatchObject({ symbol: 'XYZ', interval: '1m' });
    if (quotes?.kind !== 'quotes') throw new Error('no quotes');
    expect([...quotes.columns.bidClose]).toEqual([10.5, Number.NaN, 10]);
    expect([...quotes.columns.bidSize]).toEqual([300, Number.NaN, 300]);
    expect([...quotes.columns.askHigh]).toEqual([12, 10.6, Number.NaN]);
    expect([...quotes.columns.askSize]).toEqual([500, 500, Number.NaN]);
    expect(refusalsIn(deliveries)).toEqual([]);
  });

  it('refuses a half-written side, two empty sides, and a bid above the ask', async () => {
    const deliveries = await read({
      'equity/usa/minute/xyz/20240702_quote.zip': [
        '34200000,100000,,90000,105000,300,106000,120000,106000,110000,500',
        '34260000,,,,,,,,,,',
        '34320000,,,,,300,106000,106000,106000,106000,500',
        '34380000,120000,120000,120000,120000,300,110000,110000,110000,110000,500',
      ].join('\n'),
    });
    expect(refusedByReason(deliveries)).toEqual({ not_a_number: 3, crossed_quote: 1 });
  });
});

describe('map files', () => {
  const day = (date: string) => `${date} 00:00,1,1,1,1,1`;

  it('divides the rows of a ticker between the securities that bore it', async () => {
    // As with GOOG: the ticker passed from class A to class C on 2014-04-03, which had been GOOCV before.
    const deliveries = await read({
      'equity/usa/map_files/googl.csv': '20040819,goog,Q\n20140402,goog,Q\n20501231,googl,Q',
      'equity/usa/map_files/goog.csv': '20140327,goocv,Q\n20140402,goocv,Q\n20501231,goog,Q',
      'equity/usa/daily/goog.zip': [day('20040819'), day('20140402'), day('20140403')].join('\n'),
      'equity/usa/daily/goocv.zip': [day('20140327'), day('20140402')].join('\n'),
    });
    const datesOf = (symbol: string) =>
      barsIn(deliveries, symbol).flatMap(({ columns }) => [...columns.time].map(dateOf));
    expect(datesOf('GOOGL')).toEqual(['2004-08-19', '2014-04-02']);
    expect(datesOf('GOOG').sort()).toEqual(['2014-03-27', '2014-04-02', '2014-04-03']);
    expect(refusalsIn(deliveries)).toEqual([]);
  });

  it('refuses rows of a company that no map file knows', async () => {
    const deliveries = await read({
      'equity/usa/map_files/uso.csv': '20060410,uso,P\n20501231,uso,P',
      'equity/usa/daily/uso.zip': [day('19980102'), day('20060407'), day('20060410')].join('\n'),
      'equity/usa/minute/uso/20060407_trade.zip': '34200000,1,1,1,1,1',
    });
    expect(rowsBySeries(deliveries)).toEqual({ 'bars 1d USO': 1 });
    expect(refusedByReason(deliveries)).toEqual({ foreign_listing: 3 });
  });

  it('say under which ticker a security traded from which day on, and where', async () => {
    const deliveries = await read({
      'equity/usa/map_files/tfcfa.csv': '20041112,nwsa,Q\n20130628,nwsa,Q\n20190318,foxa,Q\n20190320,tfcfa,X',
    });
    const facts = deliveries.flatMap((it) => (it.kind === 'facts' ? [...it.facts] : []));
    expect(facts.map(({ knownAt, value }) => [new Date(knownAt).toISOString(), value])).toEqual([
      ['2004-11-12T05:00:00.000Z', { from: '2004-11-12', ticker: 'NWSA', exchange: 'NASDAQ' }],
      ['2013-06-29T04:00:00.000Z', { from: '2013-06-29', ticker: 'FOXA', exchange: 'NASDAQ' }],
      ['2019-03-19T04:00:00.000Z', { from: '2019-03-19', ticker: 'TFCFA', exchange: null }],
    ]);
  });

  it('reports rows of a map file that cannot be read', async () => {
    const deliveries = await read({
      'equity/usa/map_files/xyz.csv': '20240102,xyz,Q\nnever,xyz,Q\n20501231,xyz,Q',
    });
    expect(refusalsIn(deliveries)).toMatchObject([
      { reason: 'wrong_columns', where: 'equity/usa/map_files/xyz.csv:2' },
    ]);
  });

  it('changes the fingerprint of a ticker whose mapping changed', async () => {
    const daily = { 'equity/usa/daily/uso.zip': day('20060410') };
    const print = async (files: Record<string, string>) => {
      const units = await leanFeed(leanFolder({ ...daily, ...files }), calendar).units();
      return units.find(({ key }) => key.endsWith('uso.zip'))!.fingerprint();
    };
    const without = await print({});
    expect(await print({})).toBe(without);
    expect(await print({ 'equity/usa/map_files/other.csv': '20060410,other,P\n20501231,other,P' })).toBe(
      without,
    );
    expect(await print({ 'equity/usa/map_files/bno.csv': '20060410,uso,P\n20501231,uso,P' })).not.toBe(
      without,
    );
  });
});

describe('factor files', () => {
  it('turns factors into splits and dividends on the first session after the row', async () => {
    // Prices close at 100 on Friday 2024-07-05; a dividend of 0.50 makes the factor before it 1 - 0.5 / 100 = 0.995.
    // On Monday 2024-07-08 it trades without; on Wednesday 2024-07-10 three shares become two: factor 2/3.
    const deliveries = await read({
      'equity/usa/factor_files/xyz.csv':
        '20200102,0.995,1.5,1\n20240705,0.995,1.5,100\n20240709,1,1.5,99\n20501231,1,1,0',
    });
    expect(written(actionsIn(deliveries).XYZ)).toEqual([
      '2024-07-08 dividend 0.5',
      `2024-07-10 split ${2 / 3}`,
    ]);
  });

  it('refuses what cannot be, and never joins two changes across a bad row', async () => {
    const deliveries = await read({
      'equity/usa/factor_files/a.csv': '20240102,1,1,100\n20240103,0.5,1,100\n20501231,0.5,1,0', // a negative dividend
      'equity/usa/factor_files/b.csv': '20240102,0.9,1,100\n20240103,oops,1,100\n20501231,1,1,0',
      'equity/usa/factor_files/c.csv': '20240102,1,0,100\n20501231,1,1,0', // a split by zero
      'equity/usa/factor_files/d.csv': '20240102,1,1\n20501231,1,1,0',
    });
    expect(actionsIn(deliveries)).toEqual({});
    expect(refusedByReason(deliveries)).toEqual({ bad_action: 2, not_a_number: 1, wrong_columns: 1 });
  });
});

describe('files of the layout', () => {
  it('says of every file whether it is known, and orders the units by their paths', async () => {
    const files = words`
      alternative/interest-rate/usa/interest-rate.csv equity/readme.md equity/usa/daily/xyz.zip
      equity/usa/fundamental/coarse/20240102.csv equity/usa/minute/xyz/20240102_openinterest.zip
      equity/usa/minute/xyz/notes.txt equity/usa/second/xyz/20240102_trade.zip
      equity/usa/shortable/broker/dates/20240102.csv equity/usa/tick/xyz/20240102_quote.zip
      equity/usa/universes/etf/spy/20240102.csv index/usa/daily/spx.zip
      indexoption/usa/minute/spxw/20240102_quote_european.zip.zip market-hours/market-hours-database.json
      option/usa/daily/xyz_2014_trade_american.zip surprise.bin`;
    const feed = leanFeed(leanFolder(Object.fromEntries(files.map((file) => [file, '']))), calendar);
    expect((await feed.units()).map(({ key }) => key)).toEqual(files);
    const refused = refusalsIn(await deliveriesOf(feed));
    const whereFor = (reason: string) =>
      refused.filter((it) => it.reason === reason).map(({ where }) => where);
    expect(whereFor('unknown_format')).toEqual([
      'equity/usa/minute/xyz/20240102_openinterest.zip',
      'equity/usa/minute/xyz/notes.txt',
      // Its entry is named after no contract.
      'indexoption/usa/minute/spxw/20240102_quote_european.zip.zip',
      'surprise.bin',
    ]);
    expect(whereFor('not_read').length).toBe(10);
    expect(refused.length).toBe(14);
  });

  it('refuses a truncated zip as a whole and reads the other files', async () => {
    const zip = zipOf([{ name: 'bad.csv', data: '20240102 00:00,1,1,1,1,1' }]);
    const deliveries = await read({
      'equity/usa/daily/bad.zip': zip.subarray(0, zip.length - 30),
      'equity/usa/daily/good.zip': '20240102 00:00,1,1,1,1,1',
    });
    expect(refusalsIn(deliveries)).toMatchObject([
      { reason: 'broken_archive', where: 'equity/usa/daily/bad.zip' },
    ]);
    expect(rowsBySeries(deliveries)).toEqual({ 'bars 1d GOOD': 1 });
  });

  it('reports a folder that is no Lean data folder', async () => {
    await expect(leanFeed(leanFolder({ 'daily/xyz.zip': '' }), calendar).units()).rejects.toThrow(
      'equity/usa',
    );
  });
});

describe('the recorded Lean folder', () => {
  const data = realDataDirectory;
  const feed = leanFeed(join(data ?? '', 'lean'), calendar);

  it('keeps or accounts for every bar and quote', async (test) => {
    test.skip(data === null, ABSENT);
    const deliveries = await deliveriesOf(feed, /^equity\/usa\/(daily|hour|minute)\//);
    // Daily rows per file, from the data's own table; USO, BAC and EEM begin with another company's years, WM was UW and
    // WMI, TFCFA traded as NWSA, and GOOG's file is GOOGL's until 2014-04-02.
    const rows = rowsBySeries(deliveries);
    expect(rows).toMatchObject({
      'bars 1d AAPL': 5283,
      'bars 1d FB': 1665,
      'bars 1d FB.1': 2381 - 1665,
      'bars 1d GOOG': 1195 + 5,
      'bars 1d GOOGL': 3617 - 1195,
      'bars 1d IBM': 5283,
      'bars 1d IWM': 4678,
      'bars 1d QQQ': 3398,
      'bars 1d SPY': 5283,
      'bars 1d TFCFA': 2,
      'bars 1d WM': 135 + 2780,
      'bars 1h AAPL': 36884,
      'bars 1h GDVD': 121,
      'bars 1h SPWR': 1700 + 1108,
      'bars 1h SPY': 36885,
      'bars 1h TAP.A': 578,
      'bars 1m AAPL': 686 + 783 + 834,
      'bars 1m BAC': 517 + 595 + 573 + 541 + 646,
      'bars 1m SPY': 711 + 828 + 828 + 813 + 883,
      'bars 1m TFCFA': 401 + 417,
    });
    const total = Object.values(rows).reduce((sum, count) => sum + count, 0);
    const dailyAndHour = 5283 * 4 + 4679 + 2381 + 5 + 5 + 3617 + 4678 + 2 + 3398 + 3344 + 135 + 2780 + 77_276;
    const trades = 2303 + 2872 + 2145 + 818 + 652 + 4063;
    const quotes = 2512 + 3212 + 2856 + 932 + 910 + 4516;
    const refused = refusedByReason(deliveries);
    expect(total + refused.foreign_listing! + refused.outside_session!).toBe(dailyAndHour + trades + quotes);
    // One quote bar of most files begins at 20:00, when after-hours trading is over.
    expect(refused).toEqual({ foreign_listing: 188 + 722 + 140, outside_session: 18 });
  });

  it("knows Apple's splits and dividends as they were announced", async (test) => {
    test.skip(data === null, ABSENT);
    const apple = written(actionsIn(await deliveriesOf(feed, /factor_files\/aapl/)).AAPL);
    // Apple Investor Relations, split history and dividend amounts; the dates are the ex-dates of the exchange.
    expect(apple.filter((action) => action.includes('split'))).toEqual([
      '2000-06-21 split 2',
      '2005-02-28 split 2',
      '2014-06-09 split 7',
      '2020-08-31 split 4',
    ]);
    const announced = [
      '2012-08-09 2.65',
      '2013-05-09 3.05',
      '2014-05-08 3.29',
      '2014-08-07 0.47',
      '2017-05-11 0.63',
      '2020-08-07 0.82',
    ];
    for (const dividend of [...announced, '2020-11-06 0.205'])
      expect(apple).toContain(dividend.replace(' ', ' dividend '));
    expect(apple.length).toBe(39);
  });

  it("agrees with the vendor's own minute bars about the traded volume", async (test) => {
    test.skip(data === null, ABSENT);
    const ticks = await deliveriesOf(feed, /tick\/ibm\/20131007_trade/);
    const bars = barsIn(await deliveriesOf(feed, /minute\/ibm\/20131007_trade/));
    const minutes = ticks.find(({ kind }) => kind === 'flow-minutes');
    if (minutes?.kind !== 'flow-minutes') throw new Error('no flow minutes');
    const sum = (column: Float64Array) => column.reduce((total, value) => total + value, 0);
    expect([...minutes.columns.time]).toEqual([...bars[0]!.columns.time]);
    expect(sum(minutes.columns.volume)).toBe(sum(bars[0]!.columns.volume));
    // 24,293 rows of which one is an official open and one an official close.
    expect(sum(minutes.columns.trades)).toBe(24_291);
    const share = sum(minutes.columns.offExchangeVolume) / sum(minutes.columns.volume);
    expect(share).toBeGreaterThan(0.22);
    expect(share).toBeLessThan(0.4);
  });
});
