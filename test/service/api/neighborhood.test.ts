import { describe, expect, it } from 'vitest';
import type { AccessScope } from '../../../src/api/access/scopes.ts';
import { midnightUtc } from '../../../src/base/calendar.ts';
import type { Delivery } from '../../../src/market/feed.ts';
import { factOf } from '../../../src/market/validate-fact.ts';
import { syncGraph } from '../../../src/pipeline/graph-sync.ts';
import { newBearer } from '../../support/access.ts';
import { expectFaults, expectRefused } from '../../support/answers.ts';
import { appOn, bring, freshApp, serverOf } from '../../support/app.ts';
import { alteredAfter } from '../../support/market.ts';
import { PEER_SYMBOLS, peerMarket } from '../../support/peer-market.ts';
import { factsOf, newsWith, profileWith } from '../../support/reported.ts';
import { at } from '../../support/tape.ts';

/** The contract of `GET /api/graph/v1/graph/{symbol}/neighborhood`, by status. */

const FROM = '2023-01-03';
const EARLIER = '2024-03-12';
const DATE = '2024-03-13';
const KNOWN = at('2023-01-04', '09:00');
const NEWS_AT = at(DATE, '11:00');

const news = (headline: string, publishedAt: number) =>
  factOf(
    'news',
    publishedAt,
    newsWith({ publishedAt, headline, source: 'wire', symbols: ['A0'], sentiment: 0.5, relevance: 0.8 }),
  );

const theme = (name: string, knownAt: number) =>
  factOf('theme_exposure', knownAt, {
    theme: 'rates',
    themeName: name,
    direction: 'positive',
    magnitude: 0.5,
    rationale: null,
    validFrom: null,
  });

const market = peerMarket(FROM, '2024-03-15', {});
const facts: Delivery[] = PEER_SYMBOLS.map((symbol) =>
  factsOf(
    symbol,
    factOf('profile', KNOWN, profileWith({ sector: symbol.startsWith('A') ? 'Energy' : 'Utilities' })),
    ...(symbol === 'A0' ? [theme('Interest rates', KNOWN), news('A0 wins an order', NEWS_AT)] : []),
  ),
);

const derive = (from: string, to: string) => syncGraph(app.context, { kind: 'range', from, to });

interface Node {
  readonly id: string;
  readonly label: string;
  readonly key: string;
  readonly depth: number;
  readonly props: Record<string, unknown>;
}

interface Edge {
  readonly source: string;
  readonly type: string;
  readonly target: string;
  readonly props: Record<string, unknown>;
}

const get = (path: string, headers: Record<string, string> = {}, to = server) =>
  to.inject({ url: `/api/graph/v1/graph/${path}`, headers });

async function walk(query: string, headers: Record<string, string> = {}) {
  const response = await get(query, headers);
  expect(response.statusCode, response.body).toBe(200);
  return response.json() as {
    nodes: Node[];
    edges: Edge[];
    truncated: boolean;
    left_off: { type: string; count: number; at_least: boolean }[];
    notes: string[];
    trade_date: string;
  };
}

const tokenOf = (symbols: string[] | null, scopes: AccessScope[] = ['stock:read']) =>
  newBearer({ server, database: app.context.database }, scopes, { symbols });

const idsOf = (nodes: readonly Node[], label: string): string[] =>
  nodes.filter((node) => node.label === label).map(({ id }) => id);

const { app, store } = await freshApp({ TIGRAPH_NOW: '2024-03-16T12:00:00Z' });
await bring(app, [...market, ...facts]);
await derive(EARLIER, DATE);
const server = await serverOf(app);

describe('200', () => {
  it('begins at the stock with its newest stock-day and shows what leads from there', async () => {
    const { nodes, edges, trade_date, truncated, ...rest } = await walk('a0/neighborhood');
    expect(trade_date).toBe('2024-03-13');
    expect(truncated).toBe(false);
    expect(rest).toMatchObject({ symbol: 'A0', source: 'delayed', depth: 1, limit: 100, left_off: [] });
    expect(nodes.slice(0, 2)).toEqual([
      { id: 'Stock:A0', label: 'Stock', key: 'A0', depth: 0, props: { symbol: 'A0' } },
      {
        id: `StockDay:A0|${DATE}`,
        label: 'StockDay',
        key: `A0|${DATE}`,
        depth: 0,
        props: { symbol: 'A0', trade_date: DATE },
      },
    ]);
    expect(nodes.slice(2).every(({ depth }) => depth === 1)).toBe(true);
    expect(idsOf(nodes, 'Sector')).toEqual(['Sector:Energy']);
    expect(idsOf(nodes, 'Session')).toEqual([`Session:${DATE}`]);
    expect(idsOf(nodes, 'Theme')).toEqual(['Theme:rates']);
    expect(nodes.find(({ label }) => label === 'News')!.props).toMatchObject({
      headline: 'A0 wins an order',
    });
    expect(idsOf(nodes, 'Level').length).toBeGreaterThan(5);
    expect(edges).toContainEqual({
      source: `StockDay:A0|${DATE}`,
      type: 'EXPOSED_TO',
      target: 'Theme:rates',
      props: { name: 'Interest rates', direction: 'positive', magnitude: 0.5, valid_from: null },
    });
    expect(edges).toContainEqual({
      source: `StockDay:A0|${DATE}`,
      type: 'OF',
      target: 'Stock:A0',
      props: {},
    });
  });

  it('ties no edge to a node that it does not show, and shows no node that no edge leads to', async () => {
    for (const query of [
      'A0/neighborhood?depth=3&limit=60',
      'A0/neighborhood?depth=2',
      'A0/neighborhood?limit=7',
    ]) {
      const { nodes, edges } = await walk(query);
      const ids = nodes.map(({ id }) => id);
      expect(new Set(ids).size).toBe(ids.length);
      const tied = new Set(edges.flatMap(({ source, target }) => [source, target]));
      expect([...tied].filter((id) => !ids.includes(id))).toEqual([]);
      expect(ids.filter((id) => !tied.has(id))).toEqual([]);
      const names = edges.map(({ type, source, target }) => `${type} ${source} ${target}`);
      expect(new Set(names).size).toBe(names.length);
    }
  });

  it('goes on in rings: each node at its shortest distance', async () => {
    const { nodes, edges } = await walk('A0/neighborhood?depth=3&limit=500&types=OF,IN_SECTOR');
    const depthOf = new Map(nodes.map(({ id, depth }) => [id, depth]));
    expect(depthOf.get('Sector:Energy')).toBe(1);
    expect(depthOf.get(`StockDay:A3|${DATE}`)).toBe(2);
    expect(depthOf.get('Stock:A3')).toBe(3);
    expect([...depthOf.keys()].filter((id) => id.includes('B'))).toEqual([]);
    for (const { source, target } of edges) {
      expect(Math.abs(depthOf.get(source)! - depthOf.get(target)!)).toBeLessThanOrEqual(1);
    }
  });

  it('shows peers as the date had them, each pair once', async () => {
    const { nodes, edges } = await walk('A0/neighborhood?types=PEER_OF&depth=2');
    const { peers } = (await server.inject({ url: `/api/graph/v1/stocks/A0/peers?date=${DATE}` })).json() as {
      peers: { symbol: string; weight: number; correlation: number; reasons: string[] }[];
    };
    const listed = edges
      .filter(({ source }) => source === 'Stock:A0')
      .map(({ target, props }) => ({ symbol: target.slice('Stock:'.length), ...props }));
    expect(listed).toEqual(
      peers.map(({ symbol, weight, correlation, reasons }) => ({ symbol, weight, correlation, reasons })),
    );
    expect(nodes.filter(({ depth }) => depth === 1).map(({ key }) => key)).toEqual(
      peers.map(({ symbol }) => symbol),
    );
    const pairs = edges.map(({ source, target }) => [source, target].sort().join(' '));
    expect(new Set(pairs).size).toBe(pairs.length);
  });

  it('says when no peers are known of a date', async () => {
    await app.context.database.query('delete from peer_day where trade_date = $1::date', [EARLIER]);
    const { notes, nodes } = await walk(`A0/neighborhood?date=${EARLIER}`);
    expect(notes).toEqual([`Peers are left out: none of A0 are known for ${EARLIER}.`]);
    expect(idsOf(nodes, 'Stock')).toEqual(['Stock:A0']);
  });

  it('takes the best of each type in turn up to the limit, and counts the rest', async () => {
    const whole = await walk('A0/neighborhood');
    const part = await walk('A0/neighborhood?limit=12');
    expect(part.nodes).toHaveLength(12);
    expect(part.truncated).toBe(true);
    const labels = new Set(part.nodes.map(({ label }) => label));
    for (const label of ['Sector', 'Theme', 'Level', 'News', 'Session']) expect([...labels]).toContain(label);
    const left = part.left_off.reduce((sum, { count }) => sum + count, 0);
    expect(left).toBe(whole.nodes.length - 12);
    const strengths = whole.edges
      .filter(({ type }) => type === 'HAS_LEVEL')
      .map(({ props }) => props.strength);
    const shown = part.edges.filter(({ type }) => type === 'HAS_LEVEL').map(({ props }) => props.strength);
    expect(Math.max(...(shown as number[]))).toBe(Math.max(...(strengths as number[])));
  });

  it('stays within its bounds through hubs', async () => {
    const { nodes, notes, truncated } = await walk('A0/neighborhood?depth=3&limit=15&types=ON,OF');
    expect(nodes).toHaveLength(15);
    expect(truncated).toBe(true);
    const one = await walk('A0/neighborhood?limit=1&depth=2');
    expect(one.nodes.map(({ id }) => id)).toEqual(['Stock:A0']);
    expect(one.notes).toContain('The limit of 1 nodes was reached in ring 0 of 2.');
    expect(notes).toEqual([]);
  });

  it('is the same every time', async () => {
    const query = 'A0/neighborhood?depth=3&limit=80';
    expect((await get(query)).body).toBe((await get(query)).body);
  });

  it('leaves out the stocks that a grant does not cover', async () => {
    const narrow = await tokenOf(['A0', 'A2']);
    const { nodes, edges, left_off } = await walk('A0/neighborhood?depth=3&limit=500', narrow);
    const others = PEER_SYMBOLS.filter((symbol) => !['A0', 'A2'].includes(symbol));
    const listed = JSON.stringify({ nodes, edges });
    expect(others.filter((symbol) => new RegExp(`\\b${symbol}\\b`).test(listed))).toEqual([]);
    expect(idsOf(nodes, 'Stock').sort()).toEqual(['Stock:A0', 'Stock:A2']);
    expect(left_off).toEqual([]);
  });
});

describe('the past', () => {
  it('is not moved by anything that comes after it', async () => {
    const queries = [`A0/neighborhood?date=${DATE}`, `A0/neighborhood?date=${DATE}&depth=3&limit=500`];
    const before = await Promise.all(queries.map(async (query) => (await get(query)).body));
    const after = at('2024-03-14', '10:00');
    const later = midnightUtc('2024-03-14');
    await bring(app, [
      ...market.map((delivery) => alteredAfter(delivery, later, 1.7)),
      ...PEER_SYMBOLS.map(
        (symbol): Delivery => ({
          kind: 'actions',
          symbol,
          actions: [{ kind: 'split', exDate: later, value: 4 }],
        }),
      ),
      ...PEER_SYMBOLS.map((symbol): Delivery => {
        const moved = profileWith({ sector: 'Materials', companyName: 'Renamed' });
        const facts = [factOf('profile', after, moved), theme('Borrowing costs', after)];
        return factsOf(symbol, ...facts, news('A0 loses an order', after));
      }),
    ]);
    await derive('2024-03-14', '2024-03-15');
    const then = await Promise.all(queries.map(async (query) => (await get(query)).body));
    expect(then.map((body, at) => body === before[at])).toEqual([true, true]);
    const newest = await walk('A0/neighborhood');
    expect(newest.trade_date).toBe('2024-03-15');
    expect(idsOf(newest.nodes, 'Sector')).toEqual(['Sector:Materials']);
  });

  it('shows a delayed caller no stock-day that speaks for a later instant than may be seen', async () => {
    const day = '2024-03-15';
    const seenAt = async (now: string) => {
      const early = await serverOf(await appOn(store, { TIGRAPH_NOW: now }));
      const newest = await get('A0/neighborhood?depth=3&limit=500', {}, early);
      const asked = await get(`A0/neighborhood?date=${day}`, {}, early);
      return { newest: newest.json().trade_date, listed: newest.body, asked: asked.statusCode };
    };
    const [{ as_of: asOf }] = (await app.context.database.query(
      `select as_of from stock_day where symbol = 'A0' and trade_date = $1::date`,
      [day],
    )) as [{ as_of: Date }];
    const minute = 60_000;
    const tooEarly = await seenAt(new Date(asOf.getTime() + 15 * minute - 1).toISOString());
    expect([tooEarly.newest, tooEarly.asked]).toEqual(['2024-03-14', 404]);
    expect(tooEarly.listed.includes(`|${day}`)).toBe(false);
    const inTime = await seenAt(new Date(asOf.getTime() + 15 * minute).toISOString());
    expect([inTime.newest, inTime.asked]).toEqual([day, 200]);
  });
});

describe('403', () => {
  it('for a token that does not cover the symbol', async () => {
    await expectRefused(get('A1/neighborhood', await tokenOf(['A0'])), 403, 'symbol_not_granted');
  });
});

describe('404', () => {
  it.each([
    ['ZZZ/neighborhood', 'unknown_symbol'],
    ['A0/neighborhood?date=2024-03-10', 'no_session'],
    ['A0/neighborhood?date=2024-03-01', 'no_data_for_date'],
    ['A0/neighborhood?date=2024-03-18', 'no_data_for_date'],
  ])('for %s', async (path, code) => {
    await expectRefused(get(path), 404, code);
  });

  it('names the newest stock-day where the graph has none of the date', async () => {
    expect((await get('A0/neighborhood?date=2024-03-01')).json().detail).toContain('2024-03-15');
  });
});

describe('422', () => {
  it.each([
    ['depth=0', 'depth', 'greater_than_equal'],
    ['depth=4', 'depth', 'less_than_equal'],
    ['depth=1.5', 'depth', 'int_parsing'],
    ['limit=0', 'limit', 'greater_than_equal'],
    ['limit=501', 'limit', 'less_than_equal'],
    ['limit=-1', 'limit', 'greater_than_equal'],
    ['types=LOVES', 'types', 'literal_error'],
    ['types=OF,of', 'types', 'literal_error'],
    [`types=${'OF,'.repeat(100)}`, 'types', 'string_too_long'],
    ["types=OF'%20or%20true--", 'types', 'literal_error'],
    ["date=2024-03-13'--", 'date', 'string_pattern_mismatch'],
    ['date=2024-02-30', 'date', 'date_parsing'],
    ['hops=2', 'hops', 'extra_forbidden'],
  ])('for %s', async (query, field, type) => {
    await expectFaults(get(`A0/neighborhood?${query}`), `query,${field},${type}`);
  });

  it('for a number names its bounds', async () => {
    const [depth, limit] = (await get('A0/neighborhood?depth=9&limit=many')).json().detail;
    expect(depth).toEqual({
      loc: ['query', 'depth'],
      type: 'less_than_equal',
      msg: 'Input should be less than or equal to 3',
      input: '9',
      ctx: { ge: 1, le: 3 },
    });
    expect(limit).toMatchObject({ type: 'int_parsing', input: 'many', ctx: { ge: 1, le: 500 } });
  });

  it.each(["A0'%3bdrop%20table%20edge", 'A%25', '-/neighborhood', 'A'.repeat(21)])(
    'for the symbol %s',
    async (symbol) => {
      expect((await get(`${symbol}/neighborhood`)).statusCode).toBeGreaterThanOrEqual(404);
      expect((await get('A0/neighborhood')).statusCode).toBe(200);
    },
  );
});
