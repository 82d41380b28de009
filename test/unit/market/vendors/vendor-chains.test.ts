import { describe, expect, it, onTestFinished } from 'vitest';
import { newYorkCalendar } from '../../../../src/base/calendar.ts';
import { clockOn } from '../../../../src/base/clock.ts';
import { nextTurn, SteppedTimers } from '../../../../src/base/timers.ts';
import { alpacaVendor } from '../../../../src/live/vendors/alpaca.ts';
import type { Vendor } from '../../../../src/live/vendors/vendor.ts';
import { VendorChains } from '../../../../src/live/vendors/vendor-chains.ts';
import type { OptionChain } from '../../../../src/market/chains.ts';
import { idleLiveStatus } from '../../../../src/market/feed.ts';
import { AlpacaDouble, type AlpacaSettings } from '../../../support/vendors/alpaca.ts';
import { contractsOf } from '../../../support/vendors/contracts.ts';
import { FEEDS, type FeedOfVendor } from '../../../support/vendors/index.ts';

const MINUTE_MS = 60_000;
const calendar = newYorkCalendar();
const session = calendar.session('2024-03-05')!;
const SYMBOLS = ['AAPL', 'MSFT', 'NVDA'];
const SPOT = 170;
const market = {
  minutes: new Map(),
  days: new Map(),
  // One without options.
  options: (symbol: string, at: number) =>
    symbol === 'NVDA' ? [] : contractsOf(symbol, SPOT, (at - session.midnight) / MINUTE_MS),
};
const random = (): number => 0.5;

/** The chains of a session, minute by minute. */
async function following(open: FeedOfVendor['open'], from: number) {
  const timers = new SteppedTimers(from);
  const [double, vendorOf] = open(market, timers, { pageRows: 7 });
  await double.listen();
  onTestFinished(() => double.close());
  const live = idleLiveStatus();
  const notes: string[] = [];
  const note = (says: string): void => void notes.push(says);
  const viewedAt = new Map<string, number>();
  const ground = { tape: null as never, calendar, clock: clockOn(timers), live, viewedAt, note };
  const vendor = vendorOf();
  let asking: Promise<unknown> = Promise.resolve();
  const watched: Vendor = {
    ...vendor,
    chain(...about) {
      const answer = vendor.chain(...about);
      asking = Promise.allSettled([asking, answer]);
      return answer;
    },
  };
  const { signal } = new AbortController();
  const chains = new VendorChains({ vendor: watched, lagMs: 0, symbols: SYMBOLS, session, ground, signal });
  return {
    double,
    live,
    notes,
    /** What is known at the end of the next minute, once what was asked for at its begin has been answered. */
    async minute(): Promise<OptionChain[]> {
      await timers.advance(MINUTE_MS);
      const known = chains.take(timers.now());
      for (let before: unknown = null; before !== asking; ) {
        before = asking;
        await asking;
        await nextTurn();
      }
      return known.flatMap((delivery) => (delivery.kind === 'chain' ? delivery.chain : []));
    },
    view: (symbol: string) => viewedAt.set(symbol, timers.now()),
  };
}

describe.each(FEEDS.filter(({ has }) => has.chains))('option chains of $title', ({ open }) => {
  it('are asked for while somebody looks at their symbol, every 15 minutes, and of all after the close', async () => {
    const run = await following(open, session.open - MINUTE_MS);
    run.view('AAPL');
    run.view('NVDA');
    const taken: [number, string][] = [];
    for (let at = session.open; at <= session.open + 50 * MINUTE_MS; at += MINUTE_MS) {
      // Nobody looks at it after half an hour.
      if (at < session.open + 30 * MINUTE_MS) run.view('AAPL');
      for (const { symbol, takenAt } of await run.minute())
        taken.push([(takenAt - session.open) / MINUTE_MS, symbol]);
    }
    expect(taken).toEqual([
      [1, 'AAPL'],
      [16, 'AAPL'],
      [31, 'AAPL'],
    ]);
    // A symbol without options is asked for once.
    expect(run.double.calls.filter((path) => path.includes('NVDA'))).toHaveLength(1);
  });

  it('come whole over several pages, with open interest and the volume of the day', async () => {
    const run = await following(open, session.open);
    run.view('AAPL');
    expect(await run.minute()).toEqual([]);
    const [chain] = await run.minute();
    const at = session.open + MINUTE_MS;
    const sent = contractsOf('AAPL', SPOT, (at - session.midnight) / MINUTE_MS);
    const { takenAt, style, contracts } = chain!;
    expect([takenAt, style, contracts.strike.length]).toEqual([at, 'american', sent.length]);
    const rows = Array.from(contracts.strike, (strike, row) => ({
      expiration: new Date(contracts.expiration[row]!).toISOString().slice(0, 10),
      strike,
      right: contracts.right[row] === 1 ? 'call' : 'put',
      bid: contracts.bid[row],
      ask: contracts.ask[row],
      volume: contracts.volume[row],
      openInterest: contracts.openInterest[row],
    }));
    const inOrder = (all: readonly { expiration: string; strike: number; right: string }[]) =>
      all.toSorted((a, b) =>
        `${a.expiration}${a.strike}${a.right}` < `${b.expiration}${b.strike}${b.right}` ? -1 : 1,
      );
    expect(inOrder(rows)).toEqual(inOrder(sent.map(({ name: _name, ...contract }) => contract)));
  });

  it('are those of the close once the session is over, of every symbol once', async () => {
    const run = await following(open, session.close + 10 * MINUTE_MS);
    const taken: string[] = [];
    for (let minute = 0; minute < 20; minute++) {
      for (const { symbol, takenAt } of await run.minute()) {
        expect(takenAt).toBe(session.close + 16 * MINUTE_MS);
        taken.push(symbol);
      }
    }
    expect(taken).toEqual(['AAPL', 'MSFT']);
  });
});

describe('option chains that a plan lacks', () => {
  it('are asked for once, and that is said', async () => {
    const settings: AlpacaSettings = { hasOptions: false };
    const run = await following((_, timers) => {
      const double = new AlpacaDouble(market, timers.now, settings);
      return [double, () => alpacaVendor(double.access, { timers, random })];
    }, session.open);
    for (let minute = 0; minute < 20; minute++) {
      for (const symbol of SYMBOLS) run.view(symbol);
      await run.minute();
    }
    expect(run.double.calls).toHaveLength(1);
    expect(run.notes).toEqual([
      'Alpaca gives this key no option chains: it answers 403: subscription does not permit options',
    ]);
  });
});
