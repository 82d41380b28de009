import { DAY_MS } from '../base/dates.ts';
import { type AnyFact, FACT_KINDS, FACT_SCHEMAS, type FactKind, type KnownFacts } from './facts.ts';

/** How many days before an instant facts of each kind count. A fact's age counts from its `knownAt`. */
export const FACT_WINDOW_DAYS = Object.fromEntries(
  FACT_KINDS.map((kind) => [kind, FACT_SCHEMAS[kind].windowDays]),
) as Readonly<Record<FactKind, number>>;

/** Nothing is reported. */
export const NO_FACTS: KnownFacts = Object.fromEntries(FACT_KINDS.map((kind) => [kind, []])) as never;

/** What is known of a list of facts. */
export class FactHistory {
  /** What was known at the last instant that was asked for, and from when until when nothing else was. */
  #last: { readonly known: KnownFacts; readonly from: number; readonly until: number } | null = null;

  /**
   * What was known at an instant. A later fact with the same key replaces the earlier field by field; null leaves the
   * earlier value.
   *
   * @param read the facts in ascending `knownAt`, the same each time; facts after `asOf` are ignored. Called when
   *   something else is known than the last time
   * @returns the same object while nothing else is known
   */
  at(asOf: number, read: () => readonly AnyFact[]): KnownFacts {
    const last = this.#last;
    if (last !== null && asOf >= last.from && asOf < last.until) return last.known;
    const facts = read();
    let [from, until] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
    for (const { kind, knownAt } of facts) {
      // A fact counts from one instant until another.
      for (const instant of [knownAt, knownAt + FACT_WINDOW_DAYS[kind] * DAY_MS]) {
        if (instant <= asOf) from = Math.max(from, instant);
        else until = Math.min(until, instant);
      }
    }
    const known = factsAt(facts, asOf);
    this.#last = { known, from, until };
    return known;
  }
}

const histories = new WeakMap<readonly AnyFact[], FactHistory>();

/** As `FactHistory.at`, of an immutable list. */
export const knownFacts = (facts: readonly AnyFact[], asOf: number): KnownFacts =>
  histories.getOrInsertComputed(facts, () => new FactHistory()).at(asOf, () => facts);

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
