import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { App } from '../../../src/app.ts';
import { newYorkCalendar } from '../../../src/base/calendar.ts';
import { DAY_MS, MINUTE_MS, midnightUtc } from '../../../src/base/dates.ts';
import { csvFeed } from '../../../src/files/bars/csv.ts';
import type { Delivery } from '../../../src/market/feed.ts';
import type { Interval } from '../../../src/market/observations.ts';
import { asBars, barSeries } from '../../../src/market/series.ts';
import { SegmentReader } from '../../../src/tape/index.ts';
import { importFeed } from '../../../src/tape/ingest.ts';
import { bring, freshApp, serverOf } from '../../support/app.ts';
import { inFull } from '../../support/depth.ts';
import { type BarRow, barsOf } from '../../support/tape.ts';
import { temporaryFolder } from '../../unit/market/feed-probe.ts';

/** Rows in which nothing traded: what is on the tape is what would be there without them. */

const calendar = newYorkCalendar();
const folder = temporaryFolder();
const DATES = ['2024-07-01', '2024-07-02', '2024-07-03', '2024-07-05'];
const OLD = calendar.sessionsBetween('2024-05-01', '2024-06-28');
let app: App;
let server: Awaited<ReturnType<App['server']>>;
let files = 0;
beforeAll(async () => {
  ({ app } = await freshApp({ TIGRAPH_NOW: '2024-07-08T12:00:00Z' }));
  server = await serverOf(app);
});

const flat = (time: number, price: number, volume: number): BarRow => [
  time,
  price,
  price,
  price,
  price,
  volume,
];
const barRows = (symbol: string, interval: Interval, rows: readonly BarRow[]): Delivery => ({
  kind: 'bars',
  symbol,
  interval,
  columns: asBars(barsOf(barSeries(interval), rows)),
});

/** All bars of a symbol on the tape, by series. */
async function onTape(symbol: string): Promise<unknown> {
  const [tape] = await app.context.tape.symbolTapes([symbol]);
  const reader = new SegmentReader(app.context.tape.location);
  const kinds = (['1m', '5m', '15m', '1h', '1d'] as const).map(barSeries);
  const series = kinds.map((kind) => reader.rows(tape!, kind, -1e9, 1e9));
  reader.close();
  return series;
}

const answer = async (symbol: string, date: string): Promise<string> => {
  const include = 'levels,volume_profile,patterns,strategies,confluence_components,level_ladder,price_events';
  const { body } = await server.inject(`/api/graph/v1/stocks/${symbol}?date=${date}&include=${include}`);
  return body.replaceAll(symbol, 'X').replace(/"request_id":"[^"]*"/, '');
};

/** Writes a file of rows and imports it; how many rows were said to be of no trade. */
async function bringFile(symbol: string, rows: readonly BarRow[], stamps?: 'start'): Promise<number> {
  const isDaily = rows.every(([time]) => time % DAY_MS === 0);
  const path = join(folder, `${symbol}_${files++}.csv`);
  const stamp = (time: number) =>
    new Date(time).toISOString().slice(0, isDaily ? 10 : 19) + (isDaily ? '' : 'Z');
  const lines = rows.map(([time, ...values]) => `${stamp(time)},${values.join(',')}`);
  writeFileSync(path, ['date,open,high,low,close,volume', ...lines, ''].join('\n'));
  const now = app.context.clock.now();
  const { refusals } = await importFeed(
    app.context,
    csvFeed({ paths: [path], symbol, calendar, now, stamps }),
  );
  expect(refusals.filter(({ reason }) => reason !== 'untraded')).toEqual([]);
  return refusals[0]?.rows ?? 0;
}

/** A walk of bars, with its own numbers. */
function walk(times: readonly number[], random: () => number): BarRow[] {
  let price = 50;
  return times.map((time) => {
    const open = price;
    price = Math.round((price + (random() - 0.5) / 2) * 100) / 100;
    const [high, low] = [Math.max(open, price) + 0.02, Math.min(open, price) - 0.02];
    return [
      time,
      open,
      Math.round(high * 100) / 100,
      Math.round(low * 100) / 100,
      price,
      100 + Math.floor(random() * 900),
    ];
  });
}

/** The rows with others of volume 0 at times that they lack, each with the last price before it. */
function padded(rows: readonly BarRow[], times: readonly number[]): BarRow[] {
  const first = rows[0]![1];
  const others = times
    .filter((time) => !rows.some(([at]) => at === time))
    .map((time) => flat(time, rows.findLast(([at]) => at < time)?.[4] ?? first, 0));
  return [...rows, ...others].sort((one, other) => one[0] - other[0]);
}

describe('rows in which nothing traded', () => {
  let draws = 0;

  it('are drawn into files of minutes and of days, and change nothing but a count', async () => {
    const lengths = [
      ['1m', 1],
      ['5m', 5],
      ['15m', 15],
    ] as const;
    const drawn = fc.record({
      length: fc.constantFrom(...lengths),
      seed: fc.integer({ min: 1, max: 1e6 }),
      lacking: fc.constantFrom(0.02, 0.3, 0.9),
      isPadded: fc.constantFrom(0.2, 1),
      emptyDay: fc.constantFrom(null, ...DATES.slice(0, 3)),
    });
    await fc.assert(
      fc.asyncProperty(drawn, async ({ length: [, minutes], seed, lacking, isPadded, emptyDay }) => {
        const stamps = lacking > 0.1 ? 'start' : undefined;
        let state = seed;
        const random = () => {
          state = (state * 48_271) % 2_147_483_647;
          return state / 2_147_483_647;
        };
        const times = DATES.flatMap((date) => {
          const { preOpen, postClose } = calendar.session(date)!;
          return Array.from(
            { length: (postClose - preOpen) / (minutes * MINUTE_MS) },
            (_, at) => preOpen + at * minutes * MINUTE_MS,
          );
        });
        const trades = times.filter((time) => {
          const { tradeDate, open, close } = calendar.sessionHolding(time)!;
          if (tradeDate === emptyDay) return false;
          // Without trades around the open and the close no reader tells the clock of a file.
          const [sinceOpen, toClose] = [time - open, close - time];
          const isNearEdge = sinceOpen >= 0 && toClose > 0 && Math.min(sinceOpen, toClose) < 40 * MINUTE_MS;
          if (isNearEdge && stamps === undefined) return true;
          return random() > (time >= open && time < close ? lacking : 0.9);
        });
        const days = walk(OLD.map(midnightUtc), random);
        const kept = days.filter((_, at) => at === 0 || random() > 0.2);
        // A session is seen to begin where more is traded.
        const bars = walk(trades, random).map(([time, open, high, low, close, volume]): BarRow => {
          const { open: from, close: to } = calendar.sessionHolding(time)!;
          return [time, open, high, low, close, time >= from && time < to ? 50 * volume : volume];
        });
        const [own, twin] = [`QA${draws}A`, `QA${draws++}B`];
        expect(await bringFile(twin, kept)).toBe(0);
        expect(await bringFile(twin, bars, stamps)).toBe(0);
        expect(await bringFile(own, padded(kept, OLD.map(midnightUtc)))).toBe(days.length - kept.length);
        const all = padded(
          bars,
          times.filter(() => random() < isPadded),
        );
        expect(await bringFile(own, all, stamps)).toBe(all.length - bars.length);
        expect(await onTape(own)).toEqual(await onTape(twin));
        expect(await answer(own, DATES[3]!)).toBe(await answer(twin, DATES[3]!));
      }),
      { seed: 7, numRuns: inFull(8, 3) },
    );
  });

  /** Minutes of a date from the open to the close, and others. */
  const minutesOf = (date: string, price: (minute: number) => number): BarRow[] => {
    const { open, close } = calendar.session(date)!;
    return Array.from({ length: (close - open) / MINUTE_MS }, (_, at) =>
      flat(open + at * MINUTE_MS, price(at), 100),
    );
  };

  it.each(['2024-07-02', '2024-07-03'])('at the bell of %s are the closing auction', async (date) => {
    const { close } = calendar.session(date)!;
    const bars = minutesOf(date, (at) => 50 + at / 100);
    const symbol = `QB${date.at(-1)}A`;
    const auction = [
      flat(close, 60, 0),
      flat(close + MINUTE_MS, 60, 0),
      flat(close + 30 * MINUTE_MS, 61, 10),
    ];
    await bring(app, [barRows(symbol, '1m', [...bars, ...auction])]);
    const { price } = JSON.parse(await answer(symbol, date));
    expect(price.regular).toMatchObject({ open: 50, high: 60, low: 50, close: 60, final: true });
    expect(price.after_hours).toMatchObject({ open: 61, high: 61, low: 61, volume: 10 });
    // Without trades in the last minute the auction has one of its own, and earlier bars stay as they were.
    const early = bars.slice(0, -20);
    await bring(app, [barRows(`${symbol}B`, '1m', [...early, ...auction])]);
    const minutes = (await onTape(`${symbol}B`)) as { time: Float64Array; close: Float64Array }[];
    expect([...minutes[0]!.time].slice(-3)).toEqual([
      early.at(-1)![0],
      close - MINUTE_MS,
      close + 30 * MINUTE_MS,
    ]);
    expect([...minutes[0]!.close].slice(-3)).toEqual([early.at(-1)![4], 60, 61]);
  });

  it('take the place of bars that were corrected, and give it back', async () => {
    const bars = minutesOf('2024-07-01', (at) => 50 + at / 100);
    const corrected = bars.map((bar, at) => (at === 100 || at === 389 ? flat(bar[0], bar[4], 0) : bar));
    const without = corrected.filter(([, , , , , volume]) => volume > 0);
    await bring(app, [barRows('QCA', '1m', bars)]);
    const before = await onTape('QCA');
    await bring(app, [barRows('QCA', '1m', corrected)]);
    await bring(app, [barRows('QCB', '1m', without)]);
    expect(await onTape('QCA')).toEqual(await onTape('QCB'));
    await bring(app, [barRows('QCA', '1m', bars)]);
    expect(await onTape('QCA')).toEqual(before);
  });

  it('are bars of an index, and of a source without volumes', async () => {
    const days = OLD.map((date, at) => flat(midnightUtc(date), 50 + at, 0));
    const some = days.map((bar, at) => (at % 2 === 0 ? bar : flat(bar[0], bar[4], 9)));
    await bring(app, [barRows('^QDA', '1d', some), barRows('QDB', '1d', days)]);
    // The same stock by another source, of later days.
    await bring(app, [barRows('QDB', '1d', [flat(midnightUtc('2024-07-01'), 100, 5)])]);
    await bring(app, [barRows('QDB', '1d', [flat(midnightUtc('2024-07-02'), 101, 0)])]);
    const count = async (symbol: string) =>
      ((await onTape(symbol)) as { time: Float64Array }[])[4]!.time.length;
    expect([await count('^QDA'), await count('QDB')]).toEqual([days.length, days.length + 2]);
    // A day that only repeats the price before it, alone in its file.
    await bring(app, [barRows('QDB', '1d', [flat(midnightUtc('2024-07-03'), 101, 0)])]);
    expect(await count('QDB')).toBe(days.length + 2);
  });

  it('of a running session are left out minute by minute, once its volumes are known', async () => {
    const session = calendar.session('2024-07-08')!;
    const bars = minutesOf('2024-07-08', () => 51);
    await bring(app, [
      barRows(
        'QEA',
        '1d',
        OLD.map((date) => flat(midnightUtc(date), 50, 9)),
      ),
      barRows(
        'QEB',
        '1d',
        OLD.map((date) => flat(midnightUtc(date), 50, 9)),
      ),
    ]);
    const running = await app.context.tape.ofMarket(false).runningSession(session);
    const take = (symbol: string, bar: BarRow) =>
      running.take({ name: 'live' }, [
        { at: bar[0] + MINUTE_MS, deliveries: [barRows(symbol, '1m', [bar])] },
      ]);
    for (let at = 0; at < 5; at++) {
      const { refused } = await take('QEA', flat(session.open + at * MINUTE_MS, 50, 0));
      expect(refused).toMatchObject([{ reason: 'untraded', count: 1 }]);
      // Of a stock that is new nobody knows yet whether its source states volumes.
      expect((await take('QEN', flat(session.open + at * MINUTE_MS, 50, 0))).refused).toEqual([]);
    }
    for (const bar of bars.slice(5)) for (const symbol of ['QEA', 'QEB', 'QEN']) await take(symbol, bar);
    const twin = (await onTape('QEB')) as unknown[];
    expect(((await onTape('QEA')) as unknown[])[0]).toEqual(twin[0]);
    expect(((await onTape('QEN')) as unknown[])[0]).toEqual(twin[0]);
    // The auction, a minute after the close.
    await take('QEA', flat(session.close, 52, 0));
    const minutes = ((await onTape('QEA')) as { time: Float64Array; close: Float64Array }[])[0]!;
    expect([minutes.time.at(-1), minutes.close.at(-1)]).toEqual([session.close - MINUTE_MS, 52]);
    running.close();
  });
});
