import { describe, expect, it, onTestFinished } from 'vitest';
import { midnightUtc, newYorkCalendar } from '../../../../src/base/calendar.ts';
import { clockOn, fixedClock } from '../../../../src/base/clock.ts';
import { SteppedTimers } from '../../../../src/base/timers.ts';
import { massiveVendor } from '../../../../src/live/vendors/massive.ts';
import type { MassiveAccess } from '../../../../src/live/vendors/massive-messages.ts';
import type { VendorBar } from '../../../../src/live/vendors/vendor.ts';
import { vendorSession } from '../../../../src/live/vendors/vendor-minutes.ts';
import { idleLiveStatus, type LiveMinute } from '../../../../src/market/feed.ts';
import type { MarketOfDouble } from '../../../support/vendors/alpaca.ts';
import { marketOfDouble } from '../../../support/vendors/market.ts';
import { MassiveDouble, type MassiveSettings } from '../../../support/vendors/massive.ts';

const MINUTE_MS = 60_000;
const DATE = '2024-03-05';
const calendar = newYorkCalendar();
const session = calendar.session(DATE)!;
const OPEN = session.open;
const market = await marketOfDouble(DATE, 30, 2);
const SYMBOLS = [...market.minutes.keys()].sort();
const NEVER = new AbortController().signal;

async function connected(
  from: number,
  settings: MassiveSettings = {},
  access: Partial<MassiveAccess> = {},
  of: MarketOfDouble = market,
) {
  const timers = new SteppedTimers(from + 2_000);
  const double = new MassiveDouble(of, timers.now, settings);
  await double.listen();
  onTestFinished(() => double.close());
  return {
    timers,
    double,
    vendor: massiveVendor({ ...double.access, ...access }, { timers, random: () => 0.5 }),
  };
}

async function streaming(access: Partial<MassiveAccess> = {}) {
  const { timers, double, vendor } = await connected(OPEN, {}, access);
  const ended = new AbortController();
  onTestFinished(() => ended.abort());
  const notes: string[] = [];
  let heard: { readonly text: string; readonly tell: () => void }[] = [];
  const note = (says: string): void => {
    notes.push(says);
    for (const { text, tell } of heard) if (says.includes(text)) tell();
    heard = heard.filter(({ text }) => !says.includes(text));
  };
  const live = idleLiveStatus();
  const ground = { tape: null as never, calendar, clock: clockOn(timers), live, viewedAt: new Map(), note };
  const subscribed = double.subscribed();
  const minutes = vendorSession({ vendor, lagMs: 0, symbols: SYMBOLS, session, ground }).minutes(
    OPEN,
    ended.signal,
  );
  const iterator = minutes[Symbol.asyncIterator]();
  let asked: Promise<IteratorResult<LiveMinute>> | null = null;
  const ask = () => {
    asked ??= iterator.next();
    asked.catch(() => {});
    return asked;
  };
  const rows = new Map<string, object>();
  return {
    timers,
    double,
    notes,
    live,
    rows,
    ask,
    noted: (text: string) => new Promise<void>((tell) => void heard.push({ text, tell })),
    async begin(): Promise<void> {
      ask();
      await subscribed;
      await double.taken();
    },
    async minute(): Promise<LiveMinute> {
      ask();
      await timers.advance(MINUTE_MS - ((timers.now() - 2_000) % MINUTE_MS));
      const { value } = await ask();
      asked = null;
      for (const delivery of value.deliveries) {
        if (delivery.kind !== 'bars') continue;
        const { symbol, columns } = delivery;
        for (const [row, time] of columns.time.entries()) {
          rows.set(`${symbol} ${time}`, {
            open: columns.open[row],
            close: columns.close[row],
            volume: columns.volume[row],
          });
        }
      }
      return value;
    },
  };
}

const expected = (from: number, to: number) =>
  new Map(
    SYMBOLS.flatMap((symbol) =>
      market.minutes
        .get(symbol)!
        .filter(({ time }) => time >= from && time + MINUTE_MS <= to)
        .map(({ time, open, close, volume }): [string, object] => [
          `${symbol} ${time}`,
          { open, close, volume },
        ]),
    ),
  );

const sorted = (rows: ReadonlyMap<string, object>) => [...rows].sort(([a], [b]) => (a < b ? -1 : 1));

describe('a session of Massive', () => {
  it('comes row for row as it was sent, also over cuts', async () => {
    const run = await streaming();
    await run.begin();
    const end = OPEN + 60 * MINUTE_MS;
    for (let at = OPEN + MINUTE_MS; at <= end; at += MINUTE_MS) {
      if ((at / MINUTE_MS) % 7 === 0) {
        const [isCut, isAgain] = [run.noted('cut'), run.double.subscribed()];
        run.double.sockets[0]!.cut();
        await isCut;
        await run.timers.advance(1_000);
        await isAgain;
        await run.double.taken();
      } else {
        run.double.push(run.double.barsOf(at));
        await run.double.taken();
      }
      await run.minute();
    }
    expect(sorted(run.rows)).toEqual(sorted(expected(OPEN - 2 * MINUTE_MS, end)));
    expect(run.live).toMatchObject({ gaps: 0, isConnected: true });
    expect(run.double.upgrades).toBe(10);
  });

  it('leaves its place to another program for a minute, and says so', async () => {
    const run = await streaming();
    await run.begin();
    const isTaken = run.noted('Another program took the stream of this key');
    const other = new WebSocket(`${run.double.access.streamUrl}/stocks`);
    onTestFinished(() => other.close());
    other.onopen = () => other.send(JSON.stringify({ action: 'auth', params: run.double.apiKey }));
    await isTaken;
    await run.timers.advance(59_000);
    expect(run.double.upgrades).toBe(2);
    const isAgain = run.double.subscribed();
    await run.timers.advance(1_000);
    await isAgain;
  });

  it('tells of halts', async () => {
    const run = await streaming();
    await run.begin();
    const [symbol] = SYMBOLS;
    const from = OPEN + 10_000;
    run.double.push([{ ev: 'LULD', T: symbol, h: 2, l: 1, i: [17], z: 3, t: from * 1e6, q: 1 }]);
    run.double.push([{ ev: 'LULD', T: symbol, h: 2, l: 1, i: [18], z: 3, t: from + 300_000, q: 2 }]);
    await run.double.taken();
    const { deliveries } = await run.minute();
    const facts = deliveries.flatMap((delivery) => (delivery.kind === 'facts' ? delivery.facts : []));
    expect(facts.map(({ value }) => value)).toEqual([
      { from, to: null, reason: null },
      { from, to: from + 300_000, reason: null },
    ]);
  });

  it('ends with a wrong key in one sentence and connects no more', async () => {
    const run = await streaming({ apiKey: 'wrong-key' });
    const isNoted = run.noted('Massive refuses the key of MASSIVE_API_KEY on its stream');
    run.ask();
    await isNoted;
    await run.timers.advance(20 * MINUTE_MS);
    expect(run.double.upgrades).toBe(1);
    expect(run.notes.join()).not.toContain('wrong-key');
  });
});

describe('calls to Massive', () => {
  const asked = { symbols: SYMBOLS, from: session.preOpen, to: session.postClose, isPast: true };

  it('bring every row once, page by page', async () => {
    const { double, vendor } = await connected(session.end, { pageRows: 200 });
    const rows: VendorBar[] = [];
    for await (const page of vendor.bars({ ...asked, interval: '1m' }, NEVER)) rows.push(...page);
    const sent = SYMBOLS.flatMap((symbol) =>
      market.minutes
        .get(symbol)!
        .filter(({ time }) => time >= session.preOpen)
        .map((bar) => ({ symbol, ...bar })),
    );
    expect(rows).toEqual(sent);
    expect(double.calls.length).toBeGreaterThan(SYMBOLS.length * 2);
    expect(double.calls.join()).not.toContain(double.apiKey);
  });

  it('take days by their date', async () => {
    const { vendor } = await connected(session.end);
    const [symbol] = SYMBOLS as [string];
    const days = market.days.get(symbol)!;
    const span = { symbols: [symbol], from: days[0]!.time, to: days.at(-1)!.time, isPast: true };
    const pages = await Array.fromAsync(vendor.bars({ ...span, interval: '1d' }, NEVER));
    expect(pages.flat()).toEqual(days.map((bar) => ({ symbol, ...bar })));
  });

  it('take the days of many symbols date by date, each by one call', async () => {
    const { double, vendor } = await connected(session.end);
    const since = midnightUtc('2024-03-04');
    const span = { symbols: SYMBOLS, from: since, to: midnightUtc(DATE), isPast: true };
    const pages = await Array.fromAsync(vendor.bars({ ...span, interval: '1d' }, NEVER));
    const sent = SYMBOLS.flatMap((symbol) =>
      market.days
        .get(symbol)!
        .filter(({ time }) => time >= since)
        .map((bar) => ({ symbol, ...bar })),
    );
    expect(pages.flat()).toEqual(sent);
    expect(double.calls).toHaveLength(2);
  });

  it('tell under which tickers a company has traded', async () => {
    const [symbol] = SYMBOLS as [string];
    const renames = new Map([
      [
        symbol,
        [
          ['2012-05-18', 'FB'],
          ['2022-06-09', symbol],
        ] as const,
      ],
    ]);
    const { vendor } = await connected(session.end, {}, {}, { ...market, renames });
    const deliveries = await Array.fromAsync(vendor.profiles([symbol], OPEN, NEVER));
    const facts = deliveries.flatMap((delivery) => (delivery.kind === 'facts' ? delivery.facts : []));
    expect(facts.slice(1)).toEqual([
      {
        kind: 'listing',
        key: '2012-05-18',
        knownAt: Date.parse('2012-05-18T04:00:00Z'),
        value: { from: '2012-05-18', ticker: 'FB', exchange: null },
      },
      {
        kind: 'listing',
        key: '2022-06-09',
        knownAt: Date.parse('2022-06-09T04:00:00Z'),
        value: { from: '2022-06-09', ticker: symbol, exchange: null },
      },
    ]);
  });

  it('take the key to no other host', async () => {
    const { vendor } = await connected(session.end, { pageRows: 200, nextHost: 'elsewhere.example' });
    await expect(Array.fromAsync(vendor.bars({ ...asked, interval: '1m' }, NEVER))).rejects.toMatchObject({
      code: 'vendor_refused',
      message: 'Massive names an address at elsewhere.example, where the key is not sent.',
    });
  });

  it('refuse a wrong key in one sentence', async () => {
    const { vendor } = await connected(OPEN, {}, { apiKey: 'wrong-key' });
    await expect(vendor.check(fixedClock(OPEN))).rejects.toMatchObject({
      code: 'vendor_refused',
      message: expect.stringMatching(
        /^Massive refuses the key of MASSIVE_API_KEY at 127\.0\.0\.1:\d+: it answers 401/,
      ),
    });
  });
});
