/** What a number of a text counts. */
export type WrittenUnit =
  | 'USD'
  | 'percent'
  | 'percentage points'
  | 'times'
  | 'shares'
  | 'days'
  | 'minutes'
  | 'quarters'
  | 'ATR'
  | 'points'
  | 'deviations'
  | 'contracts'
  | 'people'
  | 'other currency';

/** Which side of a number is meant, where it is not the number itself. */
export type Bound = 'above' | 'below' | 'at least' | 'at most' | 'within';

/** A number of a text as it is written. */
export interface Quantity {
  /** Its first token with sign and currency, and the one behind its last with magnitude and unit. */
  readonly from: number;
  readonly to: number;
  readonly value: number;
  /** What one more of its last digit would be. */
  readonly step: number;
  readonly digits: number;
  /** What magnitude and unit multiply its digits by. */
  readonly scale: number;
  readonly unit: WrittenUnit | null;
  /** True with a currency, a unit, a magnitude or a point: nobody counts list items so. */
  readonly isExact: boolean;
  readonly isSigned: boolean;
  readonly isApproximate: boolean;
  readonly isMagnified: boolean;
  readonly bound: Bound | null;
  /** Of a range that it is one end of: the other end. */
  readonly rangeTo: number | null;
}

/** A date of a text. */
export interface WrittenDate {
  readonly from: number;
  readonly to: number;
  /** YYYY-MM-DD; null where the calendar has no such day. */
  readonly date: string | null;
}
