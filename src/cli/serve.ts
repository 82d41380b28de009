import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { platform } from 'node:process';
import { parseArgs } from 'node:util';
import type { App } from '../app.ts';
import { RunQueue } from '../backtests/run-queue.ts';
import { takeBacktestSlices } from '../backtests/slices.ts';
import { untilAborted } from '../base/abortable.ts';
import { CodedError } from '../base/errors.ts';
import type { Scope } from '../base/scope.ts';
import { rest } from '../base/timers.ts';
import type { Config } from '../config.ts';
import type { TapedSession } from '../market/feeds/replay-from-tape.ts';
import { keepGraphFresh, keepStatesFresh } from '../pipeline/background-pass.ts';
import { takeDayWork } from '../pipeline/day-work.ts';
import { keepMarketMoving, type Log } from '../pipeline/keep-market-moving.ts';
import { keepTextsEmbedded } from '../pipeline/keep-texts.ts';
import { whileLeased } from '../pipeline/leased-work.ts';
import { takeMinuteWork } from '../pipeline/minute-work.ts';
import { watchClock } from '../pipeline/watch-clock.ts';
import { buildExplorer } from './build-explorer.ts';
import type { Run } from './command.ts';
import { announce, closeWithin, listen, type Server } from './listen.ts';
import { dateOption, wrongCall } from './options.ts';
import { simulateInto } from './simulate.ts';
import { stopSignal } from './stop-signal.ts';
import type { sessionOfDirectory } from './taped-session.ts';
import { withApp } from './with-app.ts';

/** The simulated market of a first start. */
const FIRST_MARKET = { symbols: 100, days: 504, seed: 1, minuteSessions: 5, tickSessions: 1 };

/** What a process does: all of it, or one part among several processes. */
const ROLES = ['all', 'api', 'live', 'worker', 'scheduler'] as const;
type Role = (typeof ROLES)[number];

export const run: Run = async (words, config) => {
  const { values } = parseArgs({
    args: [...words],
    options: {
      replay: { type: 'boolean' },
      'replay-from': { type: 'string' },
      date: { type: 'string' },
      role: { type: 'string', default: 'all' },
    },
  });
  const role = roleOf(values.role, config);
  const from = values['replay-from'];
  if (from !== undefined && role !== 'all' && role !== 'live')
    throw wrongCall(`--replay-from is the feed of the role live, not of ${role}.`);
  if (values.replay === true) {
    if (role !== 'all') throw wrongCall(`--replay plays on a store of its own: a desk has --replay-from.`);
    const { run: replay } = await import('./replay.ts');
    return replay([], config);
  }
  const date = dateOption('--date', values.date);
  if (date !== undefined && from === undefined) throw wrongCall('--date is of the session of --replay-from.');
  const taped = from === undefined ? null : await tapedSession(resolve(from), date ?? null, config);
  return role === 'all' || role === 'api'
    ? serveCallers(role, config, taped)
    : serveProbes(role, config, taped);
};

// What the other roles do not need is not loaded.
const tapedSession: typeof sessionOfDirectory = async (...about) =>
  (await import('./taped-session.ts')).sessionOfDirectory(...about);

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

async function serveCallers(role: Role, config: Config, taped: TapedSession | null): Promise<number> {
  await buildExplorer();
  const serving = withApp(config, async (app) => {
    const symbols = await app.context.tape.symbols();
    if (symbols.length === 0 && role === 'all' && taped === null) {
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
    await workBeside(server, app, role, taped, stop);
    return 0;
  });
  // Loads while the database opens on its thread.
  void import('../api/server/server.ts');
  return serving;
}

/** A process that answers no callers. */
const serveProbes = (role: Role, config: Config, taped: TapedSession | null): Promise<number> =>
  withApp(config, async (app) => {
    const stop = stopSignal();
    const server = await app.probeServer();
    await listen(server, config);
    await workBeside(server, app, role, taped, stop);
    return 0;
  });

/**
 * Does what a role does beside answering callers until it is told to stop; then, or where that cannot start, closes the
 * server.
 *
 * @param taped session that the live feed plays; null for the simulated market
 */
async function workBeside(
  server: Server,
  app: App,
  role: Role,
  taped: TapedSession | null,
  stop: AbortSignal,
): Promise<void> {
  const { log } = server;
  const { context, config } = app;
  const { database } = context;
  const scope = context.scope.child(role);
  const close = (): Promise<void> =>
    scope.close(config.shutdownGraceMs).catch((error) => log.error({}, (error as Error).message));
  try {
    // An embedded database has the clock of this machine.
    if (database.kind !== 'embedded') watchClock(scope, database, (sentence) => log.warn({}, sentence));
    if (role === 'all' || role === 'worker') await takeWork(scope, app, role, log);
    if (role === 'all' || role === 'scheduler') schedule(scope, app, log);
    if (role === 'all' || role === 'live') await startFeed(scope, app, taped, log);
    const answers = role === 'all' || role === 'api';
    if (!answers) console.log(`tigraph runs as ${role}`);
    await untilAborted(stop);
    await Promise.all([close(), answers ? rest(scope.timers, config.drainMs) : null]);
  } catch (error) {
    await close();
    throw error;
  } finally {
    await closeWithin(server.close(), config.shutdownGraceMs);
  }
}

async function startFeed(
  scope: Scope,
  { context, leases }: App,
  taped: TapedSession | null,
  log: Log,
): Promise<void> {
  if (taped === null) {
    keepMarketMoving(scope, context, leases, log);
    return;
  }
  const { keepReplaying } = await import('../pipeline/keep-replaying.ts');
  await keepReplaying(scope, context, leases, taped, log);
}

/** Work that other processes hand out. */
async function takeWork(scope: Scope, { context, config }: App, role: Role, log: Log): Promise<void> {
  const { bus } = context;
  if (bus === undefined) return;
  takeDayWork(scope, context, bus, config.workers);
  takeMinuteWork(scope, context, bus);
  takeBacktestSlices(scope, context, bus);
  // With all roles the server executes backtests.
  if (role === 'worker') await RunQueue.open(context, {}, (what, error) => log.error({ err: error }, what));
}

/** Passes that one process of the installation runs. */
function schedule(scope: Scope, { context, leases }: App, log: Log): void {
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

/** Warns only: the owner of an existing directory may want a group to read it. */
function warnOfReaders(directory: string, log: { warn(line: string): void }): void {
  if (platform === 'win32' || (statSync(directory).mode & 0o077) === 0) return;
  log.warn(
    `Other users of this machine can read ${directory}, which holds market data and the key that signs tokens; chmod 700 keeps them out.`,
  );
}
