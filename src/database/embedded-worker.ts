import { existsSync } from 'node:fs';
import { chmod } from 'node:fs/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';
import { vector } from '@electric-sql/pglite-pgvector';
import { DurableFiles, SHARED } from './durable-files.ts';
import { type Backend, wireServer } from './wire-server.ts';

/** The thread of the embedded server: PostgreSQL in WebAssembly behind a Unix socket. */
export interface EmbeddedWorkerData {
  readonly clusterDirectory: string;
  readonly socketPath: string;
  /** See `SHARED`. */
  readonly shared: Int32Array;
  /** PostgreSQL, compiled. */
  readonly postgres: object;
}

export type EmbeddedWorkerMessage =
  | { readonly kind: 'listening' }
  | { readonly kind: 'log'; readonly line: string }
  | { readonly kind: 'broken'; readonly reason: string };

const { clusterDirectory, socketPath, shared, postgres } = workerData as EmbeddedWorkerData;
const port = parentPort!;
const tell = (message: EmbeddedWorkerMessage): void => port.postMessage(message);

const IDLE_IN_TRANSACTION_MS = 60_000;
const CLOSE_GRACE_MS = 5_000;
/** The exit status by which PGlite marks the jump that follows an error. */
const ERROR_JUMP = 100;

/**
 * PGlite's own parameters without `-F`, which would switch every sync off, and with the one way to sync the log that
 * its file layer passes on. Nothing runs in the background of a single backend: vacuum and checkpoints are ours to call.
 */
const SETTINGS = [
  'wal_sync_method=fsync',
  'autovacuum=off',
  // PostgreSQL's 128 MB are touched at the start and seldom filled; the operating system keeps the files in memory too.
  'shared_buffers=64MB',
  'work_mem=16MB',
  'min_wal_size=64MB',
  'max_wal_size=256MB',
  'random_page_cost=1.1',
  // Everybody waits while a table is looked at: 9,000 of its rows tell the planner as much as 30,000.
  'default_statistics_target=30',
  'timezone=UTC',
  'log_timezone=UTC',
  // Errors of statements go to the caller; the log is for the server's own affairs.
  'log_min_messages=log',
];
const START_PARAMETERS = [
  ...PGlite.defaultStartParams.filter((parameter) => parameter !== '-F'),
  ...SETTINGS.flatMap((setting) => ['-c', setting]),
];

/** Ends the thread at once, from wherever it is: PGlite swallows what PostgreSQL throws when it panics and goes on. */
function broken(reason: string): never {
  tell({ kind: 'broken', reason });
  process.exit(1);
}

interface MainLoop {
  _PostgresMainLoopOnce: () => void;
}

/** PostgreSQL leaves its loop by a jump after an ordinary error; whatever else comes out of it is the end of it. */
function stopOnDefect(module: MainLoop): void {
  const loop = module._PostgresMainLoopOnce;
  module._PostgresMainLoopOnce = () => {
    try {
      loop();
    } catch (error) {
      if ((error as { status?: unknown }).status !== ERROR_JUMP)
        broken(`PostgreSQL stopped: ${String(error)}`);
      throw error;
    }
  };
}

if (!existsSync(`${clusterDirectory}/PG_VERSION`)) broken('the cluster is missing');

const pglite = await PGlite.create({
  pgliteWasmModule: postgres,
  fs: new DurableFiles(clusterDirectory, shared, broken),
  extensions: { vector },
  startParams: START_PARAMETERS,
  onStderr: (line: string) => {
    tell({ kind: 'log', line });
    return false;
  },
});

stopOnDefect(pglite.Module as unknown as MainLoop);

const backend: Backend = (turn, processId) => {
  const chunks: Buffer[] = [];
  Atomics.store(shared, SHARED.executing, processId);
  // The method is asynchronous for the sake of browsers' storage; without that part it has run when it returns.
  pglite
    .execProtocolRawStream(turn, { syncToFs: false, onRawData: (bytes) => chunks.push(Buffer.from(bytes)) })
    .catch((error: Error) => broken(error.message));
  Atomics.store(shared, SHARED.executing, 0);
  return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
};

const server = wireServer(backend, IDLE_IN_TRANSACTION_MS);
await server.listen(socketPath);
await chmod(socketPath, 0o600);
tell({ kind: 'listening' });

port.once('message', async () => {
  await server.close(CLOSE_GRACE_MS);
  await pglite.close();
  port.close();
});
