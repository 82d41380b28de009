import { NEVER } from '../base/abortable.ts';
import { at } from '../base/fault-points.ts';
import { announceChange } from '../database/changes.ts';
import type { Database } from '../database/database.ts';
import { MARKETS } from '../database/symbol-market.ts';
import { DERIVATION } from '../derive/derivation.ts';
import type { DeriveJob } from '../derive/deriver.ts';
import { projectStock, SCREEN_CATALOGUE } from '../derive/projection.ts';
import { markMarketDaysClean, markOvertakenStale, staleMarketDays } from '../graph/market-days.ts';
import { analyzeMonths, createMonths } from '../graph/months.ts';
import { markPeersClean, stalePeerDates } from '../graph/peer-days.ts';
import {
  datesWithoutScreenRows,
  daysWithoutScreenRow,
  fillScreenRows,
  isScreenUnfilled,
  setScreenFilled,
  type UnprojectedDay,
  writeScreenCatalogue,
} from '../graph/screen-rows.ts';
import { markOldDays } from '../graph/stock-days.ts';
import { isSimulated } from '../tape/index.ts';
import { type DayFailure, type DaysReport, NO_DAYS, storeDays } from './day-work.ts';
import {
  isBefore,
  marketsToCheck,
  type PassContext,
  planBehindMarket,
  planDerivations,
  type SyncScope,
} from './detector.ts';
import { type MarketPass, openMarketPass } from './market-pass.ts';
import { oldestKept } from './retention.ts';
import { bringPeersUpToDate, findMissingPeers, planBehindPeers } from './topology-pass.ts';

export interface SyncProgress {
  readonly done: number;
  /** Stock-days planned so far; grows while later symbols are planned. */
  readonly planned: number;
}

export interface SyncReport extends DaysReport {
  readonly unknown: readonly string[];
}

/**
 * Derives a scope and writes it to the graph: the peers and the market of its dates, its stock-days, then every other
 * stored stock-day whose market or peers changed. Running it again changes nothing. A symbol that fails is reported and
 * does not stop the others. An interruption leaves whole batches, and the next pass continues.
 *
 * @throws the signal's reason between two batches
 */
export async function syncGraph(
  context: PassContext,
  asked: SyncScope,
  onProgress: (progress: SyncProgress) => void = () => {},
  signal: AbortSignal = NEVER,
): Promise<SyncReport> {
  // Whoever wrote bars may have been stopped before their days were summed.
  await context.tape.completeDailyBars();
  const now = context.clock.now();
  const since = await oldestKept(context, now);
  const scope = asked.kind === 'range' || since === null ? asked : { ...asked, since };
  const markets = MARKETS.map((simulated) => openMarketPass(context, simulated));
  const report = { ...NO_DAYS, failed: [] as DayFailure[], unknown: [] as string[] };
  let done = 0;
  let planned = 0;
  let hasNewMonths = false;

  /** Derives stock-days, each against its own market; returns those that failed. */
  async function run(jobs: readonly DeriveJob[]): Promise<DayFailure[]> {
    planned += jobs.reduce((sum, job) => sum + job.days.length, 0);
    const failedBefore = report.failed.length;
    for (const market of markets) {
      const own = jobs.filter(({ tape }) => isSimulated(tape) === market.simulated);
      await market.bringUpToDate(own.flatMap((job) => job.days));
      for await (const days of storeDays(context, market, own, signal)) {
        for (const count of ['derived', 'written', 'unchanged', 'missing'] as const)
          report[count] += days[count];
        report.failed.push(...days.failed);
        done += days.derived + days.missing + days.failed.length;
        onProgress({ done, planned });
      }
    }
    return report.failed.slice(failedBefore);
  }

  if (scope.kind === 'touched') await markOldDays(context.database, DERIVATION);
  await bringPeersUpToDate(context, scope, now);
  for (const market of markets)
    await market.bringUpToDate(await marketsToCheck(context, scope, now, market.simulated));
  for await (const plan of planDerivations(context, scope, now)) {
    report.unknown.push(...plan.unknown);
    const dates = plan.jobs.flatMap((job) => job.days.map(({ tradeDate }) => tradeDate));
    if (await createMonths(context.database, dates)) hasNewMonths = true;
    await findMissingPeers(context, dates, now);
    const failed = new Set((await run(plan.jobs)).map((failure) => failure.symbol));
    // Failed symbols stay dirty for the pass after the fix.
    await context.tape.clearDirtyRanges(plan.clears.filter((range) => !failed.has(range.symbol)));
  }
  const pass = { context, scope, now, run };
  for (const market of markets) await markMarketClean(pass, market);
  await markMeasuredClean(pass);
  await fillScreens(context.database);
  if (hasNewMonths) await analyzeMonths(context.database);
  return report;
}

interface SyncPass {
  readonly context: PassContext;
  readonly scope: SyncScope;
  readonly now: number;
  /** Derives and writes; returns the days that failed. */
  readonly run: (jobs: readonly DeriveJob[]) => Promise<DayFailure[]>;
}

/** Updates the stored stock-days of a market on every date on which it changed. */
async function markMarketClean({ context, scope, now, run }: SyncPass, market: MarketPass): Promise<void> {
  const { simulated } = market;
  const used = new Map(market.derived().map(({ tradeDate, digest }) => [tradeDate, digest]));
  // A date that another process marked stale meanwhile is for that process or the next pass.
  const stale = (await staleMarketDays(context.database, simulated)).filter(
    ({ tradeDate, digest }) => used.get(tradeDate) === digest && isBefore(scope, tradeDate),
  );
  const dates = stale.map(({ tradeDate }) => tradeDate);
  const failed: DayFailure[] = [];
  for await (const jobs of planBehindMarket(context, simulated, dates, now))
    failed.push(...(await run(jobs)));
  await markMarketDaysClean(context.database, simulated, stale, failed);
  await markOvertakenStale(context.database, simulated, market.derived());
}

/** Updates the stored stock-days of every date whose peer divergences changed. */
async function markMeasuredClean({ context, scope, now, run }: SyncPass): Promise<void> {
  const stale = await stalePeerDates(context.database);
  const dates = stale.filter(({ tradeDate }) => isBefore(scope, tradeDate));
  const failed = new Set<string>();
  for await (const jobs of planBehindPeers(context, dates, now)) {
    for (const { tradeDate } of await run(jobs)) failed.add(tradeDate);
  }
  await markPeersClean(
    context.database,
    dates.filter(({ tradeDate }) => !failed.has(tradeDate)),
  );
}

/** Stock-days parsed together: some milliseconds of the event loop. */
const DAYS_A_FILL = 16;

/**
 * Writes screen rows of stock-days that were stored under an older catalogue, newest date first, from the stored facts.
 * Costs one query when there are none; continues after an interruption.
 */
export async function fillScreens(database: Database): Promise<void> {
  if (!(await isScreenUnfilled(database, SCREEN_CATALOGUE))) return;
  await writeScreenCatalogue(database, SCREEN_CATALOGUE);
  for (const tradeDate of await datesWithoutScreenRows(database, SCREEN_CATALOGUE)) {
    while (await fillSome(database, tradeDate));
  }
  await setScreenFilled(database, SCREEN_CATALOGUE);
}

/** False when the date has no more. */
async function fillSome(database: Database, tradeDate: string): Promise<boolean> {
  const days = await daysWithoutScreenRow(database, SCREEN_CATALOGUE, tradeDate, DAYS_A_FILL);
  if (days.length === 0) return false;
  const rows = days.map((day) => ({ ...day, screen: projectStock(answerOf(day)) }));
  await database.transaction(async (transaction) => {
    await announceChange(transaction, await fillScreenRows(transaction, rows));
  });
  at('screen-rows.filled');
  return days.length === DAYS_A_FILL;
}

/** The answer of a day from its stored facts, with every stored include. */
function answerOf({ facts: { core = '', ...includes } }: UnprojectedDay): Record<string, unknown> {
  const answer = JSON.parse(`{${core}}`) as Record<string, unknown>;
  for (const [block, value] of Object.entries(includes)) answer[block] = JSON.parse(value);
  return answer;
}
