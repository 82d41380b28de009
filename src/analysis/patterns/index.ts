import type { BarColumns } from '../../market/observations.ts';
import type { PatternFinding } from './finding.ts';
import { PatternHistory } from './history.ts';
import { findingOf, type LivePattern } from './lifecycle.ts';

/**
 * Chart patterns and candlesticks as of the last row of daily bars (oldest first, one price basis), newest first:
 * forming ones, confirmed ones up to 60 rows after their confirmation (candlesticks 10), and those that failed without
 * confirmation up to 5 rows after (candlesticks 3).
 *
 * Nothing repaints. One forward scan counts swings from the row that confirmed them, opens a pattern from what was
 * known at its row, and afterwards moves only its status. The answer on a prefix is what was reported then, and
 * everything confirmed in it is reported again, with the same prices, until it expires.
 *
 * All measures use a fixed number of past rows or swings. A window that begins later gives the same patterns from its
 * first few common swings on.
 */
export function detectPatterns(bars: BarColumns): PatternFinding[] {
  const last = bars.close.length - 1;
  return new PatternHistory(bars, last).servedAt(0, last).sort(newestFirst).map(findingOf);
}

/** The order of an answer, whatever the row of the question. */
export function newestFirst(
  { reading: a, firstSeenRow: aRow }: LivePattern,
  { reading: b, firstSeenRow: bRow }: LivePattern,
): number {
  if (aRow !== bRow) return bRow - aRow;
  if (a.type !== b.type) return a.type < b.type ? -1 : 1;
  return (a.pivots[0]?.row ?? 0) - (b.pivots[0]?.row ?? 0);
}
