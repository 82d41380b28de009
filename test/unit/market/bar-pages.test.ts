import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { newYorkCalendar } from '../../../src/base/calendar.ts';
import { HOUR_MS, MINUTE_MS } from '../../../src/base/dates.ts';
import { csvFeed } from '../../../src/files/bars/csv.ts';
import type { CsvOptions } from '../../../src/files/bars/csv-options.ts';
import { isRefused } from '../../../src/files/findings.ts';
import type { Known } from '../../../src/market/known-bars.ts';
import { barColumns } from '../../../src/market/observations.ts';
import { barsIn, deliveriesOf, refusalsIn, temporaryFolder } from './feed-probe.ts';

/** Parts of sessions, adjusted prices and mixtures: how each is read, or why it is refused. */

const calendar = newYorkCalendar();
const folder = temporaryFolder();
const HEAD = 'date,open,high,low,close,volume';

async function import_(name: string, lines: readonly string[], options: Partial<CsvOptions> = {}) {
  const path = join(folder, name);
  writeFileSync(path, lines.join('\n'));
  const feed = csvFeed({ paths: [path], calendar, ...options });
  const [first] = await Array.fromAsync(feed.readings());
  const read = first!.read;
  if (isRefused(read)) return { refused: read.example, bars: [], refusals: [] };
  const parts = Object.fromEntries(Object.entries(read.parts).map(([part, { value }]) => [part, value]));
  const deliveries = await deliveriesOf(feed);
  return { ...parts, bars: barsIn(deliveries), refusals: refusalsIn(deliveries) };
}

/** Rows of a session from one minute after the open to another, busy at both edges, by the clock of an offset to UTC. */
const minutesOf = (
  date: string,
  from: number,
  to: number,
  hours: number,
  lack = (_: number) => false,
): string[] => {
  const { open, close } = calendar.session(date)!;
  const length = (close - open) / MINUTE_MS;
  return Array.from({ length: to - from }, (_, at) => from + at).flatMap((minute) => {
    if (lack(minute)) return [];
    const clock = new Date(open + minute * MINUTE_MS + hours * HOUR_MS)
      .toISOString()
      .slice(0, 19)
      .replace('T', ' ');
    const isRegular = minute >= 0 && minute < length;
    const volume = isRegular ? 5_000 + (minute === 0 || minute === length - 1 ? 60_000 : 0) : 300;
    return [`${clock},50.1,50.3,49.9,50.2,${volume}`];
  });
};

it.each([
  ['from the middle to the evening', minutesOf('2024-06-11', 200, 500, -4)],
  ['from the middle to the close', minutesOf('2024-06-11', 300, 390, -4)],
])('reads a page of a session %s by its close', async (_, rows) => {
  expect(await import_('QZFA.csv', [HEAD, ...rows])).toMatchObject({
    stamps: 'start',
    clock: 'America/New_York',
  });
});

it('refuses a page that shows neither open nor close, unless its columns are those of a source', async () => {
  const rows = minutesOf('2024-06-11', 90, 190, 0);
  const utc = rows.map((row) => row.replace(',', 'Z,').replace(' ', 'T'));
  expect(await import_('QZFB.csv', [HEAD, ...rows])).toMatchObject({
    refused: expect.stringContaining('⟨stamps'),
  });
  expect(await import_('QZFB.csv', [HEAD, ...utc])).toMatchObject({
    refused: expect.stringContaining('⟨stamps'),
  });
  const alpaca = [
    'symbol,timestamp,open,high,low,close,volume,trade_count,vwap',
    ...utc.map((row) => `QZFB,${row},9,50.2`),
  ];
  expect(await import_('bars.csv', alpaca)).toMatchObject({
    stamps: 'start',
    clock: 'as written',
    symbol: 'QZFB',
  });
});

it('trusts no edge of a few days of which most minutes lack', async () => {
  const dates = ['2024-07-15', '2024-07-16', '2024-07-17'];
  const rows = dates.flatMap((date) =>
    minutesOf(date, 0, 390, 0, (minute) => minute % 3 !== 0 && minute % 7 !== 0),
  );
  const written = rows.map((row) => row.replace(',', 'Z,'));
  expect(await import_('QZFC.csv', [HEAD, ...written])).toMatchObject({
    refused: expect.stringContaining('⟨stamps'),
  });
});

it('reads the clock from the name of a column', async () => {
  const rows = minutesOf('2024-06-11', 0, 390, 0);
  expect(await import_('QZFD.csv', [HEAD.replace('date', 'time (UTC)'), ...rows])).toMatchObject({
    clock: 'UTC',
  });
});

it('refuses days of two lengths of bars', async () => {
  const whole = minutesOf('2024-06-10', 0, 390, -4);
  const rows = [HEAD, ...whole, ...minutesOf('2024-06-11', 0, 390, -4, (minute) => minute % 5 !== 0)];
  expect(await import_('QZFH.csv', rows)).toMatchObject({
    refused: expect.stringContaining('part the file'),
  });
});

const dates = calendar.sessionsBetween('2024-03-11', '2024-06-28');
const traded = dates.map((date, at) => ({ date, close: 100 + (at % 9) * 1.37 + (at % 4) * 0.11 }));

it("brings yfinance's prices, less the dividends since, back to those that were traded", async () => {
  const paid = new Map([
    [dates[30]!, 2.5],
    [dates[60]!, 15],
  ]);
  const kept = traded.map((_, row) =>
    traded.reduce(
      (product, { date }, at) =>
        at > row && paid.has(date) ? product * (1 - paid.get(date)! / traded[at - 1]!.close) : product,
      1,
    ),
  );
  const rows = traded.map(({ date, close }, at) => {
    const price = close * kept[at]!;
    return `${date} 00:00:00-04:00,${price},${price},${price},${price},1000,${paid.get(date) ?? '0.0'},0.0`;
  });
  const head = 'Date,Open,High,Low,Close,Volume,Dividends,Stock Splits';
  for (const lines of [rows, rows.toReversed()]) {
    const read = await import_('QZFK.csv', [head, ...lines]);
    expect(read).toMatchObject({ prices: 'adjusted', refusals: [] });
    const closes = read.bars.flatMap(({ columns }) => [...columns.close]);
    for (const [at, { close }] of traded.entries()) expect(closes[at]).toBeCloseTo(close, 9);
  }
  const whole = traded.map(
    ({ date, close }) =>
      `${date},${Array(4).fill(close.toFixed(2)).join(',')},1000,${paid.get(date) ?? '0.0'},0.0`,
  );
  expect(await import_('QZFK.csv', [head, ...whole])).toMatchObject({ prices: 'traded' });
});

it('says that prices between the cents are adjusted, where no dividend or split tells', async () => {
  const rows = traded.map(({ date, close }, at) => {
    const price = at < 60 ? close * 0.98765 : close;
    return `${date},${price},${price},${price},${price},1000`;
  });
  expect(await import_('QZFL.csv', [HEAD, ...rows])).toMatchObject({ prices: 'adjusted' });
});

it("tells the basis of minutes by the tape's days, and refuses where a later split of the tape leaves it open", async () => {
  const days: Known = {
    bars: {
      ...barColumns(() => Float64Array.of(502)),
      time: Float64Array.of(Date.parse('2024-06-11')),
    },
    splits: [{ kind: 'split', exDate: Date.parse('2024-06-20'), value: 10 }],
  };
  const nothing: Known = { ...days, bars: barColumns(() => new Float64Array(0)) };
  const rows = [HEAD, ...minutesOf('2024-06-11', 0, 390, -4)];
  const read = await import_('QZFM.csv', rows, {
    known: async (_, interval) => (interval === '1d' ? days : nothing),
  });
  expect(read).toMatchObject({ prices: 'split-adjusted' });
  expect(read.bars[0]!.columns.close[0]).toBeCloseTo(502, 9);
  expect(await import_('QZFM.csv', rows, { known: async () => nothing })).toMatchObject({
    refused: expect.stringContaining('⟨prices⟩ decides'),
  });
});

it("takes dividends and splits of Yahoo's charts as actions of their days, also of days without a bar", async () => {
  const sessions = calendar.sessionsBetween('2024-05-01', '2024-06-14');
  const seconds = (date: string): number => calendar.session(date)!.open / 1000;
  const [split, paid, missing] = ['2024-05-21', '2024-05-10', '2024-06-05'];
  const dates = sessions.filter((date) => date !== missing);
  const closes = dates.map((_, at) => 40 + (at % 7) / 4);
  const text = JSON.stringify({
    chart: {
      result: [
        {
          meta: { symbol: 'QZFY', currency: 'USD' },
          timestamp: dates.map(seconds),
          events: {
            dividends: Object.fromEntries(
              [paid, missing].map((date) => [seconds(date!), { amount: 0.25, date: seconds(date!) }]),
            ),
            splits: {
              [seconds(split!)]: { date: seconds(split!), numerator: 4, denominator: 1, splitRatio: '4:1' },
            },
          },
          indicators: {
            quote: [
              { open: closes, high: closes, low: closes, close: closes, volume: closes.map(() => 4000) },
            ],
          },
        },
      ],
    },
  });
  const path = join(folder, 'QZFY.json');
  writeFileSync(path, text);
  const deliveries = await deliveriesOf(csvFeed({ paths: [path], calendar }));
  const [bars] = barsIn(deliveries);
  const traded = closes.map((close, at) => (dates[at]! < split! ? close * 4 : close));
  expect([...bars!.columns.close]).toEqual(traded);
  expect(deliveries.find(({ kind }) => kind === 'actions')).toMatchObject({
    actions: [
      { kind: 'dividend', exDate: Date.parse(paid!), value: 1 },
      { kind: 'split', exDate: Date.parse(split!), value: 4 },
      { kind: 'dividend', exDate: Date.parse(missing!), value: 0.25 },
    ],
  });
});

it('takes what Massive says of splits, unless its prices contradict it', async () => {
  const answer = (close: number) =>
    JSON.stringify({
      ticker: 'QZFO',
      adjusted: true,
      results: [
        { t: Date.parse('2024-06-10T04:00:00Z'), o: 10, h: 11, l: 9, c: 10, v: 1000 },
        { t: Date.parse('2024-06-11T04:00:00Z'), o: close, h: close, l: close, c: close, v: 1000 },
      ],
    });
  const splits: Known['splits'] = [{ kind: 'split', exDate: Date.parse('2024-06-11'), value: 2 }];
  const known = async () => ({ bars: barColumns(() => new Float64Array(0)), splits });
  expect(await import_('aggs.json', [answer(10)], { known })).toMatchObject({ prices: 'split-adjusted' });
  expect(await import_('aggs.json', [answer(5)], { known })).toMatchObject({
    refused: expect.stringContaining('contradicts'),
  });
});
