import { at } from '../base/fault-points.ts';
import type { Database } from '../database/database.ts';
import type { Queryable, QueryOptions, Statement } from '../database/queryable.ts';
import type { Firing, Seen } from './judge.ts';
import type { Rule } from './rule.ts';

const instant = (column: string): string => `(extract(epoch from ${column}) * 1000)::double precision`;

/** Names the rules of a market as they are: another one, and some have changed. */
export async function rulesRevision(database: Queryable, simulated: boolean): Promise<string> {
  const [row] = await database.query<{ revision: string }>(
    `select count(*) || ' ' || coalesce(max(changed_at)::text, '') as revision
     from alert_rule where simulated = $1 and not paused`,
    [simulated],
  );
  return row!.revision;
}

/** A rule with what is stored of it. */
export interface KeptRule extends Rule {
  /** Up to where the rules of its market are judged, epoch milliseconds; null where never. */
  readonly judged: number | null;
  /** By symbol what it remembers: as of the minute up to which all are judged, where that is the later. */
  readonly seen: Readonly<Record<string, Seen>>;
}

/** The rules of a market that are not paused. */
export const readRules = (database: Queryable, simulated: boolean): Promise<KeptRule[]> =>
  database.query<KeptRule>(
    `select id, owner, kind, parameters, symbols, hours, repeat, ${instant('since')} as since, ${instant('j.at')} as judged,
       (select coalesce(json_object_agg(s.symbol, json_build_object('at', ${instant('greatest(s.at, j.at)')},
          'tradeDate', s.trade_date, 'state', s.state, 'today', s.today, 'ever', s.ever)), '{}')
        from alert_state s where s.rule = r.id) as seen
     from alert_rule r left join alert_judged j on j.simulated = r.simulated
     where r.simulated = $1 and not paused order by id`,
    [simulated],
  );

/** What judging a minute came to. */
export interface Judged {
  readonly simulated: boolean;
  /** Up to where all rules are judged now, epoch milliseconds; null where some are behind. */
  readonly at: number | null;
  readonly firings: readonly Firing[];
  readonly seen: readonly (Seen & { readonly rule: string; readonly symbol: string })[];
}

export const FIRED_CHANNEL = 'tigraph_alerts';

/** Stores firings with their deliveries, what rules remember and up to where, in one transaction. */
export async function writeJudged(
  database: Pick<Database, 'atomically'>,
  { simulated, at: until, firings, seen }: Judged,
): Promise<void> {
  const statements: Statement[] = [];
  if (seen.length > 0)
    statements.push({
      // A rule that is gone meanwhile remembers nothing; a process that was stopped for a while overwrites nothing newer.
      sql: `insert into alert_state (rule, symbol, at, trade_date, state, today, ever)
       select rule, symbol, to_timestamp(own.at / 1000), "tradeDate", state, today, ever
       from json_to_recordset($1::json) as own (rule uuid, symbol text, at double precision, "tradeDate" date, state json,
         today integer, ever integer)
       join alert_rule r on r.id = own.rule
       on conflict (rule, symbol) do update set at = excluded.at, trade_date = excluded.trade_date, state = excluded.state,
         today = excluded.today, ever = excluded.ever where alert_state.at <= excluded.at`,
      parameters: [JSON.stringify(seen)],
    });
  if (firings.length > 0)
    statements.push(
      {
        sql: `insert into alert_firing (trade_date, id, rule, owner, symbol, at, price, says, sentence)
         select "tradeDate", id, rule, owner, symbol, to_timestamp(at / 1000), price, says, sentence
         from json_to_recordset($1::json) as own (id text, rule uuid, owner text, symbol text, "tradeDate" date,
           at double precision, price double precision, says text, sentence text)
         on conflict do nothing`,
        parameters: [JSON.stringify(firings)],
      },
      {
        // The delivery finds out when it is due: what its owner may see changes meanwhile.
        sql: `insert into alert_outbox (trade_date, firing, receiver, next_at)
         select own."tradeDate", own.id, to_whom.id, '-infinity'
         from json_to_recordset($1::json) as own (id text, rule uuid, "tradeDate" date)
         join alert_rule r on r.id = own.rule
         join alert_receiver to_whom on to_whom.owner = r.owner and to_whom.disabled is null
           and (r.receivers is null or to_whom.id = any(r.receivers))
         on conflict do nothing`,
        parameters: [JSON.stringify(firings)],
      },
      { sql: `select announce($1, '')`, parameters: [FIRED_CHANNEL], announces: true },
    );
  if (until !== null)
    statements.push({
      sql: `insert into alert_judged (simulated, at) values ($1, $2::timestamptz)
       on conflict (simulated) do update set at = greatest(alert_judged.at, excluded.at)`,
      parameters: [simulated, new Date(until).toISOString()],
    });
  if (statements.length === 0) return;
  await database.atomically(statements);
  at('alerts.judged');
}

/** Sentences about a rule that are kept. */
const NOTES_MAX = 20;

/** Says something in the log of rules. */
export async function noteRules(
  database: Queryable,
  rules: readonly string[],
  when: number,
  says: string,
): Promise<void> {
  await database.write(
    `update alert_rule r set notes = (
       select coalesce(json_agg(note order by place), '[]'::json) from (
         select note, place from json_array_elements(r.notes) with ordinality as kept (note, place)
         union all select $2::json, 1000000) as every (note, place)
       where place > json_array_length(r.notes) - ${NOTES_MAX - 1})
     where id = any($1::uuid[])`,
    [rules, JSON.stringify({ at: new Date(when).toISOString(), says })],
  );
}

export interface FiringsWanted {
  /** The client of a token; empty for callers without one. */
  readonly owner: string;
  /** Nothing newer, epoch milliseconds. */
  readonly until: number;
  readonly alert?: string | undefined;
  /** Null for all. */
  readonly symbols: readonly string[] | null;
  readonly tradeDate?: string | undefined;
  readonly limit: number;
  /** Whether with what became of each on its way, which is of the time of day. */
  readonly deliveries?: boolean;
}

/** A stored firing. */
export interface StoredFiring {
  readonly id: string;
  readonly alert: string;
  readonly symbol: string;
  readonly trade_date: string;
  readonly at: Date;
  readonly price: number | null;
  readonly says: string;
  readonly sentence: string;
  /** Null unless asked for. */
  readonly deliveries: readonly object[] | null;
}

/** Firings of an owner up to an instant, newest first; what comes later changes none of them. */
export const readFirings = (
  database: Queryable,
  { owner, until, alert, symbols, tradeDate, limit, deliveries = false }: FiringsWanted,
  options: QueryOptions = {},
): Promise<StoredFiring[]> =>
  database.query<StoredFiring>(
    `select id, rule as alert, symbol, trade_date::text as trade_date, at, price, says, sentence,
       case when $7 then (
         select coalesce(json_agg(json_build_object('receiver', r.id, 'channel', r.channel, 'state', o.state, 'log', o.log)
           order by r.created_at, r.id), '[]')
         from alert_outbox o join alert_receiver r on r.id = o.receiver
         where o.trade_date = f.trade_date and o.firing = f.id) end as deliveries
     from alert_firing f
     where owner = $1 and at <= $2::timestamptz and ($3::uuid is null or rule = $3::uuid)
       and ($4::text[] is null or symbol = any($4::text[])) and ($5::date is null or trade_date = $5::date)
     order by at desc, symbol, id limit $6`,
    [owner, new Date(until), alert ?? null, symbols, tradeDate ?? null, limit, deliveries],
    options,
  );
