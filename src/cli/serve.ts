import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { platform, stderr } from 'node:process';
import { Option } from 'commander';
import type { App } from '../app.ts';
import { untilAborted } from '../base/abortable.ts';
import { CodedError } from '../base/errors.ts';
import { canonicalSymbol } from '../base/symbols.ts';
import { rest } from '../base/timers.ts';
import type { Config } from '../config.ts';
import type { TapedSession } from '../live/replay-from-tape.ts';
import { keepLive } from '../pipeline/keep-live.ts';
import { ROLES, type Role, schedule, takeWork } from '../pipeline/roles.ts';
import { watchClock } from '../pipeline/watch-clock.ts';
import { buildExplorer } from './build-explorer.ts';
import type { Define } from './command.ts';
import { LEAVE_DEMO, LEAVE_OFFER, startDemo } from './leave-demo.ts';
import { announce, closeServer, type Server, whileListening } from './listen.ts';
import { LIVE_SOURCES, vendorSource } from './live-sources.ts';
import { date, list, wholeNumber, wrongCall } from './options.ts';
import { withProgress } from './progress.ts';
import { simulateInto } from './simulate.ts';
import { stopSignal } from './stop-signal.ts';
import { withApp, withStore } from './with-app.ts';

const FIRST_MARKET = { symbols: 100, days: 504, seed: 1, minuteSessions: 5, tickSessions: 1 };

/** A minute a second: a session in a quarter of an hour. */
const SPEED = 60;
const SPEED_MAX = 100_000;

interface Options {
  readonly role: Role;
  /** True for the data directory itself. */
  readonly replayFrom?: string | true;
  readonly date?: string;
  readonly speed?: number | 'max';
  readonly symbols?: readonly string[];
  readonly undelayed?: boolean;
  readonly leaveDemo?: boolean;
}

export const define: Define = (command, call) => {
  command
    .addOption(
      new Option('--role <role>', 'one part of the work among processes that share DATABASE_URL and NATS_URL')
        .choices(ROLES)
        .default('all'),
    )
    .option(
      '--replay-from [folder]',
      'plays a recorded session of a data directory (this one) minute by minute: by the clock of TIGRAPH_NOW onto the store that is served, without it on a store of its own, which is removed at the end',
    )
    .option('--date <date>', 'the session that is played (the newest)', date)
    .option('--speed <n|max>', `times as fast as it was (${SPEED}), or without waiting`, (text) =>
      text === 'max' ? text : wholeNumber(1, SPEED_MAX)(text),
    )
    .option('--symbols <list>', 'plays only these, e.g. SPY,IBM', list(100_000, canonicalSymbol))
    .option('--undelayed', 'callers without a token see the newest minute of what is played')
    .option(...LEAVE_DEMO)
    .action((options: Options) => call((config) => serve(options, config)));
};

async function serve(options: Options, config: Config): Promise<number> {
  const { role, replayFrom } = options;
  refuseWrong(options, config);
  const taped = replayFrom === undefined ? null : await sessionToPlay(replayFrom, options, config);
  if (taped !== null && role === 'all' && config.now === undefined) {
    const { playAlone } = await import('./replay.ts');
    const { speed = SPEED, undelayed = false } = options;
    return playAlone(config, taped, { speed, undelayed });
  }
  return role === 'all' || role === 'api'
    ? serveCallers(role, config, taped, options.leaveDemo === true)
    : serveProbes(role, config, taped);
}

/** @throws CodedError validation_failed, bad_setting */
function refuseWrong(options: Options, { natsUrl, now }: Config): void {
  const { role, replayFrom, date, speed, symbols, undelayed } = options;
  if (role === 'worker' && natsUrl === undefined) {
    throw new CodedError('bad_setting', 'A worker gets its work over NATS: set NATS_URL.');
  }
  if (replayFrom !== undefined && role !== 'all' && role !== 'live') {
    throw wrongCall(`--replay-from is the feed of the role live, not of ${role}.`);
  }
  if (replayFrom === undefined && (date ?? speed ?? symbols ?? undelayed) !== undefined) {
    throw wrongCall('--date, --speed, --symbols and --undelayed are of the session of --replay-from.');
  }
  if ((speed ?? undelayed) !== undefined && (role !== 'all' || now !== undefined)) {
    throw wrongCall(
      'The clock of TIGRAPH_NOW says how fast a session is played on the store that is served.',
    );
  }
}

// What plays no session does not load how.
async function sessionToPlay(from: string | true, options: Options, config: Config): Promise<TapedSession> {
  const date = options.date ?? null;
  const symbols = options.symbols ?? null;
  const { sessionOfDirectory, takeSession } = await import('./taped-session.ts');
  return from === true
    ? withStore(config, (app) => takeSession(app, date, symbols))
    : sessionOfDirectory(resolve(from), { date, symbols }, config);
}

async function serveCallers(
  role: Role,
  config: Config,
  taped: TapedSession | null,
  leaves: boolean,
): Promise<number> {
  await buildExplorer();
  const serving = withApp(config, async (app) => {
    const isVendors = config.vendor !== null;
    const mayBuild = config.demo === 'on' && role === 'all' && taped === null && !isVendors;
    const isBeside = await startDemo(app, { leaves, mayBuild }, () => {
      console.log('The data directory is empty: building a simulated market to look at.');
      return simulateInto(app, FIRST_MARKET);
    });
    // Before this the first signal ends the process at once.
    const stop = stopSignal(config);
    const warm = Promise.withResolvers<void>();
    const server = await app.server({
      warm: warm.promise,
      executesBacktests: role === 'all',
      draining: stop,
    });
    await whileListening(server, config, async () => {
      const warmedUp = app.warmUp((error) => server.log.warn({ err: error }, 'warming up'));
      await Promise.race([warmedUp, untilAborted(stop)]);
      if (stop.aborted) return;
      warm.resolve();
      if (isVendors && isBeside) server.log.warn({}, LEAVE_OFFER);
      announce(server, await app.context.tape.symbols());
      if (role === 'api') console.log(API_ALONE);
      warnOfReaders(config.dataDirectory, server.log);
      await workBeside(server, app, role, taped, stop);
    });
    return 0;
  });
  // Loads while the database opens on its thread.
  void import('../api/server/server.ts');
  return serving;
}

/** So that nobody waits for days that nobody derives. */
const API_ALONE =
  'This process answers callers. What an import or the market brings becomes days in others: `serve --role scheduler` with a worker, or `serve`.';

/** A process that answers no callers. */
const serveProbes = (role: Role, config: Config, taped: TapedSession | null): Promise<number> =>
  withApp(config, async (app) => {
    const stop = stopSignal(config);
    const server = await app.probeServer();
    await whileListening(server, config, () => workBeside(server, app, role, taped, stop));
    return 0;
  });

/**
 * Does what a role does beside answering callers until it is told to stop.
 *
 * @param taped session that the live feed plays; null for the vendor whose key is set, else the simulated market
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

/** Warns only: the owner of an existing directory may want a group to read it. */
function warnOfReaders(directory: string, log: { warn(line: string): void }): void {
  if (platform === 'win32' || (statSync(directory).mode & 0o077) === 0) return;
  log.warn(
    `Other users of this machine can read ${directory}, which holds market data and the key that signs tokens; chmod 700 keeps them out.`,
  );
}
