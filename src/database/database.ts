import { AsyncLocalStorage } from 'node:async_hooks';
import { Metrics } from '../base/metrics.ts';
import { NO_TRACING, type Tracing } from '../base/tracing.ts';
import { type Connector, postgresConnector } from './connection.ts';
import { type ConnectionPool, connectionPool } from './connection-pool.ts';
import { embeddedConnector } from './embedded.ts';
import { kindOf, statementMeter, watchPools } from './database-metrics.ts';
import { createListener } from './listener.ts';
import type { Queryable, QueryOptions, Statement, TransactionOptions } from './queryable.ts';
import { runAtomically, runStatement, runTransaction } from './statements.ts';

export { hasCluster } from './embedded-host.ts';
export type { Queryable, QueryOptions, Statement };

/**
 * The store. On the embedded database all connections share one session: use `set local`, no named prepared statements,
 * no temporary tables beyond a transaction, no session-level advisory locks, no `copy from stdin`.
 */
export interface Database extends Queryable {
  readonly kind: 'embedded' | 'postgres';
  /** Whether another process runs the embedded server. */
  isGuest(): boolean;
  /** Expected wait of an interactive statement, milliseconds; 0 with an empty queue. */
  expectedWaitMs(): number;
  /**
   * Runs `work` in a transaction: committed when it returns, rolled back when it throws. Inside it, query only the
   * given transaction. The embedded database serves no other connection meanwhile, so keep it short; after a minute
   * without a statement it is rolled back.
   */
  transaction<T>(work: (transaction: Queryable) => Promise<T>, options?: TransactionOptions): Promise<T>;
  /**
   * Runs statements in one transaction that is sent whole. On the embedded database others wait only for the
   * statements, never for their sender, so prefer it to `transaction`. Returned rows are dropped.
   */
  atomically(statements: readonly Statement[]): Promise<void>;
  /**
   * Calls `handler` with every payload of a channel from any process, and `missed` after a lost connection, when some
   * may be missing. Returns the function that stops it.
   */
  listen(channel: string, handler: (payload: string) => void, missed?: () => void): Promise<() => void>;
  /** Within a transaction use `select pg_notify($1, $2)`. At most 7,999 bytes. */
  notify(channel: string, payload: string): Promise<void>;
  close(): Promise<void>;
}

export interface DatabaseOptions {
  /** Directory of the embedded database; unused with `databaseUrl`. */
  readonly dataDirectory: string;
  /** A PostgreSQL server in place of the embedded one. */
  readonly databaseUrl?: string | undefined;
  /** Connections to that server. */
  readonly databaseConnections?: number | undefined;
  /** Statements that may wait; one more is refused as `overloaded`. */
  readonly maxWaiting?: number | undefined;
  /** Where connections and statements are counted. */
  readonly metrics?: Metrics | undefined;
  readonly tracing?: Tracing | undefined;
  /** Lines that the embedded server logs. */
  readonly onLog?: ((line: string) => void) | undefined;
}

const isLowPriority = new AsyncLocalStorage<true>();

/**
 * Runs passes and imports, whose statements let those of interactive callers go first. On the embedded database they use a
 * connection of their own, and each statement waits a bounded time; on a PostgreSQL server nothing changes.
 */
export const behindReaders = <T>(work: () => T): T => isLowPriority.run(true, work);

const CONNECTIONS = 10;
const WAITING_MAX = 10_000;

/**
 * Opens the store and checks that it answers. Several processes may open one data directory: the first hosts the
 * embedded server, and when it ends another takes over with its next statement.
 *
 * @throws CodedError database_unavailable, data_directory_locked, data_directory_unusable
 */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const connector = connectorOf(options);
  const database = databaseOn(connector, options.maxWaiting ?? WAITING_MAX, options.metrics, options.tracing);
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

/** Exported for tests that need the connector. */
export function databaseOn(
  connector: Connector,
  maxWaiting: number,
  metrics: Metrics = new Metrics(),
  tracing: Tracing = NO_TRACING,
): Database {
  const meter = statementMeter(metrics, tracing);
  const interactive = connectionPool(connector, maxWaiting, false, meter.waited('interactive'));
  // A PostgreSQL server runs many statements at once; only the single session of the embedded one needs an order.
  const lowPriority =
    connector.kind === 'embedded'
      ? connectionPool(connector, maxWaiting, true, meter.waited('background'))
      : interactive;
  watchPools(
    metrics,
    connector.size,
    lowPriority === interactive ? { interactive } : { interactive, background: lowPriority },
  );
  const poolOfCaller = (): ConnectionPool => (isLowPriority.getStore() === true ? lowPriority : interactive);
  const listener = createListener(connector);
  let closing: Promise<void> | null = null;
  return {
    kind: connector.kind,
    isGuest: () => connector.isGuest(),
    expectedWaitMs: () => interactive.expectedWaitMs(),
    async query<Row>(sql: string, parameters: readonly unknown[] = [], queryOptions: QueryOptions = {}) {
      return (await meter.timed(
        kindOf(sql),
        () => runStatement(connector, poolOfCaller(), sql, parameters, queryOptions),
        sql,
      )) as Row[];
    },
    transaction: (work, transactionOptions = {}) =>
      meter.timed('transaction', () => runTransaction(connector, poolOfCaller(), work, transactionOptions)),
    atomically: (statements) =>
      meter.timed('batch', () => runAtomically(connector, poolOfCaller(), statements)),
    listen: (channel, handler, missed) => listener.listen(channel, handler, missed),
    async notify(channel, payload) {
      await runStatement(connector, poolOfCaller(), 'select pg_notify($1, $2)', [channel, payload], {});
    },
    close() {
      closing ??= closeAll();
      return closing;
    },
  };

  async function closeAll(): Promise<void> {
    await listener.close();
    await Promise.all([interactive.close(), lowPriority.close()]);
    await connector.close();
  }
}
