import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { NO_TRACING, type Tracing } from '../base/tracing.ts';
import type { Database } from '../database/database.ts';
import { BUS_HEARTBEAT_MS, chooseAnnouncements, installationId, noteBus } from '../database/installation.ts';
import { openAnnouncements } from './announcements.ts';
import type { Bus } from './bus.ts';
import { bucketLeases } from './kv-leases.ts';
import { connectNats } from './nats-connection.ts';
import { WorkQueue } from './work-queue.ts';

const MEMBER_HEARTBEAT_MS = 3_000;
const CLOSE_TIMEOUT_MS = 2_000;

/**
 * The bus on NATS JetStream. The database announces through it from then on.
 *
 * @param waitMs time that servers get to start; a default unless set
 *
 * @throws CodedError bus_unavailable, bad_setting
 */
export async function openNatsBus(
  url: string,
  database: Database,
  { waitMs, tracing = NO_TRACING }: { readonly waitMs?: number; readonly tracing?: Tracing } = {},
): Promise<Bus> {
  const self = randomBytes(6).toString('hex');
  const nats = await connectNats(url, await installationId(database), `tigraph ${self}`, waitMs);
  const { connection, manager, prefix } = nats;
  try {
    await chooseAnnouncements(database, true);
    await noteBus(database);
  } catch (error) {
    await connection.close();
    throw error;
  }
  const noting = setInterval(() => void noteBus(database).catch(() => {}), BUS_HEARTBEAT_MS).unref();
  const queue = new WorkQueue(nats, self, tracing);
  const announcements = openAnnouncements(nats, database);
  database.announceThrough(announcements);
  let isConnected = true;
  void watchConnection();

  async function watchConnection(): Promise<void> {
    for await (const { type } of connection.status()) {
      if (type === 'disconnect' || type === 'reconnecting') isConnected = false;
      if (type === 'reconnect') isConnected = true;
    }
  }

  return {
    self,
    leases: bucketLeases(nats.leases, database, self),
    ask: (name, work, signal) => queue.ask(name, work, signal),
    take: (name, atOnce, handle) => queue.take(name, atOnce, handle),
    deadLetters: () => queue.deadLetters(),
    clearDeadLetters: () => queue.clearDeadLetters(),
    join(group) {
      const key = `${group}.${self}`;
      // A heartbeat that fails is followed by the next.
      const beat = (): void => void nats.members((bucket) => bucket.put(key, '')).catch(() => {});
      beat();
      const beating = setInterval(beat, MEMBER_HEARTBEAT_MS).unref();
      return {
        async stop() {
          clearInterval(beating);
          await nats.members((bucket) => bucket.delete(key)).catch(() => {});
        },
      };
    },
    async members(group) {
      const names: string[] = [];
      await nats.members(async (bucket) => {
        for await (const key of await bucket.keys(`${group}.>`)) names.push(key.slice(group.length + 1));
      });
      return names.sort();
    },
    isHere: () => isConnected && !connection.isClosed(),
    async figures() {
      const stream = `${prefix}_work`;
      const [work, dead] = await Promise.all([
        manager.streams.info(stream),
        manager.streams.info(`${prefix}_dead`),
      ]);
      let underWay = 0;
      for await (const consumer of manager.consumers.list(stream)) underWay += consumer.num_ack_pending;
      return {
        waiting: Math.max(0, work.state.messages - underWay),
        underWay,
        deadLetters: dead.state.messages,
      };
    },
    async close() {
      clearInterval(noting);
      queue.close();
      await announcements.close();
      // The last acknowledgements leave, unless the servers are away.
      const flushed = connection.flush().catch(() => {});
      await Promise.race([flushed, delay(CLOSE_TIMEOUT_MS, undefined, { ref: false })]);
      await connection.close().catch(() => {});
    },
  };
}
