import type { Connector } from './connection.ts';
import { type ConnectionPool, connectionPool } from './connection-pool.ts';
import { embeddedConnector } from './embedded.ts';
import { createListener } from './listener.ts';
import { postgresConnector } from './postgres.ts';
import { isBehindReaders } from './precedence.ts';
import type { Queryable, QueryOptions, Statement, TransactionOptions } from './queryable.ts';
import { runAtomically, runStatement, runTransaction } from './statements.ts';

export { behindReaders } from './precedence.ts';
export type { Queryable, QueryOptions, Statement };

/**
 * The store. On the embedded database all connections are one session: use `set local`, no named prepared statements,
 * no temporary tables that outlive their transaction, no session-level advisory locks, no `copy from stdin`.
 */
export interface Database extends Queryable {
  readonly kind: 'embedded' | 'postgres';
  /** Whether another process runs the embedded server and serves this one beside its own callers. */
  isGuest(): boolean;
  /** How long a caller's statement that comes now is going to wait for its turn, milliseconds; 0 where none waits. */
  expectedWaitMs(): number;
  /**
   * Runs `work` in a transaction: committed when it returns, undone when it throws. Inside it, only the transaction it
   * is given may be queried. On the embedded database nobody else is served meanwhile, so keep it short; after a minute
   * without a statement it is undone.
   */
  transaction<T>(work: (transaction: Queryable) => Promise<T>, options?: TransactionOptions): Promise<T>;
  /**
   * Runs statements in one transaction that is sent whole, all of them or none. On the embedded database others wait for
   * the statements alone and never for their sender, so writers beside readers prefer it to `transaction`. Rows that the
   * statements return are passed over.
   */
  atomically(statements: readonly Statement[]): Promise<void>;
  /**
   * Calls `handler` with every payload sent on a channel by any process from now on, and `missed` when some may have
   * been lost because the connection was. Returns the way to stop it.
   */
  listen(channel: string, handler: (payload: string) => void, missed?: () => void): Promise<() => void>;
  /** Sends to everybody who listens; within a transaction use `select pg_notify($1, $2)`. At most 7,999 bytes. */
  notify(channel: string, payload: string): Promise<void>;
  close(): Promise<void>;
}

export interface DatabaseOptions {
  /** Where the embedded database lives; not touched when `databaseUrl` is given. */
  readonly dataDirectory: string;
  /** A PostgreSQL server in place of the embedded one. */
  readonly databaseUrl?: string | undefined;
  /** Connections to that server. */
  readonly databaseConnections?: number | undefined;
  /** Statements that may wait before the next one is refused as `overloaded`. */
  readonly maxWaiting?: number | undefined;
  /** Lines that the embedded server logs. */
  readonly onLog?: ((line: string) => void) | undefined;
}

const CONNECTIONS = 10;
const WAITING_MAX = 10_000;

/**
 * Opens the store and proves that it answers. Several processes may open one data directory; the first hosts the
 * embedded server for all, and when it goes another one takes over with its next statement.
 *
 * @throws CodedError database_unavailable, data_directory_locked, data_directory_unusable
 */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const connector = connectorOf(options);
  const database = databaseOn(connector, options.maxWaiting ?? WAITING_MAX);
  try {
    await database.query('select 1');
  } catch (error) {
    await database.close();
    throw error;
  }
  return database;
}

function connectorOf(options: DatabaseOptions): Connector {
  const { dataDirectory, databaseUrl, databaseConnections = CONNECTIONS, onLog = () => {} } = options;
  if (databaseUrl !== undefined) return postgresConnector(databaseUrl, databaseConnections);
  return embeddedConnector(dataDirectory, onLog);
}

/** Exported for tests that look behind the face. */
export function databaseOn(connector: Connector, maxWaiting: number): Database {
  const line = connectionPool(connector, maxWaiting);
  // A server runs the statements of many connections at a time; the one session of the embedded one is worth an order.
  const behind = connector.kind === 'embedded' ? connectionPool(connector, maxWaiting, true) : line;
  const mine = (): ConnectionPool => (isBehindReaders() ? behind : line);
  const listener = createListener(connector);
  let closing: Promise<void> | null = null;
  return {
    kind: connector.kind,
    isGuest: () => connector.isGuest(),
    expectedWaitMs: () => line.expectedWaitMs(),
    async query<Row>(sql: string, parameters: readonly unknown[] = [], queryOptions: QueryOptions = {}) {
      return (await runStatement(connector, mine(), sql, parameters, queryOptions)) as Row[];
    },
    transaction: (work, transactionOptions = {}) =>
      runTransaction(connector, mine(), work, transactionOptions),
    atomically: (statements) => runAtomically(connector, mine(), statements),
    listen: (channel, handler, missed) => listener.listen(channel, handler, missed),
    async notify(channel, payload) {
      await runStatement(connector, mine(), 'select pg_notify($1, $2)', [channel, payload], {});
    },
    close() {
      closing ??= closeAll();
      return closing;
    },
  };

  async function closeAll(): Promise<void> {
    await listener.close();
    await Promise.all([line.close(), behind.close()]);
    await connector.close();
  }
}
