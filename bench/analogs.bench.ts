/**
 * The nearest 20 among 200,000 stock-days on the embedded store, every one compared in memory that a thread shares; how
 * many of the true neighbours, by a plain scan of numbers as they were before they were kept, are among them; and what it
 * takes to keep and to hold them.
 */

import { BLOCK_BYTES, StateCache } from '../src/api/context/state-cache.ts';
import { DAY_MS } from '../src/base/calendar.ts';
import { openDatabase } from '../src/database/database.ts';
import { migrate } from '../src/database/migrate.ts';
import { putStateYears } from '../src/graph/stock-states.ts';
import { createStateScanner } from '../src/workers/task-threads.ts';
import { type BenchLine, median, ms, percentile, timedEach, timeOf } from './report.ts';
import { madeUpStates, scanNearest, stateYears, wholeNumbers } from './stock-states.ts';
import { removeFolder, temporaryFolder } from './universe.ts';

const STATES = 200_000;
const WIDTH = 32;
const QUERIES = 200;
const NEAREST = 20;
/** What `findAnalogs` asks for first, to have 20 left that tell something of their own. */
const ASKED = 60;
/** Years of a statement in the background, and of one with nobody waiting. */
const [BESIDE_CALLERS, AT_ONCE] = [3, 64];
const EVER = Number.MAX_SAFE_INTEGER;

export async function run(): Promise<BenchLine[]> {
  const table = madeUpStates(STATES);
  const folder = temporaryFolder();
  const database = await openDatabase({ dataDirectory: folder });
  await migrate(database);
  const years = stateYears(table);

  async function put(from: number, to: number, atOnce: number): Promise<number[]> {
    const putPart = (part: number): Promise<unknown> => {
      const at = from + part * atOnce;
      return putStateYears(database, years.slice(at, Math.min(at + atOnce, to)));
    };
    return timedEach(putPart, 0, Math.ceil((to - from) / atOnce));
  }
  const half = Math.floor(years.length / 2);
  const filled = await put(0, half, AT_ONCE);
  const beside = await put(half, years.length, BESIDE_CALLERS);

  const scanner = createStateScanner();
  const memory = new StateCache(database, scanner, 1024 * 1_048_576, false);
  const read = (): Promise<unknown> => memory.use(async () => {});
  const readMs = await timeOf(read);
  const queries = Array.from({ length: QUERIES }, (_, at) => Math.floor(((at + 0.5) / QUERIES) * STATES));
  const nearest = (query: number, count: number) =>
    memory.use((states) => {
      const own = table.states.subarray(query * WIDTH, (query + 1) * WIDTH);
      return states.nearest(wholeNumbers(own), EVER, count);
    });
  for (const query of queries.slice(0, 20)) await nearest(query, ASKED);
  const times = { nearest: [] as number[], scan: [] as number[] };
  let found = 0;
  for (const query of queries) {
    let began = performance.now();
    const { near } = await nearest(query, ASKED);
    times.nearest.push(performance.now() - began);
    began = performance.now();
    const scanned = scanNearest(table, query, EVER, ASKED);
    times.scan.push(performance.now() - began);
    const names = new Set(near.slice(0, NEAREST).map(({ symbol, day }) => `${symbol} ${day}`));
    for (const { row } of scanned.slice(0, NEAREST)) {
      found += Number(names.has(`${table.symbol[row]} ${table.day[row]!}`));
    }
  }
  const widest = await timedEach((at) => nearest(queries[at * 5]!, NEAREST * 48), 0, Math.ceil(QUERIES / 5));
  const newDay = years.slice(0, BESIDE_CALLERS).map((year) => ({
    ...year,
    days: Int32Array.of(...year.days.subarray(0, -1), Date.now() / DAY_MS),
  }));
  await putStateYears(database, newDay);
  const refreshMs = await timeOf(read);
  const [size] = await database.query<{ bytes: number }>(
    `select pg_total_relation_size('stock_state_year') as bytes`,
  );
  await scanner.close();
  await database.close();
  removeFolder(folder);

  const recall = found / QUERIES / NEAREST;
  const p99 = percentile(times.nearest, 0.99);
  const blocks = Math.ceil(years.length / 512);
  return [
    {
      promise: 'analogs: nearest among 200,000 stock-days, every one compared',
      figure: `${ms(median(times.nearest))}, p99 ${ms(p99)}`,
      ratio: median(times.nearest) / median(times.scan),
      target: 'p99 under 10 ms',
      met: p99 < 10,
      note: `a plain scan over typed arrays in this process ${ms(median(times.scan))}; the nearest 960 ${ms(median(widest))}`,
    },
    {
      promise: 'analogs: true neighbours among the 20 found',
      figure: `${(recall * 100).toFixed(2)} %`,
      target: 'at least 98 %',
      met: recall >= 0.98,
      note: 'held against numbers as they were before they were kept in ten-thousandths',
    },
    {
      promise: 'analogs: writing beside callers',
      figure: `statements of ${BESIDE_CALLERS} stock-years hold ${ms(median(beside))}, p99 ${ms(percentile(beside, 0.99))}`,
      target: 'at most 10 ms held',
      met: median(beside) <= 10,
      note: 'a pass in the background sets its own size of statement',
    },
    {
      promise: 'analogs: first load with nobody waiting',
      figure: `${((half / filled.reduce((sum, took) => sum + took, 0)) * 1000).toFixed(0)} stock-years/s`,
      met: null,
      note: `${((size!.bytes / table.rows) | 0).toString()} bytes a state on disk`,
    },
    {
      promise: 'analogs: reading 200,000 states into memory',
      figure: `${(readMs / 1000).toFixed(2)} s, ${((blocks * BLOCK_BYTES) / 1_048_576).toFixed(0)} MB`,
      met: null,
      note: `${years.length} stock-years; ${BESIDE_CALLERS} that changed ${ms(refreshMs)} with the next question; 25,000 stock-years ${((readMs * 25_000) / years.length / 1000).toFixed(0)} s, 490 MB and ${ms((median(times.nearest) * 25_000) / years.length)} a question`,
    },
  ];
}
