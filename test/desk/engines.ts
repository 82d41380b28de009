import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { findNats, type NatsServers, startNats } from '../engines/nats.ts';
import { findObjectStore, type ObjectStore, startObjectStore } from '../engines/object-store.ts';
import { findPostgres, type PostgresServer, startPostgres } from '../engines/postgres.ts';
import { type BucketProxy, startBucketProxy } from '../support/bucket-proxy.ts';
import { makeScratchDirectory } from '../support/scratch.ts';
import type { Environment } from './desk.ts';
import { onDatabase } from './dirty-days.ts';

/** The servers of a desk on this machine. */
export interface Engines {
  readonly postgres: PostgresServer;
  readonly nats: NatsServers;
  /** Before the object store, to make it fail. */
  readonly proxy: BucketProxy;
  /** An empty database and an empty bucket. */
  environment(name: string): Promise<Installation>;
  /** A copy of both, which is an installation of its own. */
  copyOf(installation: Installation, name: string): Promise<Installation>;
  stop(): Promise<void>;
}

export interface Installation {
  readonly databaseUrl: string;
  /** Of the data directories of its processes: one each, as on machines of their own. */
  readonly directory: string;
  readonly bucket: string;
  readonly settings: Environment;
}

/** A process is killed, not the machine: what was written to the log of the database is there again. */
const SETTINGS = { synchronous_commit: 'on', max_connections: '400' };
const PREFIX = 'tape';

/**
 * @param settings of PostgreSQL, beside those of a desk
 * @throws Error where a server cannot be had
 */
export async function startEngines(settings: Readonly<Record<string, string>> = {}): Promise<Engines> {
  const programs = { postgres: findPostgres(), nats: findNats(), python: findObjectStore() };
  const [postgres, nats, objects] = await Promise.all([
    startPostgres(programs.postgres, { ...SETTINGS, ...settings }),
    startNats(programs.nats, 3),
    startObjectStore(programs.python),
  ]);
  const proxy = await startBucketProxy(objects.url);
  const scratch = join(makeScratchDirectory(), 'desk');
  async function make(name: string, template: string): Promise<Installation> {
    await onDatabase(postgres.url, `create database ${name} template ${template}`);
    const url = new URL(postgres.url);
    url.pathname = `/${name}`;
    const directory = join(scratch, name);
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    const bucket = name.replaceAll('_', '-');
    await fetch(`${objects.url}/${bucket}`, { method: 'PUT' });
    return {
      databaseUrl: url.href,
      directory,
      bucket,
      settings: {
        DATABASE_URL: url.href,
        TIGRAPH_DATA_DIR: directory,
        TIGRAPH_TAPE: `s3://${bucket}/${PREFIX}`,
        AWS_ACCESS_KEY_ID: 'key',
        AWS_SECRET_ACCESS_KEY: 'secret',
        AWS_ENDPOINT_URL_S3: proxy.url,
        TIGRAPH_WORKERS: '1',
        TIGRAPH_DATABASE_CONNECTIONS: '8',
        // Nine processes share the cores of one machine.
        QUERY_TIMEOUT_MS: '15000',
        LOG_LEVEL: 'warn',
      },
    };
  }
  return {
    postgres,
    nats,
    proxy,
    environment: (name) => make(name, 'template0'),
    async copyOf(installation, name) {
      const copy = await make(name, new URL(installation.databaseUrl).pathname.slice(1));
      await onDatabase(copy.databaseUrl, 'delete from installation');
      await copySegments(objects, installation.bucket, copy.bucket);
      return copy;
    },
    async stop() {
      await proxy.close();
      await objects.stop();
      await nats.stop();
      await postgres.stop();
    },
  };
}

async function copySegments({ url }: ObjectStore, from: string, to: string): Promise<void> {
  const listed = await (await fetch(`${url}/${from}?list-type=2`)).text();
  for (const [, key] of listed.matchAll(/<Key>([^<]*\.arrow)<\/Key>/g)) {
    await fetch(`${url}/${to}/${key}`, {
      method: 'PUT',
      headers: { 'x-amz-copy-source': `/${from}/${key}` },
    });
  }
}
