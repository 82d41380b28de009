import { hash } from 'node:crypto';
import type { Database, Queryable } from '../base/database.ts';
import type { BuiltTopology } from '../base/peer-topology.ts';
import { nodeId } from './identity.ts';

/** A kept topology by its name. */
export interface TopologyName {
  /** The date whose returns it is for; it follows from the sessions before. */
  readonly tradeDate: string;
  /** Names the content: equal digests, equal bytes. */
  readonly digest: string;
  /** Epoch milliseconds. */
  readonly builtAt: number;
}

/** Topologies whose bytes are kept: the one in use, and those that a reader may still be loading. */
const PACKED_KEPT = 3;
/** Rows of one statement; keeps the parameters of any universe within a few megabytes. */
const ROWS_AT_ONCE = 1_000;
const EDGE_TYPE = 'PEER_OF';

/** The newest topology that can be loaded; null where none has been built. */
export async function newestTopology(
  database: Queryable,
  options: { readonly signal?: AbortSignal } = {},
): Promise<TopologyName | null> {
  const [row] = await database.query<TopologyName>(
    `select trade_date::text as "tradeDate", digest, (extract(epoch from built_at) * 1000)::bigint as "builtAt"
     from peer_topology where packed is not null order by trade_date desc limit 1`,
    [],
    options,
  );
  return row ?? null;
}

/** The bytes of a topology, in memory that threads can share; null once a newer one has taken its place. */
export async function readTopology(database: Queryable, digest: string): Promise<Uint8Array | null> {
  const [row] = await database.query<{ packed: Uint8Array }>(
    'select packed from peer_topology where digest = $1 and packed is not null limit 1',
    [digest],
  );
  if (row === undefined) return null;
  const shared = new Uint8Array(new SharedArrayBuffer(row.packed.length));
  shared.set(row.packed);
  return shared;
}

/** The newest day, since 1970-01-01 and up to a bound, that a stock may have a daily bar of; null on an empty tape. */
export async function newestTradeDay(database: Queryable, bound: number): Promise<number | null> {
  const [row] = await database.query<{ day: number | null }>(
    `select greatest(
       (select max(least(last_day, $1::bigint)) from tape_slice where kind = 'bars-1d' and first_day <= $1::bigint),
       (select max(time / 86400000) from running_row where kind = 'bars-1d' and time / 86400000 <= $1::bigint)) as day`,
    [bound],
  );
  return row?.day ?? null;
}

/** Dates of which peers have been derived. */
export async function peerDates(database: Queryable): Promise<string[]> {
  const rows = await database.query<{ date: string }>(
    'select trade_date::text as date from peer_topology order by trade_date',
  );
  return rows.map((row) => row.date);
}

/**
 * Keeps a topology and the divergences of its date in one transaction. What has not changed is left alone; the date is
 * unsettled where a divergence has. The newest topology becomes the `PEER_OF` edges of the graph.
 */
export async function writeTopology(database: Database, built: BuiltTopology): Promise<void> {
  await database.transaction(async (transaction) => {
    const changed = await writeDays(transaction, built);
    const digest = built.packed === null ? '' : hash('sha1', built.packed);
    const isNew = await writeName(transaction, built, digest, changed);
    const newest = await newestTopology(transaction);
    if (!isNew || newest?.tradeDate !== built.tradeDate) return;
    await dropOldBytes(transaction);
    await writeEdges(transaction, built);
  });
}

/** @returns false when the same topology was there already */
async function writeName(
  database: Queryable,
  { tradeDate, stocks, packed, edges }: BuiltTopology,
  digest: string,
  unsettled: boolean,
): Promise<boolean> {
  const rows = await database.query(
    `insert into peer_topology (trade_date, stocks, edges, digest, packed, unsettled)
     values ($1::date, $2, $3, $4, $5, $6)
     on conflict (trade_date) do update set stocks = excluded.stocks, edges = excluded.edges, digest = excluded.digest,
       packed = excluded.packed, unsettled = peer_topology.unsettled or excluded.unsettled,
       built_at = case when peer_topology.digest = excluded.digest then peer_topology.built_at else clock_timestamp() end
     returning (select known.digest from peer_topology known where known.trade_date = $1::date) is distinct from $4 as changed`,
    [tradeDate, stocks, edges.length, digest, packed === null ? null : Buffer.from(packed), unsettled],
  );
  return (rows[0] as { changed: boolean }).changed;
}

async function dropOldBytes(database: Queryable): Promise<void> {
  await database.query(
    `update peer_topology set packed = null where packed is not null and trade_date < (
       select min(trade_date) from (
         select trade_date from peer_topology where packed is not null order by trade_date desc limit $1) as kept)`,
    [PACKED_KEPT],
  );
}

/** @returns whether any divergence is new, changed or gone */
async function writeDays(database: Queryable, { tradeDate, days }: BuiltTopology): Promise<boolean> {
  let changed = 0;
  const entries = [...days];
  for (let at = 0; at < entries.length; at += ROWS_AT_ONCE) {
    const part = entries.slice(at, at + ROWS_AT_ONCE);
    const rows = await database.query(
      `insert into peer_day (trade_date, symbol, value)
       select $1::date, symbol, value from unnest($2::text[], $3::text[]) as day (symbol, value)
       on conflict (trade_date, symbol) do update set value = excluded.value, derived_at = clock_timestamp()
       where peer_day.value is distinct from excluded.value
       returning 1`,
      [tradeDate, part.map(([symbol]) => symbol), part.map(([, value]) => value)],
    );
    changed += rows.length;
  }
  const gone = await database.query(
    `update peer_day set value = null, derived_at = clock_timestamp()
     where trade_date = $1::date and value is not null and symbol <> all($2::text[]) returning 1`,
    [tradeDate, [...days.keys()]],
  );
  return changed + gone.length > 0;
}

/** Each pair once, from the earlier symbol to the later: a peer is one both ways. */
async function writeEdges(
  database: Queryable,
  { edges, windowFrom, windowTo }: BuiltTopology,
): Promise<void> {
  await database.query('delete from edge where type = $1', [EDGE_TYPE]);
  const symbols = [...new Set(edges.flatMap(({ one, other }) => [one, other]))];
  const ids = new Map(symbols.map((symbol) => [symbol, nodeId('Stock', symbol)]));
  await database.query(
    `insert into node (id, label, key, props)
     select id, 'Stock', key, props from unnest($1::uuid[], $2::text[], $3::json[]) as stock (id, key, props)
     on conflict (id) do nothing`,
    [symbols.map((symbol) => ids.get(symbol)), symbols, symbols.map((symbol) => JSON.stringify({ symbol }))],
  );
  for (let at = 0; at < edges.length; at += ROWS_AT_ONCE) {
    const part = edges.slice(at, at + ROWS_AT_ONCE);
    await database.query(
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
