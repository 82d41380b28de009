import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { Connector } from './connection.ts';

export interface Listener {
  listen(channel: string, handler: (payload: string) => void, missed?: () => void): Promise<() => void>;
  close(): Promise<void>;
}

interface Subscription {
  readonly channel: string;
  readonly handler: (payload: string) => void;
  readonly missed: (() => void) | undefined;
}

const RETRY_FIRST_MS = 25;
const RETRY_MAX_MS = 1_000;

/**
 * Notifications over one connection, opened with the first subscription and reopened when lost. Notifications in
 * between are lost, so each subscriber's `missed` is called.
 */
export function createListener(connector: Connector): Listener {
  const subscriptions = new Set<Subscription>();
  let connection: Promise<pg.Client> | null = null;
  /** A client runs one statement at a time. */
  let queue: Promise<void> = Promise.resolve();
  let closed = false;

  async function connect(): Promise<pg.Client> {
    const client = await connector.connect();
    client.on('notification', ({ channel, payload }) => {
      for (const each of subscriptions) if (each.channel === channel) each.handler(payload ?? '');
    });
    for (const channel of new Set([...subscriptions].map((each) => each.channel)))
      await subscribe(client, channel);
    client.once('end', () => void reconnect());
    return client;
  }

  async function reconnect(): Promise<void> {
    connection = null;
    for (
      let pauseMs = RETRY_FIRST_MS;
      !closed && subscriptions.size > 0;
      pauseMs = Math.min(2 * pauseMs, RETRY_MAX_MS)
    ) {
      try {
        connection ??= connect();
        await connection;
        for (const each of subscriptions) each.missed?.();
        return;
      } catch {
        connection = null;
        await delay(pauseMs, undefined, { ref: false });
      }
    }
  }

  return {
    async listen(channel, handler, missed) {
      const subscription = { channel, handler, missed };
      subscriptions.add(subscription);
      try {
        connection ??= connect();
        const client = await connection;
        const subscribed = queue.then(() => subscribe(client, channel));
        queue = subscribed.catch(() => {});
        await subscribed;
      } catch (error) {
        subscriptions.delete(subscription);
        connection = null;
        throw error;
      }
      // No UNLISTEN: on the embedded server's one session it would silence all listeners.
      return () => void subscriptions.delete(subscription);
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
