/** States of a stock on completed sessions, in columns, oldest first. */
export interface StateDays {
  /** Days since 1970-01-01. */
  readonly days: Int32Array;
  /** From the session before. */
  readonly logReturns: Float64Array;
  /**
   * The numbers of all states one after the other, in units of 1/`STATE_PARTS`, which rounding of prices on another
   * basis does not reach.
   */
  readonly states: Int16Array;
}

export const STATE_PARTS = 10_000;

/** The states of a symbol in a calendar year by name. */
export interface StateYear {
  readonly symbol: string;
  readonly year: number;
  /** Equal digests, equal states. */
  readonly digest: string;
}

/** Empty columns for a year that has no states any more. */
export interface StateYearDays extends StateYear, StateDays {}

export interface SymbolStates {
  readonly symbol: string;
  /** Years that differ from the stored ones. */
  readonly years: readonly StateYearDays[];
  /** Why there are none: a defect or a damaged tape. */
  readonly failure: string | null;
}
