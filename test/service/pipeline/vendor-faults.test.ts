import { describe, expect, it, onTestFinished } from 'vitest';
import type { App } from '../../../src/app.ts';
import { newYorkCalendar } from '../../../src/base/calendar.ts';
import { clockOn } from '../../../src/base/clock.ts';
import { nextTurn, SteppedTimers } from '../../../src/base/timers.ts';
import { LIVE_SOURCES } from '../../../src/cli/live-sources.ts';
import type { Vendor } from '../../../src/live/vendors/vendor.ts';
import type { Delivery } from '../../../src/market/feed.ts';
import type { Bar } from '../../../src/market/observations.ts';
import type { SeriesKind } from '../../../src/market/series.ts';
import { syncGraph } from '../../../src/pipeline/graph-sync.ts';
import { keepLive } from '../../../src/pipeline/keep-live.ts';
import { SegmentReader } from '../../../src/tape/index.ts';
import { importFeed } from '../../../src/tape/ingest.ts';
import { feedOf, freshStore, openTestApp } from '../../support/app.ts';
import { FULL, SEED, sampled } from '../../support/depth.ts';
import { at } from '../../support/tape.ts';
import { AlpacaDouble, wireBar } from '../../support/vendors/alpaca.ts';
import type { AnyDouble } from '../../support/vendors/double.ts';
import { FEEDS, type FeedOfVendor } from '../../support/vendors/index.ts';
import { marketOfDouble } from '../../support/vendors/market.ts';
import {
  draws,
  flowColumnsOf,
  type QuoteOfDouble,
  type TradeOfDouble,
  ticksOf,
} from '../../support/vendors/ticks.ts';

/**
 * A session that is streamed through faults, and the same session imported once it is over: the days that are stored at
 * the end are the same, byte for byte. Whole with `npm run test:full`.
 */

const MINUTE_MS = 60_000;
/** A lease is lost that is renewed less often, and each renewal is a step of the clock. */
const BEAT_MS = 8_000;
/** Of the event loop, in which an answer arrives. */
const TURNS = 20;
const DATE = '2024-03-05';
const calendar = newYorkCalendar();
const session = calendar.session(DATE)!;
/** Of regular hours all: silence is looked into in these. */
const FROM = at(DATE, '13:50');
const [MINUTES, FAULTS] = FULL ? [120, 40] : [24, 8];
const TO = FROM + MINUTES * MINUTE_MS;
const simulated = await marketOfDouble(DATE, 310, 21);
const SYMBOLS = [...simulated.minutes.keys()];

/** A market of its own, which corrections change. */
function freshMarket() {
  const minutes = new Map<string, Bar[]>(
    Array.from(simulated.minutes, ([symbol, bars]) => [symbol, [...bars]]),
  );
  const ticks = new Map<
    string,
    { readonly trades: TradeOfDouble[]; readonly quotes: readonly QuoteOfDouble[] }
  >(
    SYMBOLS.map((symbol, place) => {
      const streamed = minutes.get(symbol)!.filter(({ time }) => time >= FROM && time < TO);
      const { trades, quotes } = ticksOf(streamed, place);
      return [symbol, { trades: [...trades], quotes }];
    }),
  );
  return { days: simulated.days, minutes, ticks };
}

type FreshMarket = ReturnType<typeof freshMarket>;
type Open = FeedOfVendor['open'];

/** A double, and what follows its market from a start on. */
class Run {
  readonly timers = new SteppedTimers(FROM + 2_000, BEAT_MS);
  readonly market: FreshMarket;
  readonly double: AnyDouble;
  readonly #vendorOf: () => Vendor;
  vendor!: Vendor;
  #store!: Awaited<ReturnType<typeof freshStore>>;
  app!: App;

  private constructor(open: Open, market: FreshMarket) {
    this.market = market;
    [this.double, this.#vendorOf] = open(this.market, this.timers);
  }

  static async on(open: Open, market = freshMarket()): Promise<Run> {
    const run = new Run(open, market);
    await run.double.listen();
    run.#store = await freshStore();
    onTestFinished(() => run.double.close());
    return run;
  }

  /** @param streams else the session is imported once it is over */
  async start(streams: boolean): Promise<void> {
    const { timers } = this;
    this.app = await openTestApp(this.#store, {}, { timers, clock: clockOn(timers) });
    this.vendor = this.#vendorOf();
    const log = { info: () => {}, warn: () => {}, error: (fault: unknown) => Promise.reject(fault) };
    const subscribed = streams ? this.double.subscribed() : null;
    const followed = streams ? this.vendor : { ...this.vendor, lagMs: null };
    const source = LIVE_SOURCES.vendor({ vendor: followed, chosen: SYMBOLS });
    await keepLive(this.app.context.scope, this.app.context, this.app.leases, source, log);
    await this.app.idle();
    await subscribed;
  }

  /**
   * Lets time pass, also while a call waits for its next try, and never while an answer is on its way: time that ran on
   * would end each connection before it has come about.
   */
  async pass(until: () => boolean, stepMs: number): Promise<void> {
    for (;;) {
      let isIdle = false;
      void this.app.idle().then(() => {
        isIdle = true;
      });
      for (let turn = 1; !isIdle; turn++) {
        await nextTurn();
        if (this.double.refused.size > 0 && turn % TURNS === 0) await this.timers.advance(250);
      }
      if (until()) return;
      await this.timers.advance(stepMs);
    }
  }

  /** Closes the app in the session, and takes the record of the day once that is open. */
  async endDay(): Promise<void> {
    await this.app.close();
    await this.timers.advance(session.postClose + 17 * MINUTE_MS - this.timers.now());
    await this.start(false);
  }

  /** The stored days of all symbols, and their flow. */
  async days() {
    const { context } = this.app;
    await syncGraph({ ...context, delayMs: 0 }, { kind: 'touched' });
    const tapes = await context.tape.symbolTapes(SYMBOLS);
    const reader = new SegmentReader(context.tape.location);
    const rows = (kind: SeriesKind) => tapes.map((tape) => reader.rows(tape, kind, -1e9, 1e9));
    const [days, minutes, flows] = [rows('bars-1d'), rows('bars-1m'), rows('flow-minutes')];
    reader.close();
    const facts = await context.database.query<{ symbol: string }>(
      'select symbol, block, md5(value) from fact where trade_date = $1 order by symbol, block',
      [DATE],
    );
    return { days, minutes, flows, facts };
  }
}

type FaultOf = (run: Run, minute: readonly object[], end: number, draw: number) => void | Promise<void>;

const cutAt = (run: Run): void => run.double.sockets[0]?.cut();

/** What goes wrong in a minute, besides its messages. */
const WRONG: Readonly<Record<string, FaultOf>> = {
  cut: (run, minute) => {
    run.double.push(minute.slice(0, minute.length >> 1));
    cutAt(run);
  },
  'half a frame': (run, minute) => run.double.sockets[0]?.sendHalf(JSON.stringify(minute)),
  'an end by the vendor': (run) => run.double.sockets[0]?.close(1011),
  'refused upgrades': (run) => {
    run.double.refusedUpgrades.push(429, 503);
    cutAt(run);
  },
  'calls that fail': (run) => {
    run.double.faults.push({ status: 503 }, { status: 500 });
    cutAt(run);
  },
  'calls over the limit': (run) => {
    run.double.faults.push({ status: 429, headers: { 'retry-after': '3' } });
    cutAt(run);
  },
  silence: (run) => {
    run.double.isMute = true;
  },
  repetition: (run, minute) => {
    run.double.push([...minute, ...minute.slice(2)]);
  },
  disorder: (run, minute) => run.double.push(minute.toReversed()),
  'a broken frame': (run, minute) => {
    run.double.sockets[0]?.send('[{"T":"b","ev":');
    run.double.push(minute);
  },
  'corrections of an hour ago': (run, minute, end, draw) => {
    run.double.push(minute);
    if (run.double instanceof AlpacaDouble) correct(run.market, run.double, end, draw);
  },
};

/** A print is cancelled, another corrected, and a bar updated with them. */
function correct({ minutes, ticks }: FreshMarket, double: AlpacaDouble, end: number, draw: number): void {
  const symbol = SYMBOLS[Math.floor(draw * SYMBOLS.length)]!;
  // What is corrected while nobody listens the vendor does not tell again.
  if (!double.streamsTrades(symbol)) return;
  const { trades } = ticks.get(symbol)!;
  // Of those that set no price: what came after them is not classified anew.
  const isPlain = ({ time, letters }: TradeOfDouble): boolean =>
    time < end - 2 * MINUTE_MS && letters.some((letter) => letter === 'I' || letter === '4');
  const plain = trades.filter(isPlain);
  if (plain.length < 2) return;
  const [cancelled, original] = [plain[0]!, plain[1]!];
  trades.splice(trades.indexOf(cancelled), 1);
  const corrected = { ...original, id: `7${original.id}`, size: original.size + 5 };
  trades[trades.indexOf(original)] = corrected;
  const about = { S: symbol, z: 'C', t: new Date(end).toISOString() };
  const { id: oi, price: op, size: os, letters: oc } = original;
  const { id: ci, price: cp, size: cs, letters: cc } = corrected;
  const bars = minutes.get(symbol)!;
  const place = bars.findIndex(({ time }) => time === end - 5 * MINUTE_MS);
  const bar = bars[place];
  const updated: Bar | undefined = bar && { ...bar, high: bar.high + 0.01, volume: bar.volume + 5 };
  if (updated !== undefined) bars[place] = updated;
  double.push([
    { ...about, T: 'x', i: cancelled.id, x: cancelled.venue, p: cancelled.price, s: cancelled.size, a: 'C' },
    { ...about, T: 'c', x: original.venue, oi, op, os, oc, ci, cp, cs, cc },
    ...(updated === undefined ? [] : [{ T: 'u', S: symbol, ...wireBar(updated, updated.time) }]),
  ]);
}

/** Which minutes go wrong and how, by a seed. */
function planOf(seed: number): Map<number, readonly [FaultOf, number]> {
  const draw = draws(seed * 104_729);
  const plan = new Map<number, readonly [FaultOf, number]>();
  // Each kind comes once before any comes again.
  const all = Object.values(WRONG)
    .map((kind) => ({ kind, order: draw() }))
    .sort((a, b) => a.order - b.order)
    .map(({ kind }) => kind);
  while (plan.size < FAULTS) {
    const minute = FROM + (2 + Math.floor(draw() * (MINUTES - 2))) * MINUTE_MS;
    if (plan.has(minute)) continue;
    const kind = all[plan.size < all.length ? plan.size : Math.floor(draw() * all.length)]!;
    plan.set(minute, [kind, draw()]);
  }
  return plan;
}

describe('a session with faults', { timeout: FULL ? 1_200_000 : 240_000 }, () => {
  it.each(sampled(FEEDS, 3))('of $title leaves the stock-days of a clean import', async ({ has, open }) => {
    const run = await Run.on(open);
    const { double, timers } = run;
    await run.start(true);
    const plan = planOf(SEED);
    let muteUntil = 0;
    for (let end = FROM + MINUTE_MS; end <= TO; end += MINUTE_MS) {
      if (end >= muteUntil) double.isMute = false;
      const messages = [...double.ticksOf(end - MINUTE_MS, end), ...double.barsOf(end)];
      const [fault, draw] = plan.get(end) ?? [null, 0];
      await fault?.(run, messages, end, draw);
      if (fault === null) double.push(messages);
      if (double.isMute && muteUntil < end) muteUntil = end + 4 * MINUTE_MS;
      await double.taken();
      await run.pass(() => timers.now() >= end + 2_000, 500);
    }
    double.isMute = false;
    double.faults.length = 0;
    // What is missing of the last minutes comes with the next one.
    await run.pass(() => timers.now() >= TO + 5 * MINUTE_MS, 500);
    const { live } = run.app.context;
    expect(live).toMatchObject({ gaps: 0, failed: 0 });
    expect(live.holesFilled).toBeGreaterThan(FAULTS / 4);
    await run.endDay();
    const streamed = await run.days();
    await run.app.close();

    const clean = await Run.on(open, run.market);
    await clean.start(false);
    await clean.endDay();
    if (has.flow) {
      const flow = SYMBOLS.map((symbol): Delivery => {
        return { kind: 'flow-minutes', symbol, columns: flowColumnsOf(run.market.ticks.get(symbol)!, DATE) };
      });
      await importFeed(clean.app.context, feedOf({ flow }, clean.vendor.name));
    }
    const imported = await clean.days();
    await clean.app.close();
    expect(imported.facts.length).toBeGreaterThan(30);
    const flow = streamed.flows.map(({ time }) => time.length);
    expect(flow.every((rows) => (has.flow ? rows > MINUTES / 2 : rows === 0))).toBe(true);
    expect(streamed).toEqual(imported);
  });
});
