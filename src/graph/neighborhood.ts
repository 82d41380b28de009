import type { Queryable, QueryOptions } from '../database/database.ts';
import type { StockDay } from '../derive/stock-day.ts';
import { stockDayId } from './identity.ts';
import { searchedSince } from './months.ts';

/** Types of edges to nodes of one stock-day alone, which follow from its facts. */
export const LEAF_TYPES = ['EXHIBITS', 'HAS_EVENT', 'HAS_LEVEL'] as const satisfies EdgeType[];

/** Types of stored edges; the peers of a date are in `peer_day`. A walk keeps to edges of its own date. */
export type StoredEdge = Exclude<EdgeType, 'PEER_OF' | (typeof LEAF_TYPES)[number]>;

/** Every type of edge, in the order of equal edges. */
export const EDGE_TYPES = [
  'OF',
  'IN_SECTOR',
  'IN_INDUSTRY',
  'PEER_OF',
  'EXPOSED_TO',
  'MATCHES',
  'EXHIBITS',
  'HAS_EVENT',
  'MENTIONED_IN',
  'HAS_LEVEL',
  'ON',
] as const;
export type EdgeType = (typeof EDGE_TYPES)[number];

/**
 * The newest stock-day of a symbol up to a date, or the one of the date, with edges no newer than an instant.
 *
 * @param exact whether only the date itself counts
 */
export async function findStockDay(
  database: Queryable,
  symbol: string,
  { date, exact, visible }: { readonly date: string; readonly exact: boolean; readonly visible: number },
  options: QueryOptions = {},
): Promise<Pick<StockDay, 'tradeDate' | 'asOf'> | null> {
  for (const since of exact ? [date] : searchedSince(database, date)) {
    const [row] = await database.query<{ tradeDate: string; asOf: Date }>(
      `select d.trade_date::text as "tradeDate", d.as_of as "asOf" from stock_day d
       where d.symbol = $1 and d.trade_date <= $2::date and d.trade_date >= $3::date and d.as_of <= $4::timestamptz
         and exists (select from node n where n.label = 'StockDay' and n.key = d.symbol || '|' || d.trade_date::text)
       order by d.trade_date desc limit 1`,
      [symbol, date, since, new Date(visible).toISOString()],
      options,
    );
    if (row !== undefined) return { tradeDate: row.tradeDate, asOf: row.asOf.getTime() };
  }
  return null;
}

export interface WalkRules {
  /** Only edges of this date count. */
  readonly date: string;
  readonly types: readonly StoredEdge[];
  /** Excludes stock-days with edges newer than this instant, epoch milliseconds; null without a limit. */
  readonly visible: number | null;
  /** Only stock-days of these symbols; null for all. */
  readonly symbols: ReadonlySet<string> | null;
}

/** An edge and its far end, as seen from a ring. Ends are node ids. */
interface RingEdge {
  readonly type: StoredEdge;
  readonly source: string;
  readonly target: string;
  readonly props: Readonly<Record<string, unknown>> | null;
  /** The node outside the ring; null when both ends are in it. */
  readonly far: RingNode | null;
}

interface RingNode {
  readonly id: string;
  readonly label: string;
  readonly key: string;
  readonly props: Readonly<Record<string, unknown>>;
  readonly type: StoredEdge;
  /** Rank among the new nodes of that type, the most important first, from 1. */
  readonly rank: number;
}

export interface Ring {
  readonly edges: readonly RingEdge[];
  /** New nodes by the best type of edge to them, also those beyond the limit. */
  readonly found: ReadonlyMap<StoredEdge, number>;
  /** Types of which a node of the ring had more edges than were read. */
  readonly cut: ReadonlySet<StoredEdge>;
}

/** Edges of one type that are read of a hub such as a session. */
const HUB_EDGES_MAX = 1_000;

/**
 * One ring further: every edge of the ring's nodes, and the best new nodes of each type at their far ends. The
 * importance of an edge is one of its properties, e.g. the relevance of a text. Edges into a hub are read in index
 * order, which bounds the cost of a session with ten thousand stock-days; `coalesce` keeps the planner from looking up each
 * visible stock-day at each node.
 */
const RING = `
with ring as (
  select id, place from unnest($1::uuid[]) with ordinality as ring (id, place)
), step as (
  select ring.place, e.type, e.source, e.target, e.target as far, e.props, false as cut
  from ring join edge e on e.source = ring.id
  where e.type = any($3::text[]) and e.valid_from = $4::date
  union all
  select ring.place, e.type, e.source, e.target, e.source, e.props, e.row > $8::integer
  from ring cross join unnest($3::text[]) as wanted (type) cross join lateral (
    select e.*, row_number() over () as row from (
      select * from edge e
      where e.target = ring.id and e.type = wanted.type and e.valid_from = $4::date
        and coalesce(e.source = any($6::uuid[]), true)
        and ($5::timestamptz is null or exists (
          select from node n join stock_day d on d.symbol = split_part(n.key, '|', 1) and d.trade_date = $4::date
          where n.id = e.source and d.as_of <= $5::timestamptz))
      order by e.source limit $8::integer + 1) as e
  ) e
), weighed as (
  select *, (props ->> case type when 'MENTIONED_IN' then 'relevance' when 'EXPOSED_TO' then 'magnitude'
      when 'MATCHES' then 'match_score' end)::double precision as weight
  from step where not cut
), best as (
  select distinct on (far) far, type, place, weight from weighed w
  where not exists (select from unnest($2::uuid[]) as met (id) where met.id = w.far)
  order by far, weight desc nulls last, place, type
), ranked as (
  select b.far, b.type, n.label, n.key, n.props, count(*) over (partition by b.type) as of_type,
    row_number() over (partition by b.type order by b.weight desc nulls last,
      case n.label when 'News' then n.props ->> 'published_at' end desc nulls last, b.place,
      n.key collate "C") as rank
  from best b join node n on n.id = b.far
)
select w.type, w.source, w.target, w.props, r.far, r.type as via, r.label, r.key, r.props as "nodeProps", r.rank,
  r.of_type as "ofType", false as cut
from weighed w left join ranked r on r.far = w.far
where r.rank <= $7::integer or r.far is null and w.far = w.target and w.far = any($1::uuid[])
union all
select type, null::uuid, null::uuid, null::json, null::uuid, null, null, null, null::json, null::bigint,
  null::bigint, true from step where cut group by type`;

interface RingRow extends Omit<RingEdge, 'far'>, Pick<RingNode, 'label' | 'key' | 'rank'> {
  readonly far: string | null;
  readonly via: StoredEdge;
  readonly nodeProps: Readonly<Record<string, unknown>>;
  readonly ofType: number;
  readonly cut: boolean;
}

/**
 * The edges of a ring of nodes and the new nodes at their far ends.
 *
 * @param ring ids, the most important node first
 * @param met ids of every node met so far, including the ring's
 * @param limit maximum number of nodes of each type
 */
export async function walkRing(
  database: Queryable,
  ring: readonly string[],
  met: readonly string[],
  { date, types, visible, symbols }: WalkRules,
  limit: number,
  options: QueryOptions = {},
): Promise<Ring> {
  const rows = await database.query<RingRow>(
    RING,
    [
      ring,
      met,
      types,
      date,
      visible === null ? null : new Date(visible).toISOString(),
      symbols === null ? null : Array.from(symbols, (symbol) => stockDayId(symbol, date)),
      limit,
      HUB_EDGES_MAX,
    ],
    { ...options, keepsPlan: true },
  );
  const found = new Map<StoredEdge, number>();
  const cut = new Set<StoredEdge>();
  const edges: RingEdge[] = [];
  for (const row of rows) {
    if (row.cut) cut.add(row.type);
    else {
      edges.push({
        type: row.type,
        source: row.source,
        target: row.target,
        props: row.props,
        far: farOf(row),
      });
      if (row.far !== null) found.set(row.via, row.ofType);
    }
  }
  return { edges, found, cut };
}

const farOf = ({ far, via, label, key, nodeProps, rank }: RingRow): RingNode | null =>
  far === null ? null : { id: far, label, key, props: nodeProps, type: via, rank };
