import type { BarColumns } from '../../market/observations.ts';
import type { PatternReading, SwingPoint } from './finding.ts';

/** What is known at the close of `row`: nothing at a later row of these columns may be looked at. */
export interface Scan {
  readonly bars: BarColumns;
  /** Mean true range by row, dollars: the unit in which shapes are measured. */
  readonly range: Float64Array;
  row: number;
}

/**
 * Looks for one kind of pattern in the first `count` swings, the last of which has just been confirmed at `scan.row`.
 * Readers look back a fixed number of swings and rows, so they forget where history began.
 */
export type SwingReader = (swings: readonly SwingPoint[], count: number, scan: Scan) => PatternReading | null;
