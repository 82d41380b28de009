import { readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { marketAt } from '../../../src/api/answers/market-at.ts';
import { getStock, stockKey } from '../../../src/api/stocks/get-stock.ts';
import type { App } from '../../../src/app.ts';
import { marketInstant } from '../../../src/base/as-of.ts';
import { midnightUtc, newYorkCalendar } from '../../../src/base/calendar.ts';
import { markOvertakenStale } from '../../../src/graph/market-days.ts';
import type { Delivery } from '../../../src/market/feed.ts';
import type { MarketView } from '../../../src/market/market-view.ts';
import { asBars } from '../../../src/market/series.ts';
import { syncGraph } from '../../../src/pipeline/graph-sync.ts';
import { openMarketPass } from '../../../src/pipeline/market-pass.ts';
import { appOn, bring, freshApp, freshMarket, freshStore, openTestApp } from '../../support/app.ts';
import { alteredAfter, dailyBars, minuteBars } from '../../support/market.ts';
import { profileWith } from '../../support/reported.ts';
import { at, type BarRow, barsOf, directoryOf } from '../../support/tape.ts';
import { fact, sessionsBefore } from '../../support/views.ts';

const calendar = newYorkCalendar();
const DATE = '2024-03-13';
const LATER = '2024-03-14';

/** Bars of the sessions that end with a date, each from half a point under its close to half a point over it. */
function closing(
  symbol: string,
  closes: readonly number[],
  last = DATE,
): Extract<Delivery, { kind: 'bars' }> {
  const dates = [...sessionsBefore(last, closes.length - 1), last];
  const rows = closes.map(
    (close, row): BarRow => [midnightUtc(dates[row]!), close, close + 0.5, close - 0.5, close, 1_000],
  );
  return { kind: 'bars', symbol, interval: '1d', columns: asBars(barsOf('bars-1d', rows)) };
}

/** One regular minute bar from each of the given clocks on, flat at its price. */
function minutesAt(symbol: string, date: string, prices: Readonly<Record<string, number>>) {
  const rows = Object.entries(prices).map(
    ([clock, price]): BarRow => [at(date, clock), price, price, price, price, 100],
  );
  return { kind: 'bars', symbol, interval: '1m', columns: asBars(barsOf('bars-1m', rows)) } as const;
}

const sectorOf = (symbol: string, sector: string | null, knownAt: number): Delivery => ({
  kind: 'facts',
  symbol,
  facts: [fact('profile', knownAt, profileWith({ companyName: symbol, sector }), 'company')],
});

const names = (count: number, letter = 'S'): string[] =>
  Array.from({ length: count }, (_, index) => `${letter}${String(index).padStart(2, '0')}`);

const closeOf = (date: string): number => calendar.session(date)!.close;

/** Text of the market on each date, all in one walk. */
async function textsOf(app: App, instants: Readonly<Record<string, number>>): Promise<string[]> {
  const days = Object.entries(instants).map(([tradeDate, asOf]) => ({
    tradeDate,
    asOf: marketInstant(calendar.session(tradeDate)!, asOf),
  }));
  const tapes = await app.context.tape.ofMarket(false).marketTapes(days);
  const snapshots = await app.context.deriver.market({ tapes, days });
  return snapshots.map((snapshot) => snapshot.text);
}

async function marketOn(app: App, date: string, asOf = closeOf(date)): Promise<MarketView> {
  const [text] = await textsOf(app, { [date]: asOf });
  return JSON.parse(text!);
}

const storedMarkets = (app: App) =>
  app.context.database.query<{ date: string; snapshot: string; stale: boolean }>(
    'select trade_date::text as date, snapshot, unsettled as stale from market_day order by 1',
  );

/** All stock-days of the graph, in a fixed order. */
const factsOf = (app: App) =>
  app.context.database.query('select symbol, trade_date, block, value from fact order by 1, 2, 3');

async function answer(app: App, symbol: string, date: string): Promise<string> {
  const server = await app.server();
  const response = await server.inject({ url: `/api/graph/v1/stocks/${symbol}?date=${date}` });
  await server.close();
  expect(response.statusCode).toBe(200);
  return response.body;
}

describe('the market of a completed session', () => {
  it('holds the index, its volatility, the stocks that take part and their sectors', async () => {
    const { app } = await freshApp({ TIGRAPH_NOW: '2024-03-14T02:00:00Z' });
    const closedAt = closeOf(DATE);
    await bring(app, [
      ...names(12, 'U').map((symbol) => closing(symbol, [...Array(20).fill(100), 105, 110])),
      ...names(10, 'D').map((symbol) => closing(symbol, [...Array(21).fill(100), 99])),
      // Neither a bar of the day before nor one of the day itself makes a stock of the day alone.
      closing('GONE', Array(22).fill(100), '2024-03-12'),
      closing('NEW', [100]),
      closing('SPY', [500, 505, 510.05]),
      closing('^VIX', [...Array(30).fill(12), ...Array(30).fill(16), 14]),
      closing('^GSPC', [1, 2, 3]),
      closing('SIMX', [1, 2, 3]),
      ...names(3, 'U').map((symbol) => sectorOf(symbol, 'Energy', 0)),
      ...names(3, 'D').map((symbol) => sectorOf(symbol, 'Utilities', closedAt)),
      sectorOf('D00', null, closedAt - 1),
      // Known a moment too late.
      sectorOf('U03', 'Energy', closedAt + 1),
      ...names(2, 'D').map((symbol, index) => sectorOf(`D0${index + 4}`, symbol, 0)),
    ]);
    const market = await marketOn(app, DATE);
    expect(market).toMatchObject({
      tradeDate: DATE,
      asOf: closedAt,
      // Of the 60 closes before, 30 are under 14.
      vix: { symbol: '^VIX', level: 14, change1dPct: -12.5, percentile252: 50 },
      index: { symbol: 'SPY', last: 510.05, return5dPct: null, sma50: null, close: [500, 505, 510.05] },
      breadth: { stocks: 22, advancers: 12, decliners: 10, aboveSma50: null, newHighs252: 0 },
    });
    expect(market.index!.return1dPct).toBeCloseTo(1, 10);
    expect(market.index!.time).toEqual(['2024-03-11', '2024-03-12', DATE].map(midnightUtc));
    expect(market.sectors.map(({ sector, stocks, rank, of }) => [sector, stocks, rank, of])).toEqual([
      ['Energy', 3, 1, 2],
      ['Utilities', 3, 2, 2],
    ]);
    expect(market.sectors[0]!.return20dPct).toBeCloseTo(10, 10);
    expect(market.sectors[0]!.return1dPct).toBeCloseTo((5 / 105) * 100, 10);
    expect(market.sectors[1]!.return20dPct).toBeCloseTo(-1, 10);
  });

  it('takes the next index where the first has stopped, and keeps yesterday where nothing else is there', async () => {
    const app = await freshMarket({}, [
      closing('SPY', [500, 505], '2024-03-11'),
      closing('^GSPC', [5_000, 5_050], '2024-03-12'),
    ]);
    expect(await marketOn(app, DATE)).toMatchObject({
      index: { symbol: '^GSPC', last: 5_050 },
      vix: null,
      breadth: null,
      sectors: [],
    });
    expect((await marketOn(app, LATER)).index).toBeNull();
  });

  it('is the same text alone and among other dates, whatever splits lie between and after them', async () => {
    const { app } = await freshApp({ TIGRAPH_NOW: '2024-03-18T12:00:00Z' });
    const symbols = names(21);
    const priced = symbols.map((symbol, seed) =>
      closing(
        symbol,
        Array.from({ length: 320 }, (_, row) => 50 + seed + 7.77 * Math.sin(row / (seed + 3))),
        '2024-03-15',
      ),
    );
    const split = (symbol: string, date: string, value: number): Delivery => ({
      kind: 'actions',
      symbol,
      actions: [{ kind: 'split', exDate: midnightUtc(date), value }],
    });
    await bring(app, [
      ...priced,
      ...symbols.map((symbol) => sectorOf(symbol, 'Energy', 0)),
      split('S00', '2024-02-06', 3),
      split('S00', '2024-03-12', 7),
      split('S01', DATE, 3),
    ]);
    const dates = calendar.sessionsBetween('2023-11-01', DATE);
    const together = await textsOf(app, Object.fromEntries(dates.map((date) => [date, closeOf(date)])));
    for (const date of ['2023-11-01', '2024-02-05', '2024-02-06', '2024-03-11', '2024-03-12', DATE]) {
      const [alone] = await textsOf(app, { [date]: closeOf(date) });
      expect(alone, date).toBe(together[dates.indexOf(date)]);
    }
    await bring(app, [split('S02', LATER, 7), split('S00', LATER, 11)]);
    const again = await textsOf(app, Object.fromEntries(dates.map((date) => [date, closeOf(date)])));
    expect(again).toEqual(together);
  });

  it('reads a split as no fall of the price', async () => {
    const { app } = await freshApp();
    const plain = names(20).map((symbol) => closing(symbol, [100, 100]));
    await bring(app, [
      ...plain,
      closing('HALF', [100, 51]),
      { kind: 'actions', symbol: 'HALF', actions: [{ kind: 'split', exDate: midnightUtc(DATE), value: 2 }] },
    ]);
    expect((await marketOn(app, DATE)).breadth).toMatchObject({ stocks: 21, advancers: 1, decliners: 0 });
  });

  it.each([
    [5, 100],
    [6, null],
  ])('reads %d missing sessions in a history as its percentile %s', async (missing, percentile) => {
    const { app } = await freshApp();
    const [resumed] = sessionsBefore(DATE, 29);
    const stopped = sessionsBefore(resumed!, missing + 1)[0]!;
    const [before, after] = [Array(60).fill(12), Array(30).fill(13)];
    await bring(app, [closing('^VIX', before, stopped), closing('^VIX', [...after.slice(1), 14])]);
    expect((await marketOn(app, DATE)).vix).toMatchObject({ level: 14, percentile252: percentile });
  });

  it('leaves a symbol out whose file is damaged', async () => {
    const app = await freshMarket({}, [
      ...names(20).map((symbol) => closing(symbol, [100, 101])),
      closing('^VIX', [14, 15]),
    ]);
    const directory = directoryOf(app.context.tape);
    const before = new Set(readdirSync(directory));
    await bring(app, [closing('TORN', [100, 99])]);
    expect((await marketOn(app, DATE)).breadth).toMatchObject({ stocks: 21, decliners: 1 });
    truncateSync(join(directory, readdirSync(directory).find((name) => !before.has(name))!), 100);
    expect(await marketOn(app, DATE)).toMatchObject({
      breadth: { stocks: 20, advancers: 20, decliners: 0 },
      vix: { level: 15 },
    });
  });
});

describe('the market while the session runs', () => {
  it.each([
    ['rows of the database', '2024-03-13T18:00:00Z'],
    ['segments', '2024-03-18T12:00:00Z'],
  ])(
    'is of the minute: the newest regular prices, from %s, against the closes of the day before',
    async (_, now) => {
      const { app } = await freshApp({ TIGRAPH_NOW: now });
      const before = '2024-03-12';
      await bring(app, [
        ...names(20).map((symbol) => closing(symbol, [100, 100], before)),
        ...names(20).map((symbol) =>
          minutesAt(symbol, DATE, { '09:10': 500, '10:00': 99, '10:01': 101, '10:02': 50 }),
        ),
        closing('FIVE', [100, 100], before),
        { ...minutesAt('FIVE', DATE, { '09:55': 120, '10:00': 1 }), interval: '5m' },
        closing('SPY', [500, 500], before),
        minutesAt('SPY', DATE, { '10:00': 505, '10:02': 1 }),
        closing('^VIX', [14, 15], before),
      ]);
      const clock = (time: string) => marketOn(app, DATE, at(DATE, time));
      expect(await clock('09:45')).toMatchObject({
        breadth: null,
        index: { last: 500, return1dPct: 0 },
        vix: { level: 15 },
      });
      expect(await clock('10:01')).toMatchObject({ breadth: { stocks: 21, advancers: 1, decliners: 20 } });
      // A bar is final at its end: the bar of 10:02 is not yet, and half a minute changes nothing.
      const tenTwo = await clock('10:02');
      expect(tenTwo).toMatchObject({
        breadth: { advancers: 21, decliners: 0 },
        index: { symbol: 'SPY', last: 505, close: [500, 500] },
      });
      expect(tenTwo.index!.return1dPct).toBeCloseTo(1, 10);
      expect(await marketOn(app, DATE, at(DATE, '10:02') + 59_999)).toEqual(tenTwo);
      expect(await clock('10:03')).toMatchObject({ breadth: { advancers: 1, decliners: 20 } });
      expect(await clock('10:05')).toMatchObject({ breadth: { decliners: 21 } });
    },
  );

  it('has no history before a hole', async () => {
    const { app } = await freshApp({ TIGRAPH_NOW: '2024-03-13T18:00:00Z' });
    const stopped = (missing: number) => sessionsBefore(DATE, missing + 1)[0]!;
    await bring(app, [
      closing('^VIX', Array(60).fill(12), stopped(6)),
      minutesAt('^VIX', DATE, { '10:00': 15 }),
      closing('SPY', [500, 500], stopped(5)),
      minutesAt('SPY', DATE, { '10:00': 505 }),
    ]);
    expect(await marketOn(app, DATE, at(DATE, '10:01'))).toMatchObject({
      vix: { level: 15, change1dPct: null, percentile252: null },
      index: { last: 505, close: [500, 500] },
    });
  });

  it('is not kept, and says nothing of the daily bar that is already on the tape', async () => {
    const app = await freshMarket({ TIGRAPH_NOW: '2024-03-13T18:00:00Z' }, [
      ...names(20).map((symbol) => closing(symbol, [100, 100, 200])),
      closing('^VIX', [14, 15, 80]),
    ]);
    expect(await marketOn(app, DATE, at(DATE, '15:59'))).toMatchObject({ breadth: null, vix: { level: 15 } });
    expect(await marketOn(app, DATE, at(DATE, '16:00'))).toMatchObject({
      breadth: { advancers: 20 },
      vix: { level: 80 },
    });
    await syncGraph(app.context, { kind: 'range', from: '2024-03-12', to: DATE });
    expect((await storedMarkets(app)).map(({ date }) => date)).toEqual(['2024-03-12']);
  });
});

describe('a sync', async () => {
  const STOCKS = ['ACME', 'BETA', 'CORE'];
  const [FROM, TO] = ['2023-01-03', '2024-03-15'];
  const range = { kind: 'range', from: '2024-03-08', to: TO } as const;
  const SESSIONS = calendar.sessionCount(range.from, TO);
  /** The same VIX as the rest, under a name that gates and scores read. */
  const vix = dailyBars('^VIX', FROM, TO);

  async function syncedApp(deliveries: readonly Delivery[] = STOCKS.map((one) => dailyBars(one, FROM, TO))) {
    const app = await freshMarket({ TIGRAPH_NOW: '2024-03-18T12:00:00Z' }, [...deliveries, vix]);
    await syncGraph(app.context, range);
    await syncGraph(app.context, { kind: 'touched' });
    return app;
  }
  /** For those who leave it as it is. */
  const synced = await syncedApp();

  it('keeps the market of every date that it derives, and a second time changes nothing', async () => {
    const app = synced;
    const kept = await storedMarkets(app);
    expect(kept.map(({ date }) => date)).toEqual(calendar.sessionsBetween(range.from, TO));
    expect(kept.map(({ stale }) => stale)).toEqual(kept.map(() => false));
    expect(JSON.parse(kept.at(-1)!.snapshot)).toEqual(await marketOn(app, TO));
    // A pass over more dates than it holds reads them again from where they are kept.
    expect(await openMarketPass(app.context, false).of([TO, '2024-03-12', TO])).toEqual({
      [TO]: await marketOn(app, TO),
      '2024-03-12': await marketOn(app, '2024-03-12'),
    });
    expect(await syncGraph(app.context, { kind: 'touched' })).toMatchObject({ derived: 0, written: 0 });
    expect(await syncGraph(app.context, range)).toMatchObject({ written: 0, derived: 4 * SESSIONS });
    expect(await storedMarkets(app)).toEqual(kept);
  });

  it('derives every stored stock-day again whose market a correction has moved, and once only', async () => {
    const wrong = alteredAfter(vix, midnightUtc('2024-03-11'), 1.5);
    const app = await syncedApp();
    await bring(app, [wrong]);
    const report = await syncGraph(app.context, { kind: 'touched' });
    // The index itself and three stocks on the five dates from the eleventh on; before it nothing has changed.
    expect(report).toMatchObject({ derived: 4 * 5, failed: [] });
    expect(await syncGraph(app.context, { kind: 'touched' })).toMatchObject({ derived: 0 });
    await bring(app, [vix]);
    expect(await syncGraph(app.context, { kind: 'touched' })).toMatchObject({ derived: 4 * 5 });
    expect(await factsOf(app)).toEqual(await factsOf(synced));
  });

  it('leaves the rest alone when the data that came say nothing new of the market', async () => {
    const app = await syncedApp();
    const kept = await storedMarkets(app);
    // One stock of four moves neither breadth nor any sector, and a minute bar never the market of a closed session.
    await bring(app, [
      alteredAfter(dailyBars('ACME', FROM, TO), midnightUtc(TO), 1.01),
      minuteBars('BETA', TO, TO),
    ]);
    expect(await syncGraph(app.context, { kind: 'touched' })).toMatchObject({ derived: 2 });
    expect(await storedMarkets(app)).toEqual(kept);
  });

  it('brings the stock-days to a market that an interrupted pass has left behind', async () => {
    const app = synced;
    const { database } = app.context;
    // As after a kill between the commit of the market and that of the stock-days.
    await database.query(
      `update market_day set unsettled = true, derived_at = clock_timestamp() where trade_date = '2024-03-12'`,
    );
    expect(await syncGraph(app.context, { kind: 'touched' })).toMatchObject({ derived: 4, written: 0 });
    expect(await syncGraph(app.context, { kind: 'touched' })).toMatchObject({ derived: 0 });
  });

  it('leaves a date to the next pass of which another process has kept another market meanwhile', async () => {
    const app = synced;
    const { database } = app.context;
    const stale = async () => (await storedMarkets(app)).flatMap(({ date, stale }) => (stale ? [date] : []));
    const used = await database.query<{ tradeDate: string; digest: string }>(
      `select trade_date::text as "tradeDate", digest from market_day`,
    );
    await markOvertakenStale(database, false, used);
    expect(await stale()).toEqual([]);
    await markOvertakenStale(database, false, [{ ...used[0]!, digest: 'older' }, ...used.slice(1)]);
    expect(await stale()).toEqual([used[0]!.tradeDate]);
    expect(await syncGraph(app.context, { kind: 'touched' })).toMatchObject({ derived: 4 });
    expect(await stale()).toEqual([]);
  });

  it('finds a stock-day that could not be brought to its market, once the defect is mended', async () => {
    const settings = { TIGRAPH_NOW: '2024-03-18T12:00:00Z' };
    const store = await freshStore();
    const first = await openTestApp(store, settings);
    await bring(first, [dailyBars('ACME', FROM, TO), vix]);
    const directory = directoryOf(first.context.tape);
    const before = new Set(readdirSync(directory));
    await bring(first, [dailyBars('TORN', FROM, TO)]);
    await syncGraph(first.context, { kind: 'touched' });
    const file = join(directory, readdirSync(directory).find((name) => !before.has(name))!);
    // Threads that have read the bars need the file no more.
    await first.close();
    const app = await appOn(store, settings);
    const bytes = readFileSync(file);
    await bring(app, [alteredAfter(vix, midnightUtc(TO), 1.5)]);
    truncateSync(file, 100);
    const report = await syncGraph(app.context, { kind: 'touched' });
    expect(report.failed).toMatchObject([{ symbol: 'TORN', tradeDate: TO }]);
    expect(report.derived).toBe(2);
    expect(await app.context.tape.touched()).toMatchObject([{ symbol: 'TORN', kind: 'market' }]);
    writeFileSync(file, bytes);
    expect(await syncGraph(app.context, { kind: 'touched' })).toMatchObject({ derived: 1, failed: [] });
    expect(await app.context.tape.touched()).toEqual([]);
  });

  it('stores what an answer that was derived on the spot has said, byte by byte', async () => {
    const app = await freshMarket({ TIGRAPH_NOW: '2024-03-18T12:00:00Z' }, [
      ...STOCKS.map((one) => dailyBars(one, FROM, TO)),
      vix,
    ]);
    const dates = ['2024-03-12', TO];
    const answers = () => Promise.all(dates.map((date) => answer(app, 'ACME', date)));
    await answers();
    await app.idle();
    app.context.answers.forget(null);
    const onTheSpot = await answers();
    await syncGraph(app.context, range);
    await syncGraph(app.context, { kind: 'touched' });
    app.context.answers.forget(null);
    expect(await Promise.all(dates.map((date) => answer(app, 'ACME', date)))).toEqual(onTheSpot);
    const stored = await app.context.database.query("select from stock_day where symbol = 'ACME'");
    expect(stored.length).toBe(SESSIONS);
  });
});

describe('an answer that is derived on the spot', () => {
  it('shares one walk over the market with all who ask at once, and the next one walks anew after a change', async () => {
    const { app } = await freshApp({ TIGRAPH_NOW: '2024-03-18T12:00:00Z' });
    const { deriver } = app.context;
    await bring(app, [
      dailyBars('ACME', '2023-01-03', '2024-03-15'),
      dailyBars('BETA', '2023-01-03', '2024-03-15'),
    ]);
    let walks = 0;
    const context = {
      ...app.context,
      deriver: {
        ...deriver,
        market(...words: Parameters<typeof deriver.market>) {
          walks++;
          return deriver.market(...words);
        },
      },
    };
    const ask = (symbol: string) =>
      getStock(
        context,
        { symbol, date: DATE, includes: [] },
        { source: 'delayed', delayMs: 900_000, symbols: null },
      );
    // The first question has the peers of its session measured, which changes answers too.
    await ask('ACME');
    await app.idle();
    walks = 0;
    const change = (): void => {
      context.answers.forget(null);
      context.markets.clear();
    };
    change();
    await Promise.all([ask('ACME'), ask('BETA')]);
    await ask('ACME');
    expect(walks).toBe(1);
    change();
    await ask('BETA');
    expect(walks).toBe(2);
  });

  it('has the market of what is on the tape now, whatever was kept of it before a change', async () => {
    const { app } = await freshApp({ TIGRAPH_NOW: '2024-03-18T12:00:00Z' });
    const { calendar: sessions, tape, deriver } = app.context;
    const asOf = sessions.session(DATE)!.open + 60 * 60_000;
    const instants = [{ tradeDate: DATE, asOf }];
    const kept = async () =>
      JSON.stringify(await marketAt(app.context, false, DATE, asOf, AbortSignal.timeout(10_000)));
    const anew = async () => {
      const tapes = await tape.ofMarket(false).marketTapes(instants);
      return (await deriver.market({ tapes, days: instants }))[0]!.text;
    };
    const before = '2024-03-12';
    const minute = (price: number) => minutesAt('S00', DATE, { '09:45': price });
    const split = { kind: 'split', exDate: midnightUtc(DATE), value: 2 } as const;
    const changes: readonly (readonly Delivery[])[] = [
      names(21).flatMap((symbol) => [
        closing(symbol, [100, 100], before),
        minutesAt(symbol, DATE, { '09:30': 101 }),
      ]),
      [closing('S01', [100, 102], before)],
      [minute(99)],
      [{ kind: 'actions', symbol: 'S02', actions: [split] }],
      names(21).map((symbol) => sectorOf(symbol, 'Energy', sessions.session(before)!.open)),
      [closing('SPY', [500, 501], before), minutesAt('SPY', DATE, { '09:31': 505 })],
    ];
    const texts = new Set<string>();
    for (const change of changes) {
      await bring(app, change);
      await app.idle();
      texts.add(await kept());
      expect(await kept()).toBe(await anew());
    }
    // Of changes that do not show nothing would be told.
    expect(texts.size).toBeGreaterThanOrEqual(4);
  });

  it('is kept for a minute, and for good once a pass has stored its day', async () => {
    const app = await freshMarket({ TIGRAPH_NOW: '2024-03-18T12:00:00Z' }, [
      dailyBars('ACME', '2023-01-03', '2024-03-15'),
    ]);
    const request = { symbol: 'ACME', date: DATE, includes: [] };
    const viewer = { source: 'delayed', delayMs: 900_000, symbols: null } as const;
    const { answers, clock } = app.context;
    const peekAfter = (ms: number) => answers.get(stockKey(request, viewer), clock.now() + ms);
    await getStock(app.context, request, viewer);
    await app.idle();
    app.context.answers.forget(null);
    const onTheSpot = await getStock(app.context, request, viewer);
    expect(peekAfter(59_999)?.etag).toBe(onTheSpot.etag);
    expect(peekAfter(60_000)).toBeNull();
    await syncGraph(app.context, { kind: 'range', from: DATE, to: DATE });
    await syncGraph(app.context, { kind: 'touched' });
    await app.idle();
    app.context.answers.forget(null);
    const stored = await getStock(app.context, request, viewer);
    expect(stored.etag).toBe(onTheSpot.etag);
    expect(peekAfter(86_400_000)?.etag).toBe(stored.etag);
  });
});
