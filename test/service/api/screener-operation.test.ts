import * as fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Screen } from '../../../src/analysis/screening/screen.ts';
import { anonymousCaller, type Caller } from '../../../src/api/access/viewer.ts';
import { ColumnCache } from '../../../src/api/context/column-cache.ts';
import { type CachedResult, resultCache } from '../../../src/api/context/result-cache.ts';
import { cursorText, readCursor } from '../../../src/api/screener/screen-page.ts';
import { type ScreenRequest, screenStocks } from '../../../src/api/screener/screen-stocks.ts';
import { sessionCloses } from '../../../src/api/screener/session-closes.ts';
import { newestScreenDate } from '../../../src/api/screener/visible-date.ts';
import { getStock } from '../../../src/api/stocks/get-stock.ts';
import type { App } from '../../../src/app.ts';
import { Scope } from '../../../src/base/scope.ts';
import { SteppedTimers } from '../../../src/base/timers.ts';
import { INCLUDE_FIELDS } from '../../../src/derive/compose.ts';
import { SCALAR_FIELDS, scalarAt } from '../../../src/derive/scalar-fields.ts';
import { writeStockDays } from '../../../src/graph/stock-days.ts';
import { syncGraph } from '../../../src/pipeline/graph-sync.ts';
import { simulatedFeed } from '../../../src/simulated/feed.ts';
import { importFeed } from '../../../src/tape/ingest.ts';
import { createScreener } from '../../../src/workers/task-threads.ts';
import { appOn, freshApp, freshStore, serverOf } from '../../support/app.ts';
import { screenDay } from '../../support/screens.ts';
import { numbers } from '../../support/tables.ts';

const REALTIME: Caller = { ...anonymousCaller(0), source: 'realtime_sip' };
const DELAYED = anonymousCaller(15 * 60_000);
const DATE = '2024-03-05';

interface Page {
  readonly date: string;
  readonly as_of: { readonly oldest: string | null; readonly newest: string | null };
  readonly total: number;
  readonly universe: number;
  readonly rows: readonly Record<string, unknown>[];
  readonly near_misses: readonly Record<string, unknown>[];
  readonly next_cursor: string | null;
}

const pageOf = async (app: App, request: ScreenRequest, caller: Caller = REALTIME): Promise<Page> =>
  JSON.parse(await screenStocks(app.context, request, caller));

/** A screen that finds a column and its dictionary by their paths. */
const named = (path: string): Screen['select'][number] => ({ kind: 'field', path });

describe('a simulated market', async () => {
  const LAST = '2024-06-28';
  const { app } = await freshApp({ TIGRAPH_NOW: '2024-07-01T12:00:00Z' });
  const size = { symbols: 12, days: 90, seed: 3, minuteSessions: 1, tickSessions: 1 };
  await importFeed(app.context, simulatedFeed({ ...size, end: LAST, calendar: app.context.calendar }));
  await syncGraph(app.context, { kind: 'range', from: LAST, to: LAST });
  // An index is no stock: a screen does not read it unless it is named.
  const symbols = (await app.context.tape.symbols()).filter((symbol) => symbol !== '^SIMVIX');
  const includes = [...new Set(INCLUDE_FIELDS.values())];
  const answers = new Map<string, Record<string, unknown>>();
  for (const symbol of symbols) {
    const { body } = await getStock(app.context, { symbol, date: LAST, includes }, REALTIME);
    answers.set(symbol, JSON.parse(body.toString()));
  }

  it('is screened on the very values that the stock detail shows, field by field', async () => {
    let known = 0;
    for (let at = 0; at < SCALAR_FIELDS.length; at += 100) {
      const select = SCALAR_FIELDS.slice(at, at + 100).map(({ path }) => path);
      const { rows, total, date } = await pageOf(app, { select, limit: 500 });
      expect([date, total, rows.length]).toEqual([LAST, symbols.length, symbols.length]);
      for (const row of rows) {
        const answer = answers.get(row.symbol as string)!;
        for (const path of select) {
          const value = scalarAt(answer, path);
          expect(row[path], `${row.symbol} ${path}`).toBe(value);
          if (value !== null) known++;
        }
      }
    }
    // A market of nulls would prove nothing.
    expect(known).toBeGreaterThan(symbols.length * 200);
  });

  it('has an index only where the filter names it', async () => {
    expect((await pageOf(app, {})).universe).toBe(symbols.length);
    const named = { field: 'symbol', op: 'in', value: ['^SIMVIX', 'SIMX'] } as const;
    const { rows, universe } = await pageOf(app, { filter: named });
    expect(rows.map(({ symbol }) => symbol).sort()).toEqual(['SIMX', '^SIMVIX']);
    expect(universe).toBe(symbols.length + 1);
  });

  it('has the closes of the session where they are asked for, and none after the instant of its rows', async () => {
    const server = await serverOf(app);
    const closesAt = async (symbol: unknown, asOf: string): Promise<unknown> => {
      const query = `interval=15m&from=${LAST}&to=${LAST}&as_of=${asOf}`;
      return (await server.inject(`/api/graph/v1/stocks/${symbol}/bars?${query}`)).json().close;
    };
    const { rows, as_of } = await pageOf(app, { select: ['last_price'], limit: 5, closes: true });
    for (const { symbol, closes, ...rest } of rows) {
      expect(closes).toHaveLength(26);
      expect(closes).toEqual(await closesAt(symbol, as_of.newest!));
      expect(Object.keys(rest)).toEqual(['last_price']);
    }
    const noon = `${LAST}T16:07:00Z`;
    const [one, other] = symbols;
    const until = { symbols: [one!, other!], tradeDate: LAST, asOf: Date.parse(noon) };
    const then = await sessionCloses(app.context, until, AbortSignal.timeout(10_000));
    expect(then.get(one!)).toHaveLength(11);
    expect(Object.fromEntries(then)).toEqual({
      [one!]: await closesAt(one, noon),
      [other!]: await closesAt(other, noon),
    });
    expect((await pageOf(app, { limit: 1 })).rows[0]).not.toHaveProperty('closes');
    await expect(pageOf(app, { limit: 101, closes: true })).rejects.toMatchObject({
      faults: [{ loc: ['body', 'closes'] }],
    });
  });

  it('knows stocks by any of their names', async () => {
    const [one] = symbols;
    const condition = { field: 'symbol', op: 'in', value: [one!.toLowerCase(), 'brk-b'] };
    const { rows } = await pageOf(app, { filter: { any: [condition] } });
    expect(rows.map(({ symbol }) => symbol)).toEqual([one]);
  });

  it('is screened as a plain filter over its answers is', async () => {
    const request: ScreenRequest = {
      filter: {
        all: [
          { field: 'last_price', op: '>', value: 20 },
          {
            any: [
              { field: 'net_confluence', op: '>', value: 0 },
              { field: 'technical.rsi_14', op: '<', value: 50 },
            ],
          },
          { not: { field: 'halted', op: '=', value: true } },
          { field: 'last_price', op: '<=', other: 'levels.pdh' },
        ],
      },
      sort: [{ field: 'technical.rsi_14', order: 'desc' }],
    };
    const value = (answer: Record<string, unknown>, path: string): number =>
      (scalarAt(answer, path) as number | null) ?? Number.NaN;
    const plain = [...answers]
      .filter(
        ([, answer]) =>
          value(answer, 'last_price') > 20 &&
          (value(answer, 'net_confluence') > 0 || value(answer, 'technical.rsi_14') < 50) &&
          scalarAt(answer, 'halted') === false &&
          value(answer, 'last_price') <= value(answer, 'levels.pdh'),
      )
      .sort(([, one], [, other]) => value(other, 'technical.rsi_14') - value(one, 'technical.rsi_14'))
      .map(([symbol]) => symbol);
    const { rows, total } = await pageOf(app, request);
    expect(plain.length).toBeGreaterThan(0);
    expect(plain.length).toBeLessThan(symbols.length);
    expect([total, rows.map(({ symbol }) => symbol)]).toEqual([plain.length, plain]);
  });
});

describe('stored rows', async () => {
  const timers = new SteppedTimers();
  const { app, store } = await freshApp({ TIGRAPH_NOW: '2024-03-06T02:00:00Z' }, { timers });

  const price = (symbol: string, last: number, date = DATE) =>
    screenDay(symbol, date, app.context.calendar.session(date)!.postClose, {
      last_price: last,
      company_name: `Company ${symbol}`,
    });

  /** All of a date, once what has been written is heard of and columns may be read again. */
  const allOf = async (date: string): Promise<Page> => {
    await timers.advance(1_000, app.idle);
    return pageOf(app, { date, limit: 500, select: ['last_price'] });
  };

  describe('leafing through pages', () => {
    it('repeats and loses no stock while a pass rewrites, adds and takes away rows', async () => {
      const date = '2024-02-01';
      await fc.assert(
        fc.asyncProperty(
          fc.uniqueArray(fc.integer({ min: 0, max: 60 }), { minLength: 9, maxLength: 30 }),
          fc.array(fc.tuple(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 1, max: 9 })), {
            minLength: 1,
            maxLength: 12,
          }),
          fc.integer({ min: 1, max: 4 }),
          async (first, later, limit) => {
            await app.context.database.query(`delete from screen_row where trade_date = '2024-02-01'`);
            await app.context.database.query(`delete from stock_day where trade_date = '2024-02-01'`);
            app.context.screener.columns(false).announce(null);
            await writeStockDays(
              app.context.database,
              first.map((at) => price(`S${at}`, at % 5, date)),
            );
            const written = first.map((at) => `S${at} ${at % 5}`).sort();
            const stored = (await allOf(date)).rows;
            expect(stored.map(({ symbol, last_price: last }) => `${symbol} ${last}`).sort()).toEqual(written);
            const screen = { date, limit, sort: [{ field: 'last_price', order: 'desc' }] };
            const expected = (await pageOf(app, { ...screen, limit: 500 })).rows;
            const seen: Record<string, unknown>[] = [];
            let page = await pageOf(app, screen);
            for (let at = 0; ; at++) {
              expect(page.total).toBe(first.length);
              seen.push(...page.rows);
              if (page.next_cursor === null) break;
              const [name, last] = later[at % later.length]!;
              await writeStockDays(app.context.database, [
                price(`S${name}`, last + at, date),
                price(`N${at}`, 9, date),
              ]);
              page = await pageOf(app, { ...screen, cursor: page.next_cursor });
            }
            expect(seen).toEqual(expected);
          },
        ),
        { numRuns: 6 },
      );
    }, 120_000);

    it('goes on in another process as long as the rows are the same, and says when they are not', async () => {
      const date = '2024-02-02';
      await writeStockDays(
        app.context.database,
        Array.from({ length: 10 }, (_, at) => price(`P${at}`, at, date)),
      );
      expect((await allOf(date)).total).toBe(10);
      const screen = { date, limit: 4, sort: [{ field: 'last_price', order: 'desc' }] };
      const first = await pageOf(app, screen);
      const other = await appOn(store, { TIGRAPH_NOW: '2024-03-06T02:00:00Z' });
      const second = await pageOf(other, { ...screen, cursor: first.next_cursor! });
      expect(second.rows.map(({ symbol }) => symbol)).toEqual(['P5', 'P4', 'P3', 'P2']);
      await writeStockDays(app.context.database, [price('P0', 77, date)]);
      const third = await appOn(store, { TIGRAPH_NOW: '2024-03-06T02:00:00Z' });
      await expect(pageOf(third, { ...screen, cursor: second.next_cursor! })).rejects.toMatchObject({
        code: 'cursor_expired',
      });
      // Who has the pages at hand goes on with them.
      const last = await pageOf(other, { ...screen, cursor: second.next_cursor! });
      expect([last.rows.map(({ symbol }) => symbol), last.next_cursor]).toEqual([['P1', 'P0'], null]);
    });
  });

  describe('an image', () => {
    /** Longer than an image that has changed is served as it was. */
    const STALE_MS = 5_000;

    /** A cache whose time the test steps. */
    function steppedCache() {
      const timers = new SteppedTimers();
      const scope = new Scope('images', timers);
      onTestFinished(() => scope.close());
      const kept = new ColumnCache(app.context.database, scope, false);
      return { kept, advance: (ms: number) => timers.advance(ms, () => scope.idle()) };
    }

    it('is the same for every reader, brought up to date or read at once', async () => {
      const date = '2024-02-05';
      const { kept, advance } = steppedCache();
      await writeStockDays(
        app.context.database,
        Array.from({ length: 40 }, (_, at) => price(`S${at}`, at, date)),
      );
      const before = (await kept.of(date))!;
      await writeStockDays(app.context.database, [
        price('S7', 700, date),
        price('AA', 1, date),
        price('ZZ', 2, date),
      ]);
      await app.context.database.query(
        `delete from screen_row where symbol = 'S9' and trade_date = '2024-02-05'`,
      );
      kept.announce(['S7', 'AA', 'ZZ', 'S9', 'NEVER']);
      await advance(STALE_MS);
      const updated = (await kept.of(date))!;
      const read = (await new ColumnCache(app.context.database, app.context.scope, false).of(date))!;
      expect(updated.version).toBe(read.version);
      expect(updated.symbols).toEqual(read.symbols);
      expect(updated.symbols).toEqual(updated.symbols.toSorted());
      for (const [path, { values, dictionary }] of read.columns) {
        expect(updated.columns.get(path)!.values, path).toEqual(values);
        expect(updated.columns.get(path)!.dictionary?.words, path).toEqual(dictionary?.words);
      }
      // What was published before is what it was.
      expect([before.symbols.length, before.columns.get('last_price')!.values.length]).toEqual([40, 40]);
    });

    it('shares the columns that did not change', async () => {
      const date = '2024-02-06';
      const { kept, advance } = steppedCache();
      await writeStockDays(app.context.database, [price('A', 1, date), price('B', 2, date)]);
      const before = (await kept.of(date))!;
      await writeStockDays(app.context.database, [price('B', 3, date)]);
      kept.announce(null);
      await advance(STALE_MS);
      const after = (await kept.of(date))!;
      expect(after.columns.get('company_name')).toBe(before.columns.get('company_name'));
      expect([...after.columns.get('last_price')!.values]).toEqual([1, 3]);
      expect([...before.columns.get('last_price')!.values]).toEqual([1, 2]);
    });

    it('makes room for others, the longest unused first', async () => {
      const dates = ['2024-02-07', '2024-02-08', '2024-02-09'];
      for (const date of dates) await writeStockDays(app.context.database, [price('A', 1, date)]);
      const one = (await new ColumnCache(app.context.database, app.context.scope, false).of(dates[0]!))!;
      const kept = new ColumnCache(app.context.database, app.context.scope, false, 2.5 * one.bytes);
      const [first, second] = [await kept.of(dates[0]!), await kept.of(dates[1]!)];
      expect(await kept.of(dates[0]!)).toBe(first);
      await kept.of(dates[2]!);
      expect(kept.bytes).toBeLessThanOrEqual(2.5 * one.bytes);
      expect(await kept.of(dates[0]!)).toBe(first);
      expect(await kept.of(dates[1]!)).not.toBe(second);
    });

    it('refuses to read very many dates at a time', async () => {
      const dates = app.context.calendar.sessionsBetween('2024-01-02', '2024-01-31');
      await writeStockDays(
        app.context.database,
        dates.map((date) => price('A', 1, date)),
      );
      const kept = new ColumnCache(app.context.database, app.context.scope, false);
      const outcomes = await Promise.allSettled(dates.map((date) => kept.of(date)));
      const refused = outcomes.filter(({ status }) => status === 'rejected');
      expect(refused.length).toBeGreaterThan(0);
      expect(refused[0]).toMatchObject({ reason: { code: 'overloaded' } });
      expect(await kept.of(dates.at(-1)!)).not.toBeNull();
    });

    it('is null where a date has no rows', async () => {
      expect(
        await new ColumnCache(app.context.database, app.context.scope, false).of('2011-03-08'),
      ).toBeNull();
    });
  });

  describe('a caller whose grant names symbols', async () => {
    const limited: Caller = { ...REALTIME, symbols: new Set(['L2', 'L4', 'NONE']) };
    const date = '2024-02-12';

    await writeStockDays(
      app.context.database,
      Array.from({ length: 6 }, (_, at) => price(`L${at}`, at, date)),
    );

    it('is answered of these alone, totals and near misses too', async () => {
      const filter = { all: [{ field: 'last_price', op: '>', value: 3 }] };
      const page = await pageOf(app, { date, filter, near_misses: 10 }, limited);
      expect([page.total, page.universe]).toEqual([1, 2]);
      expect(page.rows.map(({ symbol }) => symbol)).toEqual(['L4']);
      expect(page.near_misses).toEqual([
        { symbol: 'L2', failed: 'filter.all.0', condition: filter.all[0], distance: 1, value: 2 },
      ]);
    });

    it('sees nothing where none of them is there', async () => {
      const page = await pageOf(app, { date }, { ...REALTIME, symbols: new Set(['NONE']) });
      expect(page).toMatchObject({ total: 0, universe: 0, as_of: { oldest: null, newest: null }, rows: [] });
    });

    it('cannot go on with the pages of another', async () => {
      const { next_cursor: cursor } = await pageOf(app, { date, limit: 1 });
      await expect(pageOf(app, { date, limit: 1, cursor: cursor! }, limited)).rejects.toMatchObject({
        faults: [{ loc: ['body', 'cursor'], type: 'value_error' }],
      });
    });
  });
});

describe('the date that is screened by default', async () => {
  const store = await freshStore();
  const database = await store.open();
  const whole = (date: string, count: number, asOf: string) =>
    writeStockDays(
      database,
      Array.from({ length: count }, (_, at) => screenDay(`S${at}`, date, asOf, {})),
    );
  await whole('2024-03-01', 1, '2024-03-02T01:00:00Z');
  await whole('2024-03-04', 10, '2024-03-05T01:00:00Z');
  await whole('2024-03-05', 6, '2024-03-06T01:00:00Z');
  // A session that runs: its rows speak for 15:30, some of an earlier minute.
  await whole('2024-03-06', 6, '2024-03-06T15:30:00Z');
  await writeStockDays(database, [screenDay('S0', '2024-03-06', '2024-03-06T15:01:00Z', {})]);
  await whole('2024-03-07', 2, '2024-03-08T01:00:00Z');

  it.each([
    ['a running session, in real time', '2024-03-06T15:30:40Z', REALTIME, '2024-03-06'],
    [
      'a running session, with delay: the last that can be seen whole',
      '2024-03-06T15:30:40Z',
      DELAYED,
      '2024-03-05',
    ],
    ['with delay, until all that is stored is old enough', '2024-03-06T15:44:59Z', DELAYED, '2024-03-05'],
    ['with delay, when it is', '2024-03-06T15:45:00Z', DELAYED, '2024-03-06'],
    ['the end of a session, in real time', '2024-03-06T01:00:00Z', REALTIME, '2024-03-05'],
    ['the end of a session, with delay', '2024-03-06T01:14:59Z', DELAYED, '2024-03-04'],
    ['a fragment is passed over', '2024-03-08T12:00:00Z', REALTIME, '2024-03-06'],
    ['the first date has none before it', '2024-03-02T12:00:00Z', REALTIME, '2024-03-01'],
    ['before all dates', '2024-01-02T12:00:00Z', REALTIME, null],
  ])('%s', async (_, now, caller, expected) => {
    const { context } = await appOn(store, { TIGRAPH_NOW: now });
    expect(await newestScreenDate(context, false, caller)).toBe(expected);
  });
});

describe('the thread', () => {
  const rows = 300_000;
  const column = new Float64Array(new SharedArrayBuffer(rows * 8)).map((_, row) => row);
  const columns = new Map([
    ['last_price', { values: column, dictionary: null }],
    ['symbol', { values: column, dictionary: null }],
  ]);
  const compare = (value: number): Screen['filter'] => ({
    kind: 'compare',
    left: named('last_price') as Extract<Screen['select'][number], { kind: 'field' }>,
    by: '<',
    right: value,
  });
  const light: Screen = { filter: compare(3), computed: new Map(), sort: [], select: [], nearMisses: 0 };
  const anyOf = (conditions: number): Screen['filter'] => ({
    kind: 'any',
    of: Array.from({ length: conditions }, (_, at) => compare(-at - 1)!),
  });
  const heavy: Screen = {
    ...light,
    filter: anyOf(400),
    sort: Array.from({ length: 8 }, () => ({ by: named('last_price'), descending: true })),
  };
  const task = (screen: Screen) => ({ screen, rows, only: null, columns });
  const never = new AbortController().signal;

  it('is ended when the time of its screen is up, and the next one is answered', async () => {
    const screener = createScreener();
    onTestFinished(() => screener.close());
    expect([...(await screener.run(task(light), never)).rows]).toEqual([0, 1, 2]);
    // Many times the second that it is given to end by itself.
    const endless = { ...light, filter: anyOf(40_000) };
    await expect(screener.run(task(endless), AbortSignal.timeout(20))).rejects.toThrow();
    expect([...(await screener.run(task(light), never)).rows]).toEqual([0, 1, 2]);
  });

  it('keeps no more waiting than can be answered soon', async () => {
    const screener = createScreener();
    onTestFinished(() => screener.close());
    const enough = new AbortController();
    const asked = Array.from({ length: 80 }, () => screener.run(task(heavy), enough.signal));
    const refused = asked.map((one) =>
      one.then(
        () => 'answered',
        (error) => error.code ?? error.name,
      ),
    );
    await expect(asked.at(-1)).rejects.toMatchObject({ code: 'overloaded' });
    enough.abort();
    expect(new Set(await Promise.all(refused))).not.toContain('internal');
  });

  it('reads only the given rows', async () => {
    const screener = createScreener();
    onTestFinished(() => screener.close());
    const only = Uint32Array.of(1, 2, 9);
    const screen = { ...light, select: [named('last_price')] };
    const outcome = await screener.run({ screen, rows, only, columns }, never);
    expect([[...outcome.rows], [...outcome.selected[0]!]]).toEqual(numbers`1 2, 1 2`);
  });
});

describe('screen results', () => {
  const screen = (bytes: number): CachedResult => ({
    tradeDate: DATE,
    version: 'v',
    universe: 0,
    unknown: 0,
    oldestAsOf: null,
    newestAsOf: null,
    symbols: [],
    rows: new Uint32Array(bytes / 4),
    columns: [],
    nearMisses: '[]',
  });

  it('is held within its bytes, the longest unused let go first', () => {
    const held = resultCache(300_000);
    for (const key of ['a', 'b']) held.set(key, screen(100_000));
    held.get('a');
    held.set('c', screen(100_000));
    expect(held.calculatedSize).toBeLessThanOrEqual(300_000);
    expect([held.get('a'), held.get('b'), held.get('c')].map((one) => one !== undefined)).toEqual([
      true,
      false,
      true,
    ]);
    held.set('d', screen(400_000));
    expect(held.get('d')).toBeUndefined();
    expect(held.get('c')).toBeDefined();
  });

  it('is evicted after ten minutes, however often it was requested', () => {
    let now = 1;
    const held = resultCache(1_000_000, () => now);
    held.set('a', screen(400));
    now = 600_001;
    expect(held.get('a')).toBeDefined();
    now = 600_002;
    expect([held.get('a'), held.calculatedSize]).toEqual([undefined, 0]);
  });
});

describe('a cursor', () => {
  const name = fc.stringMatching(/^[\w-]{27}$/);

  it('says where the page begins, there and back', () => {
    fc.assert(
      fc.property(name, name, fc.integer({ min: 1, max: 9_999_999 }), (version, screen, offset) => {
        const cursor = { tradeDate: DATE, version, screen, offset };
        expect(readCursor(cursorText(cursor))).toEqual(cursor);
      }),
    );
  });

  it('is none when it was never given out', () => {
    const good = cursorText({ tradeDate: DATE, version: 'v'.repeat(27), screen: 's'.repeat(27), offset: 5 });
    expect(readCursor(good)).not.toBeNull();
    for (const text of [
      '',
      ' ',
      '0',
      'null',
      `${good}=`,
      ` ${good}`,
      good.slice(1),
      `${good}A`,
      good.toLowerCase(),
    ])
      expect(readCursor(text), text).toBeNull();
    fc.assert(fc.property(fc.string(), (text) => readCursor(text) === null));
  });
});
