import type pg from 'pg';
import { abortable } from '../base/abortable.ts';
import { CodedError } from '../base/errors.ts';
import { stopwatch } from '../base/timers.ts';
import { type Connector, explain, isAlive } from './connection.ts';

/** A connection for exclusive use until `release`. */
interface Lease {
  readonly client: pg.Client;
  release(): void;
}

export type ConnectionPool = ReturnType<typeof connectionPool>;

/** A slot for a connection; null until it is opened. */
type Slot = pg.Client | null;

interface Waiter {
  readonly take: (slot: Slot) => void;
  readonly refuse: (reason: unknown) => void;
}

/**
 * A pool with a bounded queue whose waiters can leave, which the client library's pool lacks: an abandoned query is
 * never sent, and beyond `maxWaiting` the answer is `overloaded` at once.
 *
 * @param onWaited receives how long each caller waited for a connection
 */
export function connectionPool(
  connector: Connector,
  maxWaiting: number,
  lowPriority = false,
  onWaited: (waitedMs: number) => void = () => {},
) {
  const idle: Slot[] = new Array<Slot>(connector.size).fill(null);
  const waiting = new Set<Waiter>();
  const open = new Set<pg.Client>();
  let closed = false;
  let meanLeaseMs: number | null = null;

  function free(slot: Slot): void {
    if (slot !== null && (closed || !isAlive(slot))) slot = discard(slot);
    const [next] = waiting;
    if (next === undefined) idle.push(slot);
    else next.take(slot);
  }

  function discard(client: pg.Client): null {
    open.delete(client);
    client.end().catch(() => {});
    return null;
  }

  function wait(signal?: AbortSignal): Promise<Slot> {
    if (waiting.size >= maxWaiting) {
      throw new CodedError('overloaded', `${maxWaiting} statements are waiting for the database already.`);
    }
    return new Promise((resolve, reject) => {
      const dequeue = (): void => {
        waiting.delete(waiter);
        signal?.removeEventListener('abort', onAbort);
      };
      const waiter: Waiter = {
        take(slot) {
          dequeue();
          resolve(slot);
        },
        refuse(reason) {
          dequeue();
          reject(reason);
        },
      };
      const onAbort = (): void => waiter.refuse(signal?.reason);
      waiting.add(waiter);
      signal?.addEventListener('abort', onAbort, { once: true });
    });
  }

  async function connect(signal?: AbortSignal): Promise<pg.Client> {
    const connecting = connector.connect(lowPriority);
    connecting.then(
      (client) => open.add(client),
      () => {},
    );
    try {
      return await abortable(connecting, signal);
    } catch (error) {
      // After an aborted wait the connection is for the next caller.
      connecting.then(free, () => free(null));
      throw explain(error);
    }
  }

  return {
    /** The next free connection, first come first served; aborting the signal leaves the queue at once. */
    async acquire(signal?: AbortSignal): Promise<Lease> {
      signal?.throwIfAborted();
      if (closed) throw new CodedError('database_unavailable', 'The database has been closed.');
      const asked = stopwatch();
      const slot = idle.length > 0 ? idle.pop()! : await wait(signal);
      const client = slot !== null && isAlive(slot) ? slot : await connect(signal);
      const since = stopwatch();
      onWaited(since - asked);
      let released = false;
      return {
        client,
        release() {
          if (released) return;
          released = true;
          meanLeaseMs = smoothed(meanLeaseMs, Math.min(stopwatch() - since, LEASE_COUNTED_MAX_MS));
          free(client);
        },
      };
    },

    /** Expected wait of the next statement for a connection, milliseconds. */
    expectedWaitMs: (): number => expectedWaitMs(waiting.size, connector.size, meanLeaseMs),

    /** Connections that are open and in use, and statements that wait for one. */
    figures: () => ({ open: open.size, inUse: connector.size - idle.length, waiting: waiting.size }),

    async close(): Promise<void> {
      closed = true;
      for (const waiter of [...waiting])
        waiter.refuse(new CodedError('database_unavailable', 'The database is closing.'));
      await Promise.allSettled([...open].map((client) => client.end()));
    },
  };
}

/** One slow statement, as at a start, must not make the wait of all look long. */
const LEASE_COUNTED_MAX_MS = 100;
/** Weight of the newest measurement: about the last ten to twenty count. */
const NEWEST_SHARE = 0.1;

/** Exponential moving average. @param mean null before the first measurement */
export const smoothed = (mean: number | null, measured: number): number =>
  mean === null ? measured : mean + NEWEST_SHARE * (measured - mean);

/** Milliseconds behind `waiting` tasks that each use one of `slots` for about `meanMs`; 0 with an empty queue. */
export const expectedWaitMs = (waiting: number, slots: number, meanMs: number | null): number =>
  (waiting * (meanMs ?? 0)) / slots;
