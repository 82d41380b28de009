import type { BacktestSpec } from '../analysis/backtest/spec.ts';
import type { SessionOutcome } from '../analysis/backtest/partial.ts';
import type { OptimizationText } from '../derive/backtest-text.ts';
import type { SymbolTape } from '../market/tape/index.ts';

/** One symbol to be walked through every cell of a grid, and the file that keeps what it came to. */
export interface WalkRequest {
  readonly spec: BacktestSpec;
  /** Without facts: a backtest reads bars alone. */
  readonly tape: SymbolTape;
  /** Kept here whole or not at all. What is there already is not walked again. */
  readonly file: string;
}

/** Places in the memory that a walk shares: how many trade days are done; and not 0 once nobody waits for it any more. */
export const WALK_SHARED = { daysDone: 0, calledOff: 1 } as const;

/** What became of the trade days of one symbol. */
export interface WalkOutcome {
  readonly symbol: string;
  readonly outcomes: Readonly<Record<SessionOutcome, number>>;
}

/** Threads that do the arithmetic of runs, apart from those that derive stock-days for callers in a hurry. */
export interface Backtester {
  /** Symbols that are walked at once. */
  readonly threads: number;
  /** Folder of the files of unfinished runs, one folder for each. */
  readonly directory: string;
  /**
   * Ends within a session's work once the signal has aborted, with its reason.
   *
   * @param onSessions called now and then with the trade days that are done
   * @throws CodedError tape_damaged
   */
  walk(request: WalkRequest, signal: AbortSignal, onSessions: (done: number) => void): Promise<WalkOutcome>;
  /** The result from the files of all symbols. */
  merge(files: readonly string[], signal: AbortSignal): Promise<OptimizationText>;
  close(): Promise<void>;
}
