import { writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { newYorkCalendar } from '../../../src/base/calendar.ts';
import { csvFeed } from '../../../src/files/bars/csv.ts';
import type { CsvOptions } from '../../../src/files/bars/csv-options.ts';
import { mulberry32 } from '../../support/daily-recipe.ts';
import { FULL, inFull } from '../../support/depth.ts';
import { ABSENT, realDataDirectory } from '../../support/real-data.ts';
import { words } from '../../support/tables.ts';
import {
  barsIn,
  deliveriesOf,
  refusalsIn,
  refusedByReason,
  rowsBySeries,
  temporaryFolder,
  fileIn,
  written,
} from './feed-probe.ts';
import { zipOf } from './zip-of.ts';

const calendar = newYorkCalendar();
const root = temporaryFolder();

type Options = Partial<Omit<CsvOptions, 'paths' | 'calendar'>>;

const readAll = (files: Record<string, string | Uint8Array>, options: Options = {}) =>
  deliveriesOf(csvFeed({ paths: written(root, files).paths, calendar, ...options }));

const read = (text: string | Uint8Array, options: Options = {}) => readAll({ 'XYZ.csv': text }, options);

const HEADER = 'date,open,high,low,close,volume\n';
const bar = (date: string, close = 10) => `${date},${close},${close},${close},${close},100\n`;
const timesIn = (deliveries: Awaited<ReturnType<typeof read>>, symbol?: string) =>
  barsIn(deliveries, symbol).flatMap(({ columns }) => [...columns.time]);

describe('headers', () => {
  it.each(['oldest', 'newest'])(
    'refuses rows without names that have their close first, %s first',
    async (order) => {
      const draw = mulberry32(5);
      let last = 50;
      const days = Array.from({ length: 40 }, (_, day) => {
        const open = last * (1 + (draw() - 0.5) * 0.01);
        const close = open * (1 + (draw() - 0.5) * 0.04);
        last = close;
        const [high, low] = [Math.max(open, close) * 1.01, Math.min(open, close) * 0.99];
        return [new Date(Date.UTC(2024, 0, 2 + day)).toISOString().slice(0, 10), open, high, low, close];
      });
      if (order === 'newest') days.reverse();
      const textOf = (columns: readonly number[]): string =>
        days.map((cells) => `${columns.map((at) => cells[at]).join(',')},1000\n`).join('');
      expect(timesIn(await read(textOf([0, 1, 2, 3, 4]))).length).toBeGreaterThan(20);
      const refused = refusalsIn(await read(textOf([0, 4, 2, 3, 1])));
      expect(refused[0]).toMatchObject({ reason: 'wrong_columns' });
      expect(refused[0]!.example).toContain('⟨columns ');
      const columns = ['date', 'close', 'high', 'low', 'open', 'volume'];
      expect(timesIn(await read(textOf([0, 4, 2, 3, 1]), { columns })).length).toBeGreaterThan(20);
    },
  );
});

describe('rows', () => {
  it('survive a line of a million bytes beside them', async () => {
    const deliveries = await read(
      `${HEADER}${bar('2024-01-02')}${'9'.repeat(1_000_000)}\n${bar('2024-01-03')}`,
    );
    expect(timesIn(deliveries).length).toBe(2);
    expect(refusalsIn(deliveries)).toMatchObject([{ reason: 'too_large', where: 'XYZ.csv:3', count: 1 }]);
    expect(refusalsIn(deliveries)[0]!.example.length).toBe(200);
  });

  it('come in deliveries of at most 50,000', async () => {
    const sessions = calendar.sessionsBetween('2023-01-01', '2023-12-31').slice(0, 200);
    const minutes = Array.from({ length: 390 }, (_, minute) => {
      const clock = new Date((9.5 * 60 + minute) * 60_000).toISOString().slice(11, 19);
      return clock;
    });
    const rows = sessions.flatMap((date) => minutes.map((clock) => `${date} ${clock},1,1,1,1,1`));
    const deliveries = barsIn(await read(HEADER + rows.join('\n')));
    expect(deliveries.map(({ columns }) => columns.time.length).reduce((sum, length) => sum + length)).toBe(
      78_000,
    );
    expect(Math.max(...deliveries.map(({ columns }) => columns.time.length))).toBeLessThanOrEqual(50_000);
    const times = deliveries.flatMap(({ columns }) => [...columns.time]);
    expect(times.every((time, row) => row === 0 || time > times[row - 1]!)).toBe(true);
  });
});

describe('files of the wrong kind', () => {
  it('are refused as a whole with a reason', async () => {
    const binary = Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 1, 2, 0]);
    const deliveries = await readAll({
      'A.csv': binary,
      'B.csv': '<!DOCTYPE html><html></html>',
      'C.csv': '{"a":1}',
      'D.csv': '',
      'E.csv.gz': gzipSync(binary),
      'F.csv.gz': Buffer.from(HEADER),
      'G.zip': zipOf([{ name: 'G.csv', data: HEADER + bar('2024-01-02') }]).subarray(0, 60),
      'H.csv': 'just some words\n',
    });
    expect(refusalsIn(deliveries).map(({ where, reason }) => `${where} ${reason}`)).toEqual([
      'A.csv unknown_format',
      'B.csv unknown_format',
      'C.csv unknown_format',
      'D.csv wrong_columns',
      'E.csv.gz unknown_format',
      'F.csv.gz broken_archive',
      'G.zip broken_archive',
      'H.csv wrong_columns',
    ]);
    expect(barsIn(deliveries)).toEqual([]);
  });
});

describe('units', () => {
  it('have short keys that distinguish them and never a whole path', async () => {
    const one = fileIn(root, 'SPY.csv', HEADER);
    const two = fileIn(root, 'SPY.csv', HEADER);
    const other = fileIn(root, 'QQQ.csv', HEADER);
    const units = await csvFeed({ paths: [one, two, other], calendar }).units();
    expect(units.map(({ key }) => key)).toEqual([
      `${basename(join(one, '..'))}/SPY.csv`,
      `${basename(join(two, '..'))}/SPY.csv`,
      'QQQ.csv',
    ]);
  });

  it('take the files of a folder in the order of their names', async () => {
    const { folder } = written(root, { 'B.csv': HEADER, 'A.csv': HEADER, '.hidden': '' });
    const units = await csvFeed({ paths: [folder], calendar }).units();
    expect(units.map(({ key }) => key)).toEqual(['A.csv', 'B.csv']);
  });

  it('change their fingerprint with the content and with how it is read, and not otherwise', async () => {
    const path = fileIn(root, 'SPY.csv', HEADER + bar('2024-01-02'));
    const print = async (options: Options = {}) =>
      (await csvFeed({ paths: [path], calendar, ...options }).units())[0]!.fingerprint();
    const first = await print();
    expect(await print()).toBe(first);
    expect(await print({ timeZone: 'UTC' })).not.toBe(first);
    writeFileSync(path, HEADER + bar('2024-01-03'));
    expect(await print()).not.toBe(first);
  });

  it('reject paths that are not there', async () => {
    const paths = ['nowhere.csv'];
    await expect(csvFeed({ paths, calendar }).units()).rejects.toThrow('nowhere.csv');
  });
});

describe('the recorded files', () => {
  const data = realDataDirectory;
  const recorded = (paths: string[], options: Options = {}) =>
    deliveriesOf(csvFeed({ paths: paths.map((path) => join(data!, path)), calendar, ...options }));
  const sum = (rows: Record<string, number>) =>
    Object.values(rows).reduce((total, count) => total + count, 0);

  it('recent dailies: 128,345 rows of 249 symbols, one of them on Memorial Day', async (test) => {
    test.skip(data === null, ABSENT);
    const deliveries = await recorded(['daily/recent_daily_2024_2026.csv.gz']);
    const rows = rowsBySeries(deliveries);
    expect(Object.keys(rows).length).toBe(249);
    expect(refusalsIn(deliveries)).toMatchObject([{ reason: 'outside_session', count: 1 }]);
    expect(refusalsIn(deliveries)[0]!.example).toContain('^VIX,2026-05-25');
    expect(sum(rows) + 1).toBe(128_345);
  });

  it('S&P 500 dailies: 445 files of which three are empty, with dividends and splits', async (test) => {
    test.skip(data === null, ABSENT);
    test.skip(!FULL, 'npm run test:full reads it');
    const deliveries = await recorded(['daily/sp500_daily_adjusted_2016_2019.zip']);
    const rows = rowsBySeries(deliveries);
    // CARR, OTIS and VTRS were listed in 2020; their files hold a header and an empty line, which the count in the data's
    // description includes.
    expect(Object.keys(rows).length).toBe(445 - 3);
    expect(sum(rows)).toBe(438_630 - 3);
    expect(rows).toMatchObject({ 'bars 1d AAPL': 1006, 'bars 1d BRK.B': 1006 });
    expect(refusalsIn(deliveries)).toEqual([]);
    const apple = deliveries.filter((it) => it.kind === 'actions').find(({ symbol }) => symbol === 'AAPL')!;
    expect(apple.actions).toContainEqual({ kind: 'dividend', exDate: Date.UTC(2018, 4, 11), value: 0.73 });
  });

  it('VIX since 1990: 9,154 rows without volume', async (test) => {
    test.skip(data === null, ABSENT);
    const deliveries = await recorded(['macro/vix-daily.csv.gz'], { symbol: '^VIX' });
    const refused = refusedByReason(deliveries);
    expect(sum(rowsBySeries(deliveries)) + sum(refused)).toBe(9_154);
    // The first: 1992-02-11, whose open of 19.24 lies above its high of 18.57; and values on days without a session.
    expect(refused).toEqual({ price_outside_range: 47, outside_session: 30 });
  });

  it('intraday bars: all rows kept', async (test) => {
    test.skip(data === null, ABSENT);
    const spy = await recorded(['intraday/spy_1min_2024-03_2024-12.csv.gz']);
    expect(rowsBySeries(spy)).toEqual({ 'bars 1m SPY': 75_707 });
    expect(refusalsIn(spy)).toEqual([]);
    const companies = ['META', 'SLB'].map((symbol) => `intraday/1min/${symbol}_1min.csv.gz`);
    const minutes = await recorded(inFull(['intraday/1min'], companies));
    expect(rowsBySeries(minutes)).toMatchObject({ 'bars 1m META': 10_140, 'bars 1m SLB': 10_140 });
    if (FULL) {
      expect(rowsBySeries(minutes)).toMatchObject({ 'bars 1m NFLX': 36_946, 'bars 1m NVDA': 44_487 });
    }
    expect(refusalsIn(minutes)).toEqual([]);
    const fives = rowsBySeries(await recorded(['intraday/5min']));
    expect(fives).toMatchObject({ 'bars 5m JPM': 16_214, 'bars 5m TSLA': 16_776 });
    expect(Object.keys(fives).length).toBe(6);
  });

  it('tables of another kind: refused as a whole, every one of them', async (test) => {
    test.skip(data === null, ABSENT);
    const chains = 'options/chains_json/2026-08-19_close';
    const deliveries = await recorded([
      ...inFull(['facts', chains], [`${chains}/AAPL.json.gz`]),
      ...words`
      reference/constituents.csv options/cboe_quotedata options/yfinance_csv taq macro/us_rates_daily.csv.gz README.md`,
    ]);
    expect(barsIn(deliveries)).toEqual([]);
    const { wrong_columns, unknown_format } = refusedByReason(deliveries);
    expect(wrong_columns).toBeGreaterThan(inFull(10, 2));
    expect(unknown_format).toBeGreaterThan(inFull(2, 0));
  });
});
