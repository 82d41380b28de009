import { expect } from 'vitest';
import type { App } from '../../src/app.ts';
import { marketInstant } from '../../src/base/as-of.ts';
import { fixedClock, type PacedClock, steppingClock } from '../../src/base/clock.ts';
import { unpackText } from '../../src/base/packed-text.ts';
import { sessionFromTape, type TapedSession } from '../../src/live/replay-from-tape.ts';
import type { Delivery, LiveFeed, LiveMinute } from '../../src/market/feed.ts';
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

/** By symbol the facts that are always served, derived at an instant from the whole tape of a store. */
export async function coldCore(
  { context }: App,
  symbols: readonly string[],
  tradeDate: string,
  asOf: number,
): Promise<Map<string, string>> {
  const { tape, deriver, calendar } = context;
  const instant = { tradeDate, asOf: marketInstant(calendar.session(tradeDate)!, asOf) };
  const { marketTapes } = tape.ofMarket(await tape.marketOf(symbols));
  const [snapshot] = await deriver.market({ tapes: await marketTapes([instant]), days: [instant] });
  const bare = await tape.symbolTapes(symbols);
  const tapes = await tape.withFacts(bare.map((one) => ({ tape: one, from: asOf, to: asOf })));
  const outcomes = await deriver.derive(
    tapes.map((one) => ({ tape: one, days: [{ tradeDate, asOf }] })),
    { markets: { [tradeDate]: JSON.parse(snapshot!.text) } },
  );
  return new Map(
    outcomes.flatMap((outcome) =>
      outcome.kind === 'derived' ? [[outcome.symbol, outcome.facts.core!] as const] : [],
    ),
  );
}

/** By symbol what is stored of a trade date as of an instant. */
export async function storedCore(
  { context }: App,
  tradeDate: string,
  asOf: number,
): Promise<Map<string, string>> {
  const rows = await context.database.query<{ symbol: string; value: Buffer }>(
    `select d.symbol, f.value from stock_day d
     join fact f on f.symbol = d.symbol and f.trade_date = d.trade_date and f.block = 'core'
     where d.trade_date = $1::date and d.as_of = $2::timestamptz`,
    [tradeDate, new Date(asOf).toISOString()],
  );
  return new Map(rows.map(({ symbol, value }) => [symbol, unpackText(value)]));
}

/**
 * Plays a feed on a seeded store without waiting and compares after every minute what is stored with what the whole tape
 * of another store yields at that instant, byte for byte.
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
  const report = await runLiveSession(played.context, feed, {
    async onMinute({ at, failed }) {
      expect(failed).toEqual([]);
      const stored = await storedCore(played, feed.tradeDate, at);
      if (stored.size === 0) return;
      const cold = await coldCore(whole, [...stored.keys()], feed.tradeDate, at);
      for (const [symbol, core] of stored) {
        if (core !== cold.get(symbol)) {
          expect(JSON.parse(`{${core}}`), `${symbol} at ${new Date(at).toISOString()}`).toEqual(
            JSON.parse(`{${cold.get(symbol)}}`),
          );
        }
        expect(core).toBe(cold.get(symbol));
        compared++;
      }
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
