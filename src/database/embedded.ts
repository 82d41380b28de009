import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { CodedError } from '../base/errors.ts';
import { backendKey, cancelWaiting, type Connector, openClient } from './connection.ts';
import { SHARED } from './durable-files.ts';
import { becomeHost, type EmbeddedHost, readHostRecord, type SocketAddress } from './embedded-host.ts';
import { housekeep } from './housekeeping.ts';
import { BEHIND } from './wire-messages.ts';

/** How often somebody who waits for the directory looks again. */
const RECHECK_MS = 20;
/** A host that says it listens and refuses connections for so long is on another machine. */
const SILENT_HOST_MS = 2_000;
/** A host that has taken the connection may be at work on somebody's long statement; after this long it is stopped. */
const BUSY_HOST_MS = 60_000;
/** Making a cluster, recovering a large log and closing in good order take their time. */
const CHANGING_HOST_MS = 120_000;
/** An aborted statement that still runs after this long is ended together with the server, which starts anew. */
const STUCK_STATEMENT_MS = 3_000;
const HOUSEKEEPING_MS = 10_000;

/** Connections to the embedded server of a data directory, which this process hosts when nobody else does. */
export interface EmbeddedConnector extends Connector {
  readonly kind: 'embedded';
  /** The server when this process runs it. */
  host(): EmbeddedHost | null;
}

/**
 * The first process to ask becomes the host; every other one connects to its socket. When a connection is lost, the
 * next `connect` asks for the lock again, so that whoever needs the database first after the host has gone takes over.
 */
export function embeddedConnector(directory: string, log: (line: string) => void): EmbeddedConnector {
  let host: EmbeddedHost | null = null;
  let becoming: Promise<EmbeddedHost | null> | null = null;
  let closed = false;
  const keeper = setInterval(() => void keepHouse(), HOUSEKEEPING_MS).unref();
  let keptAt = 0;

  /** One attempt at a time, however many connections ask. */
  async function hostOrNull(): Promise<EmbeddedHost | null> {
    if (host !== null && !host.isGone()) return host;
    becoming ??= becomeHost(directory, log).finally(() => {
      becoming = null;
    });
    host = await becoming;
    if (host !== null && closed) await host.stop();
    return host;
  }

  async function connect(behind = false): Promise<pg.Client> {
    const began = Date.now();
    for (;;) {
      if (closed) throw new CodedError('database_unavailable', 'The database has been closed.');
      const address = (await hostOrNull())?.address ?? readHostRecord(directory);
      const client = address === null ? null : await tryConnect(address, behind);
      if (client !== null) return client;
      giveUpAfter(Date.now() - began);
      await delay(RECHECK_MS);
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
    cancelWaiting(client);
    const { processID } = backendKey(client);
    const mine = host;
    if (mine === null) return;
    Atomics.store(mine.shared, SHARED.interrupt, processID);
    const timer = setTimeout(() => {
      if (Atomics.load(mine.shared, SHARED.executing) === processID) void mine.kill();
    }, STUCK_STATEMENT_MS);
    await settled.catch(() => {});
    clearTimeout(timer);
    // The statement may have ended before it was seen: what the connection runs next is somebody else's.
    Atomics.compareExchange(mine.shared, SHARED.interrupt, processID, 0);
  }

  async function keepHouse(): Promise<void> {
    const mine = host;
    if (mine === null || mine.isGone()) return;
    const written = Atomics.load(mine.shared, SHARED.kilobytesWritten);
    if (written === keptAt) return;
    try {
      const client = await openClient(socketConfig(mine.address, true));
      await housekeep(client).finally(() => client.end());
      keptAt = Atomics.load(mine.shared, SHARED.kilobytesWritten);
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
      clearInterval(keeper);
      await becoming?.catch(() => null);
      if (host !== null && !host.isGone()) await host.stop();
    },
  };
}

const socketConfig = ({ host, port }: SocketAddress, behind: boolean): pg.ClientConfig => ({
  host,
  port,
  ...(behind ? { application_name: BEHIND } : {}),
  user: 'postgres',
  database: 'postgres',
  password: '',
  connectionTimeoutMillis: BUSY_HOST_MS,
  ssl: false,
});

/** A connection, or null when nobody listens there. */
async function tryConnect(address: SocketAddress, behind: boolean): Promise<pg.Client | null> {
  try {
    return await openClient(socketConfig(address, behind));
  } catch {
    return null;
  }
}
