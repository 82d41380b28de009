import { DAY_MS } from '../base/dates.ts';
import type { Queryable, QueryOptions } from '../database/database.ts';
import { readInTurns } from '../database/read-in-turns.ts';
import { type AnyFact, FACT_KINDS, type FactKind } from '../market/facts.ts';
import { FACT_WINDOW_DAYS } from '../market/known-facts.ts';
import { CHAIN_SLICE, type ChainSlice } from './chain-slices.ts';
import { packText, type SymbolTape } from './symbol-tape.ts';

/** A tape and its range of as-of instants, epoch milliseconds and inclusive. */
export interface FactsRequest {
  readonly tape: SymbolTape;
  readonly from: number;
  readonly to: number;
}

/**
 * A chain of the session before may be quoted; no two sessions are farther apart (2001-09-10 to 09-17 were 7 days).
 */
const CHAIN_REACH_DAYS = 12;

/**
 * For each request the facts inside the window of each kind, as the text of a JSON array, and its option chains.
 * One statement for any number of symbols. Every kind is a separate index scan that begins at the edge of its
 * window: without `offset 0` the planner reads all facts of a symbol and sorts them, which took three times as long
 * for a stock with 5,000 facts. Text concatenation was a fifth faster than `json_agg` of `json_build_object`.
 */
const FACTS_IN_WINDOWS = `
select '[' || told.texts || ']' as facts, coalesce(told.times, '{}') as times,
  (select json_agg(${CHAIN_SLICE} order by c.taken_at)
    from chain_slice c join tape_segment g on g.id = c.segment_id
    where c.symbol = requested.symbol and c.taken_at <= requested.until
      and c.taken_at >= requested.since - interval '${CHAIN_REACH_DAYS} days') as chains
from unnest($1::text[], $2::timestamptz[], $3::timestamptz[])
  with ordinality as requested (symbol, since, until, position)
cross join lateral (
  select string_agg(concat('{"kind":"', f.kind, '","key":', to_json(f.key),
      ',"knownAt":', (date_part('epoch', f.known_at) * 1000)::bigint, ',"value":', f.value, '}'), ','
      order by f.known_at, f.kind, f.key) as texts,
    array_agg(date_part('epoch', f.known_at) * 1000) filter (where f.known_at > requested.since) as times
  from unnest($4::text[], $5::integer[]) as span (kind, hours)
  cross join lateral (
    select * from reported_fact r
    where r.symbol = requested.symbol and r.kind = span.kind and r.known_at <= requested.until
      and r.known_at >= coalesce(requested.since - make_interval(hours => span.hours), '-infinity')
    offset 0
  ) f) told
order by requested.position`;

const windowHours = (kind: FactKind): number | null => {
  const days = FACT_WINDOW_DAYS[kind];
  return Number.isFinite(days) ? days * 24 : null;
};

interface FactsRow {
  readonly facts: string | null;
  /** When those become known that are not when the range begins. */
  readonly times: readonly number[];
  readonly chains: readonly ChainSlice[] | null;
}

/** Windows of a day, and of months, of a statement, which takes some milliseconds. */
const [DAYS_AT_ONCE, LONG_AT_ONCE] = [40, 4];

type FactsOptions = QueryOptions & { readonly kinds?: readonly FactKind[] };

/** The tapes of the requests, in their order, with the facts, all or of some kinds, and option chains that can matter between the instants of each. */
export async function readFactsInWindows(
  database: Queryable,
  requests: readonly FactsRequest[],
  options?: FactsOptions,
): Promise<SymbolTape[]> {
  const rows = await readRows(database, requests, options);
  return requests.map(({ tape }, position) => ({
    ...tape,
    facts: factsIn(rows[position]!.facts),
    chains: rows[position]!.chains ?? [],
  }));
}

/** As `readFactsInWindows`, with the facts packed and as the store sends them, and the times of those that come. */
export async function readPackedFacts(database: Queryable, requests: readonly FactsRequest[]) {
  const rows = await readRows(database, requests);
  return requests.map(({ tape }, position) => {
    const { facts, times, chains } = rows[position]!;
    return { tape: { ...packText(tape, facts ?? '[]'), chains: chains ?? [] }, times };
  });
}

async function readRows(
  database: Queryable,
  requests: readonly FactsRequest[],
  { kinds = FACT_KINDS, ...options }: FactsOptions = {},
): Promise<FactsRow[]> {
  if (requests.length === 0) return [];
  const read = (some: readonly FactsRequest[]) =>
    database.query<FactsRow>(
      FACTS_IN_WINDOWS,
      [
        some.map(({ tape }) => tape.symbol),
        some.map(({ from }) => new Date(from).toISOString()),
        some.map(({ to }) => new Date(to).toISOString()),
        kinds,
        kinds.map(windowHours),
      ],
      { ...options, keepsPlan: true },
    );
  const isLong = requests.some(({ from, to }) => to - from > 7 * DAY_MS);
  return readInTurns(database, requests, isLong ? LONG_AT_ONCE : DAYS_AT_ONCE, read);
}

const factsIn = (text: string | null): AnyFact[] => (text === null ? [] : JSON.parse(text));
