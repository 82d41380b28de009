import { readdirSync } from 'node:fs';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { onDatabase } from '../../test/desk/dirty-days.ts';
import { processStat } from '../../test/engines/process-stat.ts';

/** Streams of the bus that carry work; leases and members beside them grow with processes, not with symbols. */
export const STREAMS = ['work', 'answer', 'announce'] as const;

interface Traffic {
  readonly messages: number;
  /** Payloads and headers. */
  readonly bytes: number;
}

/** What a desk has used since it started. */
export interface Used {
  /** Written to the log of PostgreSQL. */
  readonly walBytes: number;
  readonly bus: Readonly<Record<(typeof STREAMS)[number], Traffic>>;
  /** Processor time of the servers. */
  readonly postgresMs: number;
  readonly natsMs: number;
}

export interface Gauges {
  read(): Promise<Used>;
  close(): Promise<void>;
}

/** Reads what the servers that this process has started use for one database. */
export async function openGauges(databaseUrl: string, natsUrl: string): Promise<Gauges> {
  const connection = await connect({ servers: natsUrl.split(',') });
  const counts = STREAMS.map((stream) => countMessages(connection, `*.${stream}.>`));
  await connection.flush();
  return {
    async read() {
      const [wal] = await onDatabase<{ bytes: number }>(
        databaseUrl,
        `select (pg_current_wal_insert_lsn() - '0/0'::pg_lsn)::float8 as bytes`,
      );
      // What was published before has arrived.
      await connection.flush();
      return {
        walBytes: wal!.bytes,
        bus: Object.fromEntries(STREAMS.map((stream, at) => [stream, counts[at]!()])) as Used['bus'],
        postgresMs: processorMs('postgres'),
        natsMs: processorMs('nats-server'),
      };
    },
    close: () => connection.close(),
  };
}

/** What was used between two readings. */
export const between = (before: Used, after: Used): Used => ({
  walBytes: after.walBytes - before.walBytes,
  bus: Object.fromEntries(
    STREAMS.map((stream) => [
      stream,
      {
        messages: after.bus[stream].messages - before.bus[stream].messages,
        bytes: after.bus[stream].bytes - before.bus[stream].bytes,
      },
    ]),
  ) as Used['bus'],
  postgresMs: after.postgresMs - before.postgresMs,
  natsMs: after.natsMs - before.natsMs,
});

/** Counts what is published: a stream of work forgets a message once it is done. */
function countMessages(connection: NatsConnection, subject: string): () => Traffic {
  let messages = 0;
  let bytes = 0;
  connection.subscribe(subject, {
    callback(_error, message) {
      messages++;
      bytes += message.data.length;
      for (const name of message.headers?.keys() ?? [])
        bytes += name.length + message.headers!.get(name).length;
    },
  });
  return () => ({ messages, bytes });
}

/** Processor time of all processes of a name that descend from this one, and of those among them that have ended. */
function processorMs(name: string): number {
  const processes = new Map(runningProcesses());
  const isOurs = (id: number): boolean =>
    id === process.pid || (id > 1 && isOurs(processes.get(id)?.parent ?? 0));
  let used = 0;
  for (const [id, one] of processes)
    if (one.name === name && isOurs(id)) used += one.processorMs + one.endedChildrenMs;
  return used;
}

function runningProcesses() {
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .flatMap((entry) => {
      try {
        return [[Number(entry), processStat(Number(entry))] as const];
      } catch {
        // It has ended meanwhile.
        return [];
      }
    });
}
