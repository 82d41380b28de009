import type { Connector } from './connection.ts';
import { openClient, requestCancel } from './connection.ts';

const CONNECT_TIMEOUT_MS = 10_000;

/** Connections to the server of `DATABASE_URL`. An aborted statement is stopped there by a cancel request. */
export function postgresConnector(url: string, connections: number): Connector {
  return {
    kind: 'postgres',
    size: connections,
    async connect() {
      const client = await openClient({
        connectionString: url,
        keepAlive: true,
        connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      });
      // Both stores turn instants into text the same way. Not a start-up option: connection poolers refuse those.
      await client.query(`set timezone to 'UTC'`);
      return client;
    },
    cancel: (client) => requestCancel(client),
    isGuest: () => false,
    close: async () => {},
  };
}
