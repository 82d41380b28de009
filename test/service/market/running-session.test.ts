import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { App } from '../../../src/app.ts';
import { newYorkCalendar } from '../../../src/base/calendar.ts';
import { fixedClock } from '../../../src/base/clock.ts';
import { MINUTE_MS } from '../../../src/base/dates.ts';
import type { Delivery } from '../../../src/market/feed.ts';
import {
  BAR_COLUMNS,
  namedColumns,
  QUOTE_BAR_COLUMNS,
  type QuoteBarColumns,
} from '../../../src/market/observations.ts';
import type { Columns } from '../../../src/market/series.ts';
import { openTape, SegmentReader } from '../../../src/tape/index.ts';
import { RunningCache } from '../../../src/tape/running-cache.ts';
import { directoryStore } from '../../../src/tape/segments/directory-store.ts';
import { appOn, bring, freshStore, openTestApp } from '../../support/app.ts';
import { dailyBars, minuteBars } from '../../support/market.ts';
import { directoryOf } from '../../support/tape.ts';

/** Rows of the running session live in the database until the session has ended. */

const minutes = minuteBars('ACME', '2024-03-11', '2024-03-12');
const running = minuteBars('ACME', '2024-03-12', '2024-03-12').columns.time.length;

async function stateOf(app: App) {
  const [{ rows }] = (await app.context.database.query('select count(*) as rows from running_row')) as [
    { rows: number },
  ];
  const [tape] = await app.context.tape.symbolTapes(['ACME']);
  const reader = new SegmentReader(app.context.tape.location);
  const columns = reader.rows(tape!, 'bars-1m', -1e9, 1e9);
  reader.close();
  return { rows, columns, files: readdirSync(directoryOf(app.context.tape)).length };
}

const store = await freshStore();

describe('the running session', () => {
  it('is kept as rows, sealed into a file when it has ended, and reads the same before and after', async () => {
    const during = await openTestApp(store, { TIGRAPH_NOW: '2024-03-12T18:00:00Z' });
    await bring(during, [minutes]);
    const before = await stateOf(during);
    expect(before.rows).toBe(running);
    expect(before.columns).toEqual(minutes.columns);
    const quotes = {
      kind: 'quotes' as const,
      symbol: 'ACME',
      interval: '1m' as const,
      columns: Object.fromEntries(
        QUOTE_BAR_COLUMNS.map((name) => [
          name,
          Float64Array.of(
            name === 'time' ? minutes.columns.time.at(-1)! : name.startsWith('bid') ? Number.NaN : 101,
          ),
        ]),
      ) as never,
    };
    await bring(during, [quotes]);
    await bring(during, [minutes]);
    expect((await stateOf(during)).rows).toBe(running + 1);
    await during.close();

    const after = await appOn(store, { TIGRAPH_NOW: '2024-03-13T02:00:00Z' });
    const sealed = await stateOf(after);
    expect(sealed.rows).toBe(0);
    expect(sealed.files).toBe(before.files + 2);
    expect(sealed.columns).toEqual(minutes.columns);
    const [tape] = await after.context.tape.symbolTapes(['ACME']);
    const reader = new SegmentReader(after.context.tape.location);
    expect(reader.rows(tape!, 'quotes-1m', -1e9, 1e9).bidOpen).toEqual(Float64Array.of(Number.NaN));
    reader.close();
  });

  it('does not let its rows hide a correction that came after it ended', async () => {
    const during = await openTestApp(store, { TIGRAPH_NOW: '2024-03-14T18:00:00Z' });
    const bars = minuteBars('BETA', '2024-03-14', '2024-03-14');
    await bring(during, [bars, dailyBars('BETA', '2024-03-13', '2024-03-14')]);
    await during.close();
    const after = await appOn(store, { TIGRAPH_NOW: '2024-03-15T02:00:00Z' });
    const corrected = {
      ...bars,
      columns: { ...bars.columns, volume: bars.columns.volume.map((shares) => shares * 2) },
    };
    await bring(after, [corrected]);
    const [tape] = await after.context.tape.symbolTapes(['BETA']);
    const reader = new SegmentReader(after.context.tape.location);
    expect(reader.rows(tape!, 'bars-1m', -1e9, 1e9)).toEqual(corrected.columns);
    reader.close();
  });
});

describe('rows of a session that has ended', () => {
  /** Moves them into segments, which `meanwhile` comes between once they are read. */
  async function finalizeWith(app: App, meanwhile: () => Promise<unknown>): Promise<void> {
    const { tape, database, calendar } = app.context;
    let isRead = false;
    const disturbed: typeof database = Object.create(database, {
      transaction: {
        value: async (...work: Parameters<typeof database.transaction>) => {
          if (!isRead) await meanwhile();
          isRead = true;
          return database.transaction(...work);
        },
      },
    });
    const nextDay = fixedClock(Date.parse('2024-03-13T12:00:00Z'));
    await openTape(disturbed, directoryStore(directoryOf(tape)), calendar, nextDay);
  }

  it.for(['come while others are stored', 'are moved by another process at the same time'])(
    'are all in one place where they %s',
    async (happens) => {
      const app = await openTestApp(await freshStore(), { TIGRAPH_NOW: '2024-03-12T18:00:00Z' });
      await bring(app, [minutes]);
      const { database } = app.context;
      const [late] = await database.write<{ time: number; columns: unknown }>(
        `delete from running_row where time = (select max(time) from running_row) returning *`,
      );
      const comeLate = () =>
        database.write('insert into running_row select * from json_populate_record(null::running_row, $1)', [
          JSON.stringify(late),
        ]);
      if (happens.startsWith('come')) await finalizeWith(app, comeLate);
      else {
        await comeLate();
        await finalizeWith(app, () => finalizeWith(app, async () => {}));
      }
      const { rows, columns } = await stateOf(app);
      expect(rows).toBe(0);
      expect(columns).toEqual(minutes.columns);
      const [tape] = await app.context.tape.symbolTapes(['ACME']);
      // The day before, and the session.
      expect(tape!.slices.filter(({ kind }) => kind === 'bars-1m').length).toBe(2);
    },
  );
});

it('knows a quote that comes again from one that is corrected, also after a restart', async () => {
  const session = newYorkCalendar().session('2024-03-12')!;
  const app = await openTestApp(await freshStore(), { TIGRAPH_NOW: '2024-03-12T18:00:00Z' });
  const open = () => app.context.tape.ofMarket(false).runningSession(session);
  const quotesOf = (asks: readonly number[], bid = Number.NaN): Delivery => ({
    kind: 'quotes',
    symbol: 'ACME',
    interval: '1m',
    columns: namedColumns(QUOTE_BAR_COLUMNS, (name) =>
      Float64Array.from(asks, (ask, row) => {
        if (name === 'time') return session.open + row * MINUTE_MS;
        return name.startsWith('bid') ? bid : ask;
      }),
    ),
  });
  const at = session.open + 5 * MINUTE_MS;
  let running = await open();
  const rowsTaken = async (delivery: Delivery): Promise<number> =>
    (await running.take({ name: 'live' }, [{ at, deliveries: [delivery] }])).rows;
  expect(await rowsTaken(quotesOf([101, 102, 103]))).toBe(3);
  expect(await rowsTaken(quotesOf([101, 102, 103]))).toBe(0);
  expect(await rowsTaken(quotesOf([101, 102.01, 103, 104]))).toBe(2);
  running.close();
  running = await open();
  expect(await rowsTaken(quotesOf([101, 102.01, 103, 104]))).toBe(0);
  expect(await rowsTaken(quotesOf([101, 102.01, 103, 104], 100))).toBe(4);
  running.close();
  // Somebody tells of the rows while they are read once more.
  const { database } = app.context;
  const told: typeof database = Object.create(database, {
    query: {
      value: (...asked: Parameters<typeof database.query>) => {
        if (asked[0].includes('r.time >=')) cache.forget(['ACME']);
        return database.query(...asked);
      },
    },
  });
  const cache = new RunningCache(told, session);
  const { symbol, columns } = quotesOf([101, 102.01, 103, 104], 100) as Extract<Delivery, { kind: 'quotes' }>;
  const again = { symbol, kind: 'quotes-1m', columns: columns as unknown as Columns } as const;
  await cache.read(['ACME']);
  await cache.readAgain([again]);
  expect(cache.changed(again)).toBe(null);
  const [tape] = await app.context.tape.symbolTapes(['ACME']);
  const reader = new SegmentReader(app.context.tape.location);
  const { askClose, bidOpen } = reader.rows(tape!, 'quotes-1m', -1e9, 1e9) as unknown as QuoteBarColumns;
  expect([[...askClose], [...bidOpen]]).toEqual([
    [101, 102.01, 103, 104],
    [100, 100, 100, 100],
  ]);
  reader.close();
});

it('reads a whole market as it reads its symbols, and once more what changes meanwhile', async () => {
  const session = newYorkCalendar().session('2024-03-12')!;
  const app = await openTestApp(await freshStore(), { TIGRAPH_NOW: '2024-03-12T18:00:00Z' });
  const { database } = app.context;
  const running = await app.context.tape.ofMarket(false).runningSession(session);
  const symbols = ['ACME', 'BETA', '^X.Y-Z'];
  const barsOf = (symbol: string, minutes: readonly number[], price: number): Delivery => ({
    kind: 'bars',
    symbol,
    interval: '1m',
    columns: namedColumns(BAR_COLUMNS, (name) =>
      Float64Array.from(minutes, (minute) =>
        name === 'time' ? session.open + minute * MINUTE_MS : price + minute,
      ),
    ),
  });
  const take = (feed: string, minute: number, deliveries: readonly Delivery[]) =>
    running.take({ name: feed }, [{ at: session.open + minute * MINUTE_MS, deliveries }]);
  // Minute by minute; a hole is filled and rows are corrected, so that their versions lie in another order.
  for (const minute of [1, 2, 5, 6]) {
    await take(
      'live',
      minute,
      symbols.map((symbol) => barsOf(symbol, [minute - 1], 100)),
    );
  }
  await take('other', 7, [barsOf('ACME', [2, 3, 0], 200), barsOf('^X.Y-Z', [4], 300)]);
  const sorted = async (cache: RunningCache) =>
    (await cache.tapes(symbols)).map((tape) => ({
      ...tape,
      running: tape.running.toSorted((one, other) => (one.kind < other.kind ? -1 : 1)),
    }));
  const [whole, each] = [new RunningCache(database, session), new RunningCache(database, session)];
  await whole.readMarket(false);
  await each.read(symbols);
  expect(await sorted(whole)).toEqual(await sorted(each));
  expect((await sorted(whole)).flatMap(({ running }) => running.map(({ feed }) => feed))).toContain('live');

  for (const [at, changed] of [['ACME'], null].entries()) {
    const minute = 10 + at;
    const told: typeof database = Object.create(database, {
      query: {
        value: async (...asked: Parameters<typeof database.query>) => {
          const rows = await database.query(...asked);
          if (!asked[0].includes('r.ctid')) return rows;
          await take('live', minute, [barsOf('ACME', [minute - 1], 100)]);
          cache.forget(changed);
          return rows;
        },
      },
    });
    const cache = new RunningCache(told, session);
    await cache.readMarket(false);
    await cache.read(symbols);
    expect(cache.rowsSoFar('ACME', 'bars-1m').time.at(-1)).toBe(session.open + (minute - 1) * MINUTE_MS);
  }
  running.close();
});
