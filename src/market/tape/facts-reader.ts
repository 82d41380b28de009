import type { Queryable } from '../../database/database.ts';
import { type AnyFact, FACT_KINDS } from '../facts.ts';
import { FACT_WINDOW_DAYS } from '../known-facts.ts';
import { CHAIN_SLICE, type ChainSlice } from './chain-slices.ts';
import type { SymbolTape } from './symbol-tape.ts';

/** A tape and the as-of instants, epoch milliseconds and inclusive, at which its facts and chains will be asked for. */
export interface FactsRequest {
  readonly tape: SymbolTape;
  readonly from: number;
  readonly to: number;
}

/** A chain of the session before may be quoted; no two sessions lie farther apart (2001-09-10 to 09-17 did 7 days). */
const CHAIN_REACH_DAYS = 12;

/**
 * For each request the facts inside the window of each kind, as the text of a JSON array, and where its option chains lie. One statement for any number
 * of symbols. Every kind is an index scan of its own that begins at the edge of its window: `offset 0` keeps the planner
 * from reading all that was ever said of a symbol and sorting it out afterwards, which took three times as long for a
 * stock with 5,000 facts on an analyzed table. Text put together here was read a fifth faster than `json_agg` of
 * `json_build_object`. A column that says when a word is superseded would not help: words are merged field by field, so
 * the earlier ones are still needed.
 */
const FACTS_IN_WINDOWS = `
select '[' || (
  select string_agg(concat('{"kind":"', f.kind, '","key":', to_json(f.key),
      ',"knownAt":', (date_part('epoch', f.known_at) * 1000)::bigint, ',"value":', f.value, '}'), ','
      order by f.known_at, f.kind, f.key)
  from unnest($4::text[], $5::integer[]) as span (kind, hours)
  cross join lateral (
    select * from reported_fact r
    where r.symbol = wanted.symbol and r.kind = span.kind and r.known_at <= wanted.until
      and r.known_at >= coalesce(wanted.since - make_interval(hours => span.hours), '-infinity')
    offset 0
  ) f) || ']' as facts,
  (select json_agg(${CHAIN_SLICE} order by c.taken_at)
    from chain_slice c join tape_segment g on g.id = c.segment_id
    where c.symbol = wanted.symbol and c.taken_at <= wanted.until
      and c.taken_at >= wanted.since - interval '${CHAIN_REACH_DAYS} days') as chains
from unnest($1::text[], $2::timestamptz[], $3::timestamptz[])
  with ordinality as wanted (symbol, since, until, place)
order by wanted.place`;

const WINDOW_HOURS = FACT_KINDS.map((kind) => {
  const days = FACT_WINDOW_DAYS[kind];
  return Number.isFinite(days) ? days * 24 : null;
});

/** The tapes of the requests, in their order, with the facts and option chains that can matter between the instants of each. */
export async function readFactsInWindows(
  database: Queryable,
  requests: readonly FactsRequest[],
  options: { readonly signal?: AbortSignal } = {},
): Promise<SymbolTape[]> {
  if (requests.length === 0) return [];
  const rows = await database.query<{ facts: string | null; chains: ChainSlice[] | null }>(
    FACTS_IN_WINDOWS,
    [
      requests.map(({ tape }) => tape.symbol),
      requests.map(({ from }) => new Date(from).toISOString()),
      requests.map(({ to }) => new Date(to).toISOString()),
      FACT_KINDS,
      WINDOW_HOURS,
    ],
    options,
  );
  return requests.map(({ tape }, place) => ({
    ...tape,
    facts: factsIn(rows[place]!.facts),
    chains: rows[place]!.chains ?? [],
  }));
}

const factsIn = (text: string | null): AnyFact[] => (text === null ? [] : JSON.parse(text));
