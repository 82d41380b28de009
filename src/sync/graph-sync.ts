import type { Calendar } from '../base/calendar.ts';
import type { Clock } from '../base/clock.ts';
import type { Database } from '../base/database.ts';
import type { DayOutcome, DerivedDay, DeriveJob, Deriver } from '../blocks/deriver.ts';
import { writeStockDays } from '../graph/stock-days.ts';
import type { Tape } from '../market/tape/index.ts';
import { planDerivations, type Scope } from './detector.ts';

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
/** Batches under way at once: enough to keep two workers busy while the store writes a third. */
const BATCHES_AHEAD = 4;

/**
 * Derives a scope and writes it to the graph. Running it again changes nothing; a symbol that fails is reported and
 * never holds up the rest; an interruption leaves whole batches, and the same call goes on from there.
 */
export async function syncGraph(
  world: SyncWorld,
  scope: Scope,
  onProgress: (progress: SyncProgress) => void = () => {},
): Promise<SyncReport> {
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
  for await (const plan of planDerivations(world, scope, world.clock.now())) {
    report.unknown.push(...plan.unknown);
    planned += plan.jobs.reduce((sum, job) => sum + job.days.length, 0);
    const failedBefore = report.failed.length;
    for await (const outcomes of inOrder(batchesOf(plan.jobs), (jobs) => world.deriver.derive(jobs))) {
      await keep(world.database, outcomes, report);
      done += outcomes.length;
      onProgress({ done, planned });
    }
    const failed = new Set(report.failed.slice(failedBefore).map((failure) => failure.symbol));
    // What failed stays touched, so that the pass after a mended defect finds it.
    await world.tape.clearTouched(plan.settles.filter((stretch) => !failed.has(stretch.symbol)));
  }
  return report;
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

/** Answers in the order of the inputs, with a few computed ahead of the one that is waited for. */
async function* inOrder<Input, Output>(
  inputs: Iterable<Input>,
  work: (input: Input) => Promise<Output>,
): AsyncIterable<Output> {
  const underWay: Promise<Output>[] = [];
  for (const input of inputs) {
    const output = work(input);
    // A rejection is met where it is awaited; until then it must not count as unhandled.
    output.catch(() => {});
    underWay.push(output);
    if (underWay.length >= BATCHES_AHEAD) yield await underWay.shift()!;
  }
  for (const output of underWay) yield await output;
}
