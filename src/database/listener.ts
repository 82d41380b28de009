import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { Connector } from './connection.ts';
import { Subscriptions } from './subscriptions.ts';

export interface Listener {
  listen(channel: string, handler: (payload: string) => void, missed?: () => void): Promise<() => void>;
  close(): Promise<void>;
}

const RETRY_FIRST_MS = 25;
const RETRY_MAX_MS = 1_000;

/**
 * Notifications over one connection, opened with the first subscription and reopened when lost. Notifications in
 * between are lost, so each subscriber's `missed` is called.
 */
export function createListener(connector: Connector): Listener {
  const subscriptions = new Subscriptions();
  let connection: Promise<pg.Client> | null = null;
  /** A client runs one statement at a time. */
  let queue: Promise<void> = Promise.resolve();
  let closed = false;

  async function connect(): Promise<pg.Client> {
    const client = await connector.connect();
    client.on('notification', ({ channel, payload }) => {
      subscriptions.deliver(channel, payload ?? '');
    });
    for (const channel of subscriptions.channels()) await subscribe(client, channel);
    client.once('end', () => void reconnect());
    return client;
  }

  async function reconnect(): Promise<void> {
    connection = null;
    for (
      let pauseMs = RETRY_FIRST_MS;
      !closed && !subscriptions.isEmpty;
      pauseMs = Math.min(2 * pauseMs, RETRY_MAX_MS)
    ) {
      try {
        connection ??= connect();
        await connection;
        subscriptions.miss();
        return;
      } catch {
        connection = null;
        await delay(pauseMs, undefined, { ref: false });
      }
    }
  }

  return {
    async listen(channel, handler, missed) {
      const end = subscriptions.add(channel, handler, missed);
      try {
        connection ??= connect();
        const client = await connection;
        const subscribed = queue.then(() => subscribe(client, channel));
        queue = subscribed.catch(() => {});
        await subscribed;
      } catch (error) {
        end();
        connection = null;
        throw error;
      }
      // No UNLISTEN: on the embedded server's one session it would silence all listeners.
      return end;
    },

    async close() {
      closed = true;
      const client = await connection?.catch(() => null);
      await client?.end().catch(() => {});
    },
  };
}

async function subscribe(client: pg.Client, channel: string): Promise<void> {
  await client.query(`listen ${pg.escapeIdentifier(channel)}`);
}
