/** Runs SQL: the database, or one of its transactions. */
export interface Queryable {
  readonly kind: 'embedded' | 'postgres';
  /**
   * Runs one statement and returns its rows. `bigint` and `numeric` are numbers, `date` is YYYY-MM-DD, `timestamptz` a
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
}

/** One statement of a batch. */
export interface Statement {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

export interface QueryOptions {
  readonly signal?: AbortSignal | undefined;
}

export interface TransactionOptions extends QueryOptions {
  readonly isolation?: 'repeatable read' | 'serializable' | undefined;
}
