import { setTimeout as delay } from 'node:timers/promises';
import { DeliverPolicy, type JsMsg } from '@nats-io/jetstream';
import type { Announcer } from '../database/announcer.ts';
import type { Database } from '../database/database.ts';
import { isNotFound, type Nats } from './nats-connection.ts';

const RETRY_FIRST_MS = 50;
const RETRY_MAX_MS = 2_000;
/** Announcements of a process that ended between its commit and here are sent by another one. */
const SWEEP_MS = 1_000;
const SENT_AT_ONCE = 500;
const PUBLISH_TIMEOUT_MS = 5_000;

interface Subscription {
  readonly channel: string;
  readonly handler: (payload: string) => void;
  readonly missed: (() => void) | undefined;
}

/**
 * Announcements over the bus. A transaction writes them into a table; once it has committed, they are published and
 * leave the table when the bus has acknowledged them. So none is lost with a process or a server, and some arrive twice.
 */
export function openAnnouncements(nats: Nats, database: Database): Announcer & { close(): Promise<void> } {
  const { client, prefix } = nats;
  const subscriptions = new Set<Subscription>();
  const stream = `${prefix}_announce`;
  const closing = new AbortController();
  let consuming: Promise<void> | null = null;
  let newest: number | null = null;
  let sending: Promise<void> | null = null;
  let isWoken = false;
  const sweeping = setInterval(wake, SWEEP_MS).unref();

  function onMessage(message: JsMsg): void {
    // A gap: the stream has dropped messages that this process did not see.
    if (newest !== null && message.seq > newest + 1) missedAll();
    newest = message.seq;
    const channel = message.subject.slice(`${prefix}.announce.`.length);
    for (const each of subscriptions) if (each.channel === channel) each.handler(message.string());
  }

  function missedAll(): void {
    for (const each of subscriptions) each.missed?.();
  }

  async function consume(): Promise<void> {
    for (let pauseMs = RETRY_FIRST_MS; ; pauseMs = Math.min(2 * pauseMs, RETRY_MAX_MS)) {
      try {
        const consumer = await client.consumers.get(stream, {
          filter_subjects: `${prefix}.announce.>`,
          deliver_policy: DeliverPolicy.New,
        });
        const messages = await consumer.consume({ callback: onMessage, abort_on_missing_resource: true });
        void messages.closed().then(again);
        return;
      } catch (error) {
        if (closing.signal.aborted) return;
        if (isNotFound(error)) await nats.ensureStreams().catch(() => {});
        await delay(pauseMs, undefined, { signal: closing.signal }).catch(() => {});
      }
    }
  }

  /** The server has lost the stream or the consumer. */
  async function again(): Promise<void> {
    if (closing.signal.aborted) return;
    newest = null;
    await consume();
    missedAll();
  }

  function wake(): void {
    isWoken = true;
    if (closing.signal.aborted) return;
    sending ??= sendAll().finally(() => {
      sending = null;
    });
  }

  async function sendAll(): Promise<void> {
    let pauseMs = RETRY_FIRST_MS;
    while (isWoken && !closing.signal.aborted) {
      isWoken = false;
      try {
        while ((await sendSome()) === SENT_AT_ONCE);
        pauseMs = RETRY_FIRST_MS;
      } catch (error) {
        isWoken = true;
        if (isNotFound(error)) await nats.ensureStreams().catch(() => {});
        await delay(pauseMs, undefined, { signal: closing.signal }).catch(() => {});
        pauseMs = Math.min(2 * pauseMs, RETRY_MAX_MS);
      }
    }
  }

  /** Publishes the oldest announcements that no other process is at; returns how many. */
  async function sendSome(): Promise<number> {
    return database.transaction(async (transaction) => {
      const rows = await transaction.query<{ id: number; channel: string; payload: string }>(
        `select id, channel, payload from announcement order by id limit $1 for update skip locked`,
        [SENT_AT_ONCE],
      );
      if (rows.length === 0) return 0;
      await Promise.all(
        rows.map(({ channel, payload }) =>
          client.publish(`${prefix}.announce.${channel}`, payload, { timeout: PUBLISH_TIMEOUT_MS }),
        ),
      );
      await transaction.query('delete from announcement where id = any($1::bigint[])', [
        rows.map(({ id }) => id),
      ]);
      return rows.length;
    });
  }

  return {
    wake,
    async listen(channel, handler, missed) {
      const subscription = { channel, handler, missed };
      subscriptions.add(subscription);
      consuming ??= consume();
      await consuming;
      return () => void subscriptions.delete(subscription);
    },
    async close() {
      clearInterval(sweeping);
      // What is committed goes out before the process ends; what the bus does not take, another process sends.
      await Promise.race([sending, delay(PUBLISH_TIMEOUT_MS, undefined, { ref: false })]);
      closing.abort();
    },
  };
}
