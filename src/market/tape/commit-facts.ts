import { isDeepStrictEqual } from 'node:util';
import { DAY_MS } from '../../base/calendar.ts';
import type { Queryable } from '../../database/database.ts';
import type { AnyFact } from '../facts.ts';
import { FACT_WINDOW_DAYS, revised } from '../known-facts.ts';

/** A fact and the symbol of which it speaks. */
export interface SymbolFact {
  readonly symbol: string;
  readonly fact: AnyFact;
}

/** Facts that go to the database in one statement: a few megabytes of text. */
const FACTS_AT_ONCE = 5_000;

interface StoredWord {
  readonly symbol: string;
  readonly kind: AnyFact['kind'];
  readonly key: string;
  readonly known_at: number;
  readonly value: AnyFact['value'];
}

/**
 * Writes the facts that say something new and answers them. Runs inside the transaction of the flush.
 *
 * @param facts in the order of their delivery: of two words of the same instant the later one wins
 */
export async function writeFacts(
  database: Queryable,
  feed: string,
  facts: readonly SymbolFact[],
): Promise<SymbolFact[]> {
  const written: SymbolFact[] = [];
  // All words about one subject stay together, so that each is weighed against those before it.
  const subjects = [...Map.groupBy(facts, ({ symbol, fact }) => subjectOf(symbol, fact)).values()];
  for (let at = 0; at < subjects.length; at += FACTS_AT_ONCE) {
    const some = subjects.slice(at, at + FACTS_AT_ONCE);
    const stored = await readWords(database, some);
    const news = some.flatMap((own) =>
      newWords(own, stored.get(subjectOf(own[0]!.symbol, own[0]!.fact)) ?? []),
    );
    for (let from = 0; from < news.length; from += FACTS_AT_ONCE) {
      await upsertFacts(database, feed, news.slice(from, from + FACTS_AT_ONCE));
    }
    for (const fact of news) written.push(fact);
  }
  return written;
}

const subjectOf = (symbol: string, { kind, key }: { kind: string; key: string }): string =>
  `${symbol}\n${kind}\n${key}`;

/** Every stored word about the subjects, oldest first. */
async function readWords(
  database: Queryable,
  subjects: readonly (readonly SymbolFact[])[],
): Promise<Map<string, StoredWord[]>> {
  const rows = await database.query<StoredWord>(
    `select f.symbol, f.kind, f.key, (extract(epoch from f.known_at) * 1000)::double precision as known_at, f.value
     from unnest($1::text[], $2::text[], $3::text[]) as wanted (symbol, kind, key)
     join reported_fact f on f.symbol = wanted.symbol and f.kind = wanted.kind and f.key = wanted.key
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
 * Of one subject's facts those that say something which is not known at their instant. A repeated word is news again
 * once the first is so old that it would soon leave the window in which a view looks: the source still stands by it.
 */
function newWords(facts: readonly SymbolFact[], stored: readonly StoredWord[]): SymbolFact[] {
  const { symbol } = facts[0]!;
  const known = new Map(stored.map((word) => [word.known_at, asRecord(word.value)]));
  const told = new Map(facts.map(({ fact }) => [fact.knownAt, fact]));
  const news: SymbolFact[] = [];
  let state: Record<string, unknown> | null = null;
  let newestAt = Number.NEGATIVE_INFINITY;
  for (const at of [...new Set([...known.keys(), ...told.keys()])].sort((a, b) => a - b)) {
    let word = known.get(at);
    const fact = told.get(at);
    if (fact !== undefined) {
      // As it will be read back: minus zero, for one, is no word of JSON.
      const value = asRecord(JSON.parse(JSON.stringify(fact.value)));
      const isFresh = at - newestAt <= (FACT_WINDOW_DAYS[fact.kind] * DAY_MS) / 2;
      const before = word ?? (isFresh ? state : null);
      const after = word === undefined && before !== null ? revised(before, value) : value;
      if (before !== null && isDeepStrictEqual(after, before)) {
        if (word === undefined) continue;
      } else {
        news.push({ symbol, fact });
        word = value;
      }
    }
    state = state === null ? word! : revised(state, word!);
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
  await database.query(
    `insert into reported_fact (symbol, kind, key, known_at, value, feed)
     select symbol, kind, key, known_at, value, $2
     from json_to_recordset($1::json) as fact (symbol text, kind text, key text, known_at timestamptz, value json)
     on conflict (symbol, kind, key, known_at) do update set value = excluded.value, feed = excluded.feed`,
    [JSON.stringify(rows), feed],
  );
}
