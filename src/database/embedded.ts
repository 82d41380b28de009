import type pg from 'pg';
import { CodedError } from '../base/errors.ts';
import { realTimers, rest, stopwatch } from '../base/timers.ts';
import { isBeingCopied } from './cluster-copy.ts';
import { backendKey, type Connector, cancelQueued, openClient } from './connection.ts';
import { SHARED } from './durable-files.ts';
import { becomeHost, type EmbeddedHost, readHostRecord, type SocketAddress } from './embedded-host.ts';
import { housekeep } from './housekeeping.ts';
import { LOW_PRIORITY } from './wire-messages.ts';

const RECHECK_MS = 20;
/** A host that claims to listen and refuses connections for this long is on another machine. */
const SILENT_HOST_MS = 2_000;
/** A host that accepted the connection may run a long statement; after this long it counts as stopped. */
const BUSY_HOST_MS = 60_000;
/** Creating a cluster, recovering a large log and closing take time. */
const CHANGING_HOST_MS = 120_000;
/** An aborted statement that runs longer is ended by restarting the server. */
const STUCK_STATEMENT_MS = 3_000;
const HOUSEKEEPING_MS = 10_000;

/** Connections to the embedded server of a data directory, which this process hosts unless another does. */
export interface EmbeddedConnector extends Connector {
  readonly kind: 'embedded';
  /** The server when this process runs it. */
  host(): EmbeddedHost | null;
}

/**
 * The first process becomes the host; others connect to its socket. After a lost connection `connect` tries the lock
 * again, so the first process that needs the database takes over.
 */
export function embeddedConnector(directory: string, log: (line: string) => void): EmbeddedConnector {
  let host: EmbeddedHost | null = null;
  let becoming: Promise<EmbeddedHost | null> | null = null;
  let closed = false;
  const endMaintenance = realTimers.every(HOUSEKEEPING_MS, () => void maintain());
  let maintainedAt = 0;

  /** One attempt at a time for all callers. */
  async function hostOrNull(): Promise<EmbeddedHost | null> {
    if (host !== null && !host.isGone()) return host;
    becoming ??= becomeHost(directory, log).finally(() => {
      becoming = null;
    });
    host = await becoming;
    if (host !== null && closed) await host.stop();
    return host;
  }

  async function connect(lowPriority = false): Promise<pg.Client> {
    const began = stopwatch();
    for (;;) {
      if (closed) throw new CodedError('database_unavailable', 'The database has been closed.');
      const address = (await hostOrNull())?.address ?? readHostRecord(directory);
      const client = address === null ? null : await tryConnect(address, lowPriority);
      if (client !== null) return client;
      giveUpAfter(stopwatch() - began);
      await rest(realTimers, RECHECK_MS);
    }
  }

  function giveUpAfter(waitedMs: number): void {
    const record = readHostRecord(directory);
    if (waitedMs < (record?.state === 'listening' ? SILENT_HOST_MS : CHANGING_HOST_MS)) return;
    throw new CodedError(
      'data_directory_locked',
      `Process ${record?.pid ?? 'unknown'} holds the data directory ${directory} and does not answer; ` +
        'it may be stopped, or run on another machine.',
    );
  }

  async function cancel(client: pg.Client, settled: Promise<unknown>): Promise<void> {
    cancelQueued(client);
    const { processID } = backendKey(client);
    const current = host;
    if (current === null) return;
    Atomics.store(current.shared, SHARED.interrupt, processID);
    const callOff = realTimers.after(STUCK_STATEMENT_MS, () => {
      if (Atomics.load(current.shared, SHARED.executing) === processID) void current.kill();
    });
    await settled.catch(() => {});
    callOff();
    // The statement may have ended before the interrupt was read: the connection's next one must not be stopped.
    Atomics.compareExchange(current.shared, SHARED.interrupt, processID, 0);
  }

  async function maintain(): Promise<void> {
    const current = host;
    if (current === null || current.isGone()) return;
    const written = Atomics.load(current.shared, SHARED.kilobytesWritten);
    if (written === maintainedAt) return;
    try {
      const client = await openClient(socketConfig(current.address, true));
      await housekeep(client, () => !isBeingCopied(directory)).finally(() => client.end());
      maintainedAt = Atomics.load(current.shared, SHARED.kilobytesWritten);
    } catch (error) {
      log(`Housekeeping was left for later: ${(error as Error).message}`);
    }
  }

  return {
    kind: 'embedded',
    size: 1,
    connect,
    cancel,
    host: () => host,
    isGuest: () => host === null || host.isGone(),
    async close() {
      closed = true;
      endMaintenance();
      await becoming?.catch(() => null);
      if (host !== null && !host.isGone()) await host.stop();
    },
  };
}

/** For the client library's connection to the embedded server. */
const socketConfig = ({ host, port }: SocketAddress, lowPriority: boolean): pg.ClientConfig => ({
  host,
  port,
  ...(lowPriority ? { application_name: LOW_PRIORITY } : {}),
  user: 'postgres',
  database: 'postgres',
  password: '',
  connectionTimeoutMillis: BUSY_HOST_MS,
  ssl: false,
});

/** A connection, or null when no server listens. */
async function tryConnect(address: SocketAddress, lowPriority: boolean): Promise<pg.Client | null> {
  try {
    return await openClient(socketConfig(address, lowPriority));
  } catch {
    return null;
  }
}
