import { isDeepStrictEqual } from 'node:util';
import { DAY_MS } from '../base/calendar.ts';
import { chunks } from '../base/chunks.ts';
import type { Queryable } from '../database/database.ts';
import type { AnyFact } from '../market/facts.ts';
import { FACT_WINDOW_DAYS, revised } from '../market/known-facts.ts';

export interface SymbolFact {
  readonly symbol: string;
  readonly fact: AnyFact;
}

/** Facts that go to the database in one statement: a few megabytes of text. */
const FACTS_AT_ONCE = 5_000;

interface StoredFact {
  readonly symbol: string;
  readonly kind: AnyFact['kind'];
  readonly key: string;
  readonly known_at: number;
  readonly value: AnyFact['value'];
}

/**
 * Writes the new facts and returns them. Runs inside the transaction of the flush.
 *
 * @param facts in the order of delivery: of two facts of the same instant the later one wins
 */
export async function writeFacts(
  database: Queryable,
  feed: string,
  facts: readonly SymbolFact[],
): Promise<SymbolFact[]> {
  const written: SymbolFact[] = [];
  // All facts of one subject stay together, so each is compared with those before it.
  const subjects = [...Map.groupBy(facts, ({ symbol, fact }) => subjectOf(symbol, fact)).values()];
  for (const some of chunks(subjects, FACTS_AT_ONCE)) {
    const stored = await readStored(database, some);
    const news = some.flatMap((own) =>
      newFacts(own, stored.get(subjectOf(own[0]!.symbol, own[0]!.fact)) ?? []),
    );
    for (const part of chunks(news, FACTS_AT_ONCE)) await upsertFacts(database, feed, part);
    for (const fact of news) written.push(fact);
  }
  return written;
}

const subjectOf = (symbol: string, { kind, key }: { kind: string; key: string }): string =>
  `${symbol}\n${kind}\n${key}`;

/** Every stored current about the subjects, oldest first. */
async function readStored(
  database: Queryable,
  subjects: readonly (readonly SymbolFact[])[],
): Promise<Map<string, StoredFact[]>> {
  const rows = await database.query<StoredFact>(
    `select f.symbol, f.kind, f.key, (extract(epoch from f.known_at) * 1000)::double precision as known_at, f.value
     from unnest($1::text[], $2::text[], $3::text[]) as requested (symbol, kind, key)
     join reported_fact f on f.symbol = requested.symbol and f.kind = requested.kind and f.key = requested.key
     order by f.known_at`,
    [
      subjects.map(([first]) => first!.symbol),
      subjects.map(([first]) => first!.fact.kind),
      subjects.map(([first]) => first!.fact.key),
    ],
  );
  return Map.groupBy(rows, (row) => subjectOf(row.symbol, row));
}

/**
 * The facts of one subject that are not known at their instant. A repeated fact counts as new once the first one
 * has half the age at which it leaves the window of a view.
 */
function newFacts(facts: readonly SymbolFact[], stored: readonly StoredFact[]): SymbolFact[] {
  const { symbol } = facts[0]!;
  const known = new Map(stored.map((current) => [current.known_at, asRecord(current.value)]));
  const delivered = new Map(facts.map(({ fact }) => [fact.knownAt, fact]));
  const news: SymbolFact[] = [];
  let state: Record<string, unknown> | null = null;
  let newestAt = Number.NEGATIVE_INFINITY;
  for (const at of [...new Set([...known.keys(), ...delivered.keys()])].sort((a, b) => a - b)) {
    let current = known.get(at);
    const fact = delivered.get(at);
    if (fact !== undefined) {
      // As it will be read back: JSON has no minus zero.
      const value = asRecord(JSON.parse(JSON.stringify(fact.value)));
      const isFresh = at - newestAt <= (FACT_WINDOW_DAYS[fact.kind] * DAY_MS) / 2;
      const before = current ?? (isFresh ? state : null);
      const after = current === undefined && before !== null ? revised(before, value) : value;
      if (before !== null && isDeepStrictEqual(after, before)) {
        if (current === undefined) continue;
      } else {
        news.push({ symbol, fact });
        current = value;
      }
    }
    state = state === null ? current! : revised(state, current!);
    newestAt = at;
  }
  return news;
}

const asRecord = (value: object): Record<string, unknown> => value as Record<string, unknown>;

async function upsertFacts(database: Queryable, feed: string, facts: readonly SymbolFact[]): Promise<void> {
  const rows = facts.map(({ symbol, fact: { kind, key, knownAt, value } }) => ({
    symbol,
    kind,
    key,
    known_at: new Date(knownAt).toISOString(),
    value,
  }));
  await database.write(
    `insert into reported_fact (symbol, kind, key, known_at, value, feed)
     select symbol, kind, key, known_at, value, $2
     from json_to_recordset($1::json) as fact (symbol text, kind text, key text, known_at timestamptz, value json)
     on conflict (symbol, kind, key, known_at) do update set value = excluded.value, feed = excluded.feed`,
    [JSON.stringify(rows), feed],
  );
}
