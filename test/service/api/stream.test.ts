import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type GrantTerms, revokeGrant } from '../../../src/api/access/clients.ts';
import type { AccessScope } from '../../../src/api/access/scopes.ts';
import type { Viewer } from '../../../src/api/context/app-context.ts';
import { getStock } from '../../../src/api/stocks/get-stock.ts';
import { type StockWatch, type StreamLimits, watchStocks } from '../../../src/api/stream/watch-stocks.ts';
import { exchangeToken } from '../../../src/api/token/exchange-token.ts';
import { abortable } from '../../../src/base/abortable.ts';
import { newYorkCalendar } from '../../../src/base/calendar.ts';
import { forCaller } from '../../../src/base/caller.ts';
import { steppingClock } from '../../../src/base/clock.ts';
import { Scope } from '../../../src/base/scope.ts';
import { SteppedTimers } from '../../../src/base/timers.ts';
import { announceChange } from '../../../src/database/changes.ts';
import type { QueryOptions } from '../../../src/database/queryable.ts';
import type { LiveFeed } from '../../../src/market/feed.ts';
import { runLiveSession } from '../../../src/pipeline/live-session.ts';
import { importFeed } from '../../../src/tape/ingest.ts';
import { handClock, newCredentials, serverByClock } from '../../support/access.ts';
import { expectFaults, expectRefused } from '../../support/answers.ts';
import { feedOf, freshApp } from '../../support/app.ts';
import { alteredAfter, dailyBars, minuteBars, rowsBetween } from '../../support/market.ts';
import {
  connectStream,
  foldStock,
  type StreamBlock,
  StreamReading,
  sinkAndReading,
} from '../../support/stream.ts';
import { at } from '../../support/tape.ts';

/** `GET /api/graph/v1/stream`: what goes out, by status, and what becomes of readers who come late, slowly or back. */

const DATE = '2024-03-12';
const [DAILY_FROM, DAILY_TO] = ['2023-01-03', '2024-03-11'];
const STREAM = '/api/graph/v1/stream';
const MINUTE_MS = 60_000;
const DELAY_MS = 15 * MINUTE_MS;
const REALTIME = { source: 'realtime_sip', delayMs: 0, symbols: null } as const;
const DELAYED = { source: 'delayed', delayMs: DELAY_MS, symbols: null } as const;

const SYMBOLS = ['ACME', 'BETA', 'CORE'];

/** A store with the history of three stocks and the first hour of a session, and its clock. */
async function openMarket() {
  const clock = steppingClock(at(DATE, '10:00'));
  const { app } = await freshApp({}, { clock });
  const bringMinutes = (from: number, to: number) =>
    importFeed(
      app.context,
      feedOf({
        [`minutes to ${to}`]: SYMBOLS.map((symbol) => rowsBetween(minuteBars(symbol, DATE, DATE), from, to)),
      }),
    );
  await importFeed(
    app.context,
    feedOf({ daily: SYMBOLS.map((symbol) => dailyBars(symbol, DAILY_FROM, DAILY_TO)) }),
  );
  await bringMinutes(0, clock.now());
  return {
    app,
    clock,
    /** The next minutes of the session come in, and the clock goes on to their end. */
    async pass(minutes: number): Promise<void> {
      const from = clock.now();
      await clock.until(from + minutes * MINUTE_MS);
      await bringMinutes(from, clock.now());
    },
  };
}

const NO_TIMERS = { tickMs: 1_000_000_000, heartbeatMs: 1_000_000_000 };

/** A separate watch whose timers never fire: the test says when it is time. */
async function newWatch(limits: Partial<StreamLimits> = {}): Promise<StockWatch> {
  const watch = await watchStocks(market.app.context, { ...NO_TIMERS, ...limits }, (symbol, error) => {
    throw new Error(`look at ${symbol}`, { cause: error });
  });
  onTestFinished(() => watch.close());
  return watch;
}

async function read(
  watch: StockWatch,
  symbols: readonly string[],
  viewer: Viewer = REALTIME,
  position: string | null = null,
) {
  const { sink, reading } = sinkAndReading();
  await watch.open({ symbols, position }, viewer, () => sink);
  return { sink, reading };
}

/** Waits until the blocks that have come, laid over one another, are what stock detail serves now. */
async function untilCurrent(
  reading: StreamReading,
  symbols: readonly string[],
  viewer: Viewer = REALTIME,
): Promise<void> {
  for (;;) {
    const answers = await Promise.all(
      symbols.map((symbol) => getStock(market.app.context, { symbol, includes: [] }, viewer)),
    );
    const isCurrent = symbols.every((symbol, place) =>
      isDeepStrictEqual(foldStock(reading.blocks, symbol), JSON.parse(answers[place]!.body.toString())),
    );
    if (isCurrent) return;
    await reading.next();
  }
}

/** Stock detail of a caller without a token. */
async function detail(symbol: string): Promise<string> {
  const answer = await getStock(market.app.context, { symbol, includes: [] }, DELAYED);
  return answer.body.toString();
}

/** A server that listens, with tokens that expire by a separate clock. */
async function listen(options: Parameters<typeof serverByClock>[2] = {}) {
  const clock = handClock('2026-03-02T12:00:00Z');
  const { access, server } = await serverByClock(market.app, clock, options);
  const home = await server.listen({ host: '127.0.0.1', port: 0 });
  return { server, access, clock, url: home + STREAM };
}

type Listening = Awaited<ReturnType<typeof listen>>;

async function tokenOf(
  { access, clock }: Listening,
  terms: Partial<GrantTerms> = {},
  scopes = ['stock:read'],
) {
  const credentials = await newCredentials(market.app.context.database, terms, clock.now());
  const asked = { ...credentials, agent_id: 'chart', scopes: scopes as AccessScope[], ttl_seconds: 60 };
  const { access_token } = await exchangeToken(access, asked, { address: '10.0.0.1', onClient: () => {} });
  return { headers: { authorization: `Bearer ${access_token}` }, grantId: credentials.grant_id };
}

/** Waits until a reader has all that was sent up to now. */
async function untilReceived(reading: StreamReading, watch: StockWatch): Promise<void> {
  await market.app.idle();
  const { sink, reading: newcomer } = await read(watch, ['ACME']);
  const { id } = await positionOf(newcomer);
  sink.destroy();
  const newest = (): number =>
    Math.max(...reading.blocks.map((block) => Number(block.id?.split(':')[1] ?? 0)));
  while (newest() < Number(id.split(':')[1])) await reading.next();
}

/** The position that a stream begins with. */
async function positionOf(reading: StreamReading): Promise<{ readonly id: string }> {
  for (;;) {
    const { id } = await reading.next('fields');
    if (id !== null) return { id };
  }
}

const market = await openMarket();

describe('200: a stream', () => {
  it('begins with each stock as stock detail serves it, and goes on with the fields that change', async () => {
    const watch = await newWatch();
    const { reading } = await read(watch, ['ACME', 'BETA'], DELAYED);
    const first = await reading.next('snapshot');
    const second = await reading.next('snapshot');
    expect([first.data.symbol, second.data.symbol]).toEqual(['ACME', 'BETA']);
    expect(first.text).toContain(`"stock":${await detail('ACME')}}`);
    expect(first.data.as_of).toBe(new Date(market.clock.now() - DELAY_MS).toISOString());
    await market.pass(1);
    watch.tick();
    const change = await reading.next('change');
    await market.app.idle();
    const { changed } = change.data;
    expect(Object.keys(changed)).toEqual(expect.arrayContaining(['last_price', 'price', 'technical']));
    expect(changed).not.toHaveProperty('symbol');
    expect(changed).not.toHaveProperty('levels');
    for (const [field, value] of Object.entries(changed))
      expect(value, field).not.toEqual(first.data.stock[field]);
    for (const symbol of ['ACME', 'BETA']) {
      expect(foldStock(reading.blocks, symbol)).toEqual(JSON.parse(await detail(symbol)));
    }
  });

  it('numbers what it sends, and gives each a unique id', async () => {
    const watch = await newWatch();
    const { reading } = await read(watch, ['ACME', 'BETA']);
    for (let minute = 0; minute < 3; minute++) {
      await market.pass(1);
      await untilCurrent(reading, ['ACME', 'BETA']);
    }
    const sent = reading.blocks.filter(({ event }) => event === 'change' || event === 'event');
    const numbers = sent.map(({ data }) => data.seq);
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
    expect(new Set(sent.map(({ id }) => id)).size).toBe(sent.length);
    expect(sent.every(({ id, data }) => id?.endsWith(`:${data.seq}`))).toBe(true);
    const changes = sent.filter(({ event, data }) => event === 'change' && data.symbol === 'ACME');
    const minutes = [2, 1, 0].map((before) =>
      new Date(market.clock.now() - before * MINUTE_MS).toISOString(),
    );
    expect(changes.map(({ data }) => data.as_of)).toEqual(expect.arrayContaining(minutes));
  });

  it('sends what has happened with the values before and after', async () => {
    const watch = await newWatch();
    const { reading } = await read(watch, SYMBOLS);
    for (let minute = 0; minute < 12; minute++) {
      await market.pass(1);
      await untilCurrent(reading, SYMBOLS);
    }
    const events = reading.blocks.filter(({ event }) => event === 'event').map(({ data }) => data);
    const broken = events.filter(({ type }) => type === 'level_broken');
    expect(broken.length).toBeGreaterThan(3);
    for (const { direction, before, after, before_as_of, as_of } of broken) {
      const sign = direction === 'up' ? 1 : -1;
      expect(sign * (before.level - before.last_price)).toBeGreaterThanOrEqual(0);
      expect(sign * (after.last_price - after.level)).toBeGreaterThan(0);
      expect(Date.parse(as_of) - Date.parse(before_as_of)).toBe(MINUTE_MS);
    }
    expect(events.some(({ type }) => type === 'tier_crossed' || type === 'bias_changed')).toBe(true);
  });

  it('says nothing where nothing changes, however often it looks', async () => {
    const watch = await newWatch();
    const { reading } = await read(watch, ['ACME'], DELAYED);
    await reading.next('snapshot');
    const sent = watch.figures().sent;
    await announceChange(market.app.context.database, ['ACME']);
    watch.tick();
    await market.app.idle();
    expect(watch.figures().sent).toBe(sent);
    expect(reading.events).toEqual(['snapshot']);
  });

  it('writes to a delayed reader at the turn of a minute only, also of what is old enough', async () => {
    const watch = await newWatch();
    const real = await read(watch, ['CORE']);
    const delayed = await read(watch, ['CORE'], DELAYED);
    const old = market.clock.now() - 20 * MINUTE_MS;
    const bars = rowsBetween(minuteBars('CORE', DATE, DATE), old - 5 * MINUTE_MS, old);
    await importFeed(market.app.context, feedOf({ late: [alteredAfter(bars, 0, 1.01)] }));
    await real.reading.next('change');
    watch.tick();
    await market.app.idle();
    await delayed.reading.next('snapshot');
    expect(delayed.reading.events).toEqual(['snapshot']);
    await market.clock.until(market.clock.now() + MINUTE_MS);
    watch.tick();
    const change = await delayed.reading.next('change');
    expect(change.data.as_of).toBe(new Date(market.clock.now() - DELAY_MS).toISOString());
  });

  it('sends a real-time reader what time alone has changed, a minute after the last news', async () => {
    const watch = await newWatch();
    const { reading } = await read(watch, ['BETA']);
    await reading.next('snapshot');
    await market.clock.until(market.clock.now() + MINUTE_MS);
    watch.tick();
    await market.app.idle();
    expect(reading.events).toEqual(['snapshot']);
    await market.clock.until(market.clock.now() + MINUTE_MS);
    watch.tick();
    const change = await reading.next('change');
    expect(change.data.as_of).toBe(new Date(market.clock.now()).toISOString());
    expect(change.data.changed).toHaveProperty('confluence_computed_at');
    expect(change.data.changed).not.toHaveProperty('last_price');
  });

  it('looks once for all its readers, who are given the same bytes', async () => {
    const watch = await newWatch();
    const readers = await Promise.all(Array.from({ length: 50 }, () => read(watch, ['ACME'])));
    const before = watch.figures();
    expect([before.readers, before.channels]).toEqual([50, 1]);
    await market.pass(1);
    const changes = await Promise.all(readers.map(({ reading }) => reading.next('change')));
    await market.app.idle();
    expect(new Set(changes.map(({ text }) => text)).size).toBe(1);
    const first = readers[0]!.reading.blocks;
    const sent = first.filter(({ event }) => event === 'change' || event === 'event').length;
    expect(watch.figures().sent - before.sent).toBe(sent);
  });

  it('shows signs of life', async () => {
    const watch = await newWatch();
    const { reading } = await read(watch, ['ACME']);
    watch.beat(Date.now());
    expect((await reading.next('comment')).text).toBe(':');
  });

  it('goes over a real connection with the header lines of an event stream', async () => {
    const listening = await listen();
    const { status, headers, reading } = await connectStream(`${listening.url}?symbols=acme,%20BETA,ACME`);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/event-stream');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    await reading.next('snapshot');
    const second = await reading.next('snapshot');
    expect(second.data).toMatchObject({ symbol: 'BETA', stock: { source: 'delayed' } });
    expect(reading.blocks[0]!.text).toBe('retry: 3000');
    const metrics = await fetch(new URL('/metrics', listening.url)).then((response) => response.text());
    expect(metrics).toMatch(/tigraph_stream_readers 1\n/);
    expect(metrics).toMatch(/route="\/api\/graph\/v1\/stream",status="200"\} 1/);
  });

  it('is real time for a token with the feed, and delayed for one without', async () => {
    const listening = await listen();
    const now = new Date(market.clock.now()).toISOString();
    const then = new Date(market.clock.now() - DELAY_MS).toISOString();
    const asked = ['stock:read', 'market-data:realtime'];
    const full = await tokenOf(listening, {}, asked);
    const without = await tokenOf(listening, { feed: 'delayed' }, asked);
    const url = `${listening.url}?symbols=ACME`;
    const real = await (await connectStream(url, full.headers)).reading.next('snapshot');
    const late = await (await connectStream(url, without.headers)).reading.next('snapshot');
    expect([real.data.as_of, real.data.stock.source]).toEqual([now, 'realtime_sip']);
    expect([late.data.as_of, late.data.stock.source]).toEqual([then, 'delayed']);
  });

  it('is described as an event stream', async () => {
    const { server } = await listen();
    const { paths, components } = (await server.inject({ url: '/openapi.json' })).json();
    const { responses, parameters } = paths[STREAM].get;
    expect(Object.keys(responses['200'].content)).toEqual(['text/event-stream']);
    expect(components.schemas.StreamData.anyOf).toEqual(
      ['StreamSnapshot', 'StreamChange', 'StreamEvent', 'StreamGap', 'StreamFarewell'].map((name) => ({
        $ref: `#/components/schemas/${name}`,
      })),
    );
    const names = parameters.map((one: { in: string; name: string }) => `${one.in} ${one.name}`);
    expect(names).toEqual(['query symbols', 'header last-event-id']);
  });

  it('answers HEAD with the header lines alone', async () => {
    const { server } = await listen();
    const response = await server.inject({ method: 'HEAD', url: `${STREAM}?symbols=ACME` });
    expect([response.statusCode, response.headers['content-type'], response.body]).toEqual([
      200,
      'text/event-stream',
      '',
    ]);
  });
});

describe('while a live feed runs', () => {
  it('begins to look for due streams once it listens, however long that takes', async () => {
    const timers = new SteppedTimers();
    const { database } = market.app.context;
    const listen: typeof database.listen = async (...about) => {
      await timers.advance(10_000);
      return database.listen(...about);
    };
    const context = {
      ...market.app.context,
      scope: new Scope('slow', timers),
      database: { ...database, listen },
    };
    const watch = await watchStocks(context, { tickMs: 100, heartbeatMs: 100 });
    await timers.advance(1_000);
    await watch.close();
  });

  it('sends each minute as it is committed, with what happened in it', async () => {
    const session = newYorkCalendar().session(DATE)!;
    const { app } = await freshApp({}, { clock: steppingClock(session.open) });
    await importFeed(app.context, feedOf({ daily: [dailyBars('ACME', DAILY_FROM, DAILY_TO)] }));
    await app.context.tape.clearDirtyRanges(await app.context.tape.touched());
    // Measures the peers of the day before, which is news of its own.
    await getStock(app.context, { symbol: 'ACME', includes: [] }, REALTIME);
    await app.idle();
    const watch = await watchStocks(app.context, NO_TIMERS);
    onTestFinished(() => watch.close());
    const { reading } = await read(watch, ['ACME']);
    const stop = new AbortController();
    const bars = minuteBars('ACME', DATE, DATE);
    const feed: LiveFeed = {
      name: 'test',
      simulated: false,
      tradeDate: DATE,
      async *minutes() {
        for (let end = session.open + MINUTE_MS; end <= session.close; end += MINUTE_MS) {
          yield { at: end, deliveries: [rowsBetween(bars, end - MINUTE_MS, end)] };
        }
      },
    };
    await runLiveSession(app.context, feed, {
      signal: stop.signal,
      async onMinute({ at: minute }) {
        const change = await reading.next('change');
        expect(change.data.as_of).toBe(new Date(minute).toISOString());
        if (minute < session.open + 40 * MINUTE_MS) return;
        await app.idle();
        const { body } = await getStock(app.context, { symbol: 'ACME', includes: [] }, REALTIME);
        expect(foldStock(reading.blocks, 'ACME')).toEqual(JSON.parse(body.toString()));
        stop.abort();
      },
    });
    const types = new Set(
      reading.blocks.filter(({ event }) => event === 'event').map(({ data }) => data.type),
    );
    expect([...types]).toEqual(expect.arrayContaining(['level_broken', 'orb_broken', 'orb_failed']));
  });
});

describe('a reader that reconnects', () => {
  it('receives what was sent meanwhile, and nothing twice', async () => {
    const watch = await newWatch();
    const steady = await read(watch, ['ACME', 'BETA']);
    const { sink, reading } = await read(watch, ['ACME', 'BETA']);
    await market.pass(1);
    await untilCurrent(reading, ['ACME', 'BETA']);
    const position = reading.blocks.findLast(({ id }) => id !== null)!.id!;
    sink.destroy();
    await market.pass(2);
    await untilCurrent(steady.reading, ['ACME', 'BETA']);
    const back = await read(watch, ['ACME', 'BETA'], REALTIME, position);
    await market.pass(1);
    await untilReceived(steady.reading, watch);
    await untilReceived(back.reading, watch);
    expect(back.reading.events).not.toContain('snapshot');
    const sent = (blocks: readonly StreamBlock[]): string[] =>
      blocks.filter(({ data }) => data?.seq !== undefined).map(({ text }) => text);
    expect([...sent(reading.blocks), ...sent(back.reading.blocks)]).toEqual(sent(steady.reading.blocks));
  });

  it('finds the history of a stock that nobody has read meanwhile', async () => {
    const watch = await newWatch();
    const { sink, reading } = await read(watch, ['ACME']);
    const { id } = await positionOf(reading);
    sink.destroy();
    await market.pass(1);
    await market.app.idle();
    const back = await read(watch, ['ACME'], REALTIME, id);
    await back.reading.next('change');
    expect(back.reading.events).not.toContain('snapshot');
  });

  it('receives the gap and new snapshots where the history is gone', async () => {
    const watch = await newWatch({ historyBytesMax: 1 });
    const steady = await read(watch, ['ACME']);
    const { id } = await positionOf(steady.reading);
    await market.pass(1);
    await untilCurrent(steady.reading, ['ACME']);
    const back = await read(watch, ['ACME'], REALTIME, id);
    const gap = await back.reading.next('gap', 'snapshot');
    const from = Number(id.split(':')[1]);
    expect(gap).toMatchObject({ event: 'gap', data: { reason: 'history_gone', from, symbols: ['ACME'] } });
    expect(gap.data.to).toBeGreaterThan(from);
    const snapshot = await back.reading.next('snapshot');
    expect(snapshot.data.stock).toEqual(foldStock(steady.reading.blocks, 'ACME'));
  });

  it.each(['another-realtime_sip:1', 'nonsense', 'a:b:c', ':', '', '-realtime_sip:99999999999999999999'])(
    'receives new snapshots for the position %j, which was never sent',
    async (position) => {
      const watch = await newWatch();
      const { reading } = await read(watch, ['ACME'], REALTIME, position);
      const gap = await reading.next('gap', 'snapshot');
      expect(gap).toMatchObject({ event: 'gap', data: { reason: 'history_gone', from: null } });
      await reading.next('snapshot');
    },
  );

  it('cannot come back to one feed with the position of another, nor to the future', async () => {
    const watch = await newWatch();
    const delayed = await read(watch, ['ACME'], DELAYED);
    const { id } = await positionOf(delayed.reading);
    const [name, seq] = id.split(':') as [string, string];
    const real = await read(watch, ['ACME'], REALTIME, id);
    expect((await real.reading.next('gap', 'snapshot')).data).toMatchObject({ from: null });
    const future = await read(watch, ['ACME'], DELAYED, `${name}:${Number(seq) + 1}`);
    expect((await future.reading.next('gap', 'snapshot')).data).toMatchObject({ from: null });
  });

  it('finds nothing of a stock that nobody has read for long', async () => {
    const watch = await newWatch();
    const { sink, reading } = await read(watch, ['ACME']);
    const { id } = await positionOf(reading);
    sink.destroy();
    await once(sink, 'close');
    watch.beat(0);
    watch.beat(119_999);
    expect(watch.figures().channels).toBe(1);
    watch.beat(120_000);
    expect(watch.figures().channels).toBe(0);
    const back = await read(watch, ['ACME'], REALTIME, id);
    await back.reading.next('gap');
  });
});

describe('a reader who does not keep up', () => {
  /** A sink that nobody reads until `resume`. */
  async function stuck(watch: StockWatch, symbols: readonly string[]) {
    const sink = new PassThrough({ highWaterMark: 1 });
    onTestFinished(() => void sink.destroy());
    await watch.open({ symbols, position: null }, REALTIME, () => sink);
    return { sink, resume: () => new StreamReading(sink) };
  }

  it('loses what exceeds its queue, and receives the gap and the stock once it has caught up', async () => {
    const watch = await newWatch({ queueFramesMax: 4 });
    const steady = await read(watch, ['ACME', 'BETA']);
    const { resume } = await stuck(watch, ['ACME', 'BETA']);
    for (let minute = 0; minute < 4; minute++) {
      await market.pass(1);
      await untilCurrent(steady.reading, ['ACME', 'BETA']);
    }
    expect(watch.figures().behind).toBe(1);
    expect(watch.figures().dropped).toBeGreaterThan(0);
    const reading = resume();
    const gap = await reading.next('gap');
    const before = reading.blocks.slice(0, reading.blocks.indexOf(gap)).filter(({ data }) => data?.seq);
    expect(gap.data).toMatchObject({ reason: 'slow_reader', from: before.at(-1)!.data.seq });
    for (const _ of gap.data.symbols) await reading.next('snapshot');
    expect((await reading.next('fields')).id).toMatch(new RegExp(`:${gap.data.to}$`));
    expect(reading.events.filter((event) => event === 'gap')).toHaveLength(1);
    await market.pass(1);
    await untilCurrent(reading, ['ACME', 'BETA']);
  });

  it('loses what is beyond the bytes of its queue as well', async () => {
    const watch = await newWatch({ queueBytesMax: 1 });
    const { resume } = await stuck(watch, ['ACME']);
    const steady = await read(watch, ['ACME']);
    await market.pass(1);
    await steady.reading.next('change');
    await market.app.idle();
    expect(watch.figures().behind).toBe(1);
    expect((await resume().next('gap')).data.symbols).toEqual(['ACME']);
  });

  it('is dropped when it takes nothing for half a minute, and not before', async () => {
    const watch = await newWatch();
    const { sink } = await stuck(watch, ['ACME']);
    watch.beat(1_000);
    watch.beat(30_999);
    expect(sink.destroyed).toBe(false);
    watch.beat(31_000);
    expect(sink.destroyed).toBe(true);
    await once(sink, 'close');
    expect(watch.figures().readers).toBe(0);
  });

  it('is kept as long as it takes something now and then', async () => {
    const watch = await newWatch();
    const { sink, resume } = await stuck(watch, ['ACME']);
    watch.beat(1_000);
    await resume().next('fields');
    watch.beat(31_000);
    expect(sink.destroyed).toBe(false);
  });

  it('does not keep the others waiting', async () => {
    const watch = await newWatch();
    await stuck(watch, ['ACME']);
    const { reading } = await read(watch, ['ACME']);
    await market.pass(1);
    await reading.next('change');
  });
});

describe('the end of a stream', () => {
  it('is notified when the service closes', async () => {
    const listening = await listen();
    const { reading } = await connectStream(`${listening.url}?symbols=ACME`);
    await reading.next('snapshot');
    await listening.server.close();
    expect((await reading.next('closing')).data).toMatchObject({ code: 'shutting_down' });
    await reading.ended();
  });

  it('comes with the end of the token', async () => {
    const listening = await listen();
    const { headers } = await tokenOf(listening);
    const { reading } = await connectStream(`${listening.url}?symbols=ACME`, headers);
    await reading.next('snapshot');
    listening.clock.instant += 59_000;
    await market.pass(1);
    await reading.next('change');
    listening.clock.instant += 1_000;
    expect((await reading.next('unauthorized')).data).toMatchObject({ code: 'invalid_token' });
    await reading.ended();
  });

  it('comes with the revocation of the grant', async () => {
    const listening = await listen();
    const { headers, grantId } = await tokenOf(listening);
    const { reading } = await connectStream(`${listening.url}?symbols=ACME`, headers);
    await reading.next('snapshot');
    await revokeGrant(market.app.context.database, grantId, listening.clock.now());
    expect((await reading.next('unauthorized')).data).toMatchObject({ code: 'invalid_token' });
    await reading.ended();
  });

  it('leaves nothing behind when the reader goes', async () => {
    const listening = await listen({ streamsMax: 1 });
    const url = `${listening.url}?symbols=ACME`;
    const connected = once(listening.server.server, 'connection');
    const first = await connectStream(url);
    await first.reading.next('snapshot');
    const [socket] = await connected;
    const left = once(socket, 'close');
    first.close();
    await left;
    await market.app.idle();
    expect((await connectStream(url)).status).toBe(200);
  });
});

describe('refusals', () => {
  it('401: no token where one is required', async () => {
    const closed = await listen({ authRequired: true });
    await expectRefused(closed.server.inject({ url: `${STREAM}?symbols=ACME` }), 401, 'token_required');
  });

  it('403: a symbol outside the grant', async () => {
    const listening = await listen();
    const { headers: narrow } = await tokenOf(listening, { symbols: ['ACME'] });
    const refused = listening.server.inject({ url: `${STREAM}?symbols=ACME,BETA`, headers: narrow });
    await expectRefused(refused, 403, 'symbol_not_granted', 'BETA');
  });

  it('404: symbols that the tape does not know, by their names', async () => {
    const { server } = await listen();
    const response = await server.inject({ url: `${STREAM}?symbols=NOPE,ACME,NADA` });
    expect([response.statusCode, response.json().code]).toEqual([404, 'unknown_symbol']);
    expect(response.json().detail).toMatch(/NADA, NOPE/);
    const again = await server.inject({ url: `${STREAM}?symbols=NOPE` });
    expect(again.statusCode).toBe(404);
  });

  const many = (count: number): string => Array.from({ length: count }, (_, at) => `S${at}`).join();

  it.each([
    ['', 'query,symbols,missing'],
    ['?symbols=', 'query,symbols,too_short'],
    ['?symbols=%20,', 'query,symbols,too_short'],
    [`?symbols=${many(201)}`, 'query,symbols,too_long'],
    ['?symbols=ACME,-BAD', 'query,symbols,string_pattern_mismatch'],
    [`?symbols=${'A'.repeat(21)}`, 'query,symbols,string_pattern_mismatch'],
    ['?symbols=ACME&include=levels', 'query,include,extra_forbidden'],
  ])('422: %s', async (query, fault) => {
    await expectFaults((await listen()).server.inject(STREAM + query), fault);
  });

  it('takes as many as 200 symbols, and as long as 20 characters', async () => {
    const { server } = await listen();
    for (const symbols of [many(200), 'A'.repeat(20)]) {
      const response = await server.inject({ url: `${STREAM}?symbols=${symbols}` });
      // They pass the check and are unknown.
      expect(response.json().code).toBe('unknown_symbol');
    }
  });

  it('429: a grant whose calls are used up', async () => {
    const listening = await listen();
    const { headers } = await tokenOf(listening, { callsPerMinute: 1 });
    const url = `${listening.url}?symbols=ACME`;
    const first = await connectStream(url, headers);
    expect(first.status).toBe(200);
    const second = await connectStream(url, headers);
    expect(second.status).toBe(429);
  });

  it('a reader who leaves before there is an answer, with whom its work ends', async () => {
    const reached = Promise.withResolvers<void>();
    const symbolTapes = (_symbols: readonly string[], { signal }: QueryOptions = {}) => {
      reached.resolve();
      return abortable(new Promise<never>(() => {}), signal);
    };
    const { context } = market.app;
    const watch = await watchStocks(
      { ...context, tapes: { ...context.tapes, symbolTapes } },
      NO_TIMERS,
      (_symbol, error) => {
        throw error;
      },
    );
    onTestFinished(() => watch.close());
    const caller = new AbortController();
    const request = { symbols: ['ABSENT'], position: null };
    const opening = forCaller(caller.signal, () => watch.open(request, REALTIME, () => new PassThrough()));
    await reached.promise;
    expect([watch.figures().channels, context.scope.running()]).toEqual([1, ['streams: refreshing streams']]);
    caller.abort();
    await expect(opening).rejects.toBe(caller.signal.reason);
    await context.scope.idle();
    expect([watch.figures().channels, context.scope.running()]).toEqual([0, []]);
  });

  it('503: one stream more than there may be, and one symbol more', async () => {
    const listening = await listen({ streamsMax: 1 });
    const url = `${listening.url}?symbols=ACME`;
    const first = await connectStream(url);
    await first.reading.next('snapshot');
    const second = await connectStream(url);
    expect([second.status, second.headers.get('retry-after')]).toEqual([503, '1']);
    const watch = await newWatch({ channelsMax: 2 });
    await read(watch, ['ACME', 'BETA']);
    await expect(read(watch, ['ACME', 'CORE'])).rejects.toMatchObject({ code: 'overloaded' });
    await read(watch, ['BETA']);
  });
});
