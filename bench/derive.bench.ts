/**
 * Promises: the numbers of one stock at a minute, from the tape to the packed row, in under 0.7 ms with a chain and 0.5
 * without; its whole answer in under 1.8 ms; a full pass over 500 symbols, two years of daily bars and a session of
 * minutes, written to the graph in under 4 s on two cores and in 2 s once warm. Minutes come one after another, so what
 * is kept of chain, facts and completed sessions is there.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { App } from '../src/app.ts';
import { MINUTE_MS } from '../src/base/dates.ts';
import { Kept } from '../src/blocks/kept.ts';
import { deriveStock } from '../src/derive/compose.ts';
import { screenOf } from '../src/derive/projection.ts';
import type { MarketView } from '../src/market/market-view.ts';
import { syncGraph } from '../src/pipeline/graph-sync.ts';
import { readStockView, SegmentReader } from '../src/tape/index.ts';
import { PROGRAM_SETTINGS } from './program.ts';
import { type BenchLine, median, processors } from './report.ts';
import { copyOfUniverse, FIVE_HUNDRED, LAST_DATE, openBenchApp, removeFolder } from './universe.ts';

const NUMBERS_PROMISED_US = { withChain: 700, withoutChain: 500 };
const ANSWER_PROMISED_US = 1_800;
const PASS_PROMISED_S = 4;
const WARM_PASS_PROMISED_S = 2;
const PROCESSES = 3;
/** Of a session at noon. */
const WARM_UP_MINUTES = 4;
const MINUTES = 4;
const NOON_MS = 150 * MINUTE_MS;

/** What one process measured: microseconds of a stock in the median, the reading of its view included, and seconds of a pass. */
interface Run {
  readonly numbersUs: number;
  /** The same stocks as if they had no chain. */
  readonly chainlessUs: number;
  readonly answerUs: number;
  /** The yardstick: `JSON.parse` and `JSON.stringify` of the same answer. */
  readonly jsonUs: number;
  readonly stocks: number;
  readonly passSeconds: number;
  /** Again on a graph emptied again, with threads that have compiled. */
  readonly warmPassSeconds: number;
  readonly failed: number;
}

export async function run(): Promise<BenchLine[]> {
  const runs: Run[] = [];
  for (let round = 0; round < PROCESSES; round++) runs.push(await inFreshProcess());
  const middle = (of: (run: Run) => number): number => median(runs.map(of));
  const json = middle((one) => one.jsonUs);
  const { stocks, failed } = runs[0]!;
  const line = (promise: string, us: number, promised: number): BenchLine => ({
    promise,
    figure: `${us.toFixed(0)} us`,
    target: `under ${promised} us`,
    met: us < promised,
    note: `${(us / json).toFixed(2)}x of parsing and writing the answer (${json.toFixed(0)} us); warm, minute by minute, median of ${stocks} stocks`,
  });
  const pass = (promise: string, seconds: number, promised: number): BenchLine => ({
    promise: `${promise} over ${stocks} stocks, written to the graph`,
    figure: `${seconds.toFixed(2)} s`,
    target: `under ${promised} s`,
    met: failed === 0 && seconds < promised,
    note: `median of ${PROCESSES} processes; ${processors()}${failed === 0 ? '' : `; ${failed} failed`}`,
  });
  return [
    line(
      'the numbers of one stock with a chain, from the tape to the packed row',
      middle((one) => one.numbersUs),
      NUMBERS_PROMISED_US.withChain,
    ),
    line(
      'the same without its chain',
      middle((one) => one.chainlessUs),
      NUMBERS_PROMISED_US.withoutChain,
    ),
    line(
      'the whole answer of one stock, from the tape to JSON',
      middle((one) => one.answerUs),
      ANSWER_PROMISED_US,
    ),
    pass(
      'a first pass, its threads started and code compiled,',
      middle((one) => one.passSeconds),
      PASS_PROMISED_S,
    ),
    pass(
      'a warm pass',
      middle((one) => one.warmPassSeconds),
      WARM_PASS_PROMISED_S,
    ),
  ];
}

async function inFreshProcess(): Promise<Run> {
  const folder = await copyOfUniverse(FIVE_HUNDRED);
  try {
    const child = fork(import.meta.filename, [folder], {
      stdio: ['ignore', 2, 2, 'ipc'],
      ...PROGRAM_SETTINGS,
    });
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

/** The work of a derivation thread, minute by minute and stock by stock. */
async function oneStock({ context: { tape, calendar, deriver } }: App) {
  const { open, postClose } = calendar.session(LAST_DATE)!;
  const bare = await tape.symbolTapes(await tape.symbols());
  const tapes = await tape.withFacts(bare.map((one) => ({ tape: one, from: postClose, to: postClose })));
  const noon = open + NOON_MS;
  const days = [{ tradeDate: LAST_DATE, asOf: noon }];
  const [snapshot] = await deriver.market({ tapes: await tape.ofMarket(true).marketTapes(days), days });
  const market: MarketView = JSON.parse(snapshot!.text);
  const reader = new SegmentReader(tape.location);
  const kept = { numbers: new Kept(), chainless: new Kept(), answer: new Kept() };
  const times: Record<'numbers' | 'chainless' | 'answer' | 'json', number[]> = {
    numbers: [],
    chainless: [],
    answer: [],
    json: [],
  };
  for (let minute = 0; minute < WARM_UP_MINUTES + MINUTES; minute++) {
    for (const one of tapes) {
      const began = performance.now();
      const view = readStockView(reader, one, calendar, LAST_DATE, noon + minute * MINUTE_MS);
      const read = performance.now() - began;
      if (view === null) continue;
      const timed = (name: keyof typeof times, work: () => unknown, before: number): void => {
        const start = performance.now();
        work();
        if (minute >= WARM_UP_MINUTES) times[name].push(performance.now() - start + before);
      };
      let texts: readonly string[] = [];
      timed('numbers', () => screenOf(view, market, kept.numbers), read);
      timed('chainless', () => screenOf({ ...view, chain: null }, market, kept.chainless), read);
      timed(
        'answer',
        () => {
          const { core, includes } = deriveStock(view, market, kept.answer);
          texts = [`{${core}}`, ...Object.values(includes)];
        },
        read,
      );
      timed('json', () => texts.map((text) => JSON.stringify(JSON.parse(text))), 0);
    }
  }
  reader.close();
  const [numbersUs, chainlessUs, answerUs, jsonUs] = [
    times.numbers,
    times.chainless,
    times.answer,
    times.json,
  ].map((of) => median(of) * 1000) as [number, number, number, number];
  return { numbersUs, chainlessUs, answerUs, jsonUs, stocks: times.numbers.length / MINUTES };
}

if (import.meta.main) process.send!(await measured(process.argv[2]!), () => process.exit(0));
