import { AsyncLocalStorage } from 'node:async_hooks';
import { isLate, lateAnswer } from '../base/lateness.ts';
import { Metrics } from '../base/metrics.ts';
import { NO_TRACING, type Tracing } from '../base/tracing.ts';
import { type Connector, postgresConnector } from './connection.ts';
import { type ConnectionPool, connectionPool } from './connection-pool.ts';
import { kindOf, statementMeter, watchPools } from './database-metrics.ts';
import { embeddedConnector } from './embedded.ts';
import { newestAnnouncement } from './installation.ts';
import { type Announcer, createListener } from './listener.ts';
import type { Queryable, QueryOptions, Statement, TransactionOptions, WriteOptions } from './queryable.ts';
import { openReplica, type Replica, type ReplicaFigures } from './replica.ts';
import { queryableBy, runAtomically, runStatement, runTransaction } from './statements.ts';

export { hasCluster } from './embedded-host.ts';
export type { Queryable, QueryOptions, Statement };

/**
 * The store. On the embedded database all connections share one session: use `set local`, no named prepared statements,
 * no temporary tables beyond a transaction, no session-level advisory locks, no `copy from stdin`.
 */
export interface Database extends Queryable {
  /** Null without a hot standby to read from. */
  readonly replica: ReplicaFigures | null;
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
  /** The number of the newest announcement that any process has committed; a writer that asks it has the one of its write. */
  announced(): Promise<number>;
  /**
   * Resolves once this process has acted on every announcement up to a number: what it answers from then on includes what
   * was written before them. At once in a process that listens to none.
   */
  heard(sequence: number, signal?: AbortSignal): Promise<void>;
  /** From now on announcements go through a bus; what `listen` has begun before stays as it is. */
  announceThrough(announcer: Announcer): void;
  close(): Promise<void>;
}

export interface DatabaseOptions {
  /** Directory of the embedded database; unused with `databaseUrl`. */
  readonly dataDirectory: string;
  /** A PostgreSQL server in place of the embedded one. */
  readonly databaseUrl?: string | undefined;
  /** A hot standby of that server, for statements within `onReplica`. */
  readonly databaseReadUrl?: string | undefined;
  /** Receives a warning when the standby stops serving for long. */
  readonly onReplicaFault?: ((message: string) => void) | undefined;
  /** Connections to that server, and as many to the standby. */
  readonly databaseConnections?: number | undefined;
  /** Statements that may wait; one more is refused as `overloaded`. */
  readonly maxWaiting?: number | undefined;
  /** Where connections and statements are counted. */
  readonly metrics?: Metrics | undefined;
  readonly tracing?: Tracing | undefined;
  readonly onLog?: ((line: string) => void) | undefined;
}

const isLowPriority = new AsyncLocalStorage<true>();

/**
 * Runs passes, imports and bulk requests, whose statements let those of interactive callers go first. On the embedded
 * database they use a connection of their own, and each statement waits a bounded time; on a PostgreSQL server nothing
 * changes.
 */
export const behindReaders = <T>(work: () => T): T => isLowPriority.run(true, work);

/** A piece of work that reads on the standby, until it writes: from then on it has to read what it has written. */
interface ReplicaReader {
  hasWritten: boolean;
}

const replicaReader = new AsyncLocalStorage<ReplicaReader>();

/** Runs work whose statements may read on the hot standby where there is one; what writes goes to the primary. */
export const onReplica = <T>(work: () => T): T => replicaReader.run({ hasWritten: false }, work);

const CONNECTIONS = 10;
const WAITING_MAX = 10_000;

/**
 * Opens the store and checks that it answers. Several processes may open one data directory: the first hosts the
 * embedded server, and when it ends another takes over with its next statement.
 *
 * @throws CodedError database_unavailable, data_directory_locked, data_directory_unusable, bad_setting where
 *   `databaseReadUrl` leads to another database
 */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const connector = connectorOf(options);
  const maxWaiting = options.maxWaiting ?? WAITING_MAX;
  const database = answeringLate(databaseOn(connector, maxWaiting, options.metrics, options.tracing));
  try {
    await database.query('select 1');
    if (options.databaseReadUrl === undefined) return database;
    const standby = postgresConnector(options.databaseReadUrl, options.databaseConnections ?? CONNECTIONS);
    const warn = options.onReplicaFault ?? ((message: string) => process.emitWarning(message));
    return readingFrom(database, await openReplica(standby, database, maxWaiting, warn));
  } catch (error) {
    await database.close();
    throw error;
  }
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
  const listener = createListener(connector, metrics);
  let announcer: Announcer | null = null;
  let closing: Promise<void> | null = null;
  const onAnnounced = (): void => announcer?.wake();
  const statements = queryableBy(
    connector.kind,
    <Row>(sql: string, parameters: readonly unknown[], queryOptions: QueryOptions) =>
      meter.timed(
        kindOf(sql),
        () => runStatement(connector, poolOfCaller(), sql, parameters, queryOptions) as Promise<Row[]>,
        sql,
      ),
    onAnnounced,
  );
  return {
    ...statements,
    replica: null,
    isGuest: () => connector.isGuest(),
    expectedWaitMs: () => interactive.expectedWaitMs(),
    async transaction(work, transactionOptions = {}) {
      let hasAnnounced = false;
      const note = (): void => {
        hasAnnounced = true;
      };
      const run = () =>
        runTransaction(
          connector,
          poolOfCaller(),
          ({ kind, write }) => work(queryableBy(kind, write, note)),
          transactionOptions,
        );
      const result = await meter.timed('transaction', run);
      if (hasAnnounced) onAnnounced();
      return result;
    },
    async atomically(batch) {
      await meter.timed('batch', () => runAtomically(connector, poolOfCaller(), batch));
      if (batch.some(({ announces }) => announces === true)) onAnnounced();
    },
    listen: (channel, handler, missed) => (announcer ?? listener).listen(channel, handler, missed),
    announced: () => newestAnnouncement((sql) => runStatement(connector, poolOfCaller(), sql, [], {})),
    heard: (sequence, signal) => (announcer ?? listener).heard.until(sequence, signal),
    announceThrough(other) {
      announcer = other;
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

/** The database, whose answers arrive late where a test asks for it. */
const answeringLate = (database: Database): Database =>
  isLate
    ? {
        ...database,
        query: (sql, parameters, options) => lateAnswer(sql, database.query(sql, parameters, options)),
        write: (sql, parameters, options) => lateAnswer(sql, database.write(sql, parameters, options)),
        transaction: (work, options) => lateAnswer('transaction', database.transaction(work, options)),
        atomically: (statements) => lateAnswer('batch', database.atomically(statements)),
        announced: () => lateAnswer('announced', database.announced()),
      }
    : database;

/** The database whose readers are served by a standby of it. */
function readingFrom(primary: Database, replica: Replica): Database {
  async function write<T>(work: () => Promise<T>): Promise<T> {
    const reader = replicaReader.getStore();
    if (reader !== undefined) reader.hasWritten = true;
    try {
      return await work();
    } finally {
      replica.noteChange();
    }
  }
  return {
    ...primary,
    replica: replica.figures,
    expectedWaitMs: () => Math.max(primary.expectedWaitMs(), replica.expectedWaitMs()),
    async query<Row>(sql: string, parameters: readonly unknown[] = [], options: QueryOptions = {}) {
      const rows =
        replicaReader.getStore()?.hasWritten === false ? await replica.query(sql, parameters, options) : null;
      return (rows as Row[] | null) ?? primary.query<Row>(sql, parameters, options);
    },
    write: <Row>(sql: string, parameters?: readonly unknown[], options?: WriteOptions) =>
      write(() => primary.write<Row>(sql, parameters, options)),
    announce: (channel, payload) => write(() => primary.announce(channel, payload)),
    transaction: (work, options) => write(() => primary.transaction(work, options)),
    atomically: (statements) => write(() => primary.atomically(statements)),
    listen: (channel, handler, missed = () => {}) =>
      primary.listen(
        channel,
        (payload) => {
          replica.noteChange();
          handler(payload);
        },
        () => {
          replica.noteChange();
          missed();
        },
      ),
    async close() {
      await replica.close();
      await primary.close();
    },
  };
}
