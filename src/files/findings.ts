import type { RefusalReason } from '../market/refusals.ts';

/** What was worked out of a file, from what, and how sure it is. */
export interface Finding<Value = string> {
  readonly value: Value;
  readonly evidence: string;
  /** `stated` by the caller or the file, `seen` in its rows, `assumed` where no row can tell and nothing depends on it. */
  readonly sure: 'stated' | 'seen' | 'assumed';
}

/** Why a file as a whole cannot be read. */
export interface NoReading {
  readonly reason: RefusalReason;
  readonly example: string;
}

export const open = (example: string): NoReading => ({ reason: 'ambiguous', example });
export const isRefused = (reading: object): reading is NoReading => 'reason' in reading;

/** A row of the sample from which a file's reading is worked out. */
export interface SampleRow {
  /** The written symbol, empty without a column for it. */
  readonly symbol: string;
  /** As `timeReader('UTC')` has it: the instant where the text names its clock, else the wall clock as if it were UTC. */
  readonly time: number;
  /** The wall clock as written, as if it were UTC. */
  readonly wall: number;
  readonly day: number;
  readonly hasClock: boolean;
  readonly hasZone: boolean;
  readonly open: number;
  readonly close: number;
  readonly volume: number;
  /** New shares for an old one, 0 where none is written. */
  readonly split: number;
  /** Dollars a share, 0 where none is written. */
  readonly dividend: number;
  /** Whether the sample goes on beside the row's day. */
  readonly isWhole: boolean;
}
