import { DeliverPolicy, type JsMsg } from '@nats-io/jetstream';
import { at } from '../base/fault-points.ts';
import { insist } from '../base/insist.ts';
import { lateInOrder } from '../base/lateness.ts';
import type { Metrics } from '../base/metrics.ts';
import type { Scope } from '../base/scope.ts';
import { atMost, realTimers } from '../base/timers.ts';
import type { Database } from '../database/database.ts';
import type { Announcer } from '../database/listener.ts';
import { HeardSequence, Subscriptions } from '../database/subscriptions.ts';
import { follow, type Nats, PUBLISH_TIMEOUT_MS } from './nats-connection.ts';

const RETRY_FIRST_MS = 50;
const RETRY_MAX_MS = 2_000;
/** Announcements of a process that ended between its commit and here are sent by another one. */
const SWEEP_MS = 1_000;
const SENT_AT_ONCE = 500;
/** A payload, and the number that the store has put behind it. */
const NUMBERED = /^(.*?)(?: =(\d+))?$/s;

/**
 * Announcements over the bus. A transaction writes them into a table; once it has committed, they are published and
 * leave the table when the bus has acknowledged them. So none is lost with a process or a server, and some arrive twice.
 */
export function openAnnouncements(nats: Nats, database: Database, scope: Scope, metrics: Metrics): Announcer {
  const { client, prefix } = nats;
  const subscriptions = new Subscriptions(metrics);
  const heard = new HeardSequence();
  const closing = new AbortController();
  let consuming: Promise<void> | null = null;
  let newest: number | null = null;
  let sending: Promise<void> | null = null;
  let isWoken = false;
  const endSweeping = scope.timers.every(SWEEP_MS, wake);

  const onMessage = lateInOrder(({ subject }: JsMsg) => `announcement ${subject}`, act);

  function act(message: JsMsg): void {
    // A gap: the stream has dropped messages that this process did not see.
    if (newest !== null && message.seq > newest + 1) void catchUp();
    newest = message.seq;
    const channel = message.subject.slice(`${prefix}.announce.`.length);
    const [, payload, number] = NUMBERED.exec(message.string())!;
    subscriptions.deliver(channel, payload!);
    if (number !== undefined) heard.note(Number(number));
  }

  /** Of what was announced before, some may have been lost: from now on all of it counts as changed. */
  const catchUp = (isFirst = false): Promise<void> =>
    persistently(async () => {
      const announced = await database.announced();
      if (!isFirst) subscriptions.miss();
      heard.begin(announced);
    });

  /** Until it succeeds, or this closes. */
  const persistently = (work: () => Promise<void>): Promise<void> =>
    insist(work, {
      firstMs: RETRY_FIRST_MS,
      maxMs: RETRY_MAX_MS,
      signal: closing.signal,
      onFailure: nats.mend,
    }).catch(() => {});

  const consume = (): Promise<void> =>
    persistently(async () => {
      const messages = await follow(nats, 'announce.>', DeliverPolicy.New, onMessage);
      void messages.closed().then(again);
    });

  /** The server has lost the stream or the consumer. */
  async function again(): Promise<void> {
    if (closing.signal.aborted) return;
    newest = null;
    await consume();
    await catchUp();
  }

  function wake(): void {
    isWoken = true;
    if (closing.signal.aborted) return;
    sending ??= scope.run('sending announcements', sendAll).finally(() => {
      sending = null;
    });
  }

  async function sendAll(): Promise<void> {
    while (isWoken && !closing.signal.aborted) {
      isWoken = false;
      await persistently(async () => {
        while ((await sendSome()) === SENT_AT_ONCE);
      });
    }
  }

  /** Publishes the oldest announcements that no other process is at; returns how many. */
  async function sendSome(): Promise<number> {
    const sent = await database.transaction(async (transaction) => {
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
      await transaction.write('delete from announcement where id = any($1::bigint[])', [
        rows.map(({ id }) => id),
      ]);
      return rows.length;
    });
    if (sent > 0) at('announcements.published');
    return sent;
  }

  return {
    wake,
    heard,
    async listen(channel, handler, missed) {
      const end = subscriptions.add(channel, handler, missed);
      consuming ??= consume().then(() => catchUp(true));
      await consuming;
      return end;
    },
    async close() {
      endSweeping();
      // What is committed goes out before the process ends; what the bus does not take, another process sends.
      if (sending !== null) await atMost(realTimers, PUBLISH_TIMEOUT_MS, sending);
      closing.abort();
    },
  };
}
