import { describe, expect, it } from 'vitest';
import { packTexts } from '../../../src/base/packed-text.ts';
import type { Relation } from '../../../src/blocks/block.ts';
import { type Change, onChange } from '../../../src/database/changes.ts';
import type { Database } from '../../../src/database/database.ts';
import type { StockDay } from '../../../src/derive/stock-day.ts';
import { nodeId } from '../../../src/graph/identity.ts';
import { nextPlan, readFacts, writeStockDays } from '../../../src/graph/stock-days.ts';
import { freshDatabase } from '../../support/app.ts';
import { allHeard } from '../../support/database.ts';

const level = (name: string, price: number): Relation => ({
  type: 'HAS_LEVEL',
  label: 'Level',
  key: `ACME|2024-03-05|${name}`,
  props: { name, price },
  edgeProps: { side: 'support' },
});

const day = (
  symbol: string,
  digest: string,
  relations: readonly Relation[],
  facts = { core: '"a":1' },
): StockDay => ({
  symbol,
  tradeDate: '2024-03-05',
  asOf: Date.parse('2024-03-06T01:00:00Z'),
  digest,
  facts: packTexts(facts),
  relations,
});

const factsOf = async (symbol: string, blocks: readonly string[]) =>
  (await readFacts(database, [{ symbol, tradeDate: '2024-03-05' }], blocks)).get(symbol);

const levelsOf = (symbol: string) =>
  database.query<{ key: string; props: unknown }>(
    `select n.key, n.props from edge e join node n on n.id = e.target
     where e.source = $1 and e.type = 'HAS_LEVEL' order by n.key`,
    [nodeId('StockDay', `${symbol}|2024-03-05`)],
  );

const database = await freshDatabase();

describe('writing stock-days', () => {
  it('keeps facts to the byte, with nodes and edges around the day', async () => {
    const text = '{"price": 1.10, "note": "a \\u00e9 \\"quoted\\" word"}';
    await writeStockDays(database, [day('BYTE', 'd1', [level('pivot_pp', 10)], { core: text })]);
    const facts = await factsOf('BYTE', ['core', 'levels']);
    expect(facts).toEqual({
      asOf: Date.parse('2024-03-06T01:00:00Z'),
      outdated: false,
      values: { core: text },
    });
    const around = await database.query(
      'select e.type, n.label, n.key from edge e join node n on n.id = e.target where e.source = $1 order by 1',
      [nodeId('StockDay', 'BYTE|2024-03-05')],
    );
    expect(around).toEqual([
      { type: 'HAS_LEVEL', label: 'Level', key: 'ACME|2024-03-05|pivot_pp' },
      { type: 'OF', label: 'Stock', key: 'BYTE' },
      { type: 'ON', label: 'Session', key: '2024-03-05' },
    ]);
  });

  it('lets a reader in between, who sees whole days', async () => {
    const days = Array.from({ length: 12 }, (_, at) => day(`MANY${at}`, 'd1', [level(`pivot_${at}`, at)]));
    const seen: number[] = [];
    // A reader comes behind each transaction of the writer.
    const atomically: Database['atomically'] = async (statements) => {
      await database.atomically(statements);
      const [row] = await database.query<{ days: number; facts: number; edges: number }>(
        `select (select count(*) from stock_day where symbol like 'MANY%') as days,
           (select count(*) from fact where symbol like 'MANY%') as facts,
           (select count(*) from edge e join node n on n.id = e.target where n.key like 'ACME|2024-03-05|pivot%'
              and e.source in (select id from node where label = 'StockDay' and key like 'MANY%')) as edges`,
      );
      expect([row!.facts, row!.edges]).toEqual([row!.days, row!.days]);
      seen.push(row!.days);
    };
    await writeStockDays({ ...database, atomically }, days);
    expect(seen).toEqual([4, 8, 12]);
  });

  it('leaves alone what is there already', async () => {
    const same = day('SAME', 'd1', [level('pivot_pp', 10)]);
    expect(await writeStockDays(database, [same])).toEqual({ written: 1, unchanged: 0 });
    expect(await writeStockDays(database, [same])).toEqual({ written: 0, unchanged: 1 });
  });

  it('takes away the relations that a later derivation no longer has, and nodes that nothing leads to', async () => {
    await writeStockDays(database, [day('GONE', 'd1', [level('ib_high', 11), level('ib_low', 9)])]);
    await writeStockDays(database, [day('GONE', 'd2', [level('ib_high', 12)])]);
    expect(await levelsOf('GONE')).toEqual([
      { key: 'ACME|2024-03-05|ib_high', props: { name: 'ib_high', price: 12 } },
    ]);
    const orphans = await database.query(`select from node where key = 'ACME|2024-03-05|ib_low'`);
    expect(orphans).toHaveLength(0);
  });

  it('gives an edge its new properties, and keeps the node that it leads to', async () => {
    const matching = (match_score: number): Relation => ({
      type: 'MATCHES',
      label: 'Playbook',
      key: 'only-one',
      props: {},
      edgeProps: { match_score },
    });
    const matchesOf = () =>
      database.query(
        `select e.props, n.xmin::text as written from edge e join node n on n.id = e.target
         where e.source = $1 and e.type = 'MATCHES'`,
        [nodeId('StockDay', 'PROP|2024-03-05')],
      );
    await writeStockDays(database, [day('PROP', 'd1', [matching(0.5)])]);
    const [before] = await matchesOf();
    await writeStockDays(database, [day('PROP', 'd2', [matching(0.75)])]);
    expect(await matchesOf()).toEqual([{ props: { match_score: 0.75 }, written: before!.written }]);
  });

  it('stands beside what the release before writes', async () => {
    await writeStockDays(database, [day('PAST', 'd1', [])]);
    const source = nodeId('StockDay', 'PAST|2024-03-05');
    await database.query(
      `insert into edge (source, type, target, props, valid_from, valid_to)
       select source, type, target, '{"from":"before"}', valid_from, valid_to from edge where source = $1
       on conflict (source, type, target) do update set props = excluded.props`,
      [source],
    );
    await writeStockDays(database, [day('PAST', 'd2', [])]);
    const edges = await database.query('select type, props from edge where source = $1 order by 1', [source]);
    expect(edges).toEqual([
      { type: 'OF', props: null },
      { type: 'ON', props: null },
    ]);
  });

  it('keeps a node that another day still leads to', async () => {
    await writeStockDays(database, [
      day('ONE', 'd1', [level('shared', 5)]),
      day('TWO', 'd1', [level('shared', 5)]),
    ]);
    await writeStockDays(database, [day('ONE', 'd2', [])]);
    expect(await levelsOf('TWO')).toHaveLength(1);
  });

  it('announces the symbols and dates that changed, when the change is visible', async () => {
    const heard: Change[] = [];
    const stop = await onChange(database, (change) => heard.push(change));
    await writeStockDays(database, [day('LOUD', 'd1', [])]);
    await writeStockDays(database, [day('LOUD', 'd1', [])]);
    const change = { symbols: ['LOUD'], dates: ['2024-03-05'], origin: null };
    await allHeard(database);
    expect(heard).toEqual([change]);
    stop();
  });
});

describe('reading facts', () => {
  it('leaves out a day that no pass has derived', async () => {
    expect(await factsOf('NONE', ['core'])).toBeUndefined();
  });

  it('reports facts as stale when newer data changed their inputs', async () => {
    await writeStockDays(database, [day('OLD', 'd1', [])]);
    const day2024 = Date.parse('2024-03-05') / 86_400_000;
    const touch = (firstDay: number) =>
      database.query('insert into tape_touched (symbol, kind, first_day, last_day) values ($1, $2, $3, $4)', [
        'OLD',
        'bars-1d',
        firstDay,
        firstDay + 1,
      ]);
    await touch(day2024 + 1);
    expect((await factsOf('OLD', ['core']))!.outdated).toBe(false);
    await touch(day2024 - 30);
    expect((await factsOf('OLD', ['core']))!.outdated).toBe(true);
  });

  it('keeps what a later plan has written', async () => {
    const early = await nextPlan(database);
    const late = await nextPlan(database);
    const text = (value: number) => ({ core: `"v":${value}` });
    await writeStockDays(database, [day('LATE', 'd2', [], text(2))], late);
    const both = [day('LATE', 'd1', [], text(1)), day('FREE', 'd1', [], text(1))];
    expect(await writeStockDays(database, both, early)).toEqual({ written: 1, unchanged: 1 });
    const read = await readFacts(database, both, ['core']);
    expect([read.get('LATE')!.values.core, read.get('FREE')!.values.core]).toEqual(['"v":2', '"v":1']);
    expect(await writeStockDays(database, both, await nextPlan(database))).toEqual({
      written: 1,
      unchanged: 1,
    });
  });
});
