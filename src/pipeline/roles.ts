import { RunQueue } from '../backtests/run-queue.ts';
import { takeBacktestSlices } from '../backtests/slices.ts';
import { untilAborted } from '../base/abortable.ts';
import type { Scope } from '../base/scope.ts';
import type { Bus } from '../bus/bus.ts';
import type { Leases } from '../database/leases.ts';
import { keepGraphFresh, keepStatesFresh } from './background-pass.ts';
import { takeDayWork } from './day-work.ts';
import type { Log } from './keep-live.ts';
import { whileLeased } from './leased-work.ts';
import type { LiveContext } from './live-session.ts';
import { takeMinuteWork } from './minute-work.ts';
import { keepTextsEmbedded } from './text-pass.ts';

/** What a process does: all of it, or one part among several processes. */
export const ROLES = ['all', 'api', 'live', 'worker', 'scheduler'] as const;
export type Role = (typeof ROLES)[number];

type WorkContext = Parameters<typeof RunQueue.open>[0] & LiveContext;
type ScheduleContext = LiveContext & Parameters<typeof keepTextsEmbedded>[1];

/**
 * Does work that other processes hand out.
 *
 * @param threads days derived at a time
 * @param runs whether runs of backtests are led here too
 */
export async function takeWork(
  scope: Scope,
  context: WorkContext,
  { bus, threads, runs }: { readonly bus: Bus; readonly threads: number; readonly runs: boolean },
  log: Log,
): Promise<void> {
  takeDayWork(scope, context, bus, threads);
  takeMinuteWork(scope, context, bus);
  takeBacktestSlices(scope, context, bus);
  if (runs) await RunQueue.open(context, {}, (what, error) => log.error({ err: error }, what));
}

/** Passes that one process of the installation runs. */
export function schedule(scope: Scope, context: ScheduleContext, leases: Leases, log: Log): void {
  const onError = (what: string) => (error: unknown) => log.error({ err: error }, what);
  whileLeased(
    scope,
    leases,
    'scheduler',
    async (_lease, held, { waits, signal }) => {
      await keepGraphFresh(held, context, onError('keeping the graph fresh'));
      await keepTextsEmbedded(
        held,
        context,
        (error) => log.warn({ err: error }, 'giving texts their vectors'),
        ({ embedded }) => log.info({ embedded }, 'texts have their vectors'),
      );
      await waits(untilAborted(signal));
    },
    onError('keeping the graph fresh'),
  );
  whileLeased(
    scope,
    leases,
    'states',
    async (_lease, held, { waits, signal }) => {
      await keepStatesFresh(held, context, {
        onPass: ({ symbols, written }) => log.info({ symbols, written }, 'states brought up to date'),
        onError: onError('keeping states fresh'),
      });
      await waits(untilAborted(signal));
    },
    onError('keeping states fresh'),
  );
}
