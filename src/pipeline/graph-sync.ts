import type { Database } from '../database/database.ts';
import type { DayToStore, DeriveJob, StoreOutcome } from '../derive/deriver.ts';
import { daysWithPeers, withPeers } from '../derive/with-peers.ts';
import { markMarketDaysClean, markOvertakenStale, staleMarketDays } from '../graph/market-days.ts';
import { analyzeMonths, createMonths } from '../graph/months.ts';
import { markPeersClean, readPeerDays, stalePeerDates } from '../graph/peer-days.ts';
import { writeStockDays } from '../graph/stock-days.ts';
import {
  isBefore,
  marketsToCheck,
  type PassContext,
  planBehindMarket,
  planDerivations,
  type Scope,
} from './detector.ts';
import { inOrder } from './in-order.ts';
import { type MarketPass, openMarketPass } from './market-pass.ts';
import { oldestKept } from './retention.ts';
import { fillScreens } from './screen-fill.ts';
import { bringPeersUpToDate, findMissingPeers, planBehindPeers } from './topology-pass.ts';

export interface SyncProgress {
  readonly done: number;
  /** Stock-days planned so far; grows while later symbols are planned. */
  readonly planned: number;
}

export interface SyncReport {
  readonly derived: number;
  readonly written: number;
  readonly unchanged: number;
  /** Stock-days without a bar, e.g. before a listing. */
  readonly missing: number;
  readonly failed: readonly {
    readonly symbol: string;
    readonly tradeDate: string;
    readonly message: string;
  }[];
  readonly unknown: readonly string[];
}

/** Stock-days of one worker task and one write. */
const DAYS_AT_ONCE = 32;

/**
 * Derives a scope and writes it to the graph: the peers and the market of its dates, its stock-days, then every other
 * stored stock-day whose market or peers changed. Running it again changes nothing. A symbol that fails is reported and
 * does not stop the others. An interruption leaves whole batches, and the next pass continues.
 */
export async function syncGraph(
  context: PassContext,
  asked: Scope,
  onProgress: (progress: SyncProgress) => void = () => {},
): Promise<SyncReport> {
  const now = context.clock.now();
  const since = await oldestKept(context, now);
  const scope = asked.kind === 'range' || since === null ? asked : { ...asked, since };
  const market = openMarketPass(context);
  const report = {
    derived: 0,
    written: 0,
    unchanged: 0,
    missing: 0,
    failed: [] as DayFailure[],
    unknown: [] as string[],
  };
  let done = 0;
  let planned = 0;
  let hasNewMonths = false;

  /** Returns the days that failed. */
  async function run(jobs: readonly DeriveJob[]): Promise<DayFailure[]> {
    planned += jobs.reduce((sum, job) => sum + job.days.length, 0);
    const failedBefore = report.failed.length;
    const derive = (batch: readonly DeriveJob[]) => deriveBatch(context, market, batch);
    for await (const outcomes of inOrder(batchesOf(jobs), derive)) {
      await writeOutcomes(context.database, outcomes, report);
      done += outcomes.length;
      onProgress({ done, planned });
    }
    return report.failed.slice(failedBefore);
  }

  await bringPeersUpToDate(context, scope, now);
  await market.bringUpToDate(await marketsToCheck(context, scope, now));
  for await (const plan of planDerivations(context, scope, now)) {
    report.unknown.push(...plan.unknown);
    const days = plan.jobs.flatMap((job) => job.days);
    const dates = days.map(({ tradeDate }) => tradeDate);
    if (await createMonths(context.database, dates)) hasNewMonths = true;
    await findMissingPeers(context, dates, now);
    await market.bringUpToDate(days);
    const failed = new Set((await run(plan.jobs)).map((failure) => failure.symbol));
    // Failed symbols stay dirty for the pass after the fix.
    await context.tape.clearDirtyRanges(plan.clears.filter((range) => !failed.has(range.symbol)));
  }
  const pass = { context, market, scope, now, run };
  await markMarketsClean(pass);
  await markMeasuredClean(pass);
  await fillScreens(context.database);
  if (hasNewMonths) await analyzeMonths(context.database);
  return report;
}

/** What a sync knows when it comes to the stock-days that it did not plan. */
interface SyncPass {
  readonly context: PassContext;
  readonly market: MarketPass;
  readonly scope: Scope;
  readonly now: number;
  /** Derives and writes; returns the days that failed. */
  readonly run: (jobs: readonly DeriveJob[]) => Promise<DayFailure[]>;
}

/** Updates the stored stock-days of every date whose market changed. */
async function markMarketsClean({ context, market, scope, now, run }: SyncPass): Promise<void> {
  const used = new Map(market.derived().map(({ tradeDate, digest }) => [tradeDate, digest]));
  // A date that another process marked stale meanwhile is for that process or the next pass.
  const stale = (await staleMarketDays(context.database)).filter(
    ({ tradeDate, digest }) => used.get(tradeDate) === digest && isBefore(scope, tradeDate),
  );
  const dates = stale.map(({ tradeDate }) => tradeDate);
  const failed: DayFailure[] = [];
  for await (const jobs of planBehindMarket(context, dates, now)) failed.push(...(await run(jobs)));
  await markMarketDaysClean(context.database, stale, failed);
  await markOvertakenStale(context.database, market.derived());
}

/** Updates the stored stock-days of every date whose peer divergences changed. */
async function markMeasuredClean({ context, market, scope, now, run }: SyncPass): Promise<void> {
  const stale = await stalePeerDates(context.database);
  const dates = stale.filter(({ tradeDate }) => isBefore(scope, tradeDate));
  const failed = new Set<string>();
  for await (const jobs of planBehindPeers(context, dates, now)) {
    await market.bringUpToDate(jobs.flatMap((job) => job.days));
    for (const { tradeDate } of await run(jobs)) failed.add(tradeDate);
  }
  await markPeersClean(
    context.database,
    dates.filter(({ tradeDate }) => !failed.has(tradeDate)),
  );
}

/** Derives a batch with the facts of its symbols and the markets of its dates. */
async function deriveBatch(
  context: PassContext,
  market: MarketPass,
  jobs: readonly DeriveJob[],
): Promise<StoreOutcome[]> {
  const { tape, deriver } = context;
  const markets = await market.of(jobs.flatMap((job) => job.days.map((day) => day.tradeDate)));
  const tapes = await tape.withFacts(
    jobs.map(({ tape: own, days }) => {
      const instants = days.map((day) => day.asOf);
      return { tape: own, from: Math.min(...instants), to: Math.max(...instants) };
    }),
  );
  const peers = await readPeerDays(context.database, daysWithPeers(jobs, context.calendar));
  const withFacts = jobs.map(({ days }, at) => ({ tape: tapes[at]!, days }));
  return deriver.deriveToStore(withPeers(withFacts, peers), { markets });
}

type DayFailure = SyncReport['failed'][number];

async function writeOutcomes(
  database: Database,
  outcomes: readonly StoreOutcome[],
  report: { derived: number; written: number; unchanged: number; missing: number; failed: DayFailure[] },
): Promise<void> {
  const days = outcomes.filter((outcome): outcome is DayToStore => outcome.kind === 'derived');
  const { written, unchanged } = await writeStockDays(database, days);
  report.derived += days.length;
  report.written += written;
  report.unchanged += unchanged;
  for (const outcome of outcomes) {
    if (outcome.kind === 'missing') report.missing++;
    if (outcome.kind === 'failed') report.failed.push(outcome);
  }
}

/** Jobs in batches of about equal work; the days of one symbol may span several. */
function* batchesOf(jobs: readonly DeriveJob[]): Iterable<DeriveJob[]> {
  let batch: DeriveJob[] = [];
  let size = 0;
  for (const { tape, days } of jobs) {
    for (let at = 0; at < days.length; ) {
      const part = days.slice(at, at + DAYS_AT_ONCE - size);
      batch.push({ tape, days: part });
      size += part.length;
      at += part.length;
      if (size < DAYS_AT_ONCE) continue;
      yield batch;
      batch = [];
      size = 0;
    }
  }
  if (batch.length > 0) yield batch;
}
