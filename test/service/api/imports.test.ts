import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CHAIN_DOWNLOADS, textOf } from '../../../docs/content-downloads.ts';
import { PART_BYTES } from '../../../src/api/imports/schema.ts';
import { anyFiles } from '../../../src/files/any-file.ts';
import { importFeed } from '../../../src/tape/ingest.ts';
import { afterwards, bring, freshApp, serverOf } from '../../support/app.ts';
import { mapColumns } from '../../support/bar-columns.ts';
import { dailyBars, minuteBars } from '../../support/market.ts';

const { app } = await freshApp({ TIGRAPH_NOW: '2024-03-13T15:00:00Z' });
const server = await serverOf(app);
const uploads = join(app.config.dataDirectory, 'uploads');
const ROOT = '/api/internal';

type Method = 'GET' | 'POST' | 'DELETE';

async function call(method: Method, path: string, payload?: object) {
  const { statusCode, body } = await server.inject({
    method,
    url: `${ROOT}/${path}`,
    ...(payload && { payload }),
  });
  return { status: statusCode, ...JSON.parse(body) };
}

/** The answer to what begins a reading, once that has ended: a busy machine takes longer than a call waits. */
async function readWhole(answer: ReturnType<typeof call>) {
  const held = await answer;
  if (held.state !== 'reading') return held;
  await app.idle();
  return call('GET', `imports/${held.id}`);
}

const sendPart = (id: string, bytes: Buffer, from: number, to = bytes.length) =>
  call('POST', `imports/${id}/parts`, { offset: from, base64: bytes.subarray(from, to).toString('base64') });

/** Brings a file part by part; returns the answer to the last part. */
async function upload(name: string, content: string | Uint8Array) {
  const bytes = Buffer.from(content as string);
  let held = await readWhole(call('POST', 'imports', { name, bytes: bytes.length }));
  for (let offset = 0; offset < bytes.length; offset += held.part_bytes) {
    held = await readWhole(sendPart(held.id, bytes, offset, offset + held.part_bytes));
  }
  return held;
}

async function imported(id: string) {
  await call('POST', `imports/${id}/start`);
  await app.idle();
  return call('GET', `imports/${id}`);
}

const days = (rows: number, close: (row: number) => number): string[] =>
  app.context.calendar
    .sessionsBetween('2020-01-02', '2024-03-08')
    .slice(-rows)
    .map((date, row) => {
      const price = close(row).toFixed(2);
      return `${date},${price},${price},${price},${price},${1_000 + row}`;
    });
const HEAD = 'Date,Open,High,Low,Close,Volume';

describe('a file that is brought', () => {
  it('says how it is read, is imported when it is told to, and is gone afterwards', async () => {
    const read = await upload('QRST_daily.csv', [HEAD, ...days(300, (row) => 20 + row / 10)].join('\n'));
    expect(read).toMatchObject({ state: 'read', file: 'QRST_daily.csv', share_done: null, report: null });
    const [reading] = read.readings;
    const of = Object.fromEntries(reading.findings.map(({ part, value }: never) => [part, value]));
    expect(of).toMatchObject({ symbol: 'QRST', interval: '1d', prices: 'traded', lastRow: 'final' });
    expect(reading.first).toHaveLength(3);
    const [date] = days(300, () => 1)[0]!.split(',');
    expect(reading.first[0]).toMatchObject({ symbol: 'QRST', at: date, close: 20, volume: 1_000 });
    expect((await call('GET', 'loaded?q=QRST')).symbols).toBe(0);
    const done = await imported(read.id);
    expect(done).toMatchObject({
      state: 'imported',
      share_done: 1,
      report: { rows_kept: 300, rows_known: 0, symbols: [{ symbol: 'QRST', rows: 300 }], refused: [] },
    });
    expect(readdirSync(join(uploads, readdirSync(uploads)[0]!))).not.toContain(read.id);
    const bars = await server.inject('/api/graph/v1/stocks/QRST/bars?limit=2');
    expect(bars.json().time).toEqual(['2024-03-07', '2024-03-08']);
    // 300 daily bars are there: what is lacking is said.
    const [loaded] = (await call('GET', 'loaded?q=QRST')).loaded;
    expect(loaded.next.map(({ data }: { data: string }) => data)).toEqual(['minute_bars', 'option_chain']);
    // The same file again changes nothing.
    const again = await imported(
      (await upload('QRST_daily.csv', [HEAD, ...days(300, (row) => 20 + row / 10)].join('\n'))).id,
    );
    expect(again.report).toMatchObject({ rows_kept: 300, rows_known: 0 });
  });

  it('of companies without a date is read once the date is chosen on which it was known', async () => {
    const table = ['symbol,security,gics sector', 'QRST,Quarry Stone,Materials'].join('\n');
    const read = await upload('companies.csv', table);
    expect(read.readings[0]).toMatchObject({
      refused: {
        reason: 'bad_time',
        message: 'the table mentions no date: name the one at which it was known (`known_at`)',
        asks: ['known_at'],
        question: 'What date is this table of?',
      },
      first: [],
    });
    expect(read.choices).toMatchObject([{ name: 'known_at', label: 'Known at', form: 'text' }]);
    const dated = await call('POST', `imports/${read.id}/reading`, { known_at: '2024-03-01' });
    expect(dated.readings[0].refused).toBeNull();
    expect((await imported(read.id)).report).toMatchObject({ facts_kept: 1, refused: [] });
  });

  it('is read anew with other choices', async () => {
    const bars = days(40, () => 12.5);
    const read = await upload('prices.csv', [HEAD, ...bars].join('\n'));
    expect(read.readings[0].refused ?? read.readings[0].findings[0]).toBeDefined();
    const named = await readWhole(call('POST', `imports/${read.id}/reading`, { symbol: 'UVWX' }));
    expect(named.readings[0].findings.slice(0, 2)).toMatchObject([
      { part: 'kind', value: 'bars' },
      { part: 'symbol', value: 'UVWX', sure: 'stated' },
    ]);
    for (const choices of [{ symbol: 'A:B:C' }, { time_zone: 'Nowhere/Land' }, { stamps: 'middle' }]) {
      const { status, detail } = await call('POST', `imports/${read.id}/reading`, choices);
      expect([status, detail[0].loc]).toEqual([422, ['body', ...Object.keys(choices)]]);
    }
    expect((await imported(read.id)).report.symbols).toEqual([{ symbol: 'UVWX', rows: 40 }]);
  });

  it('of a chain without an instant is read once that is chosen', async () => {
    const { asOf, file, ...download } = CHAIN_DOWNLOADS.find((one) => one.asOf !== undefined)!;
    const read = await upload(file, textOf({ file, ...download }));
    expect(read.readings[0].refused).toMatchObject({
      message: expect.stringContaining('state the instant with `as_of`'),
      asks: ['as_of'],
    });
    expect(read.choices.map(({ name }: { name: string }) => name)).toEqual(['as_of']);
    const at = new Date(asOf!).toISOString();
    const taken = await readWhole(call('POST', `imports/${read.id}/reading`, { as_of: at }));
    expect(taken.readings[0].findings).toContainEqual(
      expect.objectContaining({ part: 'taken', evidence: '`as_of`', sure: 'stated' }),
    );
  });

  it('has refusals with their lines', async () => {
    const rows = days(30, () => 9);
    rows[4] = rows[4]!.replace(',9.00,', ',x,');
    const done = await imported((await upload('WXYZ.csv', [HEAD, ...rows].join('\n'))).id);
    expect(done.report.refused).toEqual([
      expect.objectContaining({
        reason: 'not_a_number',
        rows: 1,
        where: expect.stringMatching(/WXYZ\.csv:6$/),
      }),
    ]);
    const { deliveries } = await call('GET', 'loaded');
    expect(deliveries[0]).toMatchObject({ source: 'WXYZ.csv', rows: 29, refused: done.report.refused });
  });

  it('is refused as a whole where it is no table, and cannot be started', async () => {
    const read = await upload('page.csv', '<!DOCTYPE html><html><body>Sign in</body></html>');
    expect(read.readings[0].refused.message).toMatch(/page/i);
    expect(await call('POST', `imports/${read.id}/start`)).toMatchObject({ status: 409, code: 'conflict' });
    const empty = await upload('empty.csv', '');
    expect(empty).toMatchObject({ state: 'read', received: 0 });
    expect(empty.readings[0].refused).not.toBeNull();
  });

  it('takes its parts in order, and no more than it announced', async () => {
    const { id } = await call('POST', 'imports', { name: 'a.csv', bytes: 6 });
    const part = (offset: number, text: string) =>
      call('POST', `imports/${id}/parts`, { offset, base64: Buffer.from(text).toString('base64') });
    expect(await part(3, 'abc')).toMatchObject({
      status: 409,
      detail: expect.stringContaining('begins at 0'),
    });
    expect(await part(0, 'abc')).toMatchObject({ status: 200, received: 3, state: 'uploading' });
    expect(await part(3, 'abcd')).toMatchObject({
      status: 409,
      detail: expect.stringContaining('begins at 3'),
    });
    expect(await call('POST', `imports/${id}/start`)).toMatchObject({
      status: 409,
      detail: expect.stringContaining('not here as a whole'),
    });
    const large = { offset: 3, base64: 'A'.repeat(4 * Math.ceil(PART_BYTES / 3) + 4) };
    expect(await call('POST', `imports/${id}/parts`, large)).toMatchObject({ status: 422 });
    expect(await call('DELETE', `imports/${id}`)).toMatchObject({ state: 'cancelled' });
    expect(await call('GET', 'imports/0123456789abcdef')).toMatchObject({ status: 404 });
  });

  it('goes on with the part that a full disk has refused', async () => {
    const text = [HEAD, ...days(60, (row) => 8 + row / 10)].join('\n');
    const bytes = Buffer.from(text);
    const { id } = await call('POST', 'imports', { name: 'DISK.csv', bytes: bytes.length });
    expect(await sendPart(id, bytes, 0, 1_000)).toMatchObject({ status: 200, received: 1_000 });
    const path = join(uploads, readdirSync(uploads)[0]!, id, 'DISK.csv');
    renameSync(path, `${path}.kept`);
    symlinkSync('/dev/full', path);
    expect(await sendPart(id, bytes, 1_000)).toMatchObject({
      status: 507,
      code: 'disk_full',
      detail: expect.stringContaining('disk of the service is full'),
    });
    expect(await call('GET', `imports/${id}`)).toMatchObject({ state: 'uploading', received: 1_000 });
    unlinkSync(path);
    renameSync(`${path}.kept`, path);
    await readWhole(sendPart(id, bytes, 1_000));
    expect((await imported(id)).report).toMatchObject({ rows_kept: 60, refused: [] });
  });

  it('is another than one of its name beside it, and both come whole, as the command line imports them', async () => {
    const rows = days(200, (row) => 30 + row / 8);
    const texts = [rows.slice(0, 120), rows.slice(120)].map((own) => Buffer.from([HEAD, ...own].join('\n')));
    const both = await Promise.all(
      texts.map(async (bytes) => ({
        bytes,
        id: (await call('POST', 'imports', { name: 'TWIN.csv', bytes: bytes.length })).id as string,
      })),
    );
    const STEP = 700;
    for (let offset = 0; offset < Math.max(...texts.map(({ length }) => length)); offset += STEP) {
      await Promise.all(
        both
          .filter(({ bytes }) => offset < bytes.length)
          .map(({ id, bytes }) => sendPart(id, bytes, offset, offset + STEP)),
      );
    }
    await app.idle();
    await Promise.all(both.map(({ id }) => call('POST', `imports/${id}/start`)));
    await app.idle();
    const done = await Promise.all(both.map(({ id }) => call('GET', `imports/${id}`)));
    expect(done.map(({ report }) => report.rows_kept)).toEqual([120, 80]);
    const { app: other } = await freshApp({ TIGRAPH_NOW: '2024-03-13T15:00:00Z' });
    const folder = mkdtempSync(join(tmpdir(), 'twins-'));
    afterwards(() => rmSync(folder, { recursive: true }));
    for (const [at, bytes] of texts.entries()) {
      const path = join(folder, String(at));
      mkdirSync(path);
      writeFileSync(join(path, 'TWIN.csv'), bytes);
    }
    const { calendar, clock } = other.context;
    const { feeds } = await anyFiles([folder], { calendar, now: clock.now() });
    await importFeed(other.context, feeds[0]!);
    await other.idle();
    const bars = async (of: typeof server) =>
      (await of.inject('/api/graph/v1/stocks/TWIN/bars?limit=500')).json();
    const answer = await bars(server);
    expect(answer.time).toHaveLength(200);
    expect(answer).toEqual(await bars(await serverOf(other)));
  });

  it.each(['uploading', 'read', 'importing', 'imported'] as const)(
    'of two of one name that come at once the other is whole when one is cancelled while it is %s',
    async (state) => {
      const symbol = { uploading: 'TWOA', read: 'TWOB', importing: 'TWOC', imported: 'TWOD' }[state];
      const name = `${symbol}.csv`;
      const rows = days(90, () => 5);
      const [own, other] = [rows.slice(0, 40), rows.slice(40)].map((some) =>
        Buffer.from([HEAD, ...some].join('\n')),
      ) as [Buffer, Buffer];
      const create = (bytes: Buffer) => call('POST', 'imports', { name, bytes: bytes.length });
      const [{ id }, { id: twin }] = await Promise.all([create(own), create(other)]);
      await Promise.all([sendPart(id, own, 0, 100), sendPart(twin, other, 0, 100)]);
      if (state !== 'uploading') await readWhole(sendPart(id, own, 100));
      if (state === 'importing' || state === 'imported') await call('POST', `imports/${id}/start`);
      if (state === 'imported') await app.idle();
      const cancelled = await call('DELETE', `imports/${id}`);
      await readWhole(sendPart(twin, other, 100));
      await call('POST', `imports/${twin}/start`);
      await app.idle();
      expect(await call('GET', `imports/${twin}`)).toMatchObject({
        state: 'imported',
        message: null,
        report: { rows_kept: 50, refused: [] },
      });
      expect(readdirSync(join(uploads, readdirSync(uploads)[0]!))).not.toContain(id);
      const after = await call('GET', `imports/${id}`);
      if (state === 'imported') expect([cancelled.state, after.status]).toEqual(['imported', 404]);
      else {
        expect(after).toMatchObject({
          state: 'cancelled',
          message: expect.stringContaining(
            state === 'importing' ? 'the file again completes it' : 'Nothing was written',
          ),
        });
        expect(await sendPart(id, own, 100)).toMatchObject({ status: 409 });
        expect(await call('POST', `imports/${id}/start`)).toMatchObject({ status: 409 });
      }
      const bars = await server.inject(`/api/graph/v1/stocks/${symbol}/bars?limit=500`);
      expect(bars.json().time).toEqual(
        (state === 'imported' ? rows : rows.slice(40)).map((row) => row.split(',')[0]),
      );
    },
  );

  it('has a name that a disk takes', async () => {
    const before = await call('GET', 'imports');
    const refused = await call('POST', 'imports', { name: '\u{1f4c8}'.repeat(70), bytes: 10 });
    expect(refused).toMatchObject({ status: 422, detail: [{ loc: ['body', 'name'] }] });
    expect(refused.detail[0].msg).toContain('280 bytes');
    expect(await call('GET', 'imports')).toEqual(before);
    expect(await call('POST', 'imports', { name: `${'é'.repeat(125)}.csv`, bytes: 10 })).toMatchObject({
      status: 200,
    });
  });

  it.each(['../../escape.csv', 'C:\\data\\escape.csv', '/etc/escape.csv', '.escape.csv'])(
    'lies in its own folder, whatever its name: %s',
    async (name) => {
      const { id, file } = await call('POST', 'imports', { name, bytes: 10 });
      expect(file).toBe('escape.csv');
      const [process] = readdirSync(uploads);
      expect(existsSync(join(uploads, process!, id, 'escape.csv'))).toBe(true);
    },
  );
});

describe('what is loaded', () => {
  it('has the sessions of each kind, and the holes between', async () => {
    const bars = dailyBars('HOLE', '2024-01-02', '2024-03-08');
    const { time } = bars.columns;
    const keep = [...time.keys()].filter((row) => row < 10 || (row > 12 && row !== 20));
    const columns = mapColumns(bars.columns, (values) => Float64Array.from(keep, (row) => values[row]!));
    await bring(app, [{ ...bars, columns }, minuteBars('HOLE', '2024-03-05', '2024-03-07')]);
    const { loaded, newest } = await call('GET', 'loaded?q=hole');
    expect(newest).toBe('2024-03-08T21:00:00.000Z');
    expect(loaded[0].series).toEqual([
      {
        kind: 'days',
        first: '2024-01-02',
        last: '2024-03-08',
        sessions: keep.length,
        holes: [
          { from: '2024-01-17', to: '2024-01-19', sessions: 3 },
          { from: '2024-01-31', to: '2024-01-31', sessions: 1 },
        ],
        missing: 4,
      },
      { kind: 'minutes', first: '2024-03-05', last: '2024-03-07', sessions: 3, holes: [], missing: 0 },
    ]);
  });

  it('has minutes of every length', async () => {
    const bars = minuteBars('LONE', '2024-03-05', '2024-03-05');
    const columns = mapColumns(bars.columns, (values) =>
      values.filter((_, row) => bars.columns.time[row]! % 900_000 === 0),
    );
    await bring(app, [{ ...bars, interval: '15m', columns }]);
    const { loaded } = await call('GET', 'loaded?q=LONE');
    expect(loaded[0].series).toContainEqual({
      kind: 'minutes',
      first: '2024-03-05',
      last: '2024-03-05',
      sessions: 1,
      holes: [],
      missing: 0,
    });
  });

  it('comes in pages', async () => {
    const all = await call('GET', 'loaded?limit=100');
    const first = await call('GET', 'loaded?limit=1');
    const second = await call('GET', `loaded?limit=1&cursor=${encodeURIComponent(first.next_cursor)}`);
    const names = (page: { loaded: { symbol: string }[] }) => page.loaded.map(({ symbol }) => symbol);
    expect([...names(first), ...names(second)]).toEqual(names(all).slice(0, 2));
    expect(second.deliveries).toEqual([]);
    expect(await call('GET', 'loaded?cursor=NOPE')).toMatchObject({ status: 422 });
  });

  it('is for callers of this machine and holders of the internal scope', async () => {
    const elsewhere = await server.inject({ url: `${ROOT}/loaded`, remoteAddress: '192.0.2.7' });
    expect([elsewhere.statusCode, elsewhere.json().code]).toEqual([403, 'forbidden']);
  });
});
