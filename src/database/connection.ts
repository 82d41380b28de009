import type { Writable } from 'node:stream';
import pg from 'pg';
import { CodedError } from '../base/errors.ts';
import { realTimers } from '../base/timers.ts';
import { CANCEL_QUEUED } from './wire-messages.ts';

/** Opens connections to the embedded server or to `DATABASE_URL`. */
export interface Connector {
  readonly kind: 'embedded' | 'postgres';
  /** Maximum number of open connections for queries. */
  readonly size: number;
  /** @param lowPriority true when its statements let those of others go first; only the embedded server heeds it */
  connect(lowPriority?: boolean): Promise<pg.Client>;
  /**
   * Asks the server to stop the running statement of a connection. Resolves when the request can no longer hit a later
   * statement, or the connection is closed.
   *
   * @param settled resolves with the end of the statement
   */
  cancel(client: pg.Client, settled: Promise<unknown>): Promise<void>;
  /** Whether another process runs the embedded server. */
  isGuest(): boolean;
  close(): Promise<void>;
}

/** Identifies a connection in a cancel request. */
interface BackendKey {
  readonly processID: number;
  readonly secretKey: number;
}

export const backendKey = (client: pg.Client): BackendKey => client as unknown as BackendKey;

/** Opens one connection in UTC with the type parsers below. */
export async function openClient(config: pg.ClientConfig): Promise<pg.Client> {
  const client = new pg.Client({ application_name: 'tigraph', ...config, types: { getTypeParser } });
  client.on('error', () => lost.add(client));
  client.on('end', () => lost.add(client));
  try {
    await client.connect();
  } catch (error) {
    client.end().catch(() => {});
    throw error;
  }
  return client;
}

/** False once the connection is known to be lost or closed. */
export const isAlive = (client: pg.Client): boolean => !lost.has(client);

const lost = new WeakSet<pg.Client>();

/**
 * `bigint` and `numeric` become numbers (our values stay below 2^53), `date` stays YYYY-MM-DD because a trade date has
 * no time zone, `timestamptz` becomes Date, `json` is parsed; other types as the client library has them.
 */
const getTypeParser = ((oid: number, format?: 'text' | 'binary') =>
  TYPE_PARSERS.get(oid) ?? pg.types.getTypeParser(oid, format as 'text')) as typeof pg.types.getTypeParser;

const TEXT_ARRAY = 1009;
const textArray = pg.types.getTypeParser(TEXT_ARRAY as never) as (text: string) => string[];
const numbers = (text: string): number[] => textArray(text).map(Number);
const asText = (text: string): string => text;

const TYPE_PARSERS = new Map<number, (text: string) => unknown>([
  [20, Number],
  [1700, Number],
  [1016, numbers],
  [1231, numbers],
  [1082, asText],
  [1182, textArray],
]);

/** Removes a waiting statement from the embedded server's queue. The message travels with the statements, in order. */
export function cancelQueued(client: pg.Client): void {
  const { stream } = (client as unknown as { connection: { stream: Writable } }).connection;
  if (stream.writable) stream.write(CANCEL_QUEUED);
}

/**
 * Sends PostgreSQL's cancel request over a second connection and waits until the server has read it. A request that is
 * read later would hit a later statement, so after the timeout the connection is closed.
 */
async function requestCancel(client: pg.Client, timeoutMs = 2_000): Promise<void> {
  const { processID, secretKey } = backendKey(client);
  const target = client as unknown as { host: string; port: number; ssl: boolean | object };
  const connection = new pg.Connection({ ssl: target.ssl } as never) as unknown as CancelConnection;
  await new Promise<void>((resolve) => {
    const callOff = realTimers.after(timeoutMs, () => {
      lost.add(client);
      resolve();
    });
    for (const event of ['end', 'error']) connection.once(event, () => resolve(callOff()));
    connection.once(target.ssl ? 'sslconnect' : 'connect', () => connection.cancel(processID, secretKey));
    if (target.host.startsWith('/')) connection.connect(`${target.host}/.s.PGSQL.${target.port}`);
    else connection.connect(target.port, target.host);
  });
  connection.stream.destroy();
}

/** Part of the client library's inner connection. */
interface CancelConnection extends NodeJS.EventEmitter {
  readonly stream: { destroy(): void };
  connect(portOrPath: number | string, host?: string): void;
  cancel(processID: number, secretKey: number): void;
}

const CONNECT_TIMEOUT_MS = 10_000;

/** Connections to the server of `DATABASE_URL`. An aborted statement is stopped by a cancel request. */
export function postgresConnector(url: string, connections: number): Connector {
  return {
    kind: 'postgres',
    size: connections,
    async connect() {
      const client = await openClient({
        connectionString: url,
        keepAlive: true,
        connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      });
      // As on the embedded server. Not a start-up option, which connection poolers refuse.
      await client.query(`set timezone to 'UTC'`);
      return client;
    },
    cancel: (client) => requestCancel(client),
    isGuest: () => false,
    close: async () => {},
  };
}

const CONNECTION_FAULTS = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EAI_AGAIN',
  '53300',
  '57P01',
  '57P02',
  '57P03',
  '3D000',
]);

/** Explains a statement's error; a lost connection is marked before its end event. */
export function failure(client: pg.Client, error: unknown): unknown {
  const explained = explain(error);
  if (explained instanceof CodedError && explained.code === 'database_unavailable') lost.add(client);
  return explained;
}

/** PostgreSQL's codes for a page or an index that is not what was written. */
const DAMAGE = new Set(['XX001', 'XX002']);
const isLostFile = (code: string, message: string): boolean =>
  code === '58P01' && /^could not open file "(base|global|pg_\w+)\//.test(message);

/** A server that is down, starting, full or refuses is `database_unavailable`, a damaged file `data_damaged`. */
export function explain(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof CodedError) return error;
  const code = String((error as { code?: unknown }).code ?? '');
  if (code === '40001' || code === '40P01')
    return new CodedError('write_conflict', undefined, { cause: error });
  if (DAMAGE.has(code) || isLostFile(code, error.message))
    return new CodedError('data_damaged', undefined, { cause: error });
  const isLost = /^Connection terminated|^Client (was closed|has encountered)|^timeout e/.test(error.message);
  if (isLost || CONNECTION_FAULTS.has(code) || code.startsWith('08') || code.startsWith('28')) {
    return new CodedError('database_unavailable', `The database is not available: ${error.message}`, {
      cause: error,
    });
  }
  return error;
}
