import { describe, expect, it, onTestFinished } from 'vitest';
import { newYorkCalendar } from '../../../../src/base/calendar.ts';
import { fixedClock } from '../../../../src/base/clock.ts';
import { realTimers, SteppedTimers, type Timers } from '../../../../src/base/timers.ts';
import { alpacaVendor } from '../../../../src/live/vendors/alpaca.ts';
import type { AlpacaAccess } from '../../../../src/live/vendors/alpaca-messages.ts';
import type { Purpose, VendorBar } from '../../../../src/live/vendors/vendor.ts';
import { VendorHttp } from '../../../../src/live/vendors/vendor-http.ts';
import { AlpacaDouble, type AlpacaSettings } from '../../../support/vendors/alpaca.ts';
import { marketOfDouble } from '../../../support/vendors/market.ts';

const END = '2024-03-05';
const NOW = Date.parse('2024-03-06T15:00:00Z');
const market = await marketOfDouble(END, 30, 2);
const SYMBOLS = [...market.minutes.keys()].sort();
const NEVER = new AbortController().signal;

/** Timers on which every wait is over at once, and is noted. */
function hurried() {
  const waits: number[] = [];
  let now = NOW;
  const timers: Timers = {
    now: () => now,
    monotonic: () => now - NOW,
    after(delayMs, callback) {
      waits.push(delayMs);
      return realTimers.after(0, () => {
        now += delayMs;
        callback();
      });
    },
    every: () => () => {},
  };
  return { timers, waits };
}

async function connected(settings: AlpacaSettings = {}, access: Partial<AlpacaAccess> = {}) {
  const { timers, waits } = hurried();
  const double = new AlpacaDouble(market, timers.now, settings);
  await double.listen();
  onTestFinished(() => double.close());
  const wiring = { timers, random: () => 0.5 };
  return {
    double,
    waits,
    timers,
    vendor: alpacaVendor({ ...double.access, ...access }, wiring),
    http: new VendorHttp(
      {
        title: 'Alpaca',
        url: double.url,
        headers: { 'APCA-API-KEY-ID': double.keyId, 'APCA-API-SECRET-KEY': double.secretKey },
        secrets: [double.secretKey],
        callsPerMinute: 8,
      },
      wiring,
    ),
  };
}

describe('calls to a vendor', () => {
  it('wait as long as a 429 says, and go on with jitter after 5xx', async () => {
    const { double, http, waits } = await connected();
    double.faults.push({ status: 429, headers: { 'retry-after': '7' } }, { status: 503 }, { status: 500 });
    expect(await http.get('/v2/clock', {})).toHaveProperty('timestamp');
    expect(double.calls).toHaveLength(4);
    // Jitter first, then what is left of the seven seconds.
    expect(waits.slice(0, 2).reduce((sum, ms) => sum + ms)).toBe(7_000);
    expect(waits.slice(2)).toEqual([1_000, 2_000]);
  });

  it('wait until the reset that an answer states with its last call', async () => {
    const { double, http, waits } = await connected();
    const reset = String(NOW / 1_000 + 20);
    double.faults.push({
      status: 429,
      headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': reset },
    });
    await http.get('/v2/clock', {});
    expect(waits.reduce((sum, ms) => sum + ms)).toBe(20_000);
  });

  it('give up after some tries, with a sentence that holds no secret', async () => {
    const { double, http } = await connected();
    const message = 'no double-secret here';
    double.faults.push(...Array(6).fill({ status: 502, message }));
    await expect(http.get('/v2/clock', {})).rejects.toMatchObject({
      code: 'vendor_unavailable',
      message: expect.stringMatching(/^Alpaca at 127\.0\.0\.1:\d+ answers 502: no … here \(6 calls\)\.$/),
    });
  });

  it('stay within the calls of a minute, and leave some to what is urgent', async () => {
    const { double, http, waits } = await connected();
    for (let call = 0; call < 6; call++) await http.get('/v2/clock', {});
    expect(waits).toEqual([]);
    for (let call = 0; call < 2; call++) await http.get('/v2/clock', {}, { purpose: 'session' });
    expect(waits).toEqual([]);
    await http.get('/v2/clock', {});
    expect(waits).toEqual([60_000]);
    expect(double.calls).toHaveLength(9);
  });

  it('keep to a limit that a vendor states with a fraction', async () => {
    const { double, http, waits } = await connected();
    double.faults.push({ status: 503, headers: { 'x-ratelimit-limit': '2.5' } });
    for (let call = 0; call < 3; call++) await http.get('/v2/clock', {}, { purpose: 'session' });
    expect(double.calls).toHaveLength(4);
    expect(waits.filter((ms) => ms > 50_000)).toHaveLength(1);
  });

  it('are shared by back-fill and chains while both want some', async () => {
    const timers = new SteppedTimers(NOW);
    const double = new AlpacaDouble(market, timers.now);
    await double.listen();
    onTestFinished(() => double.close());
    const headers = { 'APCA-API-KEY-ID': double.keyId, 'APCA-API-SECRET-KEY': double.secretKey };
    const vendor = { title: 'Alpaca', url: double.url, headers, secrets: [], callsPerMinute: 8 };
    const http = new VendorHttp(vendor, { timers, random: () => 0.5 });
    const ask = (purpose: Purpose, count: number): Promise<unknown>[] =>
      Array.from({ length: count }, () => http.get('/v2/clock', {}, { purpose }));
    const filling = ask('back-fill', 12);
    const chains = ask('chains', 3);
    // Six of the eight calls of a minute are theirs; the other two are a session's.
    await Promise.all([...filling.slice(0, 6), ...ask('session', 2)]);
    expect(double.calls).toHaveLength(8);
    await timers.advance(60_000);
    await Promise.all([...filling.slice(0, 9), ...chains]);
    expect(double.calls).toHaveLength(14);
    await timers.advance(60_000);
    await Promise.all(filling);
  });

  it('take no key to another host', async () => {
    const { http } = await connected();
    await expect(http.get('https://elsewhere.example/v2/clock', {})).rejects.toMatchObject({
      code: 'vendor_refused',
      message: 'Alpaca names an address at elsewhere.example, where the key is not sent.',
    });
  });
});

describe('bars of Alpaca', () => {
  it('come page by page, every row once, whatever the size of the pages', async () => {
    const { double, vendor } = await connected({ pageRows: 700 });
    const session = newYorkCalendar().session(END)!;
    const asked = {
      symbols: SYMBOLS,
      interval: '1m',
      from: session.preOpen,
      to: session.postClose,
      isPast: true,
    } as const;
    const rows: VendorBar[] = [];
    for await (const page of vendor.bars(asked, NEVER)) rows.push(...page);
    const sent = SYMBOLS.flatMap((symbol) =>
      market.minutes
        .get(symbol)!
        .filter(({ time }) => time >= session.preOpen)
        .map((bar) => ({ symbol, ...bar })),
    );
    expect(rows).toEqual(sent);
    expect(double.calls).toHaveLength(Math.ceil(sent.length / 700));
  });

  it.each(['2023-03-10', '2023-03-13', '2023-11-03', '2023-11-06'])(
    'have the date of %s, a change of the clocks beside it',
    async (date) => {
      const bar = { time: Date.parse(date), open: 1, high: 2, low: 1, close: 2, volume: 3 };
      const { timers } = hurried();
      const double = new AlpacaDouble({ minutes: new Map(), days: new Map([['ACME', [bar]]]) }, timers.now);
      await double.listen();
      onTestFinished(() => double.close());
      const vendor = alpacaVendor(double.access, { timers, random: Math.random });
      const asked = {
        symbols: ['ACME'],
        interval: '1d',
        from: bar.time,
        to: bar.time,
        isPast: true,
      } as const;
      const pages = await Array.fromAsync(vendor.bars(asked, NEVER));
      expect(pages).toEqual([[{ symbol: 'ACME', ...bar }]]);
    },
  );
});

describe('the first calls to Alpaca', () => {
  const clock = fixedClock(NOW);

  it('pass with the right key, also while the vendor is busy', async () => {
    const { double, vendor } = await connected();
    await vendor.check(clock);
    double.faults.push({ status: 503 }, { status: 429 });
    await vendor.check(clock);
  });

  it.each([
    [
      'a wrong secret',
      { secretKey: 'wrong' },
      /^Alpaca refuses the key of ALPACA_KEY_ID at 127\.0\.0\.1:\d+: it answers 401: unauthorized\.\.$/,
    ],
    [
      'a host that is not there',
      { dataUrl: 'http://127.0.0.1:1' },
      /^ALPACA_DATA_URL is http:\/\/127\.0\.0\.1:1: Alpaca at 127\.0\.0\.1:1 does not answer/,
    ],
  ])('refuse %s in one sentence', async (_, access, sentence) => {
    const { vendor } = await connected({}, access);
    await expect(vendor.check(clock)).rejects.toMatchObject({
      code: 'vendor_refused',
      message: expect.stringMatching(sentence),
    });
  });

  it('refuse a host that answers as another service', async () => {
    const { double, vendor } = await connected();
    double.faults.push({ status: 404 });
    await expect(vendor.check(clock)).rejects.toMatchObject({
      message: expect.stringMatching(
        /^ALPACA_TRADING_URL is .*, which does not answer as Alpaca does: it answers 404/,
      ),
    });
  });

  it.each([
    [3_600_000, 'The clock of this machine is 3600 s ahead of that of Alpaca: set it.'],
    [-3_600_000, 'The clock of this machine is 3600 s behind that of Alpaca: set it.'],
  ])('refuse a clock that is off by %i ms', async (off, message) => {
    const { vendor } = await connected();
    await expect(vendor.check(fixedClock(NOW + off))).rejects.toMatchObject({
      code: 'vendor_refused',
      message,
    });
  });
});
