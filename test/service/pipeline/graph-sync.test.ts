import { readdirSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { App } from '../../../src/app.ts';
import { DERIVATION } from '../../../src/derive/derivation.ts';
import { markOldDays, readFacts } from '../../../src/graph/stock-days.ts';
import type { CompanyProfile } from '../../../src/market/facts.ts';
import type { Delivery } from '../../../src/market/feed.ts';
import { factOf } from '../../../src/market/validate-fact.ts';
import { syncGraph } from '../../../src/pipeline/graph-sync.ts';
import { importFeed } from '../../../src/tape/ingest.ts';
import { bring, feedOf, freshApp, freshMarket } from '../../support/app.ts';
import { dailyBars, minuteBars } from '../../support/market.ts';
import { factsOf, profileWith } from '../../support/reported.ts';
import { directoryOf } from '../../support/tape.ts';

const NO_PROFILE: CompanyProfile = profileWith({});

/** Everything in the graph, in a fixed order. */
async function graphOf(app: App) {
  const { database } = app.context;
  return {
    facts: await database.query('select symbol, trade_date, block, value from fact order by 1, 2, 3'),
    nodes: await database.query('select label, key, props::text from node order by 1, 2'),
    edges: await database.query('select source, type, target, props::text from edge order by 1, 2, 3'),
  };
}

/** An app on a market of these symbols. */
const marketOf = (...symbols: string[]): Promise<App> =>
  freshMarket(
    {},
    symbols.flatMap((symbol) => [
      dailyBars(symbol, '2023-01-03', '2024-03-05'),
      minuteBars(symbol, '2024-03-04', '2024-03-05'),
    ]),
  );

describe('a sync', () => {
  it('derives the last session of dirty stocks, and has nothing to do a second time', async () => {
    const app = await marketOf('ACME', 'BETA');
    expect(await syncGraph(app.context, { kind: 'touched' })).toMatchObject({
      derived: 2,
      written: 2,
      failed: [],
    });
    const days = await app.context.database.query('select symbol, trade_date from stock_day order by 1');
    expect(days).toEqual([
      { symbol: 'ACME', trade_date: '2024-03-05' },
      { symbol: 'BETA', trade_date: '2024-03-05' },
    ]);
    expect(await syncGraph(app.context, { kind: 'touched' })).toMatchObject({ derived: 0, written: 0 });
  });

  it('leaves the graph as it is when a range is derived again', async () => {
    const app = await marketOf('ACME');
    const range = { kind: 'range', from: '2024-02-26', to: '2024-03-05' } as const;
    expect(await syncGraph(app.context, range)).toMatchObject({ derived: 7, written: 7, unchanged: 0 });
    const before = await graphOf(app);
    expect(before.edges.length).toBeGreaterThan(10);
    expect(await syncGraph(app.context, range)).toMatchObject({ derived: 7, written: 0, unchanged: 7 });
    expect(await graphOf(app)).toEqual(before);
  });

  it('derives the days of an older derivation again, and leaves those of a newer one', async () => {
    const app = await marketOf('ACME', 'BETA');
    const { database } = app.context;
    await syncGraph(app.context, { kind: 'range', from: '2024-02-26', to: '2024-03-05' });
    await syncGraph(app.context, { kind: 'touched' });
    const daysOf = () =>
      database.query('select symbol, trade_date, derivation, digest from stock_day order by 1, 2');
    const days = await daysOf();
    await database.query(`update stock_day set digest = 'other', derivation = derivation - 1
      where symbol = 'ACME' and trade_date = '2024-02-28'`);
    await database.query(`update stock_day set derivation = derivation - 1
      where symbol = 'ACME' and trade_date = '2024-03-01'`);
    await database.query(`update stock_day set digest = 'other', derivation = derivation + 1
      where symbol = 'BETA' and trade_date = '2024-03-04'`);
    const read = async () => {
      const names = ['ACME', 'BETA'].map((symbol) => ({ symbol, tradeDate: '2024-03-04' }));
      return Array.from((await readFacts(database, names, ['core'])).values(), ({ outdated }) => outdated);
    };
    expect(await read()).toEqual([false, false]);
    await markOldDays(database, DERIVATION);
    expect(await read()).toEqual([true, false]);
    // From the oldest of the stock on, as behind a bar that is new.
    expect(await syncGraph(app.context, { kind: 'touched' })).toMatchObject({
      derived: 5,
      written: 1,
      unchanged: 4,
    });
    expect(await read()).toEqual([false, false]);
    expect(await daysOf()).toEqual(
      days.map((day) =>
        day.symbol === 'BETA' && day.trade_date === '2024-03-04'
          ? { ...day, digest: 'other', derivation: DERIVATION + 1 }
          : day,
      ),
    );
    expect(await syncGraph(app.context, { kind: 'touched' })).toMatchObject({ derived: 0 });
  });

  it('yields the same graph whether a bar was right from the start or corrected later', async () => {
    const { app: mended } = await freshApp();
    const { app: right } = await freshApp();
    const bars = dailyBars('ACME', '2023-01-03', '2024-03-05');
    const wrong = {
      ...bars,
      columns: {
        ...bars.columns,
        high: bars.columns.high.map((high, row) => (row === 280 ? high + 9 : high)),
      },
    };
    await bring(mended, [wrong]);
    await syncGraph(mended.context, { kind: 'range', from: '2024-02-01', to: '2024-03-05' });
    await syncGraph(mended.context, { kind: 'touched' });
    await bring(mended, [bars]);
    const report = await syncGraph(mended.context, { kind: 'touched' });
    expect(report.derived).toBeGreaterThan(1);
    await bring(right, [bars]);
    await syncGraph(right.context, { kind: 'range', from: '2024-02-01', to: '2024-03-05' });
    expect(await graphOf(mended)).toEqual(await graphOf(right));
  });

  it('counts a symbol that breaks and finishes the rest; mended, the next pass finds it', async () => {
    const app = await freshMarket({}, [dailyBars('GOOD', '2023-01-03', '2024-03-05')]);
    const directory = directoryOf(app.context.tape);
    const before = new Set(readdirSync(directory));
    await importFeed(app.context, feedOf({ bad: [dailyBars('BAD', '2023-01-03', '2024-03-05')] }, 'other'));
    const file = readdirSync(directory).find((name) => !before.has(name))!;
    truncateSync(join(directory, file), 1_000);
    const report = await syncGraph(app.context, { kind: 'touched' });
    expect(report).toMatchObject({ derived: 1, written: 1 });
    expect(report.failed).toMatchObject([{ symbol: 'BAD', tradeDate: '2024-03-05' }]);
    expect((await app.context.tape.touched()).map((stretch) => stretch.symbol)).toEqual(['BAD']);
  });

  it('says which of the named symbols the tape does not know', async () => {
    const app = await marketOf('ACME');
    const scope = { kind: 'range', from: '2024-03-05', to: '2024-03-05', symbols: ['ACME', 'NOPE'] } as const;
    expect(await syncGraph(app.context, scope)).toMatchObject({ derived: 1, unknown: ['NOPE'] });
  });

  it('derives each day with what had been reported by its own instant, as an answer on the spot does', async () => {
    const { app } = await freshApp();
    const { database, calendar } = app.context;
    const endOf = (date: string): number => calendar.session(date)!.end;
    const named = (knownAt: number, companyName: string): Delivery =>
      factsOf('ACME', factOf('profile', knownAt, { ...NO_PROFILE, companyName }));
    await bring(app, [
      dailyBars('ACME', '2023-01-03', '2024-03-05'),
      named(endOf('2024-02-28'), 'Acme'),
      named(endOf('2024-03-01') + 1, 'Acme of tomorrow'),
    ]);
    const server = await app.server();
    const answer = async (date: string) => {
      const response = await server.inject({ url: `/api/graph/v1/stocks/ACME?date=${date}` });
      app.context.answers.forget(null);
      return response.body;
    };
    const dates = calendar.sessionsBetween('2024-02-27', '2024-03-05');
    const onTheSpot: string[] = [];
    for (const date of dates) onTheSpot.push(await answer(date));
    const [from, to] = [dates[0]!, dates.at(-1)!];
    await syncGraph(app.context, { kind: 'range', from, to });
    // A dirty stock is derived on request whether it is stored or not.
    await syncGraph(app.context, { kind: 'touched' });
    const stored: string[] = [];
    for (const date of dates) stored.push(await answer(date));
    await server.close();
    expect(stored).toEqual(onTheSpot);
    expect(stored.map((body) => JSON.parse(body).company_name)).toEqual([
      null,
      'Acme',
      'Acme',
      'Acme',
      'Acme of tomorrow',
      'Acme of tomorrow',
    ]);
    expect(await database.query('select from stock_day')).toHaveLength(dates.length);
  });
});
