import { AsyncLocalStorage } from 'node:async_hooks';
import type pg from 'pg';
import { abortable } from '../base/abortable.ts';
import { type Connector, failure, isAlive } from './connection.ts';
import type { ConnectionPool } from './connection-pool.ts';
import { runBatch } from './batch.ts';
import type { Queryable, QueryOptions, Statement, TransactionOptions } from './queryable.ts';

/** The transaction that the running code belongs to, so that a slip which would wait for itself is named instead. */
const current = new AsyncLocalStorage<OpenTransaction>();

interface OpenTransaction {
  readonly line: ConnectionPool;
  open: boolean;
  /** Kept when the last statement has ended and no cancel request can hit a later one. */
  over: Promise<void>;
  /** True once a signal has released the caller: it shall not wait for the clearing up either. */
  callerLeft: boolean;
}

/** Runs one statement on the next free connection. */
export async function runStatement(
  connector: Connector,
  line: ConnectionPool,
  sql: string,
  parameters: readonly unknown[],
  options: QueryOptions,
): Promise<unknown[]> {
  refuseInside(line);
  return onceMoreIfNotStarted(connector, async () => {
    const lease = await line.acquire(options.signal);
    const result = await send(connector, lease.client, sql, parameters, options.signal, (over) => {
      void over.then(lease.release);
    });
    return result.rows;
  });
}

/** Runs statements that are known beforehand in one transaction, sent as one message. */
export async function runAtomically(
  connector: Connector,
  line: ConnectionPool,
  statements: readonly Statement[],
): Promise<void> {
  refuseInside(line);
  await onceMoreIfNotStarted(connector, async () => {
    const { client, release } = await line.acquire();
    try {
      await runBatch(client, statements);
    } catch (error) {
      throw failure(client, error);
    } finally {
      release();
    }
  });
}

function refuseInside(line: ConnectionPool): void {
  const inside = current.getStore();
  if (inside?.open && inside.line === line) {
    throw new Error(
      'A query inside a transaction must run on the transaction: the embedded database would wait for itself.',
    );
  }
}

/** Runs `work` between begin and commit on one connection; anything it throws undoes all of it. */
export async function runTransaction<T>(
  connector: Connector,
  line: ConnectionPool,
  work: (transaction: Queryable) => Promise<T>,
  options: TransactionOptions,
): Promise<T> {
  const inside = current.getStore();
  if (inside?.open && inside.line === line) throw new Error('Transactions do not nest.');
  const { signal, isolation } = options;
  const lease = await onceMoreIfNotStarted(connector, async () => {
    const begun = await line.acquire(signal);
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
  const state: OpenTransaction = { line, open: true, over: Promise.resolve(), callerLeft: false };
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

/** Statements of one transaction run one after the other, in order of asking. */
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

  return {
    async query<Row>(sql: string, parameters: readonly unknown[] = [], options: QueryOptions = {}) {
      const signal = options.signal ?? transactionSignal;
      const before = state.over;
      const { promise, resolve } = Promise.withResolvers<void>();
      state.over = promise;
      try {
        await next(signal, before).catch((error) => {
          void before.then(resolve);
          throw error;
        });
        const result = await send(
          connector,
          client,
          sql,
          parameters,
          signal,
          (over) => void over.then(resolve),
        );
        return result.rows as Row[];
      } catch (error) {
        state.callerLeft ||= signal?.aborted ?? false;
        throw error;
      }
    },
  };
}

/**
 * Sends one statement. When the signal aborts, the caller is released at once with the signal's reason and the server is
 * asked to stop; `whenOver` gets a promise that is kept once the statement has ended and no cancel request is under way.
 */
function send(
  connector: Connector,
  client: pg.Client,
  sql: string,
  parameters: readonly unknown[],
  signal: AbortSignal | undefined,
  whenOver: (over: Promise<void>) => void,
): Promise<pg.QueryResult> {
  const running = client.query(sql, parameters as unknown[]);
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
  // PostgreSQL answers COMMIT with ROLLBACK when a statement failed and the failure was swallowed.
  if (command === 'ROLLBACK')
    throw new Error('A statement of the transaction had failed, so nothing was committed.');
}

async function rollback(client: pg.Client): Promise<void> {
  if (!isAlive(client)) return;
  try {
    await client.query('rollback');
  } catch {
    // A connection that cannot even roll back is of no use to the next one; the server undoes what it began.
    await client.end().catch(() => {});
  }
}

/**
 * The embedded server answers what it has not begun with 57P01 when its process closes. Nothing has happened then, so
 * the statement goes to whichever process serves the directory next.
 */
async function onceMoreIfNotStarted<T>(connector: Connector, attempt: () => Promise<T>): Promise<T> {
  try {
    return await attempt();
  } catch (error) {
    const cause = (error as { cause?: { code?: unknown } }).cause;
    if (connector.kind !== 'embedded' || cause?.code !== '57P01') throw error;
    return attempt();
  }
}
