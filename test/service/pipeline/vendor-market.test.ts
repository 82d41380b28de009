import { describe, expect, it, onTestFinished } from 'vitest';
import type { App } from '../../../src/app.ts';
import { newYorkCalendar } from '../../../src/base/calendar.ts';
import { clockOn } from '../../../src/base/clock.ts';
import { SteppedTimers } from '../../../src/base/timers.ts';
import { LIVE_SOURCES } from '../../../src/cli/live-sources.ts';
import { alpacaVendor } from '../../../src/live/vendors/alpaca.ts';
import type { Bar } from '../../../src/market/observations.ts';
import { keepLive } from '../../../src/pipeline/keep-live.ts';
import { SegmentReader } from '../../../src/tape/index.ts';
import { appOn, freshStore, openTestApp, serverOf } from '../../support/app.ts';
import { at } from '../../support/tape.ts';
import { AlpacaDouble, type MarketOfDouble, sessionsOfDouble } from '../../support/vendors/alpaca.ts';
import { contractsOf } from '../../support/vendors/contracts.ts';
import { FEEDS } from '../../support/vendors/index.ts';
import { marketOfDouble } from '../../support/vendors/market.ts';

const DATE = '2024-03-05';
const MINUTE_MS = 60_000;
/** A lease is lost that is renewed less often, and each renewal is a step of the clock. */
const BEAT_MS = 8_000;
const session = newYorkCalendar().session(DATE)!;
const simulated = await marketOfDouble(DATE, 310, 21);
const SYMBOLS = [...simulated.minutes.keys()];
const market: MarketOfDouble = {
  ...simulated,
  options: (symbol, now) =>
    contractsOf(symbol, simulated.days.get(symbol)!.at(-1)!.close, (now - session.midnight) / MINUTE_MS),
};

const rowsOf = async (app: App, symbol: string, kind: 'bars-1m' | 'bars-1d'): Promise<Bar[]> => {
  const [tape] = await app.context.tape.symbolTapes([symbol]);
  const reader = new SegmentReader(app.context.tape.location);
  const columns = reader.rows(tape!, kind, -1e9, 1e9);
  reader.close();
  return Array.from(columns.time, (time, row) => ({
    time,
    open: columns.open![row]!,
    high: columns.high![row]!,
    low: columns.low![row]!,
    close: columns.close![row]!,
    volume: columns.volume![row]!,
  }));
};

const random = (): number => 0.5;

describe('the calendar of a vendor', () => {
  it('is compared with that of the program, and differences are told', async () => {
    const timers = new SteppedTimers(at(DATE, '12:00'), BEAT_MS);
    const calendarOfDouble = (start: string, end: string) => [
      ...sessionsOfDouble(start, end).flatMap((one) =>
        one.date === '2024-03-28' ? { ...one, close: '13:00' } : one.date === '2024-04-01' ? [] : one,
      ),
      { date: '2024-03-29', open: '09:30', close: '16:00' },
    ];
    const double = new AlpacaDouble(market, timers.now, { calendar: calendarOfDouble });
    await double.listen();
    onTestFinished(() => double.close());
    const app = await appOn(await freshStore(), {}, { timers, clock: clockOn(timers) });
    const source = LIVE_SOURCES.vendor({
      vendor: alpacaVendor(double.access, { timers, random }),
      chosen: SYMBOLS,
    });
    const ground = { ...app.context, viewedAt: new Map(), note: () => {} };
    const notes: string[] = [];
    const steps = source.steps(ground, new AbortController().signal);
    for (let step = await steps.next(false); step.value?.kind === 'note'; step = await steps.next(false)) {
      notes.push(step.value.says);
    }
    expect(notes).toEqual([
      'On 2024-03-28 Alpaca closes at 2024-03-28T17:00:00.000Z, the calendar of this program closes at 2024-03-28T20:00:00.000Z',
      'On 2024-03-29 Alpaca closes at 2024-03-29T20:00:00.000Z, the calendar of this program has no session',
      'On 2024-04-01 Alpaca has no session, the calendar of this program closes at 2024-04-01T20:00:00.000Z',
    ]);
  });
});
const STOCKS = '/api/graph/v1/stocks';

describe('the market of a vendor', { timeout: 240_000 }, () => {
  it.each(FEEDS)(
    '$title fills the past, streams the session over a cut, and ends equal to what the vendor has of it',
    async ({ open, has }) => {
      const timers = new SteppedTimers(at(DATE, '19:51') + 2_000, BEAT_MS);
      const [double, vendor] = open(market, timers);
      await double.listen();
      const store = await freshStore();
      const app = await appOn(store, {}, { timers, clock: clockOn(timers) });
      onTestFinished(() => double.close());
      const lines: string[] = [];
      const isCut = Promise.withResolvers<void>();
      const log = {
        info(_of: object, line: string) {
          lines.push(line);
          if (line.includes('cut')) isCut.resolve();
        },
        warn: () => {},
        error: (fault: unknown) => Promise.reject(fault),
      };
      const subscribed = double.subscribed();
      const source = LIVE_SOURCES.vendor({ vendor: vendor(), chosen: SYMBOLS });
      await keepLive(app.context.scope, app.context, app.leases, source, log);
      await app.idle();
      await subscribed;
      expect(double.calls.length).toBeLessThan(45);
      const first = lines.findIndex((line) => line.includes('minute bars'));
      expect(lines.slice(0, first + 2)).toEqual([
        'back-fill of daily bars',
        'back-fill of minute bars',
        'back-fill of daily bars',
      ]);
      const minutes = (symbol: string) => market.minutes.get(symbol)!;
      const step = async (): Promise<void> => {
        await timers.advance(MINUTE_MS, () => app.idle());
        await app.idle();
      };
      for (let end = at(DATE, '19:52'); end <= session.postClose; end += MINUTE_MS) {
        if (end === at(DATE, '19:54')) {
          const isAgain = double.subscribed();
          double.sockets[0]!.cut();
          await isCut.promise;
          await timers.advance(500, () => app.idle());
          await isAgain;
          await timers.advance(MINUTE_MS - 500, () => app.idle());
          await app.idle();
          continue;
        }
        double.push(double.barsOf(end));
        await double.taken();
        await step();
        if (end !== at(DATE, '19:56')) continue;
        for (const symbol of SYMBOLS) {
          const live = (await rowsOf(app, symbol, 'bars-1m')).filter(({ time }) => time >= session.preOpen);
          const sent = minutes(symbol).filter(({ time }) => time >= session.preOpen && time < end);
          expect(live).toEqual(has.volume ? sent : sent.map((bar) => ({ ...bar, volume: Number.NaN })));
        }
      }
      // The minutes of one exchange make no day.
      await step();
      for (const symbol of SYMBOLS) {
        const newest = (await rowsOf(app, symbol, 'bars-1d')).at(-1)!.time;
        expect(newest === Date.parse(DATE)).toBe(has.volume);
      }
      // Sixteen minutes after the session the vendor's record of the whole market is open.
      for (let minute = 0; minute < 18; minute++) await step();
      expect(app.context.live).toMatchObject({ gaps: 0, skipped: 0, refused: new Map(), failed: 0 });
      for (const symbol of SYMBOLS) {
        const from = Date.parse('2024-02-06');
        const whole = minutes(symbol).filter(({ time }) => time >= from);
        expect((await rowsOf(app, symbol, 'bars-1m')).filter(({ time }) => time >= from)).toEqual(whole);
        const days = market.days.get(symbol)!.slice(-300);
        expect((await rowsOf(app, symbol, 'bars-1d')).slice(-300)).toEqual(days);
      }
      const calls = double.calls.length;
      await timers.advance(3_600_000, () => app.idle());
      expect(double.calls.length).toBe(calls);
      const server = await serverOf(app);
      for (const symbol of SYMBOLS) {
        const { options } = (await server.inject(`${STOCKS}/${symbol}`)).json();
        const chain = { refresh_timestamp: '2024-03-06T00:51:02.000Z', unusual_activity: true };
        if (has.chains) expect(options).toMatchObject(chain);
        else expect(options).toBeNull();
      }
    },
  );

  it('goes on after a restart where it ended, has what passed meanwhile, and answers no volume of one exchange', async () => {
    const timers = new SteppedTimers(at(DATE, '19:53') + 2_000, BEAT_MS);
    const double = new AlpacaDouble(market, timers.now);
    await double.listen();
    onTestFinished(() => double.close());
    const store = await freshStore();
    const log = { info: () => {}, warn: () => {}, error: (fault: unknown) => Promise.reject(fault) };
    const opened = async (): Promise<App> => {
      const app = await openTestApp(store, {}, { timers, clock: clockOn(timers) });
      const vendor = alpacaVendor(double.access, { timers, random });
      const subscribed = double.subscribed();
      const source = LIVE_SOURCES.vendor({ vendor, chosen: SYMBOLS });
      await keepLive(app.context.scope, app.context, app.leases, source, log);
      await app.idle();
      await subscribed;
      return app;
    };
    const first = await opened();
    await timers.advance(2 * MINUTE_MS, () => first.idle());
    await first.idle();
    const isGone = double.gone();
    await first.close();
    await isGone;
    await timers.advance(3 * MINUTE_MS);
    const second = await opened();
    onTestFinished(() => second.close());
    await timers.advance(MINUTE_MS, () => second.idle());
    await second.idle();
    expect(second.context.live.skipped).toBe(0);
    for (const symbol of SYMBOLS) {
      const live = (await rowsOf(second, symbol, 'bars-1m')).filter(({ time }) => time >= session.preOpen);
      const until = second.context.live.at!;
      const sent = market.minutes
        .get(symbol)!
        .filter(({ time }) => time >= session.preOpen && time + MINUTE_MS <= until);
      expect(live).toEqual(sent.map((bar) => ({ ...bar, volume: Number.NaN })));
    }
    expect(second.context.live.at).toBe(at(DATE, '19:59'));
    const server = await serverOf(second);
    const bars = (await server.inject(`/api/graph/v1/stocks/${SYMBOLS[0]}/bars?interval=1m&limit=3`)).json();
    expect(bars.volume).toEqual([null, null, null]);
  });
});
