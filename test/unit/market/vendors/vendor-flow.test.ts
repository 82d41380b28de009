import { describe, expect, it, onTestFinished } from 'vitest';
import { newYorkCalendar } from '../../../../src/base/calendar.ts';
import { clockOn } from '../../../../src/base/clock.ts';
import { SteppedTimers } from '../../../../src/base/timers.ts';
import { alpacaVendor } from '../../../../src/live/vendors/alpaca.ts';
import { massiveVendor } from '../../../../src/live/vendors/massive.ts';
import { printKey } from '../../../../src/live/vendors/vendor-flow.ts';
import { vendorSession } from '../../../../src/live/vendors/vendor-minutes.ts';
import { Admission } from '../../../../src/market/admit.ts';
import { idleLiveStatus, type LiveMinute } from '../../../../src/market/feed.ts';
import { sampled } from '../../../support/depth.ts';
import { AlpacaDouble, type MarketOfDouble } from '../../../support/vendors/alpaca.ts';
import { FEEDS, type FeedOfVendor } from '../../../support/vendors/index.ts';
import { marketOfDouble } from '../../../support/vendors/market.ts';
import { MassiveDouble } from '../../../support/vendors/massive.ts';
import { draws, flowOf, rowsOfFlow, ticksOf } from '../../../support/vendors/ticks.ts';

const MINUTE_MS = 60_000;
const DATE = '2024-03-05';
const calendar = newYorkCalendar();
const session = calendar.session(DATE)!;
const OPEN = session.open;
const bars = await marketOfDouble(DATE, 5, 1);
const SYMBOLS = [...bars.minutes.keys()].sort();
const ticks = new Map(
  SYMBOLS.map((symbol, place) => [
    symbol,
    ticksOf(
      bars.minutes.get(symbol)!.filter(({ time }) => time >= OPEN && time < OPEN + 90 * MINUTE_MS),
      place,
    ),
  ]),
);
const market: MarketOfDouble = { ...bars, ticks };
const random = (): number => 0.5;
const NEVER = new AbortController().signal;

type Opened = ReturnType<FeedOfVendor['open']>;

const alpaca = (timers: SteppedTimers, of: MarketOfDouble = market, opensSip = true): Opened => {
  const double = new AlpacaDouble(of, timers.now, { opensSip });
  return [double, () => alpacaVendor({ ...double.access, feed: 'sip' }, { timers, random })];
};
const massive = (timers: SteppedTimers, of: MarketOfDouble = market): Opened => {
  const double = new MassiveDouble(of, timers.now);
  return [double, () => massiveVendor(double.access, { timers, random })];
};

/** A session whose order flow is collected. */
async function following(open: (timers: SteppedTimers) => Opened, from = OPEN) {
  const timers = new SteppedTimers(from + 2_000);
  const [double, vendorOf] = open(timers);
  await double.listen();
  const ended = new AbortController();
  onTestFinished(async () => {
    ended.abort();
    await double.close();
  });
  const vendor = vendorOf();
  await vendor.conditions?.(null, NEVER);
  let heard: (() => void)[] = [];
  const note = (says: string): void => {
    if (!says.includes('cut')) return;
    for (const tell of heard) tell();
    heard = [];
  };
  const live = idleLiveStatus();
  const ground = { tape: null as never, calendar, clock: clockOn(timers), live, viewedAt: new Map(), note };
  const subscribed = double.subscribed();
  const minutes = vendorSession({ vendor, lagMs: 0, symbols: SYMBOLS, session, ground }).minutes(
    from,
    ended.signal,
  );
  const iterator = minutes[Symbol.asyncIterator]();
  let next = iterator.next();
  next.catch(() => {});
  await subscribed;
  await double.taken();
  const rows = new Map<string, Record<string, number>>();
  const refused: [string, number][] = [];
  const admission = new Admission(calendar);
  return {
    timers,
    double,
    refused,
    async cut(): Promise<void> {
      const isCut = new Promise<void>((tell) => void heard.push(tell));
      const isAgain = double.subscribed();
      double.sockets[0]!.cut();
      await isCut;
      await timers.advance(8_000);
      await isAgain;
      await double.taken();
    },
    async minute(): Promise<LiveMinute> {
      await timers.advance(MINUTE_MS - ((timers.now() - 2_000) % MINUTE_MS));
      const { value } = await next;
      next = iterator.next();
      next.catch(() => {});
      for (const delivery of value.deliveries) {
        if (delivery.kind === 'refused') refused.push([delivery.reason, delivery.count]);
        if (delivery.kind !== 'flow-minutes') continue;
        expect(admission.admit(delivery, 'stream', { session, at: value.at })).not.toBeNull();
        for (const row of rowsOfFlow(delivery.columns)) rows.set(`${delivery.symbol} ${row.time}`, row);
      }
      expect(admission.refused).toEqual([]);
      return value;
    },
    /** The rows of a symbol, in ascending time. */
    flow: (symbol: string) =>
      [...rows]
        .filter(([key]) => key.startsWith(`${symbol} `))
        .map(([, row]) => row)
        .sort((a, b) => a.time! - b.time!),
  };
}

describe.each(FEEDS.filter(({ has }) => has.flow))('order flow from the prints of $title', ({ open }) => {
  it.each(sampled([1, 2, 3], 3))('is that of an import, over cuts and disorder (%i)', async (seed) => {
    const draw = draws(seed * 7_919);
    const run = await following((timers) => open(market, timers));
    const end = OPEN + 60 * MINUTE_MS;
    let cuts = 0;
    for (let at = OPEN + MINUTE_MS; at <= end; at += MINUTE_MS) {
      const messages = run.double.ticksOf(at - MINUTE_MS, at);
      const fault = draw();
      if (fault < 0.2) messages.reverse();
      if (fault > 0.1 && fault < 0.3) messages.push(...messages.slice(3, 9));
      if (fault > 0.8) {
        cuts++;
        run.double.push(messages.slice(0, messages.length >> 1));
        await run.double.taken();
        await run.cut();
      } else run.double.push(messages);
      run.double.push(run.double.barsOf(at));
      await run.double.taken();
      await run.minute();
    }
    expect(cuts).toBeGreaterThan(5);
    for (const symbol of SYMBOLS) {
      const expected = flowOf(ticks.get(symbol)!, DATE).filter(({ time }) => time! < end);
      expect(expected.length).toBeGreaterThan(50);
      expect(run.flow(symbol)).toEqual(expected);
    }
  });
});

/** A stretch of whole minutes, pushed as it was. */
async function pushed(run: Awaited<ReturnType<typeof following>>, from: number, to: number): Promise<void> {
  for (let at = from + MINUTE_MS; at <= to; at += MINUTE_MS) {
    run.double.push(run.double.ticksOf(at - MINUTE_MS, at));
    run.double.push(run.double.barsOf(at));
    await run.double.taken();
    await run.minute();
  }
}

const [SYMBOL] = SYMBOLS as [string];

describe('prints of Alpaca that are cancelled or corrected', () => {
  it('count no more or otherwise, also hours later and with ids beyond 2^53', async () => {
    const run = await following(alpaca);
    await pushed(run, OPEN, OPEN + 40 * MINUTE_MS);
    const own = ticks.get(SYMBOL)!;
    const [cancelled, corrected] = [own.trades[30]!, own.trades[33]!];
    // Of another trade, were it read as a number.
    expect(String(Number(cancelled.id))).not.toBe(cancelled.id);
    const about = { S: SYMBOL, z: 'C', t: new Date(OPEN + 40 * MINUTE_MS).toISOString() };
    run.double.push([
      { ...about, T: 'x', i: cancelled.id, x: cancelled.venue, p: 1, s: 1, a: 'C' },
      {
        ...about,
        T: 'c',
        x: corrected.venue,
        ...{ oi: corrected.id, op: corrected.price, os: corrected.size, oc: corrected.letters },
        ...{ ci: '77', cp: corrected.price, cs: 33, cc: ['@'] },
      },
    ]);
    await pushed(run, OPEN + 40 * MINUTE_MS, OPEN + 42 * MINUTE_MS);
    const trades = own.trades
      .filter((trade) => trade !== cancelled)
      .map((trade) => (trade === corrected ? { ...trade, size: 33 } : trade));
    const expected = flowOf({ ...own, trades }, DATE).filter(({ time }) => time! < OPEN + 42 * MINUTE_MS);
    const minute = corrected.time - (corrected.time % MINUTE_MS);
    const before = flowOf(own, DATE).find(({ time }) => time === minute)!;
    const row = (rows: Record<string, number>[]) => rows.find(({ time }) => time === minute)!;
    expect(row(run.flow(SYMBOL))).not.toEqual(before);
    const sums = ['trades', 'volume', 'notional', 'offExchangeVolume', 'blockVolume'] as const;
    const summed = (of: Record<string, number>) => sums.map((name) => of[name]);
    expect(summed(row(run.flow(SYMBOL)))).toEqual(summed(row(expected)));
    const others = (rows: Record<string, number>[]) => rows.filter(({ time }) => time !== minute);
    expect(others(run.flow(SYMBOL))).toEqual(others(expected));
  });
});

describe('order flow', () => {
  it('has no row of a minute whose prints are not all there', async () => {
    const run = await following((timers) => alpaca(timers, market, false));
    await pushed(run, OPEN, OPEN + 3 * MINUTE_MS);
    await run.cut();
    await pushed(run, OPEN + 3 * MINUTE_MS, OPEN + 6 * MINUTE_MS);
    const minutes = run.flow(SYMBOL).map(({ time }) => (time! - OPEN) / MINUTE_MS);
    // The stream came up in the first minute, and again in the fourth.
    expect(minutes).toEqual([1, 2, 4, 5]);
  });

  it('is none from IEX, whose prints are a part of the market', async () => {
    const run = await following((timers) => {
      const double = new AlpacaDouble(market, timers.now);
      return [double, () => alpacaVendor(double.access, { timers, random })];
    });
    await pushed(run, OPEN, OPEN + 3 * MINUTE_MS);
    expect(run.flow(SYMBOL)).toEqual([]);
    expect(run.double.calls.filter((path) => path.includes('/trades'))).toEqual([]);
  });

  it('counts shares by the rules of Massive, and refuses a condition that has none', async () => {
    const run = await following(massive);
    await pushed(run, OPEN, OPEN + MINUTE_MS);
    const trade = { ev: 'T', sym: SYMBOL, x: 11, z: 3, p: 10, s: 100, t: OPEN + MINUTE_MS + 1_000 };
    run.double.push([
      { ...trade, i: '1', c: [15] },
      { ...trade, i: '2', c: [0] },
      { ...trade, i: '3', c: [37], ds: '0.5', s: 0 },
      { ...trade, i: '4', c: [999] },
      { ...trade, i: '5', c: [0], p: -1 },
      { ...trade, i: '6', c: [0], s: 0 },
    ]);
    await run.double.taken();
    await run.minute();
    const row = run.flow(SYMBOL).at(-1)!;
    expect([row.time, row.trades, row.volume]).toEqual([OPEN + MINUTE_MS, 2, 100.5]);
    expect(run.refused).toEqual([
      ['bad_word', 1],
      ['price_not_positive', 1],
      ['no_shares', 1],
    ]);
  });

  it('takes the rules that were kept with the data while Massive gives none', async () => {
    const timers = new SteppedTimers(OPEN);
    const [double, vendorOf] = massive(timers);
    await double.listen();
    const vendor = vendorOf();
    const rules = await vendor.conditions!(null, NEVER);
    expect(rules.split(';')).toHaveLength(6);
    expect(vendor.traded(SYMBOLS)).toEqual(SYMBOLS);
    const access = { ...(double as MassiveDouble).access, apiKey: 'wrong' };
    await Promise.all(
      [rules, null].map(async (kept) => {
        const refused = massiveVendor(access, { timers, random });
        expect(await refused.conditions!(kept, NEVER)).toBe(kept ?? '');
        expect(refused.traded(SYMBOLS)).toEqual(kept === null ? [] : SYMBOLS);
      }),
    );
    await double.close();
  });
});

describe('the key of a print', () => {
  it('tells ids, exchanges and tapes apart', () => {
    const keys = new Set<number>();
    for (let id = 0; id < 50_000; id++) {
      for (const venue of ['V', 'D']) {
        for (const tape of ['A', 'C']) keys.add(printKey(venue, tape, `900719925474${id}`));
      }
    }
    expect(keys.size).toBe(200_000);
    expect([...keys].every(Number.isSafeInteger)).toBe(true);
  });
});
