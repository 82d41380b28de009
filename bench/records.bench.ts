/**
 * Promises: the records of 500 stocks over 1,000 days of bars take under 45 s on two threads, and a session
 * added under three seconds; a record is served within 20 ms and a field explained within 20 ms in 99 of 100 calls. After a start the
 * first records of a past close take less than three times what a kind takes that has next to no claims.
 */

import { anonymousCaller } from '../src/api/access/viewer.ts';
import type { AppContext } from '../src/api/context/app-context.ts';
import { listRecords } from '../src/api/records/list-records.ts';
import { loadRecords } from '../src/api/records/load-records.ts';
import { explainField } from '../src/api/stocks/explain-field.ts';
import { DAY_MS, midnightUtc } from '../src/base/calendar.ts';
import { bringRecordsUpToDate } from '../src/pipeline/record-pass.ts';
import { CLAIM_KINDS, type ClaimKind } from '../src/records/index.ts';
import { type BenchLine, ms, percentile, processors, timedEach, timeOf } from './report.ts';
import { copyOfUniverse, LAST_DATE, openBenchApp, removeFolder, symbolsOf } from './universe.ts';

/** As many sessions of minutes as a session's playbooks are compared with. */
const UNIVERSE = { symbols: 500, days: 1_000, minuteSessions: 21 };
const BUILD_MAX_MS = 45_000;
const SESSION_MAX_MS = 3_000;
const P99_MAX_MS = 20;
const CALLS = 300;
const WARM_UP = 10;
const COLD_MAX_RATIO = 3;
const MANY_CLAIMS = ['pattern', 'level', 'playbook'] as const;

export async function run(): Promise<BenchLine[]> {
  const folder = await copyOfUniverse(UNIVERSE);
  const symbols = symbolsOf(folder).filter((symbol) => !symbol.startsWith('^'));
  let app = await openBenchApp(folder);
  const { context } = app;
  try {
    const before = context.calendar.previousSession(LAST_DATE)!;
    await bringRecordsUpToDate(context, { range: { from: before, to: before } });
    let written = 0;
    const build = await timeOf(async () => {
      ({ written } = await bringRecordsUpToDate(context, { range: { to: before } }));
    });
    // The last session is there; that nobody has read it is what an import leaves behind. The market was made with its claims.
    for (const table of ['claim_day', 'claim_event'])
      await context.database.query(`delete from ${table} where trade_date = $1`, [LAST_DATE]);
    const day = midnightUtc(LAST_DATE) / DAY_MS;
    await context.database.query('delete from claim_touched');
    for (const kind of ['bars-1d', 'bars-1m', 'chain'])
      await context.database.query(
        'insert into claim_touched (simulated, kind, first_day, last_day) values (true, $1, $2, $2)',
        [kind, day],
      );
    let added = 0;
    const session = await timeOf(async () => {
      ({ written: added } = await bringRecordsUpToDate(context));
    });
    if (added === 0) throw new Error('The session has no claim');
    const caller = anonymousCaller(context.delayMs);
    const served = await timedEach(
      (call) => listRecords(context, { kind: CLAIM_KINDS[call % CLAIM_KINDS.length] }, caller),
      WARM_UP,
      CALLS,
    );
    const explained = await timedEach(
      (call) => explainField(context, { symbol: symbols[call % 20]!, field: 'bullish_confluence' }, caller),
      20 + WARM_UP,
      CALLS,
    );
    await app.close();
    app = await openBenchApp(folder);
    const cold = await firstOfPast(app.context);
    const lineOf = (promise: string, tookMs: number, maxMs: number, note = ''): BenchLine => ({
      promise,
      figure: maxMs >= 1_000 ? `${(tookMs / 1_000).toFixed(1)} s` : ms(tookMs),
      target: maxMs >= 1_000 ? `under ${maxMs / 1_000} s` : `under ${maxMs} ms`,
      met: tookMs < maxMs,
      note,
    });
    return [
      lineOf(
        `records of ${symbols.length} stocks, ${UNIVERSE.days} days`,
        build,
        BUILD_MAX_MS,
        `${written} symbol-days, ${processors()}`,
      ),
      lineOf('a session added to them', session, SESSION_MAX_MS, `${added} symbol-days`),
      lineOf('a record served, p99', percentile(served, 0.99), P99_MAX_MS),
      lineOf('a field explained, warm, p99', percentile(explained, 0.99), P99_MAX_MS),
      {
        promise: 'the first records of a past close',
        figure: `${cold.ratio.toFixed(1)} x`,
        target: `under ${COLD_MAX_RATIO} x a kind without claims`,
        met: cold.ratio < COLD_MAX_RATIO,
        note: `${ms(cold.slowestMs)} at most, of ${MANY_CLAIMS.join(', ')}`,
      },
    ];
  } finally {
    await app.close();
    removeFolder(folder);
  }
}

/** Kinds of many claims a month back, each once, against one that has next to none: it starts the thread that counts. */
async function firstOfPast(context: AppContext) {
  const { calendar } = context;
  const asOf = calendar.sessionAt(calendar.sessionIndex(LAST_DATE) - 21)!.close;
  const took = (kind: ClaimKind): Promise<number> =>
    timeOf(() => loadRecords(context, { simulated: true, kind, symbols: null, asOf }));
  const yardstickMs = await took('expiration');
  let slowestMs = 0;
  for (const kind of MANY_CLAIMS) slowestMs = Math.max(slowestMs, await took(kind));
  return { slowestMs, ratio: slowestMs / yardstickMs };
}
