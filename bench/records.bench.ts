/**
 * Promises: the records of 500 stocks over 1,000 days of bars take under five minutes on two threads, and a session
 * added under five seconds; a record is served within 20 ms and a field explained within 20 ms in 99 of 100 calls.
 */
import { anonymousCaller } from '../src/api/access/viewer.ts';
import { listRecords } from '../src/api/records/list-records.ts';
import { explainField } from '../src/api/stocks/explain-field.ts';
import { DAY_MS, midnightUtc } from '../src/base/calendar.ts';
import { bringRecordsUpToDate } from '../src/pipeline/record-pass.ts';
import { type BenchLine, ms, percentile, processors, timedEach, timeOf } from './report.ts';
import { copyOfUniverse, LAST_DATE, openBenchApp, removeFolder, symbolsOf } from './universe.ts';

/** The levels of a session are compared with those of the ten before it, whose minutes are read with its own. */
const UNIVERSE = { symbols: 500, days: 1_000, minuteSessions: 12 };
const BUILD_MAX_MS = 300_000;
const SESSION_MAX_MS = 5_000;
const P99_MAX_MS = 20;
const CALLS = 300;
const WARM_UP = 10;

export async function run(): Promise<BenchLine[]> {
  const folder = await copyOfUniverse(UNIVERSE);
  const symbols = symbolsOf(folder).filter((symbol) => !symbol.startsWith('^'));
  const app = await openBenchApp(folder);
  const { context } = app;
  try {
    const before = context.calendar.previousSession(LAST_DATE)!;
    await bringRecordsUpToDate(context, { range: { from: before, to: before } });
    let written = 0;
    const build = await timeOf(async () => {
      ({ written } = await bringRecordsUpToDate(context, { range: { to: before } }));
    });
    // The last session is there; that nobody has read it is what an import leaves behind.
    const day = midnightUtc(LAST_DATE) / DAY_MS;
    await context.database.query('delete from claim_touched');
    for (const kind of ['bars-1d', 'bars-1m'])
      await context.database.query(
        'insert into claim_touched (kind, first_day, last_day) values ($1, $2, $2)',
        [kind, day],
      );
    let added = 0;
    const session = await timeOf(async () => {
      ({ written: added } = await bringRecordsUpToDate(context));
    });
    if (added === 0) throw new Error('The session has no claim');
    const caller = anonymousCaller(context.delayMs);
    const kinds = ['level', 'pattern', 'score', 'divergence'] as const;
    const served = await timedEach(
      (call) => listRecords(context, { kind: kinds[call % kinds.length] }, caller),
      WARM_UP,
      CALLS,
    );
    const explained = await timedEach(
      (call) => explainField(context, { symbol: symbols[call % 20]!, field: 'bullish_confluence' }, caller),
      20 + WARM_UP,
      CALLS,
    );
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
    ];
  } finally {
    await app.close();
    removeFolder(folder);
  }
}
