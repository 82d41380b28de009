import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { loadStocks } from '../../../src/api/answers/load-stock.ts';
import { NewestDays } from '../../../src/api/context/newest-days.ts';
import { getStock } from '../../../src/api/stocks/get-stock.ts';
import type { App } from '../../../src/app.ts';
import { NEVER } from '../../../src/base/abortable.ts';
import { newYorkCalendar } from '../../../src/base/calendar.ts';
import { fixedClock, type PacedClock, steppingClock } from '../../../src/base/clock.ts';
import { Metrics } from '../../../src/base/metrics.ts';
import { unpackText } from '../../../src/base/packed-text.ts';
import type { Delivery, LiveFeed, LiveMinute } from '../../../src/market/feed.ts';
import { factOf } from '../../../src/market/validate-fact.ts';
import { type ProcessedMinutes, runLiveSession } from '../../../src/pipeline/live-session.ts';
import { simulatedFeed } from '../../../src/simulated/feed.ts';
import { simulatedLiveFeed } from '../../../src/simulated/live.ts';
import { importFeed } from '../../../src/tape/ingest.ts';
import { feedOf, freshStore, serverOf } from '../../support/app.ts';
import { makeTestStore } from '../../support/database.ts';
import { inFull } from '../../support/depth.ts';
import {
  clockFor,
  coldCore,
  inSteps,
  openAppAt,
  playAndCompare,
  seedHistory,
  storedNumbers,
  takeSession,
  withMinutes,
} from '../../support/replayed.ts';
import { factsOf } from '../../support/reported.ts';
import { at } from '../../support/tape.ts';

/** A small simulated market whose newest session is played again: bars, quotes, prints and what is reported meanwhile. */
const DATE = '2024-03-05';
const AFTER = '2024-03-06T12:00:00Z';
const calendar = newYorkCalendar();
const session = calendar.session(DATE)!;
const MARKET = {
  symbols: inFull(20, 5),
  days: inFull(90, 60),
  seed: 3,
  minuteSessions: 2,
  quoteSessions: 2,
  tickSessions: 1,
};

const liveFeed = (now?: number): LiveFeed => taped.recording.liveFeed({ name: 'test', simulated: true }, now);

/** A store that knows what was known before the session, and an app on it at the session's beginning. */
async function seeded(): Promise<{ open: (clock?: PacedClock) => Promise<App> }> {
  const store = await makeTestStore();
  const opened: App[] = [];
  onTestFinished(async () => {
    for (const app of opened) await app.close();
    await store.remove();
  });
  await seedHistory(store, taped);
  return {
    async open(own = clockFor(taped)) {
      const app = await openAppAt(store, own);
      opened.push(app);
      return app;
    },
  };
}

const clock = (text: string): number => at(DATE, text);
const between = (from: string, to: string) => (instant: number) =>
  instant >= clock(from) && instant <= clock(to);

/** A slice of the session: around the open, at noon, around the close and at the very end. */
const SLICE = (instant: number): boolean =>
  between(inFull('09:28', '09:31'), '09:36')(instant) ||
  between('12:00', '12:02')(instant) ||
  between(inFull('15:58', '16:00'), inFull('16:03', '16:01'))(instant) ||
  instant === session.postClose;

async function graphOf({ context: { database } }: App) {
  return {
    days: await database.query('select symbol, trade_date, as_of, digest from stock_day order by 1, 2'),
    facts: await database.query('select symbol, trade_date, block, value from fact order by 1, 2, 3'),
    nodes: await database.query('select label, key, props::text from node order by 1, 2'),
    edges: await database.query('select source, type, target, props::text from edge order by 1, 2, 3'),
    touched: await database.query('select * from tape_touched'),
    waiting: await database.query('select count(*) as rows from running_row'),
  };
}

const play = (app: App, feed: LiveFeed, onMinute?: (step: ProcessedMinutes) => void | Promise<void>) =>
  runLiveSession(app.context, feed, onMinute === undefined ? {} : { onMinute });

/** Answers from the memory of the session are those from the store; returns how many are compared. */
async function compareWithStore({ context }: App): Promise<number> {
  const symbols = await context.tape.symbols();
  const { heldTape } = context.tape;
  const held = symbols.filter((symbol) => heldTape(symbol)?.storedAt === context.live.at).length;
  const viewer = { source: 'realtime_sip', delayMs: 0, symbols: null } as const;
  const answers = (of: App['context']) => loadStocks(of, symbols, { includes: ['levels'] }, viewer, NEVER);
  const [own, stored] = [{ heldTape }, { heldTape: () => null }].map((tape) => ({
    ...context,
    newestDays: new NewestDays(new Metrics()),
    tape: { ...context.tape, ...tape },
  }));
  expect(await answers(own!)).toEqual(await answers(stored!));
  return held;
}

/** The result of the session when nothing interrupts it. */
let uninterrupted: Awaited<ReturnType<typeof graphOf>> | undefined;

async function wholeSession(): Promise<NonNullable<typeof uninterrupted>> {
  if (uninterrupted === undefined) {
    const app = await (await seeded()).open();
    await play(app, inSteps(liveFeed(), SLICE));
    uninterrupted = await graphOf(app);
  }
  return uninterrupted;
}

/** Whole sessions are played here, on a machine that may have other work. */
const PATIENCE = { timeout: 240_000 };

const wholeStore = await freshStore();
const whole = await openAppAt(wholeStore, fixedClock(Date.parse(AFTER)));
afterAll(() => whole.close());
await importFeed(whole.context, simulatedFeed({ ...MARKET, end: DATE, calendar }));
const taped = await takeSession(whole, DATE);

describe('a running session', PATIENCE, () => {
  it('stores after every minute what the whole tape yields at that instant', async () => {
    const { open } = await seeded();
    const app = await open();
    const { report, compared } = await playAndCompare(app, whole, inSteps(liveFeed(), SLICE));
    // Index, volatility index and nearly all companies trade in nearly every minute of the regular session.
    expect(compared).toBeGreaterThan(inFull(300, 60));
    expect(report.newest).toBe(session.postClose);
    expect(app.context.live).toMatchObject({
      running: null,
      skipped: 0,
      lateRows: 0,
      refused: new Map(),
      failed: 0,
    });
    // At the end the whole of every stock-day is written, its rows are in files, and nothing waits.
    expect(report.close).toMatchObject({ failed: [] });
    expect(report.close!.written).toBeGreaterThan(inFull(20, 6));
    uninterrupted = await graphOf(app);
    expect(uninterrupted.edges.length).toBeGreaterThan(inFull(100, 30));
    expect(uninterrupted.touched).toEqual([]);
    expect(uninterrupted.waiting).toEqual([{ rows: 0 }]);
  });

  it('resumes after its newest minute when it was left in the middle, with the same result', async () => {
    const { open } = await seeded();
    const first = await open();
    const stop = new AbortController();
    const left = await runLiveSession(first.context, inSteps(liveFeed(), SLICE), {
      signal: stop.signal,
      onMinute: ({ at }) => void (at >= clock('12:01') && stop.abort()),
    });
    expect(left).toMatchObject({ newest: clock('12:01'), close: null });
    await first.close();
    const second = await open();
    const steps: number[] = [];
    await play(second, inSteps(liveFeed(), SLICE), ({ at }) => void steps.push(at));
    expect(steps[0]).toBe(clock('12:02'));
    expect(await graphOf(second)).toEqual(await wholeSession());
  });

  it('takes late rows and corrections as the newer version, in whatever minute they arrive', async () => {
    const { open } = await seeded();
    const app = await open();
    const disturbed = withMinutes(inSteps(liveFeed(), SLICE), async function* (minutes) {
      let held: LiveMinute | null = null;
      for await (const minute of minutes) {
        if (minute.at === clock('09:33')) {
          held = minute;
          // What comes in its place is wrong, and put right by the minute itself when it comes at last.
          yield { ...minute, deliveries: minute.deliveries.map(doubled) };
        } else yield minute;
        if (held !== null && minute.at === clock('09:35')) yield held;
      }
    });
    let late = 0;
    let compared = 0;
    await play(app, disturbed, async ({ at, symbols }) => {
      compared += await compareWithStore(app);
      if (at !== clock('09:35')) return;
      late = symbols;
      expect(await app.context.tape.touched()).toEqual([]);
    });
    expect(late).toBeGreaterThan(inFull(10, 3));
    expect(compared).toBeGreaterThan(inFull(100, 20));
    expect(app.context.live.lateRows).toBeGreaterThan(inFull(20, 6));
    expect(await graphOf(app)).toEqual(await wholeSession());
  });

  it('makes the markets of earlier minutes anew when a late row has moved them', async () => {
    const { open } = await seeded();
    const app = await open();
    const stop = new AbortController();
    const missing = withMinutes(inSteps(liveFeed(), SLICE), async function* (minutes) {
      let held: readonly Delivery[] = [];
      for await (const minute of minutes) {
        if (minute.at === clock('09:32')) {
          held = minute.deliveries;
          yield { ...minute, deliveries: [] };
        } else if (minute.at === clock('09:34')) {
          yield { ...minute, deliveries: [...minute.deliveries, ...held] };
        } else yield minute;
      }
    });
    await runLiveSession(app.context, missing, {
      signal: stop.signal,
      onMinute: ({ at }) => void (at === clock('09:34') && stop.abort()),
    });
    const kept = async (text: string) => app.context.tape.ofMarket(true).minuteMarket(DATE, clock(text));
    expect(await kept('09:31')).not.toBeNull();
    expect([await kept('09:32'), await kept('09:33')]).toEqual([null, null]);
    expect(JSON.parse((await kept('09:34'))!)).toMatchObject({ tradeDate: DATE, asOf: clock('09:34') });
  });

  it('keeps the reported minutes when the feed is cut in half, and closes the session at its end', async () => {
    const { open } = await seeded();
    const app = await open();
    const half = withMinutes(inSteps(liveFeed(), SLICE), async function* (minutes) {
      for await (const minute of minutes) {
        if (minute.at > clock('12:00')) return;
        yield minute;
      }
    });
    const report = await play(app, half);
    expect(report).toMatchObject({ newest: clock('12:00'), close: { failed: [] } });
    expect(app.context.clock.now()).toBe(session.postClose);
    const rows = await app.context.database.query<{ core: Buffer }>(
      `select value as core from fact where trade_date = $1::date and block = 'core' and symbol = 'SIMX'`,
      [DATE],
    );
    const core = JSON.parse(`{${unpackText(rows[0]!.core)}}`);
    expect(core.bar_1min_timestamp).toBe(new Date(clock('12:00')).toISOString());
  });

  it('counts the minutes that a feed skips', async () => {
    const { open } = await seeded();
    const app = await open();
    const stop = new AbortController();
    const gappy = withMinutes(liveFeed(clock('09:40')), async function* (minutes) {
      for await (const minute of minutes) if (!between('09:42', '09:46')(minute.at)) yield minute;
    });
    await runLiveSession(app.context, gappy, {
      signal: stop.signal,
      onMinute: ({ at }) => void (at === clock('09:48') && stop.abort()),
    });
    expect(app.context.live).toMatchObject({ minutes: 4, skipped: 5, at: clock('09:48') });
    const server = await serverOf(app);
    const metrics = (await server.inject({ url: '/metrics' })).body;
    expect(metrics).toContain('tigraph_live_skipped_total 5\n');
    // The session has been left: nothing lags any more.
    expect(metrics).toContain('tigraph_live_lag_seconds 0\n');
  });

  it('rejects rows outside the session, unfinished bars and rows that are no bar', async () => {
    const { open } = await seeded();
    const app = await open();
    const bar = (text: string, high = 11): Delivery => ({
      kind: 'bars',
      symbol: 'NEWX',
      interval: '1m',
      columns: {
        time: Float64Array.of(clock(text)),
        open: Float64Array.of(10),
        high: Float64Array.of(high),
        low: Float64Array.of(9),
        close: Float64Array.of(10),
        volume: Float64Array.of(100),
      },
    });
    const noon = clock('12:00');
    const daily = { ...bar('00:00'), interval: '1d' } as Delivery;
    const feed: LiveFeed = {
      ...liveFeed(),
      async *minutes() {
        // A bar is final at the end of its minute: that of 11:59 is, that of 12:00 is not yet.
        yield {
          at: noon,
          since: session.preOpen,
          deliveries: [bar('11:59'), bar('12:00'), bar('03:59'), bar('20:00'), bar('11:58', 8), daily],
        };
      },
    };
    const steps: ProcessedMinutes[] = [];
    const stop = new AbortController();
    await runLiveSession(app.context, feed, {
      signal: stop.signal,
      onMinute(step) {
        steps.push(step);
        stop.abort();
      },
    });
    expect(steps).toMatchObject([{ at: noon, rows: 1, symbols: 1, failed: [] }]);
    const refused = Array.from(app.context.live.refused.values(), ({ count }) => count);
    expect(refused.reduce((sum, count) => sum + count)).toBe(5);
    expect([...(await storedNumbers(app, DATE, noon)).keys()]).toEqual(['NEWX']);
  });

  it('processes together the minutes that became due while it was busy', async () => {
    const { open } = await seeded();
    const late = await open(steppingClock(clock('09:40')));
    const stop = new AbortController();
    const steps: ProcessedMinutes[] = [];
    await runLiveSession(late.context, liveFeed(clock('09:36')), {
      signal: stop.signal,
      onMinute(step) {
        steps.push(step);
        if (steps.length === 2) stop.abort();
      },
    });
    expect(steps).toMatchObject([
      { at: clock('09:40'), minutes: 5 },
      { at: clock('09:41'), minutes: 1 },
    ]);
    expect(late.context.live).toMatchObject({ merged: 4, skipped: 0 });
  });

  it('takes in what others write meanwhile, and leaves no stretch of the day waiting', async () => {
    const { open } = await seeded();
    const app = await open();
    const other = await open();
    const stop = new AbortController();
    const symbol = 'SIMX';
    const fact = factOf('halt', clock('09:33'), { from: clock('09:33'), to: null, reason: 'T1' });
    const halted = async (instant: number): Promise<unknown> =>
      (await storedNumbers(app, DATE, instant)).get(symbol)?.halted;
    const seen = new Map<number, unknown>();
    await runLiveSession(app.context, inSteps(liveFeed(), SLICE), {
      signal: stop.signal,
      async onMinute({ at }) {
        seen.set(at, await halted(at));
        await compareWithStore(app);
        if (at === clock('09:34')) {
          const facts: Delivery = factsOf(symbol, fact);
          await importFeed(other.context, { ...feedOf({ halt: [facts] }, 'wire'), simulated: true });
          await expect.poll(async () => (await app.context.tape.touched()).length).toBeGreaterThan(0);
          await expect.poll(() => app.context.tape.heldTape(symbol)).toBe(null);
          await compareWithStore(app);
        }
        if (at === clock('12:00')) stop.abort();
      },
    });
    expect(seen.get(clock('09:34'))).toBe(0);
    expect(seen.get(clock('12:00'))).toBe(1);
    expect(await app.context.tape.touched()).toEqual([]);
  });

  it('serves a delayed caller the state of a quarter of an hour ago', async () => {
    const { open } = await seeded();
    const app = await open();
    const stop = new AbortController();
    const viewer = { source: 'delayed', delayMs: 15 * 60_000, symbols: null } as const;
    let asked = 0;
    await runLiveSession(app.context, liveFeed(clock('09:45')), {
      signal: stop.signal,
      async onMinute({ at }) {
        if (at < clock('10:02')) return;
        const answer = await getStock(app.context, { symbol: 'SIMX', includes: [] }, viewer);
        const cold = (await coldCore(whole, ['SIMX'], DATE, at - viewer.delayMs)).get('SIMX')!;
        expect(answer.body.toString().startsWith(`{${cold},"sessions_behind":0,"source":"delayed"`)).toBe(
          true,
        );
        asked++;
        if (at >= clock('10:03')) stop.abort();
      },
    });
    expect(asked).toBe(2);
  });

  it('derives the newest minute for a real-time caller when it is asked for, once until the next', async () => {
    const { open } = await seeded();
    const app = await open();
    const stop = new AbortController();
    const viewer = { source: 'realtime_sip', delayMs: 0, symbols: null } as const;
    const derive = vi.spyOn(app.context.deriver, 'derive');
    await runLiveSession(app.context, liveFeed(clock('10:00')), {
      signal: stop.signal,
      async onMinute({ at }) {
        stop.abort();
        const facts = await app.context.database.query('select from fact where trade_date = $1', [DATE]);
        expect(facts).toEqual([]);
        const bare = await getStock(app.context, { symbol: 'SIMX', includes: [] }, viewer);
        const cold = (await coldCore(whole, ['SIMX'], DATE, at)).get('SIMX')!;
        expect(bare.body.toString().startsWith(`{${cold},`)).toBe(true);
        const full = await getStock(app.context, { symbol: 'SIMX', includes: ['levels'] }, viewer);
        const { levels, ...rest } = JSON.parse(full.body.toString());
        expect(levels.vwap).toBeGreaterThan(0);
        expect({ ...rest, levels: null }).toEqual(JSON.parse(bare.body.toString()));
        expect(derive).toHaveBeenCalledTimes(1);
      },
    });
  });
});

describe('a simulated market as it happens', PATIENCE, () => {
  it('reports minute by minute what the finished session reports afterwards', async () => {
    const { open } = await seeded();
    const app = await open();
    const feed = simulatedLiveFeed({ ...MARKET, tickSessions: 1 }, session, calendar, {
      now: () => session.preOpen,
    });
    await play(app, inSteps(feed, SLICE));
    const graph = await graphOf(app);
    expect(graph.facts).toEqual((await wholeSession()).facts);
  });
});

/** Every price twice as high. */
function doubled(delivery: Delivery): Delivery {
  if (delivery.kind !== 'bars') return delivery;
  const twice = (column: Float64Array): Float64Array => column.map((value) => value * 2);
  const { time, open, high, low, close, volume } = delivery.columns;
  return {
    ...delivery,
    columns: { time, open: twice(open), high: twice(high), low: twice(low), close: twice(close), volume },
  };
}
