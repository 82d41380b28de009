import { hash } from 'node:crypto';
import { chunks } from '../base/chunks.ts';
import { at } from '../base/fault-points.ts';
import { factsAnnouncement } from '../database/changes.ts';
import type { Database, Queryable, QueryOptions, Statement } from '../database/database.ts';
import { ofMarket } from '../database/symbol-market.ts';
import type { EdgedTopology } from '../derive/peer-topology.ts';
import { columns } from './columns.ts';
import { nodeId } from './identity.ts';

/** Identifies a stored topology. */
export interface TopologyName {
  /** The first day of its month; it follows from the sessions before. */
  readonly month: string;
  /** Equal digests, equal bytes. */
  readonly digest: string;
  /** Epoch milliseconds. */
  readonly builtAt: number;
}

/** Topologies whose bytes stay: the newest, which readers may be loading, and the last built. */
const NEWEST_STORED = 3;
const LAST_BUILT_STORED = 12;
/** Rows of one statement: some hundredths of a second of the embedded database. */
const ROWS_AT_ONCE = 1_000;
const DAYS_A_STATEMENT = 100;
const EDGE_TYPE = 'PEER_OF';
/** Writers stamp rows before they commit: a claim within this time of the stamp may not have read them. */
const COMMIT_WITHIN = `interval '10 minutes'`;
/** Dirty ranges of these kinds can move returns, ties or events of every date from their first day on. */
const MOVED = `t.kind in ('bars-1d', 'action', 'fact') and t.first_day + date '1970-01-01'`;

/** Of a market; null before its first one is built. */
export async function newestTopology(
  database: Queryable,
  simulated: boolean,
  options: QueryOptions = {},
): Promise<TopologyName | null> {
  const [row] = await database.query<TopologyName>(
    `select month::text as month, digest, (extract(epoch from built_at) * 1000)::bigint as "builtAt"
     from peer_topology where packed is not null and simulated = $1 order by month desc limit 1`,
    [simulated],
    options,
  );
  return row ?? null;
}

/** The bytes in memory that threads share; null when a newer topology has replaced it. */
export async function readTopology(database: Queryable, digest: string): Promise<Uint8Array | null> {
  const [row] = await database.query<{ packed: Uint8Array }>(
    'select packed from peer_topology where digest = $1 and packed is not null limit 1',
    [digest],
  );
  return row === undefined ? null : shared(row.packed);
}

function shared(packed: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(new SharedArrayBuffer(packed.length));
  bytes.set(packed);
  return bytes;
}

/** The bytes of a month's topology, when stored and nothing that it follows from is dirty since. */
export async function topologyOfMonth(
  database: Queryable,
  simulated: boolean,
  month: string,
): Promise<Uint8Array | null> {
  const [row] = await database.query<{ packed: Uint8Array }>(
    `select packed from peer_topology k where simulated = $2 and month = $1::date and packed is not null and not exists (
       select from tape_touched t where ${MOVED} <= k.window_to and t.touched_at + ${COMMIT_WITHIN} > k.packed_at)`,
    [month, simulated],
  );
  return row === undefined ? null : shared(row.packed);
}

/** The newest day (since 1970-01-01, up to a bound) with a daily bar of any stock of a market, or of both; or null. */
export async function newestTradeDay(
  database: Queryable,
  simulated: boolean | null,
  bound: number,
): Promise<number | null> {
  const [row] = await database.query<{ day: number | null }>(
    `select greatest(
       (select max(least(last_day, $1::bigint)) from tape_slice s where kind = 'bars-1d' and first_day <= $1::bigint
         and ($2::boolean is null or ${ofMarket('s.symbol', '$2')})),
       (select max(time / 86400000) from running_row where kind = 'bars-1d' and time / 86400000 <= $1::bigint
         and ($2::boolean is null or simulated = $2))) as day`,
    [bound, simulated],
  );
  return row?.day ?? null;
}

/** The first day (since 1970-01-01) with a daily bar of any stock of a market in a file; null without any. */
export async function oldestTradeDay(database: Queryable, simulated: boolean): Promise<number | null> {
  const [row] = await database.query<{ day: number | null }>(
    `select min(first_day) as day from tape_slice s where kind = 'bars-1d' and ${ofMarket('s.symbol', '$1')}`,
    [simulated],
  );
  return row?.day ?? null;
}

/** Dates without divergences. */
export async function unmeasuredDates(database: Queryable, dates: readonly string[]): Promise<string[]> {
  const rows = await database.query<{ date: string }>(
    `select date::text from unnest($1::date[]) as date
     where not exists (select from peer_session s where s.trade_date = date and s.changed_at is not null) order by date`,
    [dates],
  );
  return rows.map((row) => row.date);
}

/** Dates to measure: with stock-days without divergences, dirty data since, or an unfinished measurement. */
export async function datesToMeasure(database: Queryable): Promise<string[]> {
  const rows = await database.query<{ date: string }>(
    // Markets of other dates are stored for histories.
    `select m.trade_date::text as date from market_day m
     where exists (select from stock_day d where d.trade_date = m.trade_date)
       and not exists (select from peer_session s where s.trade_date = m.trade_date and s.changed_at is not null)
     union
     select s.trade_date::text from peer_session s where s.pending or exists (
       select from tape_touched t where ${MOVED} <= s.trade_date and t.touched_at + ${COMMIT_WITHIN} > s.claimed_at)
     order by date`,
  );
  return rows.map((row) => row.date);
}

/**
 * Claims dates before their data is read: of several processes the last to claim, which read the newest data, writes.
 */
export async function claimDates(
  database: Queryable,
  dates: readonly string[],
  claim: string,
): Promise<void> {
  await database.write(
    `insert into peer_session (trade_date, claim) select date, $2::uuid from unnest($1::date[]) as date
     on conflict (trade_date) do update set claim = excluded.claim, claimed_at = clock_timestamp(), pending = true`,
    [dates, claim],
  );
  at('peers.claimed');
}

/**
 * Stores a topology of a market while any of its dates is still claimed; the newest becomes the `PEER_OF` edges of its
 * stocks.
 */
export async function writeTopology(
  database: Database,
  simulated: boolean,
  built: EdgedTopology,
  dates: readonly string[],
  claim: string,
): Promise<void> {
  await database.transaction(async (transaction) => {
    const claimed = await transaction.query(
      'select 1 from peer_session where trade_date = any($1::date[]) and claim = $2::uuid limit 1 for update',
      [dates, claim],
    );
    if (claimed.length === 0) return;
    const isNew = await writeName(transaction, simulated, built);
    await dropOldBytes(transaction, simulated);
    const newest = await newestTopology(transaction, simulated);
    if (isNew && newest?.month === built.month) await writeEdges(transaction, simulated, built);
  });
  at('topology.committed');
}

/** @returns false when the same topology was stored already */
async function writeName(
  database: Queryable,
  simulated: boolean,
  { month, windowTo, stocks, packed, edges }: EdgedTopology,
): Promise<boolean> {
  const digest = packed === null ? '' : hash('sha1', packed);
  const rows = await database.write<{ changed: boolean }>(
    `insert into peer_topology (simulated, month, window_to, stocks, edges, digest, packed)
     values ($7, $1::date, $2::date, $3, $4, $5, $6)
     on conflict (simulated, month) do update set stocks = excluded.stocks, edges = excluded.edges, digest = excluded.digest,
       packed = excluded.packed, packed_at = excluded.packed_at,
       built_at = case when peer_topology.digest = excluded.digest then peer_topology.built_at else clock_timestamp() end
     returning (select known.digest from peer_topology known
       where known.simulated = $7 and known.month = $1::date) is distinct from $5 as changed`,
    [month, windowTo, stocks, edges, digest, packed === null ? null : Buffer.from(packed), simulated],
  );
  return rows[0]!.changed;
}

async function dropOldBytes(database: Queryable, simulated: boolean): Promise<void> {
  await database.write(
    `with stored as (select month, packed_at from peer_topology where packed is not null and simulated = $3)
     update peer_topology set packed = null where packed is not null and simulated = $3
       and month not in (select month from stored order by month desc limit $1)
       and month not in (select month from stored order by packed_at desc limit $2)`,
    [NEWEST_STORED, LAST_BUILT_STORED, simulated],
  );
}

/**
 * Stores the divergences of a date, a few in one transaction, while it is still claimed. Unchanged ones are skipped;
 * the date is stale after a change and on its first time. Caches are notified at the end; until then the date is
 * pending, so that a crash is repaired by measuring again.
 */
export async function writePeerDays(
  database: Database,
  tradeDate: string,
  days: ReadonlyMap<string, string>,
  claim: string,
): Promise<void> {
  const isFirst = (await unmeasuredDates(database, [tradeDate])).length > 0;
  const changed = await changedDays(database, tradeDate, days);
  for (const part of chunks(changed, DAYS_A_STATEMENT)) {
    await database.atomically([daysUpsert(tradeDate, part, claim)]);
    at('peer-days.committed');
  }
  // Once measured, a date changes also for stocks without a divergence.
  const symbols = isFirst ? null : changed.map(({ symbol }) => symbol);
  await database.atomically([
    {
      sql: `update peer_session set pending = false, unsettled = unsettled or $3 or changed_at is null,
         changed_at = case when $3 or changed_at is null then clock_timestamp() else changed_at end
       where trade_date = $1::date and claim = $2::uuid`,
      parameters: [tradeDate, claim, changed.length > 0],
    },
    ...(symbols?.length === 0 ? [] : [factsAnnouncement(symbols, [tradeDate])]),
  ]);
  at('peers.measured');
}

interface ChangedDay {
  readonly symbol: string;
  /** Null when the stock has no divergence any more. */
  readonly value: string | null;
}

/** Stocks whose divergence on a date is new, changed or gone. */
async function changedDays(
  database: Queryable,
  tradeDate: string,
  days: ReadonlyMap<string, string>,
): Promise<ChangedDay[]> {
  const rows = await database.query<ChangedDay>(
    'select symbol, value from peer_day where trade_date = $1::date',
    [tradeDate],
  );
  const stored = new Map(rows.map(({ symbol, value }) => [symbol, value]));
  const put = [...days].filter(([symbol, value]) => stored.get(symbol) !== value);
  const gone = rows.filter(({ symbol, value }) => value !== null && !days.has(symbol));
  return [
    ...put.map(([symbol, value]) => ({ symbol, value })),
    ...gone.map(({ symbol }) => ({ symbol, value: null })),
  ];
}

/** Writes nothing once another process has claimed the date. */
const daysUpsert = (tradeDate: string, days: readonly ChangedDay[], claim: string): Statement => ({
  sql: `insert into peer_day (trade_date, symbol, value)
   select s.trade_date, day.symbol, day.value
   from unnest($2::text[], $3::text[]) as day (symbol, value)
   join (select trade_date from peer_session where trade_date = $1::date and claim = $4::uuid for update) s on true
   on conflict (trade_date, symbol) do update set value = excluded.value`,
  parameters: [tradeDate, ...columns(days, ['symbol', 'value']), claim],
});

/** Both ends of an edge are of one market. */
export async function dropPeerEdges(database: Queryable, simulated: boolean): Promise<void> {
  await database.write(
    `delete from edge e using node n
     where e.type = $1 and n.id = e.source and ${ofMarket('n.key', '$2')}`,
    [EDGE_TYPE, simulated],
  );
}

/** One edge for each pair, from the earlier symbol to the later. */
async function writeEdges(
  database: Queryable,
  simulated: boolean,
  { readEdges, windowFrom, windowTo }: EdgedTopology,
): Promise<void> {
  await dropPeerEdges(database, simulated);
  const edges = readEdges();
  const symbols = [...new Set(edges.flatMap(({ one, other }) => [one, other]))];
  const ids = new Map(symbols.map((symbol) => [symbol, nodeId('Stock', symbol)]));
  await database.write(
    `insert into node (id, label, key, props)
     select id, 'Stock', key, props from unnest($1::uuid[], $2::text[], $3::json[]) as stock (id, key, props)
     on conflict (id) do nothing`,
    [symbols.map((symbol) => ids.get(symbol)), symbols, symbols.map((symbol) => JSON.stringify({ symbol }))],
  );
  for (const part of chunks(edges, ROWS_AT_ONCE)) {
    await database.write(
      `insert into edge (source, type, target, props, valid_from, valid_to)
       select source, $1, target, props, $5::date, $6::date
       from unnest($2::uuid[], $3::uuid[], $4::json[]) as edge (source, target, props)`,
      [
        EDGE_TYPE,
        part.map(({ one }) => ids.get(one)),
        part.map(({ other }) => ids.get(other)),
        part.map(({ weight, correlation, reasons }) => JSON.stringify({ weight, correlation, reasons })),
        windowFrom,
        windowTo,
      ],
    );
  }
}
