import { mean as meanOf, median, squaresAround } from '../analysis/statistics.ts';
import { meanEdge } from './estimate/estimate.ts';
import { FEWEST } from './estimate/record.ts';

/**
 * How well a score ordered stocks by their later returns. Each statistic is taken within a date, across its stocks, and
 * averaged over dates, so that stocks that move together do not pass for independent evidence. NaN is absent.
 */

/** Scores and forward returns, one row of `stocks` values for each date; NaN where a stock has none. */
export interface Panel {
  readonly dates: number;
  readonly stocks: number;
  readonly score: Float64Array;
  /** Simple returns over the horizon as fractions, from the date of the row on. */
  readonly forward: Float64Array;
}

/** A mean over dates with the error that records have, for horizons that overlap. */
export interface DatedMean {
  readonly mean: number;
  /** Sample standard deviation over dates. */
  readonly deviation: number;
  /** NaN with too few dates, like all that follows from it. */
  readonly standardError: number;
  readonly t: number;
  /** Limits of the 95 % confidence interval. */
  readonly low: number;
  readonly high: number;
  readonly dates: number;
}

export type Evaluation = Readonly<ReturnType<typeof evaluate>>;

/** A date with fewer stocks does not count: its tenths would be single stocks. */
export const STOCKS_MIN = 10;
const DECILES = 10;

/** @param horizon in dates of the panel: `horizonInDates(horizon, every)` */
export function evaluate(panel: Panel, horizon: number) {
  const dates = Array.from({ length: panel.dates }, (_, date) => evaluateDate(panel, date));
  const coefficients = Float64Array.from(dates, ({ coefficient }) => coefficient);
  const means = (pick: (date: DateFigures) => number): DatedMean =>
    meanOverDates(Float64Array.from(dates, pick), horizon);
  const known = coefficients.filter((value) => !Number.isNaN(value));
  const signed = isSigned(panel.score);
  return {
    /** Information coefficient of each date, NaN where it has none. */
    coefficients,
    coefficient: meanOverDates(coefficients, horizon),
    /** Share of the dates with a coefficient above 0. */
    positiveShare: known.filter((value) => value > 0).length / known.length,
    /** Tenths of the stocks by score, the lowest scores first. */
    deciles: Array.from({ length: DECILES }, (_, decile) => ({
      ...means(({ decileMeans }) => decileMeans[decile]!),
      /** Stock-dates that fell into it. */
      count: dates.reduce((sum, { decileCounts }) => sum + decileCounts[decile]!, 0),
    })),
    spread: means(({ decileMeans }) => decileMeans[DECILES - 1]! - decileMeans[0]!),
    /** Share of right calls by date; see `hitRates`. Its `t` is against one half, the result of guessing. */
    hitRate: {
      kind: signed ? ('sign' as const) : ('top_over_median' as const),
      ...againstHalf(means((date) => (signed ? date.signHits : date.topHits))),
      /** Mean share of the returns that were above 0: the hit rate of a score that is always positive. */
      risen: means(({ risen }) => risen).mean,
    },
    /** Mean share of the top decile that was not in it on the evaluated date before. */
    turnover: meanOverDates(turnovers(panel, dates), 0),
    /** Mean rank correlation of the scores with those of the evaluated date before. */
    autocorrelation: meanOverDates(autocorrelations(panel), 0),
  };
}

const againstHalf = (of: DatedMean): DatedMean => ({
  ...of,
  t: of.standardError > 0 ? (of.mean - 0.5) / of.standardError : Number.NaN,
});

/** Of every `every` sessions, so many dates until a return has ended. */
export const horizonInDates = (horizon: number, every: number): number => Math.ceil(horizon / every);

type DateFigures = Readonly<ReturnType<typeof evaluateDate>>;

function evaluateDate(panel: Panel, date: number) {
  const places = rowsWithBoth(panel, date);
  const at = (column: Float64Array): Float64Array =>
    Float64Array.from(places, (place) => column[date * panel.stocks + place]!);
  const scores = at(panel.score);
  const returns = at(panel.forward);
  const decile = places.length < STOCKS_MIN ? new Int32Array(places.length).fill(-1) : deciles(scores);
  const sums = new Float64Array(DECILES);
  const counts = new Float64Array(DECILES);
  for (const [row, of] of decile.entries()) {
    if (of < 0) continue;
    sums[of]! += returns[row]!;
    counts[of]! += 1;
  }
  return {
    coefficient: places.length < STOCKS_MIN ? Number.NaN : spearman(scores, returns),
    decileMeans: sums.map((sum, of) => (counts[of] === 0 ? Number.NaN : sum / counts[of]!)),
    decileCounts: counts,
    /** Places of the stocks in the top decile. */
    top: places.filter((_, row) => decile[row] === DECILES - 1),
    ...hitRates(scores, returns, decile),
  };
}

/** Places of the stocks that have a score and a return on a date. */
export function rowsWithBoth({ stocks, score, forward }: Panel, date: number): number[] {
  const places: number[] = [];
  for (let place = 0; place < stocks; place++) {
    const cell = date * stocks + place;
    if (!Number.isNaN(score[cell]!) && !Number.isNaN(forward[cell]!)) places.push(place);
  }
  return places;
}

/**
 * Right calls of one date. `signHits`: of the stocks with a score and a return other than 0, the share in which both
 * have one sign. `topHits`: the share of the top decile that returned more than the date's median stock. `risen`: the
 * share of the stocks that returned more than 0.
 */
function hitRates(scores: Float64Array, returns: Float64Array, decile: Int32Array) {
  let judged = 0;
  let rises = 0;
  let calls = 0;
  let right = 0;
  let top = 0;
  let over = 0;
  const middle = median(returns);
  for (let row = 0; row < scores.length; row++) {
    if (decile[row]! < 0) continue;
    judged++;
    if (returns[row]! > 0) rises++;
    if (scores[row] !== 0 && returns[row] !== 0) {
      calls++;
      if (scores[row]! > 0 === returns[row]! > 0) right++;
    }
    if (decile[row] !== DECILES - 1) continue;
    top++;
    if (returns[row]! > middle) over++;
  }
  return { signHits: right / calls, topHits: over / top, risen: rises / judged };
}

/** A score is signed when it takes values on both sides of 0: then its sign is a call on the direction. */
export function isSigned(score: Float64Array): boolean {
  let min = 0;
  let max = 0;
  for (const value of score) {
    if (value < min) min = value;
    if (value > max) max = value;
  }
  return min < 0 && max > 0;
}

/** Ranks from 1, equal values sharing the mean of theirs (mid-ranks). Input without NaN. */
export function midRanks(values: Float64Array): Float64Array {
  const order = Uint32Array.from(values, (_, row) => row).sort((a, b) => values[a]! - values[b]!);
  const ranks = new Float64Array(values.length);
  for (let from = 0; from < order.length; ) {
    let to = from + 1;
    while (to < order.length && values[order[to]!] === values[order[from]!]) to++;
    for (let at = from; at < to; at++) ranks[order[at]!] = (from + 1 + to) / 2;
    from = to;
  }
  return ranks;
}

/**
 * Spearman's rank correlation: Pearson's of the mid-ranks, which is right with ties. NaN for fewer than three pairs, or
 * where one side does not vary. Source: C. Spearman, "The Proof and Measurement of Association between Two Things",
 * American Journal of Psychology 15 (1904).
 */
export function spearman(x: Float64Array, y: Float64Array): number {
  if (x.length < 3) return Number.NaN;
  const [ranksX, ranksY] = [midRanks(x), midRanks(y)];
  const centre = (x.length + 1) / 2;
  let xy = 0;
  let xx = 0;
  let yy = 0;
  for (let row = 0; row < x.length; row++) {
    const dx = ranksX[row]! - centre;
    const dy = ranksY[row]! - centre;
    xy += dx * dy;
    xx += dx * dx;
    yy += dy * dy;
  }
  return xx === 0 || yy === 0 ? Number.NaN : xy / Math.sqrt(xx * yy);
}

/** Tenth of each value by its mid-rank, 0 to 9: `floor(10 (rank - 0.5) / n)`; ties make tenths uneven or empty. */
export function deciles(values: Float64Array): Int32Array {
  return Int32Array.from(midRanks(values), (rank) =>
    Math.min(DECILES - 1, Math.floor((DECILES * (rank - 0.5)) / values.length)),
  );
}

/** Mean of a series by date, with the error of records; a date without a value counts as a date. */
function meanOverDates(series: Float64Array, horizon: number): DatedMean {
  const values = series.filter((value) => !Number.isNaN(value));
  const n = values.length;
  const mean = meanOf(values);
  const squares = squaresAround(mean, values);
  const known = series.map((value) => (Number.isNaN(value) ? 0 : 1));
  const { error, low, high } = meanEdge(
    known,
    series.map((value) => (Number.isNaN(value) ? 0 : value)),
    horizon,
  );
  // Equal values leave rounding errors behind, which must not pass for a tiny error and an enormous t.
  const isConstant = squares <= n * (1e-14 * mean) ** 2;
  const isEnough = n >= FEWEST.edge.dates;
  const standardError = isEnough ? (isConstant ? 0 : error) : Number.NaN;
  return {
    mean,
    deviation: n < 2 ? Number.NaN : Math.sqrt(squares / (n - 1)),
    standardError,
    t: standardError > 0 ? mean / standardError : Number.NaN,
    low: isEnough ? (isConstant ? mean : low) : Number.NaN,
    high: isEnough ? (isConstant ? mean : high) : Number.NaN,
    dates: n,
  };
}

/** Share of each date's top decile that was not in that of the date before; NaN where either has none. */
function turnovers(panel: Panel, dates: readonly DateFigures[]): Float64Array {
  const series = new Float64Array(panel.dates).fill(Number.NaN);
  for (let date = 1; date < panel.dates; date++) {
    const before = new Set(dates[date - 1]!.top);
    const { top } = dates[date]!;
    if (before.size === 0 || top.length === 0) continue;
    series[date] = top.filter((place) => !before.has(place)).length / top.length;
  }
  return series;
}

/** Rank correlation of each date's scores with those of the date before, over stocks that have both. */
function autocorrelations({ dates, stocks, score }: Panel): Float64Array {
  const series = new Float64Array(dates).fill(Number.NaN);
  for (let date = 1; date < dates; date++) {
    const now: number[] = [];
    const before: number[] = [];
    for (let place = 0; place < stocks; place++) {
      const value = score[date * stocks + place]!;
      const last = score[(date - 1) * stocks + place]!;
      if (Number.isNaN(value) || Number.isNaN(last)) continue;
      now.push(value);
      before.push(last);
    }
    if (now.length >= STOCKS_MIN) series[date] = spearman(Float64Array.from(now), Float64Array.from(before));
  }
  return series;
}
