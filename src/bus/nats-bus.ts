import { randomBytes } from 'node:crypto';
import { untilAborted } from '../base/abortable.ts';
import { Metrics } from '../base/metrics.ts';
import type { Scope } from '../base/scope.ts';
import { atMost, realTimers } from '../base/timers.ts';
import { NO_TRACING, type Tracing } from '../base/tracing.ts';
import type { Database } from '../database/database.ts';
import { BUS_HEARTBEAT_MS, chooseAnnouncements, installationId, noteBus } from '../database/installation.ts';
import { type Leases, nextToken } from '../database/leases.ts';
import { openAnnouncements } from './announcements.ts';
import type { Bus } from './bus.ts';
import { type Bucket, connectNats } from './nats-connection.ts';
import { WorkQueue } from './work-queue.ts';

/** Leases as keys of a bucket that forgets them when they are not renewed; tokens come from the database. */
function bucketLeases(leases: Bucket, database: Database, holder: string): Leases {
  return {
    async take(name) {
      let revision = await leases((bucket) => bucket.create(name, holder)).catch(() => null);
      if (revision === null) return null;
      return {
        name,
        token: await nextToken(database, name, holder),
        async renew() {
          revision = await leases((bucket) => bucket.update(name, holder, revision!));
          return true;
        },
        async release() {
          await leases((bucket) => bucket.delete(name, { previousSeq: revision! }));
        },
      };
    },
  };
}

const MEMBER_HEARTBEAT_MS = 3_000;
const CLOSE_TIMEOUT_MS = 2_000;

/**
 * The bus on NATS JetStream. The database announces through it from then on.
 *
 * @param scope of what the bus does in the background; closed with it
 * @param waitMs time that servers get to start
 * @throws CodedError bus_unavailable, bad_setting
 */
export async function openNatsBus(
  url: string,
  database: Database,
  scope: Scope,
  {
    waitMs,
    tracing = NO_TRACING,
    metrics = new Metrics(),
  }: { readonly waitMs?: number; readonly tracing?: Tracing; readonly metrics?: Metrics } = {},
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
  scope.every(BUS_HEARTBEAT_MS, 'noting the bus', () => noteBus(database).catch(() => {}));
  const queue = new WorkQueue(nats, self, scope, { tracing, metrics });
  const announcements = openAnnouncements(nats, database, scope, metrics);
  database.announceThrough(announcements);
  let isConnected = true;
  // Asked for at once: of a connection that has closed meanwhile it would never end.
  const statuses = connection.status();
  void scope.run('watching the connection', ({ waits }) => waits(watchConnection()));

  async function watchConnection(): Promise<void> {
    for await (const { type } of statuses) {
      if (type === 'disconnect' || type === 'reconnecting') isConnected = false;
      if (type === 'reconnect') isConnected = true;
    }
  }

  return {
    self,
    leases: bucketLeases(nats.leases, database, self),
    ask: (of, work, signal) => queue.ask(of, work, signal),
    take: (taking, of, atOnce, handle) => queue.take(taking, of, atOnce, handle),
    deadLetters: () => queue.deadLetters(),
    clearDeadLetters: () => queue.clearDeadLetters(),
    join(member, group) {
      const key = `${group}.${self}`;
      const beat = async (): Promise<void> => {
        // A heartbeat that fails is followed by the next.
        await nats.members((bucket) => bucket.put(key, '')).catch(() => {});
      };
      member.every(MEMBER_HEARTBEAT_MS, `heartbeat in ${group}`, beat);
      void member.run(`member of ${group}`, async ({ signal, waits }) => {
        await beat();
        await waits(untilAborted(signal));
        await nats.members((bucket) => bucket.delete(key)).catch(() => {});
      });
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
      queue.close();
      await announcements.close();
      // The last acknowledgements leave, unless the servers are away.
      const flushed = connection.flush().catch(() => {});
      await atMost(realTimers, CLOSE_TIMEOUT_MS, flushed);
      await connection.close().catch(() => {});
      await scope.close();
    },
  };
}
