import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { SteppedTimers } from '../../../src/base/timers.ts';
import { syncGraph } from '../../../src/pipeline/graph-sync.ts';
import { findPeers } from '../../../src/pipeline/topology-pass.ts';
import { expectRefused } from '../../support/answers.ts';
import { appOn, bring, freshApp, serverOf } from '../../support/app.ts';
import { dailyBars } from '../../support/market.ts';
import { GROUP_SIZE, peerMarket } from '../../support/peer-market.ts';
import { words } from '../../support/tables.ts';

/** The contract of `GET /api/graph/v1/stocks/{symbol}/peers`, by status. */

const DATE = '2024-03-13';

const get = (path: string, to = server) => to.inject({ url: `/api/graph/v1/stocks/${path}` });

const NOW = '2024-03-16T12:00:00Z';
const { app, store } = await freshApp({ TIGRAPH_NOW: NOW });
await bring(app, [...peerMarket('2023-01-03', DATE, { A0: -0.06 }), dailyBars('NEW', '2024-03-01', DATE)]);
await syncGraph(app.context, { kind: 'touched' });
await findPeers(app.context, ['2024-03-11', '2024-03-12']);
const server = await serverOf(app);

describe('200', () => {
  it('names the peers with weight, reasons and their part of what they implied', async () => {
    const response = await get('a0/peers');
    expect(response.statusCode, response.body).toBe(200);
    const { peers, ...own } = response.json();
    expect(own).toMatchObject({
      symbol: 'A0',
      trade_date: DATE,
      window_to: '2024-02-29',
      signal: 'bearish_divergence',
      weight_config: 'local_medium_broad',
      contaminated: false,
      contamination: 'none',
    });
    expect(own.return_pct).toBeCloseTo(-6, 9);
    expect(own.local).toBeCloseTo((own.return_pct - own.implied_local_pct) / own.deviation_local_pct, 2);
    const sumOf = (field: string): number =>
      peers.reduce((sum: number, peer: Record<string, number>) => sum + peer[field]!, 0);
    expect(peers).toHaveLength(own.peers_local);
    expect(sumOf('weight')).toBeCloseTo(1, 5);
    expect(sumOf('contribution_pct')).toBeCloseTo(own.implied_local_pct, 3);
    const names = peers.map((peer: { symbol: string }) => peer.symbol);
    expect(names.slice(0, GROUP_SIZE - 1).sort()).toEqual(['A1', 'A2', 'A3', 'A4', 'A5']);
    expect(peers[0].reasons).toEqual(['correlation']);
    expect(peers[0].weight).toBeGreaterThanOrEqual(peers[1].weight);
  });

  it('is the divergence of the stock itself', async () => {
    const { peer_divergence_v1: block } = (await get('B3')).json();
    const { peers: _, ...own } = (await get(`B3/peers?date=${DATE}`)).json();
    for (const field of words`local medium broad composite signal implied_broad_pct peers_broad`) {
      expect(own[field], field).toBe(block[field]);
    }
  });

  it('replays a date', async () => {
    expect((await get('A0/peers?date=2024-03-11')).json()).toMatchObject({
      trade_date: '2024-03-11',
      window_to: '2024-02-29',
    });
  });

  it('shows a session to a delayed caller once its close is old enough', async () => {
    const dateAt = async (now: string): Promise<string> => {
      const early = await serverOf(await appOn(store, { TIGRAPH_NOW: now }));
      return (await get('A0/peers', early)).json().trade_date;
    };
    expect(await dateAt('2024-03-13T20:14:59Z')).toBe('2024-03-12');
    expect(await dateAt('2024-03-13T20:15:00Z')).toBe(DATE);
  });
});

describe('404', () => {
  it.each([
    ['nobody knows', 'ZZZ/peers', 'unknown_symbol'],
    ['has no history', 'NEW/peers', 'no_data_for_date'],
  ])('for a stock that %s', async (_, path, code) => {
    await expectRefused(get(path), 404, code);
  });

  it('for dates without a session, and for those on which the stock has no bar', async () => {
    await expectRefused(get('A0/peers?date=2024-03-10'), 404, 'no_session');
    await expectRefused(get('A0/peers?date=2024-03-14'), 404, 'no_data_for_date', DATE);
  });

  it('for a session that the caller may not know the close of, which nobody measures for it', async () => {
    const early = await serverOf(await appOn(store, { TIGRAPH_NOW: '2024-03-08T21:14:59Z' }));
    await expectRefused(get('A0/peers?date=2024-03-08', early), 404, 'no_data_for_date');
    const rows = await app.context.database.query(
      `select from peer_session where trade_date = date '2024-03-08'`,
    );
    expect(rows).toEqual([]);
  });
});

/** Time that an answer waits for peers: half of what a query of the tests may take. */
const WAIT_MS = 30_000;

describe('503', () => {
  it('while a session is measured for the first time, and nobody keeps what else is answered until then', async () => {
    const timers = new SteppedTimers();
    const { after } = timers;
    let onWait: () => void = () => {};
    vi.spyOn(timers, 'after').mockImplementation((delayMs, callback) => {
      if (delayMs === WAIT_MS) onWait();
      return after(delayMs, callback);
    });
    const slow = await appOn(store, { TIGRAPH_NOW: NOW }, { timers });
    const answering = await serverOf(slow);
    const { deriver, database } = slow.context;
    await database.query('delete from peer_session where trade_date = $1::date', [DATE]);
    const peersOf = deriver.peers;
    const held = Promise.withResolvers<void>();
    const measuring = vi.spyOn(deriver, 'peers').mockImplementation(async (...words) => {
      await held.promise;
      return peersOf(...words);
    });
    onTestFinished(() => measuring.mockRestore());
    const getNow = (path: string) => answering.inject({ url: `/api/graph/v1/${path}` });
    /** An answer each part of which waits for peers in vain. */
    const getInVain = async (path: string) => {
      let hasWaited = false;
      onWait = () => {
        hasWaited = true;
        queueMicrotask(() => void timers.advance(WAIT_MS));
      };
      const response = await getNow(path);
      expect(hasWaited, path).toBe(true);
      return response;
    };
    const date = '2024-03-07';
    const refused = await getInVain(`stocks/A0/peers?date=${date}`);
    expect([refused.statusCode, refused.json().code]).toEqual([503, 'topology_not_loaded']);
    expect(refused.headers['retry-after']).toBe('5');
    const paths = [
      `stocks/A0?date=${date}`,
      `stocks/NEW?as_of=${date}T22:00:00Z`,
      `stocks/A0/history?fields=peer_divergence_v1.local&from=${date}&to=${date}&derive=true`,
      `chat/context?page_type=stock_detail&symbol=A0&date=${date}`,
      `graph/A0/neighborhood?date=${DATE}`,
    ];
    const unfinished = [];
    // The second caller waits too: nothing was kept.
    for (const path of [...paths, ...paths]) {
      const { statusCode, headers, body } = await getInVain(path);
      expect([statusCode, headers.etag, headers['cache-control']], path).toEqual([
        200,
        undefined,
        'no-store',
      ]);
      unfinished.push(body);
    }
    const [stock, , history, chat, graph] = unfinished.map((body) => JSON.parse(body));
    expect(stock.peer_divergence_v1).toBeNull();
    expect(stock.peer_divergence_reason).toContain('still to be measured');
    expect(history).toMatchObject({ derivation: { dates: 1, derived: 0 }, states: ['deriving'] });
    expect(chat.sector_data.unavailable).toContainEqual({
      part: 'peers',
      reason: `The peers of ${date} are still to be measured`,
    });
    expect(graph.notes).toContain(`Peers are left out: those of ${DATE} are still to be measured.`);
    // What follows from no peers waits for none.
    onWait = () => expect.unreachable();
    for (const path of [
      `stocks/A0?date=${date}&fields=last_price`,
      `stocks/A0/history?fields=last_price&from=${date}`,
    ]) {
      expect((await getNow(path)).headers.etag, path).toBeDefined();
    }
    onWait = () => {};
    const waiting = getNow(`stocks/A0/peers?date=${date}`);
    held.resolve();
    const { peers: _, ...rest } = (await waiting).json();
    for (const [at, path] of paths.entries()) {
      const { headers, body } = await getNow(path);
      expect(headers.etag, path).toBeDefined();
      expect(body, path).not.toBe(unfinished[at]);
    }
    const answered = (await getNow(paths[0]!)).json();
    expect(answered.peer_divergence_reason).toBeNull();
    expect(rest).toMatchObject({ trade_date: date, composite: answered.peer_divergence_v1.composite });
    expect((await getNow(paths[1]!)).json().peer_divergence_reason).toContain('Too few returns');
    await syncGraph(slow.context, { kind: 'range', from: date, to: date });
    expect((await getNow(paths[0]!)).json()).toEqual(answered);
  });

  it('until the end of a session whose daily bars may still arrive; what it shows meanwhile is not kept', async () => {
    const early = await appOn(store, { TIGRAPH_NOW: '2024-03-06T22:00:00Z' });
    const answering = await serverOf(early);
    const refused = await answering.inject({ url: '/api/graph/v1/stocks/A0/peers' });
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([503, '10800']);
    const url = '/api/graph/v1/stocks/A0?as_of=2024-03-06T21:30:00Z';
    const { headers, body } = await answering.inject({ url });
    expect([headers.etag, headers['cache-control']]).toEqual([undefined, 'no-store']);
    expect(JSON.parse(body).peer_divergence_reason).toContain('still to be measured');
    const present = await answering.inject({ url: '/api/graph/v1/stocks/A0' });
    expect(present.headers.etag).toBeDefined();
  });
});

describe('422', () => {
  it.each(['A0/peers?date=2024-3-1', 'A0/peers?date=2024-02-30', 'A0/peers?top=3', '-/peers'])(
    'for %s',
    async (path) => {
      expect((await get(path)).statusCode).toBe(422);
    },
  );
});
