import type { Calendar } from '../base/calendar.ts';
import type { Clock } from '../base/clock.ts';
import type { Database } from '../database/database.ts';
import type { DayOutcome, DerivedDay, DeriveJob, Deriver } from '../derive/deriver.ts';
import { daysWithPeers, withPeers } from '../derive/with-peers.ts';
import { settleMarketDays, unsettledMarketDays, unsettleOvertaken } from '../graph/market-days.ts';
import { readPeerDays, settlePeers, unsettledPeerDates } from '../graph/peer-days.ts';
import { writeStockDays } from '../graph/stock-days.ts';
import type { Tape } from '../market/tape/index.ts';
import { isBefore, marketsToCheck, planBehindMarket, planDerivations, type Scope } from './detector.ts';
import { inOrder } from './in-order.ts';
import { type MarketPass, openMarketPass } from './market-pass.ts';
import { fillScreens } from './screen-fill.ts';
import { bringPeersUpToDate, findMissingPeers, planBehindPeers } from './topology-pass.ts';

export interface SyncWorld {
  readonly database: Database;
  readonly tape: Tape;
  readonly calendar: Calendar;
  readonly deriver: Deriver;
  readonly clock: Clock;
  /** How old data must be before the facts may hold it. */
  readonly delayMs: number;
}

export interface SyncProgress {
  readonly done: number;
  /** Stock-days planned so far; grows while later symbols are still being planned. */
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

/** Stock-days that travel to a worker and into one transaction together. */
const DAYS_AT_ONCE = 32;

/**
 * Derives a scope and writes it to the graph: first the peers and the market of its dates, then its
 * stock-days, then every other stored stock-day whose market or peers have changed. Running it again changes nothing; a
 * symbol that fails is reported and never holds up the rest; an interruption leaves whole batches, and the next pass goes
 * on from there.
 */
export async function syncGraph(
  world: SyncWorld,
  scope: Scope,
  onProgress: (progress: SyncProgress) => void = () => {},
): Promise<SyncReport> {
  const now = world.clock.now();
  const market = openMarketPass(world);
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

  /** Answers what could not be derived. */
  async function run(jobs: readonly DeriveJob[]): Promise<DayFailure[]> {
    planned += jobs.reduce((sum, job) => sum + job.days.length, 0);
    const failedBefore = report.failed.length;
    const derive = (batch: readonly DeriveJob[]) => deriveBatch(world, market, batch);
    for await (const outcomes of inOrder(batchesOf(jobs), derive)) {
      await keep(world.database, outcomes, report);
      done += outcomes.length;
      onProgress({ done, planned });
    }
    return report.failed.slice(failedBefore);
  }

  await bringPeersUpToDate(world, scope, now);
  await market.bringUpToDate(await marketsToCheck(world, scope, now));
  for await (const plan of planDerivations(world, scope, now)) {
    report.unknown.push(...plan.unknown);
    const days = plan.jobs.flatMap((job) => job.days);
    await findMissingPeers(
      world,
      days.map(({ tradeDate }) => tradeDate),
      now,
    );
    await market.bringUpToDate(days);
    const failed = new Set((await run(plan.jobs)).map((failure) => failure.symbol));
    // What failed stays touched, so that the pass after a mended defect finds it.
    await world.tape.clearTouched(plan.settles.filter((stretch) => !failed.has(stretch.symbol)));
  }
  await settleMarkets(world, market, scope, now, run);
  await settleMeasured(world, market, scope, now, run);
  await fillScreens(world.database);
  return report;
}

/** Brings the stored stock-days of every date whose market has changed to that market. */
async function settleMarkets(
  world: SyncWorld,
  market: MarketPass,
  scope: Scope,
  now: number,
  run: (jobs: readonly DeriveJob[]) => Promise<DayFailure[]>,
): Promise<void> {
  const used = new Map(market.derived().map(({ tradeDate, digest }) => [tradeDate, digest]));
  // A date that another process has unsettled meanwhile is that process's, or the next pass's.
  const unsettled = (await unsettledMarketDays(world.database)).filter(
    ({ tradeDate, digest }) => used.get(tradeDate) === digest && isBefore(scope, tradeDate),
  );
  const dates = unsettled.map(({ tradeDate }) => tradeDate);
  const failed: DayFailure[] = [];
  for await (const jobs of planBehindMarket(world, dates, now)) failed.push(...(await run(jobs)));
  await settleMarketDays(world.database, unsettled, failed);
  await unsettleOvertaken(world.database, market.derived());
}

/** Brings the stored stock-days of every date that was measured against its peers to what that has come to. */
async function settleMeasured(
  world: SyncWorld,
  market: MarketPass,
  scope: Scope,
  now: number,
  run: (jobs: readonly DeriveJob[]) => Promise<DayFailure[]>,
): Promise<void> {
  const unsettled = await unsettledPeerDates(world.database);
  const dates = unsettled.filter(({ tradeDate }) => isBefore(scope, tradeDate));
  const failed = new Set<string>();
  for await (const jobs of planBehindPeers(world, dates, now)) {
    await market.bringUpToDate(jobs.flatMap((job) => job.days));
    for (const { tradeDate } of await run(jobs)) failed.add(tradeDate);
  }
  await settlePeers(
    world.database,
    dates.filter(({ tradeDate }) => !failed.has(tradeDate)),
  );
}

/** Derives a batch with the facts of its symbols and the markets of its dates. */
async function deriveBatch(
  world: SyncWorld,
  market: MarketPass,
  jobs: readonly DeriveJob[],
): Promise<DayOutcome[]> {
  const { tape, deriver } = world;
  const markets = await market.of(jobs.flatMap((job) => job.days.map((day) => day.tradeDate)));
  const tapes = await tape.withFacts(
    jobs.map(({ tape: own, days }) => {
      const instants = days.map((day) => day.asOf);
      return { tape: own, from: Math.min(...instants), to: Math.max(...instants) };
    }),
  );
  const peers = await readPeerDays(world.database, daysWithPeers(jobs, world.calendar));
  const known = jobs.map(({ days }, at) => ({ tape: tapes[at]!, days }));
  return deriver.derive(withPeers(known, peers), { markets });
}

type DayFailure = SyncReport['failed'][number];

async function keep(
  database: Database,
  outcomes: readonly DayOutcome[],
  report: { derived: number; written: number; unchanged: number; missing: number; failed: DayFailure[] },
): Promise<void> {
  const days = outcomes.filter((outcome): outcome is DerivedDay => outcome.kind === 'derived');
  const { written, unchanged } = await writeStockDays(database, days);
  report.derived += days.length;
  report.written += written;
  report.unchanged += unchanged;
  for (const outcome of outcomes) {
    if (outcome.kind === 'missing') report.missing++;
    if (outcome.kind === 'failed') report.failed.push(outcome);
  }
}

/** Jobs in batches of about equal work; the days of one symbol may be spread over several. */
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
