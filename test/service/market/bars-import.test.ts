import { utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { App } from '../../../src/app.ts';
import { newYorkCalendar } from '../../../src/base/calendar.ts';
import { MINUTE_MS } from '../../../src/base/dates.ts';
import { csvFeed } from '../../../src/files/bars/csv.ts';
import type { CsvOptions } from '../../../src/files/bars/csv-options.ts';
import { barColumns } from '../../../src/market/observations.ts';
import { importFeed } from '../../../src/tape/ingest.ts';
import { knownOnTape } from '../../../src/tape/known-bars.ts';
import { freshApp, serverOf } from '../../support/app.ts';
import { temporaryFolder } from '../../unit/market/feed-probe.ts';

const calendar = newYorkCalendar();
const folder = temporaryFolder();
const HEAD = 'date,open,high,low,close,volume\n';
let files = 0;

/** Imports a file of this text, with what the tape has as evidence, and says what was refused. */
async function bring(app: App, name: string, text: string, options: Partial<CsvOptions> = {}) {
  const path = join(folder, `${name}_${files++}.csv`);
  writeFileSync(path, text);
  const known = knownOnTape(app.context.tape);
  const now = app.context.clock.now();
  const feed = csvFeed({ paths: [path], symbol: name, calendar, known, now, ...options });
  const { refusals } = await importFeed(app.context, feed);
  await app.idle();
  return refusals.map(({ reason, rows, example }) => ({ reason, rows, example }));
}

/** Rows of a regular session, or of other hours, in the clock of New York. */
function session(date: string, minutes: number, { from = '09:30', to = '16:00', price = 100 } = {}): string {
  const [start, end] = [from, to].map((clock) => Date.parse(`${date}T${clock}:00Z`));
  const rows: string[] = [];
  for (let at = start!, step = 0; at < end!; at += minutes * MINUTE_MS, step++) {
    const open = price + step / 10;
    rows.push(
      `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')},${[open, open + 1, open - 1, open + 0.05].map((value) => value.toFixed(2)).join(',')},1000\n`,
    );
  }
  return rows.join('');
}

async function service(now: string) {
  const { app } = await freshApp({ TIGRAPH_NOW: now });
  const server = await serverOf(app);
  const barsOf = async (symbol: string, query: string) => {
    const response = await server.inject(`/api/graph/v1/stocks/${symbol}/bars?${query}`);
    return response.json();
  };
  return { app, server, barsOf };
}

it.each([2, 3, 10, 15, 30])(
  'serves bars of %i minutes by themselves, and the day that they build',
  async (minutes) => {
    const { app, barsOf } = await service('2024-06-20T12:00:00Z');
    expect(
      await bring(app, 'QZBA', HEAD + session('2024-06-12', minutes) + session('2024-06-13', minutes)),
    ).toEqual([]);
    const days = await barsOf('QZBA', 'interval=1d&from=2024-06-12&to=2024-06-13');
    const count = 390 / minutes;
    const close = Number((100 + (count - 1) / 10 + 0.05).toFixed(2));
    expect([days.open, days.close, days.volume]).toEqual([
      [100, 100],
      [close, close],
      [count * 1000, count * 1000],
    ]);
    const halves = await barsOf('QZBA', 'interval=30m&from=2024-06-12&to=2024-06-12');
    expect(halves.volume).toEqual(Array(13).fill((30 / minutes) * 1000));
    expect((await barsOf('QZBA', 'interval=1m&from=2024-06-12&to=2024-06-12')).time).toEqual([]);
  },
);

/** Hours of a session by their starts. */
const hours = (date: string, starts: readonly string[]): string =>
  starts.map((start) => `${date} ${start},100,101,99,100.5,1000\n`).join('');

it('builds the day of hours that begin at the open, and of no hour that straddles it', async () => {
  const { app, barsOf, server } = await service('2024-06-20T12:00:00Z');
  const fromOpen = ['09:30', '10:30', '11:30', '12:30', '13:30', '14:30', '15:30'];
  const byClock = ['09:30', '10:00', '11:00', '12:00', '13:00', '14:00', '15:00'];
  const ended = ['10:30', '11:30', '12:30', '13:30', '14:30', '15:30', '16:00'];
  const straddling = ['08:00', '09:00', '10:00', '11:00', '12:00', '13:00', '14:00', '15:00', '16:00'];
  const stated = { stamps: 'start', timeZone: 'America/New_York', interval: '1h' } as const;
  await bring(app, 'QZBB', HEAD + hours('2024-06-12', fromOpen), stated);
  await bring(app, 'QZBC', HEAD + hours('2024-06-12', byClock), stated);
  await bring(app, 'QZBD', HEAD + hours('2024-06-12', ended), { ...stated, stamps: 'end' });
  await bring(app, 'QZBE', HEAD + hours('2024-06-12', straddling), stated);
  for (const symbol of ['QZBB', 'QZBC', 'QZBD'])
    expect(await barsOf(symbol, 'interval=1d'), symbol).toMatchObject({ volume: [7000], open: [100] });
  expect((await barsOf('QZBD', 'interval=1h')).time.map((time: string) => time.slice(11, 16))).toEqual(
    fromOpen.map((start) => `${Number(start.slice(0, 2)) + 4}${start.slice(2)}`),
  );
  const none = await server.inject('/api/graph/v1/stocks/QZBE');
  expect(none.json()).toMatchObject({
    code: 'no_data_for_date',
    detail: expect.stringContaining('in bars of 1h'),
  });
});

const DATES = calendar.sessionsBetween('2024-05-01', '2024-06-14');
const days = (closeOf: (date: string, at: number) => number, dates: readonly string[] = DATES): string =>
  dates
    .map((date) => {
      const close = closeOf(date, DATES.indexOf(date));
      return `${date},${close},${close + 1},${close - 1},${close},1000\n`;
    })
    .join('');
const SPLIT_DATE = '2024-06-03';
const traded = (date: string, at: number): number => (date < SPLIT_DATE ? 400 : 100) + at;

it("tells by the tape's days and splits whether a file's prices are adjusted", async () => {
  const { app, barsOf } = await service('2024-06-20T12:00:00Z');
  const withSplit = `date,open,high,low,close,volume,split\n${days(traded)
    .replace(/\n/g, ',1\n')
    .replace(/(2024-06-03.*),1\n/, '$1,4\n')}`;
  expect(await bring(app, 'QZBF', withSplit)).toEqual([]);
  const before = await barsOf('QZBF', 'interval=1d&adjusted=false&from=2024-05-01&to=2024-06-14');
  expect(before.close[0]).toBe(400);
  // The same days by a source that writes all prices in the shares of today, and no splits.
  const adjusted = (date: string, at: number): number =>
    date < SPLIT_DATE ? traded(date, at) / 4 : traded(date, at);
  expect(await bring(app, 'QZBF', HEAD + days(adjusted))).toEqual([]);
  const after = await barsOf('QZBF', 'interval=1d&adjusted=false&from=2024-05-01&to=2024-06-14');
  expect(after.close).toEqual(before.close);
  // Of many symbols in one file each has its own splits, also those beyond the rows that a reading looks at.
  const many = Array.from({ length: 3 }, (_, place) => `QZB${'FXY'[place]}`);
  await bring(app, 'QZBY', withSplit);
  const rows = many.map((symbol) =>
    days(adjusted)
      .replace(/^/gm, `${symbol},`)
      .replace(/QZB.,$/, ''),
  );
  expect(
    await bring(app, 'all', `symbol,${HEAD}${rows.join('')}`, { symbol: undefined, symbolFrom: 'column' }),
  ).toEqual([]);
  const last = await barsOf('QZBY', 'interval=1d&adjusted=false&from=2024-05-01&to=2024-06-14');
  expect(last.close).toEqual(before.close);
  // Other prices are of another stock, or of a basis that cannot be told.
  const [refused] = await bring(app, 'QZBF', HEAD + days(() => 55));
  expect(refused).toMatchObject({
    reason: 'ambiguous',
    example: expect.stringContaining('⟨prices⟩, or ⟨symbol⟩, decides'),
  });
});

it("tells by the tape's minutes what the times of a file are that shows no session's edge", async () => {
  const { app } = await service('2024-06-20T12:00:00Z');
  const whole = HEAD + session('2024-06-12', 1);
  expect(await bring(app, 'QZBG', whole)).toEqual([]);
  const noon = session('2024-06-12', 1).split('\n').slice(120, 180).join('\n');
  const ofEnds = noon.replace(/ (\d\d):(\d\d)/g, (_, hour, minute) => {
    const at = Number(hour) * 60 + Number(minute) + 1;
    return ` ${String(Math.floor(at / 60)).padStart(2, '0')}:${String(at % 60).padStart(2, '0')}`;
  });
  const [unknown] = await bring(app, 'QZBH', HEAD + ofEnds);
  expect(unknown).toMatchObject({ reason: 'ambiguous' });
  const known = knownOnTape(app.context.tape);
  const path = join(folder, 'QZBG_noon.csv');
  writeFileSync(path, HEAD + ofEnds);
  const [file] = await Array.fromAsync(
    csvFeed({ paths: [path], calendar, known, symbol: 'QZBG' }).readings(),
  );
  expect(file!.read).toMatchObject({
    parts: { stamps: { value: 'end' }, clock: { value: 'America/New_York' } },
  });
});

it('keeps no day that runs, whatever a file says of it, and refuses days to come', async () => {
  // Noon in New York.
  const { app, barsOf } = await service('2024-06-12T16:00:00Z');
  const dates = [...calendar.sessionsBetween('2024-05-01', '2024-06-12'), '2024-06-20'];
  const refused = await bring(app, 'QZBI', HEAD + days((_date, at) => 100 + at, dates));
  expect(refused).toMatchObject([{ reason: 'not_final', rows: 2 }]);
  const daily = await barsOf('QZBI', 'interval=1d');
  expect(daily.time.at(-1)).toBe('2024-06-11');
  // The minutes so far are no day either.
  await bring(app, 'QZBI', HEAD + session('2024-06-12', 1, { to: '12:00' }) + session('2024-06-13', 1));
  const rows = await app.context.database.query<{ kind: string; last: number }>(
    `select kind, max(last_day) as last from tape_slice where symbol = 'QZBI' and kind = 'bars-1d' group by kind`,
    [],
  );
  expect(rows).toEqual([{ kind: 'bars-1d', last: Date.parse('2024-06-11') / 86_400_000 }]);
});

it('keeps no bar that was still forming when its file was written, however much later it is imported', async () => {
  const { app, barsOf } = await service('2024-06-20T12:00:00Z');
  const path = join(folder, 'QZBJ.csv');
  writeFileSync(path, HEAD + session('2024-06-11', 1) + session('2024-06-12', 1, { to: '12:04' }));
  // 12:03:20 in New York.
  const written = new Date('2024-06-12T16:03:20Z');
  utimesSync(path, written, written);
  const feed = csvFeed({ paths: [path], calendar, now: app.context.clock.now() });
  const { refusals } = await importFeed(app.context, feed);
  await app.idle();
  expect(refusals).toMatchObject([{ reason: 'not_final', rows: 1 }]);
  const { time } = await barsOf('QZBJ', 'interval=1m&from=2024-06-12&to=2024-06-12');
  expect(time.at(-1)).toBe('2024-06-12T16:02:00.000Z');
});

it('refuses a file of a simulated symbol by its reading', async () => {
  const { app } = await service('2024-06-20T12:00:00Z');
  const writer = app.context.tape.writer({ name: 'demo', simulated: true });
  const at = (value: number) => Float64Array.of(value);
  const columns = { ...barColumns(() => at(10)), time: at(Date.parse('2024-06-12')) };
  writer.add('bars-1d', 'QZBS', columns);
  await writer.flush();
  writer.close();
  const path = join(folder, 'QZBS_daily.csv');
  writeFileSync(path, `${HEAD}2024-06-12,10,10,10,10,10\n2024-06-13,10,10,10,10,10\n`);
  const { calendar: sessions, clock, tape } = app.context;
  const feed = csvFeed({ paths: [path], calendar: sessions, now: clock.now(), known: knownOnTape(tape) });
  const [file] = await Array.fromAsync(feed.readings());
  expect(file!.read).toMatchObject({
    reason: 'bad_symbol',
    example: expect.stringMatching(/^QZBS is a stock of the simulated market/),
  });
});
