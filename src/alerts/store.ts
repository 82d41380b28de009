import { at } from '../base/fault-points.ts';
import type { Database } from '../database/database.ts';
import type { Queryable, Statement } from '../database/queryable.ts';
import type { Firing, Seen } from './judge.ts';
import { type Rule, sentenceOf } from './rule.ts';

/** What a rule knows of its stocks, by symbol. */
export type SeenBySymbol = Map<string, Seen>;

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

/** The rules of a market that are not paused. */
export const readRules = (database: Queryable, simulated: boolean): Promise<Rule[]> =>
  database.query<Rule>(
    `select id, owner, kind, parameters, symbols, hours, repeat, ${instant('since')} as since
     from alert_rule where simulated = $1 and not paused order by id`,
    [simulated],
  );

/** By rule what is stored of it. */
export async function readSeen(database: Queryable, simulated: boolean): Promise<Map<string, SeenBySymbol>> {
  const rows = await database.query<Seen & { readonly rule: string; readonly symbol: string }>(
    `select s.rule, s.symbol, ${instant('s.at')} as at, s.trade_date::text as "tradeDate", s.state, s.today, s.ever
     from alert_state s join alert_rule r on r.id = s.rule where r.simulated = $1 and not r.paused`,
    [simulated],
  );
  const seen = new Map<string, SeenBySymbol>();
  for (const { rule, symbol, ...one } of rows)
    seen.getOrInsertComputed(rule, () => new Map()).set(symbol, one);
  return seen;
}

/** Up to where the rules of a market are judged, epoch milliseconds; null where never. */
export async function readJudged(database: Queryable, simulated: boolean): Promise<number | null> {
  const [row] = await database.query<{ at: number }>(
    `select ${instant('at')} as at from alert_judged where simulated = $1`,
    [simulated],
  );
  return row?.at ?? null;
}

/** What judging a minute came to. */
export interface Judged {
  readonly simulated: boolean;
  /** Up to where all rules are judged now; null where some are behind. */
  readonly at: number | null;
  readonly firings: readonly { readonly rule: Rule; readonly firing: Firing }[];
  readonly seen: readonly { readonly rule: string; readonly symbol: string; readonly seen: Seen }[];
}

export const FIRED_CHANNEL = 'tigraph_alerts';

/** Stores firings with their deliveries, what rules remember and up to where, in one transaction. */
export async function writeJudged(database: Pick<Database, 'atomically'>, judged: Judged): Promise<void> {
  const statements = judgedStatements(judged);
  if (statements.length === 0) return;
  await database.atomically(statements);
  at('alerts.judged');
}

function judgedStatements({ simulated, at, firings, seen }: Judged): Statement[] {
  const statements: Statement[] = [];
  if (seen.length > 0) statements.push(seenUpsert(seen));
  if (firings.length > 0) statements.push(...firingStatements(firings));
  if (at !== null)
    statements.push({
      sql: `insert into alert_judged (simulated, at) values ($1, $2::timestamptz)
       on conflict (simulated) do update set at = greatest(alert_judged.at, excluded.at)`,
      parameters: [simulated, new Date(at).toISOString()],
    });
  return statements;
}

const seenUpsert = (seen: Judged['seen']): Statement => ({
  // A rule that is gone meanwhile remembers nothing; a process that was stopped for a while overwrites nothing newer.
  sql: `insert into alert_state (rule, symbol, at, trade_date, state, today, ever)
   select own.* from unnest($1::uuid[], $2::text[], $3::timestamptz[], $4::date[], $5::json[], $6::integer[], $7::integer[])
     as own (rule, symbol, at, trade_date, state, today, ever)
   join alert_rule r on r.id = own.rule
   on conflict (rule, symbol) do update set at = excluded.at, trade_date = excluded.trade_date, state = excluded.state,
     today = excluded.today, ever = excluded.ever where alert_state.at <= excluded.at`,
  parameters: [
    seen.map(({ rule }) => rule),
    seen.map(({ symbol }) => symbol),
    seen.map((one) => new Date(one.seen.at).toISOString()),
    seen.map((one) => one.seen.tradeDate),
    seen.map((one) => JSON.stringify(one.seen.state)),
    seen.map((one) => one.seen.today),
    seen.map((one) => one.seen.ever),
  ],
});

function firingStatements(fired: Judged['firings']): Statement[] {
  const firings = fired.map(({ firing }) => firing);
  const columns = [
    firings.map((one) => one.tradeDate),
    firings.map((one) => one.id),
    firings.map((one) => one.rule),
  ];
  return [
    {
      sql: `insert into alert_firing (trade_date, id, rule, owner, symbol, at, price, says, sentence)
       select * from unnest($1::date[], $2::text[], $3::uuid[], $4::text[], $5::text[], $6::timestamptz[],
         $7::double precision[], $8::text[], $9::text[])
       on conflict do nothing`,
      parameters: [
        ...columns,
        fired.map(({ rule }) => rule.owner),
        firings.map((one) => one.symbol),
        firings.map((one) => new Date(one.at).toISOString()),
        firings.map((one) => one.price),
        firings.map((one) => one.says),
        fired.map(({ rule }) => sentenceOf(rule)),
      ],
    },
    {
      // The delivery finds out when it is due: what its owner may see changes meanwhile.
      sql: `insert into alert_outbox (trade_date, firing, receiver, next_at)
       select own.trade_date, own.id, to_whom.id, '-infinity'
       from unnest($1::date[], $2::text[], $3::uuid[]) as own (trade_date, id, rule)
       join alert_rule r on r.id = own.rule
       join alert_receiver to_whom on to_whom.owner = r.owner and to_whom.disabled is null
         and (r.receivers is null or to_whom.id = any(r.receivers))
       on conflict do nothing`,
      parameters: columns,
    },
    { sql: `select announce($1, '')`, parameters: [FIRED_CHANNEL], announces: true },
  ];
}

/** Sentences about a rule that are kept. */
const NOTES_MAX = 20;

/** Says something in the log of rules; with null of all of a market. */
export async function noteRules(
  database: Queryable,
  rules: readonly string[],
  at: number,
  says: string,
): Promise<void> {
  await database.write(
    `update alert_rule r set notes = (
       select coalesce(json_agg(note order by place), '[]'::json) from (
         select note, place from json_array_elements(r.notes) with ordinality as kept (note, place)
         union all select $2::json, 1000000) as every (note, place)
       where place > json_array_length(r.notes) - ${NOTES_MAX - 1})
     where id = any($1::uuid[])`,
    [rules, JSON.stringify({ at: new Date(at).toISOString(), says })],
  );
}
