import { setTimeout as delay } from 'node:timers/promises';
import { DeliverPolicy, jetstream } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { type Database, openDatabase } from '../../src/database/database.ts';
import { newCredentials } from '../support/access.ts';
import type { Member } from './desk.ts';
import type { Installation } from './engines.ts';

interface Comparison {
  /** From each announcement to the same answer of every replica, milliseconds. */
  readonly times: readonly number[];
  readonly differing: readonly string[];
}

const DIFFERING_SHOWN = 5;
const COMPARED_AT_ONCE = 2;
const POLL_MS = 50;
const BEHIND_MS = 60_000;
const TOKEN_SECONDS = 900;

/**
 * After announcements, waits until every replica answers the same bytes, as new as what was announced.
 *
 * @param now of the desk's clock
 */
export async function sameWithin(
  withinMs: number,
  nats: string,
  installation: Installation,
  replicas: readonly Member[],
  now: () => number,
  stop: AbortSignal,
): Promise<Comparison> {
  const connection = await connect({
    servers: nats.split(','),
    maxReconnectAttempts: -1,
    reconnectTimeWait: 200,
  });
  const token = await realTimeToken(installation, replicas);
  const database = await openDatabase({
    databaseUrl: installation.databaseUrl,
    dataDirectory: installation.directory,
  });
  const differing: string[] = [];
  const times: number[] = [];
  const comparing = new Set<Promise<void>>();

  /** Asks all replicas at the same time until they agree on something as new as what was announced. */
  async function compare(symbol: string): Promise<void> {
    const begun = performance.now();
    const stored = await storedAt(database, symbol);
    // Behind the clock a replica derives on demand, from rows that may not be announced yet.
    if (now() - stored > BEHIND_MS) return;
    let texts: string[] = [];
    while (performance.now() - begun < withinMs) {
      const answers = await Promise.all(replicas.map((replica) => answerOf(replica, symbol, token)));
      // A replica that was struck answers nobody.
      if (answers.some((text) => text === null)) return;
      texts = answers as string[];
      if (texts.every((text) => text === texts[0] && instantOf(text) >= stored)) {
        times.push(performance.now() - begun);
        return;
      }
      await delay(POLL_MS);
    }
    if (differing.length < DIFFERING_SHOWN) {
      const at = new Date(stored).toISOString();
      differing.push(`${symbol}, stored as of ${at}: ${firstDifference(texts[0]!, texts[1]!)}`);
    }
  }

  function onAnnouncement(payload: string): void {
    const symbols = payload.split(' ').filter((word) => !/^[@#*]/.test(word));
    const symbol = symbols[Math.floor(symbols.length / 2)];
    if (symbol === undefined || stop.aborted || comparing.size >= COMPARED_AT_ONCE) return;
    const one = compare(symbol)
      // The database is away.
      .catch(() => {})
      .finally(() => comparing.delete(one));
    comparing.add(one);
  }

  const streams = await jetstream(connection).jetstreamManager(false);
  const consumer = await jetstream(connection).consumers.get(await announceStream(streams), {
    deliver_policy: DeliverPolicy.New,
  });
  const messages = await consumer.consume({ callback: (message) => onAnnouncement(message.string()) });
  await new Promise((resolve) => stop.addEventListener('abort', resolve, { once: true }));
  messages.stop();
  await Promise.all(comparing);
  await connection.close();
  await database.close();
  return { times, differing };
}

async function storedAt(database: Database, symbol: string): Promise<number> {
  const [row] = await database.query<{ as_of: Date }>(
    'select max(as_of) as as_of from stock_day where symbol = $1',
    [symbol],
  );
  return row?.as_of?.getTime() ?? 0;
}

/** The instant that an answer speaks for. */
const instantOf = (text: string): number => Date.parse(/"computed_at":"([^"]+)"/.exec(text)?.[1] ?? '');

const CONTEXT_CHARACTERS = 60;

/** Where two texts part, with what is around it. */
function firstDifference(one: string, other: string): string {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at++;
  return [one, other]
    .map((text) => text.slice(Math.max(0, at - CONTEXT_CHARACTERS), at + CONTEXT_CHARACTERS))
    .join(' | ');
}

async function announceStream(
  manager: Awaited<ReturnType<ReturnType<typeof jetstream>['jetstreamManager']>>,
): Promise<string> {
  for await (const name of manager.streams.names()) if (name.endsWith('_announce')) return name;
  throw new Error('the bus has no stream of announcements');
}

async function answerOf({ url }: Member, symbol: string, token: string): Promise<string | null> {
  const path = `${url}/api/graph/v1/stocks/${encodeURIComponent(symbol)}`;
  const answer = await fetch(path, { headers: { authorization: `Bearer ${token}` } }).catch(() => null);
  return answer?.status === 200 ? await answer.text().catch(() => null) : null;
}

/** A token for real-time data of every stock. */
export async function realTimeToken(
  { databaseUrl, directory }: Installation,
  replicas: readonly Member[],
): Promise<string> {
  const database = await openDatabase({ databaseUrl, dataDirectory: directory });
  const credentials = await newCredentials(database).finally(() => database.close());
  const answer = await fetch(`${replicas[0]!.url}/api/graph/v1/chart-agent-auth/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      ...credentials,
      agent_id: 'chart',
      scopes: ['stock:read', 'market-data:realtime'],
      ttl_seconds: TOKEN_SECONDS,
    }),
  });
  const { access_token } = (await answer.json()) as { readonly access_token: string };
  return access_token;
}
