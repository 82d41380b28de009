import type { Static } from 'typebox';
import { inOrder } from '../base/in-order.ts';
import { isoDate, storedSymbol } from '../base/parameters.ts';
import type { Scope } from '../base/scope.ts';
import { Type } from '../base/type.ts';
import type { AnswerOf, Bus, Queue, WorkOf } from '../bus/bus.ts';
import type { Database } from '../database/database.ts';
import { DERIVATION } from '../derive/derivation.ts';
import type { DayToStore, DeriveJob, StoreOutcome } from '../derive/deriver.ts';
import { daysWithPeers, withPeers } from '../derive/with-peers.ts';
import { readPeerDays } from '../graph/peer-days.ts';
import { markDerived, nextPlan, writeStockDays } from '../graph/stock-days.ts';
import type { MarketView } from '../market/market-view.ts';
import type { PassContext } from './detector.ts';
import { type MarketPass, readMarkets } from './market-pass.ts';

const DayFailure = Type.Object({ symbol: storedSymbol, tradeDate: isoDate, message: Type.String() });
export type DayFailure = Readonly<Static<typeof DayFailure>>;

const Count = Type.Integer({ minimum: 0 });

/** What came of some stock-days. `missing` are those without a bar, e.g. before a listing. */
const DaysReport = Type.Object({
  derived: Count,
  written: Count,
  unchanged: Count,
  missing: Count,
  failed: Type.Array(DayFailure),
});
export type DaysReport = AnswerOf<typeof DAY_QUEUE>;

/** Stock-days as a worker gets them: their names, the instants to derive them at, and their markets. */
const DAY_QUEUE = {
  name: 'days',
  version: 2,
  work: Type.Object({
    /** Orders this work among all: see `writeStockDays`. */
    plan: Count,
    jobs: Type.Array(
      Type.Object({
        symbol: storedSymbol,
        days: Type.Array(Type.Object({ tradeDate: isoDate, asOf: Type.Number() })),
      }),
    ),
    /** The market that all of them are of. */
    simulated: Type.Boolean(),
    /** Its digests, by trade date. */
    markets: Type.Unsafe<Readonly<Record<string, string>>>({
      type: 'object',
      additionalProperties: { type: 'string' },
    }),
  }),
  answer: DaysReport,
} satisfies Queue;
/** Stock-days of one worker task and one write. */
const DAYS_A_BATCH = 32;
/** Batches that a planner hands out before it waits for the first; many workers share them. */
const BATCHES_AHEAD = 64;

/** Derives stock-days of one market and stores them, batch by batch: on the threads of this process, or on workers over the bus. */
export function storeDays(
  context: PassContext,
  market: MarketPass,
  jobs: readonly DeriveJob[],
  signal: AbortSignal,
): AsyncIterable<DaysReport> {
  const { bus } = context;
  return bus === undefined
    ? storeHere(context, market, batchesOf(jobs), signal)
    : storeOnWorkers(context, bus, market, batchesOf(jobs), signal);
}

async function* storeHere(
  context: PassContext,
  market: MarketPass,
  batches: Iterable<DeriveJob[]>,
  signal: AbortSignal,
): AsyncIterable<DaysReport> {
  const derive = async (batch: readonly DeriveJob[]) =>
    deriveBatch(context, await market.of(datesOf(batch)), batch);
  for await (const outcomes of inOrder(batches, derive)) {
    signal.throwIfAborted();
    yield await writeOutcomes(context.database, outcomes);
  }
}

async function* storeOnWorkers(
  context: PassContext,
  bus: Bus,
  market: MarketPass,
  batches: Iterable<DeriveJob[]>,
  signal: AbortSignal,
): AsyncIterable<DaysReport> {
  const plan = await nextPlan(context.database);
  const store = async (batch: readonly DeriveJob[]): Promise<DaysReport> => {
    const digests = market.digests(datesOf(batch));
    // The market of a running session lives in this process.
    if (digests === null) {
      const outcomes = await deriveBatch(context, await market.of(datesOf(batch)), batch);
      return writeOutcomes(context.database, outcomes, plan);
    }
    return bus.ask(DAY_QUEUE, workOf(plan, batch, market.simulated, digests), signal).catch((error) => {
      signal.throwIfAborted();
      return failureOf(batch, error);
    });
  };
  yield* inOrder(batches, store, BATCHES_AHEAD);
}

export const NO_DAYS: DaysReport = { derived: 0, written: 0, unchanged: 0, missing: 0, failed: [] };

/** Work that failed on every worker fails its days; they stay due. */
const failureOf = (batch: readonly DeriveJob[], error: unknown): DaysReport => ({
  ...NO_DAYS,
  failed: batch.flatMap(({ tape: { symbol }, days }) =>
    days.map(({ tradeDate }) => ({ symbol, tradeDate, message: (error as Error).message })),
  ),
});

function workOf(
  plan: number,
  batch: readonly DeriveJob[],
  simulated: boolean,
  markets: Readonly<Record<string, string>>,
): WorkOf<typeof DAY_QUEUE> {
  const jobs = batch.map(({ tape, days }) => ({
    symbol: tape.symbol,
    days: days.map(({ tradeDate, asOf }) => ({ tradeDate, asOf })),
  }));
  return { plan, jobs, simulated, markets };
}

/** Does the work of passes that another process plans; as many batches at a time as this process has threads, and one. */
export function takeDayWork(scope: Scope, context: PassContext, bus: Bus, threads: number): void {
  const markets = readMarkets(context.database);
  bus.take(scope, DAY_QUEUE, threads + 1, async ({ plan, jobs, simulated, markets: digests }, signal) => {
    const days = new Map(jobs.map((job) => [job.symbol, job.days]));
    const tapes = await context.tape.symbolTapes([...days.keys()], { signal });
    const batch = tapes.map((tape) => ({ tape, days: days.get(tape.symbol)! }));
    const outcomes = await deriveBatch(context, await markets(simulated, digests), batch);
    signal.throwIfAborted();
    return writeOutcomes(context.database, outcomes, plan);
  });
}

/** Derives a batch with the facts of its symbols and the markets of its dates. */
async function deriveBatch(
  { tape, deriver, database, calendar }: PassContext,
  markets: Readonly<Record<string, MarketView>>,
  jobs: readonly DeriveJob[],
): Promise<StoreOutcome[]> {
  const tapes = await tape.withFacts(
    jobs.map(({ tape: own, days }) => {
      const instants = days.map((day) => day.asOf);
      return { tape: own, from: Math.min(...instants), to: Math.max(...instants) };
    }),
  );
  const peers = await readPeerDays(database, daysWithPeers(jobs, calendar));
  const withFacts = jobs.map(({ days }, at) => ({ tape: tapes[at]!, days }));
  return deriver.deriveToStore(withPeers(withFacts, peers), { markets });
}

async function writeOutcomes(
  database: Database,
  outcomes: readonly StoreOutcome[],
  plan?: number,
): Promise<DaysReport> {
  const days = outcomes.filter((outcome): outcome is DayToStore => outcome.kind === 'derived');
  const failed = outcomes.filter((outcome) => outcome.kind === 'failed');
  const missing = outcomes.flatMap((outcome) =>
    outcome.kind === 'missing' ? { ...outcome, derivation: DERIVATION } : [],
  );
  const result = await writeStockDays(database, days, plan);
  await markDerived(database, missing);
  return {
    derived: days.length,
    ...result,
    missing: missing.length,
    failed: failed.map(({ symbol, tradeDate, message }) => ({ symbol, tradeDate, message })),
  };
}

const datesOf = (jobs: readonly DeriveJob[]): string[] => [
  ...new Set(jobs.flatMap(({ days }) => days.map(({ tradeDate }) => tradeDate))),
];

/** Jobs in batches of about equal work; the days of one symbol may span several. */
function* batchesOf(jobs: readonly DeriveJob[]): Iterable<DeriveJob[]> {
  let batch: DeriveJob[] = [];
  let size = 0;
  for (const { tape, days } of jobs) {
    for (let at = 0; at < days.length; ) {
      const part = days.slice(at, at + DAYS_A_BATCH - size);
      batch.push({ tape, days: part });
      size += part.length;
      at += part.length;
      if (size < DAYS_A_BATCH) continue;
      yield batch;
      batch = [];
      size = 0;
    }
  }
  if (batch.length > 0) yield batch;
}
