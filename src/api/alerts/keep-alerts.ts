import { randomUUID } from 'node:crypto';
import { type RuleContent, sentenceOf } from '../../alerts/rule.ts';
import { readFirings } from '../../alerts/store.ts';
import { wholeMinute } from '../../base/as-of.ts';
import { callerLeft } from '../../base/caller.ts';
import { CodedError, ValidationRefusal } from '../../base/errors.ts';
import { canonicalSymbol } from '../../base/symbols.ts';
import { type Caller, grantedSymbols, ownerOf, visibleInstant } from '../access/viewer.ts';
import { valueFault } from '../answers/refusals.ts';
import type { AppContext } from '../context/app-context.ts';
import { checkRule, type SentRule } from './check-rule.ts';
import { previewAlert } from './preview-alert.ts';
import { ALERTS_MAX } from './schema.ts';

/** A rule as it is sent to be kept. */
export interface SentAlert extends SentRule {
  readonly receivers?: readonly string[] | undefined;
  readonly paused?: boolean | undefined;
  readonly anyway?: boolean | undefined;
}

interface StoredAlert extends RuleContent {
  readonly id: string;
  readonly simulated: boolean;
  readonly receivers: readonly string[] | null;
  readonly paused: boolean;
  readonly notes: readonly { readonly at: string; readonly says: string }[];
  readonly created_at: Date;
  readonly changed_at: Date;
  readonly isStopped: boolean;
  readonly done: number;
  readonly fired: number;
  readonly last_fired_at: Date | null;
}

/** Of firings up to an instant; a grant that has ended stops its rules. */
const ALERTS = `
select a.id, a.kind, a.parameters, a.symbols, a.simulated, a.hours, a.repeat, a.receivers, a.paused, a.notes,
  a.created_at, a.changed_at,
  a.grant_id is not null and not exists (
    select from access_grant g join access_client c on c.id = g.client_id
    where g.id = a.grant_id and g.revoked_at is null and c.revoked_at is null
      and (g.expires_at is null or g.expires_at > clock_timestamp())) as "isStopped",
  (select count(*)::integer from alert_state s where s.rule = a.id and s.ever > 0) as done,
  f.fired, f.last_fired_at
from alert_rule a cross join lateral (
  select count(*)::integer as fired, max(at) as last_fired_at from alert_firing
  where rule = a.id and at <= $2::timestamptz and ($3::text[] is null or symbol = any($3::text[]))) f
where a.owner = $1`;

const until = ({ clock }: Pick<AppContext, 'clock'>, caller: Caller): number =>
  wholeMinute(visibleInstant(caller, clock.now()));

/** The alerts of a caller, oldest first, or the one of an id; of a past minute those that were there with what they had fired. */
export async function listAlerts(context: AppContext, caller: Caller, id: string | null = null) {
  const rows = await context.database.query<StoredAlert>(
    `${ALERTS} and case when $4::uuid is null then $5::boolean or a.since <= $2::timestamptz else a.id = $4::uuid end
     order by a.created_at, a.id`,
    [
      ownerOf(caller) ?? '',
      new Date(until(context, caller)),
      grantedSymbols(caller),
      id,
      caller.asOf === undefined,
    ],
    { signal: callerLeft() },
  );
  return rows.map((row) => wireAlert(row, caller));
}

/** @throws CodedError unknown_alert */
export async function getAlert(context: AppContext, id: string, caller: Caller) {
  const [alert] = await listAlerts(context, caller, id);
  if (alert === undefined) throw unknownAlert(id);
  return alert;
}

const unknownAlert = (id: string) =>
  new CodedError('unknown_alert', `You have no alert ${id}; GET /api/graph/v1/alerts names yours`);

function wireAlert({ isStopped, done, paused, ...row }: StoredAlert, { asOf, symbols: granted }: Caller) {
  const symbols = row.symbols?.filter((symbol) => granted === null || granted.has(symbol)) ?? null;
  const isDone = row.repeat === 'once' && row.symbols !== null && done >= row.symbols.length;
  const state = isStopped ? 'stopped' : paused ? 'paused' : isDone ? 'done' : 'armed';
  // What was written since, or follows from the time of day, is not of a past minute.
  const notes = row.notes.filter(({ at }) => asOf === undefined || Date.parse(at) <= asOf);
  return { ...row, symbols, sentence: sentenceOf({ ...row, symbols }), notes, state };
}

/**
 * Keeps a rule of the caller: a new one, or in place of another. From then on it fires of what its caller has not seen yet.
 *
 * @param id of the rule, new or known; null for a new one of any
 * @throws ValidationRefusal with every fault, and for what can never fire or fires each minute; CodedError unknown_alert,
 *   symbol_not_granted, other_market, conflict
 */
export async function putAlert(context: AppContext, id: string | null, sent: SentAlert, caller: Caller) {
  const owner = ownerOf(caller) ?? '';
  await requireReceivers(context, sent.receivers ?? [], owner);
  const rule = await checkRule(context, sent, caller);
  if (sent.anyway !== true) {
    const { verdict, says } = await previewAlert(context, rule, caller);
    if (verdict === 'never' || verdict === 'often')
      throw new ValidationRefusal([
        valueFault(['body'], sent, `${says} Send it with \`anyway\` to keep it all the same`),
      ]);
  }
  const { content, simulated } = rule;
  const own = id ?? randomUUID();
  const written = await context.database.write<{ id: string }>(
    `with gone as (delete from alert_state s using alert_rule r where s.rule = $1::uuid and r.id = s.rule and r.owner = $2)
     insert into alert_rule (id, owner, kind, parameters, symbols, simulated, hours, repeat, receivers, paused, grant_id,
       delay_ms, since, created_at)
     select $1::uuid, $2, $3, $4::json, $5::text[], $6, $7, $8, $9::uuid[], $10, $11, $12, $13::timestamptz, $14::timestamptz
     where (select count(*) from alert_rule where owner = $2 and id <> $1::uuid) < $15
     on conflict (id) do update set kind = excluded.kind, parameters = excluded.parameters, symbols = excluded.symbols,
       simulated = excluded.simulated, hours = excluded.hours, repeat = excluded.repeat, receivers = excluded.receivers,
       paused = excluded.paused, grant_id = excluded.grant_id, delay_ms = excluded.delay_ms, since = excluded.since,
       changed_at = clock_timestamp() where alert_rule.owner = excluded.owner
     returning id`,
    [
      own,
      owner,
      content.kind,
      JSON.stringify(content.parameters),
      content.symbols,
      simulated,
      content.hours,
      content.repeat,
      sent.receivers ?? null,
      sent.paused ?? false,
      caller.holder?.grantId ?? null,
      caller.delayMs,
      new Date(until(context, caller)),
      new Date(context.clock.now()),
      ALERTS_MAX,
    ],
  );
  if (written.length === 0)
    throw new CodedError(
      'conflict',
      `You have ${ALERTS_MAX} alerts, and no more are kept; delete some, or name several stocks in one`,
    );
  return getAlert(context, own, caller);
}

async function requireReceivers({ database }: AppContext, ids: readonly string[], owner: string) {
  if (ids.length === 0) return;
  const known = await database.query<{ id: string }>(
    'select id from alert_receiver where owner = $1 and id = any($2::uuid[])',
    [owner, ids],
  );
  const unknown = ids.filter((id) => !known.some((one) => one.id === id.toLowerCase()));
  if (unknown.length === 0) return;
  const sentence = 'You have no receiver of this identifier; GET /api/graph/v1/alerts/receivers names yours';
  throw new ValidationRefusal(unknown.map((id) => valueFault(['body', 'receivers'], id, sentence)));
}

/** @throws CodedError unknown_alert */
export async function deleteAlert({ database }: Pick<AppContext, 'database'>, id: string, caller: Caller) {
  const gone = await database.write<{ id: string }>(
    'delete from alert_rule where owner = $1 and id = $2::uuid returning id',
    [ownerOf(caller) ?? '', id],
  );
  if (gone.length === 0) throw unknownAlert(id);
  return { id };
}

/** What a rule would have fired; errors as those of `putAlert`. */
export const previewOf = async (context: AppContext, sent: SentRule, caller: Caller) =>
  previewAlert(context, await checkRule(context, sent, caller), caller);

export interface FiringsRequest {
  readonly alert?: string | undefined;
  readonly symbol?: string | undefined;
  readonly date?: string | undefined;
  readonly limit?: string | undefined;
}

/** What the alerts of a caller fired, newest first, as far as it may see. */
export async function listFirings(
  { clock, database }: Pick<AppContext, 'clock' | 'database'>,
  { alert, symbol, date: tradeDate, limit = '100' }: FiringsRequest,
  caller: Caller,
) {
  const then = until({ clock }, caller);
  const granted = grantedSymbols(caller);
  const named = symbol === undefined ? null : [canonicalSymbol(symbol)];
  const firings = await readFirings(
    database,
    {
      owner: ownerOf(caller) ?? '',
      until: then,
      alert,
      symbols: named?.filter((one) => granted === null || granted.includes(one)) ?? granted,
      tradeDate,
      limit: Number(limit),
      deliveries: caller.asOf === undefined,
    },
    { signal: callerLeft() },
  );
  return { as_of: new Date(then), firings };
}
