import { statSync } from 'node:fs';
import { platform } from 'node:process';
import type { App } from '../app.ts';
import { untilAborted } from '../base/abortable.ts';
import { loadInTurns } from '../base/timers.ts';
import type { Role } from '../config.ts';
import type { TapedSession } from '../live/replay-from-tape.ts';
import { buildExplorer } from './build-explorer.ts';
import { LEAVE_OFFER, startDemo } from './leave-demo.ts';
import { announce, type Server, whileListening } from './listen.ts';
import { stopSignal } from './stop-signal.ts';

const FIRST_MARKET = { symbols: 100, days: 504, seed: 1, minuteSessions: 5, tickSessions: 1 };

/**
 * Answers callers beside what else a role does.
 *
 * @returns exit code
 */
export async function serveCallers(
  app: App,
  role: Role,
  taped: TapedSession | null,
  leaves: boolean,
): Promise<number> {
  const { config } = app;
  await buildExplorer();
  const isVendors = config.vendor !== null;
  const mayBuild = config.demo === 'on' && role === 'all' && taped === null && !isVendors;
  const isBeside = await startDemo(app, { leaves, mayBuild }, async () => {
    const { simulateInto } = await import('./simulate.ts');
    console.log('The data directory is empty: building a simulated market to look at.');
    return simulateInto(app, FIRST_MARKET);
  });
  // Before this the first signal ends the process at once.
  const stop = stopSignal(config);
  const warm = Promise.withResolvers<void>();
  const opened = Promise.withResolvers<Server>();
  // Its thread derives while this one makes the server.
  const warmedUp = app.warmUp(async (error) => {
    (await opened.promise).log.warn({ err: error }, 'warming up');
  });
  const server = await app.server({
    warm: warm.promise,
    executesBacktests: role === 'all',
    draining: stop,
  });
  await whileListening(server, config, async () => {
    opened.resolve(server);
    const warmOthers = await Promise.race([warmedUp, untilAborted(stop)]);
    if (stop.aborted) return;
    warm.resolve();
    warmOthers?.();
    if (isVendors && isBeside) server.log.warn({}, LEAVE_OFFER);
    announce(server, await app.context.tape.symbols());
    if (role === 'api') console.log(API_ALONE);
    warnOfReaders(config.dataDirectory, server.log);
    await loadInTurns(
      () => import('../pipeline/roles.ts'),
      () => import('../pipeline/keep-live.ts'),
      () => import('./live-sources.ts'),
    );
    const { workBeside } = await import('./work-beside.ts');
    await workBeside(server, app, role, taped, stop);
  });
  return 0;
}

/** So that nobody waits for days that nobody derives. */
const API_ALONE =
  'This process answers callers. What an import or the market brings becomes days in others: `serve --role scheduler` with a worker, or `serve`.';

/**
 * Does what a role does that answers no callers.
 *
 * @returns exit code
 */
export async function serveProbes(app: App, role: Role, taped: TapedSession | null): Promise<number> {
  const stop = stopSignal(app.config);
  const server = await app.probeServer();
  const { workBeside } = await import('./work-beside.ts');
  await whileListening(server, app.config, () => workBeside(server, app, role, taped, stop));
  return 0;
}

/** Warns only: the owner of an existing directory may want a group to read it. */
function warnOfReaders(directory: string, log: { warn(line: string): void }): void {
  if (platform === 'win32' || (statSync(directory).mode & 0o077) === 0) return;
  log.warn(
    `Other users of this machine can read ${directory}, which holds market data and the key that signs tokens; chmod 700 keeps them out.`,
  );
}
