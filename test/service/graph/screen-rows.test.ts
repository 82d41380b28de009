import { describe, expect, it } from 'vitest';
import { unpackText } from '../../../src/base/packed-text.ts';
import { SCREEN_CATALOGUE } from '../../../src/derive/projection.ts';
import type { StockDay } from '../../../src/derive/stock-day.ts';
import {
  readScreenCatalogues,
  readScreenDates,
  readScreenRows,
  readScreenRowsOf,
  type StoredScreenRow,
  writeScreenCatalogue,
} from '../../../src/graph/screen-rows.ts';
import { writeRunningDays, writeStockDays } from '../../../src/graph/stock-days.ts';
import { fillScreens } from '../../../src/pipeline/graph-sync.ts';
import { freshDatabase } from '../../support/app.ts';
import { screenDay } from '../../support/screens.ts';

/** Rows for screens beside the facts that they repeat. */

const DATE = '2024-03-05';
const AS_OF = '2024-03-06T01:00:00.000Z';

const rowsOf = (...symbols: string[]) => readScreenRowsOf(database, false, DATE, symbols);
const day = (symbol: string, price: number, date = DATE): StockDay =>
  screenDay(symbol, date, AS_OF, { last_price: price });

const database = await freshDatabase();

describe('writing stock-days', () => {
  it('writes their rows for screens', async () => {
    const written = day('ACME', 10);
    await writeStockDays(database, [written]);
    const [row] = await rowsOf('ACME');
    expect(row).toMatchObject({
      symbol: 'ACME',
      asOf: Date.parse(AS_OF),
      catalogue: SCREEN_CATALOGUE.digest,
    });
    expect([row!.digest, row!.texts]).toEqual([written.screen!.digest, written.screen!.texts]);
    expect(new Uint8Array(row!.packed)).toEqual(written.screen!.packed);
  });

  it('replaces the row when the facts change', async () => {
    await writeStockDays(database, [day('MOVE', 10)]);
    const later = day('MOVE', 11);
    await writeStockDays(database, [later]);
    expect((await rowsOf('MOVE')).map(({ digest }) => digest)).toEqual([later.screen!.digest]);
  });

  it('gives a row to a day that was stored without one, and to one of an older catalogue', async () => {
    const whole = day('OLD', 10);
    const { screen: _, ...without } = whole;
    await writeStockDays(database, [without]);
    expect(await rowsOf('OLD')).toEqual([]);
    expect(await writeStockDays(database, [whole])).toEqual({ written: 1, unchanged: 0 });
    expect(await rowsOf('OLD')).toHaveLength(1);
    await database.query(`update screen_row set catalogue = 'an older one' where symbol = 'OLD'`);
    expect(await writeStockDays(database, [whole])).toEqual({ written: 1, unchanged: 0 });
    expect(await writeStockDays(database, [whole])).toEqual({ written: 0, unchanged: 1 });
  });

  it('removes the row of a day that comes without one: facts and row never disagree', async () => {
    await writeStockDays(database, [day('LOSE', 10)]);
    const { screen: _, ...without } = day('LOSE', 11);
    await writeStockDays(database, [without]);
    expect(await rowsOf('LOSE')).toEqual([]);
  });

  it('leaves both as they were when the transaction fails', async () => {
    await writeStockDays(database, [day('HALF', 10)]);
    const before = await rowsOf('HALF');
    const broken = writeRunningDays(database, [day('HALF', 12), day('BROKEN', 1, 'no date')], 'test');
    await expect(broken).rejects.toThrow('no date');
    expect(await rowsOf('HALF')).toEqual(before);
    const [fact] = await database.query<{ value: Buffer }>(`select value from fact where symbol = 'HALF'`);
    expect(unpackText(fact!.value)).toContain('"last_price":10');
  });

  it('writes the rows of a running session with its facts', async () => {
    const running = day('RUNS', 13);
    await writeRunningDays(database, [running], 'test');
    expect((await rowsOf('RUNS')).map(({ digest }) => digest)).toEqual([running.screen!.digest]);
  });
});

describe('reading rows', () => {
  it('pages through a date without leaving out or repeating one', async () => {
    const symbols = ['A.B', 'A-B', 'AB', 'Z', '^X', 'B', 'BA'];
    await writeStockDays(
      database,
      symbols.map((symbol) => day(symbol, 1, '2024-03-01')),
    );
    const seen: string[] = [];
    for (let page: StoredScreenRow[], after: string | null = null; ; after = page.at(-1)!.symbol) {
      page = await readScreenRows(database, false, '2024-03-01', after, 3);
      seen.push(...page.map(({ symbol }) => symbol));
      if (page.length < 3) break;
    }
    expect(seen.toSorted()).toEqual(symbols.toSorted());
  });

  it('counts the rows of each date and what they know', async () => {
    await writeStockDays(database, [
      screenDay('A', '2023-05-02', '2023-05-03T00:00:00Z', {}),
      screenDay('B', '2023-05-02', '2023-05-02T15:00:00Z', {}),
      screenDay('A', '2023-05-01', '2023-05-02T00:00:00Z', {}),
    ]);
    expect(await readScreenDates(database, false, '2023-12-31', 10)).toEqual([
      { tradeDate: '2023-05-02', rows: 2, newestAsOf: Date.parse('2023-05-03T00:00:00Z') },
      { tradeDate: '2023-05-01', rows: 1, newestAsOf: Date.parse('2023-05-02T00:00:00Z') },
    ]);
    expect(await readScreenDates(database, false, '2023-05-01', 10)).toHaveLength(1);
    expect(await readScreenDates(database, false, '2023-12-31', 1)).toHaveLength(1);
    expect(await readScreenDates(database, false, '2020-01-01', 10)).toEqual([]);
  });

  it('knows a catalogue once', async () => {
    await writeScreenCatalogue(database, SCREEN_CATALOGUE);
    await writeScreenCatalogue(database, SCREEN_CATALOGUE);
    expect((await readScreenCatalogues(database)).get(SCREEN_CATALOGUE.digest)).toBe(SCREEN_CATALOGUE.fields);
  });
});

describe('filling what was stored before', () => {
  it('makes the row that the derivation would have written, once', async () => {
    const days = ['F1', 'F2', 'F3'].map((symbol, at) => day(symbol, 20 + at, '2022-07-05'));
    await writeStockDays(
      database,
      days.map(({ screen: _, ...without }) => without),
    );
    expect(await readScreenRows(database, false, '2022-07-05', null, 10)).toEqual([]);
    await fillScreens(database);
    const rows = await readScreenRows(database, false, '2022-07-05', null, 10);
    expect(rows.map(({ symbol, digest, asOf }) => [symbol, digest, asOf])).toEqual(
      days.map(({ symbol, screen, asOf }) => [symbol, screen!.digest, asOf]),
    );
    await database.query(`delete from screen_row where symbol = 'F1'`);
    await fillScreens(database);
    expect(await readScreenRowsOf(database, false, '2022-07-05', ['F1'])).toEqual([]);
  });
});
