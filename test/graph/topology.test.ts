import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '../../src/base/database.ts';
import type { BuiltTopology } from '../../src/base/peer-topology.ts';
import { peerDatesOf, peerDaysOn } from '../../src/graph/peer-days.ts';
import { newestTopology, peerDates, readTopology, writeTopology } from '../../src/graph/topology.ts';
import { openTestDatabase } from '../support/database.ts';

let database: Database;
let remove: () => Promise<void>;

beforeEach(async () => {
  ({ database, remove } = await openTestDatabase());
});
afterEach(() => remove());

const built = (tradeDate: string, more: Partial<BuiltTopology> = {}): BuiltTopology => ({
  tradeDate,
  stocks: 2,
  packed: Uint8Array.from(Buffer.from(`topology of ${tradeDate}`)),
  edges: [{ one: 'A', other: 'B', weight: 0.5, correlation: 0.4, reasons: ['correlation'] }],
  windowFrom: '2023-01-03',
  windowTo: '2024-01-02',
  days: new Map([
    ['A', '{"composite":1}'],
    ['B', '{"composite":-1}'],
  ]),
  ...more,
});

const edges = () =>
  database.query<{ one: string; other: string; props: unknown; to: string }>(
    `select s.key as one, t.key as other, e.props, e.valid_to::text as to from edge e
     join node s on s.id = e.source join node t on t.id = e.target where e.type = 'PEER_OF' order by 1, 2`,
  );

describe('a topology in the graph', () => {
  it('is none before one is built', async () => {
    expect(await newestTopology(database)).toBeNull();
    expect(await readTopology(database, 'x')).toBeNull();
  });

  it('comes back as the bytes that it was, in memory that can be shared', async () => {
    await writeTopology(database, built('2024-01-03'));
    const name = await newestTopology(database);
    expect(name).toMatchObject({ tradeDate: '2024-01-03' });
    const bytes = await readTopology(database, name!.digest);
    expect(Buffer.from(bytes!).toString()).toBe('topology of 2024-01-03');
    expect(bytes!.buffer).toBeInstanceOf(SharedArrayBuffer);
  });

  it('is the edges of the newest alone', async () => {
    await writeTopology(database, built('2024-01-04'));
    const newest = await edges();
    expect(newest).toEqual([
      {
        one: 'A',
        other: 'B',
        props: { weight: 0.5, correlation: 0.4, reasons: ['correlation'] },
        to: '2024-01-02',
      },
    ]);
    await writeTopology(database, built('2024-01-03', { edges: [] }));
    expect(await edges()).toEqual(newest);
    await writeTopology(
      database,
      built('2024-01-05', {
        edges: [{ one: 'B', other: 'C', weight: 1, correlation: 0, reasons: ['theme'] }],
      }),
    );
    expect((await edges()).map(({ one, other }) => one + other)).toEqual(['BC']);
  });

  it('keeps its instant when it is built again to the same bytes, and takes a new one with others', async () => {
    await writeTopology(database, built('2024-01-03'));
    const first = await newestTopology(database);
    await writeTopology(database, built('2024-01-03'));
    expect(await newestTopology(database)).toEqual(first);
    await writeTopology(database, built('2024-01-03', { packed: Uint8Array.of(1) }));
    const second = await newestTopology(database);
    expect(second!.digest).not.toBe(first!.digest);
    expect(second!.builtAt).toBeGreaterThanOrEqual(first!.builtAt);
  });

  it('keeps the bytes of three dates and the divergences of all', async () => {
    const dates = ['2024-01-03', '2024-01-04', '2024-01-05', '2024-01-08'];
    for (const date of dates) await writeTopology(database, built(date));
    const rows = await database.query<{ date: string }>(
      'select trade_date::text as date from peer_topology where packed is not null order by 1',
    );
    expect(rows.map(({ date }) => date)).toEqual(dates.slice(1));
    expect(await peerDates(database)).toEqual(dates);
    expect(await peerDatesOf(database, 'A', '2024-01-05', 2)).toEqual(['2024-01-05', '2024-01-04']);
  });

  it('takes away a divergence that there is no more', async () => {
    await writeTopology(database, built('2024-01-03'));
    await writeTopology(database, built('2024-01-03', { days: new Map([['B', '{"composite":-1}']]) }));
    expect((await peerDaysOn(database, '2024-01-03')).map(({ symbol }) => symbol)).toEqual(['B']);
  });
});
