import type pg from 'pg';
import { abortable } from '../base/abortable.ts';
import { CodedError } from '../base/errors.ts';
import { expectedWaitMs, smoothed } from '../base/expected-wait.ts';
import { type Connector, explain, isAlive } from './connection.ts';

/** A connection that nobody else uses until it is given back. */
interface Lease {
  readonly client: pg.Client;
  release(): void;
}

export interface ConnectionPool {
  /** The next free connection, in order of asking; one that waits leaves the line the moment its signal aborts. */
  acquire(signal?: AbortSignal): Promise<Lease>;
  /** How long a statement that comes now is going to wait for a connection, milliseconds, by how long others kept one. */
  expectedWaitMs(): number;
  close(): Promise<void>;
}

/** A place for a connection: the open one, or null when it has yet to be opened. */
type Place = pg.Client | null;

interface Waiter {
  readonly take: (place: Place) => void;
  readonly refuse: (reason: unknown) => void;
}

/**
 * Connections and the line before them. A client library's own pool lets nobody leave its line and sets no bound to it;
 * here a query whose caller has gone is never sent, and beyond `maxWaiting` the answer is `overloaded` at once.
 */
export function connectionPool(connector: Connector, maxWaiting: number, behind = false): ConnectionPool {
  const idle: Place[] = new Array<Place>(connector.size).fill(null);
  const waiting = new Set<Waiter>();
  const open = new Set<pg.Client>();
  let closed = false;
  let meanLeaseMs: number | null = null;

  function giveBack(place: Place): void {
    if (place !== null && (closed || !isAlive(place))) place = discard(place);
    const [next] = waiting;
    if (next === undefined) idle.push(place);
    else next.take(place);
  }

  function discard(client: pg.Client): null {
    open.delete(client);
    client.end().catch(() => {});
    return null;
  }

  function wait(signal?: AbortSignal): Promise<Place> {
    if (waiting.size >= maxWaiting) {
      throw new CodedError('overloaded', `${maxWaiting} statements are waiting for the database already.`);
    }
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        waiting.delete(waiter);
        signal?.removeEventListener('abort', onAbort);
      };
      const waiter: Waiter = {
        take(place) {
          leave();
          resolve(place);
        },
        refuse(reason) {
          leave();
          reject(reason);
        },
      };
      const onAbort = (): void => waiter.refuse(signal?.reason);
      waiting.add(waiter);
      signal?.addEventListener('abort', onAbort, { once: true });
    });
  }

  async function connect(signal?: AbortSignal): Promise<pg.Client> {
    const connecting = connector.connect(behind);
    connecting.then(
      (client) => open.add(client),
      () => {},
    );
    try {
      return await abortable(connecting, signal);
    } catch (error) {
      // Whoever asked may have gone while the connection opens; it is then for the next one.
      connecting.then(giveBack, () => giveBack(null));
      throw explain(error);
    }
  }

  return {
    async acquire(signal) {
      signal?.throwIfAborted();
      if (closed) throw new CodedError('database_unavailable', 'The database has been closed.');
      const place = idle.length > 0 ? idle.pop()! : await wait(signal);
      const client = place !== null && isAlive(place) ? place : await connect(signal);
      const since = performance.now();
      let released = false;
      return {
        client,
        release() {
          if (released) return;
          released = true;
          meanLeaseMs = smoothed(meanLeaseMs, performance.now() - since);
          giveBack(client);
        },
      };
    },

    expectedWaitMs: () => expectedWaitMs(waiting.size, connector.size, meanLeaseMs),

    async close() {
      closed = true;
      for (const waiter of [...waiting])
        waiter.refuse(new CodedError('database_unavailable', 'The database is closing.'));
      await Promise.allSettled([...open].map((client) => client.end()));
    },
  };
}
