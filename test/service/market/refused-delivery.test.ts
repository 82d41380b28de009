import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { App } from '../../../src/app.ts';
import { newYorkCalendar } from '../../../src/base/calendar.ts';
import type { Delivery } from '../../../src/market/feed.ts';
import { importFeed } from '../../../src/tape/ingest.ts';
import { feedOf, freshMarket } from '../../support/app.ts';
import { dailyBars, minuteBars } from '../../support/market.ts';
import { directoryOf } from '../../support/tape.ts';

const DATE = '2024-03-05';
const session = newYorkCalendar().session(DATE)!;
const TABLES = [
  'tape_segment',
  'tape_slice',
  'running_row',
  'corporate_action',
  'reported_fact',
  'tape_touched',
];

/** All that the tape holds: rows of its tables, and its files. */
async function contentOf({ context }: App): Promise<unknown> {
  const directory = directoryOf(context.tape);
  const rows = TABLES.map(async (table) => [
    table,
    (await context.database.query<{ row: string }>(`select t::text as row from ${table} t order by 1`)).map(
      ({ row }) => row,
    ),
  ]);
  const digest = (file: string): string =>
    createHash('sha256')
      .update(readFileSync(join(directory, file)))
      .digest('hex');
  return [
    Object.fromEntries(await Promise.all(rows)),
    readdirSync(directory)
      .sort()
      .map((file) => [file, digest(file)]),
  ];
}

/** Rows that were there before, each now below zero, and others that belong nowhere. */
function refusedOf(interval: '1m' | '1d'): Delivery[] {
  const bars = interval === '1m' ? minuteBars('ACME', DATE, DATE) : dailyBars('ACME', DATE, DATE);
  const { columns } = bars;
  return [
    { ...bars, columns: { ...columns, low: columns.low.map(() => -1) } },
    { ...bars, symbol: 'NO\0SYMBOL' },
    { kind: 'actions', symbol: 'ACME', actions: [{ kind: 'split', exDate: Date.parse(DATE), value: 0 }] },
    {
      kind: 'facts',
      symbol: 'ACME',
      facts: [{ kind: 'halt', key: 'x', knownAt: Number.NaN, value: {} } as never],
    },
  ];
}

it('of a file, of a correction and of a running minute leaves the tape as it was, with counts and examples', async () => {
  const app = await freshMarket({ TIGRAPH_NOW: '2024-03-05T16:00:00Z' }, [
    dailyBars('ACME', '2024-02-01', DATE),
    minuteBars('ACME', '2024-03-04', '2024-03-04'),
  ]);
  const before = await contentOf(app);
  const minutes = minuteBars('ACME', DATE, DATE).columns.time.length;

  const file = await importFeed(app.context, feedOf({ 'new.csv': refusedOf('1m') }));
  expect(file.rowsKept).toBe(0);
  expect(file.refusals.map(({ reason, rows }) => [reason, rows])).toEqual([
    ['price_not_positive', minutes],
    ['bad_symbol', minutes],
    ['bad_action', 1],
    ['bad_time', 1],
  ]);
  expect(file.refusals[0]).toMatchObject({
    where: 'new.csv',
    example: expect.stringMatching(/^ACME bars-1m \d/),
  });
  expect(await contentOf(app)).toEqual(before);

  const correction = await importFeed(app.context, feedOf({ 'daily.csv': refusedOf('1d') }));
  expect(correction).toMatchObject({ rowsKept: 0, rowsUnchanged: 0 });
  expect(await contentOf(app)).toEqual(before);

  const running = await app.context.tape.ofMarket(false).runningSession(session);
  const taken = await running.take({ name: 'live' }, [
    { at: session.open + 60_000, deliveries: refusedOf('1m') },
  ]);
  running.close();
  expect(taken.rows).toBe(0);
  expect(taken.refused.map(({ reason, count }) => [reason, count])).toEqual([
    ['price_not_positive', 6],
    // What the session has not come to yet.
    ['not_final', minutes - 6],
    ['bad_symbol', minutes],
    ['bad_action', 1],
    ['bad_time', 1],
  ]);
  expect(taken.refused[0]!.where).toBe('2024-03-05T14:31:00.000Z');
  expect(await contentOf(app)).toEqual(before);
});
