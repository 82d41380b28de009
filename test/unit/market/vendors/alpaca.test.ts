import { describe, expect, it, onTestFinished } from 'vitest';
import { newYorkCalendar } from '../../../../src/base/calendar.ts';
import { clockOn } from '../../../../src/base/clock.ts';
import { SteppedTimers } from '../../../../src/base/timers.ts';
import { type Delivery, idleLiveStatus, type LiveMinute } from '../../../../src/market/feed.ts';
import type { Bar } from '../../../../src/market/observations.ts';
import { type AlpacaAccess, alpacaVendor } from '../../../../src/market/vendors/alpaca.ts';
import { vendorSession } from '../../../../src/market/vendors/vendor-minutes.ts';
import {
  AlpacaDouble,
  type AlpacaSettings,
  type MarketOfDouble,
  wireBar,
} from '../../../support/vendors/alpaca.ts';
import { marketOfDouble } from '../../../support/vendors/market.ts';

const MINUTE_MS = 60_000;
const DATE = '2024-03-05';
const calendar = newYorkCalendar();
const session = calendar.session(DATE)!;
const market = await marketOfDouble(DATE, 5, 1);
const SYMBOLS = [...market.minutes.keys()].sort();
const OPEN = session.open;

/** A session of the double's market from an instant on, in stepped time. */
async function streaming(
  from: number,
  settings: AlpacaSettings = {},
  access: Partial<AlpacaAccess> = {},
  of: MarketOfDouble = market,
) {
  // A minute is taken a second after its end.
  const timers = new SteppedTimers(from + 2_000);
  const double = new AlpacaDouble(of, timers.now, settings);
  await double.listen();
  const ended = new AbortController();
  onTestFinished(async () => {
    ended.abort();
    await double.close();
  });
  const notes: string[] = [];
  const live = idleLiveStatus();
  const clock = clockOn(timers);
  const vendor = alpacaVendor({ ...double.access, ...access }, { timers, random: () => 0.5 });
  const ground = {
    tape: null as never,
    calendar,
    clock,
    live,
    note: (says: string) => void notes.push(says),
  };
  const subscribed = double.subscribed();
  const minutes = vendorSession(vendor, SYMBOLS, session, ground).minutes(from, ended.signal);
  const iterator = minutes[Symbol.asyncIterator]();
  let asked: Promise<IteratorResult<LiveMinute>> | null = null;
  const rows = new Map<string, Bar>();
  const seen: LiveMinute[] = [];
  return {
    timers,
    double,
    notes,
    live,
    vendor,
    rows,
    seen,
    ended,
    clock,
    /** Begins, and resolves with the subscription. */
    async begin(): Promise<void> {
      asked = iterator.next();
      await subscribed;
      await double.taken();
    },
    ask(): void {
      asked ??= iterator.next();
    },
    /** Goes to the end of the next minute and takes what the session yields. */
    async minute(): Promise<LiveMinute> {
      asked ??= iterator.next();
      await timers.advance(MINUTE_MS);
      const { value } = await asked;
      asked = null;
      seen.push(value);
      for (const bar of barsIn(value.deliveries)) rows.set(`${bar.symbol} ${bar.time}`, bar);
      return value;
    },
  };
}

function barsIn(deliveries: readonly Delivery[]): (Bar & { readonly symbol: string })[] {
  return deliveries.flatMap((delivery) => {
    if (delivery.kind !== 'bars' || delivery.interval !== '1m') return [];
    const { symbol, columns } = delivery;
    return Array.from(columns.time, (time, row) => ({
      symbol,
      time,
      open: columns.open[row]!,
      high: columns.high[row]!,
      low: columns.low[row]!,
      close: columns.close[row]!,
      volume: columns.volume[row]!,
    }));
  });
}

/** The bars of the market from one instant to another, as `rows` has them. */
function expected(from: number, to: number): Map<string, Bar> {
  const all = SYMBOLS.flatMap((symbol) => market.minutes.get(symbol)!.map((bar) => ({ symbol, ...bar })));
  const own = all.filter(({ time }) => time >= from && time + MINUTE_MS <= to);
  return new Map(own.map((bar) => [`${bar.symbol} ${bar.time}`, bar]));
}

const sorted = (rows: ReadonlyMap<string, Bar>) => [...rows].sort(([a], [b]) => (a < b ? -1 : 1));

describe('a session of Alpaca', () => {
  it('comes row for row as it was sent', async () => {
    const run = await streaming(OPEN);
    await run.begin();
    for (let at = OPEN + MINUTE_MS; at <= OPEN + 60 * MINUTE_MS; at += MINUTE_MS) {
      run.double.push(run.double.barsOf(at));
      await run.double.taken();
      expect((await run.minute()).at).toBe(at);
    }
    expect(sorted(run.rows)).toEqual(sorted(expected(OPEN - 2 * MINUTE_MS, OPEN + 60 * MINUTE_MS)));
  });
});
