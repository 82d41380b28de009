/** How a stock looked on completed sessions, in columns, oldest first. */
export interface StateDays {
  /** Days since 1970-01-01. */
  readonly days: Int32Array;
  /** On the session before. */
  readonly logReturns: Float64Array;
  /** The numbers of each state side by side, in ten-thousandths: as they are kept, and compared without rounding. */
  readonly states: Int16Array;
}

/** Parts of one that the numbers of a state are kept in: rounding of prices on another basis lies far below. */
export const STATE_PARTS = 10_000;

/** The states of a symbol in a calendar year by name. */
export interface StateYear {
  readonly symbol: string;
  readonly year: number;
  /** Of what they say: equal digests, equal states. */
  readonly digest: string;
}

/** The states of a year; without days where it has none any more. */
export interface StateYearDays extends StateYear, StateDays {}

/** What the states of one symbol have come to. */
export interface SymbolStates {
  readonly symbol: string;
  /** Years that differ from what is kept. */
  readonly years: readonly StateYearDays[];
  /** Why there are none: a defect or a damaged tape. */
  readonly failure: string | null;
}
