import { resolve } from 'node:path';
import { Option } from 'commander';
import { CodedError } from '../base/errors.ts';
import { canonicalSymbol } from '../base/symbols.ts';
import { loadInTurns } from '../base/timers.ts';
import { type Config, ROLES, type Role } from '../config.ts';
import type { TapedSession } from '../live/replay-from-tape.ts';
import type { Define } from './command.ts';
import { date, LEAVE_DEMO, list, wholeNumber, wrongCall } from './options.ts';
import { withApp, withStore } from './with-app.ts';

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
  const answers = role === 'all' || role === 'api';
  const served = withApp(config, async (app) => {
    const { serveCallers, serveProbes } = await loading;
    return answers
      ? serveCallers(app, role, taped, options.leaveDemo === true)
      : serveProbes(app, role, taped);
  });
  // While the database opens on its thread, and in turns with its answers.
  const loading = load(answers);
  return served;
}

/** @param answers whether callers are answered */
async function load(answers: boolean) {
  if (answers) {
    await loadInTurns(
      () => import('fastify'),
      () => import('../api/server/routes.ts'),
      () => import('../api/server/server.ts'),
    );
  }
  return import('./serve-role.ts');
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
