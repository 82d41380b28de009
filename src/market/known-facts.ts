import { DAY_MS } from '../base/dates.ts';
import { type AnyFact, FACT_KINDS, FACT_SCHEMAS, type FactKind, type KnownFacts } from './facts.ts';

/** How many days before an instant facts of each kind count. A fact's age counts from its `knownAt`. */
export const FACT_WINDOW_DAYS = Object.fromEntries(
  FACT_KINDS.map((kind) => [kind, FACT_SCHEMAS[kind].windowDays]),
) as Readonly<Record<FactKind, number>>;

/** Nothing is reported. */
export const NO_FACTS: KnownFacts = Object.fromEntries(FACT_KINDS.map((kind) => [kind, []])) as never;

/** What was known of a list of facts at the last instant that was asked for, and from when until when nothing else was. */
const lastKnown = new WeakMap<
  readonly AnyFact[],
  { readonly known: KnownFacts; readonly from: number; readonly until: number }
>();

/**
 * What was known at an instant. A later fact with the same key replaces the earlier field by field; null leaves the
 * earlier value.
 *
 * @param facts in ascending `knownAt`, immutable; facts after `asOf` are ignored
 * @returns the same object for the same list while nothing else is known
 */
export function knownFacts(facts: readonly AnyFact[], asOf: number): KnownFacts {
  const last = lastKnown.get(facts);
  if (last !== undefined && asOf >= last.from && asOf < last.until) return last.known;
  let [from, until] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (const { kind, knownAt } of facts) {
    // A fact counts from one instant until another.
    for (const instant of [knownAt, knownAt + FACT_WINDOW_DAYS[kind] * DAY_MS]) {
      if (instant <= asOf) from = Math.max(from, instant);
      else until = Math.min(until, instant);
    }
  }
  const known = factsAt(facts, asOf);
  lastKnown.set(facts, { known, from, until });
  return known;
}

function factsAt(facts: readonly AnyFact[], asOf: number): KnownFacts {
  const byKind = new Map<FactKind, Map<string, Record<string, unknown>>>();
  for (const { kind, key, knownAt, value } of facts) {
    if (knownAt > asOf || knownAt <= asOf - FACT_WINDOW_DAYS[kind] * DAY_MS) continue;
    const known = byKind.getOrInsertComputed(kind, () => new Map<string, Record<string, unknown>>());
    const earlier = known.get(key);
    // Removed and added again: the order is that of the newest fact.
    known.delete(key);
    known.set(key, { ...(earlier === undefined ? value : revised(earlier, value)), knownAt });
  }
  return {
    ...NO_FACTS,
    ...Object.fromEntries([...byKind].map(([kind, known]) => [kind, [...known.values()]])),
  };
}

/** The earlier value with the fields of a later one; null leaves the earlier field. */
export function revised(earlier: Readonly<Record<string, unknown>>, later: object): Record<string, unknown> {
  const merged: Record<string, unknown> = { ...earlier };
  for (const [field, value] of Object.entries(later)) {
    const before = merged[field];
    if (isRecord(before) && isRecord(value)) merged[field] = revised(before, value);
    else if (value !== null || !(field in merged)) merged[field] = value;
  }
  return merged;
}

/** Ratios by name are fields of their own: a later fact that states one of them leaves the others. */
const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
