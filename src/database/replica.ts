import { CodedError, isCoded } from '../base/errors.ts';
import { realTimers, rest, stopwatch } from '../base/timers.ts';
import { type Connector, explain } from './connection.ts';
import { connectionPool } from './connection-pool.ts';
import type { Queryable, QueryOptions } from './queryable.ts';
import { runStatement } from './statements.ts';

/** What readers have got from the hot standby. */
export interface ReplicaFigures {
  /** Whether it has everything that this process has written or been told of. */
  readonly isServing: boolean;
  readonly served: number;
  /** Statements that the primary answered in its place. */
  readonly passedOn: number;
}

export interface Replica {
  readonly figures: ReplicaFigures;
  /** @returns null where the primary has to answer: the standby is behind, away, or refuses the statement */
  query(sql: string, parameters: readonly unknown[], options: QueryOptions): Promise<unknown[] | null>;
  /** To call after each write and before acting on an announcement: until the standby has replayed it, it serves nobody. */
  noteChange(): void;
  expectedWaitMs(): number;
  close(): Promise<void>;
}

/** Pauses between two looks at the standby. */
const PAUSE_MS = { first: 5, max: 250 };
/** Pauses between two attempts to reach it. */
const RETRY_MS = { first: 250, max: 10_000 };
/** A standby that is behind for longer is warned of. */
const BEHIND_MS = 5_000;
/** An answer of either server about its position. */
const POSITION_WITHIN_MS = 2_000;

/** A cluster and its standbys have one identifier; a copy of it elsewhere has another database or another one. */
const IDENTITY = `select system_identifier::text || ' ' || current_database() as identity from pg_control_system()`;

/**
 * Reads on a hot standby of the primary, never older than what this process knows of: after each change it asks the
 * primary for its position in the log, and the standby serves once it has replayed that.
 *
 * @param warn is called once when the standby stops serving for long
 * @throws CodedError bad_setting where it is a server of another database
 */
export async function openReplica(
  url: Connector,
  primary: Pick<Queryable, 'query'>,
  maxWaiting: number,
  warn: (message: string) => void,
): Promise<Replica> {
  const identity = identityOf(await primary.query(IDENTITY));
  const connector = sameDatabase(url, identity);
  const pool = connectionPool(connector, maxWaiting);
  const closing = new AbortController();
  const pause = (ms: number): Promise<void> =>
    rest(realTimers, ms, { signal: closing.signal, keepsAlive: false });
  const figures = { isServing: false, served: 0, passedOn: 0 };
  let changes = 0;
  let following: Promise<void> | null = null;
  let isWarned = false;

  async function ask<Row>(of: 'primary' | 'standby', sql: string, parameters: unknown[] = []): Promise<Row> {
    const options = { signal: AbortSignal.any([closing.signal, AbortSignal.timeout(POSITION_WITHIN_MS)]) };
    const rows =
      of === 'primary'
        ? await primary.query(sql, parameters, options)
        : await runStatement(connector, pool, sql, parameters, options);
    return rows[0] as Row;
  }

  function warnOnce(message: string): void {
    if (!isWarned && !closing.signal.aborted) warn(`Reads go to the primary: ${message}`);
    isWarned = true;
  }

  /** Serves from the moment on at which nothing has changed since the primary's position that the standby has reached. */
  async function follow(): Promise<void> {
    for (let retryMs = RETRY_MS.first; !closing.signal.aborted; ) {
      const seen = changes;
      try {
        // The end of what is inserted, because a commit may be announced before it is flushed.
        const { position } = await ask<{ position: string }>(
          'primary',
          'select pg_current_wal_insert_lsn()::text as position',
        );
        await untilReplayed(position);
        if (seen === changes) {
          figures.isServing = true;
          isWarned = false;
          return;
        }
        await pause(PAUSE_MS.first);
      } catch (error) {
        warnOnce(`the standby of DATABASE_READ_URL does not answer: ${(error as Error).message}`);
        await pause(retryMs);
        retryMs = Math.min(2 * retryMs, RETRY_MS.max);
      }
    }
  }

  async function untilReplayed(position: string): Promise<void> {
    const began = stopwatch();
    for (let pauseMs = PAUSE_MS.first; ; pauseMs = Math.min(2 * pauseMs, PAUSE_MS.max)) {
      const { isStandby, hasReplayed } = await ask<{ isStandby: boolean; hasReplayed: boolean | null }>(
        'standby',
        `select pg_is_in_recovery() as "isStandby", pg_last_wal_replay_lsn() >= $1::pg_lsn as "hasReplayed"`,
        [position],
      );
      if (!isStandby) throw new Error('it is no standby');
      if (hasReplayed === true) return;
      if (stopwatch() - began > BEHIND_MS) warnOnce(`the standby is more than ${BEHIND_MS / 1000} s behind`);
      await pause(pauseMs);
    }
  }

  const replica: Replica = {
    figures,
    async query(sql, parameters, options) {
      if (!figures.isServing) {
        figures.passedOn++;
        return null;
      }
      try {
        const rows = await runStatement(connector, pool, sql, parameters, options);
        figures.served++;
        return rows;
      } catch (error) {
        // A standby that hangs is asked for its position before it serves the next statement.
        const isLate = options.signal?.aborted === true;
        if (isLate || isCoded(error, 'database_unavailable')) replica.noteChange();
        if (isLate || isCoded(error, 'overloaded')) throw error;
        figures.passedOn++;
        return null;
      }
    },
    noteChange() {
      changes++;
      figures.isServing = false;
      following ??= follow().finally(() => {
        following = null;
      });
    },
    expectedWaitMs: () => (figures.isServing ? pool.expectedWaitMs() : 0),
    async close() {
      closing.abort(new CodedError('database_unavailable', 'The database has been closed.'));
      await pool.close();
      await following;
      await connector.close();
    },
  };
  try {
    await ask('standby', 'select 1');
  } catch (error) {
    if (isCoded(error, 'bad_setting')) {
      await replica.close();
      throw error;
    }
    warnOnce(`the standby of DATABASE_READ_URL does not answer: ${(error as Error).message}`);
  }
  replica.noteChange();
  return replica;
}

const identityOf = (rows: readonly unknown[]): string => (rows[0] as { identity: string }).identity;

/** Opens no connection to a server of another database, whatever the name leads to meanwhile. */
function sameDatabase(connector: Connector, identity: string): Connector {
  return {
    ...connector,
    async connect() {
      const client = await connector.connect();
      try {
        const own = identityOf((await client.query(IDENTITY)).rows);
        if (own === identity) return client;
        throw new CodedError(
          'bad_setting',
          'DATABASE_READ_URL leads to another database than DATABASE_URL: it must be a hot standby of the same server.',
          { facts: { setting: 'DATABASE_READ_URL' } },
        );
      } catch (error) {
        client.end().catch(() => {});
        throw explain(error);
      }
    },
  };
}
