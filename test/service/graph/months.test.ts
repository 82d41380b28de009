import { describe, expect, it } from 'vitest';
import { createMonths, monthsBefore } from '../../../src/graph/months.ts';
import { readPeerDays } from '../../../src/graph/peer-days.ts';
import { readScreenHistory } from '../../../src/graph/screen-history.ts';
import { readScreenRowsOf } from '../../../src/graph/screen-rows.ts';
import { readFacts, writeRunningDays, writeStockDays } from '../../../src/graph/stock-days.ts';
import { freshStore } from '../../support/app.ts';
import { testsRunOn } from '../../support/database.ts';
import { recordStatements } from '../../support/plans.ts';
import { screenDay } from '../../support/screens.ts';

/** Monthly partitions of what grows with stocks and dates. */

const day = (symbol: string, date: string, price = 10) =>
  screenDay(symbol, date, `${date}T23:00:00.000Z`, { last_price: price });

/** The partition of every row of a table. */
const placesOf = (table: string) =>
  database.query(
    `select distinct tableoid::regclass::text as place, trade_date::text as date from ${table} order by 1, 2`,
  );

/** What a table consists of, with its partitions by name. */
const shapeOf = (table: string) =>
  database.query(
    `select relname, attname, attstorage from pg_class c join pg_attribute a on a.attrelid = c.oid
     where c.oid = $1::regclass and attnum > 0 and not attisdropped
     union all select 'index', i.indexrelid::regclass::text, '' from pg_index i where indrelid = $1::regclass
     union all select 'key', pg_get_constraintdef(oid), '' from pg_constraint where conrelid = $1::regclass and contype = 'p'
     order by 1, 2`,
    [table],
  );

const store = await freshStore();
const database = await store.open();

describe.runIf(testsRunOn === 'embedded')('the embedded store', () => {
  it('keeps plain tables', async () => {
    expect(await createMonths(database, ['2024-03-05'])).toBe(false);
    expect(await monthsBefore(database, '2030-01-01')).toEqual([]);
    expect(await database.query(`select from pg_class where relkind = 'p'`)).toEqual([]);
  });
});

describe.skipIf(testsRunOn === 'embedded')('a PostgreSQL server', () => {
  it('takes the rows of a month into its partition, and changes nothing else', async () => {
    const before = [await shapeOf('fact'), await shapeOf('stock_day'), await shapeOf('screen_row')];
    await writeStockDays(database, [day('ACME', '2024-02-29'), day('ACME', '2024-03-05')]);
    expect(await createMonths(database, ['2024-03-05', '2024-03-06'])).toBe(true);
    expect([await shapeOf('fact'), await shapeOf('stock_day'), await shapeOf('screen_row')]).toEqual(before);
    for (const table of ['fact', 'stock_day', 'screen_row']) {
      expect(await placesOf(table)).toEqual([
        { place: `${table}_2024_03`, date: '2024-03-05' },
        { place: `${table}_rest`, date: '2024-02-29' },
      ]);
    }
    const [storage] = await database.query(
      `select attstorage from pg_attribute where attrelid = 'fact_2024_03'::regclass and attname = 'value'`,
    );
    expect(storage).toEqual({ attstorage: 'e' });
    expect(await createMonths(database, ['2024-03-07'])).toBe(false);
    // The next one is there before it is needed.
    expect(await monthsBefore(database, '2030-01-01')).toEqual(['2024-03-01', '2024-04-01']);
  });

  it('writes and overwrites days there', async () => {
    await writeStockDays(database, [day('BETA', '2024-04-02')]);
    const later = day('BETA', '2024-04-02', 11);
    expect(await writeStockDays(database, [later])).toEqual({ written: 1, unchanged: 0 });
    expect(await writeStockDays(database, [later])).toEqual({ written: 0, unchanged: 1 });
    await writeRunningDays(database, [day('BETA', '2024-04-02', 12)], 'test');
    const [place] = await placesOf('stock_day').then((places) =>
      places.filter(({ date }) => date === '2024-04-02'),
    );
    expect(place).toEqual({ place: 'stock_day_2024_04', date: '2024-04-02' });
  });

  it('reads one month where one is asked for', async () => {
    const statements = recordStatements(database);
    const name = { symbol: 'ACME', tradeDate: '2024-03-05' };
    await readFacts(database, [name], ['core']);
    await readScreenRowsOf(database, false, name.tradeDate, ['ACME']);
    await readScreenHistory(database, ['ACME'], [name.tradeDate]);
    await readPeerDays(database, [name]);
    await writeStockDays(database, [day('ACME', '2024-03-05', 12)]);
    for (const [sql, parameters] of [...statements].filter(([text]) => text.startsWith('select'))) {
      const plan = JSON.stringify(await database.query(`explain (format json) ${sql}`, parameters));
      expect(plan).toContain('_2024_03');
      expect(plan).not.toMatch(/_2024_04|_rest/);
    }
    expect(statements.size).toBeGreaterThanOrEqual(5);
  });

  it('leaves the rows of a month where they are too many to move beside readers', async () => {
    await database.query(
      `insert into stock_day (symbol, trade_date, as_of, digest)
       select 'S' || n, '2023-12-01', '2023-12-02', '' from generate_series(1, 5001) n`,
    );
    await createMonths(database, ['2023-12-04']);
    expect(await monthsBefore(database, '2024-04-01')).toEqual(['2024-01-01', '2024-03-01']);
    await database.query(`delete from stock_day where trade_date = '2023-12-01'`);
  });

  it('gives way to a reader and moves the rows with the next pass', async () => {
    await writeStockDays(database, [day('ACME', '2024-08-01')]);
    const other = await store.open();
    await other.transaction(async (reader) => {
      await reader.query('select from stock_day_rest');
      expect(await createMonths(database, ['2024-08-01'])).toBe(false);
    });
    expect(await createMonths(database, ['2024-08-01'])).toBe(true);
    expect((await placesOf('stock_day')).at(-2)).toEqual({ place: 'stock_day_2024_08', date: '2024-08-01' });
  });
});
