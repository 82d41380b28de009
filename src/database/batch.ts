import pg from 'pg';
import type { Statement } from './queryable.ts';

/**
 * Sends statements together; everything before one `Sync` is one transaction without `begin`, so the embedded server
 * runs it as a single request and no other connection waits for the sender. Returned rows are dropped.
 */
export function runBatch(client: pg.Client, statements: readonly Statement[]): Promise<void> {
  return new Promise((resolve, reject) => {
    let fault: Error | null = null;
    const settle = (): void => (fault === null ? resolve() : reject(fault));
    const batch = {
      submit(connection: InnerConnection): null {
        connection.stream.cork();
        for (const { sql, parameters } of statements) {
          connection.parse({ text: sql, name: '' });
          connection.bind({ values: parameters, valueMapper: prepareValue });
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
