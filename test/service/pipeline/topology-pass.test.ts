import { describe, expect, it, vi } from 'vitest';
import type { App } from '../../../src/app.ts';
import { midnightUtc } from '../../../src/base/calendar.ts';
import { packText, unpackText } from '../../../src/base/packed-text.ts';
import { PEERS_UNMEASURED } from '../../../src/blocks/peer-divergence-v1.ts';
import { claimDates } from '../../../src/graph/topology.ts';
import type { Delivery } from '../../../src/market/feed.ts';
import { syncGraph } from '../../../src/pipeline/graph-sync.ts';
import { findPeers } from '../../../src/pipeline/topology-pass.ts';
import { bring, freshApp, freshMarket } from '../../support/app.ts';
import { alteredAfter } from '../../support/market.ts';
import { PEER_SYMBOLS, peerMarket } from '../../support/peer-market.ts';
import { profileWith } from '../../support/reported.ts';
import { fact, instant } from '../../support/views.ts';

const FROM = '2023-01-03';
const DATE = '2024-03-13';
const NEXT = '2024-03-14';
const NOW = '2024-03-16T12:00:00Z';

const rowsOf = (app: App, date: string) =>
  app.context.database.query<{ symbol: string; value: string | null }>(
    'select symbol, value from peer_day where trade_date = $1::date order by symbol',
    [date],
  );

const topologiesOf = (app: App) =>
  app.context.database.query<{ month: string; stocks: number; digest: string; built: Date }>(
    'select month::text as month, stocks, digest, built_at as built from peer_topology order by 1',
  );

const datesOf = (app: App) =>
  app.context.database.query<{ date: string; stale: boolean; changed: Date }>(
    'select trade_date::text as date, unsettled as stale, changed_at as changed from peer_session order by 1',
  );

/** What is answered once everything that changed has been heard. */
async function blockOf(app: App, symbol: string, date = DATE) {
  await app.idle();
  const server = await app.server();
  const response = await server.inject({ url: `/api/graph/v1/stocks/${symbol}?date=${date}` });
  await server.close();
  expect(response.statusCode, response.body).toBe(200);
  return response.json().peer_divergence_v1;
}

const factsOf = (app: App) =>
  app.context.database.query('select symbol, trade_date, block, value from fact order by 1, 2, 3');

describe('a pass over the peers', () => {
  it('finds those of the newest completed session, and a second time has nothing to do', async () => {
    const app = await freshMarket({ TIGRAPH_NOW: NOW }, peerMarket(FROM, DATE, { A0: 0.08 }));
    await syncGraph(app.context, { kind: 'touched' });
    const [topologies, dates] = [await topologiesOf(app), await datesOf(app)];
    expect(topologies).toMatchObject([{ month: '2024-03-01', stocks: PEER_SYMBOLS.length }]);
    expect(dates).toMatchObject([{ date: DATE, stale: false }]);
    const rows = await rowsOf(app, DATE);
    expect(rows.map(({ symbol }) => symbol)).toEqual([...PEER_SYMBOLS]);
    const strong = await blockOf(app, 'A0');
    expect(strong).toMatchObject({
      signal: 'bullish_divergence',
      weight_config: 'local_medium_broad',
      window_to: '2024-02-29',
      computed_at: '2024-03-13T20:00:00.000Z',
      topology_built_at: '2024-02-29T21:00:00.000Z',
    });
    expect(strong.return_pct).toBeCloseTo(8, 9);
    expect(strong.local).toBeCloseTo(
      (strong.return_pct - strong.implied_local_pct) / strong.deviation_local_pct,
      2,
    );
    // Direct peers are of the same group.
    expect(strong.contributors[0].symbol).toMatch(/^A/);
    const before = await factsOf(app);
    await syncGraph(app.context, { kind: 'touched' });
    expect(await factsOf(app)).toEqual(before);
    expect([await topologiesOf(app), await datesOf(app)]).toEqual([topologies, dates]);
  });

  it('reads nothing of the date but its returns, and nothing after it', async () => {
    const deliveries = peerMarket(FROM, NEXT);
    const app = await freshMarket({ TIGRAPH_NOW: NOW }, deliveries);
    await findPeers(app.context, [DATE]);
    const altered = await freshMarket({ TIGRAPH_NOW: NOW }, [
      ...deliveries.map((delivery, stock) => alteredAfter(delivery, midnightUtc(NEXT), 1 + stock / 10)),
      // Known a moment after the last session before the month: of the next topology.
      ...PEER_SYMBOLS.map(
        (symbol): Delivery => ({
          kind: 'facts',
          symbol,
          facts: [
            fact('profile', instant('2024-02-29', '16:01'), profileWith({ sector: 'Energy' }), 'company'),
          ],
        }),
      ),
    ]);
    await findPeers(altered.context, [DATE]);
    expect(await rowsOf(altered, DATE)).toEqual(await rowsOf(app, DATE));
    const moved = await freshMarket(
      { TIGRAPH_NOW: NOW },
      deliveries.map((delivery, stock) => alteredAfter(delivery, midnightUtc(DATE), 1 + stock / 1_000)),
    );
    await findPeers(moved.context, [DATE]);
    // The date's own returns move the scores, and not the topology.
    expect(await rowsOf(moved, DATE)).not.toEqual(await rowsOf(app, DATE));
    expect((await topologiesOf(moved))[0]!.digest).toBe((await topologiesOf(app))[0]!.digest);
  });

  it('takes ties that had been reported before the month', async () => {
    const app = await freshMarket({ TIGRAPH_NOW: NOW }, [
      ...peerMarket(FROM, DATE),
      ...['A0', 'A1'].map(
        (symbol): Delivery => ({
          kind: 'facts',
          symbol,
          facts: [
            fact('profile', 0, profileWith({ sector: 'Energy', industry: 'Oil' }), 'company'),
            fact(
              'theme_exposure',
              0,
              {
                theme: 'sun',
                themeName: null,
                direction: 'positive',
                magnitude: 0.5,
                rationale: null,
                validFrom: null,
              },
              'sun',
            ),
          ],
        }),
      ),
    ]);
    await findPeers(app.context, [DATE]);
    const edges = await app.context.database.query<{
      props: { reasons: string[] };
      from: string;
      to: string;
    }>(
      `select e.props, e.valid_from::text as from, e.valid_to::text as to from edge e
       join node s on s.id = e.source join node t on t.id = e.target
       where e.type = 'PEER_OF' and s.key = 'A0' and t.key in ('A1', 'A2') order by t.key`,
    );
    expect(edges).toMatchObject([
      { props: { reasons: ['correlation', 'sector', 'industry', 'theme'] }, to: '2024-02-29' },
      { props: { reasons: ['correlation'] } },
    ]);
  });

  it('brings stored stock-days to peers that were found after them', async () => {
    const app = await freshMarket({ TIGRAPH_NOW: NOW }, peerMarket(FROM, NEXT));
    await syncGraph(app.context, { kind: 'range', from: DATE, to: DATE, symbols: ['A0', 'B1'] });
    const [block, facts] = [await blockOf(app, 'A0'), await factsOf(app)];
    // As a store is that has not been measured since another release.
    const { database } = app.context;
    await database.query(
      `delete from peer_session; delete from peer_day; delete from peer_topology; update stock_day set digest = ''`,
    );
    const rows = await database.query<{ symbol: string; value: Buffer }>(
      `select symbol, value from fact where block = 'core'`,
    );
    for (const { symbol, value } of rows) {
      const text = unpackText(value).replace(/"peer_divergence_v1":\{.*\},"/, '"peer_divergence_v1":null,"');
      await database.query(`update fact set value = $1 where block = 'core' and symbol = $2`, [
        packText(text),
        symbol,
      ]);
    }
    app.context.answers.forget(null);
    expect(await factsOf(app)).not.toEqual(facts);
    await syncGraph(app.context, { kind: 'touched' });
    expect((await factsOf(app)).filter(({ symbol }) => ['A0', 'B1'].includes(symbol as string))).toEqual(
      expect.arrayContaining(facts),
    );
    expect(await blockOf(app, 'A0')).toEqual(block);
    expect((await datesOf(app)).map(({ date, stale }) => [date, stale])).toEqual([
      [DATE, false],
      [NEXT, false],
    ]);
  });

  it('leaves none unmeasured, though requests claim a date meanwhile and never end', async () => {
    const app = await freshMarket({ TIGRAPH_NOW: NOW }, peerMarket(FROM, DATE));
    const { database, deriver } = app.context;
    const { peers } = deriver;
    const measuring = vi.spyOn(deriver, 'peers');
    const overtaken: typeof peers = async (...request) => {
      await claimDates(database, [DATE], '00000000-0000-4000-8000-000000000009');
      return peers(...request);
    };
    for (let times = 0; times < 3; times++) measuring.mockImplementationOnce(overtaken);
    await syncGraph(app.context, { kind: 'touched' });
    expect(measuring).toHaveBeenCalledTimes(4);
    expect(await datesOf(app)).toMatchObject([{ date: DATE, stale: false }]);
    const facts = await database.query<{ value: Buffer }>(`select value from fact where block = 'core'`);
    expect(facts.length).toBe(PEER_SYMBOLS.length);
    for (const { value } of facts) expect(unpackText(value)).not.toContain(PEERS_UNMEASURED);
  });

  it('has the same result for a date, whatever else is synced, in any order', async () => {
    const range = ['2024-02-28', '2024-02-29', '2024-03-01', '2024-03-12', DATE];
    const app = await freshMarket({ TIGRAPH_NOW: NOW }, peerMarket(FROM, DATE));
    await syncGraph(app.context, { kind: 'range', from: range[0]!, to: DATE, symbols: ['A0'] });
    const other = await freshMarket({ TIGRAPH_NOW: NOW }, peerMarket(FROM, NEXT));
    for (const date of range.toReversed()) {
      await syncGraph(other.context, { kind: 'range', from: date, to: date });
    }
    for (const date of range) {
      const block = await blockOf(app, 'A0', date);
      expect(block, date).toMatchObject({ window_to: date < '2024-03' ? '2024-01-31' : '2024-02-29' });
      expect(await blockOf(other, 'A0', date), date).toEqual(block);
      expect(await rowsOf(other, date), date).toEqual(await rowsOf(app, date));
    }
  });

  it('finds them again when a bar before the date is corrected', async () => {
    const app = await freshMarket({ TIGRAPH_NOW: NOW }, peerMarket(FROM, DATE));
    await syncGraph(app.context, { kind: 'touched' });
    const before = await rowsOf(app, DATE);
    const [first] = peerMarket(FROM, DATE);
    await bring(app, [alteredAfter(first!, midnightUtc('2024-02-01'), 1.1)]);
    await syncGraph(app.context, { kind: 'touched' });
    const after = await rowsOf(app, DATE);
    expect(after).not.toEqual(before);
    const stored = JSON.parse(after.find(({ symbol }) => symbol === 'A3')!.value!);
    // A stock that nobody corrected has been derived anew as well.
    expect((await blockOf(app, 'A3')).composite).toBeCloseTo(stored.composite, 6);
  });

  it('answers a day that no pass has stored with the same divergence', async () => {
    const app = await freshMarket({ TIGRAPH_NOW: NOW }, peerMarket(FROM, DATE));
    await syncGraph(app.context, { kind: 'touched' });
    const stored = await blockOf(app, 'B2');
    await app.context.database.query(`delete from stock_day where symbol = 'B2'`);
    app.context.answers.forget(null);
    expect(await blockOf(app, 'B2')).toEqual(stored);
  });

  it('finds none where stocks have less than half a year of returns, and remembers that', async () => {
    const app = await freshMarket({ TIGRAPH_NOW: NOW }, peerMarket('2023-10-02', DATE));
    await syncGraph(app.context, { kind: 'touched' });
    expect(await topologiesOf(app)).toMatchObject([{ stocks: 0, digest: '' }]);
    expect(await datesOf(app)).toMatchObject([{ date: DATE, stale: false }]);
    expect(await blockOf(app, 'A0')).toBeNull();
  });

  it('waits for the close, and for the delay after it', async () => {
    const running = await freshApp({ TIGRAPH_NOW: '2024-03-13T20:14:59Z' });
    await bring(running.app, peerMarket(FROM, '2024-03-12'));
    await syncGraph(running.app.context, { kind: 'touched' });
    expect((await datesOf(running.app)).map(({ date }) => date)).toEqual(['2024-03-12']);
    const early = await freshApp({ TIGRAPH_NOW: '2024-03-12T20:14:59Z' });
    await bring(early.app, peerMarket(FROM, '2024-03-12'));
    await syncGraph(early.app.context, { kind: 'touched' });
    expect((await datesOf(early.app)).map(({ date }) => date)).toEqual(['2024-03-11']);
  });
});
