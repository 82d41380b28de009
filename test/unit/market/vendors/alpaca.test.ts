import { describe, expect, it, onTestFinished } from 'vitest';
import { newYorkCalendar } from '../../../../src/base/calendar.ts';
import { clockOn } from '../../../../src/base/clock.ts';
import { nextTurn, SteppedTimers } from '../../../../src/base/timers.ts';
import { alpacaVendor } from '../../../../src/live/vendors/alpaca.ts';
import type { AlpacaAccess } from '../../../../src/live/vendors/alpaca-messages.ts';
import { vendorSession } from '../../../../src/live/vendors/vendor-minutes.ts';
import { Admission } from '../../../../src/market/admit.ts';
import { type Delivery, idleLiveStatus, type LiveMinute } from '../../../../src/market/feed.ts';
import type { Bar } from '../../../../src/market/observations.ts';
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
/** The longest wait before a reconnect here, and less than a handshake may take. */
const RECONNECT_MS = 8_000;

/** A session of the double's market from an instant on, in stepped time. */
async function streaming(
  from: number,
  settings: AlpacaSettings = {},
  access: Partial<AlpacaAccess> = {},
  of: MarketOfDouble = market,
  symbols: readonly string[] = SYMBOLS,
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
  const heard: { readonly text: string; readonly tell: () => void }[] = [];
  const note = (says: string): void => {
    notes.push(says);
    for (const { text, tell } of heard) if (says.includes(text)) tell();
  };
  const live = idleLiveStatus();
  const clock = clockOn(timers);
  const vendor = alpacaVendor({ ...double.access, ...access }, { timers, random: () => 0.5 });
  const ground = { tape: null as never, calendar, clock, live, viewedAt: new Map(), note };
  const subscribed = double.subscribed();
  const minutes = vendorSession({ vendor, lagMs: 0, symbols, session, ground }).minutes(from, ended.signal);
  const iterator = minutes[Symbol.asyncIterator]();
  let asked: Promise<IteratorResult<LiveMinute>> | null = null;
  const ask = (): Promise<IteratorResult<LiveMinute>> => {
    asked ??= iterator.next();
    // It ends with an error when the test does.
    asked.catch(() => {});
    return asked;
  };
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
    /** Resolves with the next line of the log that has a text. */
    noted: (text: string) => new Promise<void>((tell) => void heard.push({ text, tell })),
    /** Begins, and resolves with the subscription. */
    async begin(): Promise<void> {
      ask();
      await subscribed;
      await double.taken();
    },
    ask,
    /** Goes to the end of the next minute and takes what the session yields. */
    async minute(): Promise<LiveMinute> {
      ask();
      // A reconnect may have taken some seconds of the minute.
      await timers.advance(MINUTE_MS - ((timers.now() - 2_000) % MINUTE_MS));
      const { value } = await ask();
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
  // IEX knows its own shares, which are not those of the stock.
  return new Map(own.map((bar) => [`${bar.symbol} ${bar.time}`, { ...bar, volume: Number.NaN }]));
}

const sorted = (rows: ReadonlyMap<string, Bar>) => [...rows].sort(([a], [b]) => (a < b ? -1 : 1));

/** A number from 0 to 1, the same in every run. */
function draws(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

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
    expect(run.live).toMatchObject({ isConnected: true, gaps: 0 });
  });

  it.each([1, 2, 3, 4, 5])(
    'loses nothing to cuts, half frames, repetitions and disorder (%i)',
    async (seed) => {
      const draw = draws(seed * 7_919);
      const run = await streaming(OPEN);
      await run.begin();
      const { double } = run;
      const end = OPEN + 80 * MINUTE_MS;
      for (let at = OPEN + MINUTE_MS; at <= end; at += MINUTE_MS) {
        const bars = double.barsOf(at);
        const fault = draw();
        if (fault < 0.15) bars.reverse();
        if (fault > 0.1 && fault < 0.3) bars.push(...bars, ...double.barsOf(at - MINUTE_MS));
        const isCut = fault > 0.7;
        const isAgain = isCut ? double.subscribed() : null;
        const isNoted = isCut ? run.noted('cut') : null;
        if (fault > 0.9) double.sockets[0]!.sendHalf(JSON.stringify(bars));
        else if (fault > 0.8) double.sockets[0]!.cut();
        else {
          double.push(bars);
          await double.taken();
          if (isCut) double.sockets[0]!.close(1011);
        }
        if (isCut) {
          await isNoted;
          await run.timers.advance(RECONNECT_MS);
          await isAgain;
          await double.taken();
        }
        await run.minute();
      }
      expect(double.upgrades).toBeGreaterThan(10);
      expect(sorted(run.rows)).toEqual(sorted(expected(OPEN - 2 * MINUTE_MS, end)));
      expect(run.live.gaps).toBe(0);
      expect(run.live.holesFilled).toBeGreaterThan(10);
      for (const [index, { since }] of run.seen.entries()) {
        expect(since).toBe(index === 0 ? OPEN : run.seen[index - 1]!.at);
      }
    },
  );

  it('holds minutes back while neither stream nor calls answer, and brings them when they do', async () => {
    const run = await streaming(OPEN);
    await run.begin();
    await run.minute();
    const { double } = run;
    const isDown = run.noted('does not answer as');
    double.refusedUpgrades.push(...Array(20).fill(503));
    double.faults.push(...Array(6).fill({ status: 503 }));
    const isCut = run.noted('cut');
    double.sockets[0]!.cut();
    await isCut;
    run.ask();
    let calls = double.calls.length;
    void isDown;
    for (; double.faults.length > 0; calls = double.calls.length) {
      await run.timers.advance(5_000);
      while (double.calls.length === calls && double.faults.length > 0) await run.timers.advance(5_000);
    }
    const minute = await run.minute();
    expect(minute.since).toBe(OPEN + MINUTE_MS);
    expect(sorted(run.rows)).toEqual(sorted(expected(OPEN - 2 * MINUTE_MS, minute.at)));
  });

  it('tells of a gap where the plan opens no history, and does not cover it', async () => {
    const run = await streaming(OPEN, {}, { feed: 'sip' });
    await run.begin();
    await run.minute();
    const isAgain = run.double.subscribed();
    const isCut = run.noted('cut');
    run.double.sockets[0]!.cut();
    await isCut;
    run.ask();
    await run.timers.advance(30_000);
    await isAgain;
    await run.double.taken();
    await run.timers.advance(150_000 - 30_000);
    const minute = await run.minute();
    expect(minute.since).toBe(minute.at - MINUTE_MS);
    expect(run.notes).toContain('a gap in the stream cannot be filled');
    expect(run.live.gaps).toBe(2);
  });

  it('connects again when the stream is mute while others trade', async () => {
    const run = await streaming(OPEN);
    await run.begin();
    run.double.isMute = true;
    for (let minute = 0; minute < 3; minute++) await run.minute();
    expect(run.double.upgrades).toBe(1);
    run.double.isMute = false;
    const isAgain = run.double.subscribed();
    await run.minute();
    expect(run.notes).toContain('the stream was silent while others traded; it connects again');
    await run.timers.advance(1_000);
    await isAgain;
  });

  it('takes updated bars, and asks again for symbols with corrected or cancelled trades, also hours later', async () => {
    const minutes = new Map([...market.minutes].map(([symbol, bars]) => [symbol, [...bars]]));
    const late = OPEN + 180 * MINUTE_MS;
    const run = await streaming(late, {}, {}, { ...market, minutes });
    await run.begin();
    await run.minute();
    const [first, second] = SYMBOLS as [string, string];
    const old = minutes.get(first)!.find(({ time }) => time >= OPEN + 10 * MINUTE_MS)!;
    const updated = { ...old, high: old.high + 1 };
    run.double.push([{ T: 'u', S: first, ...wireBar(updated, old.time) }]);
    const own = minutes.get(second)!;
    const at = own.findIndex(({ time }) => time >= OPEN + 20 * MINUTE_MS);
    const corrected = { ...own[at]!, low: own[at]!.low - 1 };
    own[at] = corrected;
    run.double.push([
      { T: 'c', S: second, x: 'V', oi: 1, op: 1, os: 1, ci: 2, cp: 1, cs: 1, t: '2024-03-05T17:31:00Z' },
    ]);
    run.double.push([
      { T: 'x', S: second, i: '9007199254740993', x: 'V', p: 1, s: 1, a: 'C', t: '2024-03-05T17:31:00Z' },
    ]);
    await run.double.taken();
    await run.minute();
    expect(run.rows.get(`${first} ${old.time}`)).toMatchObject({ ...updated, volume: Number.NaN });
    expect(run.rows.get(`${second} ${corrected.time}`)).toMatchObject({ ...corrected, volume: Number.NaN });
  });

  it('tells of halts by the text of the status, and takes the silence in them for no gap', async () => {
    const run = await streaming(OPEN);
    await run.begin();
    await run.minute();
    const [symbol] = SYMBOLS as [string];
    const status = (sc: string, sm: string, t: string) => ({
      T: 's',
      S: symbol,
      sc,
      sm,
      rc: 'T1',
      rm: 'News Pending',
      z: 'C',
      t,
    });
    run.double.push([status('H', 'Trading Halt', '2024-03-05T14:31:10Z')]);
    run.double.push([status('Q', 'Quotation Resumption', '2024-03-05T14:40:00Z')]);
    run.double.push([status('T', 'Trading Resumption', '2024-03-05T14:45:00Z')]);
    await run.double.taken();
    const calls = run.double.calls.filter((path) => path.startsWith('/v2/stocks/bars')).length;
    const { deliveries } = await run.minute();
    const from = Date.parse('2024-03-05T14:31:10Z');
    const halts = deliveries.flatMap((delivery) => (delivery.kind === 'facts' ? delivery.facts : []));
    expect(halts).toEqual([
      { kind: 'halt', key: String(from), knownAt: from, value: { from, to: null, reason: 'News Pending' } },
      {
        kind: 'halt',
        key: String(from),
        knownAt: from + 830_000,
        value: { from, to: from + 830_000, reason: null },
      },
    ]);
    await run.minute();
    expect(run.live.gaps).toBe(0);
    expect(run.double.calls.filter((path) => path.startsWith('/v2/stocks/bars')).length - calls).toBeLessThan(
      2,
    );
  });

  it('brings the day only where all exchanges stream, and only when it is over', async () => {
    const from = session.close - 2 * MINUTE_MS;
    const run = await streaming(from, { opensSip: true }, { feed: 'sip' });
    await run.begin();
    const [symbol] = SYMBOLS as [string];
    const day = market.days.get(symbol)!.at(-1)!;
    run.double.push([{ T: 'd', S: symbol, ...wireBar(day, Date.parse('2024-03-05T05:00:00Z')) }]);
    await run.double.taken();
    const kinds = ({ deliveries }: LiveMinute) =>
      deliveries.filter((delivery) => delivery.kind === 'bars' && delivery.interval === '1d');
    expect(kinds(await run.minute())).toEqual([]);
    const [delivery] = kinds(await run.minute());
    expect(delivery).toMatchObject({
      symbol,
      columns: { time: Float64Array.of(day.time), volume: Float64Array.of(day.volume) },
    });
  });
});

describe('a minute of the whole market', () => {
  it('comes over in full, of 11,000 symbols, and is admitted', async () => {
    const symbols = Array.from(
      { length: 11_000 },
      (_, index) => `S${index.toString(36).toUpperCase()}`,
    ).sort();
    const bars = [OPEN, OPEN + MINUTE_MS, OPEN + 2 * MINUTE_MS].map((time) => {
      return { time, open: 10, high: 11, low: 9, close: 10.5, volume: 100 };
    });
    const minutes = new Map(symbols.map((symbol) => [symbol, bars]));
    const run = await streaming(
      OPEN + MINUTE_MS,
      { opensSip: true },
      { feed: 'sip' },
      { ...market, minutes },
      symbols,
    );
    await run.begin();
    await run.minute();
    run.double.push(run.double.barsOf(OPEN + 3 * MINUTE_MS));
    await run.double.taken();
    const calls = run.double.calls.length;
    const { at, deliveries } = await run.minute();
    const admission = new Admission(calendar);
    const admitted = deliveries.flatMap((one) => admission.admit(one, 'stream', { session, at }) ?? []);
    expect(admitted.map((one) => ('symbol' in one ? one.symbol : '')).sort()).toEqual(symbols);
    expect(admission.refused).toEqual([]);
    // News alone: no bar was asked for.
    expect(run.double.calls.slice(calls).every((path) => path.startsWith('/v1beta1/news'))).toBe(true);
  });
});

describe('what cannot be', () => {
  it('is refused with its reason, and the session goes on', async () => {
    const run = await streaming(OPEN);
    await run.begin();
    await run.minute();
    const [symbol] = SYMBOLS as [string];
    const t = new Date(OPEN + MINUTE_MS).toISOString();
    const bar = { T: 'b', S: symbol, o: 10, h: 11, l: 9, c: 10, v: 5, t };
    const { v: _, ...withoutVolume } = bar;
    run.double.push([
      { ...bar, o: '10' },
      withoutVolume,
      bar,
      { ...bar, o: 0, l: 0 },
      { ...bar, t: 'yesterday' },
      { ...bar, T: 's', sm: 'Trading Halt', t: 'yesterday' },
    ]);
    run.double.sockets[0]!.send('[{"T":"b",');
    run.double.sockets[0]!.send('{"T":"b"}');
    run.double.sockets[0]!.send(JSON.stringify([{ T: 'zz' }, 7]));
    run.double.sockets[0]!.send(Buffer.from([0xc1]));
    run.double.push(run.double.barsOf(OPEN + 2 * MINUTE_MS, SYMBOLS.slice(1)));
    await run.double.taken();
    const { at, deliveries } = await run.minute();
    const refused = deliveries.flatMap((one) => (one.kind === 'refused' ? [[one.reason, one.count]] : []));
    expect(refused).toEqual([
      ['not_a_number', 2],
      ['price_not_positive', 1],
      ['missing_value', 1],
      ['unknown_format', 4],
      ['unknown_kind', 1],
    ]);
    const admission = new Admission(calendar);
    const admitted = deliveries.flatMap((one) => admission.admit(one, 'stream', { session, at }) ?? []);
    expect(admitted.flatMap((one) => ('symbol' in one ? one.symbol : [])).sort()).toEqual(SYMBOLS);
    expect(admission.refused.find(({ reason }) => reason === 'bad_time')?.count).toBe(1);
  });

  it('is a session that never ends: a hole at its end is left to the record of the day', async () => {
    const run = await streaming(session.postClose - 2 * MINUTE_MS, { streamError: [409, 'no'] });
    run.double.faults.push(...Array(1_000).fill({ status: 403 }));
    const isNoted = run.noted('has no stream');
    const minute = run.ask();
    await isNoted;
    let isOver = false;
    void minute.then(() => {
      isOver = true;
    });
    for (let passed = 0; !isOver; passed++) {
      expect(passed).toBeLessThan(20);
      const answered = run.double.calls.length;
      await run.timers.advance(MINUTE_MS);
      while (!isOver && run.double.calls.length === answered) await nextTurn();
    }
    expect((await minute).done).toBe(true);
    expect(run.double.calls.length).toBeLessThan(20);
  });
});

describe('refusals of Alpaca', () => {
  it.each([
    ['another secret', {}, { secretKey: 'wrong' }, 'refuses the key of ALPACA_KEY_ID'],
    [
      'a feed outside the plan',
      { streamError: [409, 'insufficient subscription'] },
      {},
      'has no stream of ALPACA_FEED=iex',
    ],
    [
      'a key of too narrow scope',
      { streamError: [411, 'insufficient scope'] },
      {},
      'has no stream of ALPACA_FEED=iex',
    ],
    ['too many symbols', { symbolsMax: 2, limitsBars: true }, {}, 'streams no 4 symbols to this key'],
  ] as const)('says one sentence for %s and connects no more', async (_, settings, access, sentence) => {
    const run = await streaming(OPEN, settings, access);
    const isNoted = run.noted(sentence);
    run.ask();
    await isNoted;
    await run.timers.advance(20 * MINUTE_MS);
    expect(run.double.upgrades).toBe(1);
    expect(run.notes.filter((line) => line.includes(sentence))).toHaveLength(1);
    expect(run.notes.join()).not.toMatch(/wrong|double-secret/);
  });

  it('streams without trades where the plan has too few symbols for them', async () => {
    const run = await streaming(OPEN, { symbolsMax: 2 });
    await run.begin();
    run.double.push(run.double.barsOf(OPEN + MINUTE_MS));
    await run.double.taken();
    await run.minute();
    expect(run.live.isConnected).toBe(true);
  });

  it('waits 90 s before it takes an earlier connection for a second program', async () => {
    const run = await streaming(OPEN, { connectionsMax: 0 });
    let isSaid = run.noted('connection limit exceeded');
    run.ask();
    for (const seconds of [10, 10, 10, 10, 10, 16, 30]) {
      await isSaid;
      expect(run.notes.at(-1)).toContain('still holds the place of an earlier connection');
      isSaid = run.noted('connection limit exceeded');
      await run.timers.advance(seconds * 1_000);
    }
    await isSaid;
    expect(run.notes.at(-1)).toContain('A second program streams with this key');
    expect(run.double.upgrades).toBe(8);
  });

  it('connects again with growing jitter after refused upgrades', async () => {
    const run = await streaming(OPEN);
    run.double.refusedUpgrades.push(429, 503, 429);
    let isNoted = run.noted('refused (');
    run.ask();
    for (const [index, wait] of [500, 1_000, 2_000].entries()) {
      await isNoted;
      expect(run.double.upgrades).toBe(index + 1);
      isNoted = index < 2 ? run.noted('refused (') : run.noted('the stream runs');
      await run.timers.advance(wait - 1);
      expect(run.double.upgrades).toBe(index + 1);
      await run.timers.advance(1);
    }
    await isNoted;
    expect(run.double.upgrades).toBe(4);
  });

  it('connects no earlier than a refused upgrade asks', async () => {
    const run = await streaming(OPEN);
    run.double.refusedUpgrades.push([429, 25]);
    const isNoted = run.noted('the connection was refused (429)');
    run.ask();
    await isNoted;
    expect(run.live.says).toBe('the connection was refused (429)');
    const isSubscribed = run.double.subscribed();
    await run.timers.advance(24_999);
    expect(run.double.upgrades).toBe(1);
    await run.timers.advance(1);
    await isSubscribed;
    expect(run.double.upgrades).toBe(2);
  });
});
