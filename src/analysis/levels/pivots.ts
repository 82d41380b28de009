/** Floor pivots in dollars; all NaN when one of their inputs is. */
export interface FloorPivots {
  readonly pivot: number;
  readonly r1: number;
  readonly r2: number;
  readonly r3: number;
  readonly s1: number;
  readonly s2: number;
  readonly s3: number;
}

/**
 * Floor (classic) pivots from the previous regular session's high, low and close, dollars.
 *
 * P = (H+L+C)/3; R1 = 2P-L; S1 = 2P-H; R2 = P+(H-L); S2 = P-(H-L); R3 = H+2(P-L); S3 = L-2(H-P). The third pair is
 * the one of the floor traders' handbooks; some charts draw P +- 2(H-L) there instead.
 */
export function floorPivots(high: number, low: number, close: number): FloorPivots {
  const pivot = (high + low + close) / 3;
  const range = high - low;
  return {
    pivot,
    r1: 2 * pivot - low,
    r2: pivot + range,
    r3: high + 2 * (pivot - low),
    s1: 2 * pivot - high,
    s2: pivot - range,
    s3: low - 2 * (high - pivot),
  };
}

/** Central pivot range in dollars, `top` never below `bottom`. */
export interface CentralPivotRange {
  readonly top: number;
  readonly bottom: number;
}

/**
 * Central pivot range from the previous regular session: BC = (H+L)/2, TC = 2P-BC with P = (H+L+C)/3. After a close
 * in the lower half of the range TC lies under BC, and the labels are swapped so that the top is the top.
 */
export function centralPivotRange(high: number, low: number, close: number): CentralPivotRange {
  const middle = (high + low) / 2;
  const mirrored = (2 * (high + low + close)) / 3 - middle;
  return { top: Math.max(middle, mirrored), bottom: Math.min(middle, mirrored) };
}
