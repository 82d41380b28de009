import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newYorkCalendar } from '../../../src/base/calendar.ts';
import { dateOf, MINUTE_MS } from '../../../src/base/dates.ts';
import { leanFeed } from '../../../src/files/lean/feed.ts';
import type { Delivery } from '../../../src/market/feed.ts';
import type { CorporateAction, FlowMinuteColumns } from '../../../src/market/observations.ts';
import { flowReference, roundedSums, summedFlow } from '../../support/flow-reference.ts';
import { ABSENT, realDataDirectory } from '../../support/real-data.ts';
import { words } from '../../support/tables.ts';
import {
  barsIn,
  deliveriesOf,
  refusalsIn,
  refusedByReason,
  rowsBySeries,
  temporaryFolder,
  written,
} from './feed-probe.ts';
import { zipOf } from './zip-of.ts';

const calendar = newYorkCalendar();
const root = temporaryFolder();

const leanFolder = (files: Record<string, string | Buffer>) => written(root, files).folder;
const read = (files: Record<string, string | Buffer>) => deliveriesOf(leanFeed(leanFolder(files), calendar));

function flowIn(deliveries: readonly Delivery[]): FlowMinuteColumns {
  const flow = deliveries.find(({ kind }) => kind === 'flow-minutes');
  if (flow?.kind !== 'flow-minutes') throw new Error('no flow');
  return flow.columns;
}

const actionsIn = (deliveries: Awaited<ReturnType<typeof read>>): Record<string, CorporateAction[]> =>
  Object.fromEntries(
    deliveries
      .filter(({ kind }) => kind === 'actions')
      .map((it) => (it.kind === 'actions' ? [it.symbol, [...it.actions]] : [])),
  );

const said = (actions: readonly CorporateAction[] = []): string[] =>
  actions.map(({ kind, exDate, value }) => `${dateOf(exDate)} ${kind} ${value}`);

describe('map files', () => {
  const day = (date: string) => `${date} 00:00,1,1,1,1,1`;

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

const TRADES = 'equity/usa/tick/xyz/20240702_trade.zip';
const QUOTES = 'equity/usa/tick/xyz/20240702_quote.zip';

describe('trade ticks', () => {
  it('are read with their quotes as one unit, again when either changes', async () => {
    const units = async (files: Readonly<Record<string, string>>) => {
      const found = await leanFeed(leanFolder(files), calendar).units();
      return Promise.all(found.map(async (unit) => [unit.key, await unit.fingerprint()]));
    };
    const trade = '34200000,1000000,100,Q,1,0';
    const quote = '34200000,1000000,100,0,0,P,1,0';
    const alone = await units({ [TRADES]: trade });
    const both = await units({ [TRADES]: trade, [QUOTES]: quote });
    const other = await units({ [TRADES]: trade, [QUOTES]: `${quote}\n` });
    expect([alone, both, other].map((found) => found.map(([key]) => key))).toEqual([
      [TRADES],
      [TRADES],
      [TRADES],
    ]);
    expect(new Set([alone[0]![1], both[0]![1], other[0]![1]]).size).toBe(3);
    expect(refusedByReason(await read({ [QUOTES]: quote }))).toEqual({ not_read: 1 });
  });

  it('are classified by tick when the archive of their quotes is damaged, and the damage is reported', async () => {
    const folder = leanFolder({ [TRADES]: '34200000,1000000,1,Q,1,0\n34200001,1000100,100,Q,1,0' });
    writeFileSync(join(folder, QUOTES), 'PK damaged');
    const deliveries = await deliveriesOf(leanFeed(folder, calendar));
    expect([...flowIn(deliveries).buyByTick]).toEqual([100]);
    expect(refusedByReason(deliveries)).toEqual({ broken_archive: 1 });
  });
});

describe('files of the layout', () => {
  it('takes the option minutes of a day as one unit', async () => {
    const files = words`openinterest quote trade`.map(
      (kind) => `option/usa/minute/xyz/20240313_${kind}_american.zip`,
    );
    const all = ['equity/usa/readme.md', ...files];
    const feed = leanFeed(leanFolder(Object.fromEntries(all.map((file) => [file, '']))), calendar);
    expect((await feed.units()).map(({ key }) => key)).toEqual(all.slice(0, 2));
  });

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
    const apple = said(actionsIn(await deliveriesOf(feed, /factor_files\/aapl/)).AAPL);
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
    const minutes = flowIn(ticks);
    const sum = (column: Float64Array) => column.reduce((total, value) => total + value, 0);
    expect([...minutes.time]).toEqual([...bars[0]!.columns.time]);
    expect(sum(minutes.volume)).toBe(sum(bars[0]!.columns.volume));
    // 24,293 rows of which one is an official open and one an official close.
    expect(sum(minutes.trades)).toBe(24_291);
    const share = sum(minutes.offExchangeVolume) / sum(minutes.volume);
    expect(share).toBeGreaterThan(0.22);
    expect(share).toBeLessThan(0.4);
  });
});

describe('recorded sessions', () => {
  const folder = realDataDirectory;

  it.for(Object.entries(flowReference).filter(([name]) => !name.startsWith('XXX')))(
    '%s yields the reference figures',
    async ([name, expected], test) => {
      test.skip(folder === null, ABSENT);
      const [symbol, date] = name.split(' ') as [string, string];
      const key = new RegExp(`tick/${symbol.toLowerCase()}/${date.replaceAll('-', '')}_trade`);
      const flow = flowIn(await deliveriesOf(leanFeed(join(folder!, 'lean'), calendar), key));
      const session = calendar.session(date)!;
      expect(flow.time.length).toBe(expected.minutes);
      expect(summedFlow(flow, session.preOpen, session.postClose)).toEqual(roundedSums(expected.day));
      expect(summedFlow(flow, session.open, session.close)).toEqual(roundedSums(expected.regular));
    },
  );

  it('count the closing auction where the vendor has it in its minute bars', async (test) => {
    test.skip(folder === null, ABSENT);
    for (const date of ['2013-10-07', '2013-10-09', '2013-10-10']) {
      const trades = (resolution: string) =>
        new RegExp(`${resolution}/ibm/${date.replaceAll('-', '')}_trade`);
      const feed = leanFeed(join(folder!, 'lean'), calendar);
      const flow = flowIn(await deliveriesOf(feed, trades('tick')));
      const bars = barsIn(await deliveriesOf(feed, trades('minute')), 'IBM')[0]!.columns;
      const last = calendar.session(date)!.close - MINUTE_MS;
      expect(flow.volume[flow.time.indexOf(last)]).toBe(bars.volume[bars.time.indexOf(last)]);
    }
  });
});
