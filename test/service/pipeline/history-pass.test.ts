import { describe, expect, it } from 'vitest';
import { getHistory } from '../../../src/api/history/get-history.ts';
import type { App } from '../../../src/app.ts';
import { chunks } from '../../../src/base/chunks.ts';
import { Scope } from '../../../src/base/scope.ts';
import { SteppedTimers } from '../../../src/base/timers.ts';
import { partOfField } from '../../../src/derive/scalar-columns.ts';
import { SCALAR_FIELDS } from '../../../src/derive/scalar-fields.ts';
import { readScreenDates } from '../../../src/graph/screen-rows.ts';
import type { Delivery } from '../../../src/market/feed.ts';
import { keepHistoriesFresh } from '../../../src/pipeline/background-pass.ts';
import { syncGraph } from '../../../src/pipeline/graph-sync.ts';
import { bringHistoriesUpToDate } from '../../../src/pipeline/history-pass.ts';
import { appOn, bring, freshStore } from '../../support/app.ts';
import type { TestStore } from '../../support/database.ts';
import { dailyBars, minuteBars } from '../../support/market.ts';

/** What the background derives for histories: the same as a caller who waits for it, and nothing that is outdated. */

const SYMBOLS = ['ACME', 'BETA', 'SPY'];
const FIRST = '2024-01-02';
const NEWEST = '2024-03-11';
const NOW = '2024-03-12T12:00:00Z';
const SETTINGS = { TIGRAPH_NOW: NOW, TIGRAPH_HISTORY_SESSIONS: '40' };
/** Every field that is kept in columns. */
const FIELDS = SCALAR_FIELDS.filter((field) => partOfField(field) !== null).map(({ path }) => path);
const REALTIME = { source: 'realtime_sip', delayMs: 0 } as const;

interface History {
  readonly dates: readonly string[];
  readonly states: readonly string[];
  readonly columns: Readonly<Record<string, readonly unknown[]>>;
}

const bars = (symbol: string, from = '2023-01-03') => dailyBars(symbol, from, NEWEST);

/** A market of which the newest session alone is stored. */
async function market(): Promise<{ app: App; store: TestStore }> {
  const store = await freshStore();
  const app = await appOn(store, SETTINGS);
  await bring(app, [
    bars('ACME'),
    minuteBars('ACME', '2024-03-06', NEWEST),
    bars('BETA', '2024-02-05'),
    bars('SPY'),
  ]);
  await syncGraph(app.context, { kind: 'touched' });
  return { app, store };
}

async function ask(
  { context }: App,
  symbol: string,
  derive: 'wait' | 'no',
  fields: readonly string[] = FIELDS,
  to = NEWEST,
): Promise<History> {
  const columns: Record<string, readonly unknown[]> = {};
  let last: History | undefined;
  for (const part of chunks(fields, 50)) {
    const request = { symbol, fields: part.join(), derive, from: FIRST, to };
    const { body } = await getHistory(context, request, REALTIME);
    last = JSON.parse(String(body)) as History;
    Object.assign(columns, last.columns);
  }
  return { dates: last!.dates, states: last!.states, columns };
}

/** Answers of every stock; those that are derived forget what was derived before. */
async function answers(app: App, derive: 'wait' | 'no'): Promise<Record<string, History>> {
  app.context.answers.forget(null);
  app.context.histories.announce({ symbols: null, dates: null, origin: null });
  const found: Record<string, History> = {};
  for (const symbol of SYMBOLS) found[symbol] = await ask(app, symbol, derive);
  return found;
}

const valuesOf = (histories: Record<string, History>) =>
  Object.fromEntries(
    Object.entries(histories).map(([symbol, { dates, columns }]) => [symbol, { dates, columns }]),
  );

async function statesOf(app: App, symbol: string): Promise<Record<string, string>> {
  app.context.answers.forget(null);
  app.context.histories.announce({ symbols: null, dates: null, origin: null });
  const { dates, states } = await ask(app, symbol, 'no', ['net_confluence']);
  return Object.fromEntries(dates.map((date, at) => [date, states[at]!]));
}

const rowsOf = async ({ context }: App) =>
  context.database.query<{ symbol: string; quarter: string; days: number; part: string; packed: Uint8Array }>(
    `select symbol, quarter::text, cardinality(days) as days, part, encode(packed, 'hex') as packed
     from scalar_history join scalar_history_part using (symbol, quarter) order by 1, 2, 4`,
  );

describe('the pass', () => {
  it('stores what a caller who waits is answered, of every field, and the same by steps', async () => {
    const { app, store } = await market();
    const awaited = await answers(app, 'wait');
    // Four weeks before: later days are on the tape, and unknown.
    const earlier = await appOn(store, { ...SETTINGS, TIGRAPH_NOW: '2024-02-15T12:00:00Z' });
    const first = await bringHistoriesUpToDate(earlier.context);
    expect(first.derived).toBeGreaterThan(60);
    const second = await bringHistoriesUpToDate(app.context);
    expect(second).toMatchObject({ written: 3, failed: [] });
    const stored = await answers(app, 'no');
    expect(valuesOf(stored)).toEqual(valuesOf(awaited));
    for (const { dates, states } of Object.values(stored)) {
      expect(dates.at(-1)).toBe(NEWEST);
      expect(new Set(states)).toEqual(new Set(['stored']));
    }
    const before = await rowsOf(app);
    expect(await bringHistoriesUpToDate(app.context)).toEqual({ derived: 0, written: 0, failed: [] });
    expect(await rowsOf(app)).toEqual(before);
  });

  it('leaves screens of past dates as they are', async () => {
    const { app } = await market();
    const server = await app.server();
    const screenOn = async (date: string) => {
      const payload = { filter: { field: 'last_price', op: '>', value: 0 }, select: ['last_price'], date };
      const { statusCode, body } = await server.inject({
        method: 'POST',
        url: '/api/graph/v1/screener',
        payload,
      });
      return { statusCode, body: body.replace(/"request_id":"[^"]*"/, '') };
    };
    const screens = async () => [
      await readScreenDates(app.context.database, false, NEWEST, 10),
      await screenOn('2024-03-05'),
      (await screenOn(NEWEST)).statusCode,
    ];
    const before = await screens();
    expect(before.slice(1)).toMatchObject([{ statusCode: 404 }, 200]);
    await bringHistoriesUpToDate(app.context);
    expect(await screens()).toEqual(before);
    await server.close();
  });

  it('does not answer what new data outdate, also once they are derived, and derives it again', async () => {
    const { app } = await market();
    await bringHistoriesUpToDate(app.context);
    const changed = '2024-02-20';
    // A bar of the proxy of the market, which moves all.
    await bring(app, [fallOf('SPY', changed)]);
    // The day itself and the newest are of the pass.
    const others = async () =>
      Object.entries(await statesOf(app, 'SPY')).filter(([date]) => date !== changed && date !== NEWEST);
    const mustBeOutdated = async () => {
      for (const [date, state] of await others()) {
        expect(state === 'stored', `${date} ${state}`).toBe(date < changed);
      }
    };
    await mustBeOutdated();
    await syncGraph(app.context, { kind: 'touched' });
    await mustBeOutdated();
    const { written } = await bringHistoriesUpToDate(app.context);
    // The others for their market.
    expect(written).toBe(3);
    const again = await answers(app, 'no');
    expect(valuesOf(again)).toEqual(valuesOf(await otherwise(app)));
  });

  it('goes on where it was interrupted', async () => {
    const { app } = await market();
    const twin = await market();
    await bringHistoriesUpToDate(twin.app.context);
    const { deriver } = app.context;
    const breaking: typeof deriver = {
      ...deriver,
      columns: (work) =>
        work.job.tape.symbol === 'BETA'
          ? Promise.reject(new Error('the process was killed'))
          : deriver.columns(work),
    };
    await expect(bringHistoriesUpToDate({ ...app.context, deriver: breaking })).rejects.toThrow('killed');
    expect((await rowsOf(app)).length).toBeLessThan((await rowsOf(twin.app)).length);
    await bringHistoriesUpToDate(app.context);
    expect(await rowsOf(app)).toEqual(await rowsOf(twin.app));
  });

  it('writes nothing that was read before ranges were cleared', async () => {
    const { app } = await market();
    const { deriver } = app.context;
    const overtaken: typeof deriver = {
      ...deriver,
      async columns(work) {
        const derived = await deriver.columns(work);
        await bring(app, [dailyBars('ACME', '2022-12-01', '2022-12-30')]);
        await app.context.tape.clearDirtyRanges(await app.context.tape.touched());
        return derived;
      },
    };
    const { written } = await bringHistoriesUpToDate({ ...app.context, deriver: overtaken });
    expect([written, await rowsOf(app)]).toEqual([0, []]);
  });

  it('derives again what an older program has stored, and leaves that of a newer one', async () => {
    const { app } = await market();
    await bringHistoriesUpToDate(app.context);
    const { database } = app.context;
    await database.write(`update scalar_history set derivation = 0 where symbol = 'ACME'`);
    await database.write(`update scalar_history set derivation = 9999 where symbol = 'BETA'`);
    expect((await statesOf(app, 'ACME'))['2024-03-08']).toBe('derivable');
    expect((await bringHistoriesUpToDate(app.context)).written).toBe(1);
    expect((await statesOf(app, 'ACME'))['2024-03-08']).toBe('stored');
    expect((await statesOf(app, 'BETA'))['2024-03-08']).toBe('derivable');
  });

  it('keeps as many sessions as are wanted', async () => {
    const { app } = await market();
    await bringHistoriesUpToDate({ ...app.context, historySessions: 100 });
    const quarters = async () => [...new Set((await rowsOf(app)).map(({ quarter }) => quarter))];
    expect(await quarters()).toEqual(['2023-10-01', '2024-01-01']);
    await bringHistoriesUpToDate(app.context);
    expect(await quarters()).toEqual(['2024-01-01']);
    await bringHistoriesUpToDate({ ...app.context, historySessions: 0 });
    expect(await quarters()).toEqual([]);
  });
});

describe('a process that keeps histories', () => {
  it('stores them in the background', async () => {
    const { app } = await market();
    const timers = new SteppedTimers();
    const scope = new Scope('test', timers);
    await keepHistoriesFresh(scope, app.context, (error) => expect.fail(String(error)));
    await timers.advance(5_000, () => scope.idle());
    expect((await statesOf(app, 'ACME'))[FIRST]).toBe('stored');
    await scope.close();
  });
});

/** What a store that begins with the present data answers. */
async function otherwise(app: App): Promise<Record<string, History>> {
  await app.context.database.write('delete from scalar_history');
  return answers(app, 'wait');
}

/** A bar of a day that closes lower than the one that is known. */
function fallOf(symbol: string, date: string): Delivery {
  const { columns, ...delivery } = dailyBars(symbol, date, date);
  const lower = (price: number): number => price * 0.9;
  return {
    ...delivery,
    columns: { ...columns, low: columns.low.map(lower), close: columns.close.map(lower) },
  };
}
