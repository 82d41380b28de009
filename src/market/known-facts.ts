import { DAY_MS } from '../base/dates.ts';
import { type AnyFact, FACT_KINDS, type FactKind, type KnownFacts } from './facts.ts';

/**
 * For how long before an instant a kind's facts are looked at, in days: what is older says nothing of the stock as it
 * is now, and a view stays small however long the history. A fact's age counts from its `knownAt`.
 */
export const FACT_WINDOW_DAYS: Readonly<Record<FactKind, number>> = {
  profile: Number.POSITIVE_INFINITY,
  listing: Number.POSITIVE_INFINITY,
  fundamentals: 900,
  shares: 900,
  earnings_report: 1_200,
  earnings_date: 200,
  analyst_grade: 400,
  recommendations: 400,
  price_target: 400,
  analyst_estimates: 400,
  insider_transaction: 200,
  news: 31,
  theme_exposure: Number.POSITIVE_INFINITY,
  halt: 7,
};

/** Nothing is reported. */
export const NO_FACTS: KnownFacts = Object.fromEntries(FACT_KINDS.map((kind) => [kind, []])) as never;

/**
 * What was known at an instant. A later word about the same key replaces the earlier field by field: null in it means
 * that it does not say.
 *
 * @param facts in ascending `knownAt`; what lies after `asOf` is passed over
 */
export function knownFacts(facts: readonly AnyFact[], asOf: number): KnownFacts {
  const byKind = new Map<FactKind, Map<string, Record<string, unknown>>>();
  for (const { kind, key, knownAt, value } of facts) {
    if (knownAt > asOf || knownAt <= asOf - FACT_WINDOW_DAYS[kind] * DAY_MS) continue;
    const known = byKind.getOrInsertComputed(kind, () => new Map<string, Record<string, unknown>>());
    const earlier = known.get(key);
    // Taken out and put back, so that the order is that of the newest word.
    known.delete(key);
    known.set(key, { ...(earlier === undefined ? value : revised(earlier, value)), knownAt });
  }
  return {
    ...NO_FACTS,
    ...Object.fromEntries([...byKind].map(([kind, known]) => [kind, [...known.values()]])),
  };
}

/** The earlier word with what a later one says; a null in that says nothing. */
export function revised(earlier: Readonly<Record<string, unknown>>, later: object): Record<string, unknown> {
  const merged: Record<string, unknown> = { ...earlier };
  for (const [field, value] of Object.entries(later)) {
    const before = merged[field];
    if (isRecord(before) && isRecord(value)) merged[field] = revised(before, value);
    else if (value !== null || !(field in merged)) merged[field] = value;
  }
  return merged;
}

/** Ratios by name are fields of their own: a later word that states one of them leaves the others. */
const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
