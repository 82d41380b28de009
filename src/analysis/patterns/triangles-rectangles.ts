import { type Boundaries, lastTradableRow } from './boundaries.ts';
import type { ChartPatternType, PatternDirection, PatternReading } from './finding.ts';
import { fitBetween } from './lines.ts';

/** Change of a line over the length of the pattern, in widths: up to the first it is flat, from the second on it slopes. */
const FLAT = 0.15;
const SLOPING = 0.25;
/** The width at the last swing is at most this share of the first. */
const NARROWING_MAX = 0.75;

/**
 * Triangles and wedges: two lines that converge to three quarters of their width or less.
 *
 * | type | upper line | lower line | reading |
 * |---|---|---|---|
 * | ascending triangle | flat | rising | bullish |
 * | descending triangle | falling | flat | bearish |
 * | symmetrical triangle | falling | rising | neutral until a close leaves it |
 * | rising wedge | rising | rising faster | bearish |
 * | falling wedge | falling faster | falling | bullish |
 *
 * A close beyond the line on the pattern's side confirms, one beyond the other line says no. Target: the width at the
 * start for triangles, the price where it began for wedges. They expire where the lines meet.
 *
 * Confidence: mean of touch fit, inside fit, width fit and narrowing (0.75 to 0.4 of the first width).
 * Source: Edwards and Magee for the shapes and measuring rules; Bulkowski for touches and wedge targets.
 */
export function triangleOrWedge(lines: Boundaries): PatternReading | null {
  if (lines.narrowing > NARROWING_MAX || lines.insideFit === 0) return null;
  const shape = shapeOf(lines.upperRise, lines.lowerRise);
  if (shape === null) return null;
  const { direction } = shape;
  const upperTriggers = direction !== 'bearish';
  return {
    type: shape.type,
    direction,
    pivots: lines.pivots,
    trigger: upperTriggers ? lines.upper : lines.lower,
    counter: upperTriggers ? lines.lower : lines.upper,
    stopLong: lines.lastLow,
    stopShort: lines.lastHigh,
    invalidation: Number.NaN,
    target: shape.isWedge ? wedgeStart(lines, direction) : Number.NaN,
    height: lines.width,
    expiresRow: lastTradableRow(lines),
    trailingStop: false,
    confidence:
      (lines.touchFit + lines.insideFit + lines.widthFit + fitBetween(lines.narrowing, NARROWING_MAX, 0.4)) /
      4,
  };
}

interface Shape {
  readonly type: ChartPatternType;
  readonly direction: PatternDirection;
  readonly isWedge: boolean;
}

function shapeOf(upperRise: number, lowerRise: number): Shape | null {
  const upperFlat = Math.abs(upperRise) <= FLAT;
  const lowerFlat = Math.abs(lowerRise) <= FLAT;
  if (upperFlat && lowerRise >= SLOPING) {
    return { type: 'ascending_triangle', direction: 'bullish', isWedge: false };
  }
  if (lowerFlat && upperRise <= -SLOPING) {
    return { type: 'descending_triangle', direction: 'bearish', isWedge: false };
  }
  if (upperFlat || lowerFlat) return null;
  if (upperRise < 0 && lowerRise > 0) {
    return { type: 'symmetrical_triangle', direction: 'neutral', isWedge: false };
  }
  if (upperRise >= SLOPING && lowerRise >= SLOPING) {
    return { type: 'rising_wedge', direction: 'bearish', isWedge: true };
  }
  if (upperRise <= -SLOPING && lowerRise <= -SLOPING) {
    return { type: 'falling_wedge', direction: 'bullish', isWedge: true };
  }
  return null;
}

/** A rising wedge is expected to give back all of itself, down to its lowest low; a falling one mirrored. */
function wedgeStart(lines: Boundaries, direction: PatternDirection): number {
  const side = direction === 'bearish' ? -1 : 1;
  let extreme = lines.pivots[0]!.price;
  for (const pivot of lines.pivots) if (side * (pivot.price - extreme) > 0) extreme = pivot.price;
  return extreme;
}

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
