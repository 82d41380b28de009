import { stderr } from 'node:process';
import type { App } from '../app.ts';
import { untilAborted } from '../base/abortable.ts';
import { rest } from '../base/timers.ts';
import type { Role } from '../config.ts';
import type { TapedSession } from '../live/replay-from-tape.ts';
import { keepLive } from '../pipeline/keep-live.ts';
import { schedule, takeWork } from '../pipeline/roles.ts';
import { watchClock } from '../pipeline/watch-clock.ts';
import { closeServer, type Server } from './listen.ts';
import { LIVE_SOURCES, vendorSource } from './live-sources.ts';
import { withProgress } from './progress.ts';

/**
 * Does what a role does beside answering callers until it is told to stop.
 *
 * @param taped session that the live feed plays; null for the vendor whose key is set, else the simulated market
 */
export async function workBeside(
  server: Server,
  app: App,
  role: Role,
  taped: TapedSession | null,
  stop: AbortSignal,
): Promise<void> {
  const { log } = server;
  const { context, config } = app;
  const { database } = context;
  const does = (part: Role): boolean => role === 'all' || role === part;
  const scope = context.scope.child(role);
  const close = (): Promise<void> =>
    scope.close(config.shutdownGraceMs).catch((error) => log.error({}, (error as Error).message));
  try {
    // An embedded database has the clock of this machine.
    if (database.kind !== 'embedded') watchClock(scope, database, (sentence) => log.warn({}, sentence));
    if (context.bus !== undefined && does('worker')) {
      // With all roles the server leads the runs of backtests.
      const work = { bus: context.bus, threads: config.workers, runs: role === 'worker' };
      await takeWork(scope, context, work, log);
    }
    if (does('scheduler')) schedule(scope, context, app.leases, log);
    if (does('live')) {
      const source =
        taped === null
          ? ((await vendorSource(config, scope.timers, context.clock)) ?? LIVE_SOURCES.simulation())
          : LIVE_SOURCES.recording(taped);
      // A terminal has a bar, a log its lines.
      await keepLive(scope, context, app.leases, source, log, stderr.isTTY ? withProgress : undefined);
    }
    const answers = does('api');
    if (!answers) console.log(`tigraph runs as ${role}`);
    await untilAborted(stop);
    if (answers)
      await Promise.all([
        close(),
        rest(scope.timers, config.drainMs).then(() => closeServer(server, config)),
      ]);
    else await close();
  } catch (error) {
    await close();
    throw error;
  }
}
