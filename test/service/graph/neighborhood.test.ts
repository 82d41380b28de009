import { describe, expect, it } from 'vitest';
import { packTexts } from '../../../src/base/packed-text.ts';
import type { Relation } from '../../../src/blocks/block.ts';
import type { StockDay } from '../../../src/derive/stock-day.ts';
import { nodeId, stockDayId, stockId } from '../../../src/graph/identity.ts';
import { findStockDay, type WalkRules, walkRing } from '../../../src/graph/neighborhood.ts';
import { writeStockDays } from '../../../src/graph/stock-days.ts';
import { freshDatabase } from '../../support/app.ts';

const DATE = '2024-03-05';
const CLOSE = Date.parse('2024-03-06T01:00:00Z');

const relation = (type: string, label: string, key: string, edgeProps?: Relation['edgeProps']): Relation => ({
  type,
  label,
  key,
  props: { name: key, ...(label === 'News' ? { published_at: key.split('|')[1] } : {}) },
  ...(edgeProps === undefined ? {} : { edgeProps }),
});

const day = (symbol: string, tradeDate: string, relations: readonly Relation[], asOf = CLOSE): StockDay => ({
  symbol,
  tradeDate,
  asOf,
  digest: `${symbol}${relations.length}`,
  facts: packTexts({ core: '"a":1' }),
  relations,
});

const sector = relation('IN_SECTOR', 'Sector', 'Energy');
const match = (name: string, score: number | null): Relation =>
  relation('MATCHES', 'Playbook', name, { match_score: score });

const ALL = ['OF', 'ON', 'IN_SECTOR', 'EXPOSED_TO', 'MENTIONED_IN', 'MATCHES'] as const;
const rules = (part: Partial<WalkRules> = {}): WalkRules => ({
  date: DATE,
  types: ALL,
  visible: null,
  symbols: null,
  ...part,
});
const ROOT = [stockId('ACME'), stockDayId('ACME', DATE)];
const walk = (part: Partial<WalkRules> = {}, from: readonly string[] = ROOT, limit = 100) =>
  walkRing(database, from, from, rules(part), limit);
const farKeys = async (walked: ReturnType<typeof walk>, type: string): Promise<string[]> => {
  const nodes = (await walked).edges.flatMap(({ far }) => (far?.type === type ? [far] : []));
  return nodes.sort((one, other) => one.rank - other.rank).map(({ key }) => key);
};

const database = await freshDatabase();
await writeStockDays(database, [
  day('ACME', '2024-03-04', [sector, relation('EXPOSED_TO', 'Theme', 'old')]),
  day('ACME', DATE, [
    sector,
    match('weak', 0.2),
    match('strong', 0.9),
    match('unweighed', null),
    match('middle', 0.5),
    relation('MENTIONED_IN', 'News', 'older|2024-02-20'),
    relation('MENTIONED_IN', 'News', 'newer|2024-03-01'),
  ]),
  day('BETA', DATE, [sector]),
  day('LATE', DATE, [sector], CLOSE + 60_000),
  day('OTHR', '2024-03-04', [sector]),
  // More than are read of one hub.
  ...Array.from({ length: 1_010 }, (_, at) =>
    day(`H${at}`, '2024-03-06', [relation('IN_SECTOR', 'Sector', 'Crowd')]),
  ),
]);

describe('the stock-day to begin at', () => {
  const find = (symbol: string, date: string, exact = false, visible = CLOSE) =>
    findStockDay(database, symbol, { date, exact, visible });

  it('is the newest up to a date, or that of the date', async () => {
    expect(await find('ACME', '2024-03-11')).toEqual({ tradeDate: DATE, asOf: CLOSE });
    expect(await find('ACME', '2024-03-04')).toEqual({ tradeDate: '2024-03-04', asOf: CLOSE });
    expect(await find('ACME', DATE, true)).toEqual({ tradeDate: DATE, asOf: CLOSE });
    expect(await find('ACME', '2024-03-11', true)).toBeNull();
    expect(await find('NONE', DATE)).toBeNull();
  });

  it('is none that speaks for a later instant', async () => {
    expect(await find('LATE', DATE)).toBeNull();
    expect(await find('LATE', DATE, false, CLOSE + 60_000)).not.toBeNull();
  });

  it('is none without a node, such as a running day has', async () => {
    await database.query(
      `insert into stock_day (symbol, trade_date, as_of, digest) values ('BARE', $1::date, $2::timestamptz, '')`,
      [DATE, new Date(CLOSE).toISOString()],
    );
    expect(await find('BARE', DATE)).toBeNull();
  });
});

describe('a ring', () => {
  it('has every edge of the date and none of another', async () => {
    const { edges, found, cut } = await walk();
    const types = edges.map(({ type }) => type).sort();
    expect(types).toEqual([
      'IN_SECTOR',
      ...Array(4).fill('MATCHES'),
      'MENTIONED_IN',
      'MENTIONED_IN',
      'OF',
      'ON',
    ]);
    expect(Object.fromEntries(found)).toEqual({ MATCHES: 4, IN_SECTOR: 1, ON: 1, MENTIONED_IN: 2 });
    expect(cut.size).toBe(0);
    // Both ends of the edge between stock and stock-day are in the ring.
    expect(edges.find(({ type }) => type === 'OF')).toMatchObject({
      source: stockDayId('ACME', DATE),
      target: stockId('ACME'),
      far: null,
    });
  });

  it('takes the strongest first, those of unknown strength last, and news by their date', async () => {
    expect(await farKeys(walk(), 'MATCHES')).toEqual(['strong', 'middle', 'weak', 'unweighed']);
    expect(await farKeys(walk(), 'MENTIONED_IN')).toEqual(['newer|2024-03-01', 'older|2024-02-20']);
    expect(await farKeys(walk({}, ROOT, 2), 'MATCHES')).toEqual(['strong', 'middle']);
    expect((await walk({}, ROOT, 2)).found.get('MATCHES')).toBe(4);
  });

  it('walks along the named types alone', async () => {
    const { edges } = await walk({ types: ['IN_SECTOR'] });
    expect(edges.map(({ type }) => type)).toEqual(['IN_SECTOR']);
  });

  it('leads from a hub to the stock-days of the date, in alphabetical order', async () => {
    const hub = [nodeId('Sector', 'Energy')];
    expect(await farKeys(walk({}, hub), 'IN_SECTOR')).toEqual([
      `ACME|${DATE}`,
      `BETA|${DATE}`,
      `LATE|${DATE}`,
    ]);
    expect(await farKeys(walk({ visible: CLOSE }, hub), 'IN_SECTOR')).toEqual([
      `ACME|${DATE}`,
      `BETA|${DATE}`,
    ]);
    expect(await farKeys(walk({ symbols: new Set(['BETA']) }, hub), 'IN_SECTOR')).toEqual([`BETA|${DATE}`]);
    expect(await farKeys(walk({ symbols: new Set() }, hub), 'IN_SECTOR')).toEqual([]);
  });

  it('reads a bounded number of edges of a hub, always the same, and says that there are more', async () => {
    const hub = [nodeId('Sector', 'Crowd')];
    const crowd = () => walk({ date: '2024-03-06' }, hub, 500);
    const { edges, found, cut } = await crowd();
    expect([edges.length, found.get('IN_SECTOR'), [...cut]]).toEqual([500, 1_000, ['IN_SECTOR']]);
    expect(await farKeys(crowd(), 'IN_SECTOR')).toEqual(await farKeys(crowd(), 'IN_SECTOR'));
  });

  it('finds stock-days of a date by the index, whatever lies on other dates', async () => {
    const plan = await database.query<{ 'QUERY PLAN': string }>(
      `explain select source from edge where target = $1 and type = 'IN_SECTOR' and valid_from = $2::date
       order by source limit 10`,
      [nodeId('Sector', 'Crowd'), DATE],
    );
    const text = plan.map((row) => row['QUERY PLAN']).join('\n');
    expect(text).toContain('edge_pkey');
    expect(text).not.toContain('Sort');
  });
});
