/** What can run SQL: the database, or a transaction of it. */
export interface Queryable {
  /**
   * Runs one statement and returns its rows. `bigint` and `numeric` arrive as numbers, `date` as YYYY-MM-DD,
   * `timestamptz` as Date, `json` parsed; an array parameter becomes an SQL array, so JSON parameters are passed as text.
   * Without parameters the text may hold several statements; the result is then of no use.
   *
   * @throws the signal's reason as soon as it aborts. A statement still in line is then never sent. One under way is
   *   cancelled on PostgreSQL; on the embedded database it stops at its next read or write of a file, and one that only
   *   computes runs on, its result thrown away, until after three seconds the host of the data directory restarts the
   *   server (a process that is not the host waits). Either way the connection serves nobody else before it is over.
   * @throws CodedError database_unavailable, overloaded, write_conflict; other errors are the server's own
   */
  query<Row = Record<string, unknown>>(
    sql: string,
    parameters?: readonly unknown[],
    options?: QueryOptions,
  ): Promise<Row[]>;
}

/** One statement of several that travel together. */
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
