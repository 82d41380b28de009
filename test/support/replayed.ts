import { expect } from 'vitest';
import { getStock } from '../../src/api/stocks/get-stock.ts';
import type { App } from '../../src/app.ts';
import { marketInstant } from '../../src/base/as-of.ts';
import { fixedClock, type PacedClock, steppingClock } from '../../src/base/clock.ts';
import { PACKED_FIELDS, rowReader, SCREEN_CATALOGUE, TEXT_FIELDS } from '../../src/derive/projection.ts';
import type { ScreenRow } from '../../src/derive/stock-day.ts';
import { sessionFromTape, type TapedSession } from '../../src/live/replay-from-tape.ts';
import type { Delivery, LiveFeed, LiveMinute } from '../../src/market/feed.ts';
import type { MarketView } from '../../src/market/market-view.ts';
import { type LiveReport, runLiveSession } from '../../src/pipeline/live-session.ts';
import { importFeed } from '../../src/tape/ingest.ts';
import { openTestApp } from './app.ts';
import type { TestStore } from './database.ts';

/** Sessions of one store replayed on another, and the result that they must have. */

/** An app with a clock of the test's own. */
export const openAppAt = (store: TestStore, clock: PacedClock): Promise<App> =>
  openTestApp(store, {}, { clock });

/** A session off a tape, with all its symbols. */
export async function takeSession({ context }: App, tradeDate: string): Promise<TapedSession> {
  const session = context.calendar.session(tradeDate)!;
  return sessionFromTape(context.tape, context.calendar, session, await context.tape.symbols());
}

/** Puts what was known before a session on an empty store. */
export async function seedHistory(store: TestStore, { session, history }: TapedSession): Promise<void> {
  const app = await openAppAt(store, fixedClock(session.preOpen));
  for (const feed of history) await importFeed(app.context, feed);
  await app.context.tape.clearDirtyRanges(await app.context.tape.touched());
  await app.close();
}

/** Work on an instant from the whole tape of a store. */
async function coldJobs({ context }: App, symbols: readonly string[], tradeDate: string, asOf: number) {
  const { tape, deriver, calendar } = context;
  const instant = { tradeDate, asOf: marketInstant(calendar.session(tradeDate)!, asOf) };
  const { marketTapes } = tape.ofMarket(await tape.marketOf(symbols));
  const [snapshot] = await deriver.market({ tapes: await marketTapes([instant]), days: [instant] });
  const bare = await tape.symbolTapes(symbols);
  const tapes = await tape.withFacts(bare.map((one) => ({ tape: one, from: asOf, to: asOf })));
  return {
    jobs: tapes.map((one) => ({ tape: one, days: [{ tradeDate, asOf }] })),
    markets: { [tradeDate]: JSON.parse(snapshot!.text) as MarketView },
  };
}

type Cold<Value> = (
  whole: App,
  symbols: readonly string[],
  tradeDate: string,
  asOf: number,
) => Promise<Map<string, Value>>;

/** By symbol the facts that are always served, derived at an instant from the whole tape of a store. */
export const coldCore: Cold<string> = async (whole, ...of) => {
  const { jobs, ...options } = await coldJobs(whole, ...of);
  const outcomes = await whole.context.deriver.derive(jobs, options);
  return new Map(outcomes.flatMap((day) => (day.kind === 'derived' ? [[day.symbol, day.facts.core!]] : [])));
};

export type Numbers = Readonly<Record<string, unknown>>;

/** By symbol the numbers that are derived at an instant from the whole tape of a store. */
export const coldNumbers: Cold<Numbers> = async (whole, ...of) => {
  const { jobs, ...options } = await coldJobs(whole, ...of);
  const outcomes = await whole.context.deriver.deriveScreens(jobs, options);
  return new Map(
    outcomes.flatMap((day) => (day.kind === 'derived' ? [[day.symbol, numbersOf(day.screen)]] : [])),
  );
};

/** By symbol the numbers that are stored of a trade date as of an instant. */
export async function storedNumbers(
  { context }: App,
  tradeDate: string,
  asOf: number,
): Promise<Map<string, Numbers>> {
  const rows = await context.database.query<Pick<ScreenRow, 'packed' | 'texts'> & { symbol: string }>(
    `select d.symbol, r.packed, r.texts from stock_day d
     join screen_row r on r.symbol = d.symbol and r.trade_date = d.trade_date and r.as_of = d.as_of
     where d.trade_date = $1::date and d.as_of = $2::timestamptz`,
    [tradeDate, new Date(asOf).toISOString()],
  );
  return new Map(rows.map(({ symbol, ...row }) => [symbol, numbersOf(row)]));
}

const read = rowReader(SCREEN_CATALOGUE.fields);

function numbersOf({ packed, texts }: Pick<ScreenRow, 'packed' | 'texts'>): Numbers {
  const numbers: Record<string, unknown> = {};
  read.numbers(packed, (field, value) => {
    numbers[PACKED_FIELDS[field]!.path] = value;
  });
  for (const [field, text] of read.texts(texts).entries()) numbers[TEXT_FIELDS[field]!.path] = text;
  return numbers;
}

/**
 * Plays a feed on a seeded store without waiting. After every minute what is stored, and what a caller with the real-time
 * feed gets of one stock before the close, equals what the whole tape of another store yields at that instant.
 *
 * @param onMinute called after the comparison
 * @returns the report of the session, and how many stock-days were compared
 */
export async function playAndCompare(
  played: App,
  whole: App,
  feed: LiveFeed,
  onMinute: (at: number) => Promise<void> = async () => {},
): Promise<{ readonly report: LiveReport; readonly compared: number }> {
  let compared = 0;
  const { close } = played.context.calendar.session(feed.tradeDate)!;
  const viewer = { source: 'realtime_sip', delayMs: 0, symbols: null } as const;
  const report = await runLiveSession(played.context, feed, {
    async onMinute({ at, failed }) {
      expect(failed).toEqual([]);
      const stored = await storedNumbers(played, feed.tradeDate, at);
      const symbols = [...stored.keys()];
      if (symbols.length === 0) return;
      expect(stored).toEqual(await coldNumbers(whole, symbols, feed.tradeDate, at));
      // After the close its peers wait for a pass.
      if (at < close) {
        const symbol = symbols[compared % symbols.length]!;
        const request = { symbol, includes: [], date: feed.tradeDate };
        const { body } = await getStock(played.context, request, viewer);
        const core = (await coldCore(whole, [symbol], feed.tradeDate, at)).get(symbol);
        expect(body.toString().startsWith(`{${core},`), `${symbol} at ${new Date(at).toISOString()}`).toBe(
          true,
        );
      }
      compared += symbols.length;
      await onMinute(at);
    },
  });
  return { report, compared };
}

/** A clock at the beginning of a session that advances as fast as the session is processed. */
export const clockFor = ({ session }: Pick<TapedSession, 'session'>): PacedClock =>
  steppingClock(session.preOpen);

/** The feed with its minutes transformed. */
export function withMinutes(
  feed: LiveFeed,
  transform: (minutes: AsyncIterable<LiveMinute>) => AsyncIterable<LiveMinute>,
): LiveFeed {
  return { ...feed, minutes: (after, signal) => transform(feed.minutes(after, signal)) };
}

/** Delivers a selected minute only; the deliveries of the others come with the next selected one. */
export const inSteps = (feed: LiveFeed, isSelected: (at: number) => boolean): LiveFeed =>
  withMinutes(feed, async function* (minutes) {
    let deliveries: Delivery[] = [];
    let since: number | undefined;
    for await (const minute of minutes) {
      since ??= minute.since ?? minute.at - 60_000;
      deliveries = [...deliveries, ...minute.deliveries];
      if (!isSelected(minute.at)) continue;
      yield { at: minute.at, since, deliveries };
      deliveries = [];
      since = undefined;
    }
  });
