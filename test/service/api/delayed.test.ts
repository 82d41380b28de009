import * as fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { getBars } from '../../../src/api/bars/get-bars.ts';
import type { Viewer } from '../../../src/api/context/app-context.ts';
import { getHistory } from '../../../src/api/history/get-history.ts';
import { getExposure } from '../../../src/api/options/get-chain-answers.ts';
import { getStock } from '../../../src/api/stocks/get-stock.ts';
import { watchStocks } from '../../../src/api/stream/watch-stocks.ts';
import { searchSymbols } from '../../../src/api/symbols/search-symbols.ts';
import type { App } from '../../../src/app.ts';
import { wholeMinute } from '../../../src/base/as-of.ts';
import { midnightUtc } from '../../../src/base/calendar.ts';
import { type PacedClock, steppingClock } from '../../../src/base/clock.ts';
import { SETTLEMENTS } from '../../../src/base/option-roots.ts';
import { INCLUDE_FIELDS } from '../../../src/derive/compose.ts';
import { ContractColumnBuilder } from '../../../src/market/column-builder.ts';
import type { Delivery } from '../../../src/market/feed.ts';
import type { FlowMinuteColumns, Interval, QuoteBarColumns } from '../../../src/market/observations.ts';
import { INTERVAL_MS } from '../../../src/market/observations.ts';
import { asBars } from '../../../src/market/series.ts';
import { factOf } from '../../../src/market/validate-fact.ts';
import { syncGraph } from '../../../src/pipeline/graph-sync.ts';
import { importFeed } from '../../../src/tape/ingest.ts';
import { bring, feedOf, freshApp } from '../../support/app.ts';
import { inFull } from '../../support/depth.ts';
import { dailyBars } from '../../support/market.ts';
import { newsWith } from '../../support/reported.ts';
import { foldStock, sinkAndReading } from '../../support/stream.ts';
import { at, type BarRow, barsOf } from '../../support/tape.ts';

/**
 * The proof of the delay. Two services have the same history and the same clock. The first receives everything a quarter
 * of an hour late, so that it cannot know better. The second receives each minute at once, with wrong prices, shares,
 * sides and daily bar, corrected only when they are a quarter of an hour old. A caller without the
 * real-time feed must not see a difference between the two, by a single byte of any answer or stream.
 */

const DATE = '2024-03-12';
const MINUTE_MS = 60_000;
const DELAY_MS = 15 * MINUTE_MS;
const DELAYED: Viewer = { source: 'delayed', delayMs: DELAY_MS, symbols: null };
const REALTIME: Viewer = { source: 'realtime_sip', delayMs: 0, symbols: null };
const ALL = [...INCLUDE_FIELDS.keys()];

/** Which bars the tape gets of whom. `LATE` does not trade before 10:12, `MIXED` has minute bars only from then on. */
const INTERVALS: Readonly<Record<string, readonly Interval[]>> = {
  ACME: ['1m'],
  FIVE: ['5m'],
  HOUR: ['1h'],
  MIXED: ['5m', '1m'],
  LATE: ['1m'],
  SPY: ['1m'],
  '^VIX': ['1m'],
};
const WATCHED = ['ACME', 'FIVE', 'HOUR', 'LATE', 'MIXED'];
/** Enough for breadth and for a sector. */
const OTHERS = Array.from({ length: 20 }, (_, place) => `${'BCDEFGH'[place % 7]}${place}`);
const EVERYBODY = [...Object.keys(INTERVALS), ...OTHERS];
const LATE_START = at(DATE, '10:12');

const START = at(DATE, '10:14');
/** Facts cannot be taken back, so that the truth is the same from the beginning. */
const TRUE_SEED = 7;

/** A number from 0 to 1 that follows from its words and nothing else. */
function chance(...words: readonly (string | number)[]): number {
  let hash = 2_166_136_261;
  for (const character of words.join('|')) {
    hash = Math.imul(hash ^ character.charCodeAt(0), 16_777_619);
  }
  hash = Math.imul(hash ^ (hash >>> 15), 2_246_822_507);
  return ((hash ^ (hash >>> 13)) >>> 0) / 2 ** 32;
}

/** Deliveries of the minutes that end at an instant: every kind of observation. `lie` 1 is the truth. */
function rowsOf(minuteEnd: number, seed: number, lie: number): Delivery[] {
  return EVERYBODY.flatMap((symbol): Delivery[] => {
    const bars = (INTERVALS[symbol] ?? ['1m']).flatMap((interval) =>
      barsOfMinute(symbol, interval, minuteEnd, seed, lie),
    );
    if (symbol !== 'ACME') return bars;
    return [...bars, flowOf(minuteEnd, seed, lie), quoteOf(minuteEnd, seed, lie)];
  });
}

function barsOfMinute(
  symbol: string,
  interval: Interval,
  end: number,
  seed: number,
  lie: number,
): Delivery[] {
  const time = end - INTERVAL_MS[interval];
  if ((end - at(DATE, '09:30')) % INTERVAL_MS[interval] !== 0) return [];
  if ((symbol === 'LATE' || (symbol === 'MIXED' && interval === '1m')) && time < LATE_START) return [];
  const base = 100 + 40 * chance(symbol);
  const price = (moment: string): number =>
    lie * base * (1 + 0.02 * (chance(symbol, seed, time, moment) - 0.5));
  const [open, close] = [price('open'), price('close')];
  const [high, low] = [Math.max(open, close) + 0.1, Math.min(open, close) - 0.1];
  const row: BarRow = [time, open, high, low, close, Math.round(lie * 1_000 * (1 + chance(symbol, time)))];
  return [{ kind: 'bars', symbol, interval, columns: asBars(barsOf(`bars-${interval}`, [row])) }];
}

function flowOf(end: number, seed: number, lie: number): Delivery {
  const buys = Math.round(lie * 5_000 * chance('buys', seed, end));
  const sells = Math.round(lie * 5_000 * chance('sells', seed, end));
  const one = (value: number): Float64Array => Float64Array.of(value);
  const columns: FlowMinuteColumns = {
    time: one(end - MINUTE_MS),
    trades: one(40),
    volume: one(buys + sells),
    notional: one((buys + sells) * 100),
    offExchangeVolume: one(Math.round((buys + sells) / 3)),
    blockTrades: one(1),
    blockVolume: one(Math.min(buys, 1_000)),
    buyByQuote: one(buys),
    sellByQuote: one(sells),
    buyByTick: one(0),
    sellByTick: one(0),
    lockedVolume: one(0),
  };
  return { kind: 'flow-minutes', symbol: 'ACME', columns };
}

function quoteOf(end: number, seed: number, lie: number): Delivery {
  const bid = lie * (119 + chance('bid', seed, end));
  const one = (value: number): Float64Array => Float64Array.of(value);
  const [bids, asks] = [one(bid), one(bid + 0.02)];
  const columns: QuoteBarColumns = {
    time: one(end - MINUTE_MS),
    bidOpen: bids,
    bidHigh: bids,
    bidLow: bids,
    bidClose: bids,
    bidSize: one(100),
    askOpen: asks,
    askHigh: asks,
    askLow: asks,
    askClose: asks,
    askSize: one(100),
  };
  return { kind: 'quotes', symbol: 'ACME', interval: '1m', columns };
}

/** What becomes known with a minute: news, a halt, opinions, a new sector; nothing that is known is ever untrue. */
function factsOf(minuteEnd: number, seed: number): Delivery[] {
  const headline = `Word ${seed} of ${minuteEnd}`;
  const sector = ['Energy', 'Utilities', 'Materials'][Math.floor(3 * chance('sector', seed, minuteEnd))]!;
  const blank = { description: null, ceo: null, headquarters: null, employees: null, ipoDate: null };
  const profile = {
    ...blank,
    companyName: headline,
    website: null,
    logoUrl: null,
    sector,
    industry: null,
    exchange: null,
  };
  const news = newsWith({
    publishedAt: minuteEnd,
    headline,
    source: 'wire',
    symbols: ['ACME'],
    eventType: 'guidance',
    sentiment: 2 * chance('tone', seed, minuteEnd) - 1,
    relevance: 1,
  });
  const halt = {
    from: minuteEnd,
    to: chance('halt', seed, minuteEnd) < 0.5 ? null : minuteEnd + 90_000,
    reason: 'LUDP',
  };
  const target = { mean: 100 + 50 * chance('target', seed, minuteEnd), high: null, low: null, analysts: 3 };
  return [
    chainOf(minuteEnd, seed),
    {
      kind: 'facts',
      symbol: 'ACME',
      facts: [
        factOf('news', minuteEnd, news),
        factOf('halt', minuteEnd, halt),
        factOf('price_target', minuteEnd, target),
        factOf('profile', minuteEnd, profile),
      ],
    },
    ...OTHERS.map(
      (symbol): Delivery => ({ kind: 'facts', symbol, facts: [factOf('profile', minuteEnd, profile)] }),
    ),
  ];
}

/** A small option chain as it was quoted with a minute. */
function chainOf(minuteEnd: number, seed: number): Delivery {
  const contracts = new ContractColumnBuilder();
  const spot = 120 + chance('spot', seed, minuteEnd);
  for (const expiration of ['2024-03-15', '2024-03-22', '2024-04-19']) {
    for (const strike of [110, 115, 120, 125, 130]) {
      for (const right of [1, -1]) {
        const middle =
          Math.max(0, right * (spot - strike)) + 1 + chance(expiration, strike, right, seed, minuteEnd);
        contracts.push({
          expiration: midnightUtc(expiration),
          settlement: SETTLEMENTS.indexOf('close'),
          strike,
          right,
          bid: middle - 0.05,
          ask: middle + 0.05,
          last: middle,
          volume: Math.round(500 * chance('volume', strike, seed, minuteEnd)),
          openInterest: 1_000,
          vendorIv: Number.NaN,
          vendorDelta: Number.NaN,
          vendorGamma: Number.NaN,
        });
      }
    }
  }
  return {
    kind: 'chain',
    chain: {
      symbol: 'ACME',
      takenAt: minuteEnd,
      underlyingPrice: spot,
      style: 'american',
      multiplier: 100,
      contracts: contracts.take(),
      simulated: false,
    },
  };
}

/** The day's own bar before the day is over, as some vendors send it. */
const earlyDailyBars = (seed: number, lie: number): Delivery[] =>
  ['ACME', 'LATE', 'SPY'].map((symbol) => {
    const close = lie * 100 * (1 + chance(symbol, seed));
    const row: BarRow = [midnightUtc(DATE), close, close + 1, close - 1, close, 5_000_000];
    return { kind: 'bars', symbol, interval: '1d', columns: asBars(barsOf('bars-1d', [row])) };
  });

interface Service {
  readonly app: App;
  readonly clock: PacedClock;
}

async function openService(): Promise<Service> {
  const clock = steppingClock(START);
  const { app } = await freshApp({}, { clock });
  const history: Delivery[] = EVERYBODY.map((symbol) => dailyBars(symbol, '2023-01-03', '2024-03-11'));
  await bring(app, history);
  const open = at(DATE, '09:30');
  const minutes = (START - DELAY_MS - open) / MINUTE_MS;
  const units = Array.from({ length: minutes }, (_, minute) => [
    `minute-${minute}`,
    rowsOf(open + (minute + 1) * MINUTE_MS, TRUE_SEED, 1),
  ]);
  await importFeed(app.context, feedOf(Object.fromEntries(units)));
  await app.idle();
  return { app, clock };
}

/** The clock of both advances by one minute, and each receives its part. What is a lie now is the truth in due time. */
async function pass(seed: number, lie: number): Promise<void> {
  const now = early.clock.now() + MINUTE_MS;
  for (const { clock } of [early, late]) await clock.until(now);
  const truth = [...rowsOf(now - DELAY_MS, TRUE_SEED, 1), ...factsOf(now - DELAY_MS, TRUE_SEED)];
  await bring(late.app, truth);
  await bring(early.app, truth);
  await bring(early.app, [
    ...rowsOf(now, seed, lie),
    ...earlyDailyBars(seed, lie),
    ...factsOf(now, TRUE_SEED),
  ]);
  if ((now / MINUTE_MS) % 3 === 0) await storeMoment();
}

/** What the second service stores speaks for the moment, as it does while a feed runs; the first cannot but be late. */
async function storeMoment(): Promise<void> {
  await syncGraph({ ...early.app.context, delayMs: 0 }, { kind: 'touched' });
  await syncGraph({ ...late.app.context, delayMs: DELAY_MS }, { kind: 'touched' });
  for (const { app } of [early, late]) await app.idle();
}

async function answer({ app }: Service, symbol: string, viewer: Viewer): Promise<string> {
  const { body, etag } = await getStock(app.context, { symbol, includes: ALL }, viewer);
  return `${etag} ${body}`;
}

/** Bars of the newest session, and what was known ten minutes before the newest minute that the viewer sees. */
async function readsOf(service: Service, symbol: string): Promise<string[]> {
  const { context } = service.app;
  const bars = { symbol, adjusted: true, session: 'all', limit: 1_000, format: 'json' } as const;
  const past = { ...DELAYED, asOf: wholeMinute(service.clock.now() - DELAY_MS) - 10 * MINUTE_MS };
  const answers = await Promise.all([
    ...INTERVALS_READ.map((interval) => getBars(context, { ...bars, interval }, DELAYED)),
    getBars(context, { ...bars, interval: '1m' }, past),
    getExposure(context, { symbol }, past),
    getHistory(context, { symbol, fields: 'last_price,volume', from: '2024-03-08', derive: 'wait' }, DELAYED),
    searchSymbols(context, { limit: 100 }, DELAYED),
  ]);
  // Passes store the same days at other times here and there.
  const texts = answers.map(({ body }) =>
    body
      .toString()
      .replace(/"cached":.*$/, '')
      .replaceAll('"stored"', '"derived"'),
  );
  return [...texts, await answer(service, symbol, past)];
}
const INTERVALS_READ = ['1m', '5m', '1h', '1d'] as const;

/** A stream of a service, whose watch looks when the test says so. */
async function streamOf({ app }: Service, viewer: Viewer) {
  const never = { tickMs: 1_000_000_000, heartbeatMs: 1_000_000_000 };
  const watch = await watchStocks(app.context, never, (_, error) => Promise.reject(error), 'watch');
  onTestFinished(() => watch.close());
  const { sink, reading } = sinkAndReading();
  await watch.open({ symbols: WATCHED, position: null }, viewer, () => sink);
  return { watch, reading };
}

const seeds = fc.integer({ min: 1, max: 1_000_000 });
/** Of so many minutes each; together they are longer than the delay. */
const [RUNS, MINUTES] = inFull([5, 5], [2, 8]);
const lies = fc.oneof(
  fc.double({ min: 0.3, max: 0.95, noNaN: true }),
  fc.double({ min: 1.05, max: 3, noNaN: true }),
);
const steps = fc.array(fc.tuple(seeds, lies), { minLength: MINUTES, maxLength: MINUTES });

// `late` receives everything a quarter of an hour late, `early` at once, and wrong at first.
const [late, early] = [await openService(), await openService()];
await storeMoment();

describe('a caller without the real-time feed', () => {
  it('sees no byte of what has happened in the last quarter of an hour', async () => {
    const streams = [await streamOf(late, DELAYED), await streamOf(early, DELAYED)];
    const before = early.clock.now();
    await fc.assert(
      fc.asyncProperty(steps, async (steps) => {
        for (const [seed, lie] of steps) {
          await pass(seed, lie);
          for (const { watch } of streams) {
            watch.tick();
            await Promise.all([early.app.idle(), late.app.idle()]);
          }
          for (const symbol of WATCHED) {
            expect(await answer(early, symbol, DELAYED), symbol).toBe(await answer(late, symbol, DELAYED));
          }
          if (inFull(true, seed % 3 === 0))
            expect(await readsOf(early, 'ACME')).toEqual(await readsOf(late, 'ACME'));
        }
      }),
      { numRuns: RUNS, endOnFailure: true },
    );
    const [shown, hidden] = streams.map(({ reading }) => reading.blocks.map(({ text }) => text).join('\n\n'));
    expect(hidden).toBe(shown);
    // There was something to report: of minutes, and of what happened in them.
    const minutes = (early.clock.now() - before) / MINUTE_MS;
    const { events, blocks } = streams[0]!.reading;
    expect(minutes).toBe(MINUTES * RUNS);
    expect(events.filter((event) => event === 'change').length).toBeGreaterThan(2 * minutes);
    const types = new Set(blocks.filter(({ event }) => event === 'event').map(({ data }) => data.type));
    expect([...types]).toEqual(expect.arrayContaining(['level_broken', 'halted', 'orb_broken']));
  });

  it('is given the same header lines over HTTP, for today, for this date and for one before it', async () => {
    const servers = [await late.app.server(), await early.app.server()];
    for (const query of ['', `date=${DATE}`, 'date=2024-03-11', 'date=2024-03-13']) {
      const url = `/api/graph/v1/stocks/ACME?include=${ALL.join()}${query === '' ? '' : `&${query}`}`;
      const answers = [];
      for (const server of servers) {
        const { statusCode, headers, body } = await server.inject({ url });
        const { date: _date, 'x-request-id': _id, ...stable } = headers;
        answers.push({ statusCode, stable, body: body.replace(/"request_id":"[^"]*"/, '') });
      }
      expect(answers[1], query).toEqual(answers[0]);
    }
    for (const server of servers) await server.close();
  });
});

describe('so that the proof could fail', () => {
  it('what is stored of the second service is of the moment', async () => {
    await storeMoment();
    const [day] = await early.app.context.database.query<{ as_of: number }>(
      `select extract(epoch from as_of)::double precision * 1000 as as_of from stock_day where symbol = 'ACME' and trade_date = $1::date`,
      [DATE],
    );
    expect(day!.as_of).toBe(early.clock.now());
  });

  it('a caller with the real-time feed sees the difference, and so does one who is a minute less late', async () => {
    await pass(11, 1.5);
    // Bars of an hour reach no answer while the session runs, so that HOUR shows no difference.
    for (const symbol of ['ACME', 'FIVE', 'LATE', 'MIXED']) {
      expect(await answer(early, symbol, REALTIME), symbol).not.toBe(await answer(late, symbol, REALTIME));
    }
    const lessLate = { ...DELAYED, delayMs: DELAY_MS - MINUTE_MS };
    for (const symbol of ['ACME', 'LATE', 'MIXED']) {
      expect(await answer(early, symbol, lessLate), symbol).not.toBe(await answer(late, symbol, lessLate));
    }
  });

  it('a stream with the real-time feed shows the moment', async () => {
    const { reading } = await streamOf(early, REALTIME);
    await pass(12, 1.7);
    const change = await reading.next('change');
    await early.app.idle();
    expect(change.data.as_of).toBe(new Date(early.clock.now()).toISOString());
    const { body } = await getStock(early.app.context, { symbol: 'ACME', includes: [] }, REALTIME);
    expect(foldStock(reading.blocks, 'ACME')).toEqual(JSON.parse(String(body)));
  });
});
