import type { Writable } from 'node:stream';
import pg from 'pg';
import { CodedError } from '../base/errors.ts';
import { LEAVE_LINE } from './wire-messages.ts';

/** Where connections come from: the embedded server or the server of `DATABASE_URL`. */
export interface Connector {
  readonly kind: 'embedded' | 'postgres';
  /** How many connections may be open for queries at one time. */
  readonly size: number;
  /** @param behind true for a connection whose statements let those of others go first, where there is one session for all */
  connect(behind?: boolean): Promise<pg.Client>;
  /**
   * Asks the server to stop the statement that runs on a connection; `settled` is kept when the statement is over. The
   * promise is kept when the request can no longer reach a later one, or when the connection serves nobody any more.
   */
  cancel(client: pg.Client, settled: Promise<unknown>): Promise<void>;
  /** Whether another process runs the embedded server. */
  isGuest(): boolean;
  close(): Promise<void>;
}

/** Identifies a connection to the server when another one asks to cancel its statement. */
interface BackendKey {
  readonly processID: number;
  readonly secretKey: number;
}

export const backendKey = (client: pg.Client): BackendKey => client as unknown as BackendKey;

/** Opens one connection. Rows come with the types below; the session speaks UTC. */
export async function openClient(config: pg.ClientConfig): Promise<pg.Client> {
  const client = new pg.Client({ application_name: 'tigraph', ...config, types: { getTypeParser } });
  client.on('error', () => dead.add(client));
  client.on('end', () => dead.add(client));
  try {
    await client.connect();
  } catch (error) {
    client.end().catch(() => {});
    throw error;
  }
  return client;
}

/** False once the connection has been lost or closed; the server may have gone without a word. */
export const isAlive = (client: pg.Client): boolean => !dead.has(client);

const dead = new WeakSet<pg.Client>();

/**
 * How values arrive: `bigint` and `numeric` as numbers (nothing of ours passes 2^53), `date` as YYYY-MM-DD, because a
 * trade date has no time zone. `timestamptz` is a Date, `json` is parsed, the rest is as the client library has it.
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

/** Takes a statement that still waits out of the embedded server's line. It travels with the statements, in their order. */
export function cancelWaiting(client: pg.Client): void {
  const { stream } = (client as unknown as { connection: { stream: Writable } }).connection;
  if (stream.writable) stream.write(LEAVE_LINE);
}

/**
 * Sends PostgreSQL's cancel request over a connection of its own and waits until the server has read it. One that may be
 * read later would hit a later statement, so the connection is then given up.
 */
export async function requestCancel(client: pg.Client, timeoutMs = 2_000): Promise<void> {
  const { processID, secretKey } = backendKey(client);
  const target = client as unknown as { host: string; port: number; ssl: boolean | object };
  const connection = new pg.Connection({ ssl: target.ssl } as never) as unknown as CancelConnection;
  await new Promise<void>((resolve) => {
    const timer = setTimeout(() => {
      dead.add(client);
      resolve();
    }, timeoutMs);
    for (const event of ['end', 'error']) connection.once(event, () => resolve(clearTimeout(timer)));
    connection.once(target.ssl ? 'sslconnect' : 'connect', () => connection.cancel(processID, secretKey));
    if (target.host.startsWith('/')) connection.connect(`${target.host}/.s.PGSQL.${target.port}`);
    else connection.connect(target.port, target.host);
  });
  connection.stream.destroy();
}

/** The part of the client library's inner connection that a cancel request needs. */
interface CancelConnection extends NodeJS.EventEmitter {
  readonly stream: { destroy(): void };
  connect(portOrPath: number | string, host?: string): void;
  cancel(processID: number, secretKey: number): void;
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

/** What a statement's error means; a connection that it ended is known as lost before its end is seen. */
export function failure(client: pg.Client, error: unknown): unknown {
  const explained = explain(error);
  if (explained instanceof CodedError && explained.code === 'database_unavailable') dead.add(client);
  return explained;
}

/** Every error of a server that is away, starting, full or refuses us becomes `database_unavailable`. */
export function explain(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof CodedError) return error;
  const code = String((error as { code?: unknown }).code ?? '');
  if (code === '40001' || code === '40P01')
    return new CodedError('write_conflict', undefined, { cause: error });
  const lost = /^Connection terminated|^Client (was closed|has encountered)|^timeout e/.test(error.message);
  if (lost || CONNECTION_FAULTS.has(code) || code.startsWith('08') || code.startsWith('28')) {
    return new CodedError('database_unavailable', `The database is not available: ${error.message}`, {
      cause: error,
    });
  }
  return error;
}
