import type { Clock } from '../../base/clock.ts';
import type { Database } from '../../database/database.ts';
import { CodedError } from '../../base/errors.ts';
import type { Holder } from './caller.ts';

const SPAN_MS = { minute: 60_000, day: 86_400_000 } as const;
type Span = keyof typeof SPAN_MS;

/** Calls of a grant within one minute or one day of UTC. */
interface Window {
  readonly grantId: string;
  readonly span: Span;
  /** Epoch milliseconds. */
  readonly begins: number;
  /** Calls that the store knows of, those of other processes included. */
  stored: number;
  /** Calls of this process that the store has not been told of. */
  unsaved: number;
}

/** The windows that run now. */
type Account = Record<Span, Window>;

/**
 * Calls counted against the budgets of grants. The count is in memory, so that a call costs no statement; the store is
 * told every moment and answers with the sum over all processes. A process that is killed forgets the calls since it
 * last told, and several together can overspend by as much.
 */
export class Budgets {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #accounts = new Map<string, Account>();
  readonly #unsaved = new Set<Window>();

  constructor(database: Database, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
  }

  get hasUnsaved(): boolean {
    return this.#unsaved.size > 0;
  }

  /**
   * Counts one call, or refuses it without counting.
   *
   * @throws CodedError budget_exhausted, with `retryAfterS` among its facts
   */
  take(holder: Holder): void {
    if (holder.grantId === null || !isLimited(holder)) return;
    const now = this.#clock.now();
    const account = this.#accountOf(holder.grantId, now);
    refuseBeyond(account.minute, holder.callsPerMinute, now);
    refuseBeyond(account.day, holder.callsPerDay, now);
    for (const window of [account.minute, account.day]) {
      window.unsaved++;
      this.#unsaved.add(window);
    }
  }

  /** Learns what the grant has spent already, in this process's former life or in other processes. */
  async load(holder: Holder): Promise<void> {
    const { grantId } = holder;
    if (grantId === null || !isLimited(holder) || this.#accounts.has(grantId)) return;
    const account = newAccount(grantId, this.#clock.now());
    const rows = await this.#database.query<SpentRow>(
      'select span, begins_at as "beginsAt", calls from access_usage where grant_id = $1',
      [grantId],
    );
    for (const { span, beginsAt, calls } of rows) {
      if (account[span].begins === beginsAt.getTime()) account[span].stored = calls;
    }
    // Another call with a token of the grant may have been quicker.
    if (!this.#accounts.has(grantId)) this.#accounts.set(grantId, account);
  }

  /** Tells the store and learns the sums. What could not be told is told the next time. */
  async save(): Promise<void> {
    const told = [...this.#unsaved].map((window) => ({ window, calls: window.unsaved }));
    this.#unsaved.clear();
    try {
      if (told.length > 0) await this.#tell(told);
    } catch (error) {
      for (const { window } of told) this.#unsaved.add(window);
      throw error;
    }
    this.#letGo();
  }

  async #tell(told: readonly { readonly window: Window; readonly calls: number }[]): Promise<void> {
    const rows = await this.#database.query<SpentRow & { grantId: string }>(
      `insert into access_usage (grant_id, span, begins_at, calls)
       select grant_id, span, to_timestamp(begins / 1000), calls
       from unnest($1::text[], $2::text[], $3::double precision[], $4::bigint[]) as told (grant_id, span, begins, calls)
       on conflict (grant_id, span, begins_at) do update set calls = access_usage.calls + excluded.calls
       returning grant_id as "grantId", span, begins_at as "beginsAt", calls`,
      [
        told.map(({ window }) => window.grantId),
        told.map(({ window }) => window.span),
        told.map(({ window }) => window.begins),
        told.map(({ calls }) => calls),
      ],
    );
    const sums = new Map(
      rows.map(({ grantId, span, beginsAt, calls }) => [`${grantId} ${span} ${beginsAt.getTime()}`, calls]),
    );
    for (const { window, calls } of told) {
      window.unsaved -= calls;
      window.stored = sums.get(`${window.grantId} ${window.span} ${window.begins}`) ?? window.stored + calls;
    }
  }

  #accountOf(grantId: string, now: number): Account {
    const account = this.#accounts.getOrInsertComputed(grantId, () => newAccount(grantId, now));
    for (const span of ['minute', 'day'] as const) {
      if (now >= account[span].begins + SPAN_MS[span]) account[span] = newWindow(grantId, span, now);
    }
    return account;
  }

  /** Accounts of grants that nobody has used today. */
  #letGo(): void {
    const now = this.#clock.now();
    for (const [grantId, { day }] of this.#accounts) {
      if (now >= day.begins + SPAN_MS.day && day.unsaved === 0) this.#accounts.delete(grantId);
    }
  }
}

interface SpentRow {
  readonly span: Span;
  readonly beginsAt: Date;
  readonly calls: number;
}

const isLimited = ({ callsPerMinute, callsPerDay }: Holder): boolean =>
  callsPerMinute !== null || callsPerDay !== null;

const newWindow = (grantId: string, span: Span, now: number): Window => ({
  grantId,
  span,
  begins: now - (now % SPAN_MS[span]),
  stored: 0,
  unsaved: 0,
});

const newAccount = (grantId: string, now: number): Account => ({
  minute: newWindow(grantId, 'minute', now),
  day: newWindow(grantId, 'day', now),
});

function refuseBeyond({ span, begins, stored, unsaved }: Window, limit: number | null, now: number): void {
  if (limit === null || stored + unsaved < limit) return;
  const retryAfterS = Math.max(1, Math.ceil((begins + SPAN_MS[span] - now) / 1_000));
  throw new CodedError(
    'budget_exhausted',
    `The grant allows ${limit} call${limit === 1 ? '' : 's'} a ${span}; the next ${span} begins in ${retryAfterS} s.`,
    { facts: { retryAfterS } },
  );
}
