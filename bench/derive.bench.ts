/**
 * Promises: every block of one stock derived from the tape in under 1.5 ms, without a chain in 0.6 ms; a full pass over
 * 500 symbols, two years of daily bars and a session of minutes, written to the graph in under 3 s on two cores. Each
 * stock comes several times, so what is kept of its chain and its completed sessions is there.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { App } from '../src/app.ts';
import { Kept } from '../src/blocks/kept.ts';
import { deriveStock } from '../src/derive/compose.ts';
import type { MarketView } from '../src/market/market-view.ts';
import { syncGraph } from '../src/pipeline/graph-sync.ts';
import { readStockView, SegmentReader } from '../src/tape/index.ts';
import { type BenchLine, median, processors } from './report.ts';
import { copyOfUniverse, FIVE_HUNDRED, LAST_DATE, openBenchApp, removeFolder } from './universe.ts';

const DERIVE_PROMISED_US = { withChain: 1_500, withoutChain: 600 };
const PASS_PROMISED_S = 3;
const PROCESSES = 3;
const WARM_UP_ROUNDS = 2;
const ROUNDS = 3;

/** What one process measured: microseconds of a stock in the median, and seconds of a pass. */
interface Run {
  readonly viewUs: number;
  readonly blocksUs: number;
  /** The same stocks as if they had no chain. */
  readonly chainlessUs: number;
  readonly stocks: number;
  readonly passSeconds: number;
  /** Again on a graph emptied again, with threads that have compiled. */
  readonly warmPassSeconds: number;
  readonly failed: number;
}

export async function run(): Promise<BenchLine[]> {
  const runs: Run[] = [];
  for (let round = 0; round < PROCESSES; round++) runs.push(await inFreshProcess());
  const viewUs = median(runs.map((one) => one.viewUs));
  const blocksUs = median(runs.map((one) => one.blocksUs));
  const chainlessUs = median(runs.map((one) => one.chainlessUs));
  const passSeconds = median(runs.map((one) => one.passSeconds));
  const warm = median(runs.map((one) => one.warmPassSeconds));
  const { stocks, failed } = runs[0]!;
  return [
    {
      promise: 'every block of one stock with a chain, from the tape to wire JSON',
      figure: `${(viewUs + blocksUs).toFixed(0)} us`,
      target: `under ${DERIVE_PROMISED_US.withChain} us`,
      met: viewUs + blocksUs < DERIVE_PROMISED_US.withChain,
      note: `${viewUs.toFixed(0)} us to read the view, ${blocksUs.toFixed(0)} us for the blocks; warm, median of ${stocks} stocks`,
    },
    {
      promise: 'the same without its chain',
      figure: `${(viewUs + chainlessUs).toFixed(0)} us`,
      target: `under ${DERIVE_PROMISED_US.withoutChain} us`,
      met: viewUs + chainlessUs < DERIVE_PROMISED_US.withoutChain,
      note: `${chainlessUs.toFixed(0)} us for the blocks`,
    },
    {
      promise: `a full pass over ${stocks} stocks, written to the graph`,
      figure: `${passSeconds.toFixed(2)} s`,
      target: `under ${PASS_PROMISED_S} s`,
      met: failed === 0 && passSeconds < PASS_PROMISED_S,
      note: `threads started and code compiled within; ${warm.toFixed(2)} s once warm; median of ${PROCESSES} processes; ${processors()}${failed === 0 ? '' : `; ${failed} failed`}`,
    },
  ];
}

async function inFreshProcess(): Promise<Run> {
  const folder = await copyOfUniverse(FIVE_HUNDRED);
  try {
    const child = fork(import.meta.filename, [folder], { stdio: ['ignore', 2, 2, 'ipc'] });
    const [measured] = (await once(child, 'message')) as [Run];
    await once(child, 'exit');
    return measured;
  } finally {
    removeFolder(folder);
  }
}

/** What the child measures: the pass first, since in life its threads are as cold. */
async function measured(folder: string): Promise<Run> {
  const app = await openBenchApp(folder);
  const passes = [await pass(app), await pass(app)] as const;
  const stock = await oneStock(app);
  await app.close();
  return {
    ...stock,
    passSeconds: passes[0].seconds,
    warmPassSeconds: passes[1].seconds,
    failed: passes[0].failed,
  };
}

async function pass({ context }: App): Promise<{ seconds: number; failed: number }> {
  await context.database.query('truncate node, edge, fact, stock_day, screen_row, text_vector');
  const start = performance.now();
  const { failed } = await syncGraph(context, { kind: 'range', from: LAST_DATE, to: LAST_DATE });
  return { seconds: (performance.now() - start) / 1000, failed: failed.length };
}

/** The work of a derivation thread, stock by stock. */
async function oneStock({ context: { tape, calendar, deriver } }: App) {
  const { close, postClose: asOf } = calendar.session(LAST_DATE)!;
  const bare = await tape.symbolTapes(await tape.symbols());
  const tapes = await tape.withFacts(bare.map((one) => ({ tape: one, from: asOf, to: asOf })));
  const days = [{ tradeDate: LAST_DATE, asOf: close }];
  const [snapshot] = await deriver.market({ tapes: await tape.ofMarket(true).marketTapes(days), days });
  const market: MarketView = JSON.parse(snapshot!.text);
  const reader = new SegmentReader(tape.location);
  const kept = new Kept();
  const viewTimes: number[] = [];
  const blockTimes: number[] = [];
  const chainlessTimes: number[] = [];
  for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round++) {
    for (const one of tapes) {
      const start = performance.now();
      const view = readStockView(reader, one, calendar, LAST_DATE, asOf);
      const read = performance.now();
      if (view === null) continue;
      deriveStock(view, market, kept);
      const end = performance.now();
      deriveStock({ ...view, chain: null }, market, kept);
      const endWithoutChain = performance.now();
      if (round < WARM_UP_ROUNDS) continue;
      viewTimes.push(read - start);
      blockTimes.push(end - read);
      chainlessTimes.push(endWithoutChain - end);
    }
  }
  reader.close();
  const stocks = viewTimes.length / ROUNDS;
  const [viewUs, blocksUs, chainlessUs] = [viewTimes, blockTimes, chainlessTimes].map(
    (times) => median(times) * 1000,
  );
  return { viewUs: viewUs!, blocksUs: blocksUs!, chainlessUs: chainlessUs!, stocks };
}

if (import.meta.main) process.send!(await measured(process.argv[2]!), () => process.exit(0));
