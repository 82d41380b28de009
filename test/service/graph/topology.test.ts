import { beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '../../../src/database/database.ts';
import type { EdgedTopology } from '../../../src/derive/peer-topology.ts';
import { peerDaysOn, readPeerDays } from '../../../src/graph/peer-days.ts';
import {
  claimDates,
  newestTopology,
  readTopology,
  topologyOfMonth,
  unmeasuredDates,
  writePeerDays,
  writeTopology,
} from '../../../src/graph/topology.ts';
import { freshDatabase } from '../../support/app.ts';

let database: Database;

beforeEach(async () => {
  database = await freshDatabase();
});

const CLAIM = '00000000-0000-4000-8000-000000000001';

const built = (month: string, more: Partial<EdgedTopology> = {}): EdgedTopology => ({
  month,
  stocks: 2,
  packed: Uint8Array.from(Buffer.from(`topology of ${month}`)),
  edges: 1,
  readEdges: () => [{ one: 'A', other: 'B', weight: 0.5, correlation: 0.4, reasons: ['correlation'] }],
  windowFrom: '2023-01-03',
  windowTo: '2023-12-29',
  ...more,
});

async function write(month: string, more: Partial<EdgedTopology> = {}): Promise<void> {
  await claimDates(database, [month], CLAIM);
  await writeTopology(database, false, built(month, more), [month], CLAIM);
}

const DAYS = new Map([
  ['A', '{"composite":1}'],
  ['B', '{"composite":-1}'],
]);

async function measure(date: string, days: ReadonlyMap<string, string> = DAYS): Promise<void> {
  await claimDates(database, [date], CLAIM);
  await writePeerDays(database, date, days, CLAIM);
}

const edges = () =>
  database.query<{ one: string; other: string; props: unknown; to: string }>(
    `select s.key as one, t.key as other, e.props, e.valid_to::text as to from edge e
     join node s on s.id = e.source join node t on t.id = e.target where e.type = 'PEER_OF' order by 1, 2`,
  );

describe('a topology in the graph', () => {
  it('is none before one is built', async () => {
    expect(await newestTopology(database, false)).toBeNull();
    expect(await readTopology(database, 'x')).toBeNull();
  });

  it('comes back as the bytes that it was, in memory that can be shared', async () => {
    await write('2024-01-01');
    const name = await newestTopology(database, false);
    expect(name).toMatchObject({ month: '2024-01-01' });
    for (const bytes of [
      await readTopology(database, name!.digest),
      await topologyOfMonth(database, false, '2024-01-01'),
    ]) {
      expect(Buffer.from(bytes!).toString()).toBe('topology of 2024-01-01');
      expect(bytes!.buffer).toBeInstanceOf(SharedArrayBuffer);
    }
  });

  it('is not used again once one of its inputs is dirty', async () => {
    const touch = (day: number) =>
      database.query(
        `insert into tape_touched (symbol, kind, first_day, last_day)
         select 'A', 'bars-1d', date '2023-12-29' - date '1970-01-01' + $1::integer, 30000 + $1::integer`,
        [day],
      );
    await write('2024-01-01');
    await touch(1);
    expect(await topologyOfMonth(database, false, '2024-01-01')).not.toBeNull();
    await touch(0);
    expect(await topologyOfMonth(database, false, '2024-01-01')).toBeNull();
  });

  it('is the edges of the newest alone', async () => {
    await write('2024-02-01');
    const newest = await edges();
    expect(newest).toEqual([
      {
        one: 'A',
        other: 'B',
        props: { weight: 0.5, correlation: 0.4, reasons: ['correlation'] },
        to: '2023-12-29',
      },
    ]);
    await write('2024-01-01', { edges: 0, readEdges: () => [] });
    expect(await edges()).toEqual(newest);
    await write('2024-03-01', {
      readEdges: () => [{ one: 'B', other: 'C', weight: 1, correlation: 0, reasons: ['theme'] }],
    });
    expect((await edges()).map(({ one, other }) => one + other)).toEqual(['BC']);
  });

  it('keeps its instant when it is built again to the same bytes, and takes a new one with others', async () => {
    await write('2024-01-01');
    const first = await newestTopology(database, false);
    await write('2024-01-01');
    expect(await newestTopology(database, false)).toEqual(first);
    await write('2024-01-01', { packed: Uint8Array.of(1) });
    const second = await newestTopology(database, false);
    expect(second!.digest).not.toBe(first!.digest);
    expect(second!.builtAt).toBeGreaterThanOrEqual(first!.builtAt);
  });

  it('keeps the bytes of the three newest months and of the twelve that were made last', async () => {
    const months = Array.from(
      { length: 16 },
      (_, at) => `20${20 + Math.floor(at / 12)}-${String((at % 12) + 1).padStart(2, '0')}-01`,
    );
    for (const month of [...months.slice(-3), ...months.slice(0, -3)]) await write(month);
    const rows = await database.query<{ month: string }>(
      'select month::text as month from peer_topology where packed is not null order by 1',
    );
    expect(rows.map(({ month }) => month)).toEqual(months.slice(1));
  });
});

describe('divergences of a date', () => {
  it('are kept date by date', async () => {
    expect(await unmeasuredDates(database, ['2024-01-03', '2024-01-04'])).toEqual([
      '2024-01-03',
      '2024-01-04',
    ]);
    for (const date of ['2024-01-03', '2024-01-04', '2024-01-05', '2024-01-08']) await measure(date);
    expect(await unmeasuredDates(database, ['2024-01-03', '2024-01-09'])).toEqual(['2024-01-09']);
  });

  it('distinguish a stock without one from a date that is not measured', async () => {
    await measure('2024-01-03');
    const asked = ['A', 'C'].flatMap((symbol) => [
      { symbol, tradeDate: '2024-01-03' },
      { symbol, tradeDate: '2024-01-04' },
    ]);
    expect(await readPeerDays(database, asked)).toEqual([
      { symbol: 'A', tradeDate: '2024-01-03', value: '{"composite":1}' },
      { symbol: 'C', tradeDate: '2024-01-03', value: null },
    ]);
  });

  it('take away one that there is no more', async () => {
    await measure('2024-01-03');
    await measure('2024-01-03', new Map([['B', '{"composite":-1}']]));
    expect((await peerDaysOn(database, false, '2024-01-03')).map(({ symbol }) => symbol)).toEqual(['B']);
  });

  it('are left alone by a writer that another has overtaken', async () => {
    const later = '00000000-0000-4000-8000-000000000002';
    await claimDates(database, ['2024-01-03'], CLAIM);
    await claimDates(database, ['2024-01-03'], later);
    await writeTopology(database, false, built('2024-01-01'), ['2024-01-03'], CLAIM);
    await writePeerDays(database, '2024-01-03', DAYS, CLAIM);
    expect(await newestTopology(database, false)).toBeNull();
    expect(await unmeasuredDates(database, ['2024-01-03'])).toEqual(['2024-01-03']);
    await writePeerDays(database, '2024-01-03', DAYS, later);
    expect(await unmeasuredDates(database, ['2024-01-03'])).toEqual([]);
  });
});
