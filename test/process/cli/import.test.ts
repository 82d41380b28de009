import { mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newYorkCalendar } from '../../../src/base/calendar.ts';
import type { Database } from '../../../src/database/database.ts';
import { callCommand } from '../../support/command.ts';
import { makeTestStore, type TestStore } from '../../support/database.ts';
import { inFull } from '../../support/depth.ts';
import { temporaryDirectory } from '../../support/tape.ts';
import { zipOf } from '../../unit/market/zip-of.ts';

let store: TestStore;
let database: Database;
let settings: Record<string, string>;
beforeAll(async () => {
  store = await makeTestStore();
  const { dataDirectory, databaseUrl } = store.options;
  settings = {
    TIGRAPH_DATA_DIR: dataDirectory,
    DATABASE_URL: databaseUrl ?? '',
    TIGRAPH_NOW: '2024-07-01T12:00:00Z',
  };
  // While it is open every command is a guest of its server, and starts none.
  database = await store.open();
});
afterAll(() => store.remove());

const tigraph = (...words: string[]) => callCommand(words, settings);

const DATES = newYorkCalendar().sessionsBetween('2024-06-03', '2024-06-28');
const HEAD = 'date,open,high,low,close,volume\n';
const rows = (price: number, dates: readonly string[] = DATES, before = ''): string =>
  dates
    .map(
      (date, at) => `${before}${date},${price + at},${price + at + 1},${price + at - 1},${price + at},1000\n`,
    )
    .join('');

/** A file of this content in a folder of its own. */
function file(name: string, content: string | Uint8Array): string {
  const path = join(temporaryDirectory(), name);
  writeFileSync(path, content);
  return path;
}

async function kept(): Promise<unknown> {
  const [slices] = await database.query<{ count: number }>(
    'select count(*)::int as count from tape_slice',
    [],
  );
  const [facts] = await database.query<{ count: number }>(
    'select count(*)::int as count from reported_fact',
    [],
  );
  return [slices!.count, facts!.count];
}

const GOOD = HEAD + rows(10);
const utf16 = (text: string): Buffer =>
  Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')]);
const sparse = (name: string, text: string, bytes: number): string => {
  const path = file(name, text);
  truncateSync(path, bytes);
  return path;
};

describe('a file that cannot be read', () => {
  it.each<[what: string, path: () => string, sentence: RegExp]>([
    [
      'a truncated gzip',
      () => file('QZCA.csv.gz', gzipSync(GOOD).subarray(0, 120)),
      /cut short, download it again/,
    ],
    [
      'a truncated gzip of many rows',
      () => {
        const whole = gzipSync(
          HEAD +
            rows(
              10,
              DATES.flatMap((date) => Array(inFull(3_000, 1_000)).fill(date)).map((_, at) =>
                new Date(Date.parse('1850-01-01') + at * 86_400_000).toISOString().slice(0, 10),
              ),
            ),
        );
        return file('QZCB.csv.gz', whole.subarray(0, whole.length - 100));
      },
      /unexpected end of file/,
    ],
    [
      'a zip of zips',
      () => file('QZCC.zip', zipOf([{ name: 'QZCC.zip', data: zipOf([{ name: 'QZCC.csv', data: GOOD }]) }])),
      /unpack the outer one first/,
    ],
    [
      'a zip that is cut short',
      () => file('QZCD.zip', zipOf([{ name: 'QZCD.csv', data: GOOD }]).subarray(0, 200)),
      /end of central directory/i,
    ],
    ['text in UTF-16', () => file('QZCE.csv', utf16(GOOD)), /save it as UTF-8/],
    [
      'text of two encodings',
      () => file('QZCF.csv', Buffer.concat([Buffer.from(GOOD), utf16(rows(20))])),
      /text of several encodings: save it as UTF-8/,
    ],
    ['nothing', () => file('QZCG.csv', ''), /the file is empty: download it again/],
    ['a byte-order mark alone', () => file('QZCH.csv', '\uFEFF'), /the file is empty: download it again/],
    ['one line', () => file('QZCI.csv', HEAD), /a line of names without a row below it: download it again/],
    [
      'one line of words',
      () => file('QZCJ.csv', 'Not found\n'),
      /no column for date, open, high, low, close/,
    ],
    // Two gibibytes in full; only the fingerprint of a file grows with them.
    ['much of nothing', () => sparse('QZCK.csv', '', inFull(2 ** 31, 2 ** 22)), /a binary file/],
    ['much behind some rows', () => sparse('QZCL.csv', GOOD, inFull(2 ** 31, 2 ** 22)), /a binary file/],
    [
      'a web page',
      () => file('QZCM.csv', '<!DOCTYPE html>\n<html><body>404 Not Found</body></html>'),
      /a web page in place of a table/,
    ],
    [
      'an answer without bars',
      () => file('QZCN.json', '{"Information": "Our standard API rate limit is 25 requests per day"}'),
      /it says: Our standard API rate limit/,
    ],
    [
      'two instruments under one name',
      () => file('QZCO.csv', HEAD + DATES.map((date) => rows(10, [date]) + rows(90, [date])).join('')),
      /two instruments under one name.*keep one a file/,
    ],
    [
      'two instruments, one after the other',
      () => file('QZCP.csv', HEAD + rows(10) + rows(90)),
      /two instruments under one name/,
    ],
    [
      'one symbol of two venues',
      () =>
        file(
          'all.csv',
          `symbol,exchange,${HEAD}${DATES.map((date) => rows(10, [date], 'QZCQ,NYSE,') + rows(90, [date], 'QZCQ,XLON,')).join('')}`,
        ),
      /of several exchange \(NYSE, XLON\)/,
    ],
    [
      'a symbol that contradicts the file',
      () => file('QZCR.csv', `symbol,${HEAD}${rows(10, DATES, 'QZCS,')}`),
      /named for QZCR, its column symbol says QZCS: --symbol decides/,
    ],
    [
      'weeks',
      () =>
        file(
          'QZCT.csv',
          HEAD + rows(10, DATES.filter((_, at) => at % 5 === 0).concat('2024-07-05', '2024-07-12')),
        ),
      /bars of weeks .* worked out from daily bars/,
    ],
    [
      'prices in another currency',
      () => file('QZCU.csv', `${HEAD.trim()},currency\n${rows(10).replaceAll('\n', ',EUR\n')}`),
      /only prices in US dollars/,
    ],
    [
      'a strategy report',
      () =>
        file(
          'QZCV.csv',
          'Strategy report\nSymbol: QZCV\n\nId;Strategy;Side;Amount;Price;Date/Time;Trade P/L;P/L;Position;\n',
        ),
      /name the orders "SOHLCV\|"/,
    ],
  ])('%s: says what to do, ends with 3 and writes nothing', async (_what, path, sentence) => {
    const before = await kept();
    const { code, stdout } = await tigraph('import', 'csv', path());
    expect(code, stdout).toBe(3);
    expect(stdout).toMatch(sentence);
    expect(await kept()).toEqual(before);
    expect(stdout).toMatch(/ 0 rows kept/);
  });

  it.each([
    [['import', 'csv', '--stamps', 'middle', 'x.csv'], /middle is none of start, end/],
    [['import', 'csv', '--interval', '7m', 'x.csv'], /7m is none of 1m, 2m, 3m/],
    [['import', '/nowhere'], /there is no file or folder of that name/],
    [['import'], /files and folders of any kinds of data/],
  ])('%s is a wrong call, which ends with 2', async (words, sentence) => {
    const { code, stderr } = await tigraph(...words);
    expect([code, stderr]).toEqual([2, expect.stringMatching(sentence)]);
  });
});

/** A folder of downloads as they gather: bars, a chain, facts, companies, prints, packed and in folders. */
function downloads(): string {
  const folder = temporaryDirectory();
  const into = (path: string, content: string | Uint8Array): void => {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), content);
  };
  into('QZDA.csv', GOOD);
  into('old/BATS_QZDB, 1D.csv', GOOD);
  into('old/packed/QZDC.csv.gz', gzipSync(GOOD));
  into('news.jsonl', '{"kind":"shares","symbol":"QZDA","known_at":"2024-05-03","outstanding":15334082000}\n');
  into('companies.csv', 'Symbol,Security,GICS Sector,Date added\nQZDA,A Company,Energy,2020-01-02\n');
  const chain = {
    symbol: 'QZDA',
    timestamp: '2024-06-12 11:00:00',
    data: {
      options: ['C', 'P'].map((right) => ({
        option: `QZDA240621${right}00010000`,
        bid: 1,
        ask: 1.2,
        open_interest: 100,
        volume: 10,
        iv: 0.3,
        delta: 0.5,
        gamma: 0.1,
      })),
      current_price: 10,
      symbol: 'QZDA',
    },
  };
  into(
    'both.zip',
    zipOf([
      { name: 'chain.json', data: JSON.stringify(chain) },
      { name: 'QZDD.csv', data: GOOD },
    ]),
  );
  into(
    'QZDE_trades.csv',
    'DT,EX,SYMBOL,COND,SIZE,PRICE,CORR\n2024-06-12 13:30:01,Q,QZDE,@,100,20.00,0\n2024-06-12 19:59:58,Q,QZDE,@,100,20.10,0\n',
  );
  into('.DS_Store', 'x');
  return folder;
}

describe('a folder of mixed downloads', () => {
  it('comes in with one command, one table and what was refused, and again without effect', async () => {
    const folder = downloads();
    writeFileSync(join(folder, 'error.csv'), '<html>no</html>');
    const looked = await tigraph('import', '--dry-run', folder);
    expect(looked.code).toBe(3);
    const before = await kept();
    const first = await tigraph('import', folder);
    expect(first.code, first.stderr).toBe(3);
    const table = first.stdout.split('\n').map((line) => line.split(/ {2,}/));
    const kinds = Object.fromEntries(table.map(([name, what, symbol]) => [name, [what, symbol]]));
    expect(kinds).toMatchObject({
      'QZDA.csv': ['bars', 'QZDA'],
      'BATS_QZDB, 1D.csv': ['bars', 'QZDB'],
      'QZDC.csv.gz': ['bars', 'QZDC'],
      'news.jsonl': ['reported facts', 'QZDA'],
      'companies.csv': ['companies', 'QZDA'],
      'both.zip/chain.json': ['option chain', 'QZDA'],
      'both.zip/QZDD.csv': ['bars', 'QZDD'],
      'QZDE_trades.csv': ['prints and quotes', undefined],
    });
    expect(first.stdout.trim().split('\n').at(-2)).toMatch(
      /^error.csv is not read: a web page in place of a table/,
    );
    const after = await kept();
    expect(after).not.toEqual(before);
    const again = await tigraph('import', folder);
    expect(again.code).toBe(3);
    expect(again.stdout).toMatch(/already on the tape/);
    expect(await kept()).toEqual(after);
    expect(looked.stdout).toContain('error.csv is not read');
    const json = JSON.parse((await tigraph('import', '--dry-run', '--json', folder)).stdout);
    expect(json).toContainEqual(
      expect.objectContaining({ file: 'QZDA.csv', symbol: expect.objectContaining({ value: 'QZDA' }) }),
    );
    expect(json).toContainEqual(
      expect.objectContaining({
        file: 'error.csv',
        refused: expect.objectContaining({ reason: 'unknown_format' }),
      }),
    );
  });

  it('ends with 0 where nothing was refused', async () => {
    const { code, stdout } = await tigraph('import', downloads());
    expect(code, stdout).toBe(0);
  });
});
