/**
 * Promises: the bars of a minute of 11,000 symbols come over the socket of Alpaca's double, are decoded and admitted in
 * under a second; 20,000 trades a second pass on one core; back-fill of 30 symbols takes under 60 calls. The yardstick is
 * JSON.parse of the same messages.
 */
import { newYorkCalendar } from '../src/base/calendar.ts';
import { fixedClock } from '../src/base/clock.ts';
import { realTimers } from '../src/base/timers.ts';
import { alpacaVendor } from '../src/live/vendors/alpaca.ts';
import { backFill, type Part } from '../src/live/vendors/back-fill.ts';
import type { VendorBar, VendorMessage } from '../src/live/vendors/vendor.ts';
import { refusePrint, VendorFlow } from '../src/live/vendors/vendor-flow.ts';
import { barDeliveries } from '../src/live/vendors/vendor-minutes.ts';
import { Admission } from '../src/market/admit.ts';
import { AlpacaDouble } from '../test/support/vendors/alpaca.ts';
import { type BenchLine, median, ms, timeOf } from './report.ts';

const SYMBOLS = 11_000;
const TRADES = 100_000;
const TRADES_AT_ONCE = 1_000;
const RUNS = 7;
const FILLED = 30;
const DATE = '2024-03-05';
const calendar = newYorkCalendar();
const session = calendar.session(DATE)!;
const AT = session.open;

const symbolOf = (place: number): string => `S${place.toString(36).padStart(4, '0').toUpperCase()}`;

async function streamed() {
  const symbols = Array.from({ length: SYMBOLS }, (_, place) => symbolOf(place));
  const double = new AlpacaDouble({ minutes: new Map(), days: new Map() }, () => AT);
  await double.listen();
  const ended = new AbortController();
  const messages: VendorMessage[] = [];
  const vendor = alpacaVendor({ ...double.access, feed: 'sip' }, { timers: realTimers, random: Math.random });
  const subscribed = double.subscribed();
  const traded = symbols.slice(0, 30);
  const flow = new VendorFlow(traded, session);
  const onMessage = (message: VendorMessage): void => {
    if (message.kind === 'print' && refusePrint(message) === null) flow.push(message);
    else messages.push(message);
  };
  const listener = { onMessage, onState: () => {} };
  vendor.stream(traded, listener, ended.signal);
  await subscribed;
  const bar = {
    o: 10.01,
    h: 10.5,
    l: 9.99,
    c: 10.25,
    v: 1_234,
    n: 12,
    vw: 10.2,
    t: new Date(AT).toISOString(),
  };
  const bars = JSON.stringify(symbols.map((S) => ({ T: 'b', S, ...bar })));
  /** Trades of a second of the minute, each with an id of its own. */
  const tradesOf = (first: number): string =>
    JSON.stringify(
      Array.from({ length: TRADES_AT_ONCE }, (_, i) => {
        const t = new Date(AT + Math.floor((60_000 * (first + i)) / TRADES)).toISOString();
        const trade = { i: first + i, x: 'V', p: 10.25 + (i % 7) / 100, s: 100, c: ['@', 'I'], z: 'C', t };
        return { T: 't', S: symbols[i % 30], ...trade };
      }),
    );
  const trades = Array.from({ length: TRADES / TRADES_AT_ONCE }, (_, part) =>
    tradesOf(part * TRADES_AT_ONCE),
  );
  const [socket] = double.sockets as [(typeof double.sockets)[number]];
  const minutes: number[] = [];
  const parsed: number[] = [];
  for (let run = 0; run < RUNS; run++) {
    messages.length = 0;
    minutes.push(
      await timeOf(async () => {
        socket.send(bars);
        await socket.taken();
        const own = messages.flatMap((one): VendorBar[] => (one.kind === 'minute' ? [one.bar] : []));
        const admission = new Admission(calendar);
        const minute = { session, at: AT + 60_000 };
        const admitted = barDeliveries(own, '1m').filter(
          (delivery) => admission.admit(delivery, 'stream', minute) !== null,
        );
        if (admitted.length !== SYMBOLS) throw new Error(`${admitted.length} bars were admitted`);
      }),
    );
    parsed.push(await timeOf(() => void JSON.parse(bars)));
  }
  const tradesMs = await timeOf(async () => {
    for (const message of trades) socket.send(message);
    await socket.taken();
    const rows = await flow.take({ from: AT, upTo: AT, at: AT + 60_000 }, null);
    const counted = rows.reduce(
      (sum, row) => sum + (row.kind === 'flow-minutes' ? row.columns.trades[0]! : 0),
      0,
    );
    if (counted !== TRADES) throw new Error(`${counted} trades are in the order flow`);
  });
  ended.abort();
  await double.close();
  return {
    minuteMs: median(minutes),
    parsedMs: median(parsed),
    tradesPerSecond: (1_000 * TRADES) / tradesMs,
  };
}

/** Calls that the past of 30 symbols takes. */
async function filled(): Promise<number> {
  const first = calendar.sessionIndex(DATE) - 301;
  const dates = Array.from({ length: 301 }, (_, place) => calendar.sessionAt(first + place)!);
  const row = { open: 10, high: 11, low: 9, close: 10, volume: 100 };
  const days = dates.map(({ tradeDate }) => ({ time: Date.parse(tradeDate), ...row }));
  const minutes = dates.slice(-21).flatMap(({ open, close }) =>
    Array.from({ length: (close - open) / 60_000 }, (_, minute) => ({
      time: open + minute * 60_000,
      ...row,
    })),
  );
  const symbols = Array.from({ length: FILLED }, (_, place) => symbolOf(place));
  const market = {
    minutes: new Map(symbols.map((symbol) => [symbol, minutes])),
    days: new Map(symbols.map((symbol) => [symbol, days])),
  };
  const double = new AlpacaDouble(market, () => session.end);
  await double.listen();
  const vendor = alpacaVendor(double.access, { timers: realTimers, random: Math.random });
  const tape = { delivered: async () => new Map() } as never;
  const through = calendar.previousSession(DATE)!;
  const ground = { tape, calendar, clock: fixedClock(session.end) };
  const { signal } = new AbortController();
  for (const part of ['1d', 'actions', '1m', 'profiles', 'news'] satisfies Part[]) {
    const feed = await backFill(vendor, part, symbols, through, ground, signal);
    for (const unit of (await feed?.units()) ?? []) await Array.fromAsync(unit.read());
  }
  await double.close();
  return double.calls.length;
}

export async function run(): Promise<BenchLine[]> {
  const { minuteMs, parsedMs, tradesPerSecond } = await streamed();
  const calls = await filled();
  return [
    {
      promise: `${SYMBOLS} bars of a minute over the socket, decoded and admitted, in under 1 s`,
      figure: ms(minuteMs),
      ratio: minuteMs / parsedMs,
      met: minuteMs < 1_000,
      note: 'beside JSON.parse of the message',
    },
    {
      promise: '20,000 trades a second into order flow on one core, the double that sends them beside',
      figure: `${Math.round(tradesPerSecond)} /s`,
      met: tradesPerSecond >= 20_000,
    },
    {
      promise: `back-fill of ${FILLED} symbols in under 60 calls`,
      figure: `${calls} calls`,
      met: calls < 60,
    },
  ];
}
