import pg from 'pg';
import { lateInOrder } from '../base/lateness.ts';
import type { Metrics } from '../base/metrics.ts';
import { realTimers, rest } from '../base/timers.ts';
import type { Connector } from './connection.ts';
import { newestAnnouncement } from './installation.ts';
import { HeardSequence, Subscriptions } from './subscriptions.ts';

/** Carries announcements between processes. */
interface Carrier {
  listen(channel: string, handler: (payload: string) => void, missed?: () => void): Promise<() => void>;
  /** See `Database.heard`. */
  readonly heard: HeardSequence;
  close(): Promise<void>;
}

/** Carries them in place of PostgreSQL's own notifications. */
export interface Announcer extends Carrier {
  /** Says that a transaction with announcements has committed. */
  wake(): void;
}

/** Carries the number of each announcement, after the announcement itself. */
const NUMBERS = 'tigraph_announced';
const RETRY_FIRST_MS = 25;
const RETRY_MAX_MS = 1_000;

/**
 * Notifications over one connection, opened with the first subscription and reopened when lost. Notifications in
 * between are lost, so each subscriber's `missed` is called.
 */
export function createListener(connector: Connector, metrics: Metrics): Carrier {
  const subscriptions = new Subscriptions(metrics);
  const heard = new HeardSequence();
  let connection: Promise<pg.Client> | null = null;
  /** A client runs one statement at a time. */
  let queue: Promise<void> = Promise.resolve();
  let closed = false;

  const act = lateInOrder(
    ({ channel }: pg.Notification) => `announcement ${channel}`,
    ({ channel, payload }) => {
      if (channel === NUMBERS) heard.note(Number(payload));
      else subscriptions.deliver(channel, payload ?? '');
    },
  );

  /** @param onListening called once nothing is missed any more, before anything newer counts as heard */
  async function connect(onListening: () => void = () => {}): Promise<pg.Client> {
    const client = await connector.connect();
    client.on('notification', act);
    for (const channel of [NUMBERS, ...subscriptions.channels()]) await subscribe(client, channel);
    const announced = await newestAnnouncement(async (sql) => (await client.query(sql)).rows);
    onListening();
    heard.begin(announced);
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
        connection ??= connect(() => subscriptions.miss());
        await connection;
        return;
      } catch {
        connection = null;
        await rest(realTimers, pauseMs, { keepsAlive: false });
      }
    }
  }

  return {
    heard,
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
