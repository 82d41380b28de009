import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { App } from '../../../src/app.ts';
import { midnightUtc, newYorkCalendar } from '../../../src/base/calendar.ts';
import { INCLUDE_FIELDS } from '../../../src/derive/compose.ts';
import type { Delivery } from '../../../src/market/feed.ts';
import { factOf } from '../../../src/market/validate-fact.ts';
import { syncGraph } from '../../../src/pipeline/graph-sync.ts';
import { bringStatesUpToDate } from '../../../src/pipeline/state-pass.ts';
import { findPeers } from '../../../src/pipeline/topology-pass.ts';
import { appOn, bring, freshMarket, freshStore, serverOf } from '../../support/app.ts';
import { chainDelivery } from '../../support/chain-service.ts';
import { newsAt, profileAt } from '../../support/chat-service.ts';
import { inFull, sampled } from '../../support/depth.ts';
import { alteredAfter, dailyBars, minuteBars, rowsBetween } from '../../support/market.ts';
import { factsOf, profileWith } from '../../support/reported.ts';
import { at } from '../../support/tape.ts';

/**
 * The first promise: an answer is a function of data no newer than the instant that it speaks for. Whatever is done to
 * the tape beyond that instant, the bytes stay.
 */

const ALL = [...INCLUDE_FIELDS.keys()].join();
const [FROM, TO] = ['2022-06-01', '2024-03-15'];
const calendar = newYorkCalendar();
const daily = dailyBars('ACME', FROM, TO);
const minutes = minuteBars('ACME', '2024-03-01', TO);
/** The rest of the market: benchmark symbols, and enough stocks for breadth and a sector. */
const OTHERS = ['SPY', '^VIX', ...Array.from({ length: 20 }, (_, at) => `${'BCDEFGH'[at % 7]}${at}`)];
const others = OTHERS.flatMap((symbol) => [
  dailyBars(symbol, FROM, TO),
  minuteBars(symbol, '2024-03-12', '2024-03-13'),
]);

async function answer(app: App, date: string): Promise<string> {
  const server = await serverOf(app);
  app.context.answers.forget(null);
  app.context.markets.clear();
  const response = await server.inject({ url: `/api/graph/v1/stocks/ACME?date=${date}&include=${ALL}` });
  expect(response.statusCode).toBe(200);
  return response.body;
}

/** What may become known after an instant: other bars, splits and dividends to come, a new company name. */
function futureOf(instant: number, factor: number): Delivery[] {
  const later = calendar.nextSession(calendar.tradeDateOf(instant))!;
  const profile = profileWith({ companyName: `Renamed ${factor}`, sector: 'Energy', exchange: 'NYSE' });
  return [
    alteredAfter(daily, midnightUtc(later), factor),
    alteredAfter(minutes, instant, factor),
    {
      kind: 'actions',
      symbol: 'ACME',
      actions: [
        { kind: 'split', exDate: midnightUtc(later), value: 1 + Math.round(factor * 8) },
        { kind: 'dividend', exDate: midnightUtc(later), value: factor },
      ],
    },
    factsOf('ACME', factOf('profile', instant + 1, profile)),
    ...othersAfter(instant, factor),
    ...OTHERS.map((symbol): Delivery => factsOf(symbol, factOf('profile', instant + 1, profile))),
    ...OTHERS.map((symbol): Delivery => {
      const split = { kind: 'split', exDate: midnightUtc(later), value: 1 + Math.round(factor * 8) } as const;
      return { kind: 'actions', symbol, actions: [split] };
    }),
  ];
}

/** The bars of the rest of the market, those that end after an instant made into something else. */
function othersAfter(instant: number, factor: number): Delivery[] {
  const date = calendar.tradeDateOf(instant);
  const firstDay = midnightUtc(instant < calendar.session(date)!.close ? date : calendar.nextSession(date)!);
  return others.map((delivery) =>
    alteredAfter(delivery, delivery.interval === '1d' ? firstDay : instant, factor),
  );
}

const store = await freshStore();

describe('an answer for a past date', () => {
  it('does not change by a byte, whatever happens after it', async () => {
    const app = await appOn(store, { TIGRAPH_NOW: '2024-03-18T12:00:00Z' });
    await bring(app, [daily, minutes, ...others]);
    const date = fc.constantFrom(...calendar.sessionsBetween('2024-02-27', '2024-03-12'));
    const factor = fc.double({ min: 0.2, max: 5, noNaN: true });
    await fc.assert(
      fc.asyncProperty(date, factor, fc.boolean(), async (tradeDate, by, stored) => {
        const instant = calendar.session(tradeDate)!.end;
        await bring(app, [daily, minutes, ...others]);
        await app.context.database.query('delete from corporate_action; delete from reported_fact');
        await findPeers(app.context, [tradeDate]);
        const before = await answer(app, tradeDate);
        expect(JSON.parse(before).peer_divergence_v1).not.toBeNull();
        await bring(app, futureOf(instant, by));
        if (stored) {
          await findPeers(app.context, [tradeDate]);
          await syncGraph(app.context, { kind: 'range', from: tradeDate, to: tradeDate });
        }
        expect(await answer(app, tradeDate)).toBe(before);
      }),
      { numRuns: inFull(8, 1) },
    );
  });

  it('does change when what came before or the rest of the market is altered, so that it could fail', async () => {
    const app = await appOn(store, { TIGRAPH_NOW: '2024-03-18T12:00:00Z' });
    await bring(app, [daily, minutes, ...others]);
    await app.context.database.query('delete from corporate_action; delete from reported_fact');
    const before = await answer(app, '2024-03-07');
    await bring(app, [alteredAfter(daily, midnightUtc('2024-03-06'), 1.01)]);
    const after = await answer(app, '2024-03-07');
    expect(after).not.toBe(before);
    await bring(app, othersAfter(calendar.session('2024-03-06')!.end, 0.1));
    expect(await answer(app, '2024-03-07')).not.toBe(after);
  });
});

describe('two tapes that say the same up to a session', () => {
  /** Stored by passes over both tapes; and one that a pass has stored of the first alone. */
  const [DATE, SPOT] = ['2024-03-07', '2024-03-05'];
  const instant = calendar.session(DATE)!.end;
  const later = midnightUtc(calendar.nextSession(DATE)!);
  const bars = [daily, minutes, ...others];
  const known: Delivery[] = [
    profileAt('ACME', at('2022-07-01', '12:00'), 'Acme'),
    ...OTHERS.map((symbol) => profileAt(symbol, at('2022-07-01', '12:00'), symbol)),
    newsAt(at(DATE, '10:00'), 'Acme opens a plant'),
    chainDelivery({ symbol: 'ACME', date: DATE, clock: '12:00', spot: 101 }),
  ];

  /** The endpoints that speak for a past date. */
  async function answersOf(app: App, date: string): Promise<Record<string, string>> {
    const server = await serverOf(app);
    const stock = `/api/graph/v1/stocks/ACME?date=${date}&include=${ALL}`;
    const get = async (url: string): Promise<string> => {
      app.context.answers.forget(null);
      app.context.markets.clear();
      const response = await server.inject({ url });
      expect(response.statusCode, response.body).toBe(200);
      return response.body;
    };
    const chat = `/api/graph/v1/chat/context?page_type=stock_detail&symbol=ACME&max_tokens=32000&date=${date}`;
    return {
      stock: await get(stock),
      peers: await get(`/api/graph/v1/stocks/ACME/peers?date=${date}`),
      chat: await get(chat),
      query: await get(`${chat}&query=opens+plant`),
    };
  }

  async function screenOf(app: App): Promise<string> {
    const server = await serverOf(app);
    const response = await server.inject({
      method: 'POST',
      url: '/api/graph/v1/screener',
      payload: {
        date: DATE,
        filter: { field: 'last_price', op: '>', value: 0 },
        select: ['last_price', 'confluence_score', 'technical.rsi_14', 'peer_divergence_v1.composite'],
        sort: [{ field: 'peer_divergence_v1.composite', order: 'desc' }],
      },
    });
    expect(response.statusCode, response.body).toBe(200);
    expect(response.json().rows.length).toBeGreaterThan(15);
    return response.body;
  }

  it('answer for it and before it in the same bytes, whatever lies after it and in whatever order it came', async () => {
    const app = await appOn(store, { TIGRAPH_NOW: '2024-03-18T12:00:00Z' });
    await bring(app, [
      ...bars,
      ...known,
      chainDelivery({ symbol: 'ACME', date: '2024-03-08', clock: '12:00', spot: 110 }),
      newsAt(instant + 60_000, 'Acme closes a plant'),
    ]);
    await app.context.database.query('delete from corporate_action');
    await syncGraph(app.context, { kind: 'range', from: SPOT, to: DATE });
    await bringStatesUpToDate(app.context);
    const snapshots = [await answersOf(app, DATE), await answersOf(app, SPOT), await screenOf(app)] as const;
    expect(JSON.parse(snapshots[0].chat!).historical_analogs).not.toEqual([]);
    const other = await freshMarket({ TIGRAPH_NOW: '2024-03-18T12:00:00Z' }, [
      ...bars.map((delivery) => rowsBetween(delivery, 0, delivery.interval === '1d' ? later : instant)),
      ...known,
    ]);
    await syncGraph(other.context, { kind: 'touched' });
    await bringStatesUpToDate(other.context);
    const early = [await answersOf(other, DATE), await screenOf(other)];
    // Of some symbols nothing comes after it, of the others twice something else.
    for (const factor of [1.7, 0.6]) {
      await bring(
        other,
        futureOf(instant, factor).filter((one) => 'symbol' in one && !one.symbol.endsWith('3')),
      );
    }
    await bring(other, [chainDelivery({ symbol: 'ACME', date: '2024-03-11', clock: '15:00', spot: 90 })]);
    await syncGraph(other.context, { kind: 'touched' });
    await syncGraph(other.context, { kind: 'range', from: '2024-03-12', to: '2024-03-13' });
    await syncGraph(other.context, { kind: 'range', from: DATE, to: DATE });
    await bringStatesUpToDate(other.context);
    const late = [await answersOf(other, DATE), await answersOf(other, SPOT), await screenOf(other)];
    expect(early).toEqual([snapshots[0], snapshots[2]]);
    expect(late).toEqual(snapshots);
  });
});

describe('an answer while the session runs', () => {
  it.each(sampled(['09:31', '09:52', '10:45', '12:10', '15:59', '16:30'], 6))(
    'at %s and a quarter of an hour shows the delayed caller nothing newer',
    async (clock) => {
      const instant = at('2024-03-12', clock);
      const now = new Date(instant + 15 * 60_000).toISOString();
      const app = await appOn(store, { TIGRAPH_NOW: now });
      await bring(app, [daily, minutes, ...others]);
      await app.context.database.query('delete from corporate_action; delete from reported_fact');
      const before = await answer(app, '2024-03-12');
      await bring(app, [
        ...futureOf(instant, 1.7),
        alteredAfter(daily, midnightUtc('2024-03-12'), clock < '16:00' ? 1.7 : 1),
      ]);
      expect(await answer(app, '2024-03-12')).toBe(before);
      expect(Date.parse(JSON.parse(before).updated_at)).toBeLessThanOrEqual(instant);
    },
  );
});
