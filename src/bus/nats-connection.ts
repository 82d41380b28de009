import {
  type DeliverPolicy,
  DiscardPolicy,
  JetStreamApiError,
  type JetStreamClient,
  type JetStreamManager,
  type JsMsg,
  jetstream,
  RetentionPolicy,
  StorageType,
  type StreamConfig,
} from '@nats-io/jetstream';
import { type KV, Kvm } from '@nats-io/kv';
import { connect, type NatsConnection, nanos } from '@nats-io/transport-node';
import { DAY_MS } from '../base/calendar.ts';
import { MINUTE_MS } from '../base/dates.ts';
import { CodedError } from '../base/errors.ts';
import { realTimers, rest, stopwatch } from '../base/timers.ts';
import { LEASE_MS } from '../database/leases.ts';

/** The connection and what this installation keeps on the server. */
export interface Nats {
  readonly connection: NatsConnection;
  readonly client: JetStreamClient;
  readonly manager: JetStreamManager;
  /** Begins every subject and name of this installation: several may share a server. */
  readonly prefix: string;
  /** After a failure for want of a stream, creates those that the servers have lost. */
  mend(error: unknown): Promise<void>;
  readonly leases: Bucket;
  readonly members: Bucket;
}

export type Bucket = <T>(work: (bucket: KV) => Promise<T>) => Promise<T>;

const MEGABYTE = 1_048_576;
/** A server that starts beside this process is waited for. */
const CONNECT_WITHIN_MS = 15_000;
const RETRY_MS = 500;
const RECONNECT_MS = 250;
const PING_MS = 5_000;
/** One request for messages waits this long on the server, which says so often that it is there. */
export const PULL_MS = 5_000;
const HEARTBEAT_MS = 1_000;
export const PUBLISH_TIMEOUT_MS = 5_000;
/** Copies of a stream on a cluster: one server may be lost. */
const REPLICAS = 3;
/** Error codes of the JetStream API. */
const NOT_CLUSTERED = 10_074;
const NOT_ENABLED = 10_039;
/** The key has another revision: somebody has it, or had it in between. */
const OTHER_REVISION = 10_071;

/** Names are `<prefix>_<stream>`, subjects `<prefix>.<stream>.…`. */
const STREAMS: Readonly<Record<string, Partial<StreamConfig>>> = {
  // Full: who asks for more waits.
  work: {
    retention: RetentionPolicy.Workqueue,
    discard: DiscardPolicy.New,
    max_msgs: 10_000,
    max_bytes: 256 * MEGABYTE,
  },
  answer: { max_age: nanos(10 * MINUTE_MS), max_bytes: 256 * MEGABYTE, max_msgs_per_subject: 1 },
  announce: { max_age: nanos(10 * MINUTE_MS), max_bytes: 64 * MEGABYTE },
  dead: { max_age: nanos(30 * DAY_MS), max_msgs: 1_000, max_bytes: 64 * MEGABYTE },
};

/**
 * Connects to the servers of `NATS_URL` and creates the streams of the installation.
 *
 * @param url one or more addresses with commas between them; `user:password@` or `token@` before the first host
 * @throws CodedError bus_unavailable
 */
export async function connectNats(
  url: string,
  installation: string,
  name: string,
  waitMs = CONNECT_WITHIN_MS,
): Promise<Nats> {
  const connection = await connectWithin(url, name, waitMs);
  const prefix = `tigraph_${installation.replaceAll('-', '').slice(0, 12)}`;
  try {
    const client = jetstream(connection);
    const manager = await client.jetstreamManager(false);
    let replicas = REPLICAS;
    const ensureStreams = async (): Promise<void> => {
      for (const [stream, config] of Object.entries(STREAMS)) {
        await onReplicas((count) =>
          ensureStream(manager, `${prefix}_${stream}`, {
            ...config,
            subjects: [`${prefix}.${stream}.>`],
            storage: StorageType.File,
            num_replicas: count,
          }),
        );
      }
    };
    /** Fewer copies only where the server says that it is alone. */
    async function onReplicas<T>(work: (count: number) => Promise<T>): Promise<T> {
      try {
        return await work(replicas);
      } catch (error) {
        if (!(error instanceof JetStreamApiError) || error.code !== NOT_CLUSTERED) throw error;
        replicas = 1;
        return work(replicas);
      }
    }
    /** Opened once, and again after a failure: the servers may have lost it. */
    function bucketOf(name: string): Bucket {
      let opened: Promise<KV> | null = null;
      return async (work) => {
        opened ??= onReplicas((count) =>
          new Kvm(client).create(`${prefix}_${name}`, { ttl: LEASE_MS, history: 1, replicas: count }),
        );
        try {
          return await work(await opened);
        } catch (error) {
          if (!(error instanceof JetStreamApiError) || error.code !== OTHER_REVISION) opened = null;
          throw error;
        }
      };
    }
    await within(waitMs, ensureStreams);
    return {
      connection,
      client,
      manager,
      prefix,
      async mend(error) {
        if (isNotFound(error)) await ensureStreams().catch(() => {});
      },
      leases: bucketOf('leases'),
      members: bucketOf('members'),
    };
  } catch (error) {
    await connection.close();
    throw error instanceof CodedError ? error : unavailable(error);
  }
}

async function ensureStream(
  manager: JetStreamManager,
  name: string,
  config: Partial<StreamConfig> & { readonly num_replicas: number },
): Promise<void> {
  try {
    await manager.streams.info(name);
  } catch (error) {
    if (!isNotFound(error)) throw error;
    await manager.streams.add({ ...config, name });
  }
}

/** Receives the messages of a subject, from now on or all of them, until the server has lost the stream or the consumer. */
export async function follow(
  { client, prefix }: Nats,
  subject: string,
  from: DeliverPolicy,
  onMessage: (message: JsMsg) => void,
): Promise<{ closed(): Promise<unknown> }> {
  const consumer = await client.consumers.get(`${prefix}_${subject.split('.')[0]}`, {
    filter_subjects: `${prefix}.${subject}`,
    deliver_policy: from,
  });
  return consumer.consume({
    callback: onMessage,
    abort_on_missing_resource: true,
    expires: PULL_MS,
    idle_heartbeat: HEARTBEAT_MS,
  });
}

/** Whether the server has no stream, consumer or message of that name. */
export const isNotFound = (error: unknown): boolean =>
  error instanceof JetStreamApiError && error.status === 404;

async function connectWithin(url: string, name: string, waitMs: number): Promise<NatsConnection> {
  const { servers, credentials } = serversOf(url);
  return within(waitMs, () =>
    connect({
      servers,
      ...credentials,
      name,
      maxReconnectAttempts: -1,
      reconnectTimeWait: RECONNECT_MS,
      pingInterval: PING_MS,
      // After a rolling change of credentials the server may refuse for a moment.
      ignoreAuthErrorAbort: true,
    }),
  );
}

/** Tries again for a while what a server that starts cannot do yet. */
async function within<T>(limitMs: number, work: () => Promise<T>): Promise<T> {
  for (const end = stopwatch() + limitMs; ; await rest(realTimers, RETRY_MS)) {
    try {
      return await work();
    } catch (error) {
      if (stopwatch() >= end || isFinal(error)) throw unavailable(error);
    }
  }
}

/** Refused credentials, and a server without JetStream, stay as they are. */
const isFinal = (error: unknown): boolean => isRefusal(error) || isWithoutJetStream(error);

const isRefusal = (error: unknown): boolean =>
  error instanceof Error &&
  (error.name === 'AuthorizationError' || error.name === 'UserAuthenticationExpiredError');

const isWithoutJetStream = (error: unknown): boolean =>
  (error instanceof Error && error.name === 'JetStreamNotEnabled') ||
  (error instanceof JetStreamApiError && error.code === NOT_ENABLED);

function unavailable(cause: unknown): CodedError {
  const sentence = isRefusal(cause)
    ? 'The servers at NATS_URL refuse its credentials.'
    : isWithoutJetStream(cause)
      ? 'The servers at NATS_URL run without JetStream: start them with --jetstream.'
      : `The servers at NATS_URL do not answer: ${(cause as Error).message}.`;
  return new CodedError('bus_unavailable', sentence, { cause });
}

/** Servers and credentials; the client reads no credentials from an address. */
function serversOf(url: string): {
  readonly servers: string[];
  readonly credentials: { readonly user?: string; readonly pass?: string; readonly token?: string };
} {
  const addresses = url.split(',').map((address) => new URL(address.trim()));
  const { username, password } = addresses[0]!;
  const user = decodeURIComponent(username);
  const credentials =
    user === '' ? {} : password === '' ? { token: user } : { user, pass: decodeURIComponent(password) };
  return { servers: addresses.map(({ protocol, host }) => `${protocol}//${host}`), credentials };
}
