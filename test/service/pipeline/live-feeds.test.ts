import type { FastifyInstance } from 'fastify';
import { describe, expect, it, onTestFinished } from 'vitest';
import { newYorkCalendar } from '../../../src/base/calendar.ts';
import { clockOn } from '../../../src/base/clock.ts';
import { SteppedTimers } from '../../../src/base/timers.ts';
import { LIVE_SOURCES } from '../../../src/cli/live-sources.ts';
import { alpacaVendor } from '../../../src/live/vendors/alpaca.ts';
import type { AlpacaAccess } from '../../../src/live/vendors/alpaca-messages.ts';
import { massiveVendor } from '../../../src/live/vendors/massive.ts';
import { keepLive } from '../../../src/pipeline/keep-live.ts';
import { newBearer } from '../../support/access.ts';
import { appOn, freshStore } from '../../support/app.ts';
import { sampled } from '../../support/depth.ts';
import { at } from '../../support/tape.ts';
import { AlpacaDouble, type AlpacaSettings } from '../../support/vendors/alpaca.ts';
import { marketOfDouble } from '../../support/vendors/market.ts';
import { MassiveDouble } from '../../support/vendors/massive.ts';

/** What the service says of its live feed, whatever the vendor sends. */

const DATE = '2024-03-05';
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const session = newYorkCalendar().session(DATE)!;
const market = await marketOfDouble(DATE, 310, 21);
const SYMBOLS = [...market.minutes.keys()];
const random = (): number => 0.5;

interface Opening {
  readonly settings?: AlpacaSettings;
  readonly access?: Partial<AlpacaAccess>;
}

/** What each vendor's wire makes of a bar whose fields both name alike. */
const VENDORS = {
  Alpaca: {
    feed: 'alpaca-iex',
    calls: 200,
    opened(timers: SteppedTimers, now: () => number, { settings, access }: Opening) {
      const double = new AlpacaDouble(market, now, settings);
      return { double, vendor: () => alpacaVendor({ ...double.access, ...access }, { timers, random }) };
    },
    denied: { T: 'error', code: 410, msg: 'invalid subscribe action for this feed' },
    bar: (symbol: string, start: number, fields: object) => {
      return { T: 'b', S: symbol, ...fields, t: new Date(start).toISOString() };
    },
  },
  Massive: {
    feed: 'massive-realtime',
    calls: 600,
    opened(timers: SteppedTimers, now: () => number) {
      const double = new MassiveDouble(market, now);
      return { double, vendor: () => massiveVendor(double.access, { timers, random }) };
    },
    denied: { ev: 'status', status: 'error', message: 'not authorized to subscribe to T.SIMX' },
    bar: (symbol: string, start: number, fields: object) => {
      return { ev: 'AM', sym: symbol, ...fields, s: start, e: start + MINUTE_MS };
    },
  },
} as const;

type Name = keyof typeof VENDORS;
/** In full both, else one. */
const NAMES = sampled(Object.keys(VENDORS) as Name[], 2);

async function following(name: Name, how: Opening = {}, isDelayed = false) {
  const timers = new SteppedTimers(at(DATE, '11:00') + 2_000);
  /** How far the vendor's clock is ahead of this machine's. */
  const skew = { ms: 0 };
  const { double, vendor } = VENDORS[name].opened(timers, () => timers.now() + skew.ms, how);
  await double.listen();
  const app = await appOn(await freshStore(), {}, { timers, clock: clockOn(timers) });
  onTestFinished(() => double.close());
  const heard: { readonly text: string; readonly tell: () => void }[] = [];
  const log = {
    info: (_: object, line: string) => {
      for (const { text, tell } of heard) if (line.includes(text)) tell();
    },
    warn: () => {},
    error: (fault: unknown) => Promise.reject(fault),
  };
  const source = LIVE_SOURCES.vendor({ vendor: vendor(), chosen: [...SYMBOLS, 'ZZZZ'] });
  /** Asks a server that listens for this question alone: beside one a minute has five hundred steps in place of thirty. */
  const asking = async <Answer>(ask: (server: FastifyInstance) => Promise<Answer>): Promise<Answer> => {
    const server = await app.server();
    try {
      return await ask(server);
    } finally {
      await server.close();
    }
  };
  const { database } = app.context;
  const headers = isDelayed
    ? {}
    : await asking((server) => newBearer({ server, database }, ['market:read', 'market-data:realtime']));
  return {
    app,
    timers,
    double,
    skew,
    noted: (text: string) => new Promise<void>((tell) => void heard.push({ text, tell })),
    async begin(show?: Parameters<typeof keepLive>[5]): Promise<void> {
      await keepLive(app.context.scope, app.context, app.leases, source, log, show);
      await app.idle();
    },
    /** To the end of the next minute, whose bars are sent. */
    async minute(sends = true): Promise<void> {
      const end = timers.now() - 2_000 + MINUTE_MS;
      if (sends) double.push(double.barsOf(end));
      await double.taken();
      await timers.advance(MINUTE_MS, () => app.idle());
      await app.idle();
    },
    async feed() {
      const answer = await asking((server) => server.inject({ url: '/health/feeds', headers }));
      const { feeds } = answer.json() as { feeds: Record<string, unknown>[] };
      return feeds[0]!;
    },
    metrics: async () => (await asking((server) => server.inject('/metrics'))).body,
  };
}

describe.each(NAMES)('a live feed of %s', { timeout: 240_000 }, (name) => {
  const { bar, feed, calls, denied } = VENDORS[name];

  it('says what it refused, how many and the first of them, and goes on', async () => {
    const run = await following(name);
    const { double, timers } = run;
    const isSubscribed = double.subscribed();
    await run.begin();
    await isSubscribed;
    await run.minute();
    const [symbol] = SYMBOLS as [string];
    const start = timers.now() - 2_000;
    const prices = { o: 10, h: 11, l: 9, c: 10, v: 5 };
    const { v: _, ...withoutVolume } = prices;
    const { o, ...withoutOpen } = prices;
    const rows = [
      bar('YYYY', start, prices),
      bar(symbol, start, { ...prices, o: 0, l: 0 }),
      bar(symbol, start, { ...prices, c: -1, l: -1 }),
      bar(symbol, start, { ...prices, h: 1e12 }),
      bar(symbol, start, { ...prices, h: 8 }),
      bar(symbol, session.preOpen - 10 * MINUTE_MS, prices),
      bar(symbol, start, withoutVolume),
      bar(symbol, start, { ...withoutOpen, open: o }),
      bar(symbol, start, { ...prices, o: '10' }),
      bar(symbol, start + HOUR_MS, prices),
    ];
    const [socket] = double.sockets;
    socket!.send(JSON.stringify(rows));
    socket!.send(JSON.stringify([bar(symbol, start, { ...prices, note: 'x'.repeat(10 * 2 ** 20) })]));
    socket!.send(JSON.stringify([denied]));
    socket!.send(Buffer.from([0xc1, 0xff, 0x00]));
    await run.minute();
    const { refused, ...rest } = await run.feed();
    const told = (refused as { reason: string; rows: number; first: string }[])
      .map(({ reason, rows: count, first }) => [reason, count, first.slice(0, 40)])
      .sort();
    const first = (row: number): string => JSON.stringify(rows[row]).slice(0, 40);
    expect(told).toEqual(
      [
        ['unlisted', 2, 'ZZZZ'],
        ['too_large', 1, expect.stringContaining(symbol)],
        ['unknown_format', 1, 'bytes in place of text'],
        ['price_not_positive', 2, first(1)],
        ['out_of_bounds', 1, first(3)],
        ['high_below_low', 1, first(4)],
        ['not_in_plan', 1, expect.stringMatching(/subscribe|status/)],
        ['not_a_number', 3, first(6)],
        ['not_final', 1, first(9)],
        ['outside_session', 1, expect.stringContaining(symbol)],
      ].sort(),
    );
    expect(rest).toMatchObject({
      feed,
      state: 'live',
      connected: true,
      partial: name === 'Alpaca',
      trade_date: DATE,
      last_row_at: new Date(timers.now() - 2_000).toISOString(),
      behind_seconds: 2,
      says: null,
      delay_seconds: 0,
      calls_per_minute: calls,
    });
    expect(rest.calls_left).toBeGreaterThan(0);
    const metrics = await run.metrics();
    expect(metrics).toContain('tigraph_live_refused_total{reason="not_a_number"} 3\n');
    expect(metrics).toContain('tigraph_live_behind_seconds 2\n');
    expect(JSON.stringify(rest) + metrics).not.toMatch(/double-secret|PKDOUBLE|massive-double-key/);
    await run.minute();
    expect(await run.feed()).toMatchObject({ state: 'live', behind_seconds: 2 });
    expect(run.app.context.live).toMatchObject({ skipped: 0, failed: 0, gaps: 0 });
  });

  it('says that a clock is off, and how far rows are behind by that of the vendor', async () => {
    const run = await following(name);
    const isSubscribed = run.double.subscribed();
    await run.begin();
    await isSubscribed;
    await run.minute();
    for (const [hours, off] of [
      [1, 'behind'],
      [-1, 'ahead of'],
    ] as const) {
      run.skew.ms = hours * HOUR_MS;
      await run.minute();
      const told = await run.feed();
      expect(told.says).toMatch(
        new RegExp(`^The clock of this machine is 3[56]\\d\\d s ${off} that of ${name}: set it\\.$`),
      );
      if (hours === 1) expect(told.behind_seconds).toBe(2 + 3_600);
    }
    run.skew.ms = 0;
    await run.minute();
    expect(await run.feed()).toMatchObject({ says: null, state: 'live', behind_seconds: 2 });
  });

  it('tells of a stream that is cut, of its hole, and of rows that stay away', async () => {
    const run = await following(name);
    const { double, timers } = run;
    const isSubscribed = double.subscribed();
    await run.begin();
    await isSubscribed;
    await run.minute();
    await run.minute();
    expect((await run.feed()).holes).toEqual([
      { from: new Date(session.preOpen).toISOString(), to: expect.any(String), filled: true },
    ]);
    const isCut = run.noted('cut');
    double.sockets[0]!.cut();
    await isCut;
    const cut = await run.feed();
    expect(cut).toMatchObject({ state: 'disconnected', connected: false });
    expect(cut.says).toMatch(/^the connection was cut/);
    const isAgain = double.subscribed();
    await timers.advance(1_000, () => run.app.idle());
    await isAgain;
    await timers.advance(MINUTE_MS - 1_000, () => run.app.idle());
    await run.app.idle();
    expect(await run.feed()).toMatchObject({ state: 'live', connected: true, says: null });
    expect((await run.feed()).holes).toHaveLength(2);
    // A lease that is renewed late would be lost.
    await timers.advance(30_000, () => run.app.idle());
    expect((await run.feed()).behind_seconds).toBe(32);
  });
});

it('a back-fill shows how far it is, and serves the first symbol first', { timeout: 240_000 }, async () => {
  const run = await following('Alpaca');
  const { live } = run.app.context;
  const shown: string[] = [];
  const isSubscribed = run.double.subscribed();
  await run.begin(async (title, work) => {
    const seen: { done: number; detail: string; filling: unknown }[] = [];
    const result = await work({
      update({ done, total, detail }) {
        seen.push({ done: done / total, detail, filling: live.filling });
      },
    });
    expect(seen.map(({ done }) => done)).toEqual(seen.map(({ done }) => done).toSorted((a, b) => a - b));
    expect(seen.at(-1)!.done).toBe(1);
    expect(seen[0]!.filling).toEqual({ says: title, percent: 0 });
    shown.push(`${title}: ${[...new Set(seen.map(({ detail }) => detail))].join(' ')}`);
    return result;
  });
  await isSubscribed;
  const all = SYMBOLS.toSorted();
  expect(shown.slice(0, 3)).toEqual([
    `back-fill of daily bars: 1d/${SYMBOLS[0]}`,
    `back-fill of minute bars: 1m/${SYMBOLS[0]}`,
    `back-fill of daily bars: ${all
      .filter((one) => one !== SYMBOLS[0])
      .map((one) => `1d/${one}`)
      .join(' ')}`,
  ]);
  expect(live.filling).toBeNull();
});

describe('what a caller may know of a live feed', { timeout: 240_000 }, () => {
  it('is no row newer than his delay, and no age below it', async () => {
    const run = await following('Alpaca', {}, true);
    const isSubscribed = run.double.subscribed();
    await run.begin();
    await isSubscribed;
    const [symbol] = SYMBOLS as [string];
    run.double.sockets[0]!.send(
      JSON.stringify([
        VENDORS.Alpaca.bar(symbol, run.timers.now() - 2_000, { o: 0, h: 1, l: 0, c: 1, v: 1 }),
      ]),
    );
    await run.minute();
    const zero = async () =>
      ((await run.feed()).refused as { reason: string; first: string | null }[]).find(
        ({ reason }) => reason === 'price_not_positive',
      );
    expect(await zero()).toMatchObject({ rows: 1, first: null });
    expect((await run.feed()).behind_seconds).toBe(900);
    for (let minute = 0; minute < 15; minute++) await run.minute();
    expect((await zero())!.first).toContain(symbol);
  });

  it('is the plan that lacks a stream, while calls bring the session', async () => {
    const run = await following('Alpaca', { settings: { streamError: [409, 'insufficient subscription'] } });
    const isNoted = run.noted('has no stream');
    await run.begin();
    await isNoted;
    await run.minute(false);
    const told = await run.feed();
    expect(told).toMatchObject({
      state: 'disconnected',
      says: 'The plan of the key has no stream of ALPACA_FEED=iex: insufficient subscription',
      behind_seconds: 2,
    });
    expect(told.refused).toContainEqual({
      reason: 'not_in_plan',
      meaning: 'the plan of the key does not give it',
      rows: 1,
      first: '{"code":409,"says":"insufficient subscription"}',
    });
  });
});
