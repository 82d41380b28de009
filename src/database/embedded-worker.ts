import { existsSync } from 'node:fs';
import { chmod } from 'node:fs/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';
import { vector } from '@electric-sql/pglite-pgvector';
import { DurableFiles, SHARED } from './durable-files.ts';
import { type Backend, WireServer } from './wire-server.ts';

/** The thread of the embedded server: PostgreSQL in WebAssembly behind a Unix socket. */
export interface EmbeddedWorkerData {
  readonly clusterDirectory: string;
  readonly socketPath: string;
  /** See `SHARED`. */
  readonly shared: Int32Array;
}

export type EmbeddedWorkerMessage =
  | { readonly kind: 'listening' }
  | { readonly kind: 'log'; readonly line: string }
  | { readonly kind: 'broken'; readonly reason: string };

const { clusterDirectory, socketPath, shared } = workerData as EmbeddedWorkerData;
const port = parentPort!;
const send = (message: EmbeddedWorkerMessage): void => port.postMessage(message);

const IDLE_IN_TRANSACTION_MS = 60_000;
const CLOSE_GRACE_MS = 5_000;
/** Exit status that PGlite uses for the jump after an error. */
const ERROR_JUMP = 100;

/**
 * PGlite's parameters without `-F`, which would disable every sync, and with the one log sync method that its file
 * layer supports. A single backend has no background processes: `housekeeping.ts` runs vacuum and checkpoints.
 */
const SETTINGS = [
  'wal_sync_method=fsync',
  'autovacuum=off',
  // PostgreSQL's default of 128 MB is touched at the start and seldom filled; the operating system caches the files
  // too.
  'shared_buffers=32MB',
  'work_mem=16MB',
  'min_wal_size=64MB',
  'max_wal_size=256MB',
  'random_page_cost=1.1',
  // All connections wait for an analyze: 25 ms of the claims; a sample of 4,500 rows serves the planner as well as 30,000.
  'default_statistics_target=15',
  'timezone=UTC',
  'log_timezone=UTC',
  // Errors of statements go to the caller; the log is for the server itself.
  'log_min_messages=log',
];
const START_PARAMETERS = [
  ...PGlite.defaultStartParams.filter((parameter) => parameter !== '-F'),
  ...SETTINGS.flatMap((setting) => ['-c', setting]),
];

/** Ends the thread at once: PGlite swallows a panic of PostgreSQL and continues. */
function broken(reason: string): never {
  send({ kind: 'broken', reason });
  process.exit(1);
}

interface MainLoop {
  _PostgresMainLoopOnce: () => void;
}

/** PostgreSQL leaves its loop by a jump after an ordinary error; any other exception ends the server. */
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
  fs: new DurableFiles(clusterDirectory, shared, broken),
  extensions: { vector },
  startParams: START_PARAMETERS,
  onStderr: (line: string) => {
    send({ kind: 'log', line });
    return false;
  },
});

stopOnDefect(pglite.Module as unknown as MainLoop);

const backend: Backend = (request, processId) => {
  const chunks: Buffer[] = [];
  Atomics.store(shared, SHARED.executing, processId);
  // The method is asynchronous only for browser storage; here it has run when it returns.
  pglite
    .execProtocolRawStream(request, {
      syncToFs: false,
      onRawData: (bytes) => chunks.push(Buffer.from(bytes)),
    })
    .catch((error: Error) => broken(error.message));
  Atomics.store(shared, SHARED.executing, 0);
  return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
};

const server = new WireServer(backend, IDLE_IN_TRANSACTION_MS);
await server.listen(socketPath);
await chmod(socketPath, 0o600);
send({ kind: 'listening' });

port.once('message', async () => {
  await server.close(CLOSE_GRACE_MS);
  await pglite.close();
  port.close();
});
