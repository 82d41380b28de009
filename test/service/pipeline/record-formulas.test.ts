import { hash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { csvFeed } from '../../../src/files/bars/csv.ts';
import { chainsFeed } from '../../../src/files/chains/feed.ts';
import { syncGraph } from '../../../src/pipeline/graph-sync.ts';
import { bringRecordsUpToDate } from '../../../src/pipeline/record-pass.ts';
import { unpackSums } from '../../../src/records/count.ts';
import type { DaySums } from '../../../src/records/events.ts';
import { CLAIM_KINDS, RECORD_KINDS } from '../../../src/records/index.ts';
import { importFeed } from '../../../src/tape/ingest.ts';
import { realDataDirectory } from '../../support/real-data.ts';
import { onRealData } from '../../support/recorded-app.ts';

const DAY = '2026-02-05';
const { app } = await onRealData(
  async (app) => {
    const { calendar } = app.context;
    const daily = [`${realDataDirectory}/daily/recent_daily_2024_2026.csv.gz`];
    const minutes = ['NVDA', 'SPY'].map(
      (symbol) => `${realDataDirectory}/intraday/1min/${symbol}_1min.csv.gz`,
    );
    await importFeed(app.context, csvFeed({ paths: daily, calendar, interval: '1d', symbolFrom: 'column' }));
    await importFeed(
      app.context,
      csvFeed({ paths: minutes, calendar, interval: '1m', symbolFrom: 'file-name' }),
    );
    const chains = ['AAPL_options', 'NVDA_options_2'].map(
      (name) => `${realDataDirectory}/options/yfinance_csv/${name}.csv.gz`,
    );
    await importFeed(app.context, chainsFeed({ paths: chains, calendar }));
    await syncGraph(app.context, { kind: 'range', from: DAY, to: DAY });
    await bringRecordsUpToDate(app.context, { range: { from: DAY, to: DAY } });
    // The sessions with a recorded chain that a price follows.
    const range = { from: '2026-02-11', to: '2026-02-12' };
    await bringRecordsUpToDate(app.context, { range, kinds: ['expiration', 'expected_move'] });
  },
  { TIGRAPH_NOW: '2026-03-31T22:00:00Z' },
);

const countsIn = (sums: DaySums): unknown =>
  Object.entries(sums).map(([key, cells]) => [
    key,
    cells.map((cell) => Object.fromEntries(Object.entries(cell).filter(([, count]) => count !== 0))),
  ]);

describe.skipIf(realDataDirectory === null)('the rule of a kind of claim', () => {
  it.each([...CLAIM_KINDS])('of %s finds on a recorded day what its version found', async (kind) => {
    const rows = await app.context.database.query(
      `select symbol, trade_date::text as date, key, claim, extract(epoch from begun_at)::float as begun,
         extract(epoch from decided_at)::float as decided, side, price, outcome, gone, ambiguous, chance, gain
       from claim_event where kind = $1 order by symbol, trade_date, place`,
      [kind],
    );
    const sums = await app.context.database.query<{ sums: string }>(
      'select sums from claim_day where kind = $1 order by symbol, trade_date',
      [kind],
    );
    expect(rows.length).toBeGreaterThan(3);
    // As counts, so that how they are stored is not their rule.
    const counts = sums.map((row) => countsIn(unpackSums(row.sums)));
    const found = hash('sha1', JSON.stringify([rows, counts]));
    // Another hash is another rule, which begins from nothing: raise version and date of release, then run it again.
    expect(found).toMatchSnapshot(`version ${RECORD_KINDS[kind].version}`);
  });
});
