import { normalDeviate, studentAbove, studentQuantile } from './student.ts';

/**
 * What the claims of one kind were worth: rates and edges with intervals that hold although claims of one date, and of
 * dates near each other, depend on each other. Everything follows from sums by trade date, empty dates included.
 */

/** Counts of one cell by trade date, oldest first; a date without an event is 0 in both. */
export interface DateCounts {
  readonly events: Float64Array;
  readonly true: Float64Array;
}

/** Trade dates of a period, and the places of those that have a value; the others are 0. Most claims are rare. */
export interface DatePlaces {
  readonly count: number;
  readonly at: Int32Array;
}

const everyDate = (count: number): DatePlaces => ({
  count,
  at: Int32Array.from({ length: count }, (_, date) => date),
});

/** Counts by trade date and stratum: the value of a date and a stratum is at `date * strata + stratum`. */
export interface StratifiedCounts extends DateCounts {
  readonly strata: number;
}

/** An estimate with the limits of its 95 % interval. */
export interface Estimate {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

export interface EdgeEstimate extends Estimate {
  /** Standard error. */
  readonly error: number;
  /** How far it is from `EDGE_MIN`, in units of the error: the value of the normal distribution as far out. */
  readonly deviate: number;
  /** One-sided probability of such an edge, or a greater one, were the true one `EDGE_MIN`. */
  readonly p: number;
  /** The same of the other side: of such an edge, or a lesser one, were the true one `EDGE_MIN` below 0. */
  readonly pBelow: number;
  /** What each date says of the edge, which is their mean. */
  readonly byDate: Float64Array;
}

/** What bias is left of the controls lies below one point: a smaller edge is none. */
export const EDGE_MIN = 0.01;
const SHARE = 0.975;

/**
 * How many cosines the variance of a mean over dates takes. Claims that are open over `horizon` sessions overlap, and
 * take fewer; those that end with their session have horizon 0.
 */
export function cosineCount(dates: number, horizon: number): number {
  const usual = Math.floor(0.4 * dates ** (2 / 3));
  return horizon === 0 ? Math.max(4, usual) : Math.max(2, Math.min(usual, Math.floor(dates / (4 * horizon))));
}

/**
 * The variance of the mean of a series by date whose values depend on their neighbours, with equally weighted cosines,
 * which are its degrees of freedom too.
 *
 * Source: E. Lazarus, D. J. Lewis, J. H. Stock, M. W. Watson, "HAR Inference: Recommendations for Practice", Journal of
 * Business & Economic Statistics 36 (2018).
 */
function varianceOfMean(series: Float64Array, { count: dates, at }: DatePlaces, cosines: number): number {
  const projections = new Float64Array(cosines);
  for (let value = 0; value < at.length; value++) {
    // Each order's cosine follows from the two before it.
    const first = Math.cos((Math.PI * (at[value]! + 0.5)) / dates);
    let [before, cosine] = [1, first];
    for (let order = 0; order < cosines; order++) {
      projections[order]! += series[value]! * cosine;
      const next = 2 * first * cosine - before;
      before = cosine;
      cosine = next;
    }
  }
  let sum = 0;
  for (const projection of projections) sum += (2 / dates) * projection ** 2;
  return sum / cosines / dates;
}

/**
 * The share of events that came true. The interval is Wilson's at the number of independent events that would vary as
 * much as the dates do, with Student's quantile; events all of which ended alike count once a date.
 *
 * Source: J. N. K. Rao, A. J. Scott, "A Simple Method for the Analysis of Clustered Binary Data", Biometrics 48 (1992);
 * E. L. Korn, B. I. Graubard, "Confidence Intervals for Proportions with Small Expected Number of Positive Counts
 * Estimated from Survey Data", Survey Methodology 24 (1998).
 */
export function rateOf(
  { events, true: held }: DateCounts,
  horizon: number,
  on = everyDate(events.length),
): Estimate {
  const dates = on.count;
  const n = sumOf(events);
  const value = sumOf(held) / n;
  const withEvents = datesWith(events);
  const influence = events.map((count, date) => (held[date]! - value * count) / (n / dates));
  const cosines = cosineCount(dates, horizon);
  const variance = varianceOfMean(influence, on, cosines);
  const isAllAlike = value === 0 || value === 1 || !(variance > 0);
  const effective = Math.min(n, isAllAlike ? withEvents : (value * (1 - value)) / variance);
  const quantile = studentQuantile(SHARE, freedomOf(cosines, withEvents));
  return { value, ...wilson(value, effective, quantile) };
}

/** E. B. Wilson, "Probable Inference, the Law of Succession, and Statistical Inference", JASA 22 (1927). */
function wilson(p: number, n: number, q: number): { readonly low: number; readonly high: number } {
  const centre = p + (q * q) / (2 * n);
  const reach = q * Math.sqrt((p * (1 - p)) / n + (q * q) / (4 * n * n));
  const scale = 1 + (q * q) / n;
  return { low: (centre - reach) / scale, high: (centre + reach) / scale };
}

/**
 * The rate of events less that of controls, which is standardised to the strata of the events, with an interval that
 * counts that the weights of the strata are estimated too.
 *
 * @returns the edge, and the controls' rate as `chance`
 */
export function stratifiedEdge(
  events: StratifiedCounts,
  controls: StratifiedCounts,
  horizon: number,
): EdgeEstimate & { readonly chance: number } {
  const { strata } = events;
  const dates = events.events.length / strata;
  const of = (column: Float64Array): Float64Array => {
    const sums = new Float64Array(strata);
    for (let from = 0; from < column.length; from += strata)
      for (let stratum = 0; stratum < strata; stratum++) sums[stratum]! += column[from + stratum]!;
    return sums;
  };
  const eventsOf = of(events.events);
  const n = sumOf(eventsOf);
  const rate = sumOf(events.true) / n;
  const controlsOf = of(controls.events).map((count) => Math.max(count, 1));
  const chanceOf = of(controls.true).map((count, stratum) => count / controlsOf[stratum]!);
  const chance = chanceOf.reduce((sum, share, stratum) => sum + (share * eventsOf[stratum]!) / n, 0);
  const influence = new Float64Array(dates);
  for (let date = 0; date < dates; date++) {
    for (let stratum = 0; stratum < strata; stratum++) {
      const at = date * strata + stratum;
      const own = events.true[at]! - rate * events.events[at]!;
      const control =
        ((controls.true[at]! - chanceOf[stratum]! * controls.events[at]!) * eventsOf[stratum]!) /
        controlsOf[stratum]!;
      const weight = events.events[at]! * (chanceOf[stratum]! - chance);
      influence[date]! += ((own - control - weight) * dates) / n;
    }
  }
  const byDate = Float64Array.from({ length: dates }, (_, date) =>
    sumOf(events.events.subarray(date * strata, (date + 1) * strata)),
  );
  const edge = edgeOf(rate - chance, influence, everyDate(dates), horizon, datesWith(byDate));
  return { ...edge, chance };
}

/** Fewer controls are no chance of a stratum. */
const CONTROLS_MIN = 10;

/**
 * The stratum that each one is compared in: its own with enough controls, else one with the others of its kind that have
 * too few, which is wider until there are enough. A stratum without a control would pass for a chance of 0.
 *
 * @param controls events of the controls by stratum
 * @param widths strata that stand together as ever wider ones, each a multiple of the one before
 */
export function comparedIn(controls: Float64Array, widths: readonly number[]): Int32Array {
  const groups = Int32Array.from(controls, (_, stratum) => stratum);
  for (const width of widths) {
    for (let from = 0; from < groups.length; from += width) {
      const own = groups.subarray(from, from + width);
      const counts = new Map<number, number>();
      for (const [at, group] of own.entries())
        counts.set(group, (counts.get(group) ?? 0) + controls[from + at]!);
      const few = [...counts].filter(([, count]) => count < CONTROLS_MIN);
      if (few.length === 0) continue;
      // Those with too few join each other and, where that does not do, the least of the rest.
      const rest = [...counts]
        .filter(([, count]) => count >= CONTROLS_MIN)
        .sort((a, b) => a[1] - b[1] || a[0] - b[0]);
      let joined = few.reduce((sum, [, count]) => sum + count, 0);
      const members = new Set(few.map(([group]) => group));
      for (const [group, count] of rest) {
        if (joined >= CONTROLS_MIN) break;
        members.add(group);
        joined += count;
      }
      const name = few[0]![0];
      for (const [at, group] of own.entries()) if (members.has(group)) own[at] = name;
    }
  }
  return groups;
}

/** The mean over events of what each had above its own chance, from sums by date. */
export function meanEdge(
  events: Float64Array,
  excess: Float64Array,
  horizon: number,
  on = everyDate(events.length),
): EdgeEstimate {
  const n = sumOf(events);
  const value = sumOf(excess) / n;
  const influence = excess.map((sum, date) => ((sum - value * events[date]!) * on.count) / n);
  return edgeOf(value, influence, on, horizon, datesWith(events));
}

function edgeOf(
  value: number,
  influence: Float64Array,
  on: DatePlaces,
  horizon: number,
  withEvents: number,
): EdgeEstimate {
  const cosines = cosineCount(on.count, horizon);
  const error = Math.sqrt(Math.max(varianceOfMean(influence, on, cosines), 1e-12));
  const freedom = freedomOf(cosines, withEvents);
  const reach = studentQuantile(SHARE, freedom) * error;
  const byDate = new Float64Array(on.count).fill(value);
  for (let at = 0; at < influence.length; at++) byDate[on.at[at]!]! += influence[at]!;
  return {
    value,
    low: value - reach,
    high: value + reach,
    error,
    deviate: normalDeviate((value - EDGE_MIN) / error, freedom),
    p: studentAbove((value - EDGE_MIN) / error, freedom),
    pBelow: studentAbove((-value - EDGE_MIN) / error, freedom),
    byDate,
  };
}

function datesWith(events: Float64Array): number {
  let dates = 0;
  for (const count of events) if (count > 0) dates++;
  return dates;
}

const freedomOf = (cosines: number, withEvents: number): number =>
  Math.max(1, Math.min(cosines, withEvents - 1));

/**
 * Which of several hypotheses are called when a share `rate` of the calls may be false, and each one's q: the least such
 * share at which it would be called.
 *
 * Source: Y. Benjamini, Y. Hochberg, "Controlling the False Discovery Rate", Journal of the Royal Statistical Society B
 * 57 (1995).
 */
export function falseDiscoveryRates(p: Float64Array): Float64Array {
  const order = Uint32Array.from(p, (_, at) => at).sort((a, b) => p[a]! - p[b]!);
  const q = new Float64Array(p.length);
  let least = 1;
  for (let rank = order.length; rank >= 1; rank--) {
    const at = order[rank - 1]!;
    least = Math.min(least, (p[at]! * p.length) / rank);
    q[at] = least;
  }
  return q;
}

const sumOf = (values: Float64Array): number => {
  let sum = 0;
  for (const value of values) sum += value;
  return sum;
};
