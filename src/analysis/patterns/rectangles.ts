import type { Boundaries } from './boundaries.ts';
import { lastTradableRow } from './boundaries.ts';
import type { PatternReading } from './finding.ts';
import { fitBetween } from './lines.ts';

/** Change of a line over the length of the pattern, in widths. */
const FLAT = 0.15;

/**
 * Rectangle: two flat, parallel lines. Neutral while price trades between them; the first close outside picks the
 * side, the target is the height beyond that line, the stop the last swing on the other side, and a close beyond the
 * far line says no.
 *
 * Confidence: mean of touch fit, inside fit, width fit and levelness of the two lines.
 * Source: Edwards and Magee, rectangles; Bulkowski for the five touches.
 */
export function rectangle(lines: Boundaries): PatternReading | null {
  const tilt = Math.max(Math.abs(lines.upperRise), Math.abs(lines.lowerRise));
  if (tilt > FLAT || lines.insideFit === 0) return null;
  return {
    type: 'rectangle',
    direction: 'neutral',
    pivots: lines.pivots,
    trigger: lines.upper,
    counter: lines.lower,
    stopLong: lines.lastLow,
    stopShort: lines.lastHigh,
    invalidation: Number.NaN,
    target: Number.NaN,
    height: lines.width,
    expiresRow: lastTradableRow(lines),
    trailingStop: false,
    confidence: (lines.touchFit + lines.insideFit + lines.widthFit + fitBetween(tilt, FLAT, 0)) / 4,
  };
}
