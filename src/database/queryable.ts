/** Runs SQL: the database, or one of its transactions. */
export interface Queryable {
  readonly kind: 'embedded' | 'postgres';
  /**
   * Runs one statement that reads, and returns its rows. `bigint` and `numeric` are numbers, `date` is YYYY-MM-DD, `timestamptz` a
   * Date, `json` parsed; an array parameter becomes an SQL array, so pass JSON as text. Without parameters the text may
   * have several statements; ignore the result then.
   *
   * @throws the signal's reason as soon as it aborts. A queued statement is then never sent. A running one is cancelled
   *   on PostgreSQL; on the embedded database it stops at its next file access, and one that only computes continues
   *   without a reader until after three seconds the host restarts the server (other processes wait). The connection
   *   serves no one before the statement is over.
   * @throws CodedError database_unavailable, overloaded, write_conflict; other errors are the server's
   */
  query<Row = Record<string, unknown>>(
    sql: string,
    parameters?: readonly unknown[],
    options?: QueryOptions,
  ): Promise<Row[]>;
  /** As `query`, for a statement that changes or locks something: it never runs on a standby. */
  write<Row = Record<string, unknown>>(
    sql: string,
    parameters?: readonly unknown[],
    options?: WriteOptions,
  ): Promise<Row[]>;
  /** Announces to every process once what is written here has committed. At most 7,999 bytes. */
  announce(channel: string, payload: string): Promise<void>;
}

export interface Statement {
  readonly sql: string;
  readonly parameters: readonly unknown[];
  /** Whether the text has a call of the function `announce`. */
  readonly announces?: boolean;
}

/** Whether a statement has failed for a column of a table that takes no null: how one of a batch refuses the whole. */
export const isMissing = (error: unknown, table: string): boolean =>
  (error as { code?: unknown }).code === '23502' && (error as { table?: unknown }).table === table;

export interface QueryOptions {
  readonly signal?: AbortSignal | undefined;
  /**
   * For a statement that is asked often and whose best plan is the same whatever its values: outside of transactions the
   * embedded database plans it once in some seconds. Planning takes longer than reading the rows of a stock.
   */
  readonly keepsPlan?: boolean | undefined;
}

export interface WriteOptions extends QueryOptions {
  /** Whether the text has a call of the function `announce`. */
  readonly announces?: boolean;
}

export interface TransactionOptions extends QueryOptions {
  readonly isolation?: 'repeatable read' | 'serializable' | undefined;
}
