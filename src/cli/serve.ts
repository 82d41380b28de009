import { statSync } from 'node:fs';
import { platform } from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { openRunQueue } from '../api/backtest/run-queue.ts';
import { takeBacktestSlices } from '../api/backtest/slices.ts';
import type { App } from '../app.ts';
import { CodedError } from '../base/errors.ts';
import type { Config } from '../config.ts';
import { type BackgroundWork, keepGraphFresh, keepStatesFresh } from '../pipeline/background-pass.ts';
import { takeDayWork } from '../pipeline/day-work.ts';
import { keepMarketMoving, type Log } from '../pipeline/keep-market-moving.ts';
import { keepTextsEmbedded } from '../pipeline/keep-texts.ts';
import { whileLeased } from '../pipeline/leased-work.ts';
import { takeMinuteWork } from '../pipeline/minute-work.ts';
import { watchClock } from '../pipeline/watch-clock.ts';
import { buildExplorer } from './build-explorer.ts';
import type { Run } from './command.ts';
import { announce, closeWithin, listen } from './listen.ts';
import { simulateInto } from './simulate.ts';
import { stopSignal, whenStopped } from './stop-signal.ts';
import { withApp } from './with-app.ts';

/** The simulated market of a first start. */
const FIRST_MARKET = { symbols: 100, days: 504, seed: 1, minuteSessions: 5, tickSessions: 1 };

/** What a process does: all of it, or one part among several processes. */
const ROLES = ['all', 'api', 'live', 'worker', 'scheduler'] as const;
type Role = (typeof ROLES)[number];

export const run: Run = async (words, config) => {
  const { values } = parseArgs({
    args: [...words],
    options: { replay: { type: 'boolean' }, role: { type: 'string', default: 'all' } },
  });
  const role = roleOf(values.role, config);
  if (values.replay === true) {
    const { run: replay } = await import('./replay.ts');
    return replay([], config);
  }
  return role === 'all' || role === 'api' ? serveCallers(role, config) : serveProbes(role, config);
};

function roleOf(word: string, { natsUrl }: Config): Role {
  const role = ROLES.find((one) => one === word);
  if (role === undefined) {
    throw new CodedError('bad_setting', `There is no role ${word}: it is one of ${ROLES.join(', ')}.`);
  }
  if (role === 'worker' && natsUrl === undefined) {
    throw new CodedError('bad_setting', 'A worker gets its work over NATS: set NATS_URL.');
  }
  return role;
}

async function serveCallers(role: Role, config: Config): Promise<number> {
  await buildExplorer();
  const serving = withApp(config, async (app) => {
    const symbols = await app.context.tape.symbols();
    if (symbols.length === 0 && role === 'all') {
      console.log('The data directory is empty: building a simulated market to look at.');
      await simulateInto(app, FIRST_MARKET);
    }
    // Before this the first signal ends the process at once.
    const stop = stopSignal();
    const warm = Promise.withResolvers<void>();
    const server = await app.server({
      warm: warm.promise,
      executesBacktests: role === 'all',
      draining: stop,
    });
    await listen(server, config);
    await app.warmUp((error) => server.log.warn({ err: error }, 'warming up'));
    warm.resolve();
    announce(server, symbols.length > 0 ? symbols : await app.context.tape.symbols());
    warnOfReaders(config.dataDirectory, server.log);
    const background = await startWork(app, role, server.log);
    await whenStopped(stop);
    await Promise.all([stopAll(background), delay(config.drainMs)]);
    await closeWithin(server.close(), config.shutdownGraceMs);
    return 0;
  });
  // Loads while the database opens on its thread.
  void import('../api/server/server.ts');
  return serving;
}

/** A process that answers no callers. */
const serveProbes = (role: Role, config: Config): Promise<number> =>
  withApp(config, async (app) => {
    const stop = stopSignal();
    const server = await app.probeServer();
    await listen(server, config);
    const background = await startWork(app, role, server.log);
    console.log(`tigraph runs as ${role}`);
    await whenStopped(stop);
    await stopAll(background);
    await closeWithin(server.close(), config.shutdownGraceMs);
    return 0;
  });

/** Starts what a role does beside answering callers. */
async function startWork(app: App, role: Role, log: Log): Promise<BackgroundWork[]> {
  const { database } = app.context;
  // An embedded database has the clock of this machine.
  const work =
    database.kind === 'embedded' ? [] : [watchClock(database, (sentence) => log.warn({}, sentence))];
  if (role === 'all' || role === 'worker') work.push(...(await takeWork(app, role, log)));
  if (role === 'all' || role === 'scheduler') work.push(...schedule(app, log));
  if (role === 'all' || role === 'live') work.push(keepMarketMoving(app.context, app.leases, log));
  return work;
}

/** Work that other processes hand out. */
async function takeWork({ context, config }: App, role: Role, log: Log): Promise<BackgroundWork[]> {
  const { bus } = context;
  if (bus === undefined) return [];
  const work = [
    takeDayWork(context, bus, config.workers),
    takeMinuteWork(context, bus),
    takeBacktestSlices(context, bus),
  ];
  // With all roles the server executes backtests.
  if (role === 'worker') {
    const queue = await openRunQueue(context, {}, (what, error) => log.error({ err: error }, what));
    work.push({ stop: () => queue.close() });
  }
  return work;
}

/** Passes that one process of the installation runs. */
function schedule({ context, leases }: App, log: Log): BackgroundWork[] {
  const onError = (what: string) => (error: unknown) => log.error({ err: error }, what);
  const scheduler = whileLeased(
    leases,
    'scheduler',
    (_lease, signal) => {
      const graph = keepGraphFresh(context, onError('keeping the graph fresh'));
      const texts = keepTextsEmbedded(
        context,
        (error) => log.warn({ err: error }, 'giving texts their vectors'),
        ({ embedded }) => log.info({ embedded }, 'texts have their vectors'),
      );
      return untilStopped(signal, [texts, graph]);
    },
    onError('keeping the graph fresh'),
  );
  const states = whileLeased(
    leases,
    'states',
    (_lease, signal) => {
      const keeping = keepStatesFresh(context, {
        onPass: ({ symbols, written }) => log.info({ symbols, written }, 'states brought up to date'),
        onError: onError('keeping states fresh'),
      });
      return untilStopped(signal, [keeping]);
    },
    onError('keeping states fresh'),
  );
  return [scheduler, states];
}

async function untilStopped(signal: AbortSignal, work: readonly BackgroundWork[]): Promise<void> {
  await whenStopped(signal);
  await stopAll(work);
}

const stopAll = async (work: readonly BackgroundWork[]): Promise<void> => {
  await Promise.all(work.map((one) => one.stop()));
};

/** Warns only: the owner of an existing directory may want a group to read it. */
function warnOfReaders(directory: string, log: { warn(line: string): void }): void {
  if (platform === 'win32' || (statSync(directory).mode & 0o077) === 0) return;
  log.warn(
    `Other users of this machine can read ${directory}, which holds market data and the key that signs tokens; chmod 700 keeps them out.`,
  );
}
