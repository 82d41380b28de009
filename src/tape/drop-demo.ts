import type { Database } from '../database/database.ts';
import { ofMarket } from '../database/symbol-market.ts';
import type { SegmentStore } from './segments/segment-store.ts';

const ROWS: readonly string[] = [
  'delete from running_row where simulated',
  ...['corporate_action', 'reported_fact', 'chain_slice', 'tape_slice'].map(
    (table) => `delete from ${table} t where ${ofMarket('t.symbol', 'true')}`,
  ),
  `delete from tape_unit where feed in ('simulated', 'replay-simulated')`,
];

/** Drops the rows of the simulated market, and then the files that only they were in. */
export async function dropDemoRows(database: Database, store: SegmentStore): Promise<void> {
  const files = await database.query<{ file: string }>('select file from tape_segment where simulated');
  await database.atomically([
    ...ROWS.map((sql) => ({ sql, parameters: [] })),
    { sql: 'delete from tape_segment where simulated', parameters: [] },
  ]);
  for (const { file } of files) await store.remove(file);
}
