import { AsyncLocalStorage } from 'node:async_hooks';
import { hash } from 'node:crypto';
import pg from 'pg';
import { abortable } from '../base/abortable.ts';
import { nextTurn } from '../base/timers.ts';
import { type Connector, failure, isAlive } from './connection.ts';
import type { ConnectionPool } from './connection-pool.ts';
import type { Queryable, QueryOptions, Statement, TransactionOptions, WriteOptions } from './queryable.ts';
import { KEPT_PLAN } from './wire-messages.ts';

/** The transaction of the running code; a query outside it would deadlock and is refused. */
const current = new AsyncLocalStorage<OpenTransaction>();

interface OpenTransaction {
  readonly pool: ConnectionPool;
  open: boolean;
  /** Resolves when the last statement has ended and no cancel request can hit a later one. */
  over: Promise<void>;
  /** True once an abort has released the caller, which then does not wait for the rollback. */
  callerLeft: boolean;
}

export async function runStatement(
  connector: Connector,
  pool: ConnectionPool,
  sql: string,
  parameters: readonly unknown[],
  options: QueryOptions,
): Promise<unknown[]> {
  refuseNested(pool, NESTED_QUERY);
  return retryIfNotStarted(connector, async () => {
    const lease = await pool.acquire(options.signal);
    const keepsPlan = options.keepsPlan === true && connector.kind === 'embedded';
    const name = keepsPlan ? planName(sql) : undefined;
    const statement = { text: sql, values: parameters as unknown[], name };
    const result = await send(connector, lease.client, statement, options.signal, (over) => {
      void over.then(lease.release);
    });
    return result.rows;
  });
}

const planNames = new Map<string, string>();

/** Texts whose plans are kept are written in the code, so there are few. */
const planName = (sql: string): string =>
  planNames.getOrInsertComputed(sql, () => `${KEPT_PLAN}${hash('sha1', sql)}`);

/** Runs known statements in one transaction, sent as one message. */
export async function runAtomically(
  connector: Connector,
  pool: ConnectionPool,
  statements: readonly Statement[],
): Promise<void> {
  refuseNested(pool, NESTED_QUERY);
  const texts = await preparedInTurns(statements);
  await retryIfNotStarted(connector, async () => {
    const { client, release } = await pool.acquire();
    try {
      await runBatch(client, texts);
    } catch (error) {
      throw failure(client, error);
    } finally {
      release();
    }
  });
}

/** Values of parameters that are made into text in one turn of the event loop, some milliseconds. */
const VALUES_A_TURN = 10_000;

/** The statements with their parameters as they are sent. */
async function preparedInTurns(statements: readonly Statement[]): Promise<Statement[]> {
  const prepared: Statement[] = [];
  let values = 0;
  for (const { sql, parameters } of statements) {
    prepared.push({ sql, parameters: parameters.map(prepareValue) });
    for (const parameter of parameters) values += Array.isArray(parameter) ? parameter.length : 1;
    if (values < VALUES_A_TURN) continue;
    values = 0;
    await nextTurn();
  }
  return prepared;
}

const NESTED_QUERY =
  'A query inside a transaction must run on the transaction: the embedded database would wait for itself.';

function refuseNested(pool: ConnectionPool, sentence: string): void {
  const inside = current.getStore();
  if (inside?.open && inside.pool === pool) throw new Error(sentence);
}

/** Runs `work` between begin and commit on one connection; an exception rolls it back. */
export async function runTransaction<T>(
  connector: Connector,
  pool: ConnectionPool,
  work: (transaction: Queryable) => Promise<T>,
  options: TransactionOptions,
): Promise<T> {
  refuseNested(pool, 'Transactions do not nest.');
  const { signal, isolation } = options;
  const lease = await retryIfNotStarted(connector, async () => {
    const begun = await pool.acquire(signal);
    try {
      await begun.client.query(isolation === undefined ? 'begin' : `begin isolation level ${isolation}`);
      return begun;
    } catch (error) {
      const reason = failure(begun.client, error);
      begun.release();
      throw reason;
    }
  });
  const { client } = lease;
  const state: OpenTransaction = { pool, open: true, over: Promise.resolve(), callerLeft: false };
  try {
    const result = await current.run(state, () => work(queryableOf(connector, client, state, signal)));
    state.open = false;
    await state.over;
    signal?.throwIfAborted();
    await commit(client);
    lease.release();
    return result;
  } catch (error) {
    state.open = false;
    const undone = state.over.then(() => rollback(client)).finally(lease.release);
    if (!state.callerLeft) await undone;
    throw error;
  }
}

/** Statements of one transaction run one after the other. */
function queryableOf(
  connector: Connector,
  client: pg.Client,
  state: OpenTransaction,
  transactionSignal: AbortSignal | undefined,
): Queryable {
  async function next(signal: AbortSignal | undefined, before: Promise<void>): Promise<void> {
    signal?.throwIfAborted();
    await abortable(before, signal);
    if (!state.open)
      throw new Error('The transaction is over; this statement was not awaited before it ended.');
  }

  return queryableBy(
    connector.kind,
    async <Row>(sql: string, parameters: readonly unknown[], options: QueryOptions) => {
      const signal = options.signal ?? transactionSignal;
      const before = state.over;
      const { promise, resolve } = Promise.withResolvers<void>();
      state.over = promise;
      try {
        await next(signal, before).catch((error) => {
          void before.then(resolve);
          throw error;
        });
        const whenOver = (over: Promise<void>) => void over.then(resolve);
        const result = await send(
          connector,
          client,
          { text: sql, values: parameters as unknown[] },
          signal,
          whenOver,
        );
        return result.rows as Row[];
      } catch (error) {
        state.callerLeft ||= signal?.aborted ?? false;
        throw error;
      }
    },
  );
}

type Run = <Row>(sql: string, parameters: readonly unknown[], options: QueryOptions) => Promise<Row[]>;

/** What runs statements one by one. @param onAnnounced called once a statement that announces has run */
export const queryableBy = (
  kind: Queryable['kind'],
  run: Run,
  onAnnounced: () => void = () => {},
): Queryable => ({
  kind,
  query: (sql, parameters = [], options = {}) => run(sql, parameters, options),
  async write<Row>(sql: string, parameters: readonly unknown[] = [], options: WriteOptions = {}) {
    const rows = await run<Row>(sql, parameters, options);
    if (options.announces === true) onAnnounced();
    return rows;
  },
  async announce(channel, payload) {
    await run('select announce($1, $2)', [channel, payload], {});
    onAnnounced();
  },
});

/**
 * Sends one statement. An abort releases the caller at once with the signal's reason and asks the server to stop;
 * `whenOver` receives a promise for the end of the statement and of the cancel request.
 */
function send(
  connector: Connector,
  client: pg.Client,
  statement: pg.QueryConfig,
  signal: AbortSignal | undefined,
  whenOver: (over: Promise<void>) => void,
): Promise<pg.QueryResult> {
  const running = client.query(statement);
  const settled = running.then(
    () => {},
    () => {},
  );
  if (signal === undefined) {
    whenOver(settled);
    return running.catch((error) => Promise.reject(failure(client, error)));
  }
  return new Promise((resolve, reject) => {
    let cancelling: Promise<void> | undefined;
    const onAbort = (): void => {
      cancelling = connector.cancel(client, settled).catch(() => {});
      reject(signal.reason);
    };
    signal.addEventListener('abort', onAbort, { once: true });
    whenOver(
      settled.then(() => {
        signal.removeEventListener('abort', onAbort);
        return cancelling;
      }),
    );
    running.then(resolve, (error) => reject(failure(client, error)));
  });
}

async function commit(client: pg.Client): Promise<void> {
  let command: string;
  try {
    ({ command } = await client.query('commit'));
  } catch (error) {
    throw failure(client, error);
  }
  // PostgreSQL answers COMMIT with ROLLBACK when the code swallowed a failed statement.
  if (command === 'ROLLBACK')
    throw new Error('A statement of the transaction had failed, so nothing was committed.');
}

async function rollback(client: pg.Client): Promise<void> {
  if (!isAlive(client)) return;
  try {
    await client.query('rollback');
  } catch {
    // A connection that cannot roll back is useless; the server rolls back when it closes.
    await client.end().catch(() => {});
  }
}

/** A closing embedded server answers unstarted statements with 57P01; the process that serves next gets them. */
async function retryIfNotStarted<T>(connector: Connector, attempt: () => Promise<T>): Promise<T> {
  try {
    return await attempt();
  } catch (error) {
    const cause = (error as { cause?: { code?: unknown } }).cause;
    if (connector.kind !== 'embedded' || cause?.code !== '57P01') throw error;
    return attempt();
  }
}

/**
 * Sends statements together; everything before one `Sync` is one transaction without `begin`, so the embedded server
 * runs it as a single request and no other connection waits for the sender. Returned rows are dropped.
 */
function runBatch(client: pg.Client, statements: readonly Statement[]): Promise<void> {
  return new Promise((resolve, reject) => {
    let fault: Error | null = null;
    const settle = (): void => (fault === null ? resolve() : reject(fault));
    const batch = {
      submit(connection: InnerConnection): null {
        connection.stream.cork();
        for (const { sql, parameters } of statements) {
          connection.parse({ text: sql, name: '' });
          connection.bind({ values: parameters, valueMapper: (value) => value });
          connection.execute({});
        }
        connection.sync();
        connection.stream.uncork();
        return null;
      },
      // After an error the client drops the batch and passes no ReadyForQuery to it.
      handleError(error: Error): void {
        fault = error;
        settle();
      },
      handleReadyForQuery: settle,
      handleRowDescription() {},
      handleDataRow() {},
      handleCommandComplete() {},
      handleEmptyQuery() {},
      handlePortalSuspended() {},
    };
    client.query(batch as never);
  });
}

/** The client library's conversion of a parameter into text or bytes. */
const prepareValue = (value: unknown): unknown =>
  (pg as unknown as { utils?: { prepareValue(value: unknown): unknown } }).utils!.prepareValue(value);

/** Part of the client library's inner connection. */
interface InnerConnection {
  readonly stream: { cork(): void; uncork(): void };
  parse(query: { text: string; name: string }): void;
  bind(config: { values: readonly unknown[]; valueMapper(value: unknown): unknown }): void;
  execute(config: object): void;
  sync(): void;
}
