import { AlertDelivery, type DeliveryContext } from '../alerts/delivery.ts';
import { RunQueue } from '../backtests/run-queue.ts';
import { takeBacktestSlices } from '../backtests/slices.ts';
import { untilAborted } from '../base/abortable.ts';
import type { Scope } from '../base/scope.ts';
import type { Bus } from '../bus/bus.ts';
import type { LeaseName, Leases } from '../database/leases.ts';
import { keepGraphFresh, keepHistoriesFresh, keepStatesFresh } from './background-pass.ts';
import { takeDayWork } from './day-work.ts';
import type { Log } from './keep-live.ts';
import { type LeasedWork, whileLeased } from './leased-work.ts';
import type { LiveContext } from './live-session.ts';
import { takeMinuteWork } from './minute-work.ts';
import { keepTextsEmbedded } from './text-pass.ts';

type WorkContext = Parameters<typeof RunQueue.open>[0] & LiveContext;
type ScheduleContext = LiveContext & DeliveryContext & Parameters<typeof keepTextsEmbedded>[1];

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
  type OnError = (error: unknown) => void;
  const keep = (name: LeaseName, what: string, begin: (held: Scope, onError: OnError) => Promise<void>) => {
    const onError: OnError = (error) => log.error({ err: error }, what);
    const work: LeasedWork = async (_lease, held, { waits, signal }) => {
      await begin(held, onError);
      await waits(untilAborted(signal));
    };
    whileLeased(scope, leases, name, work, onError);
  };
  keep('scheduler', 'keeping the graph fresh', async (held, onError) => {
    await keepGraphFresh(held, context, onError);
    await keepHistoriesFresh(held, context, (error) => log.error({ err: error }, 'storing histories'));
    await keepTextsEmbedded(
      held,
      context,
      (error) => log.warn({ err: error }, 'giving texts their vectors'),
      ({ embedded }) => log.info({ embedded }, 'texts have their vectors'),
    );
  });
  keep('alerts', 'delivering alerts', (held, onError) => new AlertDelivery(held, context, onError).begin());
  keep('states', 'keeping states fresh', (held, onError) =>
    keepStatesFresh(held, context, {
      onPass: ({ symbols, written }) => log.info({ symbols, written }, 'states brought up to date'),
      onError,
    }),
  );
}
