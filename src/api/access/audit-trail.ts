import type { Clock } from '../../base/clock.ts';
import { at } from '../../base/fault-points.ts';
import type { Database } from '../../database/database.ts';
import type { Holder } from './viewer.ts';

/** Rows in memory; beyond it calls are dropped and counted. */
const WAITING_MAX = 10_000;

/** Equal calls of one agent since the last flush. */
interface Entry {
  readonly holder: Holder;
  readonly operation: string;
  readonly symbol: string | null;
  readonly status: number;
  calls: number;
  /** Epoch milliseconds. */
  readonly firstAt: number;
  lastAt: number;
}

export interface AuditRow {
  readonly firstAt: Date;
  readonly lastAt: Date;
  readonly agentId: string;
  readonly grantId: string | null;
  readonly operation: string;
  readonly symbol: string | null;
  readonly status: number;
  readonly calls: number;
}

/** Logs the calls of token holders, in batches and never while an answer waits. */
export class AuditTrail {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #waitingMax: number;
  #entries = new Map<Holder, Map<string, Entry>>();
  #waiting = 0;
  #dropped = 0;

  constructor(database: Database, clock: Clock, waitingMax = WAITING_MAX) {
    this.#database = database;
    this.#clock = clock;
    this.#waitingMax = waitingMax;
  }

  get waiting(): number {
    return this.#waiting;
  }

  get dropped(): number {
    return this.#dropped;
  }

  note(holder: Holder, operation: string, symbol: string | null, status: number): void {
    const now = this.#clock.now();
    this.#add({ holder, operation, symbol, status, calls: 1, firstAt: now, lastAt: now });
  }

  #add(entry: Entry): void {
    const { holder, operation, symbol, status, calls } = entry;
    const ofHolder = this.#entries.getOrInsertComputed(holder, () => new Map());
    const key = keyOf(operation, symbol, status);
    const earlier = ofHolder.get(key);
    if (earlier !== undefined) {
      earlier.calls += calls;
      earlier.lastAt = Math.max(earlier.lastAt, entry.lastAt);
    } else if (this.#waiting < this.#waitingMax) {
      ofHolder.set(key, entry);
      this.#waiting++;
    } else this.#dropped += calls;
  }

  /** Writes the rows in memory; after a failure they stay there. */
  async save(): Promise<void> {
    const entries = [...this.#entries.values()].flatMap((ofHolder) => [...ofHolder.values()]);
    if (entries.length === 0) return;
    this.#entries = new Map();
    this.#waiting = 0;
    try {
      await insert(this.#database, entries);
      at('audit.saved');
    } catch (error) {
      for (const entry of entries) this.#add(entry);
      throw error;
    }
  }
}

const keyOf = (operation: string, symbol: string | null, status: number): string =>
  `${status} ${operation} ${symbol ?? ''}`;

async function insert(database: Database, entries: readonly Entry[]): Promise<void> {
  await database.write(
    `insert into access_audit (client_id, grant_id, agent_id, operation, symbol, status, calls, first_at, last_at)
     select client_id, grant_id, agent_id, operation, symbol, status, calls,
       to_timestamp(first_at / 1000), to_timestamp(last_at / 1000)
     from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::integer[], $7::bigint[],
       $8::double precision[], $9::double precision[])
       as noted (client_id, grant_id, agent_id, operation, symbol, status, calls, first_at, last_at)`,
    [
      entries.map(({ holder }) => holder.clientId),
      entries.map(({ holder }) => holder.grantId),
      entries.map(({ holder }) => storable(holder.agentId)),
      entries.map(({ operation }) => operation),
      entries.map(({ symbol }) => symbol),
      entries.map(({ status }) => status),
      entries.map(({ calls }) => calls),
      entries.map(({ firstAt }) => firstAt),
      entries.map(({ lastAt }) => lastAt),
    ],
  );
}

/** The store takes neither a zero character nor a lone surrogate. */
const storable = (text: string): string => text.replaceAll('\0', '\uFFFD').toWellFormed();

/** The trail of a client since an instant, newest first. */
export const readAudit = (
  database: Database,
  clientId: string,
  since: Date,
  limit: number,
): Promise<AuditRow[]> =>
  database.query<AuditRow>(
    `select first_at as "firstAt", last_at as "lastAt", agent_id as "agentId", grant_id as "grantId", operation, symbol,
       status, calls
     from access_audit where client_id = $1 and last_at >= $2 order by first_at desc, id desc limit $3`,
    [clientId, since, limit],
  );
