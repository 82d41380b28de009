import type { PatternDirection, PatternStatus } from '../patterns/finding.ts';
import { evidence } from './ramps.ts';

export const UP_VOLUME_SESSIONS = 20;

/**
 * Share of the volume of the last 20 sessions that traded on closes above the one before, 0 to 1; sessions that closed
 * where the one before did take no side.
 *
 * @returns NaN with fewer than 21 rows up to `row`, or when no session with volume took a side
 */
export function upVolumeShare(close: Float64Array, volume: Float64Array, row: number): number {
  if (row < UP_VOLUME_SESSIONS || row >= close.length) return Number.NaN;
  let up = 0;
  let down = 0;
  for (let at = row - UP_VOLUME_SESSIONS + 1; at <= row; at++) {
    const change = close[at]! - close[at - 1]!;
    if (change > 0) up += volume[at]!;
    else if (change < 0) down += volume[at]!;
  }
  return up / (up + down);
}

/** The part of a pattern that counts as evidence. */
export interface PatternWitness {
  readonly direction: PatternDirection;
  readonly status: PatternStatus;
  /** 0 to 1. */
  readonly confidence: number;
  /** True once its target has been touched. */
  readonly spent: boolean;
}

/** A forming pattern is half of a confirmed one. */
export const FORMING_SHARE = 0.5;

/** Evidence of the active patterns of one side, 0 to 1; 0 without any. */
export function patternEvidence(
  patterns: readonly PatternWitness[],
  direction: 'bullish' | 'bearish',
): number {
  return evidence(
    patterns
      .filter((pattern) => pattern.direction === direction && pattern.status !== 'failed' && !pattern.spent)
      .map(({ confidence, status }) => (status === 'forming' ? FORMING_SHARE : 1) * confidence),
  );
}
