import { randomBytes } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { Worker } from 'node:worker_threads';
import { CodedError } from '../base/errors.ts';
import { realTimers } from '../base/timers.ts';
import { clusterFault, RESTORE_HINT } from './cluster-fault.ts';
import type { CreateClusterData } from './create-cluster.ts';
import { SHARED } from './durable-files.ts';
import type { EmbeddedWorkerData, EmbeddedWorkerMessage } from './embedded-worker.ts';
import { type FileLock, takeLock } from './lock.ts';

/** The embedded server of a data directory, run by this process. */
export type EmbeddedHost = Awaited<ReturnType<typeof startHost>>;

/** The client library connects to the file `.s.PGSQL.<port>` in a directory. */
export interface SocketAddress {
  readonly host: string;
  readonly port: number;
}

/** The host's file beside the lock, for processes that start later. */
export interface HostRecord extends SocketAddress {
  readonly pid: number;
  readonly state: 'starting' | 'listening' | 'closing';
}

const LOCK_FILE = 'postgres.lock';
const RECORD_FILE = 'postgres.json';
/** Folder of the cluster in a data directory. */
export const CLUSTER = 'postgres';
const SOCKET_PORT = 5432;
const SOCKET_NAME = `.s.PGSQL.${SOCKET_PORT}`;
/** The kernel's limit with the closing zero is 108 bytes on Linux and 104 on macOS. */
const SOCKET_PATH_BYTES_MAX = 100;
const TEMPORARY_PREFIX = 'tigraph-';
const STOP_TIMEOUT_MS = 10_000;
const LOG_TAIL_LINES = 8;

/**
 * Becomes the host of a data directory, or returns null at once when another process is. The holder of the lock has the
 * cluster exclusively. The server's thread has started when the call of an existing cluster returns its promise.
 *
 * @throws CodedError data_directory_unusable
 */
export async function becomeHost(
  directory: string,
  log: (line: string) => void,
): Promise<EmbeddedHost | null> {
  let lock: FileLock | null = null;
  const tail: string[] = [];
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    lock = takeLock(join(directory, LOCK_FILE));
    if (lock === null) return null;
    return await startHost(directory, lock, (line) => {
      tail.push(line);
      if (tail.length > LOG_TAIL_LINES) tail.shift();
      log(line);
    });
  } catch (error) {
    lock?.release();
    throw unusable(directory, (error as Error).message, tail, error);
  }
}

/** Lines of PostgreSQL that speak of damaged files. */
const DAMAGED =
  /invalid page|page verification failed|checksum|PG_CONTROL_VERSION|pg_control|could not open file/;

/** Why the folder of another user cannot be used, whose files look damaged; null for one's own, and for root. */
export function foreignOwner(owner: number | undefined, self: number | undefined): string | null {
  if (owner === undefined || self === undefined || self === 0 || owner === self) return null;
  return `it belongs to the user ${owner} and this process is the user ${self}. Start it as that user, or give the folder to this one: chown -R ${self} FOLDER.`;
}

function unusable(directory: string, reason: string, tail: readonly string[], cause: unknown): CodedError {
  const owner = foreignOwner(statSync(directory, { throwIfNoEntry: false })?.uid, process.getuid?.());
  const isDamaged = owner === null && tail.some((line) => DAMAGED.test(line));
  const lines = owner ?? [...new Set([reason, ...tail])].join('\n  ');
  return new CodedError(
    'data_directory_unusable',
    `The data directory ${directory} cannot be used: ${lines}${isDamaged ? `\n${RESTORE_HINT}` : ''}`,
    { cause },
  );
}

/** The record of the directory's host; null without one. */
export function readHostRecord(directory: string): HostRecord | null {
  try {
    return JSON.parse(readFileSync(join(directory, RECORD_FILE), 'utf8')) as HostRecord;
  } catch {
    return null;
  }
}

async function startHost(directory: string, lock: FileLock, log: (line: string) => void) {
  const address = prepareSocket(directory);
  writeRecord(directory, { pid: process.pid, state: 'starting', ...address });
  const clusterDirectory = join(directory, CLUSTER);
  if (!hasCluster(directory)) await createCluster(clusterDirectory);
  const fault = clusterFault(clusterDirectory);
  if (fault !== null) throw new Error(fault);

  const shared = new Int32Array(new SharedArrayBuffer(SHARED.size * Int32Array.BYTES_PER_ELEMENT));
  const socketPath = join(address.host, SOCKET_NAME);
  const worker = startThread('./embedded-worker.ts', {
    clusterDirectory,
    socketPath,
    shared,
  } satisfies EmbeddedWorkerData);
  let ended = false;
  const exited = new Promise<void>((settle) => {
    worker.once('exit', () => {
      ended = true;
      removeSocket(directory, address);
      rmSync(join(directory, RECORD_FILE), { force: true });
      lock.release();
      settle();
    });
  });
  await listening(worker, log);
  writeRecord(directory, { pid: process.pid, state: 'listening', ...address });
  return {
    address,
    /** See `SHARED`. */
    shared,
    isGone: () => ended,
    /** Ends running statements and closes; another process may then take over. */
    async stop(): Promise<void> {
      if (!ended) recordClosing(directory, address);
      worker.postMessage('stop');
      const callOff = realTimers.after(STOP_TIMEOUT_MS, () => void worker.terminate());
      await exited;
      callOff();
    },
    /** Ends the server as a crash would; acknowledged writes are safe in the log. */
    async kill(): Promise<void> {
      await worker.terminate();
      await exited;
    },
  };
}

/** A full disk must not keep the server from ending. */
function recordClosing(directory: string, address: SocketAddress): void {
  try {
    writeRecord(directory, { pid: process.pid, state: 'closing', ...address });
  } catch {
    // The next process finds the record of an ended server and takes over.
  }
}

/** Resolves when the server listens; rejects with the reason in the log when its thread ends before. */
function listening(worker: Worker, log: (line: string) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    let reason = 'the database ended while it was starting';
    worker.on('message', (message: EmbeddedWorkerMessage) => {
      if (message.kind === 'listening') resolve();
      else if (message.kind === 'log') log(message.line);
      else {
        reason = message.reason;
        log(reason);
      }
    });
    worker.once('error', (error: Error) => {
      reason = error.message;
      log(reason);
    });
    worker.once('exit', () => reject(new Error(reason)));
  });
}

/** Whether a data directory has the folder of an embedded database, be it whole or not. */
export const hasCluster = (directory: string): boolean => existsSync(join(directory, CLUSTER));

function createCluster(clusterDirectory: string): Promise<void> {
  const worker = startThread('./create-cluster.ts', { clusterDirectory } satisfies CreateClusterData);
  return new Promise((resolve, reject) => {
    worker.once('error', reject);
    worker.once('exit', (code) =>
      code === 0 ? resolve() : reject(new Error('the database cluster could not be created')),
    );
  });
}

/** `execArgv` is empty because a test runner's flags are not for this thread. */
function startThread(file: string, workerData: unknown): Worker {
  return new Worker(new URL(file, import.meta.url), { workerData, execArgv: [] });
}

/** Removes a former host's socket. The new one is beside the data unless the path is too long. */
function prepareSocket(directory: string): SocketAddress {
  const former = readHostRecord(directory);
  if (former !== null) removeSocket(directory, former);
  const path = join(resolve(directory), SOCKET_NAME);
  if (Buffer.byteLength(path) <= SOCKET_PATH_BYTES_MAX) {
    rmSync(path, { force: true });
    return { host: resolve(directory), port: SOCKET_PORT };
  }
  // mkdtemp makes it private to the user, so that no other user can connect or pose as the server.
  return { host: mkdtempSync(join(tmpdir(), TEMPORARY_PREFIX)), port: SOCKET_PORT };
}

function removeSocket(directory: string, { host }: SocketAddress): void {
  if (host === resolve(directory)) rmSync(join(host, SOCKET_NAME), { force: true });
  else if (dirname(host) === tmpdir() && host.includes(TEMPORARY_PREFIX))
    rmSync(host, { recursive: true, force: true });
}

function writeRecord(directory: string, record: HostRecord): void {
  const path = join(directory, RECORD_FILE);
  const unfinished = `${path}.${randomBytes(4).toString('hex')}`;
  try {
    writeFileSync(unfinished, JSON.stringify(record));
    renameSync(unfinished, path);
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw error;
  }
}
