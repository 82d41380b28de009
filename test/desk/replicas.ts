import { setTimeout as delay } from 'node:timers/promises';
import { openDatabase } from '../../src/database/database.ts';
import { newCredentials } from '../support/access.ts';
import type { Member } from './desk.ts';
import { onDatabase } from './dirty-days.ts';
import type { Installation } from './engines.ts';

/** Whether all replicas answer the same bytes about the minutes of a session. */
export interface Comparison {
  /** From a stored minute to the same answer of every replica, milliseconds; one for each minute that was compared. */
  readonly times: number[];
  readonly differing: string[];
  /** Minutes about which some replica answered nobody for long. */
  readonly unanswered: string[];
}

const DIFFERING_SHOWN = 5;
const AGAIN_MS = 100;
/** A replica that was struck answers nobody for a while. */
const ANSWERED_WITHIN_MS = 60_000;
/** A correction may come between the answers of two replicas; three in a row do not. */
const ROUNDS = 3;
const TOKEN_SECONDS = 900;

/**
 * Asks every replica about one stock as of its newest stored minute, once each has heard of all that was written so far:
 * then all answer the same bytes.
 */
export async function compareStored(
  installation: Installation,
  replicas: readonly Member[],
  symbol: string,
  { times, differing, unanswered }: Comparison,
): Promise<void> {
  const begun = performance.now();
  let [token, rounds, asOf] = ['', 0, ''];
  while (performance.now() - begun < ANSWERED_WITHIN_MS) {
    try {
      token ||= await realTimeToken(installation, replicas);
      // The day first: what it was derived from is announced by then.
      asOf = await storedAt(installation, symbol);
      const headers = { authorization: `Bearer ${token}`, 'tigraph-sequence': await announced(installation) };
      const path = `/api/graph/v1/stocks/${encodeURIComponent(symbol)}?as_of=${asOf}`;
      const texts = await Promise.all(replicas.map((replica) => answerOf(`${replica.url}${path}`, headers)));
      if (texts.every((text) => text === texts[0])) {
        times.push(performance.now() - begun);
        return;
      }
      if (++rounds < ROUNDS) continue;
      if (differing.length < DIFFERING_SHOWN)
        differing.push(`${symbol} as of ${asOf}: ${firstDifference(texts[0]!, texts[1]!)}`);
      return;
    } catch {
      await delay(AGAIN_MS);
    }
  }
  unanswered.push(`${symbol} ${asOf}`);
}

async function storedAt({ databaseUrl }: Installation, symbol: string): Promise<string> {
  const [row] = await onDatabase<{ as_of: Date }>(
    databaseUrl,
    'select max(as_of) as as_of from stock_day where symbol = $1',
    [symbol],
  );
  return row!.as_of.toISOString();
}

async function announced({ databaseUrl }: Installation): Promise<string> {
  const [row] = await onDatabase<{ announced: string }>(databaseUrl, 'select announced from installation');
  return row!.announced;
}

/** @throws Error where the replica does not answer */
async function answerOf(url: string, headers: Readonly<Record<string, string>>): Promise<string> {
  const answer = await fetch(url, { headers });
  if (answer.status !== 200) throw new Error(`${answer.status}`);
  return answer.text();
}

const CONTEXT_CHARACTERS = 60;

/** Where two texts part, with what is around it. */
function firstDifference(one: string, other: string): string {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at++;
  return [one, other]
    .map((text) => text.slice(Math.max(0, at - CONTEXT_CHARACTERS), at + CONTEXT_CHARACTERS))
    .join(' | ');
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
