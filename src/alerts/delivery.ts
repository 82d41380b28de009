import type { Clock } from '../base/clock.ts';
import { at } from '../base/fault-points.ts';
import type { Scope } from '../base/scope.ts';
import type { Database } from '../database/database.ts';
import type { Statement } from '../database/queryable.ts';
import { type Message, NotDelivered, type Notifying, type Sending, type Target } from './channels/channel.ts';
import { CHANNELS, type ChannelName } from './channels/index.ts';
import { type Quiet, quietUntil } from './quiet.ts';
import { FIRED_CHANNEL, noteRules } from './store.ts';

/** Waits before the second attempt and those after it; then a delivery has failed. */
const BACKOFF_MS = [10_000, 60_000, 300_000, 1_800_000, 7_200_000, 21_600_000];
/** A wait is longer by up to this part of it, so that receivers are not asked in step. */
const JITTER = 0.2;
/** Failures in a row after which a receiver is sent nothing any more. */
const FAILURES_MAX = 20;
/** How often the outbox is looked at when nobody says that something fired. */
const POLL_MS = 5_000;
/** Deliveries that are read at once, and attempts that are logged of one. */
const BATCH = 100;
const LOG_MAX = 10;
/** How often a firing is looked at that its owner does not see yet. */
const DELAY_POLL_MS = 60_000;

export interface DeliveryContext {
  readonly database: Database;
  readonly clock: Clock;
  readonly delayMs: number;
  readonly notifying: Notifying;
}

/** A delivery that is due, with all that decides about it. */
interface Due {
  readonly tradeDate: string;
  readonly firing: string;
  readonly receiver: string;
  readonly attempts: number;
  readonly channel: ChannelName;
  readonly target: Target;
  readonly quiet: Quiet | null;
  readonly perDay: number;
  readonly disabled: string | null;
  readonly sentToday: number;
  readonly rule: string | null;
  readonly grantId: string | null;
  readonly isGranted: boolean;
  readonly feed: string | null;
  readonly granted: readonly string[] | null;
  readonly delayMs: number | null;
  readonly symbol: string;
  readonly at: number;
  readonly price: number | null;
  readonly says: string;
  readonly sentence: string;
}

const DUE = `
select o.trade_date::text as "tradeDate", o.firing, o.receiver, json_array_length(o.log) as attempts, t.channel,
  t.target, t.quiet, t.per_day as "perDay", t.disabled, a.id as rule, a.grant_id as "grantId",
  a.delay_ms::double precision as "delayMs", g.feed, g.symbols as granted,
  coalesce(g.revoked_at is null and c.revoked_at is null
    and (g.expires_at is null or g.expires_at > $1::timestamptz), false) as "isGranted",
  f.symbol, (extract(epoch from f.at) * 1000)::double precision as at, f.price, f.says, f.sentence,
  (select count(*)::integer from alert_outbox s where s.receiver = o.receiver and s.state = 'delivered'
    and s.sent_at >= date_trunc('day', $1::timestamptz at time zone 'UTC') at time zone 'UTC') as "sentToday"
from alert_outbox o
join alert_firing f on f.trade_date = o.trade_date and f.id = o.firing
join alert_receiver t on t.id = o.receiver
left join alert_rule a on a.id = f.rule
left join access_grant g on g.id = a.grant_id
left join access_client c on c.id = g.client_id
where o.next_at <= $1::timestamptz and o.receiver <> all($2::uuid[])
order by o.next_at, f.at, o.firing limit ${BATCH}`;

/** What becomes of a delivery. */
interface Fate {
  readonly state: 'waiting' | 'delivered' | 'failed' | 'held';
  /** For the log; null for what is only put off. */
  readonly says: string | null;
  /** When it is due again, epoch milliseconds; null once it has ended. */
  readonly nextAt: number | null;
  /** What its receiver has said of all that goes there; null where nothing was sent. */
  readonly end: NotDelivered['end'] | 'taken' | null;
}

const ended = (state: Fate['state'], says: string, end: Fate['end'] = null): Fate => ({
  state,
  says,
  nextAt: null,
  end,
});
const putOff = (nextAt: number): Fate => ({ state: 'waiting', says: null, nextAt, end: null });

/** Why a delivery is not sent at all; null where nothing keeps it back. */
function heldBecause(due: Due): string | null {
  if (due.disabled !== null) return `the receiver is disabled: ${due.disabled}`;
  if (due.rule === null) return 'its alert was deleted';
  if (due.grantId !== null && !due.isGranted) return 'the grant of its owner has expired or was revoked';
  if (due.granted !== null && !due.granted.some((symbol) => symbol.toUpperCase() === due.symbol))
    return `the grant of its owner does not cover ${due.symbol}`;
  if (due.sentToday >= due.perDay) return `the budget of ${due.perDay} a day is used up`;
  return null;
}

/**
 * Sends what has fired, for the one process that has the lease: at least once, each time under the firing's id. A receiver
 * that hangs or fails holds up itself alone.
 */
export class AlertDelivery {
  readonly #context: DeliveryContext;
  readonly #scope: Scope;
  readonly #onError: (error: unknown) => void;
  /** Receivers that are being sent to. */
  readonly #busy = new Set<string>();
  #isLooking = false;
  #again = false;

  constructor(scope: Scope, context: DeliveryContext, onError: (error: unknown) => void) {
    this.#scope = scope;
    this.#context = context;
    this.#onError = onError;
  }

  /** Sends until the scope closes. */
  async begin(): Promise<void> {
    const { database } = this.#context;
    const stop = await database.listen(
      FIRED_CHANNEL,
      () => this.look(),
      () => this.look(),
    );
    this.#scope.signal.addEventListener('abort', stop, { once: true });
    this.#scope.every(POLL_MS, 'delivering alerts', () => this.#look());
    this.look();
  }

  /** Looks at the outbox now. */
  look(): void {
    if (!this.#scope.signal.aborted)
      this.#scope.run('delivering alerts', () => this.#look()).catch(this.#onError);
  }

  async #look(): Promise<void> {
    if (this.#isLooking) {
      this.#again = true;
      return;
    }
    this.#isLooking = true;
    try {
      const now = new Date(this.#scope.timers.now());
      const due = await this.#context.database.query<Due>(DUE, [now, [...this.#busy]]);
      for (const [receiver, own] of Map.groupBy(due, (one) => one.receiver)) {
        this.#busy.add(receiver);
        this.#scope
          .run(`delivering to ${receiver}`, () => this.#deliver(own))
          .catch(this.#onError)
          .finally(() => {
            this.#busy.delete(receiver);
            if (due.length === BATCH) this.look();
          });
      }
    } catch (error) {
      this.#onError(error);
    } finally {
      this.#isLooking = false;
      if (this.#again) {
        this.#again = false;
        this.look();
      }
    }
  }

  /** Deliveries to one receiver in their order, up to the first that fails: the others wait as long. */
  async #deliver(deliveries: readonly Due[]): Promise<void> {
    let sent = deliveries[0]!.sentToday;
    for (const due of deliveries) {
      const fate = await this.#fateOf({ ...due, sentToday: sent });
      await this.#settle(due, fate);
      if (fate.state === 'delivered') sent++;
      else if (fate.end !== null) return;
    }
  }

  async #fateOf(due: Due): Promise<Fate> {
    const { clock, delayMs, notifying, database } = this.#context;
    const { timers } = this.#scope;
    const held = heldBecause(due);
    if (held !== null) return ended('held', held);
    const delay = Math.max(due.delayMs ?? 0, due.feed === 'delayed' ? delayMs : 0);
    const hiddenMs = due.at + delay - clock.now();
    const now = timers.now();
    // The market's clock may run at another speed.
    if (hiddenMs > 0) return putOff(now + Math.min(hiddenMs, DELAY_POLL_MS));
    const quiet = due.quiet === null ? null : quietUntil(due.quiet, now);
    if (quiet !== null) return putOff(quiet);
    const sending: Sending = { database, notifying, timers };
    try {
      await CHANNELS[due.channel].send(due.target, messageOf(due, notifying), sending);
      at('alerts.attempted');
      return ended('delivered', 'delivered', 'taken');
    } catch (error) {
      if (!(error instanceof NotDelivered)) throw error;
      const { end, message } = error;
      const wait = BACKOFF_MS[due.attempts];
      if (end !== 'retried' || wait === undefined) return ended('failed', message, end);
      const nextAt = now + wait * (1 + JITTER * fraction(due.firing));
      return { state: 'waiting', says: message, nextAt, end };
    }
  }

  async #settle(due: Due, { state, says, nextAt, end }: Fate): Promise<void> {
    const { database } = this.#context;
    const now = new Date(this.#scope.timers.now());
    const next = nextAt === null ? null : new Date(nextAt);
    const note = says === null ? null : JSON.stringify([{ at: now.toISOString(), says }]);
    const statements: Statement[] = [
      {
        sql: `update alert_outbox set state = $4, next_at = $5::timestamptz,
           sent_at = case when $4 = 'delivered' then $6::timestamptz else sent_at end,
           log = case when $7::text is null or json_array_length(log) >= ${LOG_MAX} then log else (log::jsonb || $7::jsonb)::json end
         where trade_date = $1::date and firing = $2 and receiver = $3::uuid`,
        parameters: [due.tradeDate, due.firing, due.receiver, state, next, now, note],
      },
    ];
    if (end === 'removed')
      statements.push({
        sql: 'delete from alert_receiver where id = $1::uuid',
        parameters: [due.receiver],
      });
    else if (end !== null)
      statements.push({
        sql: `update alert_receiver set failures = case when $2 then failures + 1 else 0 end,
           disabled = case when $3 then $4 when $2 and failures + 1 >= ${FAILURES_MAX}
             then '${FAILURES_MAX} deliveries in a row failed, at last: ' || $4 else disabled end
         where id = $1::uuid`,
        parameters: [due.receiver, end !== 'taken', end === 'disabled', says],
      });
    if (end === 'retried' && next !== null)
      statements.push({
        sql: `update alert_outbox set next_at = greatest(next_at, $2::timestamptz)
         where receiver = $1::uuid and next_at is not null`,
        parameters: [due.receiver, next],
      });
    await database.atomically(statements);
    at('alerts.delivered');
    if (due.rule !== null && (state === 'failed' || state === 'held'))
      await noteRules(database, [due.rule], now.getTime(), `Not delivered by ${due.channel}: ${says}.`);
  }
}

/** A number from 0 to 1 that follows from a text. */
const fraction = (text: string): number =>
  [...text].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 1_000, 7) / 1_000;

function messageOf(due: Due, { publicUrl }: Notifying): Message {
  const at = new Date(due.at).toISOString();
  const { firing, rule, symbol, tradeDate, price, sentence } = due;
  const path = `/stocks/${encodeURIComponent(symbol)}?as_of=${at}`;
  const link = publicUrl === undefined ? null : publicUrl + path;
  const says = `${symbol}: ${due.says}`;
  return {
    id: firing,
    type: 'alert.fired',
    timestamp: at,
    subject: says,
    path,
    data: { id: firing, alert: rule, symbol, trade_date: tradeDate, at, price, says, sentence, link },
  };
}
