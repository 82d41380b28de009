import { describe, expect, it } from 'vitest';
import { NEVER } from '../../../src/base/abortable.ts';
import { Scope } from '../../../src/base/scope.ts';
import { SteppedTimers } from '../../../src/base/timers.ts';
import { monthsBefore } from '../../../src/graph/months.ts';
import { keepGraphFresh } from '../../../src/pipeline/background-pass.ts';
import { syncGraph } from '../../../src/pipeline/graph-sync.ts';
import { openRetention } from '../../../src/pipeline/retention.ts';
import { bring, freshApp } from '../../support/app.ts';
import { newsDelivery } from '../../support/news-market.ts';
import { PEER_SYMBOLS, peerMarket } from '../../support/peer-market.ts';
import { factsOf, profileWith } from '../../support/reported.ts';
import { fact, instant } from '../../support/views.ts';

/** What goes with months that are no longer kept, and what an old day answers from then on. */

const OLD = '2024-01-31';
const KEPT = ['2024-02-28', '2024-03-13'];
const SETTINGS = { TIGRAPH_NOW: '2024-03-16T12:00:00Z' };

const DATED = ['fact', 'screen_row', 'stock_day', 'peer_day', 'peer_session', 'market_day'];

/** By table the trade dates that it has rows of. */
async function datesOf(): Promise<Record<string, string[]>> {
  const dates: Record<string, string[]> = {};
  for (const table of DATED) {
    const rows = await app.context.database.query<{ date: string }>(
      `select distinct trade_date::text as date from ${table} order by 1`,
    );
    dates[table] = rows.map((row) => row.date);
  }
  return dates;
}

const onDates = (...dates: string[]) => Object.fromEntries(DATED.map((table) => [table, dates]));

async function nodes(): Promise<string[]> {
  const rows = await app.context.database.query<{ node: string }>(
    `select label || ' ' || key as node from node order by 1`,
  );
  return rows.map(({ node }) => node);
}

/** Whole answers of every stock, once their peers are measured. */
async function answersOf(date: string): Promise<string[]> {
  const server = await app.server();
  const answerOf = async (symbol: string): Promise<string> => {
    const url = `/api/graph/v1/stocks/${symbol}?date=${date}&include=levels,patterns`;
    const { statusCode, body } = await server.inject({ url });
    expect(statusCode, body).toBe(200);
    return body;
  };
  const read = () => Promise.all(PEER_SYMBOLS.map(answerOf));
  await app.idle();
  await read();
  await app.idle();
  const bodies = await read();
  await server.close();
  return bodies;
}

const { app } = await freshApp({ ...SETTINGS, TIGRAPH_KEEP_MONTHS: '1' });
const news = { symbol: 'A0', at: `${OLD}T17:00:00Z`, headline: 'A0 opens a plant' };
await bring(app, [...peerMarket('2023-01-03', KEPT.at(-1)!), newsDelivery(news)]);
for (const date of [OLD, ...KEPT]) await syncGraph(app.context, { kind: 'range', from: date, to: date });
await syncGraph(app.context, { kind: 'touched' });
const wholeAnswers = await answersOf(OLD);

describe('stock-days before the months that are kept', () => {
  it('stay while no setting says how many are kept', async () => {
    await openRetention({ ...app.context, keepMonths: undefined })(NEVER);
    expect(await datesOf()).toEqual(onDates(OLD, ...KEPT));
  });

  it('go in the background, with facts, relations, markets and peers', async () => {
    const before = await nodes();
    const isGone = (node: string): boolean => node.includes(OLD);
    // The stock-days, their session, and the news that no other day leads to.
    expect(before.filter(isGone)).toHaveLength(PEER_SYMBOLS.length + 2);
    const timers = new SteppedTimers();
    const scope = new Scope('passes', timers);
    await keepGraphFresh(scope, app.context, (error) => expect.fail(String(error)));
    await timers.advance(2_000, () => scope.idle());
    await scope.close();
    const { peer_day: measured, peer_session: sessions, ...dated } = await datesOf();
    expect({ ...onDates(...KEPT), ...dated }).toEqual(onDates(...KEPT));
    // Records measure the peers of the ten sessions before a date as well.
    expect(measured).toEqual(sessions);
    expect(measured![0]).toBe(KEPT[0]);
    // On a server the whole partition is gone.
    expect(await monthsBefore(app.context.database, KEPT[0]!)).toEqual([]);
    expect(await nodes()).toEqual(before.filter((node) => !isGone(node)));
    const [edges] = await app.context.database.query(
      `select count(*)::integer as all, count(*) filter (where valid_from = $1::date)::integer as old from edge
       where valid_from = valid_to`,
      [OLD],
    );
    expect(edges).toEqual({ all: expect.any(Number), old: 0 });
    expect(edges!.all).toBeGreaterThanOrEqual(2 * KEPT.length * PEER_SYMBOLS.length);
  });

  it('are answered to the same bytes, derived on demand', async () => {
    expect(JSON.parse(wholeAnswers[0]!).peer_divergence_v1).not.toBeNull();
    expect(await answersOf(OLD)).toEqual(wholeAnswers);
    expect((await datesOf()).stock_day).toEqual(KEPT);
  });

  it('are not stored again by a pass, also after a correction of their data', async () => {
    expect(await syncGraph(app.context, { kind: 'touched' })).toMatchObject({ derived: 0 });
    const sector = profileWith({ sector: 'Energy' });
    const corrected = fact('profile', instant('2023-06-01', '12:00'), sector, 'company');
    await bring(app, [
      factsOf('A0', corrected),
      ...peerMarket('2023-01-03', OLD).map((bars) => ({ ...bars, symbol: `C${bars.symbol}` })),
    ]);
    expect((await syncGraph(app.context, { kind: 'touched' })).derived).toBeGreaterThan(0);
    expect((await datesOf()).stock_day).toEqual(KEPT);
    expect(await app.context.tape.touched()).toEqual([]);
  });
});
