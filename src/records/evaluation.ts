import { mean as meanOf, median, squaresAround } from '../analysis/statistics.ts';
import { cosineCount, meanEdge } from './estimate/estimate.ts';
import { FEWEST } from './estimate/record.ts';

/**
 * How well a score ordered stocks by their later returns. Each statistic is taken within a date, across its stocks, and
 * averaged over dates, so that stocks that move together do not pass for independent evidence.
 */

/** Scores of a date and the returns after it, in one order of the stocks; NaN where a stock has none. */
export interface ScoredDate {
  readonly tradeDate: string;
  readonly score: Float64Array;
  /** Simple returns over the horizon as fractions. */
  readonly forward: Float64Array;
}

export interface EvaluatedScore {
  /** Dotted path of a number in the answer. */
  readonly score: string;
  /** Sessions from the close of the score to the close of its return. */
  readonly horizon: number;
  /** Step in sessions. */
  readonly every: number;
  /** At each date only so many stocks with the greatest dollar volume. */
  readonly top?: number | undefined;
}

export type EvaluationReport = ReturnType<typeof evaluationReport>;

export type MeanReport = ReturnType<typeof meanOverDates>;

/** A date with fewer stocks does not count: its tenths would be single stocks. */
export const STOCKS_MIN = 10;
const DECILES = 10;
/**
 * So far from 0 a score that nobody tried before must be, since so many were tried.
 *
 * Source: C. R. Harvey, Y. Liu, H. Zhu, "… and the Cross-Section of Expected Returns", Review of Financial Studies 29 (2016).
 */
export const NEW_SCORE_T = 3;

/**
 * The result of an evaluation under the names of its JSON file; null is what is not known.
 *
 * @param data `withoutReturn`: stock-dates with a close and no close at the end of the horizon
 */
export function evaluationReport(
  request: EvaluatedScore,
  dates: readonly ScoredDate[],
  data: { simulated: boolean; withoutReturn: number; failures: readonly string[] },
) {
  const { score, horizon, every, top } = request;
  const inDates = horizonInDates(horizon, every);
  const judged = countKnown(dates, 'forward');
  const scored = countKnown(dates, 'score');
  const statistics = evaluate(dates, inDates);
  return {
    score,
    horizon,
    every,
    from: dates[0]!.tradeDate,
    to: dates.at(-1)!.tradeDate,
    dates: dates.length,
    symbols: dates[0]!.forward.length,
    top: top ?? null,
    simulated: data.simulated,
    /** Cosines of the variance over dates, its degrees of freedom where there are as many dates with a figure. */
    cosines: cosineCount(dates.length, inDates),
    /** Stock-dates with a forward return, and those of them with a score. */
    stock_dates: judged,
    scored,
    coverage: known(scored / judged),
    without_return: data.withoutReturn,
    failed: data.failures.length,
    first_failure: data.failures[0] ?? null,
    /** Why no date has a figure; null when one has. */
    no_figures_reason:
      statistics.information_coefficient.dates > 0 ? null : whyNoFigures(request, dates, data.failures),
    ...statistics,
  };
}

/** Of every `every` sessions, so many dates until a return has ended. */
export const horizonInDates = (horizon: number, every: number): number => Math.ceil(horizon / every);

export const countKnown = (dates: readonly ScoredDate[], column: 'score' | 'forward'): number =>
  dates.reduce((sum, of) => sum + of[column].filter((value) => !Number.isNaN(value)).length, 0);

export function whyNoFigures(
  { score, horizon }: Pick<EvaluatedScore, 'score' | 'horizon'>,
  dates: readonly ScoredDate[],
  failures: readonly string[],
): string {
  const judged = countKnown(dates, 'forward');
  if (judged === 0)
    return `No stock has a close on one of these dates and another ${horizon} sessions later.`;
  if (failures.length === judged) return `Every stock-date failed; the first: ${failures[0]}`;
  if (countKnown(dates, 'score') === 0)
    return `${score} has no value at the close of any of ${judged} stock-dates: the tape lacks what it is made of, or it is known only while a session runs.`;
  const most = Math.max(...dates.map((date) => rowsWithBoth(date.score, date.forward).length));
  if (most < STOCKS_MIN)
    return `No date has ${STOCKS_MIN} stocks with a score and a return; the most are ${most}, of ${dates[0]!.forward.length} symbols.`;
  return `On every date with ${STOCKS_MIN} stocks their scores, or their returns, are all alike: there is no order to judge.`;
}

/** @param horizon in dates: `horizonInDates(horizon, every)` */
export function evaluate(dates: readonly ScoredDate[], horizon: number) {
  const figures = dates.map(figuresOf);
  const mean = (of: (date: DateFigures, at: number) => number, overlap = horizon, centre = 0) =>
    meanOverDates(Float64Array.from(figures, of), overlap, centre);
  const coefficient = mean((date) => date.coefficient);
  const isSigned = [-1, 1].every((side) => dates.some(({ score }) => score.some((own) => side * own > 0)));
  return {
    information_coefficient: {
      ...coefficient,
      /** Whether it is evidence of a new score; null without a t. */
      is_evidence: coefficient.t === null ? null : Math.abs(coefficient.t) >= NEW_SCORE_T,
      /** Share of the dates with a coefficient above 0. */
      positive_share: known(figures.filter((date) => date.coefficient > 0).length / coefficient.dates),
      by_date: dates.map(({ tradeDate: date }, at) => ({ date, value: known(figures[at]!.coefficient) })),
    },
    /** Tenths of the stocks by score, the lowest scores first; `count` stock-dates fell into each. */
    deciles: Array.from({ length: DECILES }, (_, tenth) => ({
      decile: tenth + 1,
      count: figures.reduce((sum, { counts }) => sum + counts[tenth]!, 0),
      ...mean(({ means }) => means[tenth]!),
    })),
    spread: mean(({ means }) => means[DECILES - 1]! - means[0]!),
    /**
     * Share of right calls by date. The sign of a score with values on both sides of 0 is a call on the direction; of any
     * other score the top decile is called above the date's median stock. `t` is against one half, the result of
     * guessing; `risen` is the hit rate of calling every stock up.
     */
    hit_rate: {
      kind: isSigned ? ('sign' as const) : ('top_over_median' as const),
      risen: mean(({ risen }) => risen).mean,
      ...mean(({ sign, over }) => (isSigned ? sign : over), horizon, 0.5),
    },
    /** Share of the top decile that was not in it on the evaluated date before. */
    turnover: mean(({ top }, at) => {
      const before = new Set(figures[at - 1]?.top);
      return before.size === 0 ? Number.NaN : shareOf(top, (row) => !before.has(row));
    }, 0),
    /** Rank correlation of the scores with those of the evaluated date before. */
    autocorrelation: mean((_, at) => {
      const { x, y } = enoughWithBoth(dates[at]!.score, dates[at - 1]?.score ?? new Float64Array());
      return spearman(x, y);
    }, 0),
  };
}

type DateFigures = ReturnType<typeof figuresOf>;

/** What a date says; NaN with too few stocks that have both. */
function figuresOf({ score, forward }: ScoredDate) {
  const { rows, x: scores, y: returns } = enoughWithBoth(score, forward);
  const tenthOf = deciles(scores);
  const tenths = Array.from({ length: DECILES }, (_, tenth) =>
    returns.filter((_, at) => tenthOf[at] === tenth),
  );
  const middle = median(returns);
  const calls = scores
    .map((own, at) => Math.sign(own) * Math.sign(returns[at]!))
    .filter((call) => call !== 0);
  return {
    coefficient: spearman(scores, returns),
    means: tenths.map(meanOf),
    counts: tenths.map(({ length }) => length),
    /** Places of the stocks in the top decile. */
    top: rows.filter((_, at) => tenthOf[at] === DECILES - 1),
    /** Of the stocks with a score and a return other than 0, the share in which both have one sign. */
    sign: shareOf([...calls], (call) => call > 0),
    /** Share of the top decile that returned more than the median stock, and of all that returned more than 0. */
    over: shareOf([...tenths[DECILES - 1]!], (own) => own > middle),
    risen: shareOf([...returns], (own) => own > 0),
  };
}

const shareOf = (values: readonly number[], isOne: (value: number) => boolean): number =>
  values.filter(isOne).length / values.length;

/** Rows in which two columns have a value. */
const rowsWithBoth = (x: Float64Array, y: Float64Array): number[] =>
  Array.from(x.keys()).filter((row) => !Number.isNaN(x[row]! + y[row]!));

/** The same with the values there; none with too few rows. */
function enoughWithBoth(x: Float64Array, y: Float64Array) {
  const both = rowsWithBoth(x, y);
  const rows = both.length < STOCKS_MIN ? [] : both;
  return { rows, x: Float64Array.from(rows, (row) => x[row]!), y: Float64Array.from(rows, (row) => y[row]!) };
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
  const fromCentre = (values: Float64Array): Float64Array =>
    midRanks(values).map((rank) => rank - (values.length + 1) / 2);
  const [ranksX, ranksY] = [fromCentre(x), fromCentre(y)];
  const xy = ranksX.reduce((sum, rank, row) => sum + rank * ranksY[row]!, 0);
  return xy / Math.sqrt(squaresAround(0, ranksX) * squaresAround(0, ranksY));
}

/** Tenth of each value by its mid-rank, 0 to 9: `floor(10 (rank - 0.5) / n)`; ties make tenths uneven or empty. */
export const deciles = (values: Float64Array): Int32Array =>
  Int32Array.from(midRanks(values), (rank) =>
    Math.min(DECILES - 1, Math.floor((DECILES * (rank - 0.5)) / values.length)),
  );

const known = (value: number): number | null => (Number.isFinite(value) ? value : null);

/**
 * Mean of a series by date with the 95 % confidence interval that records have, for horizons that overlap; null without
 * enough data. A date without a value counts as a date.
 *
 * @param centre what `t` is against
 */
function meanOverDates(series: Float64Array, horizon: number, centre = 0) {
  const values = series.filter((value) => !Number.isNaN(value));
  const dates = values.length;
  const mean = meanOf(values);
  const squares = squaresAround(mean, values);
  const isKnown = series.map((value) => (Number.isNaN(value) ? 0 : 1));
  const sums = series.map((value) => value || 0);
  // Equal values leave rounding errors behind, which must not pass for a tiny error and an enormous t.
  const isConstant = squares <= dates * (1e-14 * mean) ** 2;
  const { error, low, high } = isConstant
    ? { error: 0, low: mean, high: mean }
    : meanEdge(isKnown, sums, horizon);
  const isEnough = dates >= FEWEST.edge.dates;
  return {
    mean: known(mean),
    /** Sample standard deviation over dates. */
    deviation: dates < 2 ? null : Math.sqrt(squares / (dates - 1)),
    standard_error: isEnough ? error : null,
    t: isEnough ? known((mean - centre) / error) : null,
    low: isEnough ? low : null,
    high: isEnough ? high : null,
    dates,
  };
}
