import type { Clock } from '../../base/clock.ts';
import { DAY_MS, MINUTE_MS } from '../../base/dates.ts';
import { CodedError } from '../../base/errors.ts';
import { at } from '../../base/fault-points.ts';
import type { Database } from '../../database/database.ts';
import type { Holder } from './viewer.ts';

const SPAN_MS = { minute: MINUTE_MS, day: DAY_MS } as const;
type Span = keyof typeof SPAN_MS;

/** Calls of a grant in one minute or one day, UTC. */
interface Window {
  readonly grantId: string;
  readonly span: Span;
  /** Epoch milliseconds. */
  readonly begins: number;
  /** Calls in the store, of all processes. */
  stored: number;
  /** Calls of this process that are not in the store yet. */
  unsaved: number;
}

type Account = Record<Span, Window>;

/**
 * Counts calls against the budgets of grants, in memory so that a call costs no statement. Each flush adds them to the
 * store and reads the sums over all processes. A killed process loses the calls since its last flush, and several
 * processes can overspend by as much.
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

  /** Reads what the grant has spent before this process first saw it. */
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
    // A concurrent call may have loaded it.
    if (!this.#accounts.has(grantId)) this.#accounts.set(grantId, account);
  }

  /** Adds unsaved calls to the store and reads the sums; after a failure the next flush adds them. */
  async save(): Promise<void> {
    const batch = [...this.#unsaved].map((window) => ({ window, calls: window.unsaved }));
    this.#unsaved.clear();
    try {
      if (batch.length > 0) await this.#write(batch);
      at('usage.saved');
    } catch (error) {
      for (const { window } of batch) this.#unsaved.add(window);
      throw error;
    }
    this.#deleteIdle();
  }

  async #write(batch: readonly { readonly window: Window; readonly calls: number }[]): Promise<void> {
    const rows = await this.#database.write<SpentRow & { grantId: string }>(
      `insert into access_usage (grant_id, span, begins_at, calls)
       select grant_id, span, to_timestamp(begins / 1000), calls
       from unnest($1::text[], $2::text[], $3::double precision[], $4::bigint[]) as batch (grant_id, span, begins, calls)
       on conflict (grant_id, span, begins_at) do update set calls = access_usage.calls + excluded.calls
       returning grant_id as "grantId", span, begins_at as "beginsAt", calls`,
      [
        batch.map(({ window }) => window.grantId),
        batch.map(({ window }) => window.span),
        batch.map(({ window }) => window.begins),
        batch.map(({ calls }) => calls),
      ],
    );
    const sums = new Map(
      rows.map(({ grantId, span, beginsAt, calls }) => [`${grantId} ${span} ${beginsAt.getTime()}`, calls]),
    );
    for (const { window, calls } of batch) {
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

  #deleteIdle(): void {
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
