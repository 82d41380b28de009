import { SEQUENCE_HEADER } from '../../src/api/server/sequence.ts';
import { openDatabase } from '../../src/database/database.ts';
import { until } from '../engines/until.ts';
import { type Credentials, newCredentials } from '../support/access.ts';
import type { Member } from './desk.ts';
import { onDatabase } from './dirty-days.ts';
import type { Installation } from './engines.ts';
import type { Progress } from './progress.ts';

const A_STEP = 4;
const DIFFERING_SHOWN = 5;
const TOKEN_SECONDS = 900;
/** A replica that was killed starts again meanwhile, and PostgreSQL too. */
const ANSWERED_WITHIN_MS = 120_000;

/** A stock-day that the store holds. */
interface Stored {
  readonly symbol: string;
  readonly asOf: Date;
  /** Of the newest announcement: a process that has heard it knows of the stock-day. */
  readonly sequence: string;
}

/** What a replica answers about it. */
interface Answers {
  /** As of the stored instant. */
  readonly settled: string;
  /** As of the replica's newest. */
  readonly newest: string;
}

/**
 * Compares what replicas answer about stocks of a running session, at the same announcement: each answers once it has
 * heard that, so no clock decides when they must agree.
 */
export class Comparisons {
  /** From the first question to the answer of the last replica, milliseconds; one that is away is waited for. */
  readonly times: number[] = [];
  /** The first that differ. */
  readonly differing: string[] = [];
  /** Newest answers as of the stored instant, whose bytes were compared too. */
  newest = 0;
  /** Why questions were repeated, and how often. */
  readonly repeated = new Map<string, number>();
  readonly #installation: Installation;
  readonly #replicas: readonly Member[];
  readonly #session: Progress;
  readonly #tradeDate: string;

  /** @param session counts its minutes */
  constructor(installation: Installation, replicas: readonly Member[], session: Progress, tradeDate: string) {
    this.#installation = installation;
    this.#replicas = replicas;
    this.#session = session;
    this.#tradeDate = tradeDate;
  }

  get wanted(): number {
    return this.#session.steps * A_STEP;
  }

  /** Compares some stocks at every minute. @throws Error when a replica does not answer, or the session stands still */
  async run(signal: AbortSignal): Promise<void> {
    const credentials = await newClient(this.#installation);
    for (let step = 1; step <= this.#session.steps; step++) {
      await this.#session.until(step, signal);
      await Promise.all(
        Array.from({ length: A_STEP }, (_, at) => this.#compare(step * A_STEP + at, credentials, signal)),
      );
    }
  }

  async #compare(choice: number, credentials: Credentials, signal: AbortSignal): Promise<void> {
    const what = 'the store holds a stock-day of the session';
    const stored = await until({ what, withinMs: ANSWERED_WITHIN_MS, signal }, () => this.#stored(choice));
    const { symbol, asOf } = stored;
    const begun = performance.now();
    const answers = await Promise.all(
      this.#replicas.map((replica) => this.#answersOf(replica, stored, credentials, signal)),
    );
    this.times.push(performance.now() - begun);
    const differ = (what: string): void => {
      if (this.differing.length < DIFFERING_SHOWN) {
        this.differing.push(`${symbol}, stored as of ${asOf.toISOString()}: ${what}`);
      }
    };
    const [{ settled: expected }] = answers as [Answers];
    for (const [at, { settled, newest }] of answers.entries()) {
      const { name } = this.#replicas[at]!;
      if (settled !== expected) differ(`${name}: ${firstDifference(expected, settled)}`);
      if (instantOf(settled) !== asOf.getTime()) differ(`${name} answers as of another instant`);
      if (instantOf(newest) < asOf.getTime()) differ(`the newest of ${name} is older`);
      if (instantOf(newest) !== asOf.getTime()) continue;
      this.newest++;
      if (newest !== expected) differ(`the newest of ${name}: ${firstDifference(expected, newest)}`);
    }
  }

  #answersOf(
    replica: Member,
    { symbol, asOf, sequence }: Stored,
    credentials: Credentials,
    signal: AbortSignal,
  ): Promise<Answers> {
    const path = `/api/graph/v1/stocks/${encodeURIComponent(symbol)}`;
    const at = asOf.toISOString();
    const what = `${replica.name} answers about ${symbol} as of ${at}, announcement ${sequence}`;
    return until({ what, withinMs: ANSWERED_WITHIN_MS, signal }, async (limit) => {
      try {
        const authorization = `Bearer ${await tokenOf(credentials, replica, limit)}`;
        const known = { authorization, [SEQUENCE_HEADER]: sequence };
        const settled = await ask(replica, `${path}?as_of=${at}`, known, limit);
        // Without the header it may come from the cache of the replica, which has dropped what is older.
        return { settled, newest: await ask(replica, path, { authorization }, limit) };
      } catch (error) {
        const reason = `${replica.name} ${(error as Error).message}`;
        this.repeated.set(reason, (this.repeated.get(reason) ?? 0) + 1);
        throw error;
      }
    });
  }

  /** One of the newest stock-days: the same for the same choice and store. */
  async #stored(choice: number): Promise<Stored> {
    const [row] = await onDatabase<Stored>(
      this.#installation.databaseUrl,
      `select d.symbol, d.as_of as "asOf", i.announced::text as sequence
       from installation i, stock_day d where d.trade_date = $1::date
       order by d.as_of desc, md5(d.symbol || $2::text) limit 1`,
      [this.#tradeDate, choice],
    );
    if (row === undefined) throw new Error('no stock-day of the session is stored');
    return row;
  }
}

/** @throws Error for any answer but 200 */
async function ask(
  { url }: Member,
  path: string,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<string> {
  const answer = await fetch(url + path, { headers, signal });
  const text = await answer.text();
  if (answer.status !== 200) throw refusal(answer.status, text);
  return text;
}

const refusal = (status: number, text: string): Error =>
  new Error(`${status} ${/"code":"(\w+)"/.exec(text)?.[1] ?? text.slice(0, 200)}`);

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

async function newClient({ databaseUrl, directory }: Installation): Promise<Credentials> {
  const database = await openDatabase({ databaseUrl, dataDirectory: directory });
  return newCredentials(database).finally(() => database.close());
}

/** A token of a new client for real-time data of every stock. */
export const realTimeToken = async (installation: Installation, replica: Member): Promise<string> =>
  tokenOf(await newClient(installation), replica);

/** Its life is counted by the clock of the desk, which may run fast. */
async function tokenOf(credentials: Credentials, { url }: Member, signal?: AbortSignal): Promise<string> {
  const answer = await fetch(`${url}/api/graph/v1/chart-agent-auth/token`, {
    method: 'POST',
    signal: signal ?? null,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      ...credentials,
      agent_id: 'chart',
      scopes: ['stock:read', 'market-data:realtime'],
      ttl_seconds: TOKEN_SECONDS,
    }),
  });
  if (!answer.ok) throw refusal(answer.status, await answer.text());
  const { access_token } = (await answer.json()) as { readonly access_token: string };
  return access_token;
}
