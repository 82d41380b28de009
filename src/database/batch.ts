import pg from 'pg';
import type { Statement } from './queryable.ts';

/**
 * Statements that travel to the server together and form one transaction without a `begin`: what comes before one `Sync`
 * is committed whole or not at all. On the embedded server that is a single turn, so nobody waits while their sender
 * thinks, writes or is kept from the processor. Rows that they return are passed over.
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
      // After an error the client forgets the batch, and no ReadyForQuery reaches it.
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

/** As the client library turns a parameter into text or bytes. */
const prepareValue = (value: unknown): unknown =>
  (pg as unknown as { utils?: { prepareValue(value: unknown): unknown } }).utils!.prepareValue(value);

/** The part of the client library's inner connection that a batch needs. */
interface InnerConnection {
  readonly stream: { cork(): void; uncork(): void };
  parse(query: { text: string; name: string }): void;
  bind(config: { values: readonly unknown[]; valueMapper(value: unknown): unknown }): void;
  execute(config: object): void;
  sync(): void;
}
