import { mean, squaresAround } from '../statistics.ts';

/** Squared distance at which two states are no longer called alike: two days picked at random are about 3.4 apart. */
const ALIKE = 6;
/** Days of one stock within this many sessions count as the same event. */
const SAME_EVENT_SESSIONS = 20;
/** Maximum days of one session, which share their market and what followed. */
const SESSION_DAYS_MAX = 3;
/** Minimum returns of an outcome. */
const RETURNS_MIN = 5;

/** 1 for the same state, falling towards 0: exp(-d²/6). The 20th nearest of 400,000 real days lies at about 0.7. */
export const similarityOf = (distance: number): number => Math.exp((-distance * distance) / ALIKE);

/** A day that may be chosen. */
export interface Candidate {
  readonly symbol: string;
  /** Place of its session in the calendar. */
  readonly session: number;
}

/**
 * The first `limit` distinct days: a day is left out when an earlier one in the list is of the same stock and fewer
 * than 20 sessions away, or when three earlier ones are of its session.
 *
 * @param days nearest first
 */
export function thinned<Day extends Candidate>(days: readonly Day[], limit: number): Day[] {
  const chosen: Day[] = [];
  const ofSession = new Map<number, number>();
  const ofSymbol = new Map<string, number[]>();
  for (const day of days) {
    if (chosen.length === limit) break;
    const count = ofSession.get(day.session) ?? 0;
    const sessions = ofSymbol.getOrInsertComputed(day.symbol, () => []);
    if (count === SESSION_DAYS_MAX) continue;
    if (sessions.some((other) => Math.abs(other - day.session) < SAME_EVENT_SESSIONS)) continue;
    ofSession.set(day.session, count + 1);
    sessions.push(day.session);
    chosen.push(day);
  }
  return chosen;
}

/** Outcome of a set of returns in their unit; null with fewer than five of them. */
export interface Outcome {
  readonly n: number;
  readonly mean: number | null;
  readonly median: number | null;
  /** Sample deviation. */
  readonly deviation: number | null;
  readonly q1: number | null;
  readonly q3: number | null;
  /** Share above zero, 0-1. */
  readonly shareUp: number | null;
}

/** Mean, spread and quartiles of returns. Source of the quartiles: Hyndman and Fan (1996), type 7, as numpy and R have it. */
export function outcomeOf(returns: readonly number[]): Outcome {
  const n = returns.length;
  if (n < RETURNS_MIN) {
    return { n, mean: null, median: null, deviation: null, q1: null, q3: null, shareUp: null };
  }
  const sorted = Float64Array.from(returns).sort();
  const centre = mean(sorted);
  return {
    n,
    mean: centre,
    median: quantile(sorted, 0.5),
    deviation: Math.sqrt(squaresAround(centre, sorted) / (n - 1)),
    q1: quantile(sorted, 0.25),
    q3: quantile(sorted, 0.75),
    shareUp: sorted.reduce((count, value) => count + Number(value > 0), 0) / n,
  };
}

function quantile(sorted: Float64Array, share: number): number {
  const place = share * (sorted.length - 1);
  const below = Math.floor(place);
  const above = Math.min(below + 1, sorted.length - 1);
  return sorted[below]! + (place - below) * (sorted[above]! - sorted[below]!);
}
