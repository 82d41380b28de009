import type { DayKind, Direction, SessionOutcome } from './partial.ts';
import type { EntryType } from './spec.ts';

/** Metrics of the trades of a cell. R is profit after costs over the initial risk, stop x ATR. Null where undefined. */
export interface Metrics {
  readonly totalTrades: number;
  /** Share of trades with R above 0, 0 to 1; null without trades. */
  readonly winRate: number | null;
  /** Mean R; null without trades. */
  readonly avgRrRatio: number | null;
  /**
   * Mean over deviation (n - 1) of the sums of R by session, times sqrt(252); a session without a trade counts with 0.
   * Null with fewer than two sessions or without deviation.
   */
  readonly sharpeRatio: number | null;
  /** Gross gain over gross loss in R; null without a loss. */
  readonly profitFactor: number | null;
  /**
   * Maximum fall of the running sum of R by session from its peak (0 at the start), not negative; null without trades.
   */
  readonly maxDrawdown: number | null;
  readonly totalR: number;
  /** Share of trades whose last bar touches both stop and target, which count as stopped; null without trades. */
  readonly ambiguousShare: number | null;
}

export interface ParameterSet {
  /** Multiples of the daily ATR. */
  readonly stopAtr: number;
  readonly targetAtr: number;
}

export interface CellResult extends Metrics {
  readonly parameterSet: ParameterSet;
}

export interface Part<Name extends string> extends Metrics {
  readonly name: Name;
}

export interface TopResult extends CellResult {
  /** Probability that the true Sharpe ratio is above what the best of so many cells shows by chance, 0 to 1. */
  readonly deflatedSharpeRatio: number | null;
  /** The first nine of twelve blocks of sessions, and the last three; null with too few sessions. */
  readonly inSample: Metrics | null;
  readonly outOfSample: Metrics | null;
  readonly bySignalType: readonly Part<EntryType>[];
  readonly byDirection: readonly Part<Direction>[];
  readonly byDayType: readonly Part<DayKind>[];
}

/** A cell chosen by its Sharpe ratio on some sessions, and its metrics on later ones. */
export interface SplitResult {
  readonly parameterSet: ParameterSet;
  readonly chosenOn: Metrics;
  /** First trade day of the later sessions, midnight UTC. */
  readonly testFrom: number;
  readonly tested: Metrics;
}

/**
 * `unprofitable`: no cell has a Sharpe ratio above 0; `robust`: chance is an unlikely reason for the best cell;
 * `overfit`: choosing the best cell is no better than drawing one; `doubtful`: in between; `inconclusive`: too little
 * data.
 */
export const VERDICTS = ['robust', 'doubtful', 'overfit', 'unprofitable', 'inconclusive'] as const;
export type OverfittingVerdict = (typeof VERDICTS)[number];

/** How far the result of the best cell is credible. */
export interface Overfitting {
  readonly verdict: OverfittingVerdict;
  /** Cells with a Sharpe ratio. */
  readonly trials: number;
  /** Of the best cell. */
  readonly deflatedSharpeRatio: number | null;
  /** Annualised Sharpe ratio that the best of so many cells without skill is expected to show. */
  readonly expectedMaxSharpe: number | null;
  /** Share of the halvings in which the best cell of one half is in the lower half on the other. */
  readonly probabilityOfOverfitting: number | null;
  /** Share of the halvings in which that cell has a Sharpe ratio below 0 on the other half. */
  readonly probabilityOfLoss: number | null;
  readonly halvings: number;
  /** Median Sharpe ratio of the neighbours of the best cell over its own; null unless that is positive. */
  readonly plateau: number | null;
}

export interface BacktestResult {
  /** In ascending order. */
  readonly symbols: readonly string[];
  /** Trade days on which at least one symbol was processed. */
  readonly sessions: number;
  readonly outcomes: Readonly<Record<SessionOutcome, number>>;
  /** Every cell, by stop and then by target. */
  readonly grid: readonly CellResult[];
  /** At most `topN`, best Sharpe ratio first; without cells that have none. */
  readonly top: readonly TopResult[];
  /** The best cell over the trades of each signal type alone; null without one. */
  readonly bestBySignalType: readonly { readonly signalType: EntryType; readonly best: CellResult | null }[];
  readonly outOfSample: SplitResult | null;
  /** Each fold chooses on all sessions before those of its test; empty with too few sessions. */
  readonly walkForward: readonly SplitResult[];
  readonly overfitting: Overfitting;
}
