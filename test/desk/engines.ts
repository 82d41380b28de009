import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { findNats, type NatsServers, startNats } from '../engines/nats.ts';
import { findPostgres, type PostgresServer, startPostgres } from '../engines/postgres.ts';
import { makeScratchDirectory } from '../support/scratch.ts';
import type { Environment } from './desk.ts';

/** The servers of a desk on this machine. */
export interface Engines {
  readonly postgres: PostgresServer;
  readonly nats: NatsServers;
  /** An empty database and data directory. */
  environment(name: string): Promise<Installation>;
  /** A copy of both. */
  copyOf(installation: Installation, name: string): Promise<Installation>;
  stop(): Promise<void>;
}

export interface Installation {
  readonly databaseUrl: string;
  readonly directory: string;
  readonly settings: Environment;
}

/** A process is killed, not the machine: what was written to the log of the database is there again. */
const SETTINGS = { synchronous_commit: 'on', max_connections: '400' };

/**
 * @param settings of PostgreSQL, beside those of a desk
 * @throws Error where a server cannot be had
 */
export async function startEngines(settings: Readonly<Record<string, string>> = {}): Promise<Engines> {
  const programs = { postgres: findPostgres(), nats: findNats() };
  const [postgres, nats] = await Promise.all([
    startPostgres(programs.postgres, { ...SETTINGS, ...settings }),
    startNats(programs.nats, 3),
  ]);
  const scratch = join(makeScratchDirectory(), 'desk');
  async function make(name: string, template: string): Promise<Installation> {
    await onServer(postgres.url, `create database ${name} template ${template}`);
    const url = new URL(postgres.url);
    url.pathname = `/${name}`;
    const directory = join(scratch, name);
    mkdirSync(directory, { recursive: true });
    return {
      databaseUrl: url.href,
      directory,
      settings: {
        DATABASE_URL: url.href,
        TIGRAPH_DATA_DIR: directory,
        TIGRAPH_WORKERS: '1',
        TIGRAPH_DATABASE_CONNECTIONS: '8',
        // Eight processes share the cores of one machine.
        QUERY_TIMEOUT_MS: '15000',
        LOG_LEVEL: 'warn',
      },
    };
  }
  return {
    postgres,
    nats,
    environment: (name) => make(name, 'template0'),
    async copyOf(installation, name) {
      const copy = await make(name, new URL(installation.databaseUrl).pathname.slice(1));
      cpSync(installation.directory, copy.directory, { recursive: true });
      return copy;
    },
    async stop() {
      await nats.stop();
      await postgres.stop();
    },
  };
}

async function onServer(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(sql).finally(() => client.end());
}
