import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findAnalogs } from '../../../src/api/chat/find-analogs.ts';
import type { Viewer } from '../../../src/api/context/app-context.ts';
import type { App } from '../../../src/app.ts';
import { midnightUtc } from '../../../src/base/calendar.ts';
import { csvFeed } from '../../../src/files/bars/csv.ts';
import { leanFeed } from '../../../src/files/lean/feed.ts';
import { realDataPlan } from '../../../src/files/real-data.ts';
import type { Delivery, Feed } from '../../../src/market/feed.ts';
import { asBars } from '../../../src/market/series.ts';
import { bringStatesUpToDate } from '../../../src/pipeline/state-pass.ts';
import { importFeed } from '../../../src/tape/ingest.ts';
import { analogMarket } from '../../support/analog-market.ts';
import { appOn, bring, freshApp, freshMarket, unitsOf } from '../../support/app.ts';
import { alteredAfter } from '../../support/market.ts';
import { filesOfArchive, realDataDirectory } from '../../support/real-data.ts';
import { onRealData } from '../../support/recorded-app.ts';
import { type BarRow, barsOf } from '../../support/tape.ts';

const FROM = '2022-01-03';
const TO = '2023-09-15';
const NOW = '2023-09-20T12:00:00Z';
const REAL_TIME: Viewer = { source: 'realtime_sip', delayMs: 0, symbols: null };
const DELAYED: Viewer = { source: 'delayed', delayMs: 900_000, symbols: null };

const market = analogMarket(FROM, TO);

async function appWith(deliveries: readonly Delivery[], now = NOW): Promise<App> {
  const app = await freshMarket({ TIGRAPH_NOW: now }, deliveries);
  await bringStatesUpToDate({ ...app.context, delayMs: 0 });
  return app;
}

describe('analogs of a day', async () => {
  const { app, store } = await freshApp({ TIGRAPH_NOW: NOW });
  await bring(app, market);
  await bringStatesUpToDate(app.context);

  it('are past days, the nearest first, with what followed them on the tape', async () => {
    const analogs = (await findAnalogs(app.context, { symbol: 'CC' }, DELAYED))!;
    expect(analogs).toMatchObject({ of: { symbol: 'CC', tradeDate: TO } });
    const { calendar } = app.context;
    const last = calendar.sessionIndex(TO) - 20;
    const first = calendar.sessionIndex(FROM) + 252;
    // Six stocks and the index.
    expect(analogs.candidates).toBe(7 * (last - first + 1));
    expect(analogs.items.length).toBeGreaterThan(10);
    for (const [at, { symbol, tradeDate, similarity, distance, returnsPct }] of analogs.items.entries()) {
      expect(calendar.sessionIndex(tradeDate)).toBeLessThanOrEqual(last);
      expect(similarity).toBeCloseTo(Math.exp((-distance * distance) / 6), 12);
      if (at > 0) expect(distance).toBeGreaterThanOrEqual(analogs.items[at - 1]!.distance);
      const { time, close } = market.find((delivery) => delivery.symbol === symbol)!.columns;
      const row = time.indexOf(midnightUtc(tradeDate));
      for (const sessions of [1, 5, 20]) {
        expect(returnsPct.get(sessions)).toBeCloseTo((close[row + sessions]! / close[row]! - 1) * 100, 8);
      }
    }
    const after20 = analogs.items.map(({ returnsPct }) => returnsPct.get(20)!);
    expect(analogs.followed.map(({ sessions }) => sessions)).toEqual([1, 5, 20]);
    expect(analogs.followed[2]).toMatchObject({
      n: after20.length,
      mean: expect.closeTo(after20.reduce((sum, value) => sum + value, 0) / after20.length, 8),
      shareUp: after20.filter((value) => value > 0).length / after20.length,
    });
  });

  it('are at most as many as requested', async () => {
    const analogs = (await findAnalogs(app.context, { symbol: 'CC', limit: 3 }, DELAYED))!;
    expect(analogs.items).toHaveLength(3);
    expect(analogs.followed[0]).toMatchObject({ n: 3, mean: null });
  });

  it('speak for the newest session at or before the date', async () => {
    const of = async (date: string) =>
      (await findAnalogs(app.context, { symbol: 'AA', date }, DELAYED))?.of.tradeDate;
    expect(await of('2023-09-09')).toBe('2023-09-08');
    expect(await of('2023-07-04')).toBe('2023-07-03');
    expect(await of('2030-01-01')).toBe(TO);
    expect(await of('2022-12-01')).toBeUndefined();
    expect(await findAnalogs(app.context, { symbol: 'NONE' }, DELAYED)).toBeNull();
  });

  it('are none on the first days that have a state', async () => {
    const { calendar } = app.context;
    const first = calendar.sessionAt(calendar.sessionIndex(FROM) + 252)!.tradeDate;
    expect(await findAnalogs(app.context, { symbol: 'AA', date: first }, DELAYED)).toEqual({
      of: { symbol: 'AA', tradeDate: first },
      candidates: 0,
      items: [],
      followed: [],
    });
  });

  it('are those of the session before while a viewer may not know the close', async () => {
    const early = await appOn(store, { TIGRAPH_NOW: '2023-09-15T20:05:00Z' });
    const of = async (viewer: Viewer) =>
      (await findAnalogs(early.context, { symbol: 'AA' }, viewer))!.of.tradeDate;
    expect(await of(REAL_TIME)).toBe('2023-09-15');
    expect(await of(DELAYED)).toBe('2023-09-14');
  });

  it('are the same whatever comes after the day', async () => {
    const date = '2023-08-25';
    const analogs = (await findAnalogs(app.context, { symbol: 'DD', date }, DELAYED))!;
    expect(analogs.items.length).toBeGreaterThan(5);
    const after = midnightUtc(date) + 1;
    const other = await appWith(market.map((delivery, at) => alteredAfter(delivery, after, 1.3 + at / 7)));
    expect(await findAnalogs(other.context, { symbol: 'DD', date }, DELAYED)).toEqual(analogs);
    const newest = await findAnalogs(other.context, { symbol: 'DD' }, DELAYED);
    expect(newest).not.toEqual(await findAnalogs(app.context, { symbol: 'DD' }, DELAYED));
  });

  it('are called off with the signal', async () => {
    await expect(findAnalogs(app.context, { symbol: 'AA' }, DELAYED, AbortSignal.abort())).rejects.toThrow();
  });
});

describe.skipIf(realDataDirectory === null)('analogs of real days', async () => {
  /** Every sixth stock of the S&P 500 of 2016-2019. */
  const lastCloses = new Map<string, number>();
  let companies: string;
  const { app } = await onRealData(
    async (app) => {
      companies = await filesOfArchive(
        'daily/sp500_daily_adjusted_2016_2019.zip',
        (_, place) => place % 6 === 0,
      );
      const keep = (delivery: Delivery): Delivery => {
        if (delivery.kind === 'bars') lastCloses.set(delivery.symbol, delivery.columns.close.at(-1)!);
        return delivery;
      };
      for (const feed of await realFeeds(app, keep)) await importFeed(app.context, feed);
      await bringStatesUpToDate(app.context);
    },
    { TIGRAPH_NOW: '2020-01-06T12:00:00Z' },
  );

  /** Dailies of the stocks, of SPY and of the VIX, each delivery as it is made. */
  async function realFeeds(to: App, make: (delivery: Delivery) => Delivery): Promise<Feed[]> {
    const { calendar } = to.context;
    const folder = realDataDirectory!;
    const dailies = csvFeed({
      paths: [companies],
      calendar,
      interval: '1d',
      symbolFrom: 'file-name',
    });
    const vix = (await realDataPlan(folder, calendar)).find(({ title }) => title === 'VIX daily')!.feed;
    return [
      through(dailies, make),
      through(unitsOf(leanFeed(resolve(folder, 'lean'), calendar), /daily.spy/i), make),
      through(vix, make),
    ];
  }

  it('use nothing after a past day', async () => {
    const symbol = await anySymbol();
    const date = '2018-10-10';
    const analogs = (await findAnalogs(app.context, { symbol, date }, DELAYED))!;
    expect(analogs).toMatchObject({ of: { tradeDate: date } });
    expect(analogs.items).toHaveLength(20);
    const { app: altered } = await freshApp({ TIGRAPH_NOW: '2020-01-06T12:00:00Z' });
    const alter = (delivery: Delivery): Delivery =>
      delivery.kind === 'bars' ? alteredAfter(delivery, midnightUtc(date) + 1, 1.4) : delivery;
    for (const feed of await realFeeds(altered, alter)) await importFeed(altered.context, feed);
    await bringStatesUpToDate(altered.context);
    expect(await findAnalogs(altered.context, { symbol, date }, DELAYED)).toEqual(analogs);
    const nextDay = { symbol, date: '2018-10-11' };
    expect(await findAnalogs(altered.context, nextDay, DELAYED)).not.toEqual(
      await findAnalogs(app.context, nextDay, DELAYED),
    );
  }, 600_000);

  it('are the same days, with the same returns after them, once later days are there', async () => {
    const symbols = [...lastCloses.keys()].slice(0, 20);
    const ask = async (date?: string) =>
      JSON.stringify(
        await Promise.all(symbols.map((symbol) => findAnalogs(app.context, { symbol, date }, DELAYED))),
        (_, value) => (value instanceof Map ? [...value] : value),
      );
    const answer = await ask();
    const later = ['2020-01-02', '2020-01-03'].map(midnightUtc);
    const bars = Array.from(lastCloses, ([symbol, close]): Delivery => {
      const rows = later.map((time): BarRow => [time, close, close * 1.01, close * 0.99, close, 1e6]);
      return { kind: 'bars', symbol, interval: '1d', columns: asBars(barsOf('bars-1d', rows)) };
    });
    await bring(app, bars);
    expect((await bringStatesUpToDate(app.context)).symbols).toBeGreaterThan(70);
    expect(await ask('2019-12-31')).toBe(answer);
    expect(await ask()).not.toBe(answer);
  }, 600_000);

  async function anySymbol(): Promise<string> {
    const [row] = await app.context.database.query<{ symbol: string }>(
      `select symbol from stock_state_year where year = 2019 and symbol <> 'SPY' order by symbol limit 1`,
    );
    return row!.symbol;
  }
});

/** A feed with its deliveries chosen and altered on the way. */
function through(feed: Feed, make: (delivery: Delivery) => Delivery): Feed {
  return {
    ...feed,
    units: async () =>
      (await feed.units()).map((unit) => ({
        ...unit,
        async *read() {
          for await (const delivery of unit.read()) yield make(delivery);
        },
      })),
  };
}
