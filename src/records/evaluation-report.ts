import { cosineCount } from './estimate/estimate.ts';
import {
  type DatedMean,
  type Evaluation,
  evaluate,
  horizonInDates,
  type Panel,
  rowsWithBoth,
  STOCKS_MIN,
} from './evaluation.ts';
import type { PricePanel } from './price-panel.ts';

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

/**
 * So far from 0 a score that nobody tried before must be, since so many were tried.
 *
 * Source: C. R. Harvey, Y. Liu, H. Zhu, "… and the Cross-Section of Expected Returns", Review of Financial Studies 29 (2016).
 */
export const NEW_SCORE_T = 3;

interface Failures {
  readonly failures: readonly string[];
}

export type MeanReport = ReturnType<typeof meanReport>;

export type EvaluationReport = ReturnType<typeof evaluationReport>;

/**
 * The result of an evaluation under the names of its JSON file. Returns are simple returns as fractions.
 *
 * @param dates trade dates of the panel
 */
export function evaluationReport(
  { score, horizon, every, top }: EvaluatedScore,
  dates: readonly string[],
  panel: Panel,
  data: Pick<PricePanel, 'withoutReturn' | 'simulated'> & Failures,
) {
  const inDates = horizonInDates(horizon, every);
  const evaluation = evaluate(panel, inDates);
  const judged = countKnown(panel.forward);
  const scored = countKnown(panel.score);
  return {
    score,
    horizon,
    every,
    from: dates[0]!,
    to: dates.at(-1)!,
    dates: dates.length,
    symbols: panel.stocks,
    top: top ?? null,
    simulated: data.simulated,
    /** Cosines of the variance over dates, its degrees of freedom where there are as many dates with a figure. */
    cosines: cosineCount(panel.dates, inDates),
    /** Stock-dates with a forward return, and those of them with a score. */
    stock_dates: judged,
    scored,
    coverage: known(scored / judged),
    without_return: data.withoutReturn,
    failed: data.failures.length,
    first_failure: data.failures[0] ?? null,
    /** Why no date has a figure; null when one has. */
    no_figures_reason:
      evaluation.coefficient.dates > 0
        ? null
        : whyNoFigures(panel, { score, horizon, failures: data.failures }),
    ...statisticsOf(evaluation, dates),
  };
}

function statisticsOf(evaluation: Evaluation, dates: readonly string[]) {
  const { coefficient, coefficients, positiveShare, deciles, spread, hitRate } = evaluation;
  return {
    information_coefficient: {
      ...meanReport(coefficient),
      /** Whether it is evidence of a new score; null without a t. */
      is_evidence: Number.isNaN(coefficient.t) ? null : Math.abs(coefficient.t) >= NEW_SCORE_T,
      positive_share: known(positiveShare),
      by_date: dates.map((date, row) => ({ date, value: known(coefficients[row]!) })),
    },
    deciles: deciles.map((decile, at) => ({ decile: at + 1, count: decile.count, ...meanReport(decile) })),
    spread: meanReport(spread),
    /** Its `t` is against one half. `risen` is the hit rate of calling every stock up. */
    hit_rate: { kind: hitRate.kind, risen: known(hitRate.risen), ...meanReport(hitRate) },
    turnover: meanReport(evaluation.turnover),
    autocorrelation: meanReport(evaluation.autocorrelation),
  };
}

const countKnown = (values: Float64Array): number =>
  values.reduce((count, value) => count + Number(!Number.isNaN(value)), 0);

const known = (value: number): number | null => (Number.isFinite(value) ? value : null);

/** A mean over dates with its 95 % confidence interval; null without enough data. */
const meanReport = ({ mean, deviation, standardError, t, low, high, dates }: DatedMean) => ({
  mean: known(mean),
  deviation: known(deviation),
  standard_error: known(standardError),
  t: known(t),
  low: known(low),
  high: known(high),
  dates,
});

export function whyNoFigures(
  panel: Panel,
  { score, horizon, failures }: Pick<EvaluatedScore, 'score' | 'horizon'> & Failures,
): string {
  const judged = countKnown(panel.forward);
  if (judged === 0)
    return `No stock has a close on one of these dates and another ${horizon} sessions later.`;
  if (failures.length === judged) return `Every stock-date failed; the first: ${failures[0]}`;
  if (countKnown(panel.score) === 0) {
    return `${score} has no value at the close of any of ${judged} stock-dates: the tape lacks what it is made of, or it is known only while a session runs.`;
  }
  const both = Array.from({ length: panel.dates }, (_, date) => rowsWithBoth(panel, date).length);
  const max = Math.max(...both);
  if (max < STOCKS_MIN) {
    return `No date has ${STOCKS_MIN} stocks with a score and a return; the most are ${max}, of ${panel.stocks} symbols.`;
  }
  return `On every date with ${STOCKS_MIN} stocks their scores, or their returns, are all alike: there is no order to judge.`;
}
